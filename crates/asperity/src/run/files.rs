//! The files of a run.

use std::path::Path;

use super::Run;
use super::notes::legend;
use crate::record::raster::{RenderSettings, Renderer};
use crate::record::{
    AnimationSettings, DrawProgress, FilmstripSettings, GltfSettings, PendingFile, RecordError, Show, StepsWriter,
    TrajectoryWriter, filmstrip, plot_steps, to_glb, write_apng, write_file, write_gif, write_mp4, write_series,
    write_vtk,
};
use crate::scene::Output;

/// Which files to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSettings {
    /// Pictures: the filmstrip and the animations.
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
    names.extend((settings.pictures && output.mp4).then_some("animation.mp4"));
    names.extend((settings.pictures && output.apng).then_some("animation.png"));
    names.extend((settings.pictures && output.frames).then_some("frames/0000.png"));
    // The collection is the last file of its folder.
    names.extend(settings.vtk.then_some("vtk/series.pvd"));
    names.push("summary.json");
    names
}

/// Writes `trajectory.csv`, `steps.csv`, `contacts.csv`, `steps.svg`, `summary.json`, `scene.glb`, `filmstrip.png`, `animation.gif`, `animation.mp4`, `animation.png` and the folders `frames` and `vtk`
/// into a folder, as far as the scene and the settings ask for them. The summary comes last: where it is, all is. `progress` is told about every picture.
pub fn write(
    run: &Run,
    folder: &Path,
    settings: FileSettings,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<(), RecordError> {
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
        let Show { lines, grain, relief, tint, .. } = output.show;
        let aspect = f64::from(output.width) / f64::from(output.height);
        let up = -run.scene().model.gravity;
        let glb = to_glb(recording, GltfSettings { lines, grain, relief, tint, camera: output.camera, up, aspect })?;
        write_file(folder.join("scene.glb"), &glb)?;
    }
    if settings.vtk {
        write_vtk(recording, &folder.join("vtk"))?;
    }
    if settings.pictures {
        draw(run, folder, progress)?;
    }
    write_file(folder.join("summary.json"), run.summary()?.to_json()?.as_bytes())
}

/// How pictures of a run are made.
fn render_settings(run: &Run) -> RenderSettings {
    let (output, gravity) = (&run.scene().output, run.scene().model.gravity);
    RenderSettings {
        width: output.width,
        height: output.height,
        camera: output.camera,
        up: -gravity,
        show: output.show,
        notes: legend(run.scene()),
        ..RenderSettings::default()
    }
}

/// Draws all pictures of a run.
fn draw(run: &Run, folder: &Path, progress: &mut dyn FnMut(DrawProgress)) -> Result<(), RecordError> {
    let (recording, output) = (run.recording(), &run.scene().output);
    let animations = [output.gif, output.mp4, output.apng, output.frames].iter().filter(|wanted| **wanted).count();
    if output.filmstrip == 0 && animations == 0 {
        return Ok(());
    }
    let renderer = Renderer::new(recording, render_settings(run))?;
    let animation = AnimationSettings { speed: output.speed, ..AnimationSettings::default() };
    let strip = FilmstripSettings { pictures: output.filmstrip as usize, ..FilmstripSettings::default() };
    let of = strip.count(recording)? + animations * animation.pictures(recording)?;
    let mut done = 0;
    let mut next = |_: DrawProgress| {
        done += 1;
        progress(DrawProgress { done, of });
    };
    if strip.pictures > 0 {
        let image = filmstrip(recording, &renderer, strip, &mut next)?;
        write_file(folder.join("filmstrip.png"), &image.to_png()?)?;
    }
    if output.gif {
        let mut file = PendingFile::create(folder.join("animation.gif"))?;
        write_gif(recording, &renderer, &animation, &mut file, &mut next)?;
        file.finish()?;
    }
    if output.mp4 {
        let mut file = PendingFile::create(folder.join("animation.mp4"))?;
        write_mp4(recording, &renderer, &animation, &mut file, &mut next)?;
        file.finish()?;
    }
    if output.apng {
        let mut file = PendingFile::create(folder.join("animation.png"))?;
        write_apng(recording, &renderer, &animation, &mut file, &mut next)?;
        file.finish()?;
    }
    if output.frames {
        write_series(recording, &renderer, &animation, &folder.join("frames"), &mut next)?;
    }
    Ok(())
}
