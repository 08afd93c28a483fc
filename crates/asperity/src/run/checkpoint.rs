//! Checkpoints: all of a run up to a step, from which it goes on to the same bytes.
//!
//! Two files. `run.log` grows: the frames and rows of each checkpoint are added at its end. `checkpoint.json` is small and replaced as a whole:
//! the state, the figures, and how much of the log belongs to it. A run that is killed while it writes leaves a log that is longer than
//! its checkpoint says; the rest is cut off when it is resumed.
//!
//! Bodies that deform add two kinds of file: `vertices.log`, to which their recorded vertices are streamed as the run goes on, and the vertices of the
//! state in binary ([`meshes`]). A scene that asks for `contacts.csv` adds `contacts.log`, to which its rows are streamed.
//!
//! The log is a sequence of records of little-endian numbers: a frame is `F`, t, the number of forces, 13 numbers a body, the two bodies and 12 numbers a force; a row
//! of a step is `S` and the numbers of its columns.

mod meshes;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::figures::Figures;
use super::{Run, RunError};
use crate::contact::ContactForce;
use crate::geometry::Pose;
use crate::record::{CONTACT_LOG, ContactTable, Frame, FrameState, StepRow, Totals, VERTEX_LOG, write_file};
use crate::scene::Scene;
use crate::world::State;

/// Name of the small file.
const SMALL: &str = "checkpoint.json";
/// Version of the files. 8: the state has the step before, for rules of the second order.
const VERSION: u32 = 8;
/// Name of the log.
const LOG: &str = "run.log";

/// Why a run cannot be resumed, or a checkpoint not written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system says no.
    #[error("'{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// The file is not a checkpoint.
    #[error("'{}' is no checkpoint: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It belongs to another scene, or to this one before it was changed.
    #[error("'{}' is of another scene, or the scene has changed since: run without --resume to begin again", path.display())]
    OtherScene {
        /// The file.
        path: PathBuf,
    },
    /// The state in it cannot be recorded.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It cannot be written.
    #[error(transparent)]
    Record(#[from] crate::record::RecordError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    asperity_checkpoint: u32,
    scene: String,
    log_bytes: u64,
    /// Length of the table of contacts; 0 if there is none.
    #[serde(default)]
    contact_bytes: u64,
    /// Bodies that deform are rigid here: their vertices are in this file.
    meshes: Option<meshes::MeshFile>,
    state: State,
    totals: Totals,
    figures: Figures,
    seconds: f64,
}

/// Writes the checkpoints of a run into a folder.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    /// What the scene is known by.
    scene: String,
    /// What is in the log already.
    frames: usize,
    rows: usize,
    bytes: u64,
    /// The vertices of the state that the checkpoint holds.
    meshes: Option<meshes::MeshFile>,
}

/// A run that goes on, and its checkpoint.
pub struct Resumed {
    /// The run, where the checkpoint left it.
    pub run: Run,
    /// What goes on to write its checkpoints.
    pub checkpoint: Checkpoint,
}

impl Checkpoint {
    /// For a run from its start. `scene` is what the scene is known by: the text that it was read from. Files of an older checkpoint are removed. The vertices
    /// of bodies that deform are recorded in the folder from now on.
    pub fn begin(folder: &Path, scene: &str, run: &mut Run) -> Result<Self, CheckpointError> {
        let (folder, scene) = (folder.to_owned(), fingerprint(scene));
        let checkpoint = Self { folder, scene, frames: 0, rows: 0, bytes: 0, meshes: None };
        checkpoint.remove()?;
        run.recording.keep_vertices(&checkpoint.folder.join(VERTEX_LOG))?;
        let log = checkpoint.folder.join(CONTACT_LOG);
        run.contacts = run.contacts.take().map(|table| table.moved_to(&log)).transpose()?;
        Ok(checkpoint)
    }

    /// Whether a folder holds a checkpoint.
    pub fn exists(folder: &Path) -> bool {
        folder.join(SMALL).is_file()
    }

