//! Derivatives against finite differences, next to degenerate places too; positive semidefinite parts against a dense eigen solver.

use asperity::barrier::{
    Barrier, BarrierPotential, Collision, Edges, EdgesRegion, Lagged, LaggedAt, Local, ParallelEdges, Plane,
    Projection, SlipForce, StencilKind, ToolkitLaw, edges_region, mollifier,
};
use glam::{DMat2, DVec2, DVec3};
use proptest::prelude::*;

const PLANE: [Plane; 1] = [Plane { normal: DVec3::Y, offset: -0.3 }];

fn points(flat: &[f64]) -> [DVec3; 4] {
    std::array::from_fn(|i| DVec3::new(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]))
}

/// Central differences of a function of twelve numbers with an error of fourth order.
fn difference<const N: usize>(at: &[f64; 12], step: f64, f: impl Fn(&[DVec3; 4]) -> [f64; N]) -> [[f64; N]; 12] {
    std::array::from_fn(|k| {
        let moved = |by: f64| {
            let mut other = *at;
            other[k] += by;
            f(&points(&other))
        };
        let [far, near, nearer, farther] = [moved(-2.0 * step), moved(-step), moved(step), moved(2.0 * step)];
        std::array::from_fn(|i| (8.0 * (nearer[i] - near[i]) - (farther[i] - far[i])) / (12.0 * step))
    })
}

fn flat(vectors: [DVec3; 4]) -> [f64; 12] {
    std::array::from_fn(|k| vectors[k / 3][k % 3])
}

/// The positive semidefinite part by Jacobi rotations on the whole matrix, largest entry first: shares nothing with the code.
fn positive_part(a: &Local) -> [[f64; 12]; 12] {
    let (mut m, mut q) = (a.dense(), [[0.0; 12]; 12]);
    (0..12).for_each(|k| q[k][k] = 1.0);
    for _ in 0..2000 {
        let (mut p, mut r, mut most) = (0, 1, 0.0);
        for (i, row) in m.iter().enumerate() {
            for (j, entry) in row.iter().enumerate().skip(i + 1) {
                if entry.abs() > most {
                    (p, r, most) = (i, j, entry.abs());
                }
            }
        }
        if most < 1e-300 {
            break;
        }
        let angle = 0.5 * (2.0 * m[p][r]).atan2(m[r][r] - m[p][p]);
        let (s, c) = angle.sin_cos();
        for row in m.iter_mut().chain(q.iter_mut()) {
            (row[p], row[r]) = (c * row[p] - s * row[r], s * row[p] + c * row[r]);
        }
        let (one, two) = (m[p], m[r]);
        for k in 0..12 {
            (m[p][k], m[r][k]) = (c * one[k] - s * two[k], s * one[k] + c * two[k]);
        }
    }
    std::array::from_fn(|i| std::array::from_fn(|j| (0..12).map(|k| m[k][k].max(0.0) * q[i][k] * q[j][k]).sum()))
}

fn largest(m: &[[f64; 12]; 12]) -> f64 {
    m.iter().flatten().fold(0.0, |most, x| most.max(x.abs()))
}

/// Errors are relative to the largest entry of the whole matrix.
fn agree(label: &str, ours: &[[f64; 12]; 12], theirs: &[[f64; 12]; 12], tolerance: f64) {
    agree_with(label, ours, theirs, tolerance * largest(theirs));
}

fn agree_with(label: &str, ours: &[[f64; 12]; 12], theirs: &[[f64; 12]; 12], allowed: f64) {
    for i in 0..12 {
        for j in 0..12 {
            let error = (ours[i][j] - theirs[i][j]).abs();
            assert!(error <= allowed, "{label} ({i}, {j}): {} and {}", ours[i][j], theirs[i][j]);
        }
    }
}

