//! Elements of one kind, and the loops over them.
//!
//! Each element has an energy over the places of its vertices (its stencil), with gradient and Hessian. Loops over many
//! elements are shared among threads: each element writes to its own place in a buffer, and the buffer is gathered in
//! the order of the elements, so that the number of threads changes no byte.

use std::cell::Cell;
use std::fmt::Debug;
use std::ops::Range;

use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Elements of one kind, all with the same number of vertices.
pub(super) trait Elements: Debug + Send + Sync {
    /// Vertices of an element.
    fn nodes(&self) -> usize;

    /// Vertices of all elements, one after the other.
    fn stencils(&self) -> &[u32];

    /// Energy of element `e` in J.
    fn energy(&self, e: usize, x: &[DVec3]) -> f64;

    /// Derivative of the energy by the place of each vertex of the stencil, in N.
    fn gradient(&self, e: usize, x: &[DVec3], out: &mut [DVec3]);

    /// Second derivatives of the energy, column by column, in N/m; positive semidefinite if `project`.
    fn hessian(&self, e: usize, x: &[DVec3], project: bool, out: &mut [f64]);

    /// How many elements there are.
    fn count(&self) -> usize {
        self.stencils().len() / self.nodes()
    }

    /// Length of the Hessian of an element.
    fn hessian_len(&self) -> usize {
        (3 * self.nodes()).pow(2)
    }
}

/// Fewer elements than this are not worth waking threads for.
const MANY: usize = 1000;
/// Elements that one thread takes at a time.
const CHUNK: usize = 128;

thread_local! {
    /// Room for the results of elements. Taken while in use: a thread that waits for others may begin another loop.
    static ROOM: Cell<Vec<DVec3>> = const { Cell::new(Vec::new()) };
}

fn with_room<T>(len: usize, run: impl FnOnce(&mut [DVec3]) -> T) -> T {
    let mut room = ROOM.take();
    if room.len() < len {
        room.resize(len, DVec3::ZERO);
    }
    let result = run(&mut room[..len]);
    ROOM.set(room);
    result
}

/// Calls `each` with every element and its own `len` values of `out`.
fn for_each<T: Send>(count: usize, len: usize, out: &mut [T], each: impl Fn(usize, &mut [T]) + Sync) {
    if count < MANY || rayon::current_num_threads() == 1 {
        out.chunks_exact_mut(len).enumerate().for_each(|(e, values)| each(e, values));
    } else {
        let chunks = out.par_chunks_mut(CHUNK * len).enumerate();
        chunks.for_each(|(chunk, out)| {
            out.chunks_exact_mut(len).enumerate().for_each(|(k, values)| each(chunk * CHUNK + k, values));
        });
    }
}

/// The energies of all elements, added in their order.
pub(super) fn total_energy(elements: &dyn Elements, x: &[DVec3]) -> f64 {
    let count = elements.count();
    if count < MANY {
        return (0..count).map(|e| elements.energy(e, x)).sum();
    }
    with_room(count, |room| {
        for_each(count, 1, room, |e, out| out[0].x = elements.energy(e, x));
        room.iter().map(|value| value.x).sum()
    })
}

/// Adds the gradients of all elements, in their order.
pub(super) fn add_gradients(elements: &dyn Elements, x: &[DVec3], out: &mut [DVec3]) {
    let nodes = elements.nodes();
    with_room(elements.stencils().len(), |room| {
        for_each(elements.count(), nodes, room, |e, values| elements.gradient(e, x, values));
        for (vertex, value) in elements.stencils().iter().zip(room.iter()) {
            out[*vertex as usize] += *value;
        }
    });
}

/// The Hessians of all elements.
pub(super) fn all_hessians(elements: &dyn Elements, x: &[DVec3], project: bool, out: &mut [f64]) {
    let len = elements.hessian_len();
    for_each(elements.count(), len, out, |e, values| elements.hessian(e, x, project, values));
}

/// Writes a 3 × 3 block of the Hessian of an element with this many nodes: rows of node `a`, columns of node `b`, and
/// its transpose.
#[inline]
pub(super) fn set_block(out: &mut [f64], nodes: usize, a: usize, b: usize, block: &DMat3) {
    let height = 3 * nodes;
    for k in 0..3 {
        let column = block.col(k);
        for i in 0..3 {
            out[(3 * b + k) * height + 3 * a + i] = column[i];
            out[(3 * a + i) * height + 3 * b + k] = column[i];
        }
    }
}

/// The range of the stencil of element `e`.
#[inline]
pub(super) fn stencil_range(nodes: usize, e: usize) -> Range<usize> {
    nodes * e..nodes * (e + 1)
}
