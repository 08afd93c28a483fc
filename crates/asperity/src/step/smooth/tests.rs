//! The rotation that carries directions between samples and contacts.

use glam::{DQuat, DVec3};

use super::rows::carried_back;

fn directions() -> impl Iterator<Item = DVec3> {
    let unit = |i: u32, factor: f64| 2.0 * (f64::from(i) * factor).fract() - 1.0;
    (1..30).map(move |i| DVec3::new(unit(i, 0.618), unit(i, 0.7549), unit(i, 0.5698)).normalize())
}

/// Against glam's rotation arc: normals go to normals, and nothing turns about the normal.
#[test]
fn directions_are_carried_by_the_smallest_rotation() {
    for (n, m) in directions().zip(directions().skip(7)) {
        if n.dot(m) < -0.9 {
            continue;
        }
        let arc = DQuat::from_rotation_arc(m, n);
        for direction in directions().step_by(5) {
            assert!((carried_back(direction, n, m) - arc * direction).length() < 1e-12);
        }
        assert!((carried_back(m, n, m) - n).length() < 1e-12);
    }
    // Opposite normals have no smallest rotation: the direction stays.
    assert_eq!(carried_back(DVec3::X, DVec3::Y, -DVec3::Y), DVec3::X);
}
