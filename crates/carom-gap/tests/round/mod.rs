//! Gaps of round bodies, by certificates that share no code with the library.
//!
//! An answer is proved by weak duality: a unit normal n with f(n) = value is a lower bound, a point of
//! each body with that difference an upper one. Support functions and membership are written here by
//! their textbook formulas. Where bodies overlap the same proves a way out that is locally shortest.

mod along;

use carom_gap::geometry::Polytope;
use carom_gap::round::{Round, Solid, Way, above, first_contact, nearest, patch, patch_on};
use carom_gap::{Distance, Pose, Vertices, distance};
use nalgebra::{Matrix3, Rotation3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type V = Vector3<f64>;

/// A body by its formulas, in its own frame.
#[derive(Clone, Copy, Debug)]
enum Body {
    Sphere(f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Disc(f64, f64),
    Ellipsoid(f64, f64, f64),
    Box(V),
    RoundedBox(V, f64),
}

const ALL: [Body; 9] = [
    Body::Sphere(0.4),
    Body::Capsule(0.2, 0.9),
    Body::Cylinder(0.3, 0.8),
    Body::Cone(0.4, 0.9),
    Body::Disc(0.5, 0.0),
    Body::Disc(0.5, 0.1),
    Body::Ellipsoid(0.3, 0.5, 0.2),
    Body::Box(V::new(0.4, 0.3, 0.2)),
    Body::RoundedBox(V::new(0.3, 0.2, 0.25), 0.07),
];

impl Body {
    /// h(d) for a unit vector of the body frame.
    fn height(&self, d: &V) -> f64 {
        let across = d.x.hypot(d.y);
        let corner = |h: &V| h.x * d.x.abs() + h.y * d.y.abs() + h.z * d.z.abs();
        match self {
            Body::Sphere(r) => *r,
            Body::Capsule(r, l) => r + 0.5 * l * d.z.abs(),
            Body::Cylinder(r, l) => r * across + 0.5 * l * d.z.abs(),
            Body::Cone(r, h) => (0.75 * h * d.z).max(r * across - 0.25 * h * d.z),
            Body::Disc(r, t) => (r - 0.5 * t) * across + 0.5 * t,
            Body::Ellipsoid(a, b, c) => (a * d.x).hypot(b * d.y).hypot(c * d.z),
            Body::Box(h) => corner(h),
            Body::RoundedBox(h, r) => corner(h) + r,
        }
    }

    /// How far outside a point of the body frame is, at most; zero inside.
    fn outside(&self, x: &V) -> f64 {
        let rho = x.x.hypot(x.y);
        let beyond = |h: &V| x.abs().sub_max(h);
        match self {
            Body::Sphere(r) => (x.norm() - r).max(0.0),
            Body::Capsule(r, l) => {
                let z = x.z.clamp(-0.5 * l, 0.5 * l);
                ((x - V::z() * z).norm() - r).max(0.0)
            }
            Body::Cylinder(r, l) => (rho - r).max(0.0).hypot((x.z.abs() - 0.5 * l).max(0.0)),
            Body::Cone(r, h) => {
                let slant = r.hypot(*h);
                let side = (rho * h + x.z * r - 0.75 * h * r) / slant;
                side.max(-x.z - 0.25 * h).max(0.0)
            }
            Body::Disc(r, t) => {
                let out = (rho - (r - 0.5 * t)).max(0.0);
                (out.hypot(x.z) - 0.5 * t).max(0.0)
            }
            Body::Ellipsoid(a, b, c) => {
                let s = (x.x / a).hypot(x.y / b).hypot(x.z / c);
                (s - 1.0).max(0.0) * a.max(*b).max(*c)
            }
            Body::Box(h) => beyond(h).norm(),
            Body::RoundedBox(h, r) => (beyond(h).norm() - r).max(0.0),
        }
    }

    fn made(&self) -> Made {
        let cuboid = |h: &V| Polytope::cuboid(2.0 * h.x, 2.0 * h.y, 2.0 * h.z).unwrap();
        match *self {
            Body::Sphere(r) => Made::Round(Round::sphere(r).unwrap()),
            Body::Capsule(r, l) => Made::Round(Round::capsule(r, l).unwrap()),
            Body::Cylinder(r, l) => Made::Round(Round::cylinder(r, l).unwrap()),
            Body::Cone(r, h) => Made::Round(Round::cone(r, h).unwrap()),
            Body::Disc(r, t) => Made::Round(Round::disc(r, t).unwrap()),
            Body::Ellipsoid(a, b, c) => Made::Round(Round::ellipsoid(a, b, c).unwrap()),
            Body::Box(h) => Made::Hull(cuboid(&h).vertices().clone()),
            Body::RoundedBox(h, r) => {
                Made::Round(Round::swept(cuboid(&h).vertices().clone(), r).unwrap())
            }
        }
    }
}

trait SubMax {
    fn sub_max(&self, h: &V) -> V;
}

impl SubMax for V {
    fn sub_max(&self, h: &V) -> V {
        V::from_fn(|k, _| (self[k] - h[k]).max(0.0))
    }
}

enum Made {
    Round(Round),
    Hull(Vertices),
}

impl Made {
    fn solid(&self) -> Solid<'_> {
        match self {
            Made::Round(r) => r.into(),
            Made::Hull(v) => v.into(),
        }
    }
}

fn vector(rng: &mut ChaCha8Rng, most: f64) -> V {
    V::from_fn(|_, _| rng.random_range(-most..most))
}

/// Asserts that an answer is right to `tolerance`.
fn certify(what: &str, a: &Body, pa: &Pose, b: &Body, pb: &Pose, found: &Distance, tolerance: f64) {
    let n = found.normal;
    assert!((n.norm() - 1.0).abs() < 1e-14, "{what}: {n}");
    let f = n.dot(&(pa.position - pb.position))
        - a.height(&-pa.direction_to_body(&n))
        - b.height(&pb.direction_to_body(&n));
    assert!(
        (f - found.value).abs() < tolerance,
        "{what}: value {} but f(n) = {f}",
        found.value
    );
    // Where a sharp rim touches a corner, the normal is hardly determined.
    let loose = if found.value < 1e-6 {
        1e-8
    } else {
        10.0 * tolerance
    };
    let apart = found.point_a - found.point_b - n * found.value;
    assert!(
        apart.norm() < loose,
        "{what}: witnesses {:.2e} off, gap {:.2e}",
        apart.norm(),
        found.value
    );
    for (body, pose, x) in [(a, pa, found.point_a), (b, pb, found.point_b)] {
        let out = body.outside(&pose.direction_to_body(&(x - pose.position)));
        assert!(out < loose, "{what}: witness {out:.2e} outside of {body:?}");
    }
}

fn each_pair(mut test: impl FnMut(&str, &Body, &Body)) {
    for a in &ALL {
        for b in &ALL {
            if matches!((a, b), (Body::Box(_), Body::Box(_))) {
                continue;
            }
            test(&format!("{a:?} and {b:?}"), a, b);
        }
    }
}

#[test]
fn gaps_are_certified_apart_touching_and_overlapping() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    each_pair(|what, a, b| {
        let (x, y) = (a.made(), b.made());
        for round in 0..60 {
            let pb = Pose::new(vector(&mut rng, 1.0), vector(&mut rng, 2.0));
            let mut pa = Pose::new(vector(&mut rng, 1.0), vector(&mut rng, 2.0));
            let first = nearest(x.solid(), &pa, y.solid(), &pb, None);
            // Far, near, touching, a little overlapping.
            let wanted = [first.value, 0.3, 1e-3, 1e-9, 0.0, -1e-9, -1e-4, -1e-2][round % 8];
            let mut found = first;
            for _ in 0..6 {
                if round % 8 == 0 || first.value < 0.0 {
                    break;
                }
                pa.position += found.normal * (wanted - found.value);
                found = nearest(x.solid(), &pa, y.solid(), &pb, Some(&found.normal));
            }
            if first.value < -0.05 {
                continue;
            }
            certify(
                &format!("{what}, round {round}"),
                a,
                &pa,
                b,
                &pb,
                &found,
                1e-12,
            );
        }
    });
}

