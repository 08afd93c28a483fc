//! Legacy VTK files, ASCII: polygonal data and unstructured grids, versions 1 to 5.
//!
//! Since version 5 cells are stored as offsets and connectivity instead of a count before each. Data at points and
//! cells are left out.

use super::content::Content;
use super::words::Words;

/// The cells of a grid, before their types are known.
#[derive(Default)]
struct Cells {
    /// Vertices of all cells.
    vertices: Vec<u32>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl Cells {
    fn cell(&self, k: usize) -> &[u32] {
        let begin = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.vertices[begin..self.ends[k]]
    }
}

pub(super) fn parse(text: &str) -> Result<Content, String> {
    if !text.starts_with("# vtk DataFile Version") {
        return Err("it does not begin with `# vtk DataFile Version`".into());
    }
    let mut words = Words::new(text);
    words.skip_line();
    // The title, which may be empty.
    words.skip_line();
    match words.word("ASCII")? {
        "ASCII" => {}
        "BINARY" => return Err("it is binary: write it as ASCII".into()),
        other => return Err(words.fault(format!("expected ASCII, found `{other}`"))),
    }
    words.expect("DATASET")?;
    let kind = words.word("a kind of data")?;
    if !["UNSTRUCTURED_GRID", "POLYDATA"].contains(&kind) {
        return Err(words.fault(format!("{kind}: only UNSTRUCTURED_GRID and POLYDATA are read")));
    }
    let mut content = Content::default();
    let mut cells = Cells::default();
    while let Some(word) = words.next() {
        match word {
            "POINTS" => points(&mut words, &mut content)?,
            "CELLS" => cells = read_cells(&mut words)?,
            "CELL_TYPES" => typed(&mut words, &cells, &mut content)?,
            "POLYGONS" => {
                let polygons = read_cells(&mut words)?;
                (0..polygons.ends.len()).for_each(|k| content.push_polygon(polygons.cell(k)));
            }
            "VERTICES" | "LINES" => drop(read_cells(&mut words)?),
            "TRIANGLE_STRIPS" => return Err(words.fault("triangle strips are not read: write triangles")),
            "POINT_DATA" | "CELL_DATA" => break,
            // Metadata and fields, word by word.
            _ => {}
        }
    }
    Ok(content)
}

fn points(words: &mut Words<'_>, content: &mut Content) -> Result<(), String> {
    let count: u32 = words.number("a number of points")?;
    words.word("a type")?;
    for _ in 0..count {
        content.vertices.push(words.point()?);
    }
    Ok(())
}

fn read_cells(words: &mut Words<'_>) -> Result<Cells, String> {
    let count: usize = words.number("a number of cells")?;
    let size: usize = words.number("a number of values")?;
    let mut cells = Cells::default();
    let mut ahead = words.clone();
    if ahead.next() == Some("OFFSETS") {
        *words = ahead;
        words.word("a type")?;
        // The first offset is zero.
        for k in 0..count {
            let end = words.number("an offset")?;
            let least = cells.ends.last().copied().unwrap_or(0);
            if end < least || end > size || (k == 0 && end != 0) {
                return Err(words.fault(format!("offset {end} is not between {least} and {size}")));
            }
            if k > 0 {
                cells.ends.push(end);
            }
        }
        words.expect("CONNECTIVITY")?;
        words.word("a type")?;
        for _ in 0..size {
            cells.vertices.push(words.number("the number of a point")?);
        }
    } else {
        for _ in 0..count {
            let corners: usize = words.number("a number of corners")?;
            for _ in 0..corners {
                cells.vertices.push(words.number("the number of a point")?);
            }
            cells.ends.push(cells.vertices.len());
        }
    }
    Ok(cells)
}

/// The types of the cells, and what they are then.
fn typed(words: &mut Words<'_>, cells: &Cells, content: &mut Content) -> Result<(), String> {
    let count: usize = words.number("a number of cells")?;
    if count != cells.ends.len() {
        return Err(words.fault(format!("{count} types for {} cells", cells.ends.len())));
    }
    for k in 0..count {
        let kind: u32 = words.number("a cell type")?;
        let cell = cells.cell(k);
        let wrong = |what: &str| words.fault(format!("cell {k} has {} points, but is {what}", cell.len()));
        match kind {
            // Vertices and lines.
            1..=4 => {}
            5 | 7 | 9 => content.push_polygon(cell),
            10 => content.tets.push(cell.try_into().map_err(|_| wrong("a tetrahedron"))?),
            24 => content.quadratic_tets.push(cell.try_into().map_err(|_| wrong("a quadratic tetrahedron"))?),
            _ => {
                let reason = "only triangles, polygons and tetrahedra (5, 7, 9, 10, 24) are read";
                return Err(words.fault(format!("cell {k} is of VTK's type {kind}: {reason}")));
            }
        }
    }
    Ok(())
}
