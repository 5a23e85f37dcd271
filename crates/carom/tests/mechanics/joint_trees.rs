//! Joints as a tree: loops close, and the order and direction joints are given in do not matter.

use crate::common::*;
use carom::model::{BodySpec, JointKind, JointSpec, Model, ModelBuilder};
use nalgebra::Vector3;

/// Four bars in the plane across y; the last joint closes the loop.
fn four_bar(redundant: bool, order: &[usize]) -> Model {
    let corners = [
        v(0.0, 0.0, 0.0),
        v(0.2, 0.0, 0.5),
        v(1.0, 0.0, 0.7),
        v(1.1, 0.0, 0.0),
    ];
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let mut bars = Vec::new();
    for k in 0..3 {
        let (from, to) = (corners[k], corners[k + 1]);
        bars.push(b.body(brick(&format!("bar {k}")).position((from + to) / 2.0)));
    }
    let ends = [
        (None, Some(bars[0])),
        (Some(bars[0]), Some(bars[1])),
        (Some(bars[1]), Some(bars[2])),
        (Some(bars[2]), None),
    ];
    for &k in order {
        let name = format!("hinge {k}");
        // Three hinges and a ball close a plane loop once; four hinges hold it three times over.
        let spec = if k == 3 && !redundant {
            JointSpec::cylindrical(name, Vector3::y())
        } else {
            JointSpec::revolute(name, Vector3::y())
        };
        b.joint(spec.at(corners[k]), ends[k].0, ends[k].1);
    }
    b.build().unwrap()
}

#[test]
fn loops_close_to_round_off() {
    let mut ends = Vec::new();
    for redundant in [false, true] {
        let model = four_bar(redundant, &[0, 1, 2, 3]);
        assert_eq!(model.closures().len(), 1);
        let mut s = simulate(model, 0.002);
        s.run(2000).unwrap();
        let l = s.ledger();
        println!(
            "four-bar, redundant {redundant}: violation {:.1e} energy spread {:.1e} newton {:.2}",
            l.constraint_violation_max,
            l.energy.spread(),
            l.newton_iterations as f64 / l.steps as f64
        );
        assert!(
            l.constraint_violation_max < 1e-12,
            "{:.1e}",
            l.constraint_violation_max
        );
        assert!(l.energy.spread() < 2e-3 * 9.81);
        ends.push(configuration(&s));
    }
    // Redundant rows change nothing.
    assert!(
        distance(&ends[0], &ends[1]) < 1e-9,
        "{:.1e}",
        distance(&ends[0], &ends[1])
    );
    // Nor does which joint closes the loop.
    for order in [[3, 2, 1, 0], [2, 0, 3, 1]] {
        let mut s = simulate(four_bar(true, &order), 0.002);
        s.run(500).unwrap();
        let mut first = simulate(four_bar(true, &[0, 1, 2, 3]), 0.002);
        first.run(500).unwrap();
        let off = distance(&configuration(&s), &configuration(&first));
        assert!(off < 1e-9, "{order:?}: {off:.1e}");
    }
}

/// A chain of four bodies and a branch under gravity, its joints given in some order and direction.
fn shuffled(order: &[usize], flipped: u32, through_static: bool) -> Vec<f64> {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let places = [
        v(0.5, 0.0, 0.0),
        v(1.5, 0.1, 0.0),
        v(2.5, 0.0, 0.2),
        v(1.5, 1.0, 0.0),
    ];
    let ids: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(k, x)| b.body(brick(&format!("{k}")).position(*x)))
        .collect();
    let wall = b.body(BodySpec::fixed("wall").position(v(-1.0, 2.0, 0.0)));
    let world = through_static.then_some(wall);
    let axis = v(0.1, 1.0, 0.3);
    let joints = [
        (
            JointSpec::spherical("0").at(v(0.0, 0.0, 0.0)),
            world,
            Some(ids[0]),
        ),
        (
            JointSpec::revolute("1", axis).at(v(1.0, 0.0, 0.0)),
            Some(ids[0]),
            Some(ids[1]),
        ),
        (
            JointSpec::cylindrical("2", axis).at(v(2.0, 0.0, 0.0)),
            Some(ids[1]),
            Some(ids[2]),
        ),
        (
            JointSpec::planar("3", axis).at(v(1.5, 0.5, 0.0)),
            Some(ids[1]),
            Some(ids[3]),
        ),
    ];
    for &k in order {
        let (spec, a, c) = joints[k].clone();
        if flipped & (1 << k) == 0 {
            b.joint(spec, a, c);
        } else {
            b.joint(spec, c, a);
        }
    }
    let mut s = simulate(b.build().unwrap(), 0.005);
    s.run(200).unwrap();
    configuration(&s)
}

#[test]
fn the_order_and_direction_of_joints_do_not_matter() {
    let first = shuffled(&[0, 1, 2, 3], 0, false);
    for (order, flipped) in [([3, 2, 1, 0], 0), ([0, 1, 2, 3], 15), ([2, 0, 3, 1], 5)] {
        for through_static in [false, true] {
            let off = distance(&shuffled(&order, flipped, through_static), &first);
            println!("{order:?} {flipped:04b} static {through_static}: {off:.1e}");
            assert!(off < 1e-10, "{order:?} {flipped} {off:.1e}");
        }
    }
}

#[test]
fn free_joints_hold_nothing() {
    let run = |joined: bool| {
        let mut b = ModelBuilder::new();
        let one = b.body(brick("one").angular_velocity(v(0.3, 1.0, 0.2)));
        let two = b.body(
            brick("two")
                .position(v(1.0, 0.0, 0.0))
                .velocity(v(0.0, 0.1, 0.0)),
        );
        if joined {
            b.joint(
                JointSpec::new("none", JointKind::Free, Vector3::z()),
                Some(one),
                Some(two),
            );
        }
        let mut s = simulate(b.build().unwrap(), 0.01);
        s.run(100).unwrap();
        configuration(&s)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn long_chains_build() {
    let n = 10_000;
    let mut b = ModelBuilder::new();
    let mut last = None;
    for k in 0..n {
        let x = k as f64;
        let link = b.body(brick(&format!("{k}")).position(v(x, 0.0, 0.0)));
        let hinge = JointSpec::revolute(format!("{k}"), Vector3::y());
        b.joint(hinge.at(v(x - 0.5, 0.0, 0.0)), last, Some(link));
        last = Some(link);
    }
    // In time that grows with their number: with its square, this test would take minutes.
    assert_eq!(b.build().unwrap().freedom(), n);
}