/// Of overlapping bodies, no normal out of many leads to a shorter way out.
#[test]
fn ways_out_are_the_shortest() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    // A spiral over the sphere.
    let normals: Vec<V> = (0..600)
        .map(|k| {
            let z: f64 = 1.0 - (2.0 * f64::from(k) + 1.0) / 600.0;
            let (sin, cos) = (2.399_963_229_728_653 * f64::from(k)).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            V::new(rho * cos, rho * sin, z)
        })
        .collect();
    let (mut tried, mut longer, mut worst) = (0, 0, 0.0_f64);
    each_pair(|what, a, b| {
        let (x, y) = (a.made(), b.made());
        for _ in 0..12 {
            let pb = Pose::new(vector(&mut rng, 0.1), vector(&mut rng, 2.0));
            let pa = Pose::new(vector(&mut rng, 0.5), vector(&mut rng, 2.0));
            let found = nearest(x.solid(), &pa, y.solid(), &pb, None);
            if found.value > -0.01 {
                continue;
            }
            certify(what, a, &pa, b, &pb, &found, 1e-12);
            let f = |n: &V| {
                n.dot(&(pa.position - pb.position))
                    - a.height(&-pa.direction_to_body(n))
                    - b.height(&pb.direction_to_body(n))
            };
            let best = normals.iter().max_by(|m, n| f(m).total_cmp(&f(n))).unwrap();
            let other = nearest(x.solid(), &pa, y.solid(), &pb, Some(best));
            tried += 1;
            if other.value.max(f(best)) > found.value + 1e-9 {
                longer += 1;
                worst = worst.max(other.value - found.value);
            }
        }
    });
    // There is no proof against a way that is a little shorter, deep inside.
    assert!(tried > 500 && 500 * longer <= tried, "{longer} of {tried}");
    assert!(worst < 0.02, "{worst}");
}

