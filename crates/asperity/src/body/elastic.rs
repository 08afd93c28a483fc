//! Elastic bodies: cloth and solids, as vertices with masses, an elastic energy, damping and pins.
//!
//! Vertices carry the mass of the body (lumped). The surface is a triangle mesh over the same vertices: of a cloth all of it, of a
//! solid its boundary; inner vertices of a solid belong to no triangle. Pinned vertices are no degrees of freedom: they stay where
//! they start, or are carried by a bone, a rigid motion that is given.
//!
//! Damping is Rayleigh's: the force −(α M + β K) v, with K the stiffness at the start of a step.

use std::sync::Arc;

use glam::DVec3;

use super::fit::{Points, fit};
use super::script::Script;
use super::state::MeshState;
use crate::elastic::Elasticity;
use crate::geometry::TriangleMesh;
use crate::geometry::surface::Incidence;
use crate::geometry::volume::TetQuality;

/// The names that a formula of where vertices start may use: their rest position and texture coordinates.
pub const REST_NAMES: &[&str] = &["x", "y", "z", "u", "v"];

/// What kind of elastic body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElasticKind {
    /// A sheet of triangles: it has a front and a back.
    Cloth,
    /// Tetrahedra: it has an inside.
    Solid,
}

/// Rayleigh damping: the force −(α M + β K) v.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// α, 1/s.
    pub mass: f64,
    /// β, s.
    pub stiffness: f64,
}

/// Vertices that are held, or carried by a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Pins {
    /// The vertices, increasing.
    pub vertices: Vec<u32>,
    /// The motion that carries them; `None`: they stay.
    pub bone: Option<Script>,
}

/// What a cloth or a solid is made of. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Elastic {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    kind: ElasticKind,
    mesh: TriangleMesh,
    incidence: Incidence,
    masses: Vec<f64>,
    elasticity: Elasticity,
    damping: Damping,
    thickness: f64,
    pins: Vec<Pins>,
    /// The vertices as they start, in the world: pins are carried from there.
    start: Vec<DVec3>,
    /// Number in `pins` of the group that holds a vertex.
    pinned: Vec<Option<u32>>,
    quality: Option<TetQuality>,
}

/// What an elastic body is made from.
#[derive(Clone, Debug)]
pub struct ElasticParts {
    /// Cloth or solid.
    pub kind: ElasticKind,
    /// Its surface at rest, in the body's frame, over all vertices.
    pub mesh: TriangleMesh,
    /// Masses of the vertices, kg.
    pub masses: Vec<f64>,
    /// Its energy.
    pub elasticity: Elasticity,
    /// Its damping.
    pub damping: Damping,
    /// Thickness of a cloth, m: surfaces touch half of it away from the vertices. Zero for a solid.
    pub thickness: f64,
    /// Vertices that are held.
    pub pins: Vec<Pins>,
    /// The vertices as they start, in the world.
    pub start: Vec<DVec3>,
    /// Dihedral angles of the tetrahedra of a solid; `None` for a cloth.
    pub quality: Option<TetQuality>,
}

impl Elastic {
    /// From its parts, which fit together: masses, start and elasticity have an entry for each vertex of the mesh.
    pub fn new(parts: ElasticParts) -> Self {
        let ElasticParts { kind, mesh, masses, elasticity, damping, thickness, pins, start, quality } = parts;
        let mut pinned = vec![None; masses.len()];
        for (group, own) in pins.iter().enumerate() {
            own.vertices.iter().for_each(|vertex| pinned[*vertex as usize] = Some(group as u32));
        }
        let incidence = Incidence::new(mesh.data());
        let parts =
            Parts { kind, mesh, incidence, masses, elasticity, damping, thickness, pins, start, pinned, quality };
        Self { parts: Arc::new(parts) }
    }

    /// Cloth or solid.
    pub fn kind(&self) -> ElasticKind {
        self.parts.kind
    }

    /// Its surface at rest, in the body's frame.
    #[inline]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.parts.mesh
    }

    /// Which triangles meet at each vertex.
    #[inline]
    pub fn incidence(&self) -> &Incidence {
        &self.parts.incidence
    }

    /// Masses of the vertices, kg.
    #[inline]
    pub fn masses(&self) -> &[f64] {
        &self.parts.masses
    }

    /// Its energy.
    #[inline]
    pub fn elasticity(&self) -> &Elasticity {
        &self.parts.elasticity
    }

    /// Its damping.
    #[inline]
    pub fn damping(&self) -> Damping {
        self.parts.damping
    }

    /// Dihedral angles of the tetrahedra of a solid; `None` for a cloth.
    pub fn quality(&self) -> Option<TetQuality> {
        self.parts.quality
    }

    /// Distance from its vertices to where its surface touches others, m.
    #[inline]
    pub fn offset(&self) -> f64 {
        0.5 * self.parts.thickness
    }

    /// The vertices as they start, in the world.
    pub fn start(&self) -> &[DVec3] {
        &self.parts.start
    }

    /// Whether a vertex is held or carried.
    #[inline]
    pub fn is_pinned(&self, vertex: usize) -> bool {
        self.parts.pinned[vertex].is_some()
    }

    /// Whether any vertex is.
    pub fn has_pins(&self) -> bool {
        !self.parts.pins.is_empty()
    }

    /// Whether a bone carries some of its vertices: then its motion brings energy in.
    pub fn has_bones(&self) -> bool {
        self.parts.pins.iter().any(|pins| pins.bone.is_some())
    }

    /// Where a pinned vertex is at time t; `None` for one that is free.
    pub fn pinned_position(&self, vertex: usize, t: f64) -> Option<DVec3> {
        let start = self.parts.start[vertex];
        let group = self.parts.pinned[vertex]?;
        Some(match &self.parts.pins[group as usize].bone {
            None => start,
            Some(bone) => bone.pose(t).apply(bone.pose(0.0).unapply(start)),
        })
    }

    /// Its mass, kg, pinned vertices included.
    pub fn mass(&self) -> f64 {
        self.parts.masses.iter().sum()
    }

    /// A state with these positions and velocities. Its frame is the rigid motion nearest to theirs, weighted by the masses: it has the momentum of the body.
    pub fn state_of(&self, positions: Vec<DVec3>, velocities: Vec<DVec3>) -> MeshState {
        let rest = &self.parts.mesh.data().vertices;
        let points = Points { rest, positions: &positions, velocities: &velocities };
        let frame = fit(points, |i| self.parts.masses[i]);
        MeshState { frame, positions, velocities }
    }

    /// Kinetic energy of its vertices, J.
    pub fn kinetic_energy(&self, at: &MeshState) -> f64 {
        let own = |(mass, v): (&f64, &DVec3)| 0.5 * mass * v.length_squared();
        self.parts.masses.iter().zip(&at.velocities).map(own).sum()
    }

    /// Its centre of mass.
    pub fn centre_of_mass(&self, at: &MeshState) -> DVec3 {
        self.parts.masses.iter().zip(&at.positions).map(|(mass, x)| *x * *mass).sum::<DVec3>() / self.mass()
    }
}
