//! Joints that say the same twice.
//!
//! The held coordinates of all joints are rows J over the velocities of the bodies that forces move. A row that is a combination of others holds nothing
//! new: four hinges in a plane, two equal joints. Such joints work, but only the sum of what they transmit is determined by mechanics; how it is shared is
//! a choice (`step/impulse/joints.rs`).
//!
//! The rank is found where the bodies are. A body that one joint alone ties has nothing redundant at it, since the rows of a joint are independent already on
//! one body: it is left out with its joint, again and again, until only loops are left. Their rows are made orthogonal one after the other, each twice;
//! a row of which nothing is left is redundant.

use super::{Joint, Move};
use crate::world::{Model, State};

/// A row of length 1 of which less than this is left is a combination of the ones before it.
const NOTHING: f64 = 1e-8;
/// Most rows in loops that are looked at: the work grows with their cube.
const MOST_ROWS: usize = 1000;

/// A joint with rows that follow from those of joints before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redundant {
    /// Number of the joint.
    pub joint: usize,
    /// How many of its rows.
    pub rows: usize,
    /// Of how many.
    pub held: usize,
}

/// The joints with rows that follow from others, in their order; none if there are too many to tell.
pub fn redundant(model: &Model, state: &State) -> Option<Vec<Redundant>> {
    let loops = in_loops(model);
    let rows: usize = loops.iter().map(|i| model.joints[*i].kind.held().len()).sum();
    if rows > MOST_ROWS {
        return None;
    }
    let mut columns = vec![usize::MAX; model.bodies.len()];
    let mut width = 0;
    for body in loops.iter().flat_map(|i| free_bodies(model, &model.joints[*i])) {
        if columns[body] == usize::MAX {
            (columns[body], width) = (width, width + 6);
        }
    }
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut found = Vec::new();
    for &number in &loops {
        let joint = &model.joints[number];
        let held = joint.kind.held();
        let moves = joint.spots(&state.bodies).map(|spot| Move { from: spot, to: spot });
        let before = basis.len();
        for coordinate in held {
            let row = coordinate.row(&joint.frames, &moves);
            let mut dense = vec![0.0; width];
            for (side, body) in joint.bodies().into_iter().enumerate() {
                let Some(body) = body.map(|i| i as usize).filter(|i| columns[*i] != usize::MAX) else { continue };
                // Turning by 1/reach moves points of the body about as much as shifting by 1.
                let arm = 1.0 / model.bodies[body].reach();
                let linear = if side == 0 { row.linear } else { -row.linear };
                let own = linear.to_array().into_iter().chain((row.angular[side] * arm).to_array());
                dense[columns[body]..][..6].iter_mut().zip(own).for_each(|(x, own)| *x = own);
            }
            if let Some(unit) = orthogonal(dense, &basis) {
                basis.push(unit);
            }
        }
        let rows = held.len() - (basis.len() - before);
        if rows > 0 {
            found.push(Redundant { joint: number, rows, held: held.len() });
        }
    }
    Some(found)
}

/// What is new in a row, with length 1; none if that is nothing.
fn orthogonal(mut row: Vec<f64>, basis: &[Vec<f64>]) -> Option<Vec<f64>> {
    let length = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let first = length(&row);
    if first.is_nan() || first <= 0.0 {
        return None;
    }
    row.iter_mut().for_each(|x| *x /= first);
    for _ in 0..2 {
        for unit in basis {
            let along: f64 = row.iter().zip(unit).map(|(x, e)| x * e).sum();
            row.iter_mut().zip(unit).for_each(|(x, e)| *x -= along * e);
        }
    }
    let left = length(&row);
    (left > NOTHING).then(|| row.iter().map(|x| x / left).collect())
}

/// The bodies of a joint that forces move.
fn free_bodies<'m>(model: &'m Model, joint: &'m Joint) -> impl Iterator<Item = usize> + 'm {
    joint.bodies().into_iter().flatten().map(|i| i as usize).filter(|i| model.bodies[*i].is_dynamic())
}

/// Joints that hold something and are left when bodies with one joint are taken away, again and again.
fn in_loops(model: &Model) -> Vec<usize> {
    let mut left: Vec<usize> = (0..model.joints.len()).filter(|i| !model.joints[*i].kind.held().is_empty()).collect();
    let mut joints_of = vec![0usize; model.bodies.len()];
    for joint in left.iter().map(|i| &model.joints[*i]) {
        free_bodies(model, joint).for_each(|body| joints_of[body] += 1);
    }
    loop {
        let before = left.len();
        left.retain(|i| {
            let joint = &model.joints[*i];
            let leaf = free_bodies(model, joint).any(|body| joints_of[body] == 1);
            if leaf {
                free_bodies(model, joint).for_each(|body| joints_of[body] -= 1);
            }
            !leaf
        });
        if left.len() == before {
            return left;
        }
    }
}