/// Gradient and Hessian of a potential by differences, and the positive part of the Hessian by the dense solver.
fn check(collision: &Collision, potential: &BarrierPotential, at: &[f64; 12]) {
    let here = points(at);
    let distance = collision.nearest(&here, &PLANE).distance;
    let step = 1e-4 * (distance - potential.dmin);
    let gradient = flat(potential.gradient(collision, &here, &PLANE));
    let by_value = difference(at, step, |x| [potential.value(collision, x, &PLANE)]);
    let size = gradient.iter().fold(0.0f64, |most, g| most.max(g.abs()));
    for k in 0..12 {
        assert!((gradient[k] - by_value[k][0]).abs() <= 1e-7 * size, "{collision:?} gradient {k}");
    }
    let whole = potential.hessian(collision, &here, &PLANE, Projection::Whole);
    let by_gradient = difference(at, step, |x| flat(potential.gradient(collision, x, &PLANE)));
    agree("Hessian", &whole.dense(), &by_gradient, 1e-6);
    let positive = potential.hessian(collision, &here, &PLANE, Projection::Positive);
    agree_with("positive part", &positive.dense(), &positive_part(&whole), 1e-11 * largest(&whole.dense()));
}

fn edges(at: &[f64; 12], region: Option<EdgesRegion>) -> Collision {
    let here = points(at);
    let eps = mollifier::threshold(&here);
    let edges = Some(Edges { region: region.unwrap_or_else(|| edges_region(&here)), eps });
    Collision { edges, ..Collision::of_vertices(StencilKind::EdgeEdge, &[0, 1, 2, 3], 0.7) }
}

fn place() -> impl Strategy<Value = [f64; 12]> {
    prop::array::uniform12(-1.0..1.0f64)
}

