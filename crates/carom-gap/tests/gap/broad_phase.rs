//! The broad phase against all pairs by brute force, through random motion.

use carom_gap::geometry::{Convex, Polytope};
use carom_gap::{Aabb, BroadPhase, Membership, Pose};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
enum Item {
    Part(Aabb),
    HalfSpace(Vector3<f64>, f64),
}

/// The definition, written down plainly.
fn brute_force(
    items: &BTreeMap<u32, (Membership, Item)>,
    excluded: &[(u32, u32)],
    margin: f64,
) -> Vec<(u32, u32)> {
    let near = |a: &Item, b: &Item| match (a, b) {
        (Item::Part(a), Item::Part(b)) => {
            a.expanded(0.5 * margin).overlaps(&b.expanded(0.5 * margin))
        }
        (Item::HalfSpace(..), Item::HalfSpace(..)) => false,
        (Item::Part(p), Item::HalfSpace(n, d)) | (Item::HalfSpace(n, d), Item::Part(p)) => {
            let corner = |i: usize| {
                Vector3::from_fn(|k, _| if i >> k & 1 == 0 { p.min[k] } else { p.max[k] })
            };
            (0..8).any(|i| corner(i).dot(n) - d <= margin)
        }
    };
    let mut pairs = Vec::new();
    for (&i, (a, at_a)) in items {
        for (&j, (b, at_b)) in items.range(i + 1..) {
            let allowed = a.body != b.body
                && a.groups & b.mask != 0
                && b.groups & a.mask != 0
                && !excluded.contains(&(a.body.min(b.body), a.body.max(b.body)));
            if allowed && near(at_a, at_b) {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

fn random_box(rng: &mut ChaCha8Rng, spread: f64) -> Aabb {
    let min = Vector3::from_fn(|_, _| rng.random_range(-spread..spread));
    let sides = Vector3::from_fn(|_, _| rng.random_range(0.0..1.0));
    Aabb {
        min,
        max: min + sides,
    }
}

fn random_membership(rng: &mut ChaCha8Rng) -> Membership {
    let body = rng.random_range(0..40);
    if rng.random_range(0..3) == 0 {
        Membership {
            body,
            groups: 1 << rng.random_range(0..3),
            mask: rng.random_range(0..8),
        }
    } else {
        Membership::of_body(body)
    }
}

#[test]
fn agrees_with_all_pairs_through_random_motion() {
    for (seed, margin) in [(31, 0.0), (32, 0.1), (33, 1.0)] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut broad = BroadPhase::new(margin);
        let mut items = BTreeMap::new();
        let mut excluded = Vec::new();
        let mut pairs = Vec::new();
        let mut total = 0;
        for step in 0..300 {
            // Coming and going.
            for _ in 0..if step == 0 {
                60
            } else {
                rng.random_range(0..4)
            } {
                let membership = random_membership(&mut rng);
                let (id, item) = if rng.random_range(0..20) == 0 {
                    let n = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)).normalize();
                    let d = rng.random_range(-6.0..0.0);
                    let id = broad.insert_half_space(membership, n * 3.0, d * 3.0);
                    (id, Item::HalfSpace(n, d))
                } else {
                    let aabb = random_box(&mut rng, 4.0);
                    (broad.insert(membership, &aabb), Item::Part(aabb))
                };
                assert!(
                    items.insert(id, (membership, item)).is_none(),
                    "ids are unique"
                );
            }
            for _ in 0..rng.random_range(0..4) {
                let at = rng.random_range(0..items.len());
                let id = *items.keys().nth(at).unwrap();
                items.remove(&id);
                broad.remove(id);
            }
            if step % 10 == 5 {
                let (a, b) = (rng.random_range(0..20), rng.random_range(20..40));
                broad.exclude(b, a);
                excluded.push((a, b));
            }
            if step % 50 == 49 {
                let (a, b) = excluded.swap_remove(0);
                if !excluded.contains(&(a, b)) {
                    broad.include(a, b);
                }
            }
            // Small motions, now and then a jump; some rest.
            for (&id, (_, item)) in &mut items {
                match item {
                    // Every other time few move.
                    Item::Part(aabb) if rng.random_range(0..40) > [9, 37][step % 2] => {
                        *aabb = if rng.random_range(0..50) == 0 {
                            random_box(&mut rng, 4.0)
                        } else {
                            let d = Vector3::from_fn(|_, _| rng.random_range(-0.1..0.1));
                            Aabb {
                                min: aabb.min + d,
                                max: aabb.max + d,
                            }
                        };
                        broad.update(id, aabb);
                    }
                    Item::HalfSpace(n, d) => {
                        *d += rng.random_range(-0.1..0.1);
                        broad.update_half_space(id, *n, *d);
                    }
                    Item::Part(_) => {}
                }
            }
            broad.pairs(&mut pairs);
            assert_eq!(
                pairs,
                brute_force(&items, &excluded, margin),
                "seed {seed} step {step}"
            );
            assert_eq!(broad.len(), items.len());
            total += pairs.len();
            // Of some only.
            let all = pairs.clone();
            let some: Vec<u32> = items.keys().copied().filter(|id| id % 7 == 3).collect();
            broad.pairs_of(&some, &mut pairs);
            let belongs = |(a, b): &&(u32, u32)| some.contains(a) || some.contains(b);
            let expected: Vec<_> = all.iter().filter(belongs).copied().collect();
            assert_eq!(pairs, expected, "seed {seed} step {step}");
        }
        assert!(total > 1000, "the test met {total} pairs");
    }
}

#[test]
fn reuses_the_buffer_and_repeats_itself() {
    let mut rng = ChaCha8Rng::seed_from_u64(34);
    let mut broad = BroadPhase::new(0.05);
    for body in 0..200 {
        broad.insert(Membership::of_body(body), &random_box(&mut rng, 3.0));
    }
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    let (first, capacity, place) = (pairs.clone(), pairs.capacity(), pairs.as_ptr());
    assert!(!first.is_empty() && first.is_sorted() && first.iter().all(|(a, b)| a < b));
    for _ in 0..5 {
        broad.pairs(&mut pairs);
        assert_eq!(pairs, first);
    }
    assert_eq!((pairs.capacity(), pairs.as_ptr()), (capacity, place));
}

#[test]
fn empty_and_single() {
    let mut broad = BroadPhase::new(0.1);
    let mut pairs = vec![(1, 2)];
    broad.pairs(&mut pairs);
    assert!(pairs.is_empty() && broad.is_empty());
    let id = broad.insert(
        Membership::of_body(0),
        &random_box(&mut ChaCha8Rng::seed_from_u64(1), 1.0),
    );
    broad.pairs(&mut pairs);
    assert!(pairs.is_empty());
    broad.remove(id);
    broad.pairs(&mut pairs);
    assert!(pairs.is_empty() && broad.is_empty());
}

#[test]
fn boxes_without_bounds_or_sense_are_never_missed() {
    let unit = Aabb {
        min: Vector3::zeros(),
        max: Vector3::repeat(1.0),
    };
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut broad = BroadPhase::new(0.1);
        let mut pairs = Vec::new();
        let a = broad.insert(Membership::of_body(0), &unit);
        let b = broad.insert(Membership::of_body(1), &unit);
        let floor = broad.insert_half_space(Membership::of_body(2), Vector3::z(), 0.0);
        let wide = Aabb {
            min: Vector3::repeat(-bad),
            max: Vector3::repeat(bad),
        };
        broad.update(b, &wide);
        broad.pairs(&mut pairs);
        assert_eq!(pairs, [(a, b), (a, floor), (b, floor)], "{bad}");
        // And back into the tree.
        broad.update(b, &unit.expanded(-0.2));
        broad.update(
            a,
            &Aabb {
                min: unit.min.add_scalar(9.0),
                max: unit.max.add_scalar(9.0),
            },
        );
        broad.pairs(&mut pairs);
        assert!(pairs.is_empty(), "{bad}: {pairs:?}");
    }
    let cube = Polytope::cube(1.0).unwrap();
    let mut pose = Pose::identity();
    pose.directors[(1, 2)] = f64::NAN;
    let around = Aabb::of(cube.vertices(), &pose);
    assert_eq!(
        (around.min.y, around.max.y),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
}

#[test]
fn box_around_a_posed_body() {
    let mut rng = ChaCha8Rng::seed_from_u64(35);
    for solid in [
        Convex::from(Polytope::cuboid(0.2, 0.5, 1.0).unwrap()),
        Convex::sphere(0.6, 6).unwrap(),
        Convex::segment(Vector3::x(), Vector3::z()).unwrap(),
    ] {
        for _ in 0..50 {
            let mut vector = || Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0));
            let pose = Pose::new(vector(), vector());
            let around = Aabb::of(solid.vertices(), &pose);
            let placed: Vec<_> = solid
                .vertices()
                .points()
                .iter()
                .map(|p| pose.point(p))
                .collect();
            let min = placed.iter().fold(placed[0], |m, p| m.inf(p));
            let max = placed.iter().fold(placed[0], |m, p| m.sup(p));
            assert!((around.min - min).norm() + (around.max - max).norm() < 1e-14);
        }
    }
}
