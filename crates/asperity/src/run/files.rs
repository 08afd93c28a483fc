//! The files of a run.

use std::path::Path;

use super::Run;
use crate::record::raster::RenderSettings;
use crate::record::{
    FilmstripSettings, GifSettings, GltfSettings, PendingFile, RecordError, StepsWriter, TrajectoryWriter, filmstrip,
    plot_steps, to_glb, write_file, write_gif, write_vtk,
};
use crate::scene::Output;

/// Which files to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSettings {
    /// Pictures: the filmstrip and the animation.
    pub pictures: bool,
    /// The glTF file.
    pub glb: bool,
    /// The VTK series, in the folder `vtk`.
    pub vtk: bool,
}

impl Default for FileSettings {
    fn default() -> Self {
        Self { pictures: true, glb: true, vtk: false }
    }
}

/// The names of the files that [`write`] writes.
pub(super) fn names(output: &Output, settings: FileSettings) -> Vec<&'static str> {
    let mut names = vec!["trajectory.csv", "steps.csv", "steps.svg"];
    names.extend(output.contacts.then_some("contacts.csv"));
    names.extend((settings.glb && output.glb).then_some("scene.glb"));
    names.extend((settings.pictures && output.filmstrip > 0).then_some("filmstrip.png"));
    names.extend((settings.pictures && output.gif).then_some("animation.gif"));
    // The collection is the last file of its folder.
    names.extend(settings.vtk.then_some("vtk/series.pvd"));
    names.push("summary.json");
    names
}

/// Writes `trajectory.csv`, `steps.csv`, `contacts.csv`, `steps.svg`, `summary.json`, `scene.glb`, `filmstrip.png`, `animation.gif` and the folder `vtk` into a folder, as
/// far as the scene and the settings ask for them. The summary comes last: where it is, all is.
pub fn write(run: &Run, folder: &Path, settings: FileSettings) -> Result<(), RecordError> {
    let (recording, output) = (run.recording(), &run.scene().output);
    let names = recording.bodies().iter().map(|body| body.name.as_str());
    let mut trajectory = TrajectoryWriter::create(folder.join("trajectory.csv"), names)?;
    recording.frames().iter().try_for_each(|frame| trajectory.write(frame))?;
    trajectory.finish()?;
    let mut steps = StepsWriter::create(folder.join("steps.csv"))?;
    run.rows().iter().try_for_each(|row| steps.write(row))?;
    steps.finish()?;
    if let Some(contacts) = &run.contacts {
        contacts.copy_to(&folder.join("contacts.csv"))?;
    }
    write_file(folder.join("steps.svg"), plot_steps(run.rows(), &run.scene().title).as_bytes())?;
    if settings.glb && output.glb {
        let glb = to_glb(recording, GltfSettings { structure: output.structure })?;
        write_file(folder.join("scene.glb"), &glb)?;
    }
    if settings.vtk {
        write_vtk(recording, &folder.join("vtk"))?;
    }
    if settings.pictures {
        let (structure, forces, joints) = (output.structure, output.forces, output.joints);
        let (width, height, camera) = (output.width, output.height, output.camera);
        let render = RenderSettings { width, height, camera, structure, forces, joints, ..RenderSettings::default() };
        if output.filmstrip > 0 {
            let pictures = output.filmstrip as usize;
            let strip = FilmstripSettings { pictures, ..FilmstripSettings::default() };
            write_file(folder.join("filmstrip.png"), &filmstrip(recording, &render, strip)?.to_png()?)?;
        }
        if output.gif {
            let mut file = PendingFile::create(folder.join("animation.gif"))?;
            let gif = GifSettings { speed: output.speed, ..GifSettings::default() };
            write_gif(recording, &render, &gif, &mut file)?;
            file.finish()?;
        }
    }
    write_file(folder.join("summary.json"), run.summary().to_json()?.as_bytes())
}
