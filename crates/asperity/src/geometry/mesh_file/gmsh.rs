//! Gmsh's .msh files, versions 2.2 and 4.1, ASCII.
//!
//! Nodes and elements have tags, which need not be consecutive; errors name them. Points and lines are left out.
//! Triangles and quadrangles make surfaces; tetrahedra of four or ten nodes make volumes. In Gmsh the last two edge
//! nodes of a tetrahedron are exchanged with respect to VTK.

use std::collections::BTreeMap;

use super::content::Content;
use super::words::Words;

/// Kinds of elements that are known, by Gmsh's numbers.
#[derive(Clone, Copy)]
enum Kind {
    /// Read past: this many nodes.
    Skipped(usize),
    Triangle,
    Quadrangle,
    Tetrahedron,
    QuadraticTetrahedron,
}

impl Kind {
    fn of(number: u32) -> Result<Self, String> {
        Ok(match number {
            1 => Self::Skipped(2),
            8 => Self::Skipped(3),
            15 => Self::Skipped(1),
            // Faces of quadratic tetrahedra.
            9 => Self::Skipped(6),
            2 => Self::Triangle,
            3 => Self::Quadrangle,
            4 => Self::Tetrahedron,
            11 => Self::QuadraticTetrahedron,
            5 => return Err("a hexahedron".into()),
            6 => return Err("a prism".into()),
            7 => return Err("a pyramid".into()),
            _ => return Err(format!("of Gmsh's type {number}")),
        })
    }

    fn nodes(self) -> usize {
        match self {
            Self::Skipped(nodes) => nodes,
            Self::Triangle => 3,
            Self::Quadrangle | Self::Tetrahedron => 4,
            Self::QuadraticTetrahedron => 10,
        }
    }
}

struct Reader<'a> {
    words: Words<'a>,
    content: Content,
    /// Vertex of each node tag.
    tags: BTreeMap<u64, u32>,
}

pub(super) fn parse(text: &str) -> Result<Content, String> {
    let mut reader = Reader { words: Words::new(text), content: Content::default(), tags: BTreeMap::new() };
    reader.words.expect("$MeshFormat")?;
    let version = reader.words.word("a version")?;
    let newer = match version {
        "2.2" | "2.1" | "2" => false,
        "4.1" => true,
        _ => return Err(format!("version {version} of Gmsh's format: 2.2 and 4.1 are read")),
    };
    if reader.words.word("a file type")? != "0" {
        return Err("it is binary: write it as ASCII".into());
    }
    while let Some(word) = reader.words.next() {
        match (word, newer) {
            ("$Nodes", false) => reader.nodes()?,
            ("$Nodes", true) => reader.node_blocks()?,
            ("$Elements", false) => reader.elements()?,
            ("$Elements", true) => reader.element_blocks()?,
            // Other sections, and what is left of the header, word by word.
            _ => {}
        }
    }
    Ok(reader.content)
}

impl Reader<'_> {
    fn nodes(&mut self) -> Result<(), String> {
        let count: u64 = self.words.number("a number of nodes")?;
        for _ in 0..count {
            let tag = self.words.number("the tag of a node")?;
            let place = self.words.point()?;
            self.node(tag, place)?;
        }
        self.words.expect("$EndNodes")
    }

    fn node_blocks(&mut self) -> Result<(), String> {
        let blocks: u64 = self.words.number("a number of blocks")?;
        for what in ["a number of nodes", "the least tag", "the greatest tag"] {
            self.words.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            let dimension: usize = self.words.number("a dimension")?;
            self.words.number::<i64>("the tag of an entity")?;
            let parametric: u8 = self.words.number("0 or 1")?;
            let count: usize = self.words.number("a number of nodes")?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(self.words.number::<u64>("the tag of a node")?);
            }
            for tag in tags {
                let place = self.words.point()?;
                for _ in 0..if parametric == 1 { dimension } else { 0 } {
                    self.words.number::<f64>("a parameter")?;
                }
                self.node(tag, place)?;
            }
        }
        self.words.expect("$EndNodes")
    }

    fn node(&mut self, tag: u64, place: glam::DVec3) -> Result<(), String> {
        let vertex = u32::try_from(self.content.vertices.len()).map_err(|_| "too many nodes".to_owned())?;
        self.content.vertices.push(place);
        match self.tags.insert(tag, vertex) {
            None => Ok(()),
            Some(_) => Err(self.words.fault(format!("there are two nodes with the tag {tag}"))),
        }
    }

    fn elements(&mut self) -> Result<(), String> {
        let count: u64 = self.words.number("a number of elements")?;
        for _ in 0..count {
            let tag = self.words.number("the tag of an element")?;
            let kind = self.words.number("a type")?;
            let tags: u64 = self.words.number("a number of tags")?;
            for _ in 0..tags {
                self.words.number::<i64>("a tag")?;
            }
            self.element(tag, kind)?;
        }
        self.words.expect("$EndElements")
    }

    fn element_blocks(&mut self) -> Result<(), String> {
        let blocks: u64 = self.words.number("a number of blocks")?;
        for what in ["a number of elements", "the least tag", "the greatest tag"] {
            self.words.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            for what in ["a dimension", "the tag of an entity"] {
                self.words.number::<i64>(what)?;
            }
            let kind = self.words.number("a type")?;
            let count: u64 = self.words.number("a number of elements")?;
            for _ in 0..count {
                let tag = self.words.number("the tag of an element")?;
                self.element(tag, kind)?;
            }
        }
        self.words.expect("$EndElements")
    }

    /// The nodes of an element of this kind.
    fn element(&mut self, tag: u64, kind: u32) -> Result<(), String> {
        let kind = Kind::of(kind).map_err(|what| {
            self.words.fault(format!("element {tag} is {what}: only triangles, quadrangles and tetrahedra are read"))
        })?;
        let mut nodes = [0; 10];
        for node in &mut nodes[..kind.nodes()] {
            let name: u64 = self.words.number("the tag of a node")?;
            let missing = || self.words.fault(format!("element {tag} names node {name}, which is not there"));
            *node = *self.tags.get(&name).ok_or_else(missing)?;
        }
        match kind {
            Kind::Skipped(_) => {}
            Kind::Triangle | Kind::Quadrangle => self.content.push_polygon(&nodes[..kind.nodes()]),
            Kind::Tetrahedron => self.content.tets.push([nodes[0], nodes[1], nodes[2], nodes[3]]),
            Kind::QuadraticTetrahedron => {
                nodes.swap(8, 9);
                self.content.quadratic_tets.push(nodes);
            }
        }
        Ok(())
    }
}
