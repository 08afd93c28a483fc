//! FCLIB files: HDF5 with the groups of the Frictional Contact Library.
//!
//! * local: `/fclib_local/{spacedim, W, vectors/{q, mu}}`; with bilateral constraints also V, R and vectors/s;
//! * global: `/fclib_global/{spacedim, M, H, vectors/{f, w, mu}}`; with bilateral constraints also G and vectors/b;
//! * a matrix: m rows, n columns, nz, p, i, x. nz = -1: compressed columns; nz = -2: compressed rows; nz ≥ 0: that many
//!   triplets, row in i, column in p. nzmax may exceed the length of x and is not read;
//! * optional `/guesses/k/{r, u, v}` for k from 1, and `/solution/{r, u, v}`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Fault, Reason};
use super::hdf5::{Archive, length_mismatch};
use super::{CONTACT_ROWS, Csc, GlobalProblem, Guess, LocalProblem, StoredProblem};
use crate::problem::MatrixEntry;

const LOCAL: &str = "/fclib_local";
const GLOBAL: &str = "/fclib_global";

/// Reads a local or global problem; a file with both gives the local one.
///
/// No damaged file is known to make the HDF5 crate panic, but it is large, and a simulation that embeds this reader
/// must survive any file: as the last resort a panic becomes an error. (Not where panics abort.)
pub(super) fn read(bytes: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    catch_unwind(AssertUnwindSafe(|| read_archive(&Archive::open(bytes)?)))
        .unwrap_or_else(|_| Err(Fault::whole(Reason::Hdf5("the HDF5 reader panicked".to_owned()))))
}

fn read_archive(archive: &Archive) -> Result<StoredProblem, Box<Fault>> {
    if archive.has_group(LOCAL)? {
        read_local(archive).map(StoredProblem::Local)
    } else if archive.has_group(GLOBAL)? {
        read_global(archive).map(StoredProblem::Global)
    } else {
        let reason = Reason::Unrecognised("HDF5, but with neither /fclib_local nor /fclib_global");
        Err(Fault::hdf5("/", None, reason))
    }
}

fn read_local(archive: &Archive) -> Result<LocalProblem, Box<Fault>> {
    check_dimension(archive, LOCAL)?;
    refuse_bilateral(archive, LOCAL, &["V", "R"], "vectors/s")?;
    let mu = read_friction(archive, LOCAL)?;
    let size = CONTACT_ROWS * mu.len();
    let q = read_vector(archive, &format!("{LOCAL}/vectors/q"), size, THREE_A_CONTACT)?;
    let w = read_matrix(archive, &format!("{LOCAL}/W"), size, size)?;
    let guesses = read_guesses(archive, size, None)?;
    Ok(LocalProblem { w, q, mu, guesses })
}

fn read_global(archive: &Archive) -> Result<GlobalProblem, Box<Fault>> {
    check_dimension(archive, GLOBAL)?;
    refuse_bilateral(archive, GLOBAL, &["G"], "vectors/b")?;
    let mu = read_friction(archive, GLOBAL)?;
    let size = CONTACT_ROWS * mu.len();
    let w = read_vector(archive, &format!("{GLOBAL}/vectors/w"), size, THREE_A_CONTACT)?;
    let f = archive.reals(&format!("{GLOBAL}/vectors/f"))?;
    let freedoms = f.len();
    let m = read_matrix(archive, &format!("{GLOBAL}/M"), freedoms, freedoms)?;
    let h = read_matrix(archive, &format!("{GLOBAL}/H"), freedoms, size)?;
    let guesses = read_guesses(archive, size, Some(freedoms))?;
    Ok(GlobalProblem { m, h, f, w, mu, guesses })
}

const THREE_A_CONTACT: &str = "values are expected, three a contact";

fn check_dimension(archive: &Archive, problem: &str) -> Result<(), Box<Fault>> {
    let path = format!("{problem}/spacedim");
    match archive.integer(&path)? {
        3 => Ok(()),
        other => Err(Fault::hdf5(&path, None, Reason::Dimension(other))),
    }
}