/// At the rim of a table, a can that hardly overlaps it has two ways out: up, and off the edge. The centres of the
/// bodies point along the longer one.
#[test]
fn shallow_overlaps_at_rims_are_the_shortest() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let (table, can) = (Body::Cylinder(0.5, 0.02), Body::Cylinder(0.033, 0.115));
    let (x, y) = (table.made(), can.made());
    let pa = Pose::identity();
    let mut shallow = 0;
    for _ in 0..400 {
        let angle = rng.random_range(0.0..std::f64::consts::TAU);
        let out = V::new(angle.cos(), angle.sin(), 0.0);
        let tilt = V::z().cross(&out) * rng.random_range(0.0..0.15) + vector(&mut rng, 0.01);
        let height = 0.0675 - rng.random_range(0.0..0.004);
        let place = out * rng.random_range(0.48..0.535) + V::z() * height;
        let pb = Pose::new(place, tilt);
        let found = nearest(x.solid(), &pa, y.solid(), &pb, None);
        if found.value >= 0.0 {
            continue;
        }
        shallow += 1;
        certify("can on table", &table, &pa, &can, &pb, &found, 1e-12);
        let up = pb.vector(&-V::z());
        for start in [-V::z(), up, -out] {
            let other = nearest(x.solid(), &pa, y.solid(), &pb, Some(&start));
            let more = other.value - found.value;
            assert!(
                more < 1e-9,
                "{place:?} {tilt:?}: {more:e} below {}",
                other.value
            );
        }
    }
    assert!(shallow > 200, "{shallow}");
}