/// Four points of which the first is near the plane of the others, or two edges that pass at this height.
fn near(mut at: [f64; 12], kind: StencilKind, height: f64) -> [f64; 12] {
    let [a, b, c, d] = points(&at);
    let (target, from) = match kind {
        StencilKind::FaceVertex => {
            let normal = (c - b).cross(d - b).normalize();
            (b * 0.3 + c * 0.3 + d * 0.4 + normal * height, 0)
        }
        _ => {
            // The second edge is moved so that it passes above the middle of the first.
            let normal = (b - a).cross(d - c).normalize();
            let shift = 0.5 * (a + b) + normal * height - 0.5 * (c + d);
            at[6..9].copy_from_slice(&(c + shift).to_array());
            (d + shift, 9)
        }
    };
    at[from..from + 3].copy_from_slice(&target.to_array());
    at
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn collisions_of_points_anywhere(at in place(), kind in 0..5usize, barrier in 0..5usize, dmin in 0.0..0.01f64) {
        let kinds = [StencilKind::VertexVertex, StencilKind::EdgeVertex, StencilKind::EdgeEdge, StencilKind::FaceVertex, StencilKind::PlaneVertex];
        let kind = kinds[kind];
        let ids: Vec<u32> = (0..kind.count() as u32).collect();
        let collision = match kind {
            StencilKind::EdgeEdge => edges(&at, Some(EdgesRegion { a: None, b: None })),
            _ => Collision { plane: 0, ..Collision::of_vertices(kind, &ids, 1.3) },
        };
        let here = points(&at);
        let distance = collision.nearest(&here, &PLANE).distance;
        prop_assume!(distance > dmin + 0.02);
        // Elements of some size, away from parallel ones, where differences lose digits.
        let size = (here[2] - here[1]).cross(here[3] - here[1]).length();
        let angle = (here[1] - here[0]).cross(here[3] - here[2]).length();
        prop_assume!(size > 0.1 && angle > 0.3 && here[1].distance(here[2]) > 0.2);
        let dhat = 1.5 * (distance - dmin);
        check(&collision, &BarrierPotential { barrier: Barrier::ALL[barrier], dhat, dmin, stiffness: 10.0 }, &at);
    }

    #[test]
    fn collisions_that_nearly_touch(at in place(), face in any::<bool>(), digits in 2.0..7.0f64) {
        let kind = if face { StencilKind::FaceVertex } else { StencilKind::EdgeEdge };
        let here = points(&at);
        prop_assume!((here[2] - here[1]).cross(here[3] - here[1]).length() > 0.2);
        prop_assume!((here[1] - here[0]).cross(here[3] - here[2]).length() > 0.3);
        let height = 10f64.powf(-digits);
        let at = near(at, kind, height);
        let collision = match kind {
            StencilKind::EdgeEdge => edges(&at, None),
            _ => Collision::of_vertices(kind, &[0, 1, 2, 3], 1.0),
        };
        let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 2.0 * height, dmin: 0.0, stiffness: 1.0 };
        let here = points(&at);
        prop_assert!((collision.nearest(&here, &PLANE).distance / height - 1.0).abs() < 1e-6);
        let whole = potential.hessian(&collision, &here, &PLANE, Projection::Whole);
        let positive = potential.hessian(&collision, &here, &PLANE, Projection::Positive);
        agree_with("positive part", &positive.dense(), &positive_part(&whole), 1e-11 * largest(&whole.dense()));
        if digits < 4.0 {
            check(&collision, &potential, &at);
        }
    }

    #[test]
    fn edges_that_are_nearly_parallel(angle in 1e-4..0.02f64, shift in -0.5..0.5f64, height in 0.01..0.1f64, slope in -0.01..0.01f64) {
        let at = [
            -1.0, 0.0, 0.0, 1.0, slope, 0.0,
            -1.0 + shift, height, -angle, 1.0 + shift, height, angle,
        ];
        let collision = edges(&at, None);
        prop_assert!(collision.mollified(&points(&at)).is_some());
        // The region of the middle is that of lines, whose nearest points move fast: only its own region is differentiated.
        let collision = match collision.edges.unwrap().region {
            EdgesRegion { a: None, b: None } => edges(&at, Some(EdgesRegion { a: None, b: Some(0) })),
            _ => collision,
        };
        check(&collision, &BarrierPotential { barrier: Barrier::ClampedLog, dhat: 0.2, dmin: 0.001, stiffness: 5.0 }, &at);
    }

    #[test]
    fn friction_hessians(at in place(), slip in prop::array::uniform3(-1.0..1.0f64)) {
        let here = points(&at);
        prop_assume!((here[2] - here[1]).cross(here[3] - here[1]).length() > 0.1);
        let collision = Collision::of_vertices(StencilKind::FaceVertex, &[0, 1, 2, 3], 1.0);
        let distance = collision.nearest(&here, &PLANE).distance;
        prop_assume!(distance > 1e-3);
        let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 2.0 * distance, dmin: 0.0, stiffness: 1.0 };
        let lagged = Lagged::new(&collision, &here, &PLANE, &potential, ParallelEdges::Rub).unwrap();
        // Any symmetric matrix in the plane.
        let inner = DMat2::from_cols(DVec2::new(slip[0], slip[1]), DVec2::new(slip[1], slip[2]));
        let whole = lagged.hessian(inner, Projection::Whole);
        let by_gradient = difference(&at, 1e-3, |v| {
            let u = lagged.plane(lagged.blend(|k| v[k as usize]));
            flat(lagged.gradient(inner * u))
        });
        agree("friction Hessian", &whole.dense(), &by_gradient, 1e-9);
        let positive = lagged.hessian(inner, Projection::Positive);
        agree_with("positive part", &positive.dense(), &positive_part(&whole), 1e-11 * largest(&whole.dense()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The law of the Toolkit, with coefficients and scalings of any size: neither minus our gradient nor the force it
    /// answers with ever drives.
    #[test]
    fn the_toolkits_law_never_drives(
        mu in prop::array::uniform2(0.0..1.5f64),
        axes in prop::option::of(prop::array::uniform4(0.0..1.5f64)),
        scaling in prop::option::of(prop::array::uniform2(0.01..3.0f64)),
        (angle, digits, load) in (0.0..6.3f64, -9.0..3.0f64, 0.0..1e6f64),
    ) {
        let ordered = |[a, b]: [f64; 2]| [f64::max(a, b), f64::min(a, b)];
        let pairs = axes.map(|[a, b, c, d]| [ordered([a, b]), ordered([c, d])]);
        let static_axes = pairs.map(|[x, y]| [x[0], y[0]]);
        let kinetic_axes = pairs.map(|[x, y]| [x[1], y[1]]);
        let law = ToolkitLaw { mu: ordered(mu), static_axes, kinetic_axes, scaling, eps_v: 1e-3 };
        let slip = DVec2::from_angle(angle) * (law.eps_v * 10f64.powf(digits));
        let lagged = law.effective(slip);
        let ours = -law.dissipated(lagged, load, slip).unwrap().gradient;
        let theirs = law.toolkit_force(lagged, load, slip).unwrap();
        for force in [ours, theirs] {
            prop_assert!(force.is_finite() && force.dot(slip) <= 0.0, "{force} at {slip}");
        }
    }
}

/// Friction forces of a collision that is lagged at these places, by a law that is linear in the slip, φ = φ₀ + A τ.
fn rubbed(collision: &Collision, at: &[DVec3; 4], velocities: &[DVec3; 4], law: &SlipForce) -> [f64; 12] {
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 2.0, dmin: 0.0, stiffness: 3.0 };
    let own = Lagged::new(collision, at, &PLANE, &potential, ParallelEdges::Smooth).unwrap();
    let slip = own.plane((0..4).map(|i| velocities[i] * own.weights[i]).sum());
    let force = own.world(law.force + law.slope * slip) * own.load();
    flat(own.weights.map(|weight| force * weight))
}