/// Bilateral constraints are not read: dropping them silently would give another problem. Empty ones do no harm.
fn refuse_bilateral(archive: &Archive, problem: &str, matrices: &[&str], vector: &str) -> Result<(), Box<Fault>> {
    let refuse = |path: &str| Fault::hdf5(path, None, Reason::Unsupported("bilateral constraints".to_owned()));
    for matrix in matrices {
        let path = format!("{problem}/{matrix}");
        if archive.has_group(&path)?
            && archive.integer(&format!("{path}/m"))? != 0
            && archive.integer(&format!("{path}/n"))? != 0
        {
            return Err(refuse(&path));
        }
    }
    let path = format!("{problem}/{vector}");
    match archive.optional_reals(&path)? {
        Some(values) if !values.is_empty() => Err(refuse(&path)),
        _ => Ok(()),
    }
}

fn read_friction(archive: &Archive, problem: &str) -> Result<Vec<f64>, Box<Fault>> {
    let path = format!("{problem}/vectors/mu");
    let mu = archive.reals(&path)?;
    match mu.iter().position(|&mu| mu < 0.0) {
        Some(k) => Err(Fault::hdf5(&path, Some(k), Reason::NegativeFriction(mu[k]))),
        None => Ok(mu),
    }
}

fn read_vector(archive: &Archive, path: &str, size: usize, why: &'static str) -> Result<Vec<f64>, Box<Fault>> {
    let values = archive.reals(path)?;
    if values.len() == size { Ok(values) } else { Err(length_mismatch(path, values.len(), size, why)) }
}

/// Reads a matrix of the given size: the size is known from the vectors, so a false one allocates nothing.
fn read_matrix(archive: &Archive, path: &str, rows: usize, cols: usize) -> Result<Csc, Box<Fault>> {
    for (name, expected) in [("m", rows), ("n", cols)] {
        let path = format!("{path}/{name}");
        let found = archive.integer(&path)?;
        if found != expected as i64 {
            let why = "is expected: the vectors have that size";
            return Err(Fault::hdf5(&path, None, Reason::Mismatch { found, expected: expected.to_string(), why }));
        }
    }
    let nz_path = format!("{path}/nz");
    let nz = archive.integer(&nz_path)?;
    let (p, i) = (archive.integers(&format!("{path}/p"))?, archive.integers(&format!("{path}/i"))?);
    let x = archive.reals(&format!("{path}/x"))?;
    let stored = Stored { path, p: &p, i: &i, x: &x };
    let triplets = match nz {
        -1 => stored.compressed(cols, rows, |column, row, value| MatrixEntry { row, column, value })?,
        -2 => stored.compressed(rows, cols, |row, column, value| MatrixEntry { row, column, value })?,
        0.. => stored.triplets(nz as u64, rows, cols)?,
        _ => {
            let what = format!("nz = {nz}; -1 (columns), -2 (rows) and 0 or more (triplets) are");
            return Err(Fault::hdf5(&nz_path, None, Reason::Unsupported(what)));
        }
    };
    let matrix = Csc::from_triplets(rows, cols, &triplets).expect("the indices were checked");
    match matrix.overflow() {
        Some(value) => Err(Fault::hdf5(path, None, Reason::NotFinite(value))),
        None => Ok(matrix),
    }
}

/// The arrays of a matrix as FCLIB stores them.
struct Stored<'a> {
    path: &'a str,
    p: &'a [i64],
    i: &'a [i64],
    x: &'a [f64],
}

