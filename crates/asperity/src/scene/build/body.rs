//! Bodies, one by one or in arrays.

use std::path::Path;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::elastic::{self, Beginning, Block};
use super::material::{Materials, NumberedMaterial};
use super::motion::{animated, script};
use super::{coefficient, field, potential, relief};
use crate::body::surface::{Colors, Needs, read_colors};
use crate::body::{Body, BodyState, Inertia, Matter, Motion, Script, Surface, Twist};
use crate::geometry::placing;
use crate::geometry::{Compound, Decomposition, MassProperties, Part, Pose, Shape, ShapeError};
use crate::nearest::did_you_mean;
use crate::record::{Image, Paint};
use crate::scene::{Look, Time};
use crate::table::{Fault, Node, View, whole};

/// Colours of materials, in their order; of static bodies, the last.
const COLORS: [[u8; 3]; 6] =
    [[70, 130, 180], [214, 120, 60], [110, 160, 90], [180, 90, 120], [150, 130, 190], [200, 170, 80]];
const STATIC_COLOR: [u8; 3] = [176, 180, 186];
/// Segments of a full circle.
const RESOLUTION: u32 = 48;

/// A body of a scene, where it starts, and how it looks.
pub(super) struct Made {
    pub(super) body: Body,
    pub(super) state: BodyState,
    pub(super) look: Look,
}

/// What bodies are made with.
pub(super) struct Workshop<'a> {
    /// The whole scene: a bone may be another of its bodies.
    pub(super) scene: &'a View<'a>,
    pub(super) folder: &'a Path,
    pub(super) materials: &'a Materials<'a>,
    pub(super) time: Time,
    /// Whether some body has facets: then all skins are needed.
    pub(super) facets: bool,
}