/// How friction changes with velocities and with places, against finite differences, for every kind of pair.
#[test]
fn jacobians_of_friction_are_those_of_differences() {
    let at = [0.1, 0.5, 0.2, -0.4, 0.05, -0.3, 0.7, -0.1, 0.1, 0.05, 0.02, 0.9];
    let crossed = [-0.5, 0.4, 0.1, 0.6, 0.45, 0.2, 0.1, 0.0, -0.6, 0.2, 0.1, 0.7];
    let velocities = points(&[0.3, -0.2, 0.5, 0.1, 0.7, -0.4, -0.6, 0.2, 0.3, 0.8, -0.1, 0.25]);
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 2.0, dmin: 0.0, stiffness: 3.0 };
    let inside = EdgesRegion { a: None, b: None };
    let edges = Collision {
        kind: StencilKind::EdgeEdge,
        edges: Some(Edges { region: inside, eps: 1e-9 }),
        ..Collision::of_vertices(StencilKind::FaceVertex, &[0, 1, 2, 3], 1.5)
    };
    let cases = [
        (Collision::of_vertices(StencilKind::VertexVertex, &[0, 1], 0.7), at),
        (Collision::of_vertices(StencilKind::EdgeVertex, &[0, 1, 2], 1.0), at),
        (Collision::of_vertices(StencilKind::FaceVertex, &[0, 1, 2, 3], 2.0), at),
        (edges, crossed),
        (Collision::above(0, 0, 1.3), at),
    ];
    let slope = DMat2::from_cols(DVec2::new(-0.3, 0.1), DVec2::new(0.2, -0.5));
    for (collision, at) in cases {
        let place = points(&at);
        let own = Lagged::new(&collision, &place, &PLANE, &potential, ParallelEdges::Smooth).unwrap();
        let slip: DVec3 = (0..4).map(|i| velocities[i] * own.weights[i]).sum();
        let lagged_at = LaggedAt {
            collision: &collision,
            points: &place,
            planes: &PLANE,
            velocities: &velocities,
            slip,
            load_slope: potential.force_slope(collision.nearest(&place, &PLANE).distance) * own.weight,
        };
        let linear = SlipForce { force: DVec2::new(0.4, -0.9), slope };
        let here = SlipForce { force: linear.force + slope * own.plane(slip), slope };
        let label = format!("{:?}", collision.kind);
        let transposed = |m: [[f64; 12]; 12]| std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]));
        let by_places = own.by_places(&lagged_at, &here);
        let expected = transposed(difference(&at, 1e-4, |at| rubbed(&collision, at, &velocities, &linear)));
        agree(&format!("{label} by places"), &by_places, &expected, 1e-8);
        let moving = flat(velocities);
        let expected = transposed(difference(&moving, 1e-3, |v| rubbed(&collision, &place, v, &linear)));
        agree(&format!("{label} by velocities"), &own.by_velocities(&here), &expected, 1e-8);
    }
}

