//! The elastic energies of one body.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::elements::{self, Elements};
use super::error::ElasticError;
use super::lame::Lame;
use super::rest;
use super::sheet::bending::{self, Bending};
use super::sheet::membrane::{self, Membrane};
use super::sheet::strain_limit::{self, StrainLimit};
use super::solid::SolidEnergy;
use super::spring::{self, Springs};

/// Elastic energies of one body over the places of its vertices: groups of elements, in the order in which they were
/// added.
///
/// Lists of places (`rest`, `x`) have one entry for each vertex. Adding elements checks them and changes nothing if it
/// fails. Clones share the elements.
#[derive(Clone, Debug)]
pub struct Elasticity {
    vertices: usize,
    groups: Vec<Arc<dyn Elements>>,
}

impl Elasticity {
    /// Of a body with this many vertices, without energy yet.
    pub fn new(vertices: usize) -> Self {
        Self { vertices, groups: Vec::new() }
    }

    /// Adds linear tetrahedra: cheap, but too stiff in bending unless the mesh is fine.
    pub fn add_solid(
        &mut self,
        rest: &[DVec3],
        tets: &[[u32; 4]],
        energy: SolidEnergy,
        lame: Lame,
    ) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        let points = rest::linear_tets(rest, tets)?;
        self.groups.push(energy.elements(tets, points, lame));
        Ok(())
    }

    /// Adds quadratic tetrahedra: four corners, then the nodes on the edges 01, 12, 20, 03, 13, 23.
    pub fn add_quadratic_solid(
        &mut self,
        rest: &[DVec3],
        tets: &[[u32; 10]],
        energy: SolidEnergy,
        lame: Lame,
    ) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        let points = rest::quadratic_tets(rest, tets)?;
        self.groups.push(energy.elements(tets, points, lame));
        Ok(())
    }

    /// Adds triangles that resist stretching and shearing. `uvs`, one for each vertex, give the warp: the direction in
    /// which u grows and v does not; with an empty list it is along the first edge of each triangle. Lengths come from
    /// the rest shape alone.
    pub fn add_membrane(
        &mut self,
        rest: &[DVec3],
        uvs: &[DVec2],
        triangles: &[[u32; 3]],
        membrane: Membrane,
    ) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        self.groups.push(Arc::new(membrane::elements(rest, uvs, triangles, membrane)?));
        Ok(())
    }

    /// Adds the resistance of all inner edges to bending. `uvs` may be empty if the stiffness is the same in all
    /// directions.
    pub fn add_bending(
        &mut self,
        rest: &[DVec3],
        uvs: &[DVec2],
        triangles: &[[u32; 3]],
        bending: Bending,
    ) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        self.groups.push(Arc::new(bending::elements(rest, uvs, triangles, bending)?));
        Ok(())
    }

    /// Adds springs between pairs of vertices.
    pub fn add_springs(&mut self, rest: &[DVec3], ends: &[[u32; 2]], springs: Springs) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        self.groups.push(Arc::new(spring::elements(rest, ends, springs)?));
        Ok(())
    }

    /// Adds triangles that resist any stretch beyond a limit.
    pub fn add_strain_limits(
        &mut self,
        rest: &[DVec3],
        triangles: &[[u32; 3]],
        limit: StrainLimit,
    ) -> Result<(), ElasticError> {
        self.check_count(rest)?;
        self.groups.push(Arc::new(strain_limit::elements(rest, triangles, limit)?));
        Ok(())
    }

    fn check_count(&self, rest: &[DVec3]) -> Result<(), ElasticError> {
        if rest.len() == self.vertices {
            Ok(())
        } else {
            Err(ElasticError::Count { name: "rest", count: rest.len(), expected: self.vertices })
        }
    }

    /// How many vertices the body has.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many elements there are, of all kinds.
    pub fn elements(&self) -> usize {
        self.groups.iter().map(|group| group.count()).sum()
    }

    /// Energy in J. Infinite where an energy does not allow the places.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        self.groups.iter().map(|group| elements::total_energy(&**group, x)).sum()
    }

    /// out += ∂E/∂x in N; the elastic force is its negative.
    pub fn add_gradient(&self, x: &[DVec3], out: &mut [DVec3]) {
        for group in &self.groups {
            elements::add_gradients(&**group, x, out);
        }
    }

    /// The vertices of each element, in a fixed order.
    pub fn stencils(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.groups.iter().flat_map(|group| group.stencils().chunks_exact(group.nodes()))
    }

    /// Length of what [`Elasticity::hessians`] writes.
    pub fn hessians_len(&self) -> usize {
        self.groups.iter().map(|group| group.count() * group.hessian_len()).sum()
    }

    /// Second derivatives of the energies of all elements in N/m, in the order of the stencils: each a symmetric matrix
    /// over the coordinates of its k vertices, 3k × 3k values column by column. With `project` each is positive
    /// semidefinite, and the same where it is so anyway (but for bending, see [`Bending`]).
    pub fn hessians(&self, x: &[DVec3], project: bool, out: &mut Vec<f64>) {
        out.resize(self.hessians_len(), 0.0);
        let mut rest = out.as_mut_slice();
        for group in &self.groups {
            let (own, others) = rest.split_at_mut(group.count() * group.hessian_len());
            elements::all_hessians(&**group, x, project, own);
            rest = others;
        }
    }
}