    /// The run of a scene where the checkpoint in a folder left it.
    pub fn resume(folder: &Path, text: &str, scene: Scene) -> Result<Resumed, CheckpointError> {
        let path = folder.join(SMALL);
        let bytes = fs::read(&path).map_err(|source| CheckpointError::Io { path: path.clone(), source })?;
        let format = |reason: String| CheckpointError::Format { path: path.clone(), reason };
        let mut stored: Stored = serde_json::from_slice(&bytes).map_err(|error| format(error.to_string()))?;
        if stored.asperity_checkpoint != VERSION {
            return Err(format(format!("its version is {}, not {VERSION}", stored.asperity_checkpoint)));
        }
        let name = fingerprint(text);
        let mut run = Run::new(scene)?;
        if stored.scene != name || stored.state.bodies.len() != run.scene.model.bodies.len() {
            return Err(CheckpointError::OtherScene { path });
        }
        meshes::attach(&mut stored.state, &run.scene.model.bodies, folder, stored.meshes)?;
        let log = folder.join(LOG);
        let refused = |source| CheckpointError::Io { path: log.clone(), source };
        let mut file = OpenOptions::new().read(true).write(true).open(&log).map_err(refused)?;
        let length = file.metadata().map_err(refused)?.len();
        if length < stored.log_bytes {
            return Err(format(format!("{LOG} has {length} bytes instead of {}", stored.log_bytes)));
        }
        file.set_len(stored.log_bytes).map_err(refused)?;
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(refused)?;
        let bodies = run.scene.model.bodies.len();
        let Log { frames, rows } = read_log(&bytes, bodies).ok_or_else(|| CheckpointError::Format {
            path: log.clone(),
            reason: "a record is cut short or of no known kind".into(),
        })?;
        run.recording = run.recording.emptied();
        run.recording.restore(frames, &folder.join(VERTEX_LOG)).map_err(RunError::from)?;
        let contact_log = folder.join(CONTACT_LOG);
        let resumed = |table: ContactTable| table.resumed(&contact_log, stored.contact_bytes);
        run.contacts = run.contacts.take().map(resumed).transpose()?;
        run.rows = rows;
        (run.state, run.totals, run.figures, run.seconds) =
            (stored.state, stored.totals, stored.figures, stored.seconds);
        let checkpoint = Self {
            folder: folder.to_owned(),
            scene: name,
            frames: run.recording.frames().len(),
            rows: run.rows.len(),
            bytes: stored.log_bytes,
            meshes: stored.meshes,
        };
        Ok(Resumed { run, checkpoint })
    }

    /// Adds what is new to the log, then replaces the checkpoint.
    pub fn write(&mut self, run: &Run) -> Result<(), CheckpointError> {
        let log = self.folder.join(LOG);
        let refused = |source| CheckpointError::Io { path: log.clone(), source };
        fs::create_dir_all(&self.folder).map_err(refused)?;
        let mut bytes = Vec::new();
        run.recording.frames()[self.frames..].iter().for_each(|frame| write_frame(frame, &mut bytes));
        run.rows[self.rows..].iter().for_each(|row| write_row(row, &mut bytes));
        let mut file: File = OpenOptions::new().create(true).truncate(false).write(true).open(&log).map_err(refused)?;
        file.set_len(self.bytes)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .and_then(|_| file.write_all(&bytes))
            .and_then(|()| file.sync_all())
            .map_err(refused)?;
        run.recording.sync_vertices()?;
        let mut state = run.state.clone();
        let stored = Stored {
            asperity_checkpoint: VERSION,
            scene: self.scene.clone(),
            log_bytes: self.bytes + bytes.len() as u64,
            contact_bytes: run.contacts.as_ref().map_or(Ok(0), ContactTable::sync)?,
            meshes: meshes::detach(&mut state, &self.folder, self.meshes)?,
            state,
            totals: run.totals,
            figures: run.figures,
            seconds: run.seconds,
        };
        let path = self.folder.join(SMALL);
        let text = serde_json::to_string(&stored)
            .map_err(|error| CheckpointError::Format { path: path.clone(), reason: error.to_string() })?;
        write_file(path, text.as_bytes())?;
        (self.bytes, self.meshes) = (stored.log_bytes, stored.meshes);
        (self.frames, self.rows) = (run.recording.frames().len(), run.rows.len());
        Ok(())
    }