#[test]
fn aligned_bodies_are_certified() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let turns = [
        V::zeros(),
        V::x() * quarter,
        V::y() * quarter,
        V::z() * 0.3,
        V::x() * (2.0 * quarter),
    ];
    each_pair(|what, a, b| {
        let (x, y) = (a.made(), b.made());
        for (i, s) in turns.iter().enumerate() {
            for (j, t) in turns.iter().enumerate() {
                for (k, way) in [V::x(), V::y(), V::z(), -V::z()].iter().enumerate() {
                    let pb = Pose::new(V::zeros(), *s);
                    let mut pa = Pose::new(way * 2.0, *t);
                    let first = nearest(x.solid(), &pa, y.solid(), &pb, None);
                    certify(
                        &format!("{what} {i} {j} {k}"),
                        a,
                        &pa,
                        b,
                        &pb,
                        &first,
                        1e-12,
                    );
                    pa.position -= first.normal * first.value;
                    let found = nearest(x.solid(), &pa, y.solid(), &pb, None);
                    let what = format!("{what} {i} {j} {k}, touching");
                    certify(&what, a, &pa, b, &pb, &found, 1e-12);
                    assert!(found.value.abs() < 1e-12, "{what}: {}", found.value);
                }
            }
        }
    });
}

#[test]
fn gradients_are_those_of_rigid_motions() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    each_pair(|what, a, b| {
        let (x, y) = (a.made(), b.made());
        let mut tried = 0;
        while tried < 4 {
            let pb = Pose::new(vector(&mut rng, 0.2), vector(&mut rng, 2.0));
            let pa = Pose::new(
                vector(&mut rng, 1.0).normalize() * 1.6,
                vector(&mut rng, 2.0),
            );
            let found = nearest(x.solid(), &pa, y.solid(), &pb, None);
            if found.value < 1e-2 {
                continue;
            }
            tried += 1;
            let (v, w) = (vector(&mut rng, 1.0), vector(&mut rng, 1.0));
            let moved = |s: f64| Pose {
                position: pa.position + v * s,
                directors: Rotation3::new(w * s).into_inner() * pa.directors,
            };
            let gap = |s: f64| nearest(x.solid(), &moved(s), y.solid(), &pb, None).value;
            let rate = found
                .normal
                .dot(&(v + w.cross(&(found.point_a - pa.position))));
            let h = 1e-5;
            let slope = (gap(h) - gap(-h)) / (2.0 * h);
            assert!(
                (rate - slope).abs() < 1e-4,
                "{what}: {rate} against {slope}"
            );
        }
    });
}

#[test]
fn closed_forms() {
    let ball = Round::sphere(0.3).unwrap();
    let other = Round::sphere(0.45).unwrap();
    let at = Pose::translation(0.7, -0.4, 0.9);
    let origin = Pose::identity();
    let found = nearest((&ball).into(), &at, (&other).into(), &origin, None);
    assert!((found.value - (at.position.norm() - 0.75)).abs() < 1e-15);
    // A ball over the corner of a box.
    let brick = Polytope::cuboid(1.0, 1.0, 1.0).unwrap();
    let corner = Pose::translation(0.8, 0.9, 1.7);
    let found = nearest(
        (&ball).into(),
        &corner,
        brick.vertices().into(),
        &origin,
        None,
    );
    assert!((found.value - (V::new(0.3, 0.4, 1.2).norm() - 0.3)).abs() < 1e-15);
    // Crossed capsules.
    let pin = Round::capsule(0.1, 2.0).unwrap();
    let crossed = Pose::new(V::new(0.2, 0.5, 0.1), V::x() * 1.0);
    let found = nearest((&pin).into(), &crossed, (&pin).into(), &origin, None);
    let axis = Rotation3::new(V::x() * 1.0) * V::z();
    let n = axis.cross(&V::z()).normalize();
    assert!((found.value - (n.dot(&crossed.position).abs() - 0.2)).abs() < 1e-14);
    // A tilted cylinder over a plane: ½ h |cos| + r |sin| below its centre.
    let can = Round::cylinder(0.3, 1.0).unwrap();
    let floor = carom_gap::gap::HalfSpace::new(V::z(), 0.25).unwrap();
    for tilt in [0.0, 1e-9, 0.3, 1.0, std::f64::consts::FRAC_PI_2] {
        let pose = Pose::new(V::new(0.0, 0.0, 2.0), V::y() * tilt);
        let found = above((&can).into(), &pose, &floor);
        let wanted = 1.75 - 0.5 * tilt.cos().abs() - 0.3 * tilt.sin().abs();
        assert!(
            (found.value - wanted).abs() < 1e-15,
            "{tilt}: {}",
            found.value - wanted
        );
    }
}

