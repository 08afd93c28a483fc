//! Lagged friction of the IPC Toolkit 1.6.1: normal forces, bases, slips, coefficients, potential, gradient, force, Hessian.

use asperity::barrier::{Effective, Jacobian, Lagged, LaggedAt, ParallelEdges, Projection, StencilKind, ToolkitLaw};
use asperity_friction::model::Combine;
use glam::{DVec2, DVec3};
use serde_json::Value;

use crate::toolkit::{Configuration, close, drawn, list, number, numbers, point, reference, same, vertices_of};

fn pair(value: Option<&Value>) -> Option<[f64; 2]> {
    value.map(|own| numbers(own).try_into().unwrap())
}

fn rule(name: &str) -> Combine {
    match name {
        "average" => Combine::Average,
        "geometric_mean" => Combine::GeometricMean,
        "product" => Combine::Product,
        "min" => Combine::Minimum,
        "max" => Combine::Maximum,
        _ => panic!("unknown blend {name}"),
    }
}

/// Static and kinetic coefficient of a collision: given, or from the vertices.
fn coefficients(inputs: &Value, params: &Value, lagged: &Lagged) -> [f64; 2] {
    pair(params.get("mu")).unwrap_or_else(|| {
        ["mu_s_per_vertex", "mu_k_per_vertex"].map(|key| {
            let [a, b] = lagged.sides(&numbers(&inputs[key]));
            // A plane has no coefficients: those of the vertex count.
            let blend = lagged.kind != StencilKind::PlaneVertex;
            if blend { rule(params["blend"].as_str().unwrap()).apply(a, b) } else { a }
        })
    })
}

/// A square matrix over the coordinates of all vertices, by rows, in three dimensions.
#[derive(Default)]
struct Dense {
    size: usize,
    entries: Vec<f64>,
}

impl Dense {
    fn new(vertices: usize) -> Self {
        Self { size: 3 * vertices, entries: vec![0.0; 9 * vertices * vertices] }
    }

    fn add(&mut self, list: &[u32], local: &Jacobian) {
        let at = |k: usize| 3 * list[k / 3] as usize + k % 3;
        for (row, values) in local.iter().enumerate().take(3 * list.len()) {
            let entries = &mut self.entries[at(row) * self.size..][..self.size];
            values.iter().enumerate().take(3 * list.len()).for_each(|(column, value)| entries[at(column)] += value);
        }
    }

    /// Its entries in the plane or in space.
    fn flat(&self, dim: usize) -> Vec<f64> {
        let counts = |k: &usize| k % 3 < dim;
        let rows = (0..self.size).filter(counts);
        rows.flat_map(|row| (0..self.size).filter(counts).map(move |column| self.entries[row * self.size + column]))
            .collect()
    }
}

/// What a case sums up to.
#[derive(Default)]
struct Sums {
    value: f64,
    gradient: Vec<DVec3>,
    force: Vec<DVec3>,
    by_velocities: Dense,
    by_places: Dense,
    whole: Vec<([u32; 4], usize, asperity::barrier::Local)>,
    positive: Vec<([u32; 4], usize, asperity::barrier::Local)>,
}

fn compare_collision(own: &Configuration, row: &Value, lagged: &Lagged, law: &ToolkitLaw, slip: DVec2) -> Effective {
    let dim = own.dim;
    close("normal force", &[lagged.force], &[number(&row["normal_force"])]);
    close("weight", &[lagged.weight], &[number(&row["weight"])]);
    let theirs = numbers(&row["closest_point"]);
    close("closest point", &lagged.parameters()[..theirs.len()], &theirs);
    let theirs: Vec<f64> = list(&row["tangent_basis"]).iter().flat_map(numbers).collect();
    // With two vertices exchanged the first axis points the other way, and the slip is that of the other one: its second coordinate changes its sign.
    let exchanged = vertices_of(row)[0] != lagged.vertices[0];
    let sign = if exchanged { -1.0 } else { 1.0 };
    let basis = [lagged.basis[0] * sign, lagged.basis[1]];
    let ours: Vec<f64> = (0..dim).flat_map(|k| (0..dim - 1).map(move |a| basis[a][k])).collect();
    close("tangent basis", &ours, &theirs);
    let theirs = numbers(&row["tau"]);
    close("slip", &[slip.x, slip.y * sign][..theirs.len()], &theirs);
    let effective = law.effective(slip);
    for (key, ours) in ["mu_s", "mu_k"].iter().zip(law.mu) {
        close(key, &[ours], &[number(&row[key])]);
    }
    for (key, ours) in [("mu_s_eff", effective.mu_s), ("mu_k_eff", effective.mu_k)] {
        close(key, &[ours], &[number(&row[key])]);
    }
    effective
}