    /// Removes all of its files.
    pub fn remove(&self) -> Result<(), CheckpointError> {
        for name in [SMALL, LOG, VERTEX_LOG, CONTACT_LOG].into_iter().chain(meshes::FILES) {
            let path = self.folder.join(name);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(CheckpointError::Io { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// FNV-1a, 64 bits: tells scenes apart, keeps no secrets.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

fn write_numbers(values: impl IntoIterator<Item = f64>, out: &mut Vec<u8>) {
    values.into_iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

fn write_frame(frame: &Frame, out: &mut Vec<u8>) {
    out.push(b'F');
    write_numbers([frame.t], out);
    out.extend_from_slice(&(frame.forces.len() as u64).to_le_bytes());
    for state in &frame.states {
        let (x, q, v, w) = (state.pose.position, state.pose.rotation, state.velocity, state.angular_velocity);
        write_numbers([x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z], out);
    }
    for force in &frame.forces {
        force.pair.iter().for_each(|body| out.extend_from_slice(&body.to_le_bytes()));
        let vectors = [force.point, force.force, force.normal, force.slip];
        write_numbers(vectors.into_iter().flat_map(|v| v.to_array()), out);
    }
    out.extend_from_slice(&(frame.joints.len() as u64).to_le_bytes());
    frame.joints.iter().for_each(|load| write_numbers(*load, out));
}

fn write_row(row: &StepRow, out: &mut Vec<u8>) {
    out.push(b'S');
    write_numbers(row.values(), out);
}

/// What is left of a log.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn number(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        self.take().map(u64::from_le_bytes).and_then(|n| usize::try_from(n).ok())
    }

    fn vector(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn frame(&mut self, bodies: usize) -> Option<Frame> {
        let (t, forces) = (self.number()?, self.count()?);
        let state = |reader: &mut Self| {
            let position = reader.vector()?;
            let [x, y, z, w] = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
            let pose = Pose { position, rotation: DQuat::from_xyzw(x, y, z, w) };
            Some(FrameState { pose, velocity: reader.vector()?, angular_velocity: reader.vector()? })
        };
        let states = (0..bodies).map(|_| state(self)).collect::<Option<_>>()?;
        if forces > self.0.len() / 104 {
            return None;
        }
        let force = |reader: &mut Self| {
            let pair = [u32::from_le_bytes(reader.take()?), u32::from_le_bytes(reader.take()?)];
            let (point, force) = (reader.vector()?, reader.vector()?);
            Some(ContactForce { pair, point, force, normal: reader.vector()?, slip: reader.vector()? })
        };
        let forces = (0..forces).map(|_| force(self)).collect::<Option<_>>()?;
        let joints = self.count()?;
        if joints > self.0.len() / 16 {
            return None;
        }
        let joints = (0..joints).map(|_| Some([self.number()?, self.number()?])).collect::<Option<_>>()?;
        Some(Frame { t, states, forces, joints, meshes: Vec::new() })
    }

    fn row(&mut self) -> Option<StepRow> {
        let mut values = StepRow::default().values();
        for value in &mut values {
            *value = self.number()?;
        }
        Some(StepRow::from_values(values))
    }
}

/// What the log of a checkpoint holds.
#[derive(Default)]
struct Log {
    frames: Vec<Frame>,
    rows: Vec<StepRow>,
}

fn read_log(bytes: &[u8], bodies: usize) -> Option<Log> {
    let mut reader = Reader(bytes);
    let mut log = Log::default();
    while !reader.0.is_empty() {
        match reader.take::<1>()? {
            [b'F'] => log.frames.push(reader.frame(bodies)?),
            [b'S'] => log.rows.push(reader.row()?),
            _ => return None,
        }
    }
    Some(log)
}
