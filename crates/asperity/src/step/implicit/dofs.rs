//! Degrees of freedom: six of a rigid body that forces move (velocity of its centre of mass, angular velocity), three
//! of a free vertex. Pinned vertices and bodies whose motion is given have none.

use crate::body::Body;
use crate::world::{Model, State};

/// The degrees of freedom of one body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BodyDofs {
    /// Its motion is given.
    Given,
    /// A rigid body: the first of its six.
    Rigid(usize),
    /// Vertex by vertex the first of three; `None` for a pinned one.
    Elastic(Vec<Option<u32>>),
}

/// Those of all bodies of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dofs {
    pub(super) bodies: Vec<BodyDofs>,
    pub(super) count: usize,
}

impl Dofs {
    pub(super) fn new(bodies: &[Body]) -> Self {
        let mut count = 0;
        let mut take = |own: usize| {
            count += own;
            count - own
        };
        let mut dofs = Vec::with_capacity(bodies.len());
        for body in bodies {
            dofs.push(if body.inertia().is_some() {
                BodyDofs::Rigid(take(6))
            } else if let Some(elastic) = body.elastic() {
                let vertices = 0..elastic.masses().len();
                BodyDofs::Elastic(vertices.map(|i| (!elastic.is_pinned(i)).then(|| take(3) as u32)).collect())
            } else {
                BodyDofs::Given
            });
        }
        Self { bodies: dofs, count }
    }

    /// The body that has a degree of freedom.
    pub(super) fn owner(&self, dof: usize) -> Option<usize> {
        let has = |own: &BodyDofs| match own {
            BodyDofs::Given => false,
            BodyDofs::Rigid(first) => (*first..first + 6).contains(&dof),
            BodyDofs::Elastic(own) => own.iter().flatten().any(|first| (*first..first + 3).contains(&(dof as u32))),
        };
        self.bodies.iter().position(has)
    }
}

/// A step: what moves, from where, and for how long.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) model: &'a Model,
    /// The state at its start.
    pub(super) state: &'a State,
    pub(super) dofs: &'a Dofs,
    /// Its length.
    pub(super) h: f64,
}