#[test]
fn facets_converge_to_the_true_gap() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let can = Round::cylinder(0.3, 0.8).unwrap();
    let cone = Round::cone(0.4, 0.9).unwrap();
    let facets = |sides: usize| {
        let cylinder = carom_gap::geometry::Convex::cylinder(0.3, 0.8, sides).unwrap();
        let cone = carom_gap::geometry::Convex::cone(0.4, 0.9, sides).unwrap();
        (cylinder.vertices().clone(), cone.vertices().clone())
    };
    for _ in 0..40 {
        let pa = Pose::new(
            vector(&mut rng, 1.0).normalize() * 1.5,
            vector(&mut rng, 2.0),
        );
        let pb = Pose::new(V::zeros(), vector(&mut rng, 2.0));
        let exact = nearest((&can).into(), &pa, (&cone).into(), &pb, None).value;
        let (x, y) = facets(512);
        let coarse = distance(&x, &pa, &y, &pb, &pa.position).value;
        assert!(
            coarse > exact - 1e-12 && coarse < exact + 4e-5,
            "{exact} {coarse}"
        );
    }
}

#[test]
fn first_contact_is_where_the_gap_vanishes() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    each_pair(|what, a, b| {
        let (x, y) = (a.made(), b.made());
        for _ in 0..3 {
            let from = vector(&mut rng, 1.0).normalize() * 3.0;
            let fly = Way::new(
                Pose::new(from, vector(&mut rng, 1.0)),
                from * -1.2,
                vector(&mut rng, 3.0),
            );
            let stay = Way::new(
                Pose::new(V::zeros(), vector(&mut rng, 1.0)),
                V::zeros(),
                vector(&mut rng, 1.0),
            );
            let (time, found) = first_contact(x.solid(), &fly, y.solid(), &stay).expect(what);
            assert!(found.value.abs() < 1e-12, "{what}: {}", found.value);
            for k in 0..20 {
                let t = time * f64::from(k) / 20.0;
                let gap = nearest(x.solid(), &fly.at(t), y.solid(), &stay.at(t), None).value;
                assert!(gap > 0.0, "{what}: {gap} at {t} before {time}");
            }
        }
    });
}

#[test]
fn patches_of_lying_and_standing_bodies() {
    let floor = carom_gap::gap::HalfSpace::new(V::z(), 0.0).unwrap();
    let can = Round::cylinder(0.3, 1.0).unwrap();
    let mut points = Vec::new();
    let standing = Pose::translation(0.0, 0.0, 0.5);
    let found = above((&can).into(), &standing, &floor);
    patch_on((&can).into(), &standing, &floor, &found, 1e-6, &mut points);
    assert_eq!(points.len(), 8);
    assert!(
        points
            .iter()
            .all(|p| (p.point_a.xy().norm() - 0.3).abs() < 1e-15 && p.gap().abs() < 1e-15)
    );
    // Lying: a line, its two ends.
    let lying = Pose::new(V::new(0.0, 0.0, 0.3), V::y() * std::f64::consts::FRAC_PI_2);
    points.clear();
    let found = above((&can).into(), &lying, &floor);
    patch_on((&can).into(), &lying, &floor, &found, 1e-6, &mut points);
    assert_eq!(points.len(), 2);
    assert!(
        points
            .iter()
            .all(|p| (p.point_a.x.abs() - 0.5).abs() < 1e-15 && p.gap().abs() < 1e-15)
    );
    // On a box that is shorter: cut off at its sides.
    let brick = Polytope::cuboid(0.6, 2.0, 1.0).unwrap();
    let below = Pose::translation(0.0, 0.0, -0.5);
    points.clear();
    let found = nearest((&can).into(), &lying, brick.vertices().into(), &below, None);
    assert!(found.value.abs() < 1e-15 && (found.normal - V::z()).norm() < 1e-15);
    patch(
        (&can).into(),
        &lying,
        brick.vertices().into(),
        &below,
        &found,
        1e-6,
        &mut points,
    );
    assert_eq!(points.len(), 2);
    assert!(
        points
            .iter()
            .all(|p| (p.point_a.x.abs() - 0.3).abs() < 1e-12)
    );
    // Along another cylinder, half a length further on.
    let beside = Pose {
        position: V::new(0.5, 0.6, 0.3),
        ..lying
    };
    points.clear();
    let found = nearest((&can).into(), &beside, (&can).into(), &lying, None);
    patch(
        (&can).into(),
        &beside,
        (&can).into(),
        &lying,
        &found,
        1e-6,
        &mut points,
    );
    assert_eq!(points.len(), 2);
    assert!(
        points
            .iter()
            .all(|p| p.gap().abs() < 1e-15 && (p.normal - V::y()).norm() < 1e-15)
    );
    // A ball has one.
    points.clear();
    let ball = Round::sphere(0.2).unwrap();
    let at = Pose::translation(0.1, 0.0, 0.2);
    let found = above((&ball).into(), &at, &floor);
    patch_on((&ball).into(), &at, &floor, &found, 1e-3, &mut points);
    assert_eq!(points.len(), 1);
}

