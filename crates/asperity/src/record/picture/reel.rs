//! The pictures of many moments, drawn on all cores.
//!
//! Moments are drawn a batch at a time, each by a renderer of its own, and handed on in the order of time: the same bytes for any number of threads.

use rayon::prelude::*;

use super::{label, legend, time_label};
use crate::record::raster::Renderer;
use crate::record::{Frame, Image, RecordError, Recording};

/// Pictures of a batch for each thread: enough to even out those that take longer.
const EACH: usize = 2;

/// Pixels of all pictures of a batch at most: each takes some 100 bytes while it is drawn.
const MOST_PIXELS: usize = 10_000_000;

/// How far drawing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawProgress {
    /// Pictures that are done.
    pub done: usize,
    /// Pictures in all.
    pub of: usize,
}

/// What is written into the pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lettering {
    /// The time, with digits for moments this far apart.
    pub(super) time: Option<f64>,
    /// What colours stand for.
    pub(super) legend: bool,
}

/// Draws moments and makes something of each picture, on all cores; `each` gets the results in order.
pub(super) fn draw<T: Send>(
    recording: &Recording,
    renderer: &Renderer,
    moments: &[f64],
    lettering: impl Fn(usize) -> Lettering + Sync,
    make: impl Fn(Image) -> T + Sync,
    mut each: impl FnMut(usize, T) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let [width, height] = renderer.size().map(|n| n as usize);
    let affordable = MOST_PIXELS / (width * height).max(1);
    let batch = (EACH * rayon::current_num_threads()).min(affordable.max(1));
    let mut renderers = vec![renderer.clone(); batch.min(moments.len())];
    let said = legend::lines(renderer);
    for (number, times) in moments.chunks(batch).enumerate() {
        let frames: Vec<Frame> = times.iter().map(|&t| recording.at(t)).collect::<Result<_, _>>()?;
        let first = number * batch;
        let drawn: Vec<T> = renderers
            .par_iter_mut()
            .zip(&frames)
            .enumerate()
            .map(|(i, (renderer, frame))| {
                let mut image = renderer.draw(frame);
                let lettering = lettering(first + i);
                if let Some(step) = lettering.time {
                    label(&mut image, &time_label(times[i], step));
                }
                if lettering.legend {
                    legend::draw(&mut image, &said);
                }
                make(image)
            })
            .collect();
        drawn.into_iter().enumerate().try_for_each(|(i, made)| each(first + i, made))?;
    }
    Ok(())
}
