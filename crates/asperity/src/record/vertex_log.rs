//! The vertices of bodies that deform, frame after frame, in a file.
//!
//! 100,000 vertices in 1000 frames are gigabytes: they are written as frames come and read back one frame at a time, so that a run and its writers hold two
//! frames at most. Every frame has the same number of bytes, so that frame k begins at k times that number: for each body that deforms its positions in the
//! world (3 f64 a vertex, exact, so that exports lose nothing) and its velocities (3 f32 a vertex: they are only shown, and 7 digits are more than a colour
//! has), little-endian, 36 bytes a vertex.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::{DVec3, Vec3};

use super::error::{RecordError, finite_all};

/// Name of the file in the folder of a run.
pub const VERTEX_LOG: &str = "vertices.log";

/// Bytes of a vertex in a frame.
const VERTEX: usize = 3 * size_of::<f64>() + 3 * size_of::<f32>();

/// The vertices of one body that deforms, at one moment, in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFrame {
    /// Number of the body.
    pub body: usize,
    /// Positions, m.
    pub positions: Vec<DVec3>,
    /// Velocities, m/s; rounded to f32 when they are recorded.
    pub velocities: Vec<DVec3>,
}

impl MeshFrame {
    /// Goes a fraction of the way to another moment of the same body.
    pub(super) fn approach(&mut self, other: &Self, fraction: f64) {
        let lists = [(&mut self.positions, &other.positions), (&mut self.velocities, &other.velocities)];
        for (own, other) in lists {
            own.iter_mut().zip(other).for_each(|(a, b)| *a = a.lerp(*b, fraction));
        }
    }
}

/// How many vertices a body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshSize {
    pub(super) body: usize,
    pub(super) vertices: usize,
}

/// Refuses a frame with other bodies or numbers of vertices, and numbers that are not finite.
pub(super) fn check(number: usize, meshes: &[MeshFrame], sizes: &[MeshSize]) -> Result<(), RecordError> {
    let length = |place: String, what, expected: usize, found: usize| {
        if expected == found { Ok(()) } else { Err(RecordError::Length { place, what, expected, found }) }
    };
    length(format!("frame {number}"), "meshes", sizes.len(), meshes.len())?;
    for (mesh, size) in meshes.iter().zip(sizes) {
        let place = || format!("frame {number}, body {}", size.body);
        if mesh.body != size.body {
            let (what, number, count) = ("a mesh of body", mesh.body as u32, sizes.len());
            return Err(RecordError::Number { place: place(), what, number, count });
        }
        length(place(), "positions", size.vertices, mesh.positions.len())?;
        length(place(), "velocities", size.vertices, mesh.velocities.len())?;
        mesh.positions.iter().try_for_each(|x| finite_all(x.to_array(), "the position of a vertex", place))?;
        // Beyond 10³⁸ m/s f32 ends.
        let stored = |v: &DVec3| v.as_vec3().as_dvec3().to_array();
        mesh.velocities.iter().try_for_each(|v| finite_all(stored(v), "the velocity of a vertex", place))?;
    }
    Ok(())
}

/// A file of frames.
#[derive(Debug)]
pub(super) struct VertexLog {
    file: Mutex<File>,
    /// For messages; the folder of a temporary file.
    path: PathBuf,
    meshes: Vec<MeshSize>,
    /// The bytes of a frame, kept from frame to frame.
    bytes: Vec<u8>,
}

impl VertexLog {
    /// In a file without a name, which is gone with the recording.
    pub(super) fn temporary(meshes: Vec<MeshSize>) -> Result<Self, RecordError> {
        let path = std::env::temp_dir();
        match tempfile::tempfile_in(&path) {
            Ok(file) => Ok(Self { file: Mutex::new(file), path, meshes, bytes: Vec::new() }),
            Err(source) => Err(RecordError::Write { path, source }),
        }
    }

    /// In a new file; one that is there is emptied. Folders that are missing are made.
    pub(super) fn create(path: &Path, meshes: Vec<MeshSize>) -> Result<Self, RecordError> {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path);
        match made.and_then(|()| open()) {
            Ok(file) => Ok(Self { file: Mutex::new(file), path: path.to_owned(), meshes, bytes: Vec::new() }),
            Err(source) => Err(RecordError::Write { path: path.to_owned(), source }),
        }
    }

    /// A file that holds at least this many frames; the rest is cut off.
    pub(super) fn open(path: &Path, meshes: Vec<MeshSize>, frames: usize) -> Result<Self, RecordError> {
        let refused = |source| RecordError::Read { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(refused)?;
        let log = Self { file: Mutex::new(file), path: path.to_owned(), meshes, bytes: Vec::new() };
        let (length, expected) = (log.file().metadata().map_err(refused)?.len(), log.offset(frames));
        if length < expected {
            let reason = format!("it has {length} bytes instead of {expected} for {frames} frames");
            return Err(refused(io::Error::new(io::ErrorKind::UnexpectedEof, reason)));
        }
        log.file().set_len(expected).map_err(refused)?;
        Ok(log)
    }

    /// Writes a frame into its place.
    pub(super) fn write(&mut self, frame: usize, meshes: &[MeshFrame]) -> Result<(), RecordError> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        for mesh in meshes {
            mesh.positions.iter().flat_map(|x| x.to_array()).for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            let velocities = mesh.velocities.iter().flat_map(|v| v.as_vec3().to_array());
            velocities.for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
        }
        let offset = self.offset(frame);
        let mut file = self.file();
        let written = file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(&bytes));
        drop(file);
        self.bytes = bytes;
        written.map_err(|source| RecordError::Write { path: self.path.clone(), source })
    }

    /// Reads a frame.
    pub(super) fn read(&self, frame: usize) -> Result<Vec<MeshFrame>, RecordError> {
        let mut bytes = vec![0; self.frame_bytes()];
        let offset = self.offset(frame);
        let mut file = self.file();
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        drop(file);
        read.map_err(|source| RecordError::Read { path: self.path.clone(), source })?;
        let mut rest = bytes.as_slice();
        let mesh = |size: &MeshSize| {
            let (own, others) = rest.split_at(size.vertices * VERTEX);
            rest = others;
            let (positions, velocities) = own.split_at(size.vertices * 3 * size_of::<f64>());
            MeshFrame {
                body: size.body,
                positions: triples(positions, f64::from_le_bytes).map(DVec3::from_array).collect(),
                velocities: triples(velocities, f32::from_le_bytes).map(|v| Vec3::from_array(v).as_dvec3()).collect(),
            }
        };
        Ok(self.meshes.iter().map(mesh).collect())
    }

    /// Waits until all is on the disk.
    pub(super) fn sync(&self) -> Result<(), RecordError> {
        self.file().sync_data().map_err(|source| RecordError::Write { path: self.path.clone(), source })
    }

    /// The file. A thread that panicked while it held it left no more behind than a wrong place to read at, and every access begins with a seek.
    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn frame_bytes(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertices * VERTEX).sum()
    }

    fn offset(&self, frame: usize) -> u64 {
        frame as u64 * self.frame_bytes() as u64
    }
}

