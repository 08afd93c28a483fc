//! HDF5 files built for a test: datasets by path.

use std::collections::BTreeMap;

use hdf5_pure::{FileBuilder, GroupBuilder};

/// The values of a dataset.
#[derive(Clone)]
pub(crate) enum Data {
    /// FCLIB's whole numbers.
    Ints(Vec<i32>),
    /// FCLIB's reals.
    Reals(Vec<f64>),
    /// Reals in compressed chunks.
    Deflated(Vec<f64>),
}

/// Datasets by path, such as `fclib_local/W/x`.
pub(crate) type Archive = BTreeMap<String, Data>;

/// The file.
pub(crate) fn bytes(archive: &Archive) -> Vec<u8> {
    let mut builder = FileBuilder::new();
    for name in groups(archive, "") {
        let mut group = builder.create_group(&name);
        fill(&mut group, archive, &format!("{name}/"));
        builder.add_group(group.finish());
    }
    builder.finish().unwrap()
}

fn fill(group: &mut GroupBuilder, archive: &Archive, prefix: &str) {
    for (path, data) in archive {
        let Some(name) = path.strip_prefix(prefix).filter(|rest| !rest.contains('/')) else { continue };
        let dataset = group.create_dataset(name);
        match data {
            Data::Ints(values) => dataset.with_i32_data(values),
            Data::Reals(values) => dataset.with_f64_data(values),
            Data::Deflated(values) => dataset.with_f64_data(values).with_chunks(&[values.len() as u64]).with_deflate(9),
        };
    }
    for name in groups(archive, prefix) {
        let mut child = group.create_group(&name);
        fill(&mut child, archive, &format!("{prefix}{name}/"));
        group.add_group(child.finish());
    }
}

/// The names of the groups directly under a prefix.
fn groups(archive: &Archive, prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = archive
        .keys()
        .filter_map(|path| path.strip_prefix(prefix)?.split_once('/'))
        .map(|(name, _)| name.to_owned())
        .collect();
    names.dedup();
    names
}
