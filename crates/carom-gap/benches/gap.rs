//! Gap and distance queries against parry's (GJK/EPA), in the same run.
//!
//! Bodies lie within 5 % of their size of touching, half apart and half overlapping. `coherent`
//! turns both by 0.01 rad per step and keeps the basis, `cold` draws every pose anew and keeps
//! nothing. A query includes the pose transforms of both bodies and the direction β.
//!
//! A shared machine only ever adds time: both sides answer the same small batch in turns, and the
//! least time of each batch counts.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/counting/mod.rs"]
mod counting;
#[path = "../tests/oracle/mod.rs"]
mod oracle;

use std::hint::black_box;
use std::time::Instant;

use carom_gap::gap::{Basis, Gap, Posed, centre_direction, gap};
use carom_gap::geometry::{Polygon, Polytope};
use carom_gap::{Pose, Vertices, distance};
use common::*;
use counting::allocations;
use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;

/// Poses per row, poses per batch, and how often each batch is measured.
const POSES: usize = 20_000;
const BATCH: usize = 500;
const REPETITIONS: usize = 15;
/// Poses per row whose gap is checked in exact arithmetic.
const SAMPLE: usize = 100;

struct Body {
    name: &'static str,
    ours: Vertices,
    theirs: ConvexPolyhedron,
    /// Diameter of the sphere around it.
    size: f64,
}

impl Body {
    fn new(name: &'static str, solid: Polytope) -> Self {
        let ours = solid.vertices().clone();
        let cloud: Vec<_> = ours.points().iter().map(parry_vector).collect();
        Self {
            name,
            theirs: ConvexPolyhedron::from_convex_hull(&cloud).unwrap(),
            size: 2.0 * ours.reach(),
            ours,
        }
    }
}

/// Points spread evenly over the unit sphere.
fn sunflower(count: usize) -> Vec<Vector3<f64>> {
    let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / count as f64;
            let (sin, cos) = (i as f64 * golden_angle).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vector3::new(r * cos, r * sin, z)
        })
        .collect()
}

fn bodies() -> Vec<Body> {
    let prism = |sides| {
        let base = Polygon::regular(sides, 1.0).unwrap();
        Polytope::prism(&base, 2.0).unwrap()
    };
    let hull = Polytope::hull(&sunflower(162)).unwrap();
    assert_eq!(hull.vertices().len(), 162);
    vec![
        Body::new("tetrahedra", Polytope::tetrahedron(2.0).unwrap()),
        Body::new("cubes", Polytope::cube(1.0).unwrap()),
        Body::new("hexagonal prisms", prism(6)),
        Body::new("octagonal prisms", prism(8)),
        Body::new("hulls of 162 vertices", hull),
    ]
}

/// Poses of a and b for us and for parry.
struct Pair {
    ours: [Pose; 2],
    theirs: [ParryPose; 2],
}

impl Pair {
    /// Two copies of a body at given rotations, the centre of a along `direction` from that of b
    /// where the gap is `target`.
    fn new(
        body: &Body,
        [ra, rb]: [UnitQuaternion<f64>; 2],
        direction: Vector3<f64>,
        target: f64,
    ) -> Self {
        let b = pose(Vector3::new(0.3, -0.2, 0.5), &rb);
        let mut a = pose(b.position + direction * body.size, &ra);
        let (posed_a, posed_b) = (Posed::new(&body.ours, &a), Posed::new(&body.ours, &b));
        // Moving a along β changes the gap by just that much.
        let now = gap(posed_a, posed_b, direction, &mut None).contact.gap;
        a.position += direction * (target - now);
        Self {
            ours: [a, b],
            theirs: [parry_pose(&a.position, &ra), parry_pose(&b.position, &rb)],
        }
    }

    fn beta(&self) -> Vector3<f64> {
        centre_direction(&self.ours[0].position, &self.ours[1].position, false)
    }

    fn gap(&self, body: &Body, warm: &mut Option<Basis>) -> Gap {
        let [a, b] = &self.ours;
        gap(
            Posed::new(&body.ours, a),
            Posed::new(&body.ours, b),
            self.beta(),
            warm,
        )
    }
}

/// Poses in runs of 200 steps (coherent) or one by one, `range` of the size from touching.
fn poses(body: &Body, coherent: bool, range: [f64; 2]) -> Vec<Pair> {
    let mut rng = rng(7);
    let mut out = Vec::with_capacity(POSES);
    let [low, high] = range.map(|r| r * body.size);
    while out.len() < POSES {
        let turned = [rotation(&mut rng), rotation(&mut rng)];
        let spin = [unit(&mut rng), unit(&mut rng)];
        let direction = unit(&mut rng);
        let phase: f64 = rng.random_range(0.0..std::f64::consts::TAU);
        for step in 0..if coherent { 200 } else { 1 } {
            let rotations = [0, 1].map(|k| {
                UnitQuaternion::from_scaled_axis(spin[k] * (0.01 * f64::from(step))) * turned[k]
            });
            let part = if coherent {
                0.5 + 0.5 * (phase + 0.05 * f64::from(step)).sin()
            } else {
                rng.random_range(0.0..1.0)
            };
            out.push(Pair::new(
                body,
                rotations,
                direction,
                low + (high - low) * part,
            ));
        }
    }
    out
}

