//! Coefficients of surfaces: numbers, and fields of numbers.

use std::sync::Arc;

use asperity_friction::tensor::SurfaceTensor;

use super::field::{ImagePlacing, Site};
use crate::body::surface::{
    Channel, CoefficientName, Coefficients, Needs, ScalarField, ScalarTexture, VaryingCoefficient, VertexScalars,
    read_pixels,
};
use crate::geometry::Shape;
use crate::table::{Fault, Node, View, probes};

/// Coefficients whose keys hold one field.
const SINGLE: [CoefficientName; 5] = [
    CoefficientName::Mu,
    CoefficientName::MuT,
    CoefficientName::MuB,
    CoefficientName::MuTau,
    CoefficientName::Salience,
];

/// The numbers that a material or a body states; what it does not state is that of `otherwise`.
pub(super) fn numbers(view: &View, otherwise: Coefficients) -> Result<Coefficients, Fault> {
    Ok(Coefficients {
        mu: view.number("mu").unwrap_or(otherwise.mu),
        mu_t: view.number("mu_t").or(otherwise.mu_t),
        mu_b: view.number("mu_b").or(otherwise.mu_b),
        mu_tau: view.number("mu_tau").unwrap_or(otherwise.mu_tau),
        salience: view.number("salience").unwrap_or(otherwise.salience),
        tensor: tensor(view)?.unwrap_or(otherwise.tensor),
    })
}

fn tensor(view: &View) -> Result<Option<SurfaceTensor>, Fault> {
    let rows = |view: &View, key: &str| -> Option<[[f64; 2]; 2]> {
        match view.list(key) {
            [first, second] => Some([first.numbers()?, second.numbers()?]),
            _ => None,
        }
    };
    let made = match view.view("tensor") {
        Some(table) => rows(&table, "plus").map(|plus| (plus, rows(&table, "minus").unwrap_or(plus))),
        None => rows(view, "tensor").map(|both| (both, both)),
    };
    let Some((plus, minus)) = made else { return Ok(None) };
    SurfaceTensor::asymmetric(plus, minus).map(Some).map_err(|error| view.fault("tensor", error))
}

/// A value of a scene and the path of its key.
struct Given<'t> {
    path: String,
    node: &'t Node,
}

impl Given<'_> {
    fn fault(&self, reason: impl std::fmt::Display) -> Fault {
        Fault { place: self.node.place.clone(), message: format!("{}: {reason}", self.path) }
    }
}

