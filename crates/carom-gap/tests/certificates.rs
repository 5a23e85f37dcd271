//! Every answer proves itself: feasible planes and feasible weights of equal value are optimal
//! (strong duality). Seeded bodies of all kinds, with a bias to degenerate ones.

use carom_gap::gap::{Basis, Gap, Posed, Side, Status, centre_direction, gap, optimal_set};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Largest departure from optimality: of weights, of planes, and between the two values.
fn certify(g: &Gap, a: Posed, b: Posed) -> f64 {
    let size = a.vertices.reach() + b.vertices.reach() + (a.pose.position - b.pose.position).norm();
    let world = |p: Posed, i: usize| p.pose.vector(&p.vertices.points()[i]);
    let offset = a.pose.position - b.pose.position;
    let c = &g.contact;
    let heights = |p: Posed| -> Vec<f64> {
        (0..p.vertices.len())
            .map(|i| c.alpha.dot(&world(p, i)))
            .collect()
    };
    let a1 = heights(a).into_iter().fold(f64::INFINITY, f64::min) + c.alpha.dot(&offset);
    let a2 = heights(b).into_iter().fold(f64::NEG_INFINITY, f64::max);
    if g.status == Status::Unbounded {
        // α separates and is perpendicular to β.
        let scale = c.alpha.norm();
        assert!(scale > 0.0);
        return ((a2 - a1) / (scale * size))
            .max(0.0)
            .max(c.alpha.dot(&c.beta).abs() / scale);
    }
    let scale = c.alpha.norm() * size;
    let mut worst = (c.alpha.dot(&c.beta) - 1.0).abs() / c.alpha.norm();
    // Primal value.
    worst = worst.max((c.gap - (a1 - a2)).abs() / scale);
    // Dual feasibility and value.
    let mut sums = [0.0; 2];
    let mut point = offset;
    for carrier in g.carriers() {
        assert!(carrier.weight >= 0.0);
        sums[carrier.side as usize] += carrier.weight;
        match carrier.side {
            Side::A => point += world(a, carrier.index as usize) * carrier.weight,
            Side::B => point -= world(b, carrier.index as usize) * carrier.weight,
        }
    }
    worst = worst.max((sums[0] - 1.0).abs()).max((sums[1] - 1.0).abs());
    worst.max((point - c.beta * c.gap).norm() / scale)
}

fn lattice_points(rng: &mut ChaCha8Rng, planar: bool) -> Vec<Vector3<f64>> {
    let n = rng.random_range(1..10);
    let span = rng.random_range(1..4);
    let mut c = || f64::from(rng.random_range(-span..=span));
    (0..n)
        .map(|_| Vector3::new(c(), c(), if planar { 0.0 } else { c() }))
        .collect()
}

fn smooth_points(rng: &mut ChaCha8Rng) -> Vec<Vector3<f64>> {
    let n = rng.random_range(4..20);
    let mut c = || rng.random_range(-1.0..1.0);
    (0..n).map(|_| Vector3::new(c(), c(), c())).collect()
}

struct Tally {
    worst: f64,
    most_pivots: u32,
    unbounded: usize,
}

fn run(
    seed: u64,
    count: usize,
    mut make: impl FnMut(&mut ChaCha8Rng) -> (Vertices, Pose, Vertices, Pose, Vector3<f64>),
) -> Tally {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tally = Tally {
        worst: 0.0,
        most_pivots: 0,
        unbounded: 0,
    };
    let mut stale: Option<Basis> = None;
    for k in 0..count {
        let (va, pa, vb, pb, beta) = make(&mut rng);
        let (a, b) = (Posed::new(&va, &pa), Posed::new(&vb, &pb));
        let cold = gap(a, b, beta, &mut None);
        // A warm start from the basis of an unrelated query must end in the same place.
        let warm = gap(a, b, beta, &mut stale);
        for g in [&cold, &warm] {
            let error = certify(g, a, b);
            if error > 1e-12 || error.is_nan() || g.pivots > 50 {
                eprintln!(
                    "seed {seed} case {k}: error {error:e} pivots {} status {} a {:?} b {:?} beta {beta:?} pose {pa:?} {pb:?}",
                    g.pivots,
                    g.status,
                    va.points(),
                    vb.points()
                );
            }
            tally.worst = tally.worst.max(error);
            tally.most_pivots = tally.most_pivots.max(g.pivots);
        }
        tally.unbounded += usize::from(cold.status == Status::Unbounded);
        assert_eq!(cold.status, warm.status, "seed {seed} case {k}");
    }
    tally
}

