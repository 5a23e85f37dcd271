//! Gaps of balls, capsules, cylinders and cones against parry's, in the same run.
//!
//! Bodies lie within 5 % of their size of touching, half apart and half overlapping. `coherent` turns both
//! by 0.01 rad per step and takes the last normal as a guess, `cold` draws every pose anew. Both sides
//! answer the same small batch in turns, and the least time of each batch counts.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use carom_gap::Pose;
use carom_gap::round::{Round, nearest};
use common::*;
use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Vector as ParryVector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, Cone, Cylinder, Shape};

/// Poses per row, poses per batch, and how often each batch is measured.
const POSES: usize = 20_000;
const BATCH: usize = 500;
const REPETITIONS: usize = 15;

struct Body {
    name: &'static str,
    ours: Round,
    theirs: Box<dyn Shape>,
    size: f64,
    /// Where their origin is along our axis.
    above: f64,
}

struct Pair {
    ours: [Pose; 2],
    theirs: [ParryPose; 2],
}

fn bodies() -> Vec<Body> {
    // parry's cylinders stand along y; so do its capsules here.
    let ends = [
        ParryVector::new(0.0, -0.5, 0.0),
        ParryVector::new(0.0, 0.5, 0.0),
    ];
    let body = |name, ours, theirs: Box<dyn Shape>, size| Body {
        name,
        ours,
        theirs,
        size,
        above: 0.0,
    };
    vec![
        body(
            "balls",
            Round::sphere(0.5).unwrap(),
            Box::new(Ball::new(0.5)),
            1.0,
        ),
        body(
            "capsules",
            Round::capsule(0.3, 1.0).unwrap(),
            Box::new(Capsule::new(ends[0], ends[1], 0.3)),
            1.6,
        ),
        body(
            "cylinders",
            Round::cylinder(0.3, 1.0).unwrap(),
            Box::new(Cylinder::new(0.5, 0.3)),
            1.2,
        ),
        Body {
            // Ours is about its centroid, theirs about half of its height.
            above: 0.25,
            ..body(
                "cones",
                Round::cone(0.4, 1.0).unwrap(),
                Box::new(Cone::new(0.5, 0.4)),
                1.2,
            )
        },
    ]
}

impl Pair {
    /// Two copies of a body at given rotations, with a gap between them along the line of centres.
    fn new(
        body: &Body,
        turned: [UnitQuaternion<f64>; 2],
        direction: Vector3<f64>,
        target: f64,
    ) -> Self {
        let b = pose(Vector3::new(0.3, -0.2, 0.5), &turned[1]);
        let mut a = pose(b.position + direction * body.size, &turned[0]);
        for _ in 0..30 {
            let now = nearest((&body.ours).into(), &a, (&body.ours).into(), &b, None);
            a.position += direction * (target - now.value);
        }
        // Our axis is z, theirs y.
        let upright = UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::FRAC_PI_2);
        let of = |p: &Pose, r: UnitQuaternion<f64>| {
            parry_pose(&p.point(&(Vector3::z() * body.above)), &(r * upright))
        };
        Self {
            theirs: [of(&a, turned[0]), of(&b, turned[1])],
            ours: [a, b],
        }
    }
}

fn poses(body: &Body, coherent: bool) -> Vec<Pair> {
    let mut rng = rng(7);
    let mut out = Vec::with_capacity(POSES);
    let range = 0.05 * body.size;
    while out.len() < POSES {
        let turned = [rotation(&mut rng), rotation(&mut rng)];
        let spin = [unit(&mut rng), unit(&mut rng)];
        let direction = unit(&mut rng);
        let phase: f64 = rng.random_range(0.0..std::f64::consts::TAU);
        for step in 0..if coherent { 200 } else { 1 } {
            let rotations = [0, 1].map(|k| {
                UnitQuaternion::from_scaled_axis(spin[k] * (0.01 * f64::from(step))) * turned[k]
            });
            let part = match coherent {
                true => (phase + 0.05 * f64::from(step)).sin(),
                false => rng.random_range(-1.0..1.0),
            };
            out.push(Pair::new(body, rotations, direction, range * part));
        }
    }
    out
}

fn nanoseconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9
}

fn main() {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    println!("\nGaps of round bodies, against `parry3d_f64::query::contact`\n");
    println!(
        "| bodies | motion | parry ns | carom ns | ratio | carom million per s | parry off by |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for body in bodies() {
        if wanted
            .as_ref()
            .is_some_and(|w| !body.name.contains(w.as_str()))
        {
            continue;
        }
        for coherent in [true, false] {
            let pairs = poses(&body, coherent);
            let shape = body.theirs.as_ref();
            let theirs = |pair: &Pair| {
                let [a, b] = &pair.theirs;
                query::contact(a, shape, b, shape, 0.2 * body.size).unwrap()
            };
            let ours = |pair: &Pair, last: &mut Option<Vector3<f64>>| {
                let [a, b] = &pair.ours;
                let guess = last.filter(|_| coherent);
                let solid = || (&body.ours).into();
                let found = nearest(solid(), a, solid(), b, guess.as_ref());
                *last = Some(found.normal);
                found
            };
            let mut sum = [0.0; 2];
            let mut off = 0.0_f64;
            let mut state = None;
            for batch in pairs.chunks(BATCH) {
                let mut least = [f64::INFINITY; 2];
                let mut after = state;
                for _ in 0..REPETITIONS {
                    let parry = nanoseconds(|| batch.iter().for_each(|p| _ = black_box(theirs(p))));
                    after = state;
                    let carom = nanoseconds(|| {
                        batch
                            .iter()
                            .for_each(|p| _ = black_box(ours(p, &mut after)));
                    });
                    least = [least[0].min(parry), least[1].min(carom)];
                }
                state = after;
                sum = [sum[0] + least[0], sum[1] + least[1]];
                for p in batch.iter().step_by(25) {
                    if let Some(found) = theirs(p) {
                        off = off.max((found.dist - ours(p, &mut None).value).abs());
                    }
                }
            }
            let [parry, carom] = sum.map(|total| total / pairs.len() as f64);
            println!(
                "| {} | {} | {parry:.0} | {carom:.0} | {:.1} | {:.1} | {off:.0e} |",
                body.name,
                if coherent { "coherent" } else { "cold" },
                parry / carom,
                1e3 / carom,
            );
        }
    }
}
