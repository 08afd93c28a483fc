//! From a checked tree to a scene.

mod body;
mod coefficient;
mod elastic;
mod expect;
mod field;
mod joint;
mod material;
mod motion;
mod overlap;
mod potential;
mod relief;

pub use material::DEFAULT_MU;

use std::path::Path;

use asperity_friction::number::{Written, distinct};
use asperity_solve::solver::Pivoting;
use glam::DVec3;

use self::body::{Made, Workshop};
use self::joint::Fitter;
use self::material::Materials;
use super::document::Tree;
use super::error::SceneError;
use super::keys::{self, MOST_BODIES, Problems, ValueKind};
use super::{Look, Output, Scene, SolverChoice, StepperChoice, Time};
use crate::body::{Body, BodyState};
use crate::joint::apart;
use crate::record::Show;
use crate::record::raster::Camera;
use crate::step::{
    BarrierSettings, Corrector, ImpactLaw, ImpactOrder, Loads, STEPPERS, SlipPotential, SmoothSettings,
    StepperSettings, TimeRule, Transport,
};
use crate::table::{Fault, Node, Place, View};
use crate::world::{Model, State};

/// Most steps of a run.
const MOST_STEPS: f64 = 1e9;
/// Gravity of scenes that state none, m/s².
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// Checks the keys and builds the scene.
pub(super) fn scene(tree: &Tree, variant: Option<&str>) -> Result<Scene, SceneError> {
    let mut problems = Problems::new(tree.document);
    keys::check(&tree.root, &ValueKind::Table(&keys::SCENE), &mut problems);
    let fail = |problems: Problems| tree.document.error(problems.into_list(), tree.set);
    let Some(view) = View::of(String::new(), &tree.root.place, &tree.root) else { return Err(fail(problems)) };
    if !problems.is_empty() {
        return Err(fail(problems));
    }
    let time = time(&view, &mut problems);
    let materials = Materials::read(&view, &mut problems);
    let interactions = materials.interactions(&view, &mut problems);
    let folder = tree.document.path().parent().unwrap_or(Path::new(""));
    let workshop = Workshop { scene: &view, folder, materials: &materials, time, facets: relief::any(&view) };
    let cast = cast(&view, &workshop, &mut problems);
    // Joints speak of bodies: where those are wrong there is nothing to say about the joints.
    let fitter = Fitter { bodies: &cast.bodies, states: &cast.states, end: time.end };
    let joints = problems.is_empty().then(|| joint::read(&view, &fitter, &mut problems));
    let expect = expect::read(&view, &cast.bodies, joints.as_deref(), time.end, &mut problems);
    let joints = joints.unwrap_or_default();
    let gravity = view.view("world").and_then(|view| view.vector("gravity")).unwrap_or(GRAVITY);
    let output = output(&view, gravity).unwrap_or_else(|Fault { place, message }| {
        problems.push(&place, message);
        Output::default()
    });
    if problems.is_empty() {
        check_overlap(&view, &cast, &apart(&joints), &mut problems);
    }
    if !problems.is_empty() {
        return Err(fail(problems));
    }
    let world = view.view("world");
    let number = |key: &str| world.as_ref().and_then(|view| view.number(key)).unwrap_or(0.0);
    let model = Model {
        bodies: cast.bodies,
        joints,
        interactions,
        gravity,
        damping: number("damping"),
        angular_damping: number("angular_damping"),
    };
    let state = State { bodies: cast.states, ..State::default() };
    Ok(Scene {
        name: tree.document.path().file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        variant: variant.map(str::to_owned),
        title: view.text("title").unwrap_or_default().to_owned(),
        about: view.text("about").unwrap_or_default().trim().to_owned(),
        model,
        state,
        time,
        stepper: stepper(&view),
        solver: solver(&view),
        looks: cast.looks,
        output,
        expect,
    })
}

/// The bodies, and the tables they come from.
#[derive(Default)]
struct Cast {
    bodies: Vec<Body>,
    states: Vec<BodyState>,
    looks: Vec<Look>,
    tables: Vec<Origin>,
}

/// Where bodies come from.
struct Origin {
    /// The first of them.
    first: usize,
    /// How far the neighbours of the first one are in the list, if it is an array.
    strides: Vec<usize>,
    place: Place,
}