/// The same where the basis turns with the normal: with a law that is alike in all directions no basis matters, and neither does which side is
/// the first.
#[test]
fn friction_that_turns_with_the_normal_changes_as_differences_say() {
    let at = [0.1, 0.5, 0.2, -0.4, 0.05, -0.3, 0.7, -0.1, 0.1, 0.05, 0.02, 0.9];
    let crossed = [-0.5, 0.4, 0.1, 0.6, 0.45, 0.2, 0.1, 0.0, -0.6, 0.2, 0.1, 0.7];
    let velocities = points(&[0.3, -0.2, 0.5, 0.1, 0.7, -0.4, -0.6, 0.2, 0.3, 0.8, -0.1, 0.25]);
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 2.0, dmin: 0.0, stiffness: 3.0 };
    let edges = Collision {
        kind: StencilKind::EdgeEdge,
        edges: Some(Edges { region: EdgesRegion { a: None, b: None }, eps: 1e-9 }),
        ..Collision::of_vertices(StencilKind::FaceVertex, &[0, 1, 2, 3], 1.5)
    };
    let of = |kind, list: &[u32]| Collision::of_vertices(kind, list, 0.7);
    let cases = [
        (of(StencilKind::VertexVertex, &[0, 1]), at),
        (of(StencilKind::EdgeVertex, &[0, 1, 2]), at),
        (of(StencilKind::FaceVertex, &[0, 1, 2, 3]), at),
        (edges, crossed),
    ];
    let slope = DMat2::from_diagonal(DVec2::splat(-0.8));
    let linear = SlipForce { force: DVec2::ZERO, slope };
    for (collision, at) in cases {
        let place = points(&at);
        let own = Lagged::new(&collision, &place, &[], &potential, ParallelEdges::Smooth).unwrap();
        let [b0, b1] = own.basis;
        let turned = [b0 * 0.6 + b1 * 0.8, b1 * 0.6 - b0 * 0.8];
        let swapped = Lagged { weights: own.weights.map(|w| -w), normal: -own.normal, basis: turned, ..own };
        let expected = difference(&at, 1e-4, |at| rubbed(&collision, at, &velocities, &linear));
        let expected = std::array::from_fn(|i| std::array::from_fn(|j| expected[j][i]));
        for own in [own, swapped] {
            let slip: DVec3 = (0..4).map(|i| velocities[i] * own.weights[i]).sum();
            let load_slope = own.weight * potential.force_slope(collision.nearest(&place, &[]).distance);
            let at = LaggedAt {
                collision: &collision,
                points: &place,
                planes: &[],
                velocities: &velocities,
                slip,
                load_slope,
            };
            let law = SlipForce { force: slope * own.plane(slip), slope };
            agree(&format!("{:?}", collision.kind), &own.by_places_turning(&at, &law), &expected, 1e-8);
        }
    }
}

/// Which parts of edges are nearest does not depend on the unit of length.
#[test]
fn regions_of_edges_do_not_depend_on_units() {
    let cases = [
        [-0.5, 0.4, 0.1, 0.6, 0.45, 0.2, 0.1, 0.0, -0.6, 0.2, 0.1, 0.7],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.3, 0.2, 0.0, 1.3, 0.2, 1e-5],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.3, 0.2, 0.0, 1.3, 0.2, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.5, 0.2, 0.1, 1.6, 0.3, 0.4],
    ];
    for at in cases {
        let whole = edges_region(&points(&at));
        for unit in [2f64.powi(-40), 2f64.powi(-20), 2f64.powi(20)] {
            assert_eq!(edges_region(&points(&at.map(|x| x * unit))), whole, "{at:?} in units of {unit:e}");
        }
    }
}