impl Workshop<'_> {
    /// The bodies of a `[body.NAME]` table: one, or all of its array.
    pub(super) fn make(&self, name: &str, view: &View) -> Result<Vec<Made>, Fault> {
        let NumberedMaterial { number: material, material: stuff } =
            self.materials.find(view.text("material")).map_err(|reason| view.fault("material", reason))?;
        let Some(inner) = view.view("shape") else { return Err(view.own_fault("`shape` is missing")) };
        let mut drawn = Shape::read(&inner, self.folder)?;
        let density = view.number("density").unwrap_or(stuff.density);
        let block = Block { table: &inner, shape: &drawn, folder: self.folder, density };
        let stuffing = view.view("matter").map(|matter| elastic::matter(&matter, &block)).transpose()?;
        if let Some(stuffing) = &stuffing {
            drawn = Shape::Mesh(stuffing.mesh.clone());
        }
        let start = placing::read(view, Pose::IDENTITY)?;
        let coefficients = coefficient::numbers(view, stuff.coefficients)?;
        let fields = field::Site { folder: self.folder, shape: &drawn };
        let (structure, tangent) = (fields.read(view, "structure")?, fields.read(view, "tangent")?);
        let varying = fields.varying(view, stuff.table.as_ref(), self.time.end)?;
        let looked_up = self.facets || varying.iter().any(|varying| varying.field.needs() > Needs::Place);
        let surface = Surface {
            material,
            skin: fields.skin([&structure, &tangent], looked_up),
            structure,
            tangent,
            coefficients,
            varying,
            potential: potential::read(view, &drawn)?,
            facets: relief::read(view, &fields)?.map(Arc::new),
        };
        if let Some(stuffing) = stuffing {
            return Ok(vec![self.elastic_body(name, view, stuffing, surface, drawn, start)?]);
        }
        if let Some(key) = ["pins", "start"].into_iter().find(|key| view.has(key)) {
            return Err(view.fault(key, "only elastic bodies have vertices of their own: give the body a `matter`"));
        }
        if let Some(given) = view.view("motion").filter(|given| given.has("vertices")) {
            self.refuse_forces(view)?;
            if let Some(key) = ["array", "decompose"].into_iter().find(|key| view.has(key)) {
                return Err(view.fault(key, "has no meaning for a body whose vertices move by formulas"));
            }
            let mesh = animated(&given, &drawn, start, self.time.end)?;
            let state = BodyState::Mesh(Arc::new(mesh.state(0.0, self.time.dt)));
            let look = self.look(view, material, false, drawn)?;
            let body = Body { name: name.to_owned(), surface, matter: Matter::Animated(mesh) };
            return Ok(vec![Made { body, state, look }]);
        }
        let motion = match view.text("motion") {
            Some("static") => Motion::Static,
            _ => match view.view("motion") {
                Some(given) => Motion::Scripted(script(&given, start, self.time.end)?),
                None => Motion::Dynamic(inertia(view, &inner, &drawn, stuff.density)?),
            },
        };
        if !matches!(motion, Motion::Dynamic(_)) {
            self.refuse_forces(view)?;
        }
        let solid = decomposed(view, &inner, &drawn, matches!(motion, Motion::Dynamic(_)))?;
        let look = self.look(view, material, matches!(motion, Motion::Static), drawn.clone())?;
        let first = Body::rigid(name, solid.unwrap_or(drawn), surface, motion);
        let velocity = view.vector("velocity").unwrap_or_default();
        let spin = view.vector("angular_velocity").unwrap_or_default();
        let Some(array) = view.view("array") else {
            return Ok(vec![self.placed(first, look, start, velocity, spin)]);
        };
        if first.script().is_some() {
            return Err(view.fault("array", "a body that moves by a script cannot be repeated"));
        }
        let places = places(&array, start)?;
        let copy = |Copied { suffix, pose }| {
            let body = Body { name: format!("{}{suffix}", first.name), ..first.clone() };
            self.placed(body, look.clone(), pose, velocity, spin)
        };
        Ok(places.into_iter().map(copy).collect())
    }

    /// A cloth or a solid with this surface, drawn as its mesh at rest, at a pose.
    fn elastic_body(
        &self,
        name: &str,
        view: &View,
        stuffing: elastic::Stuff,
        surface: Surface,
        drawn: Shape,
        pose: Pose,
    ) -> Result<Made, Fault> {
        if let Some(key) = ["array", "decompose", "motion", "mass", "inertia"].into_iter().find(|key| view.has(key)) {
            return Err(view.fault(key, "has no meaning for an elastic body"));
        }
        let vector = |key: &str| view.vector(key).unwrap_or_default();
        let (velocity, angular_velocity) = (vector("velocity"), vector("angular_velocity"));
        let motion_of = |name: &str| self.motion_of(name);
        let at = Beginning { pose, velocity, angular_velocity, end: self.time.end, motion_of: &motion_of };
        let (elastic, state) = elastic::begin(view, stuffing, &at)?;
        let look = self.look(view, surface.material, false, drawn)?;
        let body = Body { name: name.to_owned(), surface, matter: Matter::Elastic(elastic) };
        Ok(Made { body, state, look })
    }

    /// The motion of a body whose motion is given, by its name.
    fn motion_of(&self, name: &str) -> Result<Script, String> {
        let bodies = || self.scene.names("body").iter();
        let Some(entry) = bodies().find(|entry| entry.name == name) else {
            let hint = did_you_mean(name, bodies().map(|entry| entry.name.as_str()));
            return Err(format!("no body has the name `{name}`{hint}"));
        };
        let table = View::of(format!("body.{name}"), &entry.key, &entry.node);
        let motion = table.as_ref().and_then(|table| table.view("motion")).filter(|motion| !motion.has("vertices"));
        let (Some(table), Some(motion)) = (table, motion) else {
            return Err(format!("`{name}` cannot carry vertices: its `motion` has no keyframes or formulas"));
        };
        let start = placing::read(&table, Pose::IDENTITY).map_err(|fault| fault.message)?;
        script(&motion, start, self.time.end).map_err(|fault| fault.message)
    }

    /// Refuses keys that say how forces move a body.
    fn refuse_forces(&self, view: &View) -> Result<(), Fault> {
        let given =
            ["velocity", "angular_velocity", "mass", "density", "inertia"].into_iter().find(|key| view.has(key));
        given.map_or(Ok(()), |key| Err(view.fault(key, "has no meaning for a body that forces do not move")))
    }

    fn placed(&self, body: Body, look: Look, pose: Pose, velocity: DVec3, spin: DVec3) -> Made {
        let (pose, velocity, spin) = match body.script() {
            Some(script) => {
                let Twist { velocity, angular_velocity } = script.velocity(0.0, self.time.dt);
                (script.pose(0.0), velocity, angular_velocity)
            }
            None if body.is_static() => (pose, DVec3::ZERO, DVec3::ZERO),
            None => (pose, velocity, spin),
        };
        Made { state: BodyState::rigid(&body, pose, velocity, spin), body, look }
    }
}

fn inertia(view: &View, inner: &View, shape: &Shape, density: f64) -> Result<Inertia, Fault> {
    view.at_most_one(&["mass", "density"])?;
    let density = view.number("density").unwrap_or(density);
    let mut properties = MassProperties::of(shape, density).map_err(|error| match error {
        ShapeError::NoMass { .. } => inner.own_fault(format!("{error}: give it motion = \"static\"")),
        other => inner.own_fault(format!("a dynamic body needs a solid: {other}")),
    })?;
    if let Some(mass) = view.number("mass") {
        properties.inertia *= mass / properties.mass;
        properties.mass = mass;
    }
    if let Some(six) = view.node("inertia").and_then(Node::numbers::<6>) {
        properties.inertia = MassProperties::tensor(six).map_err(|error| view.fault("inertia", error))?;
    }
    Inertia::new(&properties).map_err(|error| inner.own_fault(error))
}

