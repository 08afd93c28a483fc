//! glTF 2.0: all triangles of all nodes of the default scene, moved to where the nodes are.
//!
//! Buffers are those of a .glb file, files beside a .gltf file, or base64 in it. Animations, skins and materials are
//! left out.

use std::path::Path;

use glam::{DMat4, DVec2, DVec3};
use gltf::buffer::Source;
use gltf::mesh::Mode;

use crate::geometry::mesh::MeshData;
use crate::input_file::read_regular;

/// Largest buffer that is read, in bytes.
const LARGEST_BUFFER: u64 = 512 << 20;

pub(super) fn parse(bytes: &[u8], folder: &Path) -> Result<MeshData, String> {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut buffers = Vec::new();
    for buffer in document.buffers() {
        let data = match buffer.source() {
            Source::Bin => blob.clone().ok_or("it has no binary part")?,
            Source::Uri(uri) => read_buffer(uri, folder)?,
        };
        if data.len() < buffer.length() {
            return Err(format!("buffer {} has {} bytes instead of {}", buffer.index(), data.len(), buffer.length()));
        }
        buffers.push(data);
    }
    document.accessors().try_for_each(|accessor| check_accessor(&accessor))?;
    let scene = document.default_scene().or_else(|| document.scenes().next()).ok_or("it has no scene")?;
    let mut data = MeshData::default();
    let mut textured = true;
    let mut left: Vec<(gltf::Node<'_>, DMat4)> = scene.nodes().map(|node| (node, DMat4::IDENTITY)).collect();
    left.reverse();
    // Every node has at most one parent.
    let mut allowed = document.nodes().len();
    while let Some((node, above)) = left.pop() {
        allowed = allowed.checked_sub(1).ok_or("a node is its own ancestor, or has two parents")?;
        let local = node.transform().matrix().map(|column| column.map(f64::from));
        let place = above * DMat4::from_cols_array_2d(&local);
        for primitive in node.mesh().into_iter().flat_map(|mesh| mesh.primitives()) {
            textured &= add_primitive(&primitive, &buffers, &place, &mut data)
                .map_err(|reason| format!("node {}: {reason}", node.index()))?;
        }
        left.extend(node.children().map(|child| (child, place)));
    }
    if !textured {
        data.uvs.clear();
    }
    if data.triangles.is_empty() { Err("it has no triangles".into()) } else { Ok(data) }
}

/// The values of an accessor lie in its view, and the view in its buffer: the reader of values does not look.
fn check_accessor(accessor: &gltf::Accessor<'_>) -> Result<(), String> {
    let fail = |reason: &str| Err(format!("accessor {}: {reason}", accessor.index()));
    if accessor.sparse().is_some() {
        return fail("sparse accessors are not read");
    }
    let Some(view) = accessor.view() else { return fail("it has no view of a buffer") };
    let fits = |offset: usize, length: usize, whole: usize| offset.checked_add(length).is_some_and(|end| end <= whole);
    let stride = view.stride().unwrap_or(accessor.size());
    let length = accessor.count().saturating_sub(1).checked_mul(stride).and_then(|l| l.checked_add(accessor.size()));
    match length {
        Some(length) if stride >= accessor.size() && fits(accessor.offset(), length, view.length()) => {}
        _ => return fail("its values do not lie in its view of a buffer"),
    }
    if fits(view.offset(), view.length(), view.buffer().length()) {
        Ok(())
    } else {
        fail("its view does not lie in its buffer")
    }
}

/// Adds the triangles of a primitive; whether it has texture coordinates.
fn add_primitive(
    primitive: &gltf::Primitive<'_>,
    buffers: &[Vec<u8>],
    place: &DMat4,
    data: &mut MeshData,
) -> Result<bool, String> {
    if primitive.mode() != Mode::Triangles {
        return Err(format!("a primitive of kind {:?}: only triangles are read", primitive.mode()));
    }
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
    let positions = reader.read_positions().ok_or("a primitive without positions")?;
    let first = u32::try_from(data.vertices.len()).map_err(|_| "too many vertices".to_owned())?;
    data.vertices.extend(positions.map(|p| place.transform_point3(DVec3::from_array(p.map(f64::from)))));
    let count = data.vertices.len() as u32 - first;
    let indices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..count).collect(),
    };
    // A mirrored node turns triangles inside out.
    let mirrored = place.determinant() < 0.0;
    for [a, b, c] in indices.as_chunks::<3>().0 {
        let [b, c] = if mirrored { [c, b] } else { [b, c] };
        data.triangles.push([*a, *b, *c].map(|index| index.saturating_add(first)));
    }
    let uvs = reader.read_tex_coords(0);
    let textured = uvs.is_some();
    // Images begin above in glTF, below here.
    let uvs = uvs.into_iter().flat_map(|uvs| uvs.into_f32());
    data.uvs.extend(uvs.map(|[u, v]| DVec2::new(f64::from(u), 1.0 - f64::from(v))));
    Ok(textured)
}

fn read_buffer(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    match uri.strip_prefix("data:") {
        Some(data) => {
            let text = data.split_once(";base64,").ok_or("a buffer that is not in base64")?.1;
            base64(text).ok_or_else(|| "a buffer with bad base64".into())
        }
        None => read_regular(&folder.join(uri), LARGEST_BUFFER).map_err(|reason| format!("{uri}: {reason}")),
    }
}

/// Bytes of base64 (RFC 4648), with or without padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}
