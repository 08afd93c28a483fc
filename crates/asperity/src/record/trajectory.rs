//! `trajectory.csv`: where every body is, a row a body and frame, written as the frames come.
//!
//! Lengths in metres, times in seconds; (qw, qx, qy, qz) is the unit quaternion from body to world, (wx, wy, wz) the angular
//! velocity in world coordinates. Numbers have as many digits as it takes to read back the same f64.

use std::io::Write;
use std::path::PathBuf;

use super::check::check_frame;
use super::error::RecordError;
use super::file::PendingFile;
use super::frame::Frame;

/// First line of the file.
const HEADER: &str = "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";

/// Writes the rows of frames.
#[derive(Debug)]
pub struct TrajectoryWriter {
    file: PendingFile,
    /// As they stand in the table.
    names: Vec<String>,
    frames: usize,
    /// The text of one frame, kept from frame to frame.
    text: Vec<u8>,
}

impl TrajectoryWriter {
    /// Begins the table of these bodies.
    pub fn create<'a>(path: impl Into<PathBuf>, names: impl IntoIterator<Item = &'a str>) -> Result<Self, RecordError> {
        let mut file = PendingFile::create(path)?;
        file.write_all(HEADER.as_bytes()).map_err(|source| file.refusal(source))?;
        let names = names.into_iter().map(quoted).collect();
        Ok(Self { file, names, frames: 0, text: Vec::new() })
    }

    /// Adds a row for every body.
    pub fn write(&mut self, frame: &Frame) -> Result<(), RecordError> {
        check_frame(self.frames, frame, self.names.len())?;
        self.text.clear();
        let text = &mut self.text;
        let written = self.names.iter().zip(&frame.states).try_for_each(|(name, state)| {
            write!(text, "{:?},{name}", frame.t)?;
            let (x, q) = (state.pose.position, state.pose.rotation);
            let (v, w) = (state.velocity, state.angular_velocity);
            for value in [x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z] {
                write!(text, ",{value:?}")?;
            }
            text.write_all(b"\n")
        });
        written.and_then(|()| self.file.write_all(&self.text)).map_err(|source| self.file.refusal(source))?;
        self.frames += 1;
        Ok(())
    }

    /// Puts the table into its place.
    pub fn finish(self) -> Result<(), RecordError> {
        self.file.finish()
    }
}

/// A field of a CSV file: quoted if it has to be (RFC 4180).
pub(super) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::{Scratch, frame};
    use super::*;
    use glam::DVec3;
    use std::fs;

    #[test]
    fn rows_read_back_to_the_same_numbers() {
        let scratch = Scratch::new("trajectory");
        let path = scratch.path("trajectory.csv");
        let mut writer = TrajectoryWriter::create(&path, ["box", "a, \"b\""]).unwrap();
        let mut first = frame(0.1 + 0.2, &[DVec3::new(1.0 / 3.0, -1e-200, 5e20), DVec3::ZERO]);
        first.states[0].velocity = DVec3::new(-7.5, 0.0, 1e-9);
        first.states[0].angular_velocity = DVec3::new(1.0, 2.0, std::f64::consts::PI);
        writer.write(&first).unwrap();
        writer.write(&frame(1.0, &[DVec3::X, DVec3::Y])).unwrap();
        assert!(writer.write(&frame(2.0, &[DVec3::X])).is_err());
        writer.finish().unwrap();

        let text = fs::read_to_string(&path).unwrap();
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 1 + 2 * 2);
        assert_eq!(rows[0], "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
        let fields: Vec<&str> = rows[1].split(',').collect();
        assert_eq!((fields.len(), fields[1]), (15, "box"));
        let numbers: Vec<f64> = fields.iter().filter_map(|field| field.parse().ok()).collect();
        let pi = std::f64::consts::PI;
        let expected = [0.1 + 0.2, 1.0 / 3.0, -1e-200, 5e20, 1.0, 0.0, 0.0, 0.0, -7.5, 0.0, 1e-9, 1.0, 2.0, pi];
        assert_eq!(numbers, expected);
        assert!(rows[2].contains(",\"a, \"\"b\"\"\",0.0"), "{}", rows[2]);
    }
}