impl Stored<'_> {
    /// Compressed along `major`: p points at the entries of each, i is the minor index. `entry` makes an entry of a
    /// major index, a minor index and a value.
    fn compressed(
        &self,
        major: usize,
        minor: usize,
        entry: impl Fn(usize, usize, f64) -> MatrixEntry,
    ) -> Result<Vec<MatrixEntry>, Box<Fault>> {
        let path = format!("{}/p", self.path);
        if self.p.len() != major + 1 {
            return Err(length_mismatch(&path, self.p.len(), major + 1, "pointers are expected"));
        }
        let mut lowest = 0;
        for (k, &pointer) in self.p.iter().enumerate() {
            let highest = if k == 0 { 0 } else { self.x.len() as i64 };
            if pointer < lowest || pointer > highest {
                let why = "is expected: pointers rise from 0 to the length of x at most";
                let expected = format!("{lowest} to {highest}");
                return Err(Fault::hdf5(&path, Some(k), Reason::Mismatch { found: pointer, expected, why }));
            }
            lowest = pointer;
        }
        let used = lowest as usize;
        self.check_indices("i", self.i, used, minor)?;
        let mut entries = Vec::with_capacity(used);
        for k in 0..major {
            let own = self.p[k] as usize..self.p[k + 1] as usize;
            entries.extend(own.map(|e| entry(k, self.i[e] as usize, self.x[e])));
        }
        Ok(entries)
    }

    /// `count` triplets: rows in i, columns in p.
    fn triplets(&self, count: u64, rows: usize, cols: usize) -> Result<Vec<MatrixEntry>, Box<Fault>> {
        let count = count.min(usize::MAX as u64) as usize;
        if count > self.x.len() {
            return Err(length_mismatch(&format!("{}/x", self.path), self.x.len(), count, "values are expected (nz)"));
        }
        self.check_indices("i", self.i, count, rows)?;
        self.check_indices("p", self.p, count, cols)?;
        let entry = |e: usize| MatrixEntry { row: self.i[e] as usize, column: self.p[e] as usize, value: self.x[e] };
        Ok((0..count).map(entry).collect())
    }

    /// The first `used` indices exist and are below `limit`.
    fn check_indices(&self, name: &str, indices: &[i64], used: usize, limit: usize) -> Result<(), Box<Fault>> {
        let path = format!("{}/{name}", self.path);
        if indices.len() < used {
            return Err(length_mismatch(&path, indices.len(), used, "indices are expected, one for each value"));
        }
        match indices[..used].iter().position(|&index| index < 0 || index >= limit as i64) {
            Some(k) => Err(Fault::hdf5(&path, Some(k), Reason::OutOfRange { index: indices[k], limit })),
            None => Ok(()),
        }
    }
}

/// Reads `/guesses/1`, `/guesses/2`, ... and `/solution`. `freedoms` is the size of v, in a global problem.
fn read_guesses(archive: &Archive, size: usize, freedoms: Option<usize>) -> Result<Vec<Guess>, Box<Fault>> {
    let mut names = Vec::new();
    if archive.has_group("/guesses")? {
        let stored = archive.groups("/guesses")?.len();
        let path = "/guesses/number_of_guesses";
        if let Some(declared) = archive.optional_integer(path)?
            && declared != stored as i64
        {
            let why = "groups are stored";
            return Err(Fault::hdf5(
                path,
                None,
                Reason::Mismatch { found: declared, expected: stored.to_string(), why },
            ));
        }
        names.extend((1..=stored).map(|k| format!("guesses/{k}")));
    }
    if archive.has_group("/solution")? {
        names.push("solution".to_owned());
    }
    names.into_iter().map(|name| read_guess(archive, name, size, freedoms)).collect()
}

fn read_guess(archive: &Archive, name: String, size: usize, freedoms: Option<usize>) -> Result<Guess, Box<Fault>> {
    let optional = |vector: &str, size: usize, why| {
        let path = format!("/{name}/{vector}");
        match archive.optional_reals(&path)? {
            Some(values) if !values.is_empty() && values.len() != size => {
                Err(length_mismatch(&path, values.len(), size, why))
            }
            values => Ok(values.unwrap_or_default()),
        }
    };
    let r = read_vector(archive, &format!("/{name}/r"), size, THREE_A_CONTACT)?;
    let u = optional("u", size, THREE_A_CONTACT)?;
    let v = match freedoms {
        Some(freedoms) => optional("v", freedoms, "values are expected, one a degree of freedom")?,
        None => Vec::new(),
    };
    Ok(Guess { name, r, u, v })
}