fn cast(scene: &View, workshop: &Workshop, problems: &mut Problems) -> Cast {
    let mut cast = Cast::default();
    for entry in scene.names("body") {
        let path = format!("body.{}", entry.name);
        // "none": switched off by a variant.
        let Some(view) = View::of(path, &entry.key, &entry.node) else { continue };
        match workshop.make(&entry.name, &view) {
            Ok(made) => {
                let count = cast.bodies.len() + made.len();
                if count > MOST_BODIES as usize {
                    problems.push(&entry.key, format!("{}: {count} bodies are too many (at most 100000)", view.path));
                    return cast;
                }
                let strides = view.view("array").map_or_else(Vec::new, |array| body::strides(&array));
                cast.tables.push(Origin { first: cast.bodies.len(), strides, place: entry.key.clone() });
                for Made { body, state, look } in made {
                    cast.bodies.push(body);
                    cast.states.push(state);
                    cast.looks.push(look);
                }
            }
            Err(Fault { place, message }) => problems.push(&place, message),
        }
    }
    if cast.bodies.is_empty() && problems.is_empty() {
        problems.push(&scene.place_of("body"), "body: a scene needs at least one body");
    }
    cast
}

fn time(scene: &View, problems: &mut Problems) -> Time {
    let Some(view) = scene.view("time") else { return Time { dt: 1.0, end: 1.0 } };
    let time = Time { dt: view.number("dt").unwrap_or(1.0), end: view.number("end").unwrap_or(1.0) };
    let mut refuse = |Fault { place, message }: Fault| problems.push(&place, message);
    if time.end < time.dt {
        refuse(view.fault("end", format!("{} is less than one step of {}", time.end, time.dt)));
    } else if time.end / time.dt > MOST_STEPS {
        refuse(view.fault("dt", format!("{} makes {:e} steps: too many", time.dt, time.end / time.dt)));
    }
    time
}

fn slip_potential(stepper: Option<&View>) -> SlipPotential {
    match stepper.and_then(|view| view.text("friction")) {
        Some("toolkit") => {
            let scaling = stepper.and_then(|view| view.node("velocity_scaling")).and_then(|node| node.numbers());
            SlipPotential::Toolkit { scaling: scaling.unwrap_or([1.0; 2]) }
        }
        _ => SlipPotential::Sets,
    }
}

fn stepper(scene: &View) -> StepperChoice {
    let view = scene.view("stepper");
    let get = view.as_ref();
    let usual = StepperSettings::default();
    StepperChoice {
        kind: get.and_then(|view| view.text("kind")).unwrap_or(STEPPERS[0].name).to_owned(),
        iterations: get.and_then(|view| view.whole("iterations")).map_or(usual.iterations, |n| n as usize),
        barrier: BarrierSettings {
            dhat: get.and_then(|view| view.number("dhat")),
            stiffness: get.and_then(|view| view.number("stiffness")),
            eps_v: get.and_then(|view| view.number("eps_v")).unwrap_or(usual.barrier.eps_v),
            lags: get.and_then(|view| view.whole("lags")).map_or(usual.barrier.lags, |n| n as usize),
            loads: get.and_then(|view| view.text("loads")).and_then(Loads::named).unwrap_or(usual.barrier.loads),
            rule: get.and_then(|view| view.text("rule")).and_then(TimeRule::named).unwrap_or(usual.barrier.rule),
            adaptive: get.and_then(|view| view.truth("adaptive")).unwrap_or(usual.barrier.adaptive),
            friction: slip_potential(get),
        },
        smooth: SmoothSettings {
            forwarding: get.and_then(|view| view.truth("forwarding")).unwrap_or(usual.smooth.forwarding),
            prune: get.and_then(|view| view.number("prune")).unwrap_or(usual.smooth.prune),
            transport: match get.and_then(|view| view.text("transport")) {
                Some("weights") => Transport::Weights,
                _ => usual.smooth.transport,
            },
            relinearise: get
                .and_then(|view| view.whole("relinearise"))
                .map_or(usual.smooth.relinearise, |n| n as usize),
            corrector: match get.and_then(|view| view.text("corrector")) {
                Some("masses") => Corrector::Masses,
                _ => usual.smooth.corrector,
            },
        },
        impact: match get.and_then(|view| view.text("impact")) {
            Some("newton") => ImpactLaw::Newton,
            _ => usual.impact,
        },
        order: match get.and_then(|view| view.text("simultaneous")) {
            Some("in_turn") => ImpactOrder::InTurn,
            _ => usual.order,
        },
    }
}

fn solver(scene: &View) -> SolverChoice {
    let view = scene.view("solver");
    let get = view.as_ref();
    SolverChoice {
        kind: get.and_then(|view| view.text("kind")).unwrap_or("auto").to_owned(),
        tolerance: get.and_then(|view| view.number("tolerance")).unwrap_or(StepperSettings::default().tolerance),
        limit: get.and_then(|view| view.number("limit")),
        time_limit: get
            .and_then(|view| view.number("time_limit"))
            .unwrap_or_else(|| StepperSettings::default().time.as_secs_f64()),
        iterations: get.and_then(|view| view.whole("iterations")).map(|n| n as usize),
        passes: get.and_then(|view| view.whole("passes")).map_or(StepperSettings::default().passes, |n| n as usize),
        facets: get.and_then(|view| view.whole("facets")).map_or(Pivoting::default().facets, |n| n as usize),
    }
}

