//! Compounds act as the union of their parts: seams are not felt, walls are.

mod common;

use asperity::geometry::{Decomposition, MeshData, Part, Pose, Shape, TriangleMesh};
use common::{World, at};
use glam::{DQuat, DVec3};

const G: f64 = 9.81;

/// A box between two corners, as a part.
fn block(min: [f64; 3], max: [f64; 3]) -> Part {
    let (min, max) = (DVec3::from(min), DVec3::from(max));
    let shape = Shape::cuboid(0.5 * (max - min)).unwrap();
    Part { pose: Pose { position: 0.5 * (min + max), rotation: DQuat::IDENTITY }, shape }
}

/// Planks across x between −1 and 3, with their tops in y = 0.
fn planks(count: u32) -> Shape {
    let end = |k: u32| -1.0 + 4.0 * f64::from(k) / f64::from(count);
    Shape::compound((0..count).map(|k| block([end(k), -0.2, -1.0], [end(k + 1), 0.0, 1.0])).collect()).unwrap()
}

/// A body on the floor, thrown along x at 2 m/s with μ = 0.3; the places of its centre after each step.
fn thrown(floor: Shape, body: Shape, start: Pose, turn: DQuat, steps: usize) -> Vec<(DVec3, DQuat)> {
    let mut world = World::coulomb(0.3);
    world.fixed(floor, Pose { position: DVec3::ZERO, rotation: turn });
    let start = Pose { position: turn * start.position, rotation: turn * start.rotation };
    let body = world.dynamic(body, 1000.0, start);
    world.state.bodies[body].frame_mut().velocity = turn * DVec3::new(2.0, 0.0, 0.0);
    let own = turn.conjugate();
    let mut path = Vec::new();
    for _ in 0..steps {
        world.step(0.01);
        path.push((own * world.at(body).centre, own * world.at(body).rotation));
    }
    path
}

/// v²/(2 μ g).
const STOP: f64 = 4.0 / (2.0 * 0.3 * G);
/// The last step ends with the stop inside it: μ g h²/2.
const LAST: f64 = 0.5 * 0.3 * G * 1e-4;

fn check_stop(case: &str, path: &[(DVec3, DQuat)], start: Pose) {
    let &(centre, rotation) = path.last().unwrap();
    let expected = start.position + DVec3::X * STOP;
    assert!((centre.x - expected.x).abs() < 1.5 * LAST, "{case}: {} instead of {}", centre.x, expected.x);
    assert!((centre.y - expected.y).abs() < 1e-6 && (centre.z - expected.z).abs() < 1e-5, "{case}: {centre}");
    assert!(rotation.angle_between(start.rotation) < 1e-5, "{case}: {rotation}");
}

#[test]
fn a_box_slides_over_seams_as_over_one_floor() {
    let half = DVec3::new(0.15, 0.1, 0.12);
    let start = |yaw: f64| Pose { position: DVec3::Y * half.y, rotation: DQuat::from_rotation_y(yaw) };
    for yaw in [0.0, 0.3] {
        let one = block([-1.0, -0.2, -1.0], [3.0, 0.0, 1.0]);
        let one = Shape::compound(vec![one]).unwrap();
        let turn = DQuat::IDENTITY;
        let plain = thrown(one, Shape::cuboid(half).unwrap(), start(yaw), turn, 90);
        check_stop("one", &plain, start(yaw));
        for count in [2, 7, 40] {
            let path = thrown(planks(count), Shape::cuboid(half).unwrap(), start(yaw), turn, 90);
            check_stop(&format!("{count} planks, yaw {yaw}"), &path, start(yaw));
            for (k, (own, other)) in path.iter().zip(&plain).enumerate() {
                assert!(own.0.distance(other.0) < 1e-5, "{count} planks, yaw {yaw}, step {k}: {} {}", own.0, other.0);
            }
        }
    }
}

#[test]
fn floors_of_parts_of_any_width_have_no_walls_in_their_plane() {
    // The box overhangs the narrow board that leads to the wide one: a T.
    let boards =
        |wide: [f64; 2]| vec![block([-1.0, -0.2, -0.1], [0.5, 0.0, 0.1]), block([0.5, wide[0], -1.0], [3.0, 0.0, 1.0])];
    // A board let into a wider one, and one that goes down deeper.
    let inlaid = vec![block([-1.0, -0.2, -1.0], [3.0, 0.0, 1.0]), block([0.5, -0.1, -0.2], [0.9, 0.0, 0.2])];
    let floors = [("T", boards([-0.2, 0.0])), ("deep T", boards([-0.7, 0.0])), ("inlaid", inlaid)];
    let half = DVec3::new(0.15, 0.1, 0.12);
    for (case, parts) in floors {
        for yaw in [0.0, 0.4] {
            let start = Pose { position: DVec3::new(0.0, half.y, 0.05), rotation: DQuat::from_rotation_y(yaw) };
            let floor = Shape::compound(parts.clone()).unwrap();
            // Away from the world's axes, too.
            let turn = DQuat::from_rotation_y(0.7 * yaw);
            let path = thrown(floor, Shape::cuboid(half).unwrap(), start, turn, 90);
            check_stop(&format!("{case}, yaw {yaw}"), &path, start);
        }
    }
}

