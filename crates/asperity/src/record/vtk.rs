//! A recording as a series of VTK files, for ParaView, meshio and others that read VTK's XML format.
//!
//! One file a body and frame, `<body>.<frame>.vtu`: an unstructured grid of triangles in the world. Points are f64; each has a `velocity` (f32). A body that deforms has the
//! vertices of its mesh, exactly as they were recorded; a rigid one the corners of its skin in the pose x = p + R X of the frame, with the velocity
//! v + ω × (x − p). A static body has one file, that of its first frame. `series.pvd` says which file shows which body at which time; it is
//! written last, so that where it is, all others are.
//!
//! Arrays are appended as raw little-endian bytes after their lengths (u64).

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use glam::DVec3;

use super::error::RecordError;
use super::file::write_file;
use super::{Frame, RecordedBody, Recording, file_name};

/// Name of the file that lists all others.
const COLLECTION: &str = "series.pvd";
/// VTK's number of a triangle.
const TRIANGLE: u8 = 5;

/// Writes the files of a recording into a folder, which is made if it is missing.
pub fn write_vtk(recording: &Recording, folder: &Path) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(|source| RecordError::Write { path: folder.to_owned(), source })?;
    let mut list = String::new();
    let grids: Vec<Grid> = recording.bodies().iter().map(Grid::of).collect();
    for number in 0..recording.frames().len() {
        let frame = recording.frame(number)?;
        for (body, (recorded, grid)) in recording.bodies().iter().zip(&grids).enumerate() {
            if grid.triangles.is_empty() {
                continue;
            }
            let shown = if recorded.moving { number } else { 0 };
            let name = format!("{}.{shown:05}.vtu", file_name(&recorded.name));
            if shown == number {
                let path = folder.join(&name);
                let bytes = grid.file(recorded, &frame, body);
                fs::write(&path, bytes).map_err(|source| RecordError::Write { path, source })?;
            }
            // Writing to a string cannot fail.
            let _ = writeln!(list, "<DataSet timestep=\"{:?}\" part=\"{body}\" file=\"{name}\"/>", frame.t);
        }
    }
    let text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n\
         {list}</Collection>\n</VTKFile>\n"
    );
    write_file(folder.join(COLLECTION), text.as_bytes())
}

/// What all files of a body share.
struct Grid {
    points: usize,
    triangles: Vec<[u32; 3]>,
}

/// Points in the world and their velocities.
struct Motion {
    points: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

impl Grid {
    fn of(body: &RecordedBody) -> Self {
        let skin = &*body.skin;
        match &body.deforming {
            Some(deforming) => {
                let vertex = |corner: u32| skin.vertex_of[corner as usize];
                let triangles = skin.triangles.iter().map(|triangle| triangle.map(vertex)).collect();
                Self { points: deforming.vertices, triangles }
            }
            None => Self { points: skin.positions.len(), triangles: skin.triangles.clone() },
        }
    }

    /// The points of a body in a frame.
    fn motion(body: &RecordedBody, frame: &Frame, number: usize) -> Motion {
        if let Some(mesh) = frame.meshes.iter().find(|mesh| mesh.body == number) {
            return Motion { points: mesh.positions.clone(), velocities: mesh.velocities.clone() };
        }
        let state = &frame.states[number];
        let points: Vec<DVec3> = body.skin.positions.iter().map(|x| state.pose.apply(*x)).collect();
        let velocity = |x: &DVec3| state.velocity + state.angular_velocity.cross(*x - state.pose.position);
        Motion { velocities: points.iter().map(velocity).collect(), points }
    }

    /// The bytes of a file.
    fn file(&self, body: &RecordedBody, frame: &Frame, number: usize) -> Vec<u8> {
        let Motion { points, velocities } = Self::motion(body, frame, number);
        let mut appended = Appended::default();
        let triple = "NumberOfComponents=\"3\" ";
        let velocity = velocities.iter().flat_map(|v| v.as_vec3().to_array()).map(f32::to_le_bytes);
        let velocity = appended.array("Float32", "velocity", triple, velocity);
        let points = points.iter().flat_map(|x| x.to_array()).map(f64::to_le_bytes);
        let points = appended.array("Float64", "Points", triple, points);
        let corners = self.triangles.as_flattened().iter().map(|&corner| i64::from(corner).to_le_bytes());
        let corners = appended.array("Int64", "connectivity", "", corners);
        let count = self.triangles.len();
        let ends = appended.array("Int64", "offsets", "", (1..=count as i64).map(|i| (3 * i).to_le_bytes()));
        let kinds = appended.array("UInt8", "types", "", (0..count).map(|_| [TRIANGLE]));
        let head = format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{count}\">\n\
             <PointData Vectors=\"velocity\">\n{velocity}</PointData>\n<Points>\n{points}</Points>\n\
             <Cells>\n{corners}{ends}{kinds}</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
            self.points
        );
        [head.as_bytes(), &appended.bytes, b"\n</AppendedData>\n</VTKFile>\n"].concat()
    }
}

/// Arrays one after the other, each after its length.
#[derive(Default)]
struct Appended {
    bytes: Vec<u8>,
}

