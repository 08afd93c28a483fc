//! `contacts.csv`: what every contact did, a row a contact and step, written as the steps come.
//!
//! The rows of a step go to a log at once, so that nothing is held in memory; the log is copied to its place when the run is over. `t` is the end of the step,
//! `id` names the contact: the numbers of its bodies in the order of `trajectory.csv`, and the corner (c), edge (e), face (f) or second crossing of an edge (x) that touches on each. The
//! normal n points from B to A, b = n × t. Impulses and forces act on A, along n, t, b and about n; forces are impulses over the length of the step. So
//! Σ (n impulse_n + t impulse_t + b impulse_b) over the contacts of a body, negative where it is B, is the change of its momentum less that by gravity, joints and damping.
//! Numbers have as many digits as it takes to read back the same f64.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use super::file::PendingFile;
use super::trajectory::quoted;
use crate::contact::{ContactName, ContactRecord};

/// Name of the log, beside a checkpoint.
pub const CONTACT_LOG: &str = "contacts.log";

/// First line of the file.
const HEADER: &str = "t,id,a,b,x,y,z,nx,ny,nz,tx,ty,tz,gap,impulse_n,impulse_t,impulse_b,impulse_spin,force_n,force_t,force_b,force_spin,\
                      slip_t,slip_b,slip_spin,state,law,mu_t,mu_b\n";

/// The rows so far.
#[derive(Debug)]
pub struct ContactTable {
    file: File,
    path: PathBuf,
    /// Length of what is written.
    bytes: u64,
    /// Names of the bodies, as they stand in the table.
    names: Vec<String>,
    /// The text of one step, kept from step to step.
    text: Vec<u8>,
}

impl ContactTable {
    /// In a file without a name, for a run that has no folder.
    pub fn temporary<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, RecordError> {
        let path = std::env::temp_dir();
        let file = tempfile::tempfile_in(&path).map_err(|source| RecordError::Write { path: path.clone(), source })?;
        Self::begin(file, path, names.into_iter().map(quoted).collect())
    }

    /// The same table from its first row, in a new file; one that is there is emptied. Folders that are missing are made.
    pub fn moved_to(self, path: &Path) -> Result<Self, RecordError> {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path);
        let file = made.and_then(|()| open()).map_err(|source| RecordError::Write { path: path.to_owned(), source })?;
        Self::begin(file, path.to_owned(), self.names)
    }

    /// The first rows of a table in a file that may have more, which are cut off.
    pub fn resumed(self, path: &Path, bytes: u64) -> Result<Self, RecordError> {
        let refused = |source| RecordError::Write { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(refused)?;
        let length = file.metadata().map_err(refused)?.len();
        if length < bytes {
            let reason = format!("it has {length} bytes instead of {bytes}");
            return Err(refused(io::Error::new(io::ErrorKind::InvalidData, reason)));
        }
        file.set_len(bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(refused)?;
        Ok(Self { file, path: path.to_owned(), bytes, ..self })
    }

    fn begin(file: File, path: PathBuf, names: Vec<String>) -> Result<Self, RecordError> {
        let mut table = Self { file, path, bytes: 0, names, text: HEADER.as_bytes().to_vec() };
        table.append()?;
        Ok(table)
    }

    /// Adds the rows of a step of length dt that ended at t.
    pub fn write(&mut self, t: f64, dt: f64, records: &[ContactRecord]) -> Result<(), RecordError> {
        self.text.clear();
        for record in records {
            row(&mut self.text, &self.names, t, dt, record).map_err(|source| self.refusal(source))?;
        }
        self.append()
    }

    fn append(&mut self) -> Result<(), RecordError> {
        self.file.write_all(&self.text).map_err(|source| self.refusal(source))?;
        self.bytes += self.text.len() as u64;
        Ok(())
    }

    /// Makes sure that all rows are on disk; answers with their length.
    pub fn sync(&self) -> Result<u64, RecordError> {
        self.file.sync_all().map_err(|source| self.refusal(source))?;
        Ok(self.bytes)
    }

    /// Copies the table to its place.
    pub fn copy_to(&self, path: &Path) -> Result<(), RecordError> {
        let mut to = PendingFile::create(path)?;
        let mut from = &self.file;
        let copied = from
            .seek(SeekFrom::Start(0))
            .and_then(|_| io::copy(&mut from.take(self.bytes), &mut to))
            .and_then(|_| (&self.file).seek(SeekFrom::Start(self.bytes)));
        copied.map_err(|source| self.refusal(source))?;
        to.finish()
    }

    fn refusal(&self, source: io::Error) -> RecordError {
        RecordError::Write { path: self.path.clone(), source }
    }
}

fn row(text: &mut Vec<u8>, names: &[String], t: f64, dt: f64, record: &ContactRecord) -> io::Result<()> {
    let ContactName { pair, .. } = record.name;
    let [a, b] = pair.map(|body| names.get(body as usize).map_or("", String::as_str));
    write!(text, "{t:?},{},{a},{b}", record.name)?;
    let (p, n, tangent, second) = (record.point, record.frame.normal(), record.frame.t(), record.frame.b());
    let r = [n, tangent, second].map(|axis| record.impulse.dot(axis));
    let impulses = [r[0], r[1], r[2], record.angular_impulse.dot(n)];
    let slip = [record.slip.plane.x, record.slip.plane.y, record.slip.spin];
    let geometry = [p.x, p.y, p.z, n.x, n.y, n.z, tangent.x, tangent.y, tangent.z, record.gap];
    for value in geometry.into_iter().chain(impulses).chain(impulses.map(|r| r / dt)).chain(slip) {
        write!(text, ",{value:?}")?;
    }
    writeln!(text, ",{},{},{:?},{:?}", record.grip().name(), record.law, record.mu[0], record.mu[1])
}
