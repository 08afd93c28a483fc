//! Numbers of the IPC Toolkit 1.6.1: barriers, mollifier, collision sets, barrier potentials with their derivatives.
//!
//! They are in a folder beside the repository, `shared/reference/ipc.json`. Without it these tests say so and pass: closed forms and
//! finite differences are in the other files. Other configurations, as `fixtures/generate/ipc_configurations.py` draws them, are compared if
//! `ASPERITY_IPC` names their file.

use asperity::barrier::{
    Barrier, BarrierPotential, Builder, Candidates, Collision, CollisionMesh, Local, Plane, Projection, StencilKind,
    Weighting, mollifier,
};
use glam::DVec3;
use serde_json::Value;

pub(crate) const TOLERANCE: f64 = 1e-9;

/// The file, if it is there.
pub(crate) fn reference() -> Option<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference/ipc.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("{path} is not there: nothing is compared with the IPC Toolkit");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// Configurations of the file that the environment names.
pub(crate) fn drawn() -> Option<Value> {
    let path = std::env::var_os("ASPERITY_IPC")?;
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

fn barrier(name: &str) -> Barrier {
    match name.split(' ').next().unwrap() {
        "ClampedLogBarrier" => Barrier::ClampedLog,
        "NormalizedClampedLogBarrier" => Barrier::NormalisedLog,
        "ClampedLogSqBarrier" => Barrier::LogSquared,
        "CubicBarrier" => Barrier::Cubic,
        "TwoStageBarrier" => Barrier::TwoStage,
        other => panic!("unknown barrier {other}"),
    }
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// A point of the space, or of the plane z = 0.
pub(crate) fn point(value: &Value) -> DVec3 {
    let all = numbers(value);
    DVec3::new(all[0], all[1], all.get(2).copied().unwrap_or(0.0))
}

fn indices<const N: usize>(value: &Value) -> [u32; N] {
    std::array::from_fn(|k| value[k].as_u64().unwrap() as u32)
}

/// |a − b| ≤ 1e-9 max |b|, entry by entry.
pub(crate) fn close(label: &str, ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len(), "{label}");
    let size = theirs.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let error = ours.iter().zip(theirs).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(error <= TOLERANCE * size, "{label}: off by {error:e}, entries up to {size:e}");
    if size > 0.0 { error / size } else { 0.0 }
}

/// A configuration of the file.
pub(crate) struct Configuration<'a> {
    pub(crate) value: &'a Value,
    pub(crate) name: String,
    pub(crate) dim: usize,
    pub(crate) positions: Vec<DVec3>,
    pub(crate) planes: Vec<Plane>,
    pub(crate) potential: BarrierPotential,
    pub(crate) collisions: Vec<Collision>,
}

impl<'a> Configuration<'a> {
    pub(crate) fn new(value: &'a Value) -> Self {
        let dim = value["dim"].as_u64().unwrap() as usize;
        let rest = list(&value["rest_positions"]).iter().map(point).collect();
        let edges = list(&value["edges"]).iter().map(indices).collect();
        let faces = list(&value["faces"]).iter().map(indices).collect();
        let mesh = CollisionMesh::new(rest, edges, faces).unwrap();
        let positions: Vec<DVec3> = list(&value["vertices"]).iter().map(point).collect();
        let [dhat, dmin, stiffness] = ["dhat", "dmin", "kappa"].map(|key| number(&value[key]));
        let potential =
            BarrierPotential { barrier: barrier(value["barrier"].as_str().unwrap()), dhat, dmin, stiffness };
        let weighting = Weighting {
            area: value["area_weighting"].as_bool().unwrap(),
            improved_max: value["collision_set"] == "IMPROVED_MAX_APPROX",
        };
        let candidates = if dim == 2 { Candidates::all_planar(&mesh) } else { Candidates::all(&mesh) };
        let builder = Builder { mesh: &mesh, positions: &positions, reach: dhat + dmin, weighting };
        let plane = |own: &Value| Plane { normal: point(&own["normal"]), offset: number(&own["offset"]) };
        let planes: Vec<Plane> = list(&value["planes"]).iter().map(plane).collect();
        let mut collisions = builder.build(&candidates);
        collisions.extend(builder.above(&planes));
        let name = value["name"].as_str().unwrap().to_owned();
        Self { value, name, dim, positions, planes, potential, collisions }
    }