/// Two lying capsules whose axes are askew are closest between the ends of what they share.
#[test]
fn lines_that_are_askew_have_a_point_where_they_are_closest() {
    let capsule = Round::capsule(0.2, 0.9).unwrap();
    let lying = |skew: f64, z: f64| Pose {
        position: V::new(0.03, -0.02, z),
        directors: (Rotation3::new(V::z() * skew)
            * Rotation3::new(V::y() * std::f64::consts::FRAC_PI_2))
        .into_inner(),
    };
    for (skew, count) in [(0.0, 2), (1e-3, 3), (1e-2, 3)] {
        let (above, below) = (lying(skew, 0.39), lying(0.0, 0.0));
        let mut points = Vec::new();
        let (a, b) = ((&capsule).into(), (&capsule).into());
        let found = nearest(a, &above, b, &below, None);
        patch(a, &above, b, &below, &found, 1e-2, &mut points);
        assert_eq!(points.len(), count, "{skew}");
        assert!((found.value + 0.01).abs() < 1e-14, "{}", found.value);
        assert!((points[0].gap() - found.value).abs() < 1e-14, "{skew}");
        // At the ends the axes are 0.45 tan(skew) beside each other.
        let ends = 0.39_f64.hypot(0.45 * skew.tan()) - 0.4;
        for p in &points[count - 2..] {
            assert!(
                (p.gap() - ends).abs() < 1e-2 * skew * skew + 1e-14,
                "{skew}: {}",
                p.gap()
            );
        }
    }
}

/// What a disc shares with a disc or a polygon is carried as far out as it goes: over its arcs, too.
#[test]
fn patches_reach_over_rims() {
    let table = Round::cylinder(0.5, 0.1).unwrap();
    let puck = Round::cylinder(0.03, 0.02).unwrap();
    let brick = Polytope::cuboid(0.05, 0.05, 0.02).unwrap();
    let below = Pose::translation(0.0, 0.0, -0.05);
    let solids: [(Solid, f64); 2] = [((&puck).into(), 0.03), (brick.vertices().into(), 0.025)];
    for (solid, half) in solids {
        for k in 0..40 {
            // At any bearing, the centre a little within the rim; turned about itself; a little tilted.
            let bearing = 0.157 * f64::from(k);
            let out = V::new(bearing.cos(), bearing.sin(), 0.0);
            let tilt = [0.0, 1e-7][k as usize % 2];
            let turn =
                Rotation3::new(out.cross(&V::z()) * -tilt) * Rotation3::new(V::z() * bearing);
            let above = Pose {
                position: out * 0.495 + V::z() * (0.01 + 0.03 * tilt),
                directors: turn.into_inner(),
            };
            let mut points = Vec::new();
            for swapped in [false, true] {
                points.clear();
                let (a, pa, b, pb) = match swapped {
                    false => (solid, &above, (&table).into(), &below),
                    true => ((&table).into(), &below, solid, &above),
                };
                let found = nearest(a, pa, b, pb, None);
                patch(a, pa, b, pb, &found, 1e-6, &mut points);
                let along = |p: &carom_gap::round::PatchPoint| p.point_a.dot(&out);
                let furthest = points.iter().map(along).fold(f64::MIN, f64::max);
                let nearest = points.iter().map(along).fold(f64::MAX, f64::min);
                assert!((furthest - 0.5).abs() < 1e-9, "{k}: {furthest}");
                // Within an eighth of a turn of the inner end of the rim.
                assert!(nearest < 0.495 - 0.92 * half, "{k}: {nearest}");
                for p in &points {
                    let (x, y) = (p.point_a, p.point_b);
                    assert!(x.xy().norm() < 0.5 + 1e-9, "{k}: {x}");
                    let local = above.direction_to_body(&(x - above.position));
                    let reach = match half == 0.03 {
                        true => local.xy().norm(),
                        false => local.x.abs().max(local.y.abs()),
                    };
                    assert!(reach < half + 1e-8, "{k}: {reach}");
                    // Both points are on their bodies: the lower on the table, the upper under the puck.
                    let (low, high) = if swapped { (x, y) } else { (y, x) };
                    assert!(low.z.abs() < 2e-9, "{k}: {low}");
                    let under = above.direction_to_body(&(high - above.position));
                    assert!((under.z + 0.01).abs() < 2e-9, "{k}: {}", under.z + 0.01);
                }
            }
        }
    }
}

