//! The vertices of a state, in binary: exact, and a third of the bytes of text.
//!
//! A file is the eight letters `asp-mesh`, the number of meshes (u32), then for each mesh the number of its body (u32), that of its vertices (u64), and their positions and
//! velocities (f64), little-endian. Meshes that an elastic matrix was made for follow, then those of the step before, with numbers after those of all bodies. There are two such files, written in turns: the one that the checkpoint in place refers to is never touched, so that a run
//! that is killed while it writes keeps it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{CheckpointError, Reader, write_numbers};
use crate::body::{Body, BodyState, MeshState};
use crate::record::write_file;
use crate::world::State;

/// Names of the files.
pub(super) const FILES: [&str; 2] = ["vertices-0.bin", "vertices-1.bin"];

/// How a file begins.
const MAGIC: &[u8; 8] = b"asp-mesh";

/// The file that belongs to a checkpoint.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeshFile {
    /// Its number in [`FILES`].
    file: usize,
    bytes: u64,
}

/// Writes the meshes of a state into the file that the last checkpoint does not use, and puts their rigid motions into the state in their place, which JSON can hold. `None`
/// if nothing deforms.
pub(super) fn detach(
    state: &mut State,
    folder: &Path,
    last: Option<MeshFile>,
) -> Result<Option<MeshFile>, CheckpointError> {
    let mut bytes = Vec::new();
    let mut count = 0u32;
    for (number, body) in all_bodies(state).enumerate() {
        let BodyState::Mesh(mesh) = body else { continue };
        bytes.extend_from_slice(&(number as u32).to_le_bytes());
        bytes.extend_from_slice(&(mesh.positions.len() as u64).to_le_bytes());
        write_numbers(mesh.positions.iter().chain(&mesh.velocities).flat_map(|x| x.to_array()), &mut bytes);
        count += 1;
        *body = BodyState::Rigid(mesh.frame);
    }
    if count == 0 {
        return Ok(None);
    }
    let head = MAGIC.iter().copied().chain(count.to_le_bytes());
    bytes.splice(0..0, head);
    let file = last.map_or(0, |last| (last.file + 1) % FILES.len());
    write_file(folder.join(FILES[file]), &bytes)?;
    Ok(Some(MeshFile { file, bytes: bytes.len() as u64 }))
}

/// The bodies of a state, those that a matrix was made for, those of the step before.
fn all_bodies(state: &mut State) -> impl Iterator<Item = &mut BodyState> {
    let linearised = state.linearised.iter_mut().flat_map(|own| &mut own.bodies);
    let before = state.barrier.iter_mut().flat_map(|own| &mut own.bodies);
    state.bodies.iter_mut().chain(linearised).chain(before)
}

/// A mesh in a file.
struct StoredMesh {
    body: usize,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

/// Puts the meshes of a file back into a state. Refuses a file that is missing, cut short, or of other bodies than the scene has.
pub(super) fn attach(
    state: &mut State,
    bodies: &[Body],
    folder: &Path,
    file: Option<MeshFile>,
) -> Result<(), CheckpointError> {
    let found = file.map_or(Ok(Vec::new()), |file| read_file(folder, file))?;
    let linearised = state.linearised.as_ref().map_or(0, |own| own.bodies.len());
    let before = state.barrier.as_ref().map_or(0, |own| own.bodies.len());
    let all = bodies.len() + linearised + before;
    let vertices = |i: usize| bodies[i % bodies.len()].mesh().map(|mesh| mesh.data().vertices.len());
    let deforming = (0..all).filter(|&i| vertices(i).is_some());
    let fits = |mesh: &StoredMesh| vertices(mesh.body) == Some(mesh.positions.len());
    let whole = [linearised, before].iter().all(|count| *count == 0 || *count == bodies.len());
    if !whole || !deforming.eq(found.iter().map(|mesh| mesh.body)) || !found.iter().all(fits) {
        return Err(CheckpointError::Format {
            path: folder.join(super::SMALL),
            reason: "its meshes are not those of the scene".into(),
        });
    }
    let mut places: Vec<&mut BodyState> = all_bodies(state).collect();
    for StoredMesh { body, positions, velocities } in found {
        let frame = *places[body].frame();
        *places[body] = BodyState::Mesh(Arc::new(MeshState { frame, positions, velocities }));
    }
    Ok(())
}

fn read_file(folder: &Path, file: MeshFile) -> Result<Vec<StoredMesh>, CheckpointError> {
    let name = FILES.get(file.file).ok_or_else(|| CheckpointError::Format {
        path: folder.join(super::SMALL),
        reason: format!("there is no file of vertices with the number {}", file.file),
    })?;
    let path = folder.join(name);
    let format = |reason: String| CheckpointError::Format { path: path.clone(), reason };
    let bytes = fs::read(&path).map_err(|source| CheckpointError::Io { path: path.clone(), source })?;
    if bytes.len() as u64 != file.bytes {
        return Err(format(format!("it has {} bytes instead of {}", bytes.len(), file.bytes)));
    }
    read(&bytes).ok_or_else(|| format("it does not hold the meshes that it says it does".into()))
}

fn read(bytes: &[u8]) -> Option<Vec<StoredMesh>> {
    let mut reader = Reader(bytes);
    if reader.take()? != *MAGIC {
        return None;
    }
    let count = u32::from_le_bytes(reader.take()?);
    let mesh = |reader: &mut Reader| {
        let (body, vertices) = (u32::from_le_bytes(reader.take()?) as usize, reader.count()?);
        // Nothing is allocated for more than what is there.
        if vertices > reader.0.len() / 48 {
            return None;
        }
        let mut list = || (0..vertices).map(|_| reader.vector()).collect::<Option<Vec<DVec3>>>();
        Some(StoredMesh { body, positions: list()?, velocities: list()? })
    };
    let meshes = (0..count).map(|_| mesh(&mut reader)).collect::<Option<_>>()?;
    reader.0.is_empty().then_some(meshes)
}