/// The convex parts of a mesh, where they are wanted.
fn decomposed(view: &View, inner: &View, shape: &Shape, dynamic: bool) -> Result<Option<Shape>, Fault> {
    let given = view.view("decompose");
    let meshes = shape.has_surface();
    if given.is_some() && !meshes {
        return Err(view.fault("decompose", format!("a {} is convex already", shape.name())));
    }
    if !meshes || !(dynamic || given.is_some()) {
        return Ok(None);
    }
    let mut settings = Decomposition::default();
    if let Some(given) = &given {
        let whole = |key: &str, otherwise: u32| given.whole(key).map_or(otherwise, |n| n as u32);
        settings.resolution = whole("resolution", settings.resolution);
        settings.parts = whole("parts", settings.parts);
        settings.concavity = given.number("concavity").unwrap_or(settings.concavity);
    }
    let whole = [Part { pose: Pose::IDENTITY, shape: shape.clone() }];
    let pieces: &[Part] = if let Shape::Compound(Compound { parts }) = shape { parts } else { &whole };
    let mut solid = Vec::new();
    for piece in pieces {
        match &piece.shape {
            Shape::Mesh(mesh) => match Shape::decompose(mesh, &settings).map_err(|error| inner.own_fault(error))? {
                Shape::Compound(Compound { parts }) => {
                    solid.extend(parts.into_iter().map(|part| Part { pose: piece.pose.then(&part.pose), ..part }));
                }
                other => solid.push(Part { pose: piece.pose, shape: other }),
            },
            _ => solid.push(piece.clone()),
        }
    }
    Shape::compound(solid).map(Some).map_err(|error| inner.own_fault(error))
}

/// How bodies look.
impl Workshop<'_> {
    fn look(&self, view: &View, material: u32, fixed: bool, shape: Shape) -> Result<Look, Fault> {
        let color = match view.text("color") {
            Some(text) => hex(text)
                .ok_or_else(|| view.fault("color", format!("\"{text}\" is no colour: expected \"#rrggbb\"")))?,
            None if fixed => STATIC_COLOR,
            None => COLORS[material as usize % COLORS.len()],
        };
        view.at_most_one(&["color_map", "checker"])?;
        let paint = match (view.text("color_map").filter(|file| *file != "none"), view.number("checker")) {
            (Some(file), _) => {
                field::Site { folder: self.folder, shape: &shape }.needs_coordinates(view, "color_map")?;
                Paint::Texture(Arc::new(
                    color_map(&self.folder.join(file)).map_err(|why| view.fault("color_map", why))?,
                ))
            }
            (None, Some(cell)) => Paint::Checker { color, cell },
            (None, None) => Paint::Color(color),
        };
        let resolution = view.whole("resolution").map_or(RESOLUTION, |n| n as u32);
        Ok(Look { paint, resolution, shape })
    }
}

/// An image of colours, or why there is none.
fn color_map(path: &Path) -> Result<Image, String> {
    let Colors { width, height, texels } = read_colors(path).map_err(|error| error.to_string())?;
    Image::new(width, height, texels).map_err(|error| error.to_string())
}

/// `#rrggbb`.
fn hex(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some([channel(0)?, channel(2)?, channel(4)?])
}

/// How far the neighbours of an array's first body are from it in the list of bodies.
pub(super) fn strides(array: &View) -> Vec<usize> {
    let counts: Vec<usize> = array.list("count").iter().filter_map(|n| whole(n)?.try_into().ok()).collect();
    let [x, y, z] = counts[..] else { return Vec::new() };
    [(z, 1), (y, z), (x, y * z)].into_iter().filter(|(count, _)| *count > 1).map(|(_, stride)| stride).collect()
}

/// One of the copies that an array makes of a body.
struct Copied {
    /// What its name ends with.
    suffix: String,
    pose: Pose,
}

/// Names and poses of an array.
fn places(array: &View, first: Pose) -> Result<Vec<Copied>, Fault> {
    let counts: Vec<u64> = array.list("count").iter().filter_map(whole).collect();
    let [x, y, z] = counts[..] else { return Err(array.fault("count", "expected 3 whole numbers")) };
    let total = u128::from(x) * u128::from(y) * u128::from(z);
    if total > u128::from(crate::scene::keys::MOST_BODIES) {
        return Err(array.fault("count", format!("{total} bodies are too many (at most 100000)")));
    }
    let spacing = array.vector("spacing").unwrap_or_default();
    let (jitter, angle) =
        (array.number("jitter").unwrap_or(0.0), array.number("jitter_deg").unwrap_or(0.0).to_radians());
    let mut chance = Chance(array.whole("seed").unwrap_or(0));
    let mut all = Vec::with_capacity(total as usize);
    for i in 0..x {
        for j in 0..y {
            for k in 0..z {
                let mut pose = first;
                pose.position += spacing * DVec3::new(i as f64, j as f64, k as f64);
                pose.position += chance.vector() * jitter;
                let (axis, turn) = (chance.vector().normalize_or(DVec3::Y), chance.next() * angle);
                if angle > 0.0 {
                    pose.rotation = (DQuat::from_axis_angle(axis, turn) * pose.rotation).normalize();
                }
                all.push(Copied { suffix: format!("[{i},{j},{k}]"), pose });
            }
        }
    }
    Ok(all)
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere.
struct Chance(u64);

impl Chance {
    /// Even between −1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}
