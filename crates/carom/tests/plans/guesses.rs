//! Where searches begin without help: linkages, ways that nothing leads on from, costs of nothing, far goals.

use carom::optimise::{Plan, Status, guess_overlaps, replay};
use carom::scenario::{PlanRequest, Scenario};

use crate::plans::{close, request};

fn read(text: &str) -> PlanRequest {
    request(&Scenario::parse("guess.toml", text).unwrap())
}

fn planned(request: &PlanRequest) -> Plan {
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    let replayed = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-9, "{:e}", replayed.error);
    plan
}

/// A crank of 0.2 m and a rocker of 0.4 m, 0.5 m apart, with a bar of 0.5 m between them: it can be put together in two
/// ways, and the nearest configuration that closes it is now and then of the other.
#[test]
fn a_linkage_stays_put_together_as_it_is() {
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for (name, length, mass, centre, angle) in [
        ("crank", 0.2, 0.2, [0.1, 0.0], 0.0),
        ("coupler", 0.5, 0.5, [0.35, 0.2], (4.0_f64 / 3.0).atan()),
        ("rocker", 0.4, 0.3, [0.5, 0.2], std::f64::consts::FRAC_PI_2),
    ] {
        let [x, z] = centre;
        text += &format!(
            "[body.{name}]\nshape = {{ box = [{length}, 0.02, 0.02] }}\nmass = {mass}\nposition = [{x}, 0, {z}]\n\
             rotation = [0, {}, 0]\n",
            -angle
        );
    }
    for (name, between, at) in [
        ("a", r#"["world", "crank"]"#, [0.0, 0.0]),
        ("b", r#"["crank", "coupler"]"#, [0.2, 0.0]),
        ("c", r#"["coupler", "rocker"]"#, [0.5, 0.4]),
        ("d", r#"["world", "rocker"]"#, [0.5, 0.0]),
    ] {
        let [x, z] = at;
        text += &format!(
            "[joint.{name}]\nkind = \"revolute\"\nbetween = {between}\nat = [{x}, 0, {z}]\naxis = [0, -1, 0]\n"
        );
    }
    text += "[actuator.motor]\njoint = \"a\"\n[optimise]\nminimise = [{ effort = 1 }]\ngoal.joints = { a = \"pi\" }\n\
             goal.rest = true\n[[phase]]\nsteps = 40\nstep = 0.025\n";
    let request = read(&text);
    // The guess: the crank turns evenly, and nothing leaps.
    for ends in request.guess.poses.windows(2) {
        let leaps = ends[0].iter().zip(&ends[1]);
        let farthest = leaps.map(|(a, b)| (b.position - a.position).norm());
        assert!(farthest.fold(0.0, f64::max) < 0.03);
    }
    let plan = planned(&request);
    assert!(plan.iterations < 40, "{}", plan.iterations);
    assert!(close(plan.objective, 0.715393158, 1e-6));
}

/// What must not slip cannot follow the straight way aside, and both ways round it are mirror images.
#[test]
fn a_rover_parks_sideways() {
    let request = read(
        r#"
        [body.rover]
        planar = true
        shape = { rectangle = [0.4, 0.2] }
        mass = 5
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.rover = { force = ["free", "free", 0], torque = [0, 0, "free"] }
        goal.rover = { position = [0, 0.5, 0], rotation = [0, 0, 0], rest = true }
        path = [{ expression = "rover.vy*rover.d1x - rover.vx*rover.d1y", value = 0 }]
        [[phase]]
        steps = 40
        step = 0.1
        "#,
    );
    let plan = planned(&request);
    assert!(close(plan.objective, 2.44596622, 1e-6));
    // A search that cannot make its violation smaller ends soon, and another begins elsewhere.
    assert!(plan.iterations < 400, "{}", plan.iterations);
}

/// A drone with a load on a rope, which no control turns, is held up where its search begins.
#[test]
fn a_drone_carries_a_hanging_load() {
    for load in [
        "[body.load]\nshape = { sphere = 0.05 }",
        "[body.load]\nkind = \"particle\"",
    ] {
        let rope = match load.contains("particle") {
            true => "[rod.rope]\nbetween = [\"quad\", \"load\"]",
            false => {
                "[joint.rope]\nkind = \"spherical\"\nbetween = [\"quad\", \"load\"]\nat = [0, 0, 0]"
            }
        };
        let request = read(&format!(
            r#"
            gravity = [0, 0, -9.81]
            [body.quad]
            shape = {{ box = [0.4, 0.4, 0.08] }}
            mass = 1
            {load}
            mass = 0.2
            position = [0, 0, -0.6]
            {rope}
            [optimise]
            minimise = [{{ effort = 0.01 }}]
            controls.quad = {{ force = [0, 0, [0, 30]], torque = {{ each = 1 }}, frame = "body" }}
            goal.quad = {{ position = [2, 0, 0.5], rotation = [0, 0, 0] }}
            goal.rest = true
            [[phase]]
            steps = 50
            step = 0.05
            "#
        ));
        // What holds both up against gravity, to begin with.
        let thrust = request.guess.controls[25][2];
        assert!(close(thrust, 1.2 * 9.81, 1e-9), "{thrust}");
        let plan = planned(&request);
        assert!(plan.iterations < 60, "{}", plan.iterations);
        assert!(close(plan.objective, 3.52148, 1e-5), "{}", plan.objective);
    }
}

fn with_wheels(steps: usize, radius: f64) -> PlanRequest {
    let axes = [
        // To a few digits, as one writes a quarter turn in radians.
        ("x", [1, 0, 0], "[0, 1.5708, 0]"),
        ("y", [0, 1, 0], "[1.5708, 0, 0]"),
        ("z", [0, 0, 1], "[0, 0, 0]"),
    ];
    let wheels = axes.map(|(name, axis, turned)| {
        format!(
            r#"
            [body.wheel-{name}]
            shape = {{ cylinder = {{ radius = {radius}, height = 0.04 }} }}
            mass = 2
            rotation = {turned}
            [joint.{name}]
            kind = "revolute"
            between = ["sat", "wheel-{name}"]
            at = [0, 0, 0]
            axis = {axis:?}
            [actuator.{name}]
            joint = "{name}"
            bounds = [-0.5, 0.5]
            "#
        )
    });
    read(&format!(
        r#"
        [body.sat]
        shape = {{ cube = 0.5 }}
        mass = 50
        {}
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        goal.sat = {{ rotation_deg = [0, 0, 90], rest = true }}
        [[phase]]
        steps = {steps}
        step = {}
        "#,
        wheels.concat(),
        20.0 / steps as f64
    ))
}

/// A wheel that would turn too far within a step is told of before anything is solved, whatever way its body would take.
#[test]
fn wheels_that_turn_too_far_are_told_at_once() {
    let plan = with_wheels(40, 0.1).solve().unwrap();
    assert_eq!(plan.status, Status::Infeasible);
    assert_eq!(plan.iterations, 0);
    let reason = &plan.reasons[0];
    assert!(reason.contains("40 steps are too few"), "{reason}");
    assert!(reason.contains("wheel-z"), "{reason}");
    // Wheels of more inertia, in as many steps.
    let plan = planned(&with_wheels(40, 0.5));
    assert!(plan.iterations < 40, "{}", plan.iterations);
}

/// At the start nothing is thrown yet: the cost there is round-off, and says nothing of its size.
#[test]
fn a_cost_of_nothing_at_the_start_has_a_size() {
    let request = read(
        r#"
        [body.ball]
        kind = "particle"
        mass = 1
        [optimise]
        minimise = [{ final = "-(ball.x + 1e-17 + 0.3*ball.vx)" }, { running = "1e-3*t*ball.fx^2" }]
        controls.ball = { force = [[-2, 2], 0, 0] }
        [[phase]]
        steps = 20
        step = 0.05
        "#,
    );
    // As hard as it goes all the time.
    let plan = planned(&request);
    let middle = &plan.controls[10];
    assert!(close(middle[0], 2.0, 1e-4));
}

/// Inverse kinematics takes a step of the size of what it looks for.
#[test]
fn goals_far_away_are_reached_by_guesses() {
    for length in [1e-6, 1.0, 1e4] {
        let request = read(&format!(
            r#"
            [body.plate]
            planar = true
            shape = {{ rectangle = [{length}, {length}] }}
            mass = 1
            [optimise]
            minimise = [{{ effort = 1.0 }}]
            controls.plate = "all"
            goal.plate = {{ position = ["200*{length}", 0, 0], rotation = [0, 0, 1], rest = true }}
            [[phase]]
            steps = 10
            step = 0.1
            "#
        ));
        let end = request.guess.poses[10][0].position.x;
        assert!((end / (200.0 * length) - 1.0).abs() < 1e-9, "{end:e}");
    }
}

/// Inverse kinematics may go round: an elbow that turns by -258 degrees leads the hand through the upper arm, and no way
/// of the joints leads there without.
#[test]
fn an_arm_reaches_behind_a_wall_without_going_round() {
    let mut text = String::new();
    for (name, length, x) in [
        ("upper", 0.5, 0.25),
        ("fore", 0.4, 0.7),
        ("hand", 0.3, 1.05),
    ] {
        text += &format!(
            "[body.{name}]\nshape = {{ box = [{length}, 0.05, 0.05] }}\nmass = 1\nposition = [{x}, 0, 0]\n"
        );
    }
    text += "[body.wall]\nkind = \"static\"\nshape = { box = [0.05, 0.5, 0.3] }\nposition = [0.65, 0.45, 0]\n";
    for (name, between, x) in [
        ("shoulder", r#"["world", "upper"]"#, 0.0),
        ("elbow", r#"["upper", "fore"]"#, 0.5),
        ("wrist", r#"["fore", "hand"]"#, 0.9),
    ] {
        text += &format!(
            "[joint.{name}]\nkind = \"revolute\"\nbetween = {between}\nat = [{x}, 0, 0]\naxis = [0, 0, 1]\n\
             [actuator.of-{name}]\njoint = \"{name}\"\n"
        );
    }
    text += "[optimise]\nminimise = [{ effort = 1 }]\ngoal.rest = true\navoid = true\n\
             goal.conditions = [{ point = [0.3, 0.75, \"free\"], of = \"hand\", at = [0.15, 0, 0] }]\n\
             [[phase]]\nsteps = 40\nstep = 0.05\n";
    let request = read(&text);
    let through = guess_overlaps(&request.problem, &request.guess);
    assert!(through.is_empty(), "{through:?}");
    planned(&request);
}
