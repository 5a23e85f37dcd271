//! Lines nearly along each other: circles beside axes tell the gap however bodies turn.

use carom_gap::Pose;
use carom_gap::round::{Beside, Roll, Round, nearest, patch};
use nalgebra::{Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The gap that a circle beside an axis tells.
fn told(line: &Beside, poses: [&Pose; 2]) -> f64 {
    let found = line.at(|s, x| poses[s].point(x), |s, x| poses[s].vector(x));
    let ([a, b], n) = found.unwrap();
    (a - b).dot(&n)
}

fn beside(points: &[carom_gap::round::PatchPoint]) -> Vec<Beside> {
    let line = |p: &carom_gap::round::PatchPoint| match p.roll {
        Roll::Beside(line) => line,
        other => panic!("{other:?}"),
    };
    points.iter().map(line).collect()
}

#[test]
fn circles_beside_axes_tell_the_gap_of_lying_bodies() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let bodies = [
        Round::cylinder(0.1, 0.8).unwrap(),
        Round::capsule(0.07, 0.6).unwrap(),
        Round::cylinder(0.12, 0.5).unwrap(),
    ];
    for trial in 0..300 {
        let (a, b) = (&bodies[trial % 3], &bodies[(trial / 3) % 3]);
        let mut small = |size: f64| {
            let mut part = || random.random_range(-1.0..1.0) * size;
            Vector3::new(part(), part(), part())
        };
        let tilt = [0.0, 1e-7, 1e-4, 0.04][trial % 4];
        let pose = |turn: Vector3<f64>, place: Vector3<f64>| Pose {
            position: place,
            directors: Rotation3::from_scaled_axis(turn).into_inner(),
        };
        let below = pose(small(tilt), Vector3::zeros());
        let above = pose(small(tilt), Vector3::x() * 0.3 + small(0.05));
        let found = nearest(a.into(), &above, b.into(), &below, None);
        // Of all points one is at the place of the contact.
        let mut near = Vec::new();
        patch(a.into(), &above, b.into(), &below, &found, 0.0, &mut near);
        let gaps = beside(&near)
            .into_iter()
            .map(|l| told(&l, [&above, &below]));
        let least = gaps.fold(f64::INFINITY, f64::min);
        assert!(
            (least - found.value).abs() < 1e-11,
            "{trial}: {least} {}",
            found.value
        );
        // However they turn from there, a circle tells what a disc of its place has for a gap.
        let turned = pose(small(0.05), above.position + small(0.01));
        for line in beside(&near) {
            let disc = distance_of_circle(&line, &turned, &below);
            let own = told(&line, [&turned, &below]);
            assert!((own - disc).abs() < 1e-12, "{trial}: {own} {disc}");
        }
    }
}

/// The distance of a circle from a line by trying many points of it.
fn distance_of_circle(line: &Beside, above: &Pose, below: &Pose) -> f64 {
    let poses = [above, below];
    let (own, other) = (poses[line.side], poses[1 - line.side]);
    let (c, u) = (own.point(&line.center), own.vector(&line.axis));
    let (y, v) = (other.point(&line.line[0]), other.vector(&line.line[1]));
    let e = u.cross(&Vector3::ith(u.iamin(), 1.0)).normalize();
    let f = u.cross(&e);
    let far = |angle: f64| {
        let x = c + (e * angle.cos() + f * angle.sin()) * line.radius - y;
        (x - v * x.dot(&v)).norm()
    };
    let (mut best, mut step) = (0.0, std::f64::consts::PI);
    while step > 1e-9 {
        let places = (-8..=8).map(|k| best + step * f64::from(k) / 8.0);
        best = places.min_by(|x, y| far(*x).total_cmp(&far(*y))).unwrap();
        step /= 4.0;
    }
    far(best) - line.ball - line.reach
}
