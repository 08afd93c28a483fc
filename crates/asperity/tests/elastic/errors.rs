//! Bad input is refused by the element, the value and the reason, and nothing is added.

use asperity::elastic::{
    Bending, ElasticError, Elasticity, Lame, Membrane, RestAngles, SolidEnergy, Springs, StrainLimit, masses_of_tets,
    masses_of_triangles,
};
use glam::{DVec2, DVec3};

const REST: [DVec3; 5] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(1.0, 1.0, 0.0)];

fn solid(rest: &[DVec3], tets: &[[u32; 4]]) -> String {
    let mut elasticity = Elasticity::new(5);
    let lame = Lame::from_young(1.0, 0.3).unwrap();
    let error = elasticity.add_solid(rest, tets, SolidEnergy::StableNeoHookean, lame).unwrap_err();
    assert_eq!(elasticity.elements(), 0);
    error.to_string()
}

#[test]
fn bad_tetrahedra_are_named() {
    let good = [0, 1, 2, 3];
    assert_eq!(
        solid(&REST, &[good, [0, 2, 1, 3]]).split(';').next(),
        Some("tets[1] is inverted at rest: its volume is -1.6666666666666666e-1")
    );
    assert!(solid(&REST, &[good, [0, 1, 2, 4]]).starts_with("tets[1] is degenerate at rest: its volume is 0e0"));
    assert_eq!(solid(&REST, &[[0, 1, 2, 7]]), "tets[0] names vertex 7: there are 5");
    assert_eq!(solid(&REST, &[[0, 1, 1, 3]]), "tets[0] names vertex 1 twice");
    assert_eq!(solid(&REST[..4], &[good]), "rest has 4 entries: must have 5");
    let mut far = REST;
    far[2].y = f64::NAN;
    assert_eq!(solid(&far, &[good]), "vertices[2]: its place must be finite");
    far[2].y = 1e200;
    assert!(solid(&far, &[good]).starts_with("tets[0] is degenerate"));
}

#[test]
fn vertices_without_mass_are_named() {
    let error = masses_of_tets(&REST, &[[0, 1, 2, 3]], 1.0).unwrap_err();
    assert_eq!(error, ElasticError::Unreferenced { vertex: 4 });
    let error = masses_of_triangles(&REST, &[[0, 1, 2], [1, 4, 2]], 1.0).unwrap_err();
    assert_eq!(error, ElasticError::Unreferenced { vertex: 3 });
    let error = masses_of_triangles(&REST, &[[0, 1, 2]], 0.0).unwrap_err();
    assert_eq!(error.to_string(), "area_density = 0: must be finite and positive");
}

#[test]
fn bad_sheets_are_named() {
    let membrane = Membrane::isotropic(1.0, 0.3, 1.0).unwrap();
    let bending = Bending::isotropic(1.0, RestAngles::Flat).unwrap();
    let mut elasticity = Elasticity::new(5);
    let mut line = REST;
    line[2] = DVec3::new(2.0, 0.0, 0.0);
    let error = elasticity.add_membrane(&line, &[], &[[0, 1, 2]], membrane).unwrap_err();
    assert!(error.to_string().starts_with("triangles[0] is degenerate at rest: its area is 0e0"), "{error}");
    let error = elasticity.add_membrane(&REST, &[DVec2::ZERO; 5], &[[0, 1, 2]], membrane).unwrap_err();
    assert_eq!(error, ElasticError::NoWarp { element: 0 });
    let error = elasticity.add_membrane(&REST, &[DVec2::ZERO; 2], &[[0, 1, 2]], membrane).unwrap_err();
    assert_eq!(error.to_string(), "uvs has 2 entries: must have 5");
    let error = elasticity.add_bending(&REST, &[], &[[0, 1, 2], [0, 1, 3]], bending).unwrap_err();
    assert_eq!(error, ElasticError::Edge { from: 0, to: 1, first: 0, second: 1 });
    let woven = Bending::woven(1.0, 2.0, RestAngles::Flat).unwrap();
    let error = elasticity.add_bending(&REST, &[], &[[0, 1, 2]], woven).unwrap_err();
    assert_eq!(error.to_string(), "uvs has 0 entries: must have 5");
    let error = elasticity.add_springs(&REST, &[[0, 9]], Springs { stiffness: 1.0, length: None }).unwrap_err();
    assert_eq!(error.to_string(), "springs[0] names vertex 9: there are 5");
    assert_eq!(elasticity.elements(), 0);
}

#[test]
fn bad_constants_are_named() {
    let text = |error: ElasticError| error.to_string();
    assert_eq!(text(Membrane::isotropic(1.0, 0.3, 0.0).unwrap_err()), "thickness = 0: must be finite and positive");
    assert!(text(Membrane::isotropic(1.0, 0.5, 1.0).unwrap_err()).starts_with("poisson = 0.5: must be"));
    assert_eq!(
        text(Membrane::woven(1.0, 4.0, 1.0, 0.5).unwrap_err()),
        "poisson = 0.5: its square times weft / warp must be less than 1, and it is 1"
    );
    assert!(matches!(Membrane::woven(1.0, 1.0, 1.0, f64::NAN), Err(ElasticError::WovenPoisson { .. })));
    assert!(text(StrainLimit::new(0.9, 1.0).unwrap_err()).starts_with("stretch = 0.9"));
    assert!(text(Bending::isotropic(-1.0, RestAngles::Flat).unwrap_err()).starts_with("bending = -1"));
}
