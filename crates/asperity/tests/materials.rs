//! Generated materials: closed forms, seeds, files that give them back, bad parameters.

use std::f64::consts::{FRAC_2_PI, PI, TAU};

use asperity::body::surface::read_pixels;
use asperity::material::{
    Gaussian, HeightImage, MATERIALS, Material, MaterialError, Sawtooth, Statistics, Threads, ridges,
};
use asperity::patch::{FacetMap, Green};
use asperity_friction::field::Wrap;
use glam::DVec2;

#[test]
fn every_material_is_made_again_to_the_bit() {
    for (name, doc) in MATERIALS {
        let material = Material::named(name).unwrap();
        assert_eq!(material.name(), *name);
        let relief = material.make().unwrap();
        assert_eq!(relief, material.make().unwrap(), "{name}: {doc}");
        assert_eq!(relief.slopes.len(), (relief.width * relief.height) as usize);
        assert!(relief.slopes.iter().all(|p| p.is_finite()));
        relief.map(1.0).unwrap();
        // A height that repeats has no mean slope.
        let statistics = Statistics::new(&relief);
        assert!(statistics.mean.length() < 1e-9 * (1.0 + statistics.deviation.length()), "{name}: {}", statistics.mean);
        // As plain data.
        let text = serde_json::to_string(&material).unwrap();
        assert_eq!(serde_json::from_str::<Material>(&text).unwrap(), material);
    }
    assert!(Material::named("velvet").is_none());
}

#[test]
fn seeds_tell_random_materials_apart() {
    let make = |seed| Material::Gaussian(Gaussian { seed, texels: 32, ..Gaussian::default() }).make().unwrap().slopes;
    assert_ne!(make(1), make(2));
}

#[test]
fn a_gaussian_surface_has_its_roughness_and_the_slopes_that_follow() {
    let (ra, pixel) = (1.5e-4, 1e-3);
    let relief = Material::Gaussian(Gaussian { ra, pixel, texels: 512, ..Gaussian::default() }).make().unwrap();
    let statistics = Statistics::new(&relief);
    assert!((statistics.ra.unwrap() / ra - 1.0).abs() < 1e-12);
    // σ_h = Ra √(π/2); a central difference of independent heights has σ_h √2/(2 pixel).
    let sigma = ra * (PI / 2.0).sqrt() / (2f64.sqrt() * pixel);
    // 5 deviations of the estimate from 512² / 2 independent values.
    let room = 5.0 / 512.0;
    assert!((statistics.deviation.x / sigma - 1.0).abs() < room && (statistics.deviation.y / sigma - 1.0).abs() < room);
    for k in 0..8 {
        let d = DVec2::from_angle(TAU * f64::from(k) / 8.0);
        let expected = FRAC_2_PI * sigma / TAU.sqrt();
        assert!((statistics.coefficient(d) / expected - 1.0).abs() < 2.0 * room, "{k}");
    }
}

#[test]
fn stretched_heights_are_rough_across() {
    let stretched = Gaussian { blur: [0.01, 0.001], ra: 1e-4, ..Gaussian::default() };
    let statistics = Statistics::new(&Material::Gaussian(stretched).make().unwrap());
    // Blurred by a kernel of deviation s, slopes are σ_h/(√2 s) along it: ten to one, a little less for differences over two texels.
    let ratio = statistics.deviation.y / statistics.deviation.x;
    assert!((7.0..10.5).contains(&ratio), "{ratio}");
}

#[test]
fn a_sawtooth_is_exact() {
    let sawtooth = Sawtooth { period: 4e-3, height: 1e-3, rise: 0.75 };
    let statistics = Statistics::new(&Material::Sawtooth(sawtooth).make().unwrap());
    let mean = FRAC_2_PI * 0.25;
    assert!((statistics.coefficient(DVec2::X) - mean).abs() < 1e-15);
    assert!((statistics.coefficient(DVec2::NEG_X) - mean).abs() < 1e-15);
    assert_eq!(statistics.coefficient(DVec2::Y), 0.0);
    assert!((statistics.ra.unwrap() / 2.5e-4 - 1.0).abs() < 1e-3, "a quarter of the height");
    assert!((statistics.steepest - 1f64.atan()).abs() < 1e-12);
}

