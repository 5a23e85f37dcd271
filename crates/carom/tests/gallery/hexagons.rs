//! What the gallery's hexagons must show, read from the record of their runs: hexagonal prisms in
//! space and hexagons in the plane, with and without charges.

use crate::gallery::{Record, norm, run, scenario};

/// A side face of a hexagonal body: its middle and its normal.
struct Face {
    middle: [f64; 3],
    normal: [f64; 3],
}

/// The six side faces of a body in a frame.
fn faces(record: &Record, name: &str, frame: usize, side: f64) -> Vec<Face> {
    let at = |column: &str| record.column(&format!("{name}.{column}"))[frame];
    let vector = |columns: [&str; 3]| columns.map(at);
    let place = vector(["x", "y", "z"]);
    let d1 = vector(["d1x", "d1y", "d1z"]);
    let d2 = vector(["d2x", "d2y", "d2z"]);
    let apothem = side * 3f64.sqrt() / 2.0;
    (0..6)
        .map(|k| {
            let angle = std::f64::consts::PI * (1.0 + 2.0 * f64::from(k)) / 6.0;
            let normal: [f64; 3] =
                std::array::from_fn(|i| angle.cos() * d1[i] + angle.sin() * d2[i]);
            let middle = std::array::from_fn(|i| place[i] + apothem * normal[i]);
            Face { middle, normal }
        })
        .collect()
}

/// How far two bodies are from lying flush with their nearest faces: the distance of the faces, how
/// far they are shifted along each other, and the angle between them in degrees.
fn misfit(a: &[Face], b: &[Face]) -> [f64; 3] {
    let mut best = [f64::INFINITY; 3];
    for (f, g) in a.iter().flat_map(|f| b.iter().map(move |g| (f, g))) {
        let apart: Vec<f64> = (0..3).map(|k| g.middle[k] - f.middle[k]).collect();
        let dot = |u: &[f64], v: &[f64]| u.iter().zip(v).map(|(x, y)| x * y).sum::<f64>();
        let distance = dot(&apart, &f.normal);
        let shift = (dot(&apart, &apart) - distance * distance).max(0.0).sqrt();
        let angle = (-dot(&f.normal, &g.normal)).clamp(-1.0, 1.0).acos();
        if angle < 0.5 && distance.abs() + shift < best[0].abs() + best[1] {
            best = [distance, shift, angle.to_degrees()];
        }
    }
    best
}

#[test]
fn two_prisms_collide_exactly() {
    let record = run("hexagonal-prisms:two-exact", &[]);
    assert!(record.contacts.len() >= 3);
    record.assert_elastic_jumps(1e-10);
    assert!(record.number("momentum_residual_max") < 1e-10);
    assert!(record.momentum_change("linear_momentum") < 1e-10);
    assert!(record.momentum_change("angular_momentum") < 1e-10);
    assert!(record.number("overlap_max") < 1e-9);
    let energy = record.range("energy");
    assert!(energy.spread() < 1e-6 * energy.initial, "{energy:?}");
}

#[test]
fn seven_prisms_collide_exactly() {
    let plain = scenario("hexagonal-prisms", &[]);
    let record = run("hexagonal-prisms:seven-exact", &[]);
    assert_eq!(plain.settings.law.name(), record.summary["law"]);
    assert_eq!(record.number("time_end"), 0.4);
    assert!(record.contacts.len() >= 10, "{}", record.contacts.len());
    record.assert_elastic_jumps(1e-10);
    assert!(record.momentum_change("linear_momentum") < 1e-10);
    assert!(record.momentum_change("angular_momentum") < 1e-10);
    assert!(record.number("overlap_max") < 1e-9);
    let energy = record.range("energy");
    assert!(energy.spread() < 1e-6 * energy.initial, "{energy:?}");
}

#[test]
fn prisms_collide_by_potential() {
    // The first half second of two: all collisions of the ring with the middle.
    let record = run("hexagonal-prisms:potential", &["simulate.duration=0.5"]);
    assert!(record.contacts.len() >= 10);
    let overlap = record.number("overlap_max");
    assert!(overlap > 0.0 && overlap < 0.05 * 0.2, "{overlap}");
    assert!(record.momentum_change("linear_momentum") < 1e-10);
    assert!(record.momentum_change("angular_momentum") < 1e-10);
    let energy = record.range("energy");
    assert!(
        (energy.last / energy.initial - 1.0).abs() < 0.02,
        "{energy:?}"
    );
}

