//! Plastic contacts that hold more than there is freedom: their impulses stay what the motion asks for.

use carom::simulate::{ContactEvent, ContactKind};

use super::piles::dominoes;
use crate::scenes::{Run, run_text};

/// Nothing in a run but what its contacts may do: it comes to its end with finite numbers, settled, and its contacts
/// push no harder than `most` in a step.
fn holds(run: &Run, most: f64) {
    let ledger = &run.ledger;
    let finite = |f: &crate::scenes::Frame| f.totals.energy().is_finite();
    assert!(run.frames.iter().all(finite), "{}", run.name);
    let unsettled = &ledger.unsettled;
    assert_eq!(ledger.unsettled_count, 0, "{}: {unsettled:?}", run.name);
    let impulses = run.events.iter().map(|e| e.impulse.norm());
    let largest = impulses.fold(0.0, f64::max);
    assert!(largest < most, "{}: {largest} N s", run.name);
}

/// Four links on three hinges, driven until the first and the third meet: the point at which they hold can move in two
/// directions, and is held in three.
#[test]
fn links_that_fold_onto_each_other_hold() {
    let text = r#"
        [body.a]
        shape = { box = [1, 0.2, 0.2] }
        density = 1000
        position = [0, 0, 0]
        [body.b]
        shape = { box = [1, 0.2, 0.2] }
        density = 1000
        position = [1, 0, 0]
        [body.c]
        shape = { box = [1, 0.2, 0.2] }
        density = 1000
        position = [2, 0, 0]
        [joint.first]
        kind = "revolute"
        between = ["a", "b"]
        at = [0.5, 0, 0]
        axis = [0, 0, 1]
        [joint.second]
        kind = "revolute"
        between = ["b", "c"]
        at = [1.5, 0, 0]
        axis = [0, 1, 0]
        [body.d]
        shape = { box = [1, 0.2, 0.2] }
        density = 1000
        position = [3, 0, 0]
        [joint.third]
        kind = "revolute"
        between = ["c", "d"]
        at = [2.5, 0, 0]
        axis = [0, 0, 1]
        [load.fold]
        joint = "first"
        value = 300
        [simulate]
        steps = 200
        step = 0.02
        law = "plastic"
        hold = "stick"
    "#;
    let run = run_text("fold", text);
    assert!(run.impacts().count() > 0);
    // 40 kg each at some metres per second.
    holds(&run, 2000.0);
}

/// A plank that falls onto a box and the floor, and sticks to both of them, while the box sticks to the floor.
#[test]
fn a_plank_holds_on_a_box_and_the_floor() {
    let text = r#"
        gravity = [0, 0, -9.81]
        [body.base]
        shape = { box = [0.5, 0.5, 0.25] }
        density = 1000
        position = [0, 0, 0.125]
        [body.plank]
        shape = { box = [1.0, 0.2, 0.1] }
        density = 1000
        position = [0.65, 0.02, 0.45]
        rotation = [0, 0.4, 0.1]
        [halfspace.floor]
        normal = [0, 0, 1]
        [simulate]
        steps = 400
        step = 0.005
        law = "plastic"
        hold = "patch"
    "#;
    let run = run_text("plank", text);
    assert!(run.impacts().count() > 1);
    holds(&run, 100.0);
}

/// Six dominoes that fall and hold each other: what their steps leave overlapping is moved apart, and what holds goes on
/// to hold.
#[test]
fn dominoes_that_hold_each_other_do_not_overlap() {
    let scene = dominoes([0.0, 0.3], [0.6, 0.002], "plastic");
    let run = run_text("dominoes that hold", &scene);
    // Without clearing they overlap by 4e-5 m.
    run.assert_apart(5e-6);
    let ledger = &run.ledger;
    let count = ledger.unsettled_count;
    assert!(
        count <= 25,
        "{count} unsettled instants: {:?}",
        ledger.unsettled
    );
    let cleared = ledger.projection_energy.abs() / run.energy_scale();
    assert!(cleared < 1e-5, "clearing overlaps took {cleared:e}");
}

/// Six dominoes whose contacts pull in turns: those that pull at one instant let go together, and impacts and releases
/// come to an end.
#[test]
fn contacts_that_pull_at_once_let_go_together() {
    let scene = dominoes([0.0, 0.3], [0.7, 0.004], "plastic");
    let run = run_text("dominoes that let go", &scene);
    run.assert_apart(1e-8);
    let ledger = &run.ledger;
    let count = ledger.unsettled_count;
    assert!(
        count <= 3,
        "{count} unsettled instants: {:?}",
        ledger.unsettled
    );
    let released = |e: &&ContactEvent| e.kind == ContactKind::Release;
    assert!(run.events.iter().filter(released).count() > 10);
}
