//! Sweeps over large problems on threads: the same sweep whatever their number.
//!
//! The bodies of each large group of connected ones are put in order by their distance from one at the edge, counted in contacts,
//! and cut into slabs of about as many contacts each; small groups are not cut, and share slabs. Contacts within a slab are its *inside*; those between slabs k and k + 1 are the *seam* after k. A sweep
//! goes in stages: all insides, seams after even slabs, seams after odd ones, and whatever else there is (contacts
//! that act on three slabs, or skip one). Parts of one stage share no body, so they can be swept at the same time, and each
//! of them is swept in order: the result depends on the slabs alone, and these on the problem alone.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use asperity_friction::ContactLaw;

use super::sweeper::{Local, Sweeper};
use crate::problem::{Bodies, ContactProblem, RowKind};

/// Row blocks from which a group of connected bodies is cut, and about how many there are in a slab.
const LARGE: usize = 2000;
const SLAB: usize = 1000;
/// Most slabs of a group.
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
    let Slabs { of: slab_of, count: slabs } = Slabs::new(bodies);
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
struct Slabs {
    of: Vec<usize>,
    count: usize,
}

impl Slabs {
    /// Groups of connected bodies with [`LARGE`] contacts or more are cut, each by itself and from an even slab on; the others
    /// stay whole and share slabs. What a sweep does in one group so depends on that group alone.
    fn new(bodies: &Bodies) -> Self {
        let mut on_body = vec![Vec::new(); bodies.bodies()];
        for i in 0..bodies.blocks() {
            bodies.links(i).for_each(|link| on_body[link.body].push(i));
        }
        let (mut of, mut count, mut shared) = (vec![0; bodies.bodies()], 0, None);
        for group in groups(bodies, &on_body) {
            let links: usize = group.iter().map(|body| on_body[*body].len()).sum();
            let mut blocks: Vec<usize> = group.iter().flat_map(|body| on_body[*body].iter().copied()).collect();
            blocks.sort_unstable();
            blocks.dedup();
            if blocks.len() < LARGE {
                let Shared { slab, blocks: before } =
                    shared.filter(|own: &Shared| own.blocks < SLAB).unwrap_or_else(|| {
                        count += 2;
                        Shared { slab: count - 2, blocks: 0 }
                    });
                group.iter().for_each(|body| of[*body] = slab);
                shared = Some(Shared { slab, blocks: before + blocks.len() });
                continue;
            }
            let slabs = (blocks.len() / SLAB).clamp(2, MOST);
            let mut before = 0;
            for body in group {
                of[body] = count + (before * slabs / links).min(slabs - 1);
                before += on_body[body].len();
            }
            count += slabs.next_multiple_of(2);
        }
        Self { of, count }
    }
}

/// A slab of whole groups, and how many blocks it has so far.
#[derive(Clone, Copy)]
struct Shared {
    slab: usize,
    blocks: usize,
}

/// The groups of connected bodies, each in the order of the distance from a body at its edge: the last that a search from its
/// first body gets to.
fn groups(bodies: &Bodies, on_body: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut round_of = vec![0usize; on_body.len()];
    let mut search = |from: usize, round: usize| {
        let (mut order, mut next) = (vec![from], 0);
        round_of[from] = round;
        while next < order.len() {
            for link in on_body[order[next]].iter().flat_map(|i| bodies.links(*i)) {
                if round_of[link.body] < round {
                    round_of[link.body] = round;
                    order.push(link.body);
                }
            }
            next += 1;
        }
        order
    };
    let mut found = vec![false; on_body.len()];
    let mut groups = Vec::new();
    for body in (0..on_body.len()).filter(|body| !on_body[*body].is_empty()) {
        if found[body] {
            continue;
        }
        let edge = search(body, 1).pop().unwrap_or(body);
        let group = search(edge, 2);
        group.iter().for_each(|body| found[*body] = true);
        groups.push(group);
    }
    groups
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

    /// Points in cubic lattices of so many points a side, each in contact with the next ones along the three axes, pressed
    /// together and sheared.
    fn lattice(sides: &[usize]) -> ContactProblem {
        let points = sides.iter().map(|side| side * side * side).sum();
        let mut bodies = Bodies::new(vec![InverseMass::Point(1.0); points]).expect("positive masses");
        let (mut bias, mut first) = (Vec::new(), 0);
        for &side in sides {
            let number = |x: usize, y: usize, z: usize| first + (z * side + y) * side + x;
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
            first += side * side * side;
        }
        let kinds = vec![RowKind::Contact; bodies.blocks()];
        let soft = vec![1.0; bias.len()];
        ContactProblem::new(bodies, bias, kinds).and_then(|rigid| rigid.with_compliance(soft)).expect("it fits")
    }

    #[test]
    fn parts_of_a_stage_share_no_body_and_all_together_are_the_whole() {
        let problem = lattice(&[11]);
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
        assert!(super::parts(&lattice(&[5])).is_none());
    }

    /// Two copies of a lattice that do not touch, with a third smaller one between them in the order of bodies, are swept as
    /// each of them is alone, to the last bit.
    #[test]
    fn groups_that_do_not_touch_are_swept_as_if_alone() {
        let swept = |problem: &ContactProblem| {
            let laws = vec![ContactLaw::from(Disk::new(0.3).expect("positive")); problem.contacts()];
            let cut = parts(problem).expect("it is large");
            let mut r = vec![0.0; problem.rows()];
            PartSweeper::new(problem, &cut, Local::Exact, &r.clone()).sweep(&laws, 7, &mut r);
            r
        };
        let (large, small) = (lattice(&[11]), lattice(&[5]));
        let alone = swept(&large);
        let together = swept(&lattice(&[11, 5, 11]));
        assert!(together[..large.rows()] == alone);
        assert!(together[large.rows() + small.rows()..] == alone);
    }

    /// Contacts that are as soft as the bodies are light are soon swept to the only solution, both ways. The number of threads
    /// changes no bit.
    #[test]
    fn parts_are_swept_to_where_the_whole_is_swept_to() {
        let problem = lattice(&[11]);
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