#[test]
fn compounds_slide_over_floors_and_each_other_as_boxes_do() {
    // A sledge of two boards on runners, flush below; as a box of the same outline it stops at the same place.
    let sledge = vec![
        block([-0.3, 0.0, -0.2], [-0.1, 0.1, 0.2]),
        block([-0.1, 0.0, -0.1], [0.1, 0.1, 0.1]),
        block([0.1, 0.0, -0.2], [0.3, 0.1, 0.2]),
    ];
    let sledge = Shape::compound(sledge).unwrap();
    let start = Pose::IDENTITY;
    let mut floors = vec![("half-space", Shape::half_space(DVec3::Y).unwrap())];
    floors.push(("box", Shape::compound(vec![block([-1.0, -0.2, -1.0], [3.0, 0.0, 1.0])]).unwrap()));
    floors.push(("planks", planks(9)));
    for (case, floor) in floors {
        let path = thrown(floor, sledge.clone(), start, DQuat::IDENTITY, 90);
        check_stop(case, &path, at(0.0, 0.05, 0.0));
    }
}

#[test]
fn a_ball_rolls_over_seams_without_a_jump() {
    let radius = 0.1;
    for count in [1, 2, 13] {
        let mut world = World::coulomb(0.5);
        world.fixed(planks(count), Pose::IDENTITY);
        let ball = world.dynamic(Shape::sphere(radius).unwrap(), 1000.0, at(-0.5, radius, 0.03));
        let velocity = DVec3::new(1.5, 0.0, 0.1);
        world.state.bodies[ball].frame_mut().velocity = velocity;
        world.state.bodies[ball].frame_mut().angular_velocity = DVec3::Y.cross(velocity) / radius;
        for step in 1..=200 {
            world.step(0.01);
            let own = world.at(ball);
            let expected = DVec3::new(-0.5, radius, 0.03) + velocity * (0.01 * f64::from(step));
            assert!(own.centre.distance(expected) < 1e-6, "{count}, {step}: {} not {expected}", own.centre);
            // Each part's contact is a new spring, of 1e-5 of the mass: it yields with 1e-5 g h until it carries the ball.
            assert!(own.velocity.distance(velocity) < 3e-5 * G * 0.01, "{count}, {step}: {}", own.velocity);
        }
    }
}

#[test]
fn the_step_of_an_l_is_a_wall() {
    let half = DVec3::new(0.15, 0.1, 0.12);
    let wall = 0.5;
    let floor = block([-1.0, -0.2, -1.0], [3.0, 0.0, 1.0]);
    let short = block([-1.0, -0.2, -1.0], [wall, 0.0, 1.0]);
    let steps = [
        ("on the floor", vec![floor.clone(), block([wall, 0.0, -1.0], [1.0, 0.3, 1.0])]),
        ("through the floor", vec![floor, block([wall, -0.5, -1.0], [1.0, 0.3, 1.0])]),
        ("beside the floor", vec![short.clone(), block([wall, -0.2, -1.0], [1.0, 0.3, 1.0])]),
        (
            "of two boards",
            vec![short, block([wall, -0.2, -1.0], [1.0, 0.05, 1.0]), block([wall, 0.05, -1.0], [0.9, 0.3, 1.0])],
        ),
    ];
    for (case, parts) in steps {
        let start = Pose { position: DVec3::Y * half.y, rotation: DQuat::IDENTITY };
        let path = thrown(Shape::compound(parts).unwrap(), Shape::cuboid(half).unwrap(), start, DQuat::IDENTITY, 90);
        let farthest = path.iter().map(|(centre, _)| centre.x).fold(0.0, f64::max);
        // It meets the wall at 1.46 m/s, in the middle of a step.
        assert!((farthest - (wall - half.x)).abs() < 1e-6, "{case}: {farthest}");
        let (centre, rotation) = path[89];
        assert!(centre.distance(DVec3::new(wall - half.x, half.y, 0.0)) < 1e-6, "{case}: {centre}");
        assert!(rotation.angle_between(DQuat::IDENTITY) < 1e-6, "{case}: {rotation}");
    }
}