    /// Vertex-major coordinates.
    pub(crate) fn flat(&self, vectors: &[DVec3]) -> Vec<f64> {
        vectors.iter().flat_map(|v| v.to_array()[..self.dim].to_vec()).collect()
    }

    /// A sum of matrices of stencils as a dense one.
    pub(crate) fn gather<'l>(&self, parts: impl Iterator<Item = (&'l [u32], Local)>) -> Vec<f64> {
        let size = self.dim * self.positions.len();
        let mut dense = vec![0.0; size * size];
        for (vertices, local) in parts {
            for (i, row) in vertices.iter().enumerate() {
                for (j, column) in vertices.iter().enumerate() {
                    for k in 0..self.dim {
                        for l in 0..self.dim {
                            let (r, c) = (self.dim * *row as usize + k, self.dim * *column as usize + l);
                            dense[r * size + c] += local.entry(3 * i + k, 3 * j + l);
                        }
                    }
                }
            }
        }
        dense
    }

    /// A matrix of the file as a dense one.
    pub(crate) fn dense(&self, coo: &Value) -> Vec<f64> {
        let size = self.dim * self.positions.len();
        let mut dense = vec![0.0; size * size];
        for ((row, column), value) in list(&coo["row"]).iter().zip(list(&coo["col"])).zip(list(&coo["val"])) {
            dense[row.as_u64().unwrap() as usize * size + column.as_u64().unwrap() as usize] += number(value);
        }
        dense
    }
}

pub(crate) fn kind(value: &Value) -> StencilKind {
    match value.as_str().unwrap() {
        "VV" => StencilKind::VertexVertex,
        "EV" => StencilKind::EdgeVertex,
        "EE" => StencilKind::EdgeEdge,
        "FV" => StencilKind::FaceVertex,
        "PV" => StencilKind::PlaneVertex,
        other => panic!("unknown kind {other}"),
    }
}

/// The vertices of a collision of the file. Two vertices come in any order there, and in that of their numbers here.
pub(crate) fn vertices_of(theirs: &Value) -> Vec<u32> {
    list(&theirs["vertex_ids"]).iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// Our collision that is one of the file.
pub(crate) fn same<'c, T>(ours: &'c [T], theirs: &Value, of: impl Fn(&T) -> (StencilKind, [u32; 4])) -> &'c T {
    let kind = kind(&theirs["kind"]);
    let mut ids = vertices_of(theirs);
    if kind == StencilKind::VertexVertex {
        ids.sort_unstable();
    }
    let is_it = |own: &&T| of(own).0 == kind && of(own).1[..kind.count()] == ids[..kind.count()];
    ours.iter().find(is_it).unwrap_or_else(|| panic!("no collision {kind:?} of {ids:?}"))
}

#[test]
fn barriers_are_theirs() {
    let Some(all) = reference() else { return };
    let rows = list(&all["barrier"]);
    assert_eq!(rows.len(), 180);
    for row in rows {
        let own = barrier(row["barrier"].as_str().unwrap()).at(number(&row["d"]), number(&row["dhat"]));
        for (key, ours) in [("b", own.value), ("db", own.slope), ("d2b", own.bend)] {
            match row[key].as_f64() {
                Some(theirs) => assert!((ours - theirs).abs() <= TOLERANCE * theirs.abs(), "{row}: {key} is {ours}"),
                None => assert!(ours.is_infinite(), "{row}: {key} is {ours}"),
            }
        }
    }
}

