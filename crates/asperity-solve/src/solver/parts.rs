//! Sweeps over large problems on threads: the same sweep whatever their number.
//!
//! Bodies are put in order by their distance from one at the edge, counted in contacts, and cut into slabs of about as many
//! contacts each. Contacts within a slab are its *inside*; those between slabs k and k + 1 are the *seam* after k. A sweep
//! goes in stages: all insides, seams after even slabs, seams after odd ones, and whatever else there is (contacts
//! that act on three slabs, or skip one). Parts of one stage share no body, so they can be swept at the same time, and each
//! of them is swept in order: the result depends on the slabs alone, and these on the problem alone.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use asperity_friction::ContactLaw;

use super::sweeper::{Local, Sweeper};
use crate::problem::{Bodies, ContactProblem, RowKind};

/// Row blocks from which a problem is cut, and about how many there are in a slab.
const LARGE: usize = 2000;
const SLAB: usize = 1000;
/// Most slabs.
const MOST: usize = 32;

/// Insides, even seams, odd seams, the rest.
const STAGES: usize = 4;

/// Some blocks of a problem, as a problem of their own.
pub(super) struct Part {
    problem: ContactProblem,
    stage: usize,
    /// For each of its blocks the law of the whole that it has, zero where it has none.
    laws: Vec<usize>,
    /// For each of its rows and degrees of freedom, which one of the whole it is.
    rows: Vec<usize>,
    dofs: Vec<usize>,
}

/// The parts of a large problem over bodies, by stages; `None` for others.
pub(super) fn parts(problem: &ContactProblem) -> Option<Vec<Part>> {
    let bodies = problem.dynamics().bodies().filter(|_| problem.blocks() >= LARGE)?;
    let slabs = (problem.blocks() / SLAB).clamp(2, MOST);
    let slab_of = slabs_of(bodies, slabs);
    // Insides and seams of all slabs, then the rest.
    let mut blocks = vec![Vec::new(); 2 * slabs + 1];
    for i in 0..problem.blocks() {
        let own = || bodies.links(i).map(|link| slab_of[link.body]);
        let (first, last) = (own().min().unwrap_or(0), own().max().unwrap_or(0));
        let place = match last - first {
            0 => first,
            1 => slabs + first,
            _ => 2 * slabs,
        };
        blocks[place].push(i);
    }
    let stage = |place: usize| match place.checked_sub(slabs) {
        None => 0,
        Some(seam) if seam < slabs => 1 + seam % 2,
        Some(_) => 3,
    };
    let filled = blocks.into_iter().enumerate().filter(|(_, blocks)| !blocks.is_empty());
    let mut parts: Vec<Part> =
        filled.map(|(place, blocks)| Part::new(problem, bodies, &blocks, stage(place))).collect();
    parts.sort_by_key(|part| part.stage);
    Some(parts)
}

impl Part {
    fn new(problem: &ContactProblem, bodies: &Bodies, blocks: &[usize], stage: usize) -> Self {
        let law = |i: &usize| if *problem.kind(*i) == RowKind::Contact { problem.law_of(*i) } else { 0 };
        Self {
            problem: problem.part(blocks),
            stage,
            laws: blocks.iter().map(law).collect(),
            rows: blocks.iter().flat_map(|i| problem.range(*i)).collect(),
            dofs: bodies.bodies_of(blocks).into_iter().flat_map(|body| bodies.dofs(body)).collect(),
        }
    }
}

/// The slab of each body.
fn slabs_of(bodies: &Bodies, slabs: usize) -> Vec<usize> {
    let mut on_body = vec![Vec::new(); bodies.bodies()];
    for i in 0..bodies.blocks() {
        bodies.links(i).for_each(|link| on_body[link.body].push(i));
    }
    let order = outwards(bodies, &on_body);
    let whole: usize = on_body.iter().map(Vec::len).sum();
    let (mut slab_of, mut before) = (vec![0; bodies.bodies()], 0);
    for body in order {
        slab_of[body] = (before * slabs / whole.max(1)).min(slabs - 1);
        before += on_body[body].len();
    }
    slab_of
}

