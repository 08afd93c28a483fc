//! Sampling a patch again does not allocate.

#[path = "common/allocations.rs"]
mod allocations;

use std::sync::Arc;

use allocations::allocations;

use asperity::geometry::{Pose, Shape, SkinLookup};
use asperity::patch::{FacetMap, PatchContact, PatchSampler, PatchSide, PatchSlopes, PatchWindow};
use asperity_friction::ContactFrame;
use glam::{DQuat, DVec2, DVec3};

#[test]
fn sampling_again_does_not_allocate() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
    let map = Arc::new(FacetMap::from_slopes(2, 1, &[DVec2::new(0.3, 0.0), DVec2::new(-0.1, 0.2)]).unwrap());
    let shapes =
        [Shape::cuboid(DVec3::splat(0.1)).unwrap(), Shape::sphere(0.1).unwrap(), Shape::capsule(0.05, 0.05).unwrap()];
    let ground = Arc::new(SkinLookup::new(&Shape::half_space(DVec3::Y).unwrap()));
    let (mut sampler, mut a, mut b) = (PatchSampler::default(), PatchSlopes::default(), PatchSlopes::default());
    for shape in shapes {
        let skin = Arc::new(SkinLookup::new(&shape));
        let pose = Pose { position: DVec3::new(0.0, 0.1, 0.0), rotation: DQuat::IDENTITY };
        let frame = ContactFrame::from_normal(DVec3::Y).unwrap();
        let upper = PatchSide { pose, skin: &skin, map: Some(&map) };
        let lower = PatchSide { pose: Pose::IDENTITY, skin: &ground, map: Some(&map) };
        let contact = PatchContact { point: DVec3::ZERO, frame, gap: 0.0, a: upper, b: lower };
        let mut sample = || sampler.sample(PatchWindow::default(), &contact, &mut a, &mut b);
        assert!(sample() > 0);
        assert_eq!(allocations(|| assert!(sample() > 0)), 0);
    }
}
