//! Elastic bodies: forces of elements and whole explicit steps by the size of the mesh, on one thread and on
//! all; with `peer`, the forces of the same mesh by Python packages, in the same run.
//!
//! `cargo bench -p carom --no-default-features --bench elastic [-- peer PYTHON]` prints Markdown tables. Every
//! number is the best of several rounds; steps include the ledger (energy, momenta, residual). PYTHON needs
//! numpy and scikit-fem.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use carom::Pose;
use carom::elastic::{NeoHookean, cuboid};
use carom::mechanics::{Covector, Share, SolidField, potential_forces_by};
use carom::model::{Model, ModelBuilder, SolidSpec};
use carom::simulate::{Integrator, Settings, Simulation, stable_step};
use nalgebra::Vector3;

const MATERIAL: NeoHookean = NeoHookean {
    lambda: 1e4,
    mu: 5e3,
};

/// Cells along the edges of cubes of about 1e3, 1e4 and 1e5 tetrahedra.
const SIZES: [usize; 3] = [6, 13, 27];

fn cube(cells: usize) -> Model {
    let mesh = cuboid([1.0; 3], [cells; 3]).expect("a mesh");
    let mut builder = ModelBuilder::new();
    let spin = Vector3::new(0.3, 0.5, 0.2);
    builder.solid(SolidSpec::new("cube", mesh, 1000.0, MATERIAL).angular_velocity(spin));
    builder.build().expect("a model")
}

/// Places of a smoothly deformed cube.
fn deformed(model: &Model) -> Vec<Pose> {
    let bend = |x: &Vector3<f64>| {
        let by = Vector3::new((3.0 * x.y).sin(), (2.0 * x.z).cos(), (4.0 * x.x).sin());
        x + by * 0.05
    };
    let starts = model.bodies().iter().map(|b| b.start);
    starts
        .map(|pose| Pose {
            position: bend(&pose.position),
            ..pose
        })
        .collect()
}

/// Best time of one call in seconds, of rounds of about 0.2 s.
fn best(mut call: impl FnMut()) -> f64 {
    call();
    let t = Instant::now();
    call();
    let once = t.elapsed().as_secs_f64().max(1e-9);
    let calls = (0.2 / once).clamp(1.0, 1e6) as usize;
    let round = |call: &mut dyn FnMut()| {
        let t = Instant::now();
        (0..calls).for_each(|_| call());
        t.elapsed().as_secs_f64() / calls as f64
    };
    (0..7)
        .map(|_| round(&mut call))
        .fold(f64::INFINITY, f64::min)
}

/// Runs on so many threads.
fn on<T: Send>(threads: usize, call: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads").install(call)
}

/// Seconds of one evaluation of all forces and the energy.
fn force_time(model: &Model, threads: usize) -> f64 {
    let (poses, share) = (deformed(model), Share::all(model));
    let mut field = SolidField::new(model);
    let mut out = vec![Covector::default(); poses.len()];
    on(threads, move || {
        best(|| {
            potential_forces_by(&mut field, model, &share, &poses, &mut out);
        })
    })
}

/// Seconds of one explicit step.
fn step_time(model: &Model, threads: usize) -> f64 {
    let integrator = Integrator::Newmark {
        beta: 0.0,
        gamma: 0.5,
    };
    let (stable, _) = stable_step(model, &integrator).expect("an explicit scheme");
    let settings = Settings {
        integrator,
        ..Settings::with_step(0.2 * stable)
    };
    let mut run = Simulation::new(model.clone(), settings).expect("a run");
    on(threads, move || {
        best(|| {
            run.step().expect("a step");
        })
    })
}

fn sizes(all: usize) {
    println!("\n### Elements by the size of the mesh, millions per second\n");
    println!(
        "| tetrahedra | forces, 1 thread | forces, {all} threads | steps, 1 thread | steps, {all} threads |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for cells in SIZES {
        let model = cube(cells);
        let n = model.solids()[0].elements.len();
        let rate = |seconds: f64| 1e-6 * n as f64 / seconds;
        let [a, b] = [1, all].map(|threads| rate(force_time(&model, threads)));
        let [c, d] = [1, all].map(|threads| rate(step_time(&model, threads)));
        println!("| {n} | {a:.2} | {b:.2} | {c:.2} | {d:.2} |");
    }
}

/// Mesh, places and forces, for others to read.
fn write(model: &Model, file: &Path) -> std::io::Result<()> {
    let solid = &model.solids()[0];
    let poses = deformed(model);
    let mut forces = vec![Covector::default(); poses.len()];
    let mut field = SolidField::new(model);
    let share = Share::all(model);
    potential_forces_by(&mut field, model, &share, &poses, &mut forces);
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    for count in [solid.rest.len(), solid.elements.len()] {
        out.write_all(&(count as u64).to_le_bytes())?;
    }
    let now = poses.iter().map(|p| &p.position);
    let forces = forces.iter().map(|y| &y.force);
    for x in solid.rest.iter().chain(now).chain(forces) {
        x.iter().try_for_each(|c| out.write_all(&c.to_le_bytes()))?;
    }
    for e in &solid.elements {
        (e.nodes.iter()).try_for_each(|n| out.write_all(&n.to_le_bytes()))?;
    }
    out.flush()
}

fn peer(python: &str, all: usize) {
    println!("\n### Forces of the same mesh in Python, milliseconds\n");
    println!(
        "| tetrahedra | carom, 1 thread | carom, {all} threads | peer | its time | ratio to 1 thread | largest difference of a force |"
    );
    println!("| ---: | ---: | ---: | --- | ---: | ---: | ---: |");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/peers/elements.py");
    let file = std::env::temp_dir().join(format!("carom-elements-{}.bin", std::process::id()));
    for cells in SIZES {
        let model = cube(cells);
        let n = model.solids()[0].elements.len();
        write(&model, &file).expect("a file");
        let [a, b] = [1, all].map(|threads| 1e3 * force_time(&model, threads));
        let told = Command::new(python)
            .arg(&script)
            .arg(&file)
            .output()
            .expect("python runs");
        assert!(
            told.status.success(),
            "{}",
            String::from_utf8_lossy(&told.stderr)
        );
        for line in String::from_utf8_lossy(&told.stdout).lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let time = 1e3 * fields[1].parse::<f64>().expect("a time");
            println!(
                "| {n} | {a:.3} | {b:.3} | {} | {time:.2} | {:.0} | {} |",
                fields[0],
                time / a,
                fields[2]
            );
        }
    }
    let _ = std::fs::remove_file(&file);
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let all = std::thread::available_parallelism().map_or(2, usize::from);
    match &arguments[..] {
        [] => sizes(all),
        [word, python] if word == "peer" => {
            sizes(all);
            peer(python, all);
        }
        _ => eprintln!("usage: elastic [peer PYTHON]"),
    }
}
