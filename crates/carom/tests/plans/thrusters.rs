//! Thrusters and rotors: one value along a direction that is fixed to a body.

use carom::optimise::{Plan, Status};
use carom::scenario::Scenario;

use crate::plans::{close, plan, request};

/// A satellite that goes 1 m along x by what is given, from rest to rest.
fn shift(actuators: &str) -> Plan {
    let text = format!(
        r#"
        [body.satellite]
        shape = {{ box = [0.2, 0.2, 0.3] }}
        mass = 2
        {actuators}
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        goal.rest = true
        goal.satellite = {{ position = [1, 0, 0] }}
        [[phase]]
        steps = 20
        step = 0.1
        "#
    );
    let request = request(&Scenario::parse("case.toml", &text).unwrap());
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    plan
}

const FORWARDS: &str = r#"
    [actuator.forwards]
    body = "satellite"
    direction = [2, 0, 0]
"#;

/// A force along one direction is a wrench of which one component acts, and two thrusters that only push, one against the
/// other, do what one does that pushes both ways.
#[test]
fn thrusters_against_a_wrench() {
    let wrench = shift(
        r#"
        [actuator.push]
        body = "satellite"
        bounds = [[-10, 10], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]
        "#,
    );
    let both_ways = shift(&format!("{FORWARDS} bounds = [-10, 10]"));
    assert_eq!(both_ways.controls[0].len(), 1);
    assert!(close(both_ways.objective, wrench.objective, 1e-6));
    let one_way = shift(&format!(
        r#"{FORWARDS} bounds = [0, 10]
        [actuator.backwards]
        body = "satellite"
        direction = [-1, 0, 0]
        bounds = [0, 10]
        "#
    ));
    assert!(close(one_way.objective, wrench.objective, 1e-6));
}

/// Four rotors lift a drone and turn it about its axis by what each is turned back: up by 0.5 m, a quarter turn.
#[test]
fn rotors_turn_what_they_lift() {
    let rotor = |name: &str, x: f64, y: f64, turn: f64| {
        format!(
            r#"
            [actuator.{name}]
            body = "drone"
            point = [{x}, {y}, 0]
            direction = [0, 0, 1]
            torque_per_force = {turn}
            bounds = [0, 6]
            "#
        )
    };
    let rotors = [
        rotor("east", 0.2, 0.0, 0.05),
        rotor("north", 0.0, 0.2, -0.05),
        rotor("west", -0.2, 0.0, 0.05),
        rotor("south", 0.0, -0.2, -0.05),
    ];
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.drone]
        shape = {{ box = [0.4, 0.4, 0.1] }}
        mass = 1
        {}
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        goal.rest = true
        goal.drone = {{ position = [0, 0, 0.5], rotation = [0, 0, "pi/2"] }}
        [[phase]]
        steps = 20
        step = 0.1
        "#,
        rotors.concat()
    );
    let request = request(&Scenario::parse("case.toml", &text).unwrap());
    let plan = plan(&request);
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    // East and west together bring what turns it, north and south against them, alike by symmetry.
    for u in &plan.controls {
        assert!(u.iter().all(|v| (-1e-9..=6.0 + 1e-9).contains(v)));
        assert!((u[0] - u[2]).abs() < 1e-4 && (u[1] - u[3]).abs() < 1e-4);
    }
    let first = &plan.controls[0];
    assert!(first[0] > first[1] + 0.1);
}

/// What does not go together, and what a controller cannot act through, is told.
#[test]
fn mistakes_are_told() {
    let refused = |rest: &str| {
        let text = format!(
            r#"
            [body.drone]
            shape = {{ box = [0.4, 0.4, 0.1] }}
            mass = 1
            {rest}
            [simulate]
            duration = 1
            step = 0.01
            "#
        );
        let read = Scenario::parse("case.toml", &text);
        read.and_then(|s| s.build().map(drop))
            .unwrap_err()
            .to_string()
    };
    let both = refused(
        r#"
        [actuator.a]
        body = "drone"
        direction = [0, 0, 1]
        axis = [0, 0, 1]
        "#,
    );
    assert!(
        both.contains("direction") && both.contains("axis"),
        "{both}"
    );
    let zero = refused(
        r#"
        [actuator.a]
        body = "drone"
        direction = [0, 0, 0]
        "#,
    );
    assert!(zero.contains("must not be zero"), "{zero}");
    let alone = refused(
        r#"
        [actuator.a]
        body = "drone"
        torque_per_force = 0.1
        "#,
    );
    assert!(alone.contains("torque_per_force"), "{alone}");
}