impl Appended {
    /// Adds an array; answers with the element that refers to it.
    fn array<const N: usize>(
        &mut self,
        kind: &str,
        name: &str,
        shape: &str,
        values: impl Iterator<Item = [u8; N]>,
    ) -> String {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 8]);
        values.for_each(|value| self.bytes.extend_from_slice(&value));
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        format!("<DataArray type=\"{kind}\" Name=\"{name}\" {shape}format=\"appended\" offset=\"{offset}\"/>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::{Scratch, body, frame};
    use super::super::{Deforming, MeshFrame};
    use super::*;
    use glam::DQuat;

    /// The bytes of an array of a file, by its name: found as a reader would, by the offset that its element states.
    fn array(file: &[u8], name: &str) -> Vec<u8> {
        let data = file.windows(2).position(|w| w == b"\n_").unwrap() + 2;
        let head = std::str::from_utf8(&file[..data]).unwrap();
        let element = head.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset: usize = element.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let at = data + offset;
        let length = u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
        file[at + 8..at + 8 + length].to_vec()
    }

    fn doubles(bytes: &[u8]) -> Vec<f64> {
        bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
    }

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    fn recording() -> Recording {
        let deforming = Some(Deforming { vertices: 4, line_triangles: Vec::new() });
        let bodies = vec![
            RecordedBody { moving: false, ..body("floor") },
            body("plate/1"),
            RecordedBody { deforming, ..body("cloth") },
        ];
        let mut recording = Recording::new(bodies).unwrap();
        for i in 0..3 {
            let t = f64::from(i) / 3.0;
            let mut frame = frame(t, &[-DVec3::Y, DVec3::X * t, DVec3::ZERO]);
            frame.states[1].pose.rotation = DQuat::from_rotation_y(t);
            frame.states[1].velocity = DVec3::X;
            frame.states[1].angular_velocity = DVec3::Y;
            let positions: Vec<DVec3> = (0..4).map(|k| DVec3::new(f64::from(k), t, 0.1)).collect();
            frame.meshes = vec![MeshFrame { body: 2, velocities: vec![DVec3::Z * t; 4], positions }];
            recording.push(frame).unwrap();
        }
        recording
    }

    #[test]
    fn points_cells_and_velocities_are_those_of_the_frames() {
        let scratch = Scratch::new("vtk");
        let recording = recording();
        write_vtk(&recording, &scratch.path("vtk")).unwrap();
        let read = |name: &str| fs::read(scratch.path("vtk").join(name)).unwrap();
        let cloth = read("cloth.00002.vtu");
        let expected = &recording.frame(2).unwrap().meshes[0];
        assert_eq!(
            doubles(&array(&cloth, "Points")),
            expected.positions.iter().flat_map(|x| x.to_array()).collect::<Vec<_>>()
        );
        assert_eq!(floats(&array(&cloth, "velocity"))[9..], [0.0, 0.0, 2.0f32 / 3.0]);
        let cells: Vec<i64> =
            array(&cloth, "connectivity").as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect();
        assert_eq!(cells, [0, 1, 2, 0, 2, 3]);
        assert_eq!(array(&cloth, "types"), [TRIANGLE; 2]);
        let ends: Vec<i64> = array(&cloth, "offsets").as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect();
        assert_eq!(ends, [3, 6]);
        // The plate turns about its middle while that moves along x.
        let plate = read(&format!("{}.00001.vtu", file_name("plate/1")));
        let (x, v) = (doubles(&array(&plate, "Points")), floats(&array(&plate, "velocity")));
        let pose = recording.frames()[1].states[1].pose;
        for k in 0..4 {
            let at = DVec3::from_slice(&x[3 * k..]);
            assert!(at.distance(pose.apply(recording.bodies()[1].skin.positions[k])) < 1e-15);
            let expected = DVec3::X + DVec3::Y.cross(at - pose.position);
            assert!((glam::Vec3::from_slice(&v[3 * k..]).as_dvec3() - expected).length() < 1e-6);
        }
    }

    #[test]
    fn the_collection_lists_every_body_at_every_time_and_every_file_it_names_is_there() {
        let scratch = Scratch::new("vtk-list");
        write_vtk(&recording(), &scratch.path("vtk")).unwrap();
        let text = fs::read_to_string(scratch.path("vtk").join(COLLECTION)).unwrap();
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("<DataSet")).collect();
        assert_eq!(rows.len(), 3 * 3);
        let files = rows.iter().map(|row| row.split("file=\"").nth(1).unwrap().split('"').next().unwrap());
        files.clone().for_each(|name| assert!(scratch.path("vtk").join(name).is_file(), "{name}"));
        assert_eq!(files.filter(|name| *name == "floor.00000.vtu").count(), 3, "a static body has one file");
        assert_eq!(fs::read_dir(scratch.path("vtk")).unwrap().count(), 1 + 1 + 2 * 3);
        assert!(rows[3].contains("timestep=\"0.3333333333333333\""), "{}", rows[3]);
    }

    #[test]
    fn a_folder_that_cannot_be_is_named() {
        let scratch = Scratch::new("vtk-refused");
        fs::write(scratch.path("file"), "").unwrap();
        let error = write_vtk(&recording(), &scratch.path("file/vtk")).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }
}