/// All bodies, each group of connected ones by the distance from one at its edge: the last that a search from its first
/// body gets to.
fn outwards(bodies: &Bodies, on_body: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(on_body.len());
    let mut round_of = vec![0usize; on_body.len()];
    let search = |from: usize, round: usize, round_of: &mut [usize], order: &mut Vec<usize>| {
        let mut next = order.len();
        round_of[from] = round;
        order.push(from);
        while next < order.len() {
            let body = order[next];
            next += 1;
            for link in on_body[body].iter().flat_map(|i| bodies.links(*i)) {
                if round_of[link.body] < round {
                    round_of[link.body] = round;
                    order.push(link.body);
                }
            }
        }
    };
    for body in 0..on_body.len() {
        if round_of[body] > 0 {
            continue;
        }
        let begin = order.len();
        search(body, 1, &mut round_of, &mut order);
        let edge = order[order.len() - 1];
        order.truncate(begin);
        search(edge, 2, &mut round_of, &mut order);
    }
    order
}

/// A part that is being swept.
struct SweptPart<'a> {
    part: &'a Part,
    sweeper: Sweeper<'a>,
    r: Vec<f64>,
}

impl SweptPart<'_> {
    /// One sweep, from the velocities of the whole.
    fn sweep(&mut self, laws: &[ContactLaw], velocities: &[f64]) {
        let own = self.sweeper.velocities_mut().iter_mut();
        own.zip(&self.part.dofs).for_each(|(v, dof)| *v = velocities[*dof]);
        self.sweeper.sweep(laws, &mut self.r);
    }
}

/// Sweeps over the parts of a problem.
pub(super) struct PartSweeper<'a> {
    problem: &'a ContactProblem,
    parts: Vec<SweptPart<'a>>,
    /// M⁻¹ Jᵀ r of the whole.
    velocities: Vec<f64>,
}

impl<'a> PartSweeper<'a> {
    /// Ready to sweep from the impulses `r`; they must not change but by sweeps.
    pub(super) fn new(problem: &'a ContactProblem, parts: &'a [Part], local: Local, r: &[f64]) -> Self {
        let swept = |part: &'a Part| {
            let own = vec![0.0; part.rows.len()];
            SweptPart { sweeper: Sweeper::with_laws(&part.problem, local, &own, part.laws.clone()), part, r: own }
        };
        Self { problem, parts: parts.iter().map(swept).collect(), velocities: problem.sweep_state(r) }
    }

    /// Goes on from other impulses.
    pub(super) fn restart(&mut self, r: &[f64]) {
        self.velocities = self.problem.sweep_state(r);
    }

    /// So many sweeps.
    pub(super) fn sweep(&mut self, laws: &[ContactLaw], sweeps: usize, r: &mut [f64]) {
        for SweptPart { part, r: own, .. } in &mut self.parts {
            own.iter_mut().zip(&part.rows).for_each(|(own, row)| *own = r[*row]);
        }
        for _ in 0..sweeps {
            for stage in 0..STAGES {
                self.sweep_stage(stage, laws);
            }
        }
        for SweptPart { part, r: own, .. } in &self.parts {
            own.iter().zip(&part.rows).for_each(|(own, row)| r[*row] = *own);
        }
    }

    fn sweep_stage(&mut self, stage: usize, laws: &[ContactLaw]) {
        let begin = self.parts.partition_point(|part| part.part.stage < stage);
        let end = self.parts.partition_point(|part| part.part.stage <= stage);
        let (parts, velocities) = (&mut self.parts[begin..end], &mut self.velocities);
        #[cfg(feature = "parallel")]
        parts.par_iter_mut().for_each(|part| part.sweep(laws, velocities));
        #[cfg(not(feature = "parallel"))]
        parts.iter_mut().for_each(|part| part.sweep(laws, velocities));
        for SweptPart { part, sweeper, .. } in parts {
            part.dofs.iter().zip(sweeper.velocities_mut()).for_each(|(dof, v)| velocities[*dof] = *v);
        }
    }
}

#[cfg(test)]
mod tests {
    use asperity_friction::ContactLaw;
    use asperity_friction::set::Disk;
    use glam::DVec3;

