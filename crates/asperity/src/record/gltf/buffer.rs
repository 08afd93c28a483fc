//! The numbers of a document, and the tables that say where they are.

use serde_json::{Value, json};

/// Types of components and uses of views, as the format numbers them.
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const ARRAY: u32 = 34962;
const ELEMENT_ARRAY: u32 = 34963;

/// Numbers one after the other, each list at a multiple of four bytes.
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// A view of bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> usize {
        self.view(bytes, None)
    }

    /// Vectors at the corners of a mesh.
    pub(super) fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        self.floats(vectors, Some(ARRAY), false)
    }

    /// Positions of the corners of a mesh: their bounds are stated.
    pub(super) fn points(&mut self, points: &[[f32; 3]]) -> usize {
        self.floats(points, Some(ARRAY), true)
    }

    /// Times of an animation: their bounds are stated.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let times: Vec<[f32; 1]> = times.iter().map(|&t| [t]).collect();
        self.floats(&times, None, true)
    }

    /// Values of an animation.
    pub(super) fn values<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        self.floats(values, None, false)
    }

    /// Corner numbers, in as few bytes as will do. The largest short means something else to some graphics cards.
    pub(super) fn indices(&mut self, indices: &[u32]) -> usize {
        let short = indices.iter().all(|&i| i < 0xffff);
        let bytes: Vec<u8> = if short {
            indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect()
        } else {
            indices.iter().flat_map(|i| i.to_le_bytes()).collect()
        };
        let view = self.view(&bytes, Some(ELEMENT_ARRAY));
        let component = if short { UNSIGNED_SHORT } else { UNSIGNED_INT };
        self.accessor(
            json!({ "bufferView": view, "componentType": component, "count": indices.len(), "type": "SCALAR" }),
        )
    }

    fn floats<const N: usize>(&mut self, list: &[[f32; N]], target: Option<u32>, bounded: bool) -> usize {
        let bytes: Vec<u8> = list.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": list.len(), "type": kind });
        if bounded {
            let bound = |pick: fn(f32, f32) -> f32| {
                let over = |c: usize| list.iter().map(|x| x[c]).reduce(pick).unwrap_or(0.0);
                Value::Array((0..N).map(|c| json!(over(c))).collect())
            };
            accessor["min"] = bound(f32::min);
            accessor["max"] = bound(f32::max);
        }
        self.accessor(accessor)
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }
}

/// A `.glb` file of its two chunks.
pub(super) fn pack(mut json: Vec<u8>, bytes: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks: &[(&[u8; 4], &[u8])] = &[(b"JSON", &json), (b"BIN\0", &bytes)];
    let used = chunks.iter().filter(|(_, chunk)| !chunk.is_empty());
    let length: usize = 12 + used.clone().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(b"glTF");
    file.extend_from_slice(&2u32.to_le_bytes());
    file.extend_from_slice(&(length as u32).to_le_bytes());
    for (name, chunk) in used {
        file.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        file.extend_from_slice(*name);
        file.extend_from_slice(chunk);
    }
    file
}