#[test]
fn prisms_collide_by_decomposition() {
    let record = run("hexagonal-prisms:decomposition", &["simulate.duration=0.5"]);
    assert!(record.contacts.len() >= 10);
    assert!(record.momentum_change("linear_momentum") < 1e-10);
    // Energy changes by projections, and by as much as the potential lets it oscillate.
    let energy = record.range("energy");
    let moved = record.number("projection_energy");
    let unexplained = energy.last - energy.initial - moved - record.number("contact_energy");
    assert!(unexplained.abs() < 1e-6 * energy.initial, "{unexplained:e}");
}

#[test]
fn lossy_prisms_assemble_and_stay() {
    // Eight seconds of ten.
    let record = run("hexagonal-prisms:dissipative", &["simulate.duration=8"]);
    let frames = record.column("time").len();
    // Together after seven seconds, and from then on.
    for frame in [record.frame(7.5), frames - 1] {
        let middle = faces(&record, "middle", frame, 0.2);
        for k in 1..=6 {
            let ring = faces(&record, &format!("ring-{k}"), frame, 0.2);
            let [distance, shift, angle] = misfit(&middle, &ring);
            assert!(distance.abs() < 1e-3, "{k} at {frame}: {distance}");
            assert!(shift < 0.01, "{k} at {frame}: {shift}");
            assert!(angle < 1.0, "{k} at {frame}: {angle} degrees");
        }
    }
    assert!(record.range("energy").last < record.range("energy").initial);
}

fn hexagons() -> Vec<String> {
    (1..=16).map(|k| format!("hexagon-{k}")).collect()
}

fn mean_distance(record: &Record, frame: usize) -> f64 {
    let distance = |name: &String| {
        norm(&["x", "y"].map(|axis| record.column(&format!("{name}.{axis}"))[frame]))
    };
    hexagons().iter().map(distance).sum::<f64>() / 16.0
}

#[test]
fn free_hexagons_disperse() {
    let record = run("hexagons-plane:free", &[]);
    let last = record.column("time").len() - 1;
    assert!(mean_distance(&record, last) > 1.5 * mean_distance(&record, 0));
    // Losses, no friction: energy falls, momentum stays.
    let energy = record.range("energy");
    assert!(energy.last < 0.9 * energy.initial, "{energy:?}");
    assert!(record.momentum_change("linear_momentum") < 1e-10);
    assert!(record.momentum_change("angular_momentum") < 1e-10);
    assert!(record.number("overlap_max") < 0.05);
    // Each goes its own way.
    assert!(flush_neighbours(&record, last).iter().all(|n| *n == 0));
}

/// How many others each hexagon lies flush with.
fn flush_neighbours(record: &Record, frame: usize) -> Vec<usize> {
    let bodies: Vec<_> = (hexagons().iter())
        .map(|name| faces(record, name, frame, 1.0))
        .collect();
    let flush = |a: &Vec<Face>, b: &Vec<Face>| {
        let [distance, shift, angle] = misfit(a, b);
        distance.abs() < 0.05 && shift < 0.1 && angle < 5.0
    };
    (bodies.iter().enumerate())
        .map(|(k, a)| {
            let others = bodies.iter().enumerate().filter(|(j, _)| *j != k);
            others.filter(|(_, b)| flush(a, b)).count()
        })
        .collect()
}

#[test]
fn charged_hexagons_lock_into_a_grid() {
    // Four seconds of ten: locked, and trembling less and less.
    let record = run("hexagons-plane", &["simulate.duration=4"]);
    let kinetic = record.column("kinetic");
    let most = kinetic.iter().copied().fold(0.0, f64::max);
    let last = kinetic.len() - 1;
    assert!(kinetic[last] < 0.1 * most, "{} of {most}", kinetic[last]);
    let neighbours = flush_neighbours(&record, last);
    assert!(neighbours.iter().all(|n| *n >= 2), "{neighbours:?}");
}
