//! `asperity potential`: the smooth potential around a surface, drawn on a plane through it.

mod draw;

use std::path::{Path, PathBuf};

use asperity::geometry::potential::{Kernel, LocalPotential, PotentialSettings, Radius, is_cloud};
use asperity::geometry::{Aabb, TriangleMesh};
use clap::{Args, ValueEnum};

use self::draw::Plane;
use crate::error::CliError;
use crate::output::{self, Output};

/// Shown below `asperity potential --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity potential ball.obj                           numbers, and out/ball.svg
  asperity potential drum.stl --across z --at 0.1       across the z axis, at z = 0.1 m
  asperity potential drum.stl --kernel interpolating --epsilon 1e-5
  asperity potential scan.ply --radius 0.02             a point cloud with normals

The stepper `smooth` keeps bodies apart by this potential; see docs/theory/smooth.md.
Exit status: 0 when all is written, 1 when a file cannot be written, 2 for bad input, such as a surface with a hole.";

/// Which kernel.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KernelName {
    /// Smoother; the surface need not go through the samples.
    Cubic,
    /// Through the samples, up to an error that vanishes with epsilon.
    Interpolating,
}

/// Which axis the plane is across.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Across {
    X,
    Y,
    Z,
}

/// Which surface, and what to make of it.
#[derive(Args)]
pub(crate) struct PotentialArgs {
    /// A surface (OBJ, STL, PLY, glTF, VTK, Gmsh), or a PLY file of points with normals.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How much a sample counts at a distance.
    #[arg(long, value_name = "KERNEL", default_value = "cubic")]
    kernel: KernelName,
    /// Of the interpolating kernel: how closely the surface goes through the samples.
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-3)]
    epsilon: f64,
    /// How far samples reach, in metres; by their distance from each other without it.
    #[arg(long, value_name = "METRES")]
    radius: Option<f64>,
    /// The axis that the plane of the picture is across.
    #[arg(long, value_name = "AXIS", default_value = "z")]
    across: Across,
    /// Where on that axis, in metres; in the middle of the surface without it.
    #[arg(long, value_name = "METRES")]
    at: Option<f64>,
    /// A point cloud that ends somewhere, as a piece of ground does.
    #[arg(long)]
    open: bool,
    /// The figure, .svg or .png; out/NAME.svg without it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Prints and draws the potential of a surface.
pub(crate) fn run(args: &PotentialArgs) -> Result<(), CliError> {
    let bad = |message: String| CliError::Input(message);
    let name = args.file.file_stem().map_or_else(|| "potential".into(), |stem| stem.to_string_lossy().into_owned());
    let path = args.out.clone().unwrap_or_else(|| Path::new("out").join(format!("{name}.svg")));
    let mesh = TriangleMesh::read(&args.file).map_err(|error| bad(error.to_string()))?;
    output::refuse_unwritable([path.clone()])?;
    let settings = settings(args)?;
    let made = settings.of_surface(&mesh, &mesh.data().vertices);
    let potential = made.map_err(|error| bad(format!("{}: {error}", args.file.display())))?;
    let plane = plane(args, &mesh);
    let told = told(&args.file, &mesh, &potential);
    let figure = draw::figure(&name, &mesh, &potential, &plane);
    output::write_files(&[Output { bytes: figure.render(&path)?, path: path.clone() }])?;
    output::say(&format!("{told}wrote {}\n", path.display()))
}

fn settings(args: &PotentialArgs) -> Result<PotentialSettings, CliError> {
    let positive = |name: &str, value: f64| {
        let good = value.is_finite() && value > 0.0;
        if good { Ok(value) } else { Err(CliError::Input(format!("--{name} {value}: must be finite and positive"))) }
    };
    let kernel = match args.kernel {
        KernelName::Cubic => Kernel::Cubic,
        KernelName::Interpolating => Kernel::Interpolating { epsilon: positive("epsilon", args.epsilon)? },
    };
    let radius = args.radius.map_or(Ok(Radius::Adaptive), |radius| positive("radius", radius).map(Radius::Given))?;
    Ok(PotentialSettings { kernel, radius, open: args.open })
}

/// The plane of the picture.
fn plane(args: &PotentialArgs, mesh: &TriangleMesh) -> Plane {
    let axis = args.across as usize;
    let Aabb { min, max } = Aabb::of(mesh.data().vertices.iter().copied());
    Plane { axis, at: args.at.unwrap_or(0.5 * (min[axis] + max[axis])) }
}

fn told(file: &Path, mesh: &TriangleMesh, potential: &LocalPotential) -> String {
    let radii = &potential.samples().radii;
    let [least, most] = [radii.iter().copied().fold(f64::INFINITY, f64::min), potential.reach()];
    let mut text = format!("{}: {} samples\n", file.display(), radii.len());
    text += &if least == most {
        format!("radius            {most:.6} m\n")
    } else {
        format!("radius            {least:.6} to {most:.6} m\n")
    };
    if !is_cloud(mesh) {
        // A surface without holes has a point of Ψ = 0 near every point.
        text += &match potential.deviation(mesh) {
            Ok(deviation) => format!("from the mesh     {:.4} % of its size (Hausdorff distance)\n", 100.0 * deviation),
            Err(_) => "from the mesh     unknown: the zero surface leaves the samples\n".to_owned(),
        };
    }
    text
}