impl Site<'_> {
    /// The coefficients of a body that vary: those of its own table and, where that is silent, those of its material's. `end` is the length of
    /// the run, s.
    pub(super) fn varying(
        &self,
        own: &View,
        material: Option<&View>,
        end: f64,
    ) -> Result<Vec<VaryingCoefficient>, Fault> {
        let given = |key: &str| {
            let view = [Some(own), material].into_iter().flatten().find(|view| view.has(key))?;
            Some(Given { path: view.path_of(key), node: view.node(key)? })
        };
        let mut varying = Vec::new();
        for name in SINGLE {
            // Numbers are read with the coefficients that do not vary.
            if let Some(given) = given(name.key()).filter(|given| given.node.number().is_none()) {
                varying.push(VaryingCoefficient { name, field: self.scalar(&given, None, end)? });
            }
        }
        if let Some(given) = given("tensor_scale") {
            // A factor of one changes nothing.
            let factors = self.tensor_scale(&given, end)?.into_iter().enumerate();
            let factors = factors.filter(|(_, field)| *field != ScalarField::Constant(1.0));
            let named = |(entry, field)| VaryingCoefficient { name: CoefficientName::TensorScale(entry), field };
            varying.extend(factors.map(named));
        }
        Ok(varying)
    }

    /// The factors of Q11, Q12, Q21, Q22: four fields, or one for all; of an image without a channel, its four channels.
    fn tensor_scale(&self, given: &Given, end: f64) -> Result<Vec<ScalarField>, Fault> {
        if let Some(list) = given.node.list() {
            let entry = |(i, node)| self.scalar(&Given { path: format!("{}[{i}]", given.path), node }, None, end);
            return list.iter().enumerate().map(entry).collect();
        }
        let channels = [Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha];
        let table = given.node.table();
        let image = table.is_some_and(|table| {
            table.get("field").and_then(Node::text) == Some("texture") && table.get("channel").is_none()
        });
        channels.into_iter().map(|channel| self.scalar(given, image.then_some(channel), end)).collect()
    }

    /// A field of numbers. `channel`: which channel of an image, instead of the one that it names.
    fn scalar(&self, given: &Given, channel: Option<Channel>, end: f64) -> Result<ScalarField, Fault> {
        let inner = View::of(given.path.clone(), &given.node.place, given.node);
        let field = match (given.node.number(), given.node.text(), &inner) {
            (Some(number), ..) => ScalarField::Constant(number),
            (None, Some(text), _) => formula(given, text, end)?,
            (None, None, Some(table)) => match table.text("field").unwrap_or_default() {
                "formula" => formula(given, table.text("value").unwrap_or_default(), end)?,
                "per_vertex" => self.vertex_scalars(table)?,
                _ => self.scalar_texture(table, channel)?,
            },
            (None, None, None) => return Err(given.fault("is no number, formula or field")),
        };
        if field.needs() == Needs::Coordinates && !self.shape.is_textured() {
            return Err(given.fault(self.no_coordinates()));
        }
        Ok(field)
    }

    fn scalar_texture(&self, view: &View, channel: Option<Channel>) -> Result<ScalarField, Fault> {
        // Cheaper than reading the image, and the better message.
        self.needs_coordinates(view, "file")?;
        let path = self.folder.join(view.text("file").unwrap_or_default());
        let pixels = read_pixels(&path).map_err(|error| view.fault("file", error))?;
        let named = match view.text("channel") {
            Some("red") => Channel::Red,
            Some("green") => Channel::Green,
            Some("blue") => Channel::Blue,
            Some("alpha") => Channel::Alpha,
            _ => Channel::Grey,
        };
        let channel = channel.unwrap_or(named);
        let ends = [view.number("black").unwrap_or(0.0), view.number("white").unwrap_or(1.0)];
        let mut texture = ScalarTexture::new(&pixels, channel, ends).ok_or_else(|| {
            let reason = match channel {
                Channel::Grey => "is an image in colour: name its `channel`, or save it as grey",
                _ => "is a grey image: it has no channels red, green and blue",
            };
            view.fault("file", reason)
        })?;
        let ImagePlacing { wrap, tiles } = ImagePlacing::read(view);
        (texture.wrap, texture.tiles) = (wrap, tiles);
        Ok(ScalarField::Texture(texture))
    }

    fn vertex_scalars(&self, view: &View) -> Result<ScalarField, Fault> {
        let Shape::Mesh(mesh) = self.shape else {
            let name = self.shape.name();
            return Err(view.fault("field", format!("a per_vertex field needs a mesh, and this is a {name}")));
        };
        let numbers: Vec<f64> = view.list("values").iter().filter_map(Node::number).collect();
        let (given, vertices) = (numbers.len(), mesh.data().vertices.len());
        let values = (given == vertices).then(|| VertexScalars::new(numbers, mesh.data().triangles.clone())).flatten();
        match values {
            Some(values) => Ok(ScalarField::PerVertex(Arc::new(values))),
            None => Err(view.fault("values", format!("a list of {given}, and the mesh has {vertices} vertices"))),
        }
    }
}

/// A formula; one of nothing but the time is tried at many moments of the run.
fn formula(given: &Given, text: &str, end: f64) -> Result<ScalarField, Fault> {
    let field = ScalarField::parse(text).map_err(|error| given.fault(error))?;
    if field.is_everywhere_alike() {
        for t in probes(end) {
            let value = field.value(&asperity_friction::field::SurfacePoint::default(), t);
            if !(value.is_finite() && value >= 0.0) {
                return Err(given.fault(format!("is {value} at t = {t}: must be finite and not negative")));
            }
        }
    }
    Ok(field)
}