fn nanoseconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9
}

/// Time per query of two sides, batch by batch in turns: the least time of each batch counts.
fn compare<S: Copy>(
    pairs: &[Pair],
    mut theirs: impl FnMut(&Pair),
    mut ours: impl FnMut(&Pair, &mut S),
    mut state: S,
) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for batch in pairs.chunks(BATCH) {
        let mut least = [f64::INFINITY; 2];
        let mut after = state;
        for _ in 0..REPETITIONS {
            let parry = nanoseconds(|| batch.iter().for_each(&mut theirs));
            // Every repetition starts from where the last batch ended.
            after = state;
            let carom = nanoseconds(|| batch.iter().for_each(|pair| ours(pair, &mut after)));
            least = [least[0].min(parry), least[1].min(carom)];
        }
        state = after;
        sum = [sum[0] + least[0], sum[1] + least[1]];
    }
    sum.map(|total| total / pairs.len() as f64)
}

/// Largest error of the gap in |α| sizes, against exact arithmetic on the rounded world points.
fn largest_error(body: &Body, pairs: &[Pair]) -> f64 {
    let every = pairs.len() / SAMPLE;
    pairs.iter().step_by(every).fold(0.0, |worst: f64, pair| {
        let g = pair.gap(body, &mut None).contact;
        let [x, y] = [0, 1].map(|k| world(body.ours.points(), &pair.ours[k]));
        let exact = oracle::exact_gap(&x, &y, g.beta.into()).value().unwrap();
        worst.max((g.gap - exact).abs() / (g.alpha.norm() * body.size))
    })
}

fn gaps(bodies: &[Body]) {
    println!("| bodies | motion | parry ns | carom ns | ratio | pivots per query |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let (mut error, mut allocated, mut queries) = (0.0_f64, 0, 0);
    for body in bodies {
        for coherent in [true, false] {
            let pairs = poses(body, coherent, [-0.05, 0.05]);
            let theirs = |pair: &Pair| {
                let [a, b] = &pair.theirs;
                let contact = query::contact(a, &body.theirs, b, &body.theirs, 0.1 * body.size);
                black_box(contact.unwrap());
            };
            let ours = |pair: &Pair, warm: &mut Option<Basis>| {
                if !coherent {
                    *warm = None;
                }
                black_box(pair.gap(body, warm));
            };
            let [parry, carom] = compare(&pairs, theirs, ours, None);

            let before = allocations();
            let mut warm = None;
            let mut pivots = 0;
            for pair in &pairs {
                if !coherent {
                    warm = None;
                }
                pivots += pair.gap(body, &mut warm).pivots;
            }
            allocated += allocations() - before;
            queries += pairs.len();
            error = error.max(largest_error(body, &pairs));
            println!(
                "| {} | {} | {parry:.0} | {carom:.0} | {:.1} | {:.2} |",
                body.name,
                if coherent { "coherent" } else { "cold" },
                parry / carom,
                f64::from(pivots) / pairs.len() as f64
            );
        }
    }
    println!();
    println!(
        "Largest error of the gap against exact rational arithmetic on {} poses: {error:.1e} |α| size.",
        2 * bodies.len() * SAMPLE
    );
    println!("Allocations in {queries} queries: {allocated}.");
}

fn distances(bodies: &[Body]) {
    println!("| bodies | poses | parry ns | carom ns | ratio |");
    println!("| --- | --- | ---: | ---: | ---: |");
    for body in bodies {
        for (name, range) in [("apart", [0.0, 0.05]), ("overlapping", [-0.05, 0.0])] {
            let pairs = poses(body, false, range);
            let theirs = |pair: &Pair| {
                let [a, b] = &pair.theirs;
                if name == "apart" {
                    black_box(query::distance(a, &body.theirs, b, &body.theirs).unwrap());
                } else {
                    black_box(query::contact(a, &body.theirs, b, &body.theirs, 0.0).unwrap());
                }
            };
            let ours = |pair: &Pair, _: &mut ()| {
                let [a, b] = &pair.ours;
                black_box(distance(&body.ours, a, &body.ours, b, &pair.beta()));
            };
            let [parry, carom] = compare(&pairs, theirs, ours, ());
            println!(
                "| {} | {name} | {parry:.0} | {carom:.0} | {:.1} |",
                body.name,
                parry / carom
            );
        }
    }
}

/// The processor's name, where Linux tells it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    name.map_or("unknown processor", |name| {
        name.trim_start_matches([' ', '\t', ':'])
    })
    .to_owned()
}

fn main() {
    // `cargo bench -- cubes` measures those alone; what begins with a dash is cargo's.
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let mut bodies = bodies();
    if let Some(wanted) = wanted {
        bodies.retain(|body| body.name.contains(&wanted));
    }
    println!("\nGap along β, against `parry3d_f64::query::contact`\n");
    gaps(&bodies);
    println!(
        "\nEuclidean distance and penetration depth, against parry's `distance` and `contact`\n"
    );
    distances(&bodies);
    println!(
        "\n{}, {} threads, {} {}, one thread used.",
        processor(),
        std::thread::available_parallelism().map_or(1, usize::from),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
}