    use super::{LARGE, PartSweeper, parts};
    use crate::problem::{Bodies, ContactProblem, InverseMass, Link, RowKind};
    use crate::solver::sweeper::{Local, Sweeper};

    /// Points in a cubic lattice, each in contact with the next ones along the three axes, pressed together and sheared.
    fn lattice(side: usize) -> ContactProblem {
        let mut bodies = Bodies::new(vec![InverseMass::Point(1.0); side * side * side]).expect("positive masses");
        let number = |x: usize, y: usize, z: usize| (z * side + y) * side + x;
        let mut bias = Vec::new();
        for (x, y, z) in (0..side * side * side).map(|n| (n % side, n / side % side, n / side / side)) {
            let before = [
                x.checked_sub(1).map(|x| (x, y, z)),
                y.checked_sub(1).map(|y| (x, y, z)),
                z.checked_sub(1).map(|z| (x, y, z)),
            ];
            for (axis, before) in DVec3::AXES.into_iter().zip(before) {
                let tangent = axis.any_orthonormal_vector();
                let own: Vec<f64> = [axis, tangent, axis.cross(tangent)].iter().flat_map(DVec3::to_array).collect();
                let other: Vec<f64> = own.iter().map(|x| -x).collect();
                let mut links = vec![Link { body: number(x, y, z), jacobian: &own }];
                links.extend(before.map(|(x, y, z)| Link { body: number(x, y, z), jacobian: &other }));
                bodies.push(3, &links).expect("they fit");
                let shear = ((x * 7 + y * 3 + z * 5) % 11) as f64 / 11.0 - 0.5;
                bias.extend([-0.1, shear, -0.5 * shear]);
            }
        }
        let kinds = vec![RowKind::Contact; bodies.blocks()];
        let soft = vec![1.0; bias.len()];
        ContactProblem::new(bodies, bias, kinds).and_then(|rigid| rigid.with_compliance(soft)).expect("it fits")
    }

    #[test]
    fn parts_of_a_stage_share_no_body_and_all_together_are_the_whole() {
        let problem = lattice(11);
        let parts = parts(&problem).expect("it is large");
        let mut rows: Vec<usize> = parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..problem.rows()));
        for stage in 0..super::STAGES {
            let mut dofs: Vec<usize> =
                parts.iter().filter(|part| part.stage == stage).flat_map(|part| part.dofs.iter().copied()).collect();
            let all = dofs.len();
            dofs.sort_unstable();
            dofs.dedup();
            assert_eq!(dofs.len(), all, "stage {stage}");
        }
        assert!(parts.iter().filter(|part| part.stage == 0).count() >= 2 && problem.blocks() >= LARGE);
        assert!(super::parts(&lattice(5)).is_none());
    }

    /// Contacts that are as soft as the bodies are light are soon swept to the only solution, both ways. The number of threads
    /// changes no bit.
    #[test]
    fn parts_are_swept_to_where_the_whole_is_swept_to() {
        let problem = lattice(11);
        let laws = vec![ContactLaw::from(Disk::new(0.3).expect("positive")); problem.contacts()];
        let zero = vec![0.0; problem.rows()];
        let (mut whole, mut r) = (Sweeper::new(&problem, Local::Exact, &zero), zero.clone());
        (0..100).for_each(|_| whole.sweep(&laws, &mut r));
        let cut = parts(&problem).expect("it is large");
        let in_parts = || {
            let (mut swept, mut r) = (PartSweeper::new(&problem, &cut, Local::Exact, &zero), zero.clone());
            swept.sweep(&laws, 40, &mut r);
            swept.restart(&r);
            swept.sweep(&laws, 60, &mut r);
            r
        };
        let found = in_parts();
        let mut u = [zero.clone(), zero.clone()];
        problem.velocities(&r, &mut u[0]);
        problem.velocities(&found, &mut u[1]);
        let apart = u[0].iter().zip(&u[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{apart}");
        #[cfg(feature = "parallel")]
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            assert!(pool.install(in_parts) == found, "{threads} threads");
        }
    }
}
