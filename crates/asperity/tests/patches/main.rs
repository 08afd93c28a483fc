//! Contact patches: closed forms, an independent evaluation, symmetry, threads, bad input.

mod bad_input;
mod brute_force;
mod closed_forms;
mod maps;
mod symmetry;

use std::sync::Arc;

use asperity::geometry::{MeshData, Pose, Shape, SkinLookup, TriangleMesh};
use asperity::patch::{FacetMap, PatchContact, PatchSampler, PatchSide, PatchSlopes, PatchWindow};
use asperity_friction::model::{FacetForm, Facets, FrictionModel};
use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactFrame, ContactState, FacetSlopes, SurfaceSample, Tangential};
use glam::{DQuat, DVec2, DVec3};

/// A body's surface.
struct Side {
    skin: Arc<SkinLookup>,
    map: Option<Arc<FacetMap>>,
    pose: Pose,
}

impl Side {
    fn new(shape: &Shape, map: Option<FacetMap>, pose: Pose) -> Self {
        Self { skin: Arc::new(SkinLookup::new(shape)), map: map.map(Arc::new), pose }
    }

    fn side(&self) -> PatchSide<'_> {
        PatchSide { pose: self.pose, skin: &self.skin, map: self.map.as_ref() }
    }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }
}

fn plane() -> Shape {
    Shape::half_space(DVec3::Y).unwrap()
}

/// The patches of a contact of two bodies.
fn slopes(a: &Side, b: &Side, point: DVec3, normal: DVec3, window: PatchWindow) -> [Vec<DVec2>; 2] {
    let frame = ContactFrame::from_normal(normal).unwrap();
    let contact = PatchContact { point, frame, gap: 0.0, a: a.side(), b: b.side() };
    let mut found = [PatchSlopes::default(), PatchSlopes::default()];
    let [on_a, on_b] = &mut found;
    PatchSampler::default().sample(window, &contact, on_a, on_b);
    found.map(|slopes| slopes.iter().collect())
}

/// μ of a force on A along a world direction, with k = 1 on both sides and μ0 = 0.
fn mu(slopes: &[Vec<DVec2>; 2], normal: DVec3, along: DVec3) -> f64 {
    let frame = ContactFrame::from_normal(normal).unwrap();
    let sample = |slopes| SurfaceSample { facets: FacetSlopes::Patch(slopes), ..SurfaceSample::default() };
    let state = ContactState::new(frame, sample(&slopes[0]), sample(&slopes[1]));
    let model = Facets { form: FacetForm::Exact { merge: 0.0 }, ..Facets::default() };
    let law = FrictionModel::from(model).law(&state).unwrap();
    law.set().unwrap().support(Tangential::planar(frame.to_plane(along)))
}

/// A bumpy sheet of 2 n² triangles with texture coordinates, u along x and v along −z, 1 m wide.
fn sheet(n: u32, bump: f64) -> Shape {
    let mut data = MeshData::default();
    for j in 0..=n {
        for i in 0..=n {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            data.vertices.push(DVec3::new(u - 0.5, bump * (7.0 * u).sin() * (5.0 * v).cos(), 0.5 - v));
            data.uvs.push(DVec2::new(u, v));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i;
            data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
        }
    }
    Shape::Mesh(TriangleMesh::new(data).unwrap())
}

/// A small generator: tests need the same numbers everywhere.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::new(self.normal(), self.normal(), self.normal()).normalize()
    }
}