#[test]
fn threads_resist_across_the_helix_and_not_along_it() {
    let threads = Threads { radius: 2e-3, pitch: 7e-4, ..Threads::default() };
    for (left_handed, hand) in [(false, 1.0), (true, -1.0)] {
        let statistics =
            Statistics::new(&Material::Threads(Threads { left_handed, ..threads.clone() }).make().unwrap());
        let along = DVec2::new(TAU * 2e-3, hand * 7e-4).normalize();
        assert!(statistics.coefficient(along) < 1e-12);
        let across = FRAC_2_PI * 0.5 / 30f64.to_radians().tan();
        assert!((statistics.coefficient(along.perp()) / across - 1.0).abs() < 1e-12);
        assert!((statistics.coefficient(-along.perp()) / across - 1.0).abs() < 1e-12);
    }
}

#[test]
fn ridges_follow_the_edges_of_a_mask() {
    // A band of 32 of 64 columns, 1 mm high, with edges of 4 texels: slopes of 1 mm / 5 texels of 1 mm over them.
    let mask: Vec<f64> = (0..64 * 64).map(|k| f64::from(u8::from(k % 64 >= 16 && k % 64 < 48))).collect();
    let relief = ridges(64, 64, &mask, DVec2::splat(0.064), 1e-3, 4e-3, Wrap::Repeat).unwrap();
    let heights = relief.heights.clone().unwrap();
    assert!((heights[32] - 1e-3).abs() < 1e-12 && heights[0].abs() < 1e-12);
    let statistics = Statistics::new(&relief);
    // Mean |∂h/∂u| is twice the height over the width: half of it rises.
    assert!((statistics.coefficient(DVec2::X) / (FRAC_2_PI * 1e-3 / 0.064) - 1.0).abs() < 1e-9);
    assert_eq!(statistics.coefficient(DVec2::Y), 0.0);
    assert!(matches!(
        ridges(64, 64, &[2.0; 4096], DVec2::ONE, 0.1, 0.0, Wrap::Repeat),
        Err(MaterialError::Parameter { name: "mask", .. })
    ));
    assert!(matches!(ridges(64, 64, &[0.5; 3], DVec2::ONE, 0.1, 0.0, Wrap::Repeat), Err(MaterialError::Map(_))));
}

#[test]
fn files_give_the_slopes_back() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let relief = Material::named("oak").unwrap().make().unwrap();
    let path = folder.join("oak-normals.png");
    std::fs::write(&path, relief.normal_png().unwrap()).unwrap();
    let image = read_pixels(&path).unwrap();
    let colors = image.normals().unwrap();
    let map = FacetMap::from_normals(image.width, image.height, &colors, Green::Up, 1.0).unwrap();
    assert!(image.grey().is_none(), "colours are no heights");
    let at = |k: usize| {
        let (i, j) = ((k % 256) as f64, (k / 256) as f64);
        DVec2::new((i + 0.5) / 256.0, 1.0 - (j + 0.5) / 256.0)
    };
    for k in (0..relief.slopes.len()).step_by(97) {
        assert!(map.at(at(k)).numbers.distance(relief.slopes[k]) < 2e-4, "{k}");
    }
    // Heights: slopes in images, so that a unit of u is the size.
    let HeightImage { bytes, span } = relief.height_png().unwrap().unwrap();
    let path = folder.join("oak-heights.png");
    std::fs::write(&path, bytes).unwrap();
    let grey = read_pixels(&path).unwrap().grey().unwrap();
    let heights: Vec<f64> = grey.iter().map(|g| g * span).collect();
    let map = FacetMap::from_heights(256, 256, &heights, [Wrap::Repeat; 2]).unwrap();
    for k in (0..relief.slopes.len()).step_by(97) {
        assert!((map.at(at(k)).numbers / relief.size).distance(relief.slopes[k]) < 2e-4, "{k}");
    }
}

#[test]
fn bad_parameters_are_named() {
    let refused = |json: &str| {
        let material: Material = serde_json::from_str(json).unwrap();
        material.make().unwrap_err().to_string()
    };
    assert!(refused(r#"{"material":"gaussian","ra":-1.0}"#).contains("ra = -1"));
    assert!(refused(r#"{"material":"gaussian","pixel":0.0}"#).contains("pixel = 0"));
    assert!(refused(r#"{"material":"gaussian","texels":100000}"#).contains("texels = 100000"));
    assert!(refused(r#"{"material":"gaussian","blur":[9.0,0.0]}"#).contains("blur = 9"));
    assert!(refused(r#"{"material":"sawtooth","rise":1.0}"#).contains("rise = 1"));
    assert!(refused(r#"{"material":"sawtooth","period":0.0}"#).contains("period = 0"));
    assert!(refused(r#"{"material":"threads","starts":0}"#).contains("starts = 0"));
    assert!(serde_json::from_str::<Material>(r#"{"material":"oak","seeds":1}"#).is_err(), "unknown parameters");
}
