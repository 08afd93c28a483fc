//! Bodies that have fallen out of a scene.
//!
//! With the height −g·x/|g|, a body has left where its highest point (its centre's height plus its reach) is below the lowest point of every body that does not move freely: nothing is there to catch it. Bodies of joints
//! may hang there, and so may cloth; a scene without gravity, or without a body that is fixed, has no below.

use glam::DVec3;

use super::Run;

/// A body that has left.
#[derive(Clone, Debug, PartialEq)]
pub struct DepartedBody {
    /// Its name.
    pub name: String,
    /// The first frame from which on it was gone, s.
    pub time: f64,
}

/// The bodies that have left, the first to go first.
pub fn departures(run: &Run) -> Vec<DepartedBody> {
    let (model, frames) = (&run.scene().model, run.recording().frames());
    let Some(down) = model.gravity.try_normalize() else { return Vec::new() };
    let fixed = model.bodies.iter().zip(&run.state().bodies).filter(|(body, _)| !body.is_dynamic());
    // The corner of a box that is farthest down.
    let lowest = fixed.map(|(body, state)| {
        let around = body.aabb(state);
        let corner = DVec3::select(down.cmpge(DVec3::ZERO), around.max, around.min);
        // Where a box has no end, 0 times infinity is no number.
        (0..3).filter(|&axis| down[axis] != 0.0).map(|axis| down[axis] * corner[axis]).sum::<f64>()
    });
    let Some(floor) = lowest.reduce(f64::max).filter(|floor| floor.is_finite()) else { return Vec::new() };
    let tied: Vec<u32> = model.joints.iter().flat_map(|joint| joint.bodies()).flatten().collect();
    let mut found: Vec<DepartedBody> = Vec::new();
    for (i, body) in
        model.bodies.iter().enumerate().filter(|(i, body)| body.inertia().is_some() && !tied.contains(&(*i as u32)))
    {
        let below = |k: usize| down.dot(frames[k].states[i].pose.position) - body.reach() > floor;
        let gone = (0..frames.len()).rev().take_while(|&k| below(k)).last();
        found.extend(gone.map(|k| DepartedBody { name: body.name.clone(), time: frames[k].t }));
    }
    found.sort_by(|a, b| a.time.total_cmp(&b.time));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Document;

    /// A ball beside a plate, one on it and one on a string below it. The first falls from 0.5 m and is below the plate, 0.1 m thick, when its upper end is:
    /// ½ g t² = 0.5 + 0.1 + 0.1, t = 0.378 s.
    #[test]
    fn what_falls_below_everything_has_left() {
        let text = r#"
            title = "Three balls"
            time = { dt = 0.002, end = 0.5 }
            output = { fps = 500 }
            [body.plate]
            shape = { kind = "box", size = [1, 0.1, 1] }
            position = [0, -0.05, 0]
            motion = "static"
            [body.lost]
            shape = { kind = "sphere", radius = 0.1 }
            position = [2, 0.5, 0]
            [body.kept]
            shape = { kind = "sphere", radius = 0.1 }
            position = [0, 0.1, 0]
            [body.hung]
            shape = { kind = "sphere", radius = 0.1 }
            position = [0, -1, 0]
            [joint.string]
            kind = "distance"
            a = "hung"
            b = "plate"
            length = 0.95
        "#;
        let scene = |set: &[(String, String)]| Document::parse(text, "balls.toml").unwrap().scene(None, set).unwrap();
        let ended = |scene| {
            let mut run = Run::new(scene).unwrap();
            while !run.is_done() {
                run.step().unwrap();
            }
            departures(&run)
        };
        let gone = ended(scene(&[]));
        assert_eq!(gone.len(), 1, "{gone:?}");
        let expected = (2.0 * 0.7 / 9.81f64).sqrt();
        assert!(gone[0].name == "lost" && (gone[0].time - expected).abs() <= 0.002, "{gone:?}, at {expected} s");
        let ground = [("body.plate.shape".into(), "{ kind = \"half_space\" }".into())];
        let above = [("body.hung.position".into(), "[0, 0.9, 0]".into())];
        let set: Vec<(String, String)> = ground.into_iter().chain(above).collect();
        assert_eq!(ended(scene(&set)), [], "a ground without an end keeps all");
    }
}