/// Numbers of N bytes, three by three.
fn triples<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> impl Iterator<Item = [T; 3]> {
    let (chunks, _) = bytes.as_chunks::<N>();
    let (threes, _) = chunks.as_chunks::<3>();
    threes.iter().map(move |three| three.map(number))
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::{Scratch, body, frame};
    use super::super::{Deforming, Frame, RecordedBody, Recording};
    use super::*;
    use crate::geometry::Aabb;

    fn recording() -> Recording {
        let deforming = Some(Deforming { vertices: 4, line_triangles: Vec::new() });
        let bodies = vec![body("rigid"), RecordedBody { deforming, ..body("cloth") }];
        Recording::new(bodies).unwrap()
    }

    fn moment(t: f64) -> Frame {
        let at = |i: i32| DVec3::new(f64::from(i) + 0.1, t, 1.0 / 3.0);
        let positions: Vec<DVec3> = (0..4).map(at).collect();
        let mesh = MeshFrame { body: 1, velocities: vec![DVec3::new(0.5, 0.0, -2.0); 4], positions };
        Frame { meshes: vec![mesh], ..frame(t, &[DVec3::ZERO, DVec3::X]) }
    }

    #[test]
    fn vertices_are_on_disk_and_read_back_exactly() {
        let mut recording = recording();
        (0..5).for_each(|i| recording.push(moment(f64::from(i))).unwrap());
        assert!(recording.frames().iter().all(|frame| frame.meshes.is_empty()), "none is held in memory");
        for i in [3, 0, 4] {
            assert_eq!(recording.frame(i).unwrap(), moment(i as f64));
        }
        let between = recording.at(1.25).unwrap();
        assert_eq!(between.meshes[0].positions[2], DVec3::new(2.1, 1.25, 1.0 / 3.0));
        assert_eq!(recording.at(9.0).unwrap(), moment(4.0));
        assert_eq!(recording.boxes(2)[0], Aabb::of(moment(2.0).meshes[0].positions.iter().copied()));
    }

    #[test]
    fn a_log_is_moved_reopened_and_cut() {
        let scratch = Scratch::new("vertex-log");
        let path = scratch.path("deep/vertices.log");
        let mut first = recording();
        (0..2).for_each(|i| first.push(moment(f64::from(i))).unwrap());
        first.keep_vertices(&path).unwrap();
        first.push(moment(2.0)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 3 * 4 * VERTEX as u64);
        let mut again = recording();
        again.restore(first.frames()[..2].to_vec(), &path).unwrap();
        assert_eq!(again.frame(1).unwrap(), moment(1.0));
        assert_eq!(fs::metadata(&path).unwrap().len(), 2 * 4 * VERTEX as u64);
        assert!(matches!(first.frame(2), Err(RecordError::Read { .. })), "the other has lost its last frame");
        fs::write(&path, [0; 100]).unwrap();
        let error = recording().restore(first.frames()[..2].to_vec(), &path).unwrap_err().to_string();
        assert!(error.contains("vertices.log") && error.contains("100 bytes"), "{error}");
        assert!(matches!(recording().restore(Vec::new(), &scratch.path("no")), Err(RecordError::Read { .. })));
    }

    #[test]
    fn meshes_that_do_not_fit_are_refused_with_the_place() {
        let mut recording = recording();
        let refused = |recording: &mut Recording, frame| recording.push(frame).unwrap_err().to_string();
        let bare = Frame { meshes: Vec::new(), ..moment(0.0) };
        assert!(refused(&mut recording, bare).contains("meshes"));
        let mut odd = moment(0.0);
        odd.meshes[0].positions.pop();
        assert!(refused(&mut recording, odd).contains("positions"));
        let mut odd = moment(0.0);
        odd.meshes[0].body = 0;
        assert!(refused(&mut recording, odd).contains("a mesh of body 0"));
        let mut odd = moment(0.0);
        odd.meshes[0].velocities[3].x = 1e200;
        let message = refused(&mut recording, odd);
        assert!(message.contains("velocity of a vertex") && message.contains("body 1"), "{message}");
        assert!(recording.frames().is_empty());
    }
}