#[test]
fn masses_against_formulas_and_facets() {
    let capsule = Round::capsule(0.2, 0.9).unwrap().mass_properties().unwrap();
    let pi = std::f64::consts::PI;
    let volume = pi * 0.04 * 0.9 + 4.0 / 3.0 * pi * 0.008;
    assert!((capsule.volume - volume).abs() < 1e-15);
    let along = 0.5 * pi * 0.04 * 0.9 * 0.04 + 0.4 * 4.0 / 3.0 * pi * 0.008 * 0.04;
    assert!((capsule.inertia[(2, 2)] - along).abs() < 1e-15);
    let can = Round::cylinder(0.3, 0.8)
        .unwrap()
        .mass_properties()
        .unwrap();
    assert!((can.inertia[(0, 0)] - can.mass * (0.09 / 4.0 + 0.64 / 12.0)).abs() < 1e-15);
    let cone = Round::cone(0.4, 0.9).unwrap().mass_properties().unwrap();
    assert!(
        cone.center.norm() < 1e-15 && (cone.inertia[(2, 2)] - 0.3 * cone.mass * 0.16).abs() < 1e-15
    );
    // A rounded box: Steiner's formula for its volume, and parts that fill it.
    let (a, b, c, r) = (0.6, 0.4, 0.5, 0.07);
    let brick = Polytope::cuboid(a, b, c).unwrap();
    let rounded = Round::swept(brick.vertices().clone(), r)
        .unwrap()
        .mass_properties()
        .unwrap();
    let steiner = a * b * c
        + 2.0 * r * (a * b + b * c + c * a)
        + pi * r * r * (a + b + c)
        + 4.0 / 3.0 * pi * r.powi(3);
    assert!((rounded.volume - steiner).abs() < 1e-14);
    assert!(rounded.center.norm() < 1e-15);
    // ∫ x² by slices: a box slice swept by r has area bc + 2 s (b + c) + π s² at depth √(r² − s²).
    let mut second = 0.0;
    let slices = 200_000;
    for k in 0..slices {
        let x = (0.5 * a + r) * (f64::from(k) + 0.5) / f64::from(slices);
        let deep = (x - 0.5 * a).max(0.0);
        let s = (r * r - deep * deep).sqrt();
        second += 2.0 * x * x * (b * c + 2.0 * s * (b + c) + pi * s * s) * (0.5 * a + r)
            / f64::from(slices);
    }
    assert!((rounded.euler_tensor[(0, 0)] - second).abs() < 1e-8);
    let off = rounded.euler_tensor - Matrix3::from_diagonal(&rounded.euler_tensor.diagonal());
    assert!(off.norm() < 1e-15);
}