#[test]
fn the_mollifier_is_theirs() {
    let Some(all) = reference() else { return };
    let rows = list(&all["edge_edge_mollifier"]);
    assert_eq!(rows.len(), 7);
    for row in rows {
        let points = ["ea0", "ea1", "eb0", "eb1"].map(|key| point(&row[key]));
        let eps = number(&row["eps_x"]);
        let square = mollifier::cross_square(&points);
        assert!((square - number(&row["cross_sqnorm"])).abs() <= 1e-15, "{row}");
        let own = mollifier::smooth(&points, eps);
        close("mollifier", &[own.value], &[number(&row["m"])]);
        assert_eq!(own.value, mollifier::value(&points, eps));
        let gradient: Vec<f64> = own.gradient.iter().flat_map(|g| g.to_array()).collect();
        close("gradient of the mollifier", &gradient, &numbers(&row["grad"]));
    }
}

#[test]
fn collision_sets_are_theirs() {
    for all in [reference(), drawn()].iter().flatten() {
        compare_collisions(all);
    }
}

fn compare_collisions(all: &Value) {
    for value in list(&all["configurations"]) {
        let own = Configuration::new(value);
        let theirs = list(&value["normal_collisions"]);
        assert_eq!(own.collisions.len(), theirs.len(), "{}", own.name);
        for row in theirs {
            let found = same(&own.collisions, row, |own| (own.kind, own.vertices));
            let points = found.points(&own.positions);
            let square = found.nearest(&points, &own.planes).square();
            close(&own.name, &[square], &[number(&row["distance_squared"])]);
            close(&own.name, &[found.weight], &[number(&row["weight"])]);
            close(&own.name, &[own.potential.value(found, &points, &own.planes)], &[number(&row["potential"])]);
            if let Some(eps) = row["eps_x"].as_f64() {
                close(&own.name, &[found.edges.unwrap().eps], &[eps]);
                close(&own.name, &[mollifier::value(&points, eps)], &[number(&row["mollifier"])]);
            }
        }
    }
}

#[test]
fn barrier_potentials_are_theirs() {
    if let Some(all) = reference() {
        assert_eq!(compare_potentials(&all), 6 + 4);
    }
    if let Some(all) = drawn() {
        assert_eq!(compare_potentials(&all), 2 * list(&all["configurations"]).len());
    }
}

/// How many matrices were compared.
fn compare_potentials(all: &Value) -> usize {
    let (mut worst, mut matrices) = ([0.0f64; 4], 0);
    for value in list(&all["configurations"]) {
        let own = Configuration::new(value);
        let theirs = &value["barrier_potential"];
        let total = own.potential.total(&own.collisions, &own.positions, &own.planes);
        worst[0] = worst[0].max(close(&own.name, &[total], &[number(&theirs["value"])]));
        let mut gradient = vec![DVec3::ZERO; own.positions.len()];
        own.potential.add_gradient(&own.collisions, &own.positions, &own.planes, &mut gradient);
        worst[1] = worst[1].max(close(&own.name, &own.flat(&gradient), &numbers(&theirs["gradient"])));
        for (k, key, projection) in [(2, "hessian", Projection::Whole), (3, "hessian_psd_clamp", Projection::Positive)]
        {
            // The positive part is stored for the small configurations only.
            let Some(coo) = theirs.get(key).filter(|own| own.get("row").is_some()) else { continue };
            matrices += 1;
            let mut parts = Vec::new();
            own.potential.hessians(&own.collisions, &own.positions, &own.planes, projection, &mut parts);
            let ours = own.gather(own.collisions.iter().map(Collision::list).zip(parts));
            worst[k] = worst[k].max(close(&format!("{} {key}", own.name), &ours, &own.dense(coo)));
        }
    }
    println!("worst of value, gradient, Hessian, positive Hessian: {worst:?}");
    matrices
}
