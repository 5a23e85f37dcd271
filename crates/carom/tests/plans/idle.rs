//! What nothing moves: it stays where it is, no guess leads it aside, and no goal asks for it elsewhere.

use carom::optimise::{Plan, Status, foresee, replay};
use carom::scenario::{PlanRequest, Scenario};

use crate::plans::request;

/// A drone in space that thrusts along its own third axis and pitches, before a gate narrower than it is high: it stays in
/// its vertical plane, and bars of `width` end nearer beside it than above it.
fn drone(width: f64, goal: &str, more: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.quad]
        shape = {{ box = [0.4, 0.1, 0.08] }}
        mass = 1
        [body.low]
        kind = "static"
        shape = {{ box = [0.1, {width}, 2] }}
        position = [1.5, 0, -0.5]
        [body.high]
        kind = "static"
        shape = {{ box = [0.1, {width}, 2] }}
        position = [1.5, 0, 1.9]
        [optimise]
        minimise = [{{ effort = 0.01 }}, {{ time = 1 }}]
        controls.quad = {{ force = [0, 0, [0, 25]], torque = [0, [-1, 1], 0], frame = "body" }}
        goal.quad = {{ {goal}, rest = true }}
        {more}
        [[phase]]
        steps = 24
        step = 0.08
        time_scale = [0.3, 3]
        "#
    )
}

fn read(text: &str) -> PlanRequest {
    request(&Scenario::parse("idle.toml", text).unwrap())
}

fn aside(poses: &[Vec<carom::Pose>]) -> f64 {
    let y = poses.iter().map(|node| node[0].position.y.abs());
    y.fold(0.0, f64::max)
}

fn solved(request: &PlanRequest) -> Plan {
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    let replayed = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-8, "{:e}", replayed.error);
    plan
}

#[test]
fn a_drone_that_only_pitches_passes_a_gate_in_its_plane() {
    let goal = "position = [3, 0, 0], rotation = [0, 0, 0]";
    let request = read(&drone(0.8, goal, "avoid = true"));
    assert!(aside(&request.guess.poses) < 1e-12);
    let plan = solved(&request);
    assert!(aside(&plan.poses) < 1e-12);
    assert!(plan.iterations < 300, "{}", plan.iterations);
}

#[test]
fn goals_that_nothing_leads_to_are_told() {
    let goals = [
        ("position = [3, 0.5, 0], rotation = [0, 0, 0]", "along y"),
        ("position = [3, 0, 0], rotation = [0.2, 0, 0]", "about x"),
    ];
    for (goal, way) in goals {
        let request = read(&drone(0.8, goal, ""));
        let reasons = foresee(&request.problem, &request.guess).unwrap();
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        assert!(reasons[0].contains(way), "{reasons:?}");
        assert_eq!(request.solve().unwrap().iterations, 0);
    }
    // What it can reach, and what it has to do with a gust of wind.
    let goal = "position = [3, 0, 0], rotation = [0, 0.2, 0]";
    let gust = "[load.gust]\nbody = \"quad\"\nforce = [0, 0.1, 0]\ntorque = [0, 0, 0]";
    let aside = "position = [3, 0.5, 0], rotation = [0, 0, 0]";
    for text in [drone(0.8, goal, ""), drone(0.8, aside, gust)] {
        let request = read(&text);
        let reasons = foresee(&request.problem, &request.guess).unwrap();
        assert!(reasons.is_empty(), "{reasons:?}");
    }
}