impl Default for Output {
    fn default() -> Self {
        Self {
            fps: 25.0,
            width: 640,
            height: 400,
            camera: None,
            show: Show::default(),
            gif: true,
            mp4: false,
            apng: false,
            frames: false,
            speed: 1.0,
            glb: true,
            filmstrip: 9,
            contacts: false,
        }
    }
}

fn output(scene: &View, gravity: DVec3) -> Result<Output, Fault> {
    let plain = Output::default();
    let Some(view) = scene.view("output") else { return Ok(plain) };
    let whole = |key: &str, otherwise: u32| view.whole(key).map_or(otherwise, |n| n as u32);
    let truth = |key: &str, otherwise: bool| view.truth(key).unwrap_or(otherwise);
    Ok(Output {
        fps: view.number("fps").unwrap_or(plain.fps),
        width: whole("width", plain.width),
        height: whole("height", plain.height),
        camera: view.view("camera").map(|camera| self::camera(&camera, gravity)).transpose()?,
        show: show(&view)?,
        gif: truth("gif", plain.gif),
        mp4: truth("mp4", plain.mp4),
        apng: truth("apng", plain.apng),
        frames: truth("frames", plain.frames),
        speed: view.number("speed").unwrap_or(plain.speed),
        glb: truth("glb", plain.glb),
        filmstrip: whole("filmstrip", plain.filmstrip),
        contacts: truth("contacts", plain.contacts),
    })
}

/// What is drawn: the words of `show`, or what acts.
fn show(view: &View) -> Result<Show, Fault> {
    if !view.has("show") {
        return Ok(Show::default());
    }
    let words: Vec<&str> = view.list("show").iter().filter_map(Node::text).collect();
    let colours: Vec<&str> = ["varying", "mu", "salience"].into_iter().filter(|word| words.contains(word)).collect();
    if let [first, second, ..] = colours[..] {
        let message = format!("\"{first}\" and \"{second}\" both colour the bodies: choose one of them");
        return Err(view.fault("show", message));
    }
    let mut show = Show::NOTHING;
    words.iter().for_each(|word| show.add(word));
    Ok(show)
}

fn camera(view: &View, gravity: DVec3) -> Result<Camera, Fault> {
    let (eye, target) = (view.vector("from").unwrap_or_default(), view.vector("to").unwrap_or_default());
    if eye.distance(target) < 1e-9 {
        return Err(view.fault("to", "must be away from `from`"));
    }
    let fov = view.number("fov_deg").unwrap_or(38.0);
    if !(1.0..=170.0).contains(&fov) {
        return Err(view.fault("fov_deg", format!("{fov} must be between 1 and 170")));
    }
    let up = view.vector("up").or((-gravity).try_normalize()).unwrap_or(DVec3::Y);
    Ok(Camera { eye, target, up, fov: fov.to_radians() })
}

fn check_overlap(scene: &View, cast: &Cast, apart: &[[u32; 2]], problems: &mut Problems) {
    if scene.view("world").and_then(|world| world.truth("allow_overlap")) == Some(true) {
        return;
    }
    let (bodies, states) = (&cast.bodies, &cast.states);
    let origin = |body: usize| {
        let table = cast.tables.iter().rfind(|origin| origin.first <= body);
        table.map_or_else(|| scene.place_of("body"), |origin| origin.place.clone())
    };
    if let Some(overlap::PinnedOverlap { bodies: [i, j], vertex, depth }) = overlap::pinned(bodies, states) {
        let (own, other) = (&bodies[i].name, &bodies[j].name);
        let message = format!(
            "vertex {vertex} of `{own}` is pinned and starts {} m inside `{other}`, which cannot push it out; \
             move it, or set world.allow_overlap = true",
            Written(depth)
        );
        return problems.push(&origin(i), message);
    }
    // Neighbours in an array first: if all of it lay in one place, the pairs would be too many to list.
    let neighbours = |origin: &Origin| {
        let moves = bodies[origin.first].is_dynamic();
        let mut others = origin.strides.iter().filter(|_| moves).map(|stride| origin.first + stride);
        others.find_map(|other| overlap::between(bodies, states, apart, [origin.first, other]))
    };
    let found = cast.tables.iter().find_map(neighbours).or_else(|| overlap::first(bodies, states, apart));
    let Some(overlap::StartOverlap { bodies: [i, j], depth, allowed }) = found else { return };
    let (a, b) = (&bodies[i].name, &bodies[j].name);
    let [depth, allowed] = distinct(depth, allowed);
    let message = format!(
        "`{a}` and `{b}` overlap by {depth} m at the start (allowed are {allowed} m, 1 % of the smaller one's least width); \
         move them apart or set world.allow_overlap = true"
    );
    problems.push(&origin(j), message);
}