fn direction(rng: &mut ChaCha8Rng, planar: bool) -> Vector3<f64> {
    loop {
        let mut c = || f64::from(rng.random_range(-2..=2));
        let d = Vector3::new(c(), c(), if planar { 0.0 } else { c() });
        if d.norm() > 0.0 {
            return d.normalize();
        }
    }
}

#[test]
fn lattice_bodies_in_space() {
    let t = run(1, 20000, |rng| {
        let (a, b) = (
            Vertices::new(&lattice_points(rng, false)),
            Vertices::new(&lattice_points(rng, false)),
        );
        let pose = Pose::translation(
            f64::from(rng.random_range(-3..4)),
            f64::from(rng.random_range(-3..4)),
            0.0,
        );
        let beta = direction(rng, false);
        (a, pose, b, Pose::identity(), beta)
    });
    println!("{:e} {} {}", t.worst, t.most_pivots, t.unbounded);
    assert!(t.worst < 1e-12 && t.most_pivots < 50 && t.unbounded > 100);
}

#[test]
fn lattice_bodies_in_the_plane() {
    let t = run(2, 20000, |rng| {
        let (a, b) = (
            Vertices::planar(&lattice_points(rng, true)),
            Vertices::planar(&lattice_points(rng, true)),
        );
        let pose = Pose::translation(
            f64::from(rng.random_range(-3..4)),
            f64::from(rng.random_range(-3..4)),
            0.0,
        );
        let beta = direction(rng, true);
        (a, pose, b, Pose::identity(), beta)
    });
    println!("{:e} {} {}", t.worst, t.most_pivots, t.unbounded);
    assert!(t.worst < 1e-12 && t.most_pivots < 50 && t.unbounded > 100);
}

#[test]
fn turned_lattice_bodies_means() {
    let t = run(3, 20000, |rng| {
        let (pa, pb) = (lattice_points(rng, false), lattice_points(rng, false));
        let (a, b) = (Vertices::new(&pa), Vertices::new(&pb));
        let mut c = || rng.random_range(-3.0..3.0);
        let turn = Vector3::new(c(), c(), c());
        let pose = Pose::new(Vector3::new(c(), c(), c()), turn);
        let pose_b = Pose::new(Vector3::new(c(), c(), c()), turn);
        let beta = centre_direction(&pose.point(a.mean()), &pose_b.point(b.mean()), false);
        (a, pose, b, pose_b, beta)
    });
    println!("{:e} {} {}", t.worst, t.most_pivots, t.unbounded);
    assert!(t.worst < 1e-12 && t.most_pivots < 50);
    assert_eq!(t.unbounded, 0);
}

#[test]
fn smooth_bodies() {
    let t = run(4, 20000, |rng| {
        let (a, b) = (
            Vertices::new(&smooth_points(rng)),
            Vertices::new(&smooth_points(rng)),
        );
        let mut c = || rng.random_range(-2.0..2.0);
        let pose = Pose::new(Vector3::new(c(), c(), c()), Vector3::new(c(), c(), c()));
        let beta = centre_direction(&pose.point(a.mean()), b.mean(), false);
        (a, pose, b, Pose::identity(), beta)
    });
    println!("{:e} {} {}", t.worst, t.most_pivots, t.unbounded);
    assert!(t.worst < 1e-12 && t.most_pivots < 50);
    assert_eq!(t.unbounded, 0);
}

#[test]
fn slender_bodies() {
    let t = run(5, 20000, |rng| {
        let mut thin = || {
            let squeeze = 10f64.powf(rng.random_range(-9.0..0.0));
            let p: Vec<_> = smooth_points(rng)
                .iter()
                .map(|p| Vector3::new(p.x, p.y, p.z * squeeze))
                .collect();
            Vertices::new(&p)
        };
        let (a, b) = (thin(), thin());
        let mut c = || rng.random_range(-1.0..1.0);
        let pose = Pose::new(Vector3::new(c(), c(), c()), Vector3::new(c(), c(), c()));
        let beta = centre_direction(&pose.point(a.mean()), b.mean(), false);
        (a, pose, b, Pose::identity(), beta)
    });
    println!("{:e} {} {}", t.worst, t.most_pivots, t.unbounded);
    assert!(t.worst < 1e-12 && t.most_pivots < 50);
}