fn sums(own: &Configuration, case: &Value) -> Sums {
    let inputs = &own.value["friction_inputs"];
    let params = &case["params"];
    let scale = number(&case["velocity_scale"]);
    let velocities: Vec<DVec3> = list(&inputs["velocity_unit"]).iter().map(|v| point(v) * scale).collect();
    let rub = |collision: &asperity::barrier::Collision| {
        Lagged::new(collision, &collision.points(&own.positions), &own.planes, &own.potential, ParallelEdges::Smooth)
    };
    let all: Vec<Lagged> = own.collisions.iter().filter_map(rub).collect();
    let rows = list(&case["collisions"]);
    assert_eq!(all.len(), rows.len(), "{}", own.name);
    let still = vec![DVec3::ZERO; velocities.len()];
    let square = || Dense::new(velocities.len());
    let (by_velocities, by_places) = (square(), square());
    let mut sums = Sums { gradient: still.clone(), force: still, by_velocities, by_places, ..Sums::default() };
    for row in rows {
        let lagged = same(&all, row, |own| (own.kind, own.vertices));
        let law = ToolkitLaw {
            mu: coefficients(inputs, params, lagged),
            static_axes: pair(params.get("ms")),
            kinetic_axes: pair(params.get("mk")),
            scaling: pair(params.get("a")),
            eps_v: number(&inputs["eps_v"]),
        };
        let slip = lagged.plane(lagged.blend(|vertex| velocities[vertex as usize]));
        let effective = compare_collision(own, row, lagged, &law, slip);
        let dissipated = law.dissipated(effective, lagged.load(), slip).unwrap();
        let force = law.toolkit_force(effective, lagged.load(), slip).unwrap();
        sums.value += dissipated.value;
        for (vertex, (g, f)) in
            lagged.list().iter().zip(lagged.gradient(dissipated.gradient).iter().zip(lagged.gradient(force)))
        {
            sums.gradient[*vertex as usize] += *g;
            sums.force[*vertex as usize] += f;
        }
        let slip_force = law.toolkit_slip_force(effective, slip).unwrap();
        sums.by_velocities.add(lagged.list(), &lagged.by_velocities(&slip_force));
        let collision = same(&own.collisions, row, |own| (own.kind, own.vertices));
        let of_vertices = lagged.vertices.map(|i| velocities.get(i as usize).copied().unwrap_or(DVec3::ZERO));
        let points = collision.points(&own.positions);
        let at = LaggedAt {
            collision,
            points: &points,
            planes: &own.planes,
            velocities: &of_vertices,
            slip: lagged.blend(|vertex| velocities[vertex as usize]),
            load_slope: own.potential.force_slope(collision.nearest(&points, &own.planes).distance) * lagged.weight,
        };
        let by_places = lagged.by_places(&at, &slip_force);
        sums.by_places.add(lagged.list(), &by_places);
        let count = lagged.kind.count();
        sums.whole.push((lagged.vertices, count, lagged.hessian(dissipated.hessian, Projection::Whole)));
        // With a scaling the Toolkit projects another matrix.
        let positive = match law.scaling {
            Some(_) => law.toolkit_positive(effective, lagged.load(), slip).unwrap(),
            None => dissipated.hessian,
        };
        sums.positive.push((lagged.vertices, count, lagged.hessian(positive, Projection::Positive)));
    }
    sums
}

/// How many cases there were, in how many of them the Toolkit's force is not minus its gradient, and how many Jacobians.
#[derive(Default, PartialEq, Debug)]
struct Counts {
    cases: usize,
    apart: usize,
    jacobians: usize,
}

#[test]
fn friction_is_theirs() {
    if let Some(all) = reference() {
        assert_eq!(compare_friction(&all), Counts { cases: 5 * 22 + 11, apart: 4 * 6, jacobians: 154 });
    }
    if let Some(all) = drawn() {
        let cases = list(&all["configurations"]).iter().map(|own| list(&own["friction"]).len()).sum();
        let counts = compare_friction(&all);
        println!("{counts:?}");
        assert_eq!((counts.cases, counts.jacobians), (cases, 2 * cases));
    }
}

fn compare_friction(all: &Value) -> Counts {
    let mut counts = Counts::default();
    for value in list(&all["configurations"]) {
        let own = Configuration::new(value);
        for case in list(&value["friction"]) {
            let label = format!("{} {} {}", own.name, case["setting"], case["velocity_scale"]);
            let sums = sums(&own, case);
            close(&format!("{label} value"), &[sums.value], &[number(&case["value"])]);
            close(&format!("{label} gradient"), &own.flat(&sums.gradient), &numbers(&case["gradient"]));
            close(&format!("{label} force"), &own.flat(&sums.force), &numbers(&case["force"]));
            for (key, parts) in [("hessian", &sums.whole), ("hessian_psd_clamp", &sums.positive)] {
                if let Some(theirs) = case.get(key) {
                    let ours = own.gather(parts.iter().map(|(list, count, local)| (&list[..*count], *local)));
                    close(&format!("{label} {key}"), &ours, &own.dense(theirs));
                }
            }
            // In the plane, sliding, friction does not change with the velocity: both are rounding of terms as large as force over speed.
            let most = numbers(&case["force"]).iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let jacobians = [
                ("force_jacobian_velocities", &sums.by_velocities, most / number(&case["velocity_scale"])),
                ("force_jacobian_lagged_displacements", &sums.by_places, 0.0),
            ];
            for (key, ours, size) in jacobians {
                if let Some(theirs) = case.get(key) {
                    let with_size = |list: Vec<f64>| list.into_iter().chain([size]).collect::<Vec<f64>>();
                    close(&format!("{label} {key}"), &with_size(ours.flat(own.dim)), &with_size(own.dense(theirs)));
                    counts.jacobians += 1;
                }
            }
            // With a scaling of the slip their force is not minus their gradient; ours is.
            let (ours, theirs) = (own.flat(&sums.gradient), numbers(&case["force"]));
            let size = theirs.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let off = ours.iter().zip(&theirs).any(|(g, f)| (g + f).abs() > 1e-3 * size);
            let scaled = pair(case["params"].get("a")).is_some_and(|axes| axes != [1.0; 2]);
            assert_eq!(off, size > 0.0 && scaled, "{label}");
            counts.apart += usize::from(off);
            counts.cases += 1;
        }
    }
    counts
}