#[test]
fn a_kerb_trips_a_box_whether_it_is_a_part_or_a_body() {
    let half = DVec3::new(0.15, 0.1, 0.12);
    let parts = [block([-1.0, -0.2, -1.0], [3.0, 0.0, 1.0]), block([0.5, 0.0, -1.0], [1.0, 0.02, 1.0])];
    for yaw in [0.0, 0.5] {
        let path = |floors: &[Shape]| {
            let mut world = World::coulomb(0.3);
            for floor in floors {
                world.fixed(floor.clone(), Pose::IDENTITY);
            }
            let start = Pose { position: DVec3::Y * half.y, rotation: DQuat::from_rotation_y(yaw) };
            let body = world.dynamic(Shape::cuboid(half).unwrap(), 1000.0, start);
            world.state.bodies[body].frame_mut().velocity = DVec3::new(2.0, 0.0, 0.0);
            world.run(0.01, 40);
            (world.at(body).centre, world.at(body).rotation)
        };
        let one = path(&[Shape::compound(parts.to_vec()).unwrap()]);
        let two = path(&parts.clone().map(|part| Shape::compound(vec![part]).unwrap()));
        assert!(one.0.distance(two.0) < 1e-6 && one.1.angle_between(two.1) < 1e-6, "{yaw}: {one:?} {two:?}");
        // It has met the kerb: a free one is 0.56 m away by now.
        assert!(one.0.x < 0.4, "{}", one.0);
    }
}

#[test]
fn two_halves_fall_on_an_edge_as_the_whole_does() {
    let whole = Shape::cuboid(DVec3::new(0.2, 0.1, 0.15)).unwrap();
    let halves = vec![block([-0.2, -0.1, -0.15], [0.05, 0.1, 0.15]), block([0.05, -0.1, -0.15], [0.2, 0.1, 0.15])];
    let halves = Shape::compound(halves).unwrap();
    let one = Shape::compound(vec![block([-2.0, -0.2, -1.0], [2.0, 0.0, 1.0])]).unwrap();
    let floors = [("half-space", Shape::half_space(DVec3::Y).unwrap()), ("box", one), ("planks", planks(5))];
    let turns = [DQuat::from_rotation_z(0.3), DQuat::from_rotation_x(0.4), DQuat::from_rotation_z(-0.9)];
    for (case, floor) in floors {
        for rotation in turns {
            let path = |shape: &Shape| {
                let mut world = World::coulomb(0.4);
                world.fixed(floor.clone(), Pose::IDENTITY);
                let body = world.dynamic(shape.clone(), 1000.0, Pose { position: DVec3::new(0.1, 0.3, 0.0), rotation });
                (0..120)
                    .map(|_| {
                        world.step(0.01);
                        (world.at(body).centre, world.at(body).rotation)
                    })
                    .collect::<Vec<_>>()
            };
            // The same corners touch; the angle comes from a cosine. Of two almost parallel faces either gives the normal: on a box the whole and its
            // halves may take different ones, 1e-5 apart.
            let within = if case == "half-space" { 1e-7 } else { 1e-5 };
            for (k, (own, other)) in path(&halves).into_iter().zip(path(&whole)).enumerate() {
                let apart = own.0.distance(other.0) + 0.2 * own.1.angle_between(other.1);
                assert!(apart < within, "{case}, {rotation}, step {k}: {apart:e}");
            }
        }
    }
}

/// The bridge of a polygon in x and y, as a solid with this half width: triangles of the polygon, then its sides.
fn extruded(outline: &[[f64; 2]], triangles: &[[u32; 3]], half: f64) -> TriangleMesh {
    let count = outline.len() as u32;
    let mut data = MeshData::default();
    for z in [-half, half] {
        data.vertices.extend(outline.iter().map(|p| DVec3::new(p[0], p[1], z)));
    }
    for &[a, b, c] in triangles {
        data.triangles.extend([[c, b, a], [a + count, b + count, c + count]]);
    }
    for a in 0..count {
        let b = (a + 1) % count;
        data.triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
    }
    TriangleMesh::new(data).unwrap()
}

#[test]
fn a_box_slides_over_a_bridge_that_is_split_into_parts() {
    let outline =
        [[-1.0, -0.5], [-0.3, -0.5], [-0.3, -0.2], [1.2, -0.2], [1.2, -0.5], [2.0, -0.5], [2.0, 0.0], [-1.0, 0.0]];
    let triangles = [[0, 1, 2], [0, 2, 7], [2, 6, 7], [2, 3, 6], [3, 5, 6], [3, 4, 5]];
    let mesh = extruded(&outline, &triangles, 0.5);
    let bridge = Shape::decompose(&mesh, &Decomposition::default()).unwrap();
    let Shape::Compound { parts } = &bridge else { panic!("a compound") };
    assert!(parts.len() > 2);
    let half = DVec3::new(0.15, 0.1, 0.12);
    for yaw in [0.0, 0.3] {
        for x in [-0.75, -0.35, 0.2, 0.9] {
            let start = Pose { position: DVec3::new(x, half.y, 0.1), rotation: DQuat::from_rotation_y(yaw) };
            let path = thrown(bridge.clone(), Shape::cuboid(half).unwrap(), start, DQuat::IDENTITY, 90);
            check_stop(&format!("from {x}, yaw {yaw}"), &path, start);
        }
    }
}
