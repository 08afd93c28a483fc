//! Scratch.
use asperity::geometry::{Pose, Shape};
#[path = "../tests/common/mod.rs"]
mod common;
use common::*;
use glam::*;
fn main() {
    let which: Vec<String> = std::env::args().skip(1).collect();
    for name in which {
        let mut world = World::coulomb(0.5);
        world.floor();
        match name.as_str() {
            "tower" => {
                for i in 0..10 {
                    world.dynamic(cube(0.5), 1000.0, at(0.0, 0.5 + f64::from(i), 0.0));
                }
            }
            "wall" => {
                for row in 0..10 {
                    for k in 0..20 {
                        world.dynamic(
                            Shape::cuboid(DVec3::new(0.5, 0.25, 0.25)).unwrap(),
                            1000.0,
                            at(f64::from(k) * 1.0 + 0.5 * f64::from(row % 2), 0.25 + 0.5 * f64::from(row), 0.0),
                        );
                    }
                }
            }
            _ => {
                // a box-shaped bin
                for (x, z, hx, hz) in
                    [(-3.0, 0.0, 0.2, 3.0), (3.0, 0.0, 0.2, 3.0), (0.0, -3.0, 3.0, 0.2), (0.0, 3.0, 3.0, 0.2)]
                {
                    world.fixed(Shape::cuboid(DVec3::new(hx, 6.0, hz)).unwrap(), at(x, 6.0, z));
                }
                for i in 0..5 {
                    for j in 0..20 {
                        for k in 0..5 {
                            let r = DQuat::from_scaled_axis(DVec3::new(
                                0.3 * f64::from(i),
                                0.7 * f64::from(j),
                                0.1 * f64::from(k),
                            ));
                            world.dynamic(
                                Shape::capsule(0.15, 0.2).unwrap(),
                                1000.0,
                                Pose {
                                    position: DVec3::new(
                                        -2.0 + f64::from(i) * 1.0,
                                        0.6 + 0.8 * f64::from(j),
                                        -2.0 + f64::from(k),
                                    ),
                                    rotation: r,
                                },
                            );
                        }
                    }
                }
            }
        }
        let steps: i32 = std::env::var("N").map_or(300, |n| n.parse().unwrap());
        world.stepper.keep_problems(std::env::var("D").is_ok());
        let t = std::time::Instant::now();
        let (mut d, mut l, mut s, mut n, mut it, mut c, mut zero, mut pen) = (0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0.0f64);
        let mut notsolved = 0;
        let mut worst = (0.0, 0);
        for k in 0..steps {
            let t1 = std::time::Instant::now();
            let r = world.step(0.01);
            d += r.seconds.detect;
            l += r.seconds.law;
            s += r.seconds.solve;
            n += r.seconds.integrate;
            it += r.iterations;
            c = c.max(r.contacts);
            zero += usize::from(r.iterations == 0);
            pen = pen.max(r.penetration);
            if std::env::var("D").is_ok() {
                std::fs::write(format!("/tmp/hard/{name}{k}.json"), world.stepper.problem().unwrap().to_json())
                    .unwrap();
            }
            notsolved += usize::from(r.residual > 1e-9);
            let e = t1.elapsed().as_secs_f64();
            if e > worst.0 {
                worst = (e, k);
            }
            if std::env::var("V").is_ok() {
                println!(
                    "{k} c {} it {} res {:.1e} imp {} t {:.2} ms",
                    r.contacts,
                    r.iterations,
                    r.residual,
                    r.impacts,
                    1e3 * e
                );
            }
        }
        let ms = |x: f64| x * 1e3 / f64::from(steps);
        println!(
            "{name}: {:.3} ms a step (detect {:.3} law {:.3} solve {:.3} integrate {:.3}), {:.1} its, zero {zero}, contacts {c}, pen {pen:.1e}, unsolved {notsolved}, worst {:.1} ms at {}",
            ms(t.elapsed().as_secs_f64()),
            ms(d),
            ms(l),
            ms(s),
            ms(n),
            it as f64 / f64::from(steps),
            worst.0 * 1e3,
            worst.1
        );
    }
}
