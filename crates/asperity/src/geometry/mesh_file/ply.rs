//! Stanford's PLY files, ASCII and binary, of either byte order.
//!
//! A header names elements (`vertex`, `face`, others) and their properties, each a number or a list of numbers; the
//! values follow in that order. Read are x, y, z and texture coordinates (s, t or u, v or texture_u, texture_v) of
//! vertices, and the list `vertex_indices` or `vertex_index` of faces. A file without faces whose vertices have normals
//! (nx, ny, nz) is a point cloud: each point becomes a small triangle around it, across its normal.

use glam::{DVec2, DVec3};

use crate::geometry::mesh::MeshData;
use crate::geometry::potential::surfels;

#[derive(Clone, Copy)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// A kind of number.
#[derive(Clone, Copy)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn named(name: &str) -> Result<Self, String> {
        Ok(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return Err(format!("`{name}` is no type of PLY")),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// From bytes in little-endian order.
    fn value(self, b: [u8; 8]) -> f64 {
        let [b0, b1, b2, b3, ..] = b;
        match self {
            Self::I8 => f64::from(b0 as i8),
            Self::U8 => f64::from(b0),
            Self::I16 => f64::from(i16::from_le_bytes([b0, b1])),
            Self::U16 => f64::from(u16::from_le_bytes([b0, b1])),
            Self::I32 => f64::from(i32::from_le_bytes([b0, b1, b2, b3])),
            Self::U32 => f64::from(u32::from_le_bytes([b0, b1, b2, b3])),
            Self::F32 => f64::from(f32::from_le_bytes([b0, b1, b2, b3])),
            Self::F64 => f64::from_le_bytes(b),
        }
    }
}

struct Property {
    name: String,
    /// The kind of the length, for lists.
    list: Option<Number>,
    number: Number,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

/// The values after the header.
struct Values<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
}

impl Values<'_> {
    fn next(&mut self, number: Number) -> Option<f64> {
        let big = match self.encoding {
            Encoding::Ascii => {
                self.bytes = self.bytes.trim_ascii_start();
                let end = self.bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(self.bytes.len());
                let (word, rest) = self.bytes.split_at(end);
                self.bytes = rest;
                return std::str::from_utf8(word).ok()?.parse().ok();
            }
            Encoding::Little => false,
            Encoding::Big => true,
        };
        let (own, rest) = self.bytes.split_at_checked(number.size())?;
        self.bytes = rest;
        let mut bytes = [0; 8];
        bytes[..own.len()].copy_from_slice(own);
        if big {
            bytes[..own.len()].reverse();
        }
        Some(number.value(bytes))
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<MeshData, String> {
    let (encoding, elements, rest) = header(bytes)?;
    let mut values = Values { encoding, bytes: rest };
    let mut data = MeshData::default();
    let mut normals = Vec::new();
    for element in &elements {
        for k in 0..element.count {
            let (mut place, mut normal) = (DVec3::NAN, DVec3::NAN);
            let mut uv = [None; 2];
            for property in &element.properties {
                let fail = || format!("{}[{k}]: no value for `{}`", element.name, property.name);
                let Some(kind) = property.list else {
                    let value = values.next(property.number).ok_or_else(fail)?;
                    match property.name.as_str() {
                        "x" => place.x = value,
                        "y" => place.y = value,
                        "z" => place.z = value,
                        "nx" => normal.x = value,
                        "ny" => normal.y = value,
                        "nz" => normal.z = value,
                        "s" | "u" | "texture_u" => uv[0] = Some(value),
                        "t" | "v" | "texture_v" => uv[1] = Some(value),
                        _ => {}
                    }
                    continue;
                };
                let count = values.next(kind).ok_or_else(fail)?;
                let mut list = Vec::new();
                for _ in 0..count as u64 {
                    list.push(values.next(property.number).ok_or_else(fail)?);
                }
                if element.name == "face" && ["vertex_indices", "vertex_index"].contains(&property.name.as_str()) {
                    push_face(&mut data, &list).map_err(|reason| format!("face[{k}]: {reason}"))?;
                }
            }
            if element.name == "vertex" {
                data.vertices.push(place);
                normals.push(normal);
                if let [Some(u), Some(v)] = uv {
                    data.uvs.push(DVec2::new(u, v));
                }
            }
        }
    }
    if data.triangles.is_empty() { cloud(&data.vertices, &normals) } else { Ok(data) }
}

/// The triangles of a point cloud.
fn cloud(points: &[DVec3], normals: &[DVec3]) -> Result<MeshData, String> {
    if points.is_empty() {
        return Err("it has no faces and no points".into());
    }
    if normals.iter().all(|normal| normal.is_nan()) {
        return Err("it has no faces, and its points have no normals (nx, ny, nz): a point cloud needs them".into());
    }
    let unit: Vec<DVec3> = normals.iter().filter_map(|normal| normal.try_normalize()).collect();
    if let Some(k) = normals.iter().position(|normal| normal.try_normalize().is_none()) {
        let DVec3 { x, y, z } = normals[k];
        return Err(format!("vertex[{k}] has the normal [{x}, {y}, {z}]: it must have a direction"));
    }
    if let Some(k) = points.iter().position(|point| !point.is_finite()) {
        return Err(format!("vertex[{k}] has no finite position"));
    }
    Ok(surfels(points, &unit))
}

fn push_face(data: &mut MeshData, list: &[f64]) -> Result<(), String> {
    let whole = |value: &f64| {
        let index = *value as u32;
        if f64::from(index) == *value { Ok(index) } else { Err(format!("{value} is no number of a vertex")) }
    };
    let corners: Vec<u32> = list.iter().map(whole).collect::<Result<_, _>>()?;
    let [first, rest @ ..] = &corners[..] else { return Err("it has no corners".into()) };
    if rest.len() < 2 {
        return Err(format!("it has {} corners", corners.len()));
    }
    data.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
    Ok(())
}

/// The encoding, the elements, and the bytes after the header.
fn header(bytes: &[u8]) -> Result<(Encoding, Vec<Element>, &[u8]), String> {
    let mut rest = bytes;
    let (mut encoding, mut elements) = (None, Vec::<Element>::new());
    let mut first = true;
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or("its header does not end")?;
        let line = std::str::from_utf8(&rest[..end]).map_err(|_| "its header is not text")?.trim();
        rest = &rest[end + 1..];
        if std::mem::take(&mut first) && line != "ply" {
            return Err("it does not begin with `ply`".into());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["format", "ascii", _] => encoding = Some(Encoding::Ascii),
            ["format", "binary_little_endian", _] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", _] => encoding = Some(Encoding::Big),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| format!("`{line}`: expected a number of elements"))?;
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", ref kinds @ .., name] => {
                let element = elements.last_mut().ok_or("it has a property before any element")?;
                let (list, number) = match kinds {
                    ["list", length, number] => (Some(Number::named(length)?), Number::named(number)?),
                    [number] => (None, Number::named(number)?),
                    _ => return Err(format!("`{line}` is no property")),
                };
                element.properties.push(Property { name: name.to_owned(), list, number });
            }
            ["end_header"] => break,
            _ => {}
        }
    }
    Ok((encoding.ok_or("its header names no format")?, elements, rest))
}
