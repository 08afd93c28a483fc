//! Keys of friction tensors.

use crate::table::{Group, Key, Range, ValueKind};

/// A friction tensor: rows, or two sets of them.
pub(super) const TENSOR_KIND: ValueKind = ValueKind::Either(&[ROWS, ValueKind::Table(&TENSOR)]);
const ROWS: ValueKind = ValueKind::Several(&ValueKind::Numbers(2, Range::Any), 2);

static TENSOR: Group = Group {
    name: "tensor",
    heading: "tensor = { … }",
    keys: &[
        Key::new("plus", ROWS, "Rows of Q⁺: the other surface slides along +tangent, +bitangent.").required(),
        Key::new("minus", ROWS, "Rows of Q⁻: it slides the other way.").or("those of plus"),
    ],
};
