//! Gap queries against parry's `contact` (GJK/EPA), in the same run.
//!
//! Poses lie within 5 % of the body size of touching, half apart and half overlapping. `cold`
//! draws every pose anew; `coherent` turns both bodies by 0.01 rad per step. A query includes the
//! pose transforms of both bodies and the direction β.

use std::hint::black_box;
use std::time::Instant;

use carom_gap::gap::{Basis, Posed, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation as ParryRotation, Vector as ParryVector};
use parry3d_f64::query::contact;
use parry3d_f64::shape::ConvexPolyhedron;
use parry3d_f64::transformation::convex_hull;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Body {
    name: &'static str,
    ours: Vertices,
    theirs: ConvexPolyhedron,
    size: f64,
}

fn body(name: &'static str, points: &[Vector3<f64>]) -> Body {
    let cloud: Vec<_> = points
        .iter()
        .map(|p| ParryVector::new(p.x, p.y, p.z))
        .collect();
    let (hull, triangles) = convex_hull(&cloud);
    assert_eq!(hull.len(), points.len());
    let mut edges = Vec::new();
    for [i, j, k] in &triangles {
        edges.extend([[*i, *j], [*j, *k], [*k, *i]]);
    }
    let hull_points: Vec<_> = hull.iter().map(|p| Vector3::new(p.x, p.y, p.z)).collect();
    let size = 2.0 * hull_points.iter().map(|p| p.norm()).fold(0.0, f64::max);
    Body {
        name,
        ours: Vertices::new(&hull_points).with_edges(&edges),
        theirs: ConvexPolyhedron::from_convex_hull(&cloud).unwrap(),
        size,
    }
}

fn prism(n: usize) -> Vec<Vector3<f64>> {
    (0..2 * n)
        .map(|i| {
            let t = std::f64::consts::TAU * (i % n) as f64 / n as f64;
            Vector3::new(t.cos(), t.sin(), if i < n { -1.0 } else { 1.0 })
        })
        .collect()
}

fn sphere162() -> Vec<Vector3<f64>> {
    let n = 162;
    (0..n)
        .map(|i| {
            let z = 1.0 - 2.0 * (i as f64 + 0.5) / n as f64;
            let r = (1.0 - z * z).sqrt();
            let t = i as f64 * 2.399963229728653;
            Vector3::new(r * t.cos(), r * t.sin(), z)
        })
        .collect()
}

fn unit(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::new(
            rng.random_range(-1.0..1.0),
            rng.random_range(-1.0..1.0),
            rng.random_range(-1.0..1.0f64),
        );
        let n = v.norm();
        if n > 0.1 && n < 1.0 {
            return v / n;
        }
    }
}

fn random_rotation(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
        rng.random_range(-1.0..1.0),
        rng.random_range(-1.0..1.0),
        rng.random_range(-1.0..1.0),
        rng.random_range(-1.0..1.0),
    ))
}

struct Pair {
    ours: [Pose; 2],
    theirs: [ParryPose; 2],
}

fn pair(
    body: &Body,
    ra: UnitQuaternion<f64>,
    rb: UnitQuaternion<f64>,
    direction: Vector3<f64>,
    target: f64,
) -> Pair {
    let matrix = |r: UnitQuaternion<f64>| Rotation3::from(r).into_inner();
    let b = Pose {
        position: Vector3::new(0.3, -0.2, 0.5),
        directors: matrix(rb),
    };
    let mut a = Pose {
        position: b.position + direction * body.size,
        directors: matrix(ra),
    };
    // Moving a along β changes the gap by just that much.
    let now = gap(
        Posed {
            vertices: &body.ours,
            pose: &a,
        },
        Posed {
            vertices: &body.ours,
            pose: &b,
        },
        direction,
        &mut None,
    );
    a.position += direction * (target - now.gap);
    let theirs = |p: &Pose, r: UnitQuaternion<f64>| {
        let mut t = ParryPose::identity();
        t.translation = ParryVector::new(p.position.x, p.position.y, p.position.z);
        t.rotation = ParryRotation::from_xyzw(r.i, r.j, r.k, r.w);
        t
    };
    Pair {
        ours: [a, b],
        theirs: [theirs(&a, ra), theirs(&b, rb)],
    }
}

fn poses(body: &Body, coherent: bool, count: usize) -> Vec<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut out = Vec::with_capacity(count);
    let run = if coherent { 200 } else { 1 };
    while out.len() < count {
        let (ra, rb, direction) = (
            random_rotation(&mut rng),
            random_rotation(&mut rng),
            unit(&mut rng),
        );
        let (wa, wb) = (unit(&mut rng) * 0.01, unit(&mut rng) * 0.01);
        let phase: f64 = rng.random_range(0.0..6.28);
        for k in 0..run {
            let ta = UnitQuaternion::from_scaled_axis(wa * k as f64) * ra;
            let tb = UnitQuaternion::from_scaled_axis(wb * k as f64) * rb;
            let target = if coherent {
                (phase + 0.05 * k as f64).sin()
            } else {
                rng.random_range(-1.0..1.0)
            };
            out.push(pair(body, ta, tb, direction, target * 0.05 * body.size));
        }
    }
    out
}

fn time<F: FnMut()>(mut f: F) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64()
}

fn main() {
    let s = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let bodies = [
        body(
            "tetrahedron",
            &[
                s(1., 1., 1.),
                s(1., -1., -1.),
                s(-1., 1., -1.),
                s(-1., -1., 1.),
            ],
        ),
        body(
            "cube",
            &(0..8)
                .map(|i| {
                    s(
                        (i & 1) as f64 - 0.5,
                        (i >> 1 & 1) as f64 - 0.5,
                        (i >> 2) as f64 - 0.5,
                    )
                })
                .collect::<Vec<_>>(),
        ),
        body("hexagonal prism", &prism(6)),
        body("octagonal prism", &prism(8)),
        body("hull of 162", &sphere162()),
    ];
    println!("| bodies | motion | parry ns | carom ns | ratio | pivots | supports |");
    for body in &bodies {
        for coherent in [true, false] {
            let count = 20_000;
            let pairs = poses(body, coherent, count);
            let (mut parry, mut ours) = (f64::INFINITY, f64::INFINITY);
            let mut pivots = 0;
            let mut supports = 0;
            for _ in 0..5 {
                parry = parry.min(time(|| {
                    for p in &pairs {
                        black_box(
                            contact(
                                &p.theirs[0],
                                &body.theirs,
                                &p.theirs[1],
                                &body.theirs,
                                0.1 * body.size,
                            )
                            .unwrap(),
                        );
                    }
                }));
                pivots = 0;
                supports = 0;
                ours = ours.min(time(|| {
                    let mut warm: Option<Basis> = None;
                    for p in &pairs {
                        if !coherent {
                            warm = None;
                        }
                        let beta = (p.ours[0].position - p.ours[1].position).normalize();
                        let g = gap(
                            Posed {
                                vertices: &body.ours,
                                pose: &p.ours[0],
                            },
                            Posed {
                                vertices: &body.ours,
                                pose: &p.ours[1],
                            },
                            beta,
                            &mut warm,
                        );
                        pivots += g.pivots;
                        supports += g.supports;
                        black_box(g);
                    }
                }));
            }
            let per = 1e9 / count as f64;
            println!(
                "| {} | {} | {:.0} | {:.0} | {:.1} | {:.2} | {:.2} |",
                body.name,
                if coherent { "coherent" } else { "cold" },
                parry * per,
                ours * per,
                parry / ours,
                pivots as f64 / count as f64,
                supports as f64 / count as f64
            );
        }
    }
}
