//! The curves of the IPC Toolkit's page on friction: μ, f1, f0, μ f1 and its integral, for μ_s = 1, μ_k = 0.1 and
//! ε_v = 0.001 m/s, with our transition, whose force does reach μ_s.

use asperity_friction::FrictionError;
use asperity_friction::curve::{Mollifier, Profile, StaticKineticCurve, Transition};

use super::{Preset, refused};
use crate::cone::Drawing;
use crate::cone::flags::LawFlags;
use crate::cone::table::Table;
use crate::error::CliError;
use crate::figure::{Axis, Curve, Dash, Figure, Panel, palette};

pub(super) const PRESET: Preset = Preset {
    name: "ipc",
    summary: "mu, f1, f0, mu f1 and its integral as on the IPC Toolkit's page, with our transition",
    flags: &[],
    draw,
};

const MU_S: f64 = 1.0;
const MU_K: f64 = 0.1;
/// m/s.
const EPS_V: f64 = 1e-3;
/// Speeds shown, in units of ε_v.
const SHOWN: f64 = 3.0;
const MM: f64 = 1e3;
/// The curves that are compared, by name.
const LAWS: [(&str, Transition); 2] = [("ours (peak)", Transition::Peak), ("IPC Toolkit", Transition::Ipc)];

fn draw(_: &LawFlags, samples: usize) -> Result<Drawing, CliError> {
    build(samples.max(240)).map_err(refused("ipc"))
}

fn build(samples: usize) -> Result<Drawing, FrictionError> {
    let rise = Mollifier::new(EPS_V)?;
    let mut curves = Vec::with_capacity(LAWS.len());
    for (name, transition) in LAWS {
        curves.push((name, StaticKineticCurve::new(MU_S, MU_K, EPS_V, transition)?));
    }
    let speeds: Vec<f64> = (0..=samples).map(|i| SHOWN * EPS_V * i as f64 / samples as f64).collect();
    let mut table = Table::new(&["speed", "mu", "f0", "f1", "mu_f1", "potential"]);
    for (name, curve) in &curves {
        for y in &speeds {
            table.push(name, vec![*y, curve.mu(*y), rise.value(*y), rise.slope(*y), curve.slope(*y), curve.value(*y)]);
        }
    }
    let over = |f: &dyn Fn(f64) -> f64| speeds.iter().map(|y| [y * MM, f(*y)]).collect::<Vec<_>>();
    let shared = |f: &dyn Fn(f64) -> f64| vec![Curve::line("mollifier, common to both", over(f), palette(6))];
    let each = |f: &dyn Fn(&StaticKineticCurve, f64) -> f64| -> Vec<Curve> {
        curves.iter().enumerate().map(|(i, (name, c))| line(i, name, over(&|y| f(c, y)))).collect()
    };
    let panels = vec![
        panel("coefficient μ(y)", "μ", each(&|c, y| c.mu(y))),
        panel("mollifier f₁(y)", "f₁", shared(&|y| rise.slope(y))),
        panel("its integral f₀(y)", "f₀ [mm/s]", shared(&|y| rise.value(y) * MM)),
        panel("force μ(y) f₁(y), per load", "μ f₁", each(&|c, y| c.slope(y))),
        panel("potential ∫ μ f₁ dy, per load", "∫ μ f₁ dy [mm/s]", each(&|c, y| c.value(y) * MM)),
        peaks()?,
    ];
    let mut text = format!("static and kinetic friction, mu_s = {MU_S}, mu_k = {MU_K}, eps_v = {EPS_V} m/s\n");
    for (name, curve) in &curves {
        let Peak { speed, force } = peak(curve, EPS_V);
        text.push_str(&format!("{name:<12} largest force {force:.4} of the load, at {:.3} mm/s\n", speed * MM));
    }
    let figure = Figure {
        title: format!("Static and kinetic friction, μ_s = {MU_S}, μ_k = {MU_K}, ε_v = {EPS_V} m/s"),
        caption: Some(
            "The Toolkit lets μ fall while f₁ still rises, so that the force never reaches μ_s. Ours lets μ fall after f₁ \
             has reached one: the force peaks at μ_s exactly, and for μ_s = μ_k both are μ f₁. Potentials are μ_k y at high \
             speed."
                .into(),
        ),
        panels,
        columns: 3,
        panel_width: 340.0,
        shared_legend: true,
    };
    Ok(Drawing { figure, table, text: text + "\n", advice: Vec::new() })
}

fn line(i: usize, name: &str, points: Vec<[f64; 2]>) -> Curve {
    let dash = if i == 0 { Dash::Solid } else { Dash::Dashed };
    Curve { dash, ..Curve::line(name, points, palette(i)) }
}

fn panel(title: &str, y: &str, curves: Vec<Curve>) -> Panel {
    Panel {
        title: title.into(),
        x: Axis { range: Some((0.0, SHOWN * EPS_V * MM)), ..Axis::new("slip speed y [mm/s]") },
        y: Axis::new(y),
        curves,
        origin_cross: true,
        ..Panel::default()
    }
}

/// The largest force of a curve.
#[derive(Clone, Copy)]
struct Peak {
    /// Where it is.
    speed: f64,
    /// Per load.
    force: f64,
}

/// The largest force. Sampled: the curves are smooth.
fn peak(curve: &StaticKineticCurve, eps: f64) -> Peak {
    let n = 3000;
    let at = |i: usize| SHOWN * eps * i as f64 / n as f64;
    (0..=n)
        .map(|i| Peak { speed: at(i), force: curve.slope(at(i)) })
        .fold(Peak { speed: 0.0, force: 0.0 }, |best, here| if here.force > best.force { here } else { best })
}

/// The largest force as a fraction of μ_s, over μ_k/μ_s.
fn peaks() -> Result<Panel, FrictionError> {
    let mut curves = Vec::new();
    for (i, (name, transition)) in LAWS.iter().enumerate() {
        let mut points = Vec::new();
        for step in 0..=50 {
            let ratio = f64::from(step) / 50.0;
            points.push([ratio, peak(&StaticKineticCurve::new(1.0, ratio, 1.0, *transition)?, 1.0).force]);
        }
        curves.push(line(i, name, points));
    }
    Ok(Panel {
        title: "largest force over μ_s".into(),
        x: Axis { range: Some((0.0, 1.0)), ..Axis::new("μ_k/μ_s") },
        y: Axis { range: Some((0.0, 1.1)), ..Axis::new("max μ f₁/μ_s") },
        curves,
        ..Panel::default()
    })
}
