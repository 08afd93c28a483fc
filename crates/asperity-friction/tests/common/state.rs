//! Random contacts, and the same contact seen from the other body.
#![allow(dead_code, unreachable_pub)]

use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{ContactFrame, ContactState, FacetSlopes, SurfaceSample, Symmetric2, Tangential};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

/// Everything a surface may say; lives longer than the sample that borrows from it.
#[derive(Clone, Debug)]
pub struct Surface {
    pub material: u32,
    pub tangent: DVec3,
    pub structure: DVec3,
    pub mu: f64,
    pub mu_t: Option<f64>,
    pub mu_b: Option<f64>,
    pub mu_tau: f64,
    pub tensor: SurfaceTensor,
    pub slopes: Vec<DVec2>,
    pub gaussian: Option<Symmetric2>,
    pub salience: f64,
}

impl Surface {
    pub fn sample(&self) -> SurfaceSample<'_> {
        SurfaceSample {
            material: self.material,
            tangent: self.tangent,
            uv: DVec2::ZERO,
            structure: self.structure,
            mu: self.mu,
            mu_t: self.mu_t,
            mu_b: self.mu_b,
            mu_tau: self.mu_tau,
            tensor: self.tensor,
            facets: match self.gaussian {
                Some(covariance) => FacetSlopes::Gaussian(covariance),
                None => FacetSlopes::Patch(&self.slopes),
            },
            salience: self.salience,
        }
    }

    /// The surface as it is seen in the frame of the swapped contact: (t, b) became (t, -b).
    pub fn mirrored(&self) -> Self {
        Self { slopes: self.slopes.iter().map(|p| DVec2::new(p.x, -p.y)).collect(), ..self.clone() }
    }
}

/// A contact with surfaces of its own.
#[derive(Clone, Debug)]
pub struct Contact {
    pub frame: ContactFrame,
    pub a: Surface,
    pub b: Surface,
    pub slip: Tangential,
    pub load: f64,
    /// Slip without friction.
    pub frictionless: Tangential,
}

impl Contact {
    pub fn state(&self) -> ContactState<'_> {
        ContactState {
            frame: self.frame,
            a: self.a.sample(),
            b: self.b.sample(),
            slip: self.slip,
            normal_force: self.load,
            frictionless_slip: self.frictionless.plane,
        }
    }

    /// The same contact with A and B exchanged: the normal points the other way, t stays, b turns.
    pub fn swapped(&self) -> Self {
        Self {
            frame: ContactFrame::new(-self.frame.normal(), self.frame.t()).unwrap(),
            a: self.b.mirrored(),
            b: self.a.mirrored(),
            slip: other_side(self.slip),
            load: self.load,
            frictionless: other_side(self.frictionless),
        }
    }
}

/// A slip of A over B as a slip of B over A in the swapped frame (t, -b, -n), and likewise an impulse on A as the one
/// on B: the vector changes sign, and so does b; the moment about the normal keeps its sign.
pub fn other_side(v: Tangential) -> Tangential {
    Tangential { plane: DVec2::new(-v.plane.x, v.plane.y), spin: v.spin, roll: DVec2::new(-v.roll.x, v.roll.y) }
}

fn direction() -> impl Strategy<Value = DVec3> + Clone {
    [-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64]
        .prop_map(DVec3::from_array)
        .prop_filter("not zero", |v| v.length() > 0.1)
        .prop_map(|v| v.normalize())
}

/// A structure direction: sometimes none, sometimes not of unit length.
fn structure() -> impl Strategy<Value = DVec3> + Clone {
    prop_oneof![1 => Just(DVec3::ZERO), 6 => direction(), 2 => direction().prop_map(|d| d * 7.5)]
}

/// A tensor that brakes: symmetric and positive when `symmetric`, else with a rotational part and another sense.
pub fn tensor(symmetric: bool) -> impl Strategy<Value = SurfaceTensor> + Clone {
    (0.01..1.0f64, 0.01..1.0f64, 0.0..3.2f64, -0.3..0.3f64, 0.2..1.0f64).prop_map(move |(a, b, angle, turn, back)| {
        let s = Symmetric2::from_eigen([a, b], DVec2::from_angle(angle));
        if symmetric {
            return SurfaceTensor::orthotropic(s.xx, s.yy, s.xy).unwrap();
        }
        let plus = [[a, turn * a.min(b)], [-turn * a.min(b), b]];
        let minus = plus.map(|row| row.map(|x| x * back));
        SurfaceTensor::asymmetric(plus, minus).unwrap()
    })
}

fn surface(symmetric: bool) -> impl Strategy<Value = Surface> + Clone {
    let slope = [-1.5..1.5f64, -1.5..1.5f64].prop_map(DVec2::from_array);
    let gaussian = (0.0..1.0f64, 0.0..1.0f64, 0.0..3.2f64)
        .prop_map(|(a, b, angle)| Symmetric2::from_eigen([a * a, b * b], DVec2::from_angle(angle)));
    (
        (0..3u32, direction(), structure(), 0.0..1.0f64),
        (prop::option::of(0.0..2.0f64), prop::option::of(0.0..2.0f64), 0.0..0.3f64),
        (tensor(symmetric), prop::collection::vec(slope, 0..40), prop::option::of(gaussian), 0.0..4.0f64),
    )
        .prop_map(
            |((material, tangent, structure, mu), (mu_t, mu_b, mu_tau), (tensor, slopes, gaussian, salience))| {
                Surface { material, tangent, structure, mu, mu_t, mu_b, mu_tau, tensor, slopes, gaussian, salience }
            },
        )
}

/// A contact between arbitrary surfaces, with tensors that are symmetric or not.
pub fn contact(symmetric: bool) -> impl Strategy<Value = Contact> + Clone {
    let load = prop_oneof![1 => Just(0.0), 5 => (-3.0..5.0f64).prop_map(|e| 10f64.powf(e))];
    let speed = prop_oneof![1 => Just(0.0), 6 => (-5.0..1.0f64).prop_map(|e| 10f64.powf(e))];
    (direction(), 0.0..6.3f64, surface(symmetric), surface(symmetric), super::vector(), speed, load).prop_map(
        |(normal, turn, a, b, v, speed, load)| {
            let frame = ContactFrame::from_normal(normal).unwrap();
            let t = frame.to_world(DVec2::from_angle(turn)).normalize();
            let (frame, slip) = (ContactFrame::new(normal, t).unwrap(), v * speed);
            Contact { frame, a, b, slip, load, frictionless: slip }
        },
    )
}
