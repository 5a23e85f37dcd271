//! Friction at planned impacts that rebound: the plan jumps as the simulator does, sticking or sliding as
//! the cone of the impulse decides.

use crate::plans::{close, request};
use carom::optimise::{Status, replay};
use carom::scenario::Scenario;

/// A cube that spins and slides along a wall as it hits it, to be somewhere else afterwards.
fn wall(friction: f64, restitution: f64, slide: f64, spin: f64) -> String {
    format!(
        r#"
        [contact]
        friction = {friction}
        [body.cube]
        shape = {{ box = [0.1, 0.1, 0.1] }}
        density = 27
        [halfspace.wall]
        normal = [0, 1, 0]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        total_time = 0.75
        controls.cube = "all"
        start.cube = {{ position = [0, 0.1385, 0], rotation = [0.6, 0, 0.5], velocity = [{slide}, -0.25, 0.02], angular_velocity = [0, 0, {spin}] }}
        goal.cube = {{ position = [0.1, 0.18, 0.02], rotation = [0.6, 0, 0.5] }}
        guess = "simulate"
        [[phase]]
        steps = 9
        step = 0.025
        time_scale = [0.1, 6]
        ends = {{ impact = ["cube", "wall"], restitution = {restitution} }}
        [[phase]]
        steps = 21
        step = 0.025
        time_scale = [0.1, 6]
        "#
    )
}

/// Solves it and replays it: contact times to 1e-8 s, states to 1e-6. Says the simulator's impulses along the
/// normal and across it.
fn planned(text: &str) -> [f64; 2] {
    let events = solved(text);
    assert_eq!(events.len(), 1, "{events:?}");
    events[0]
}

/// The same of all contacts in the order of the plan, those of one pair together.
fn solved(text: &str) -> Vec<[f64; 2]> {
    let request = request(&Scenario::parse("friction.toml", text).unwrap());
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved);
    let replayed = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-6, "{}", replayed.error);
    assert!(replayed.contact_error < 1e-8, "{}", replayed.contact_error);
    assert_eq!(replayed.contacts.len(), plan.contacts.len());
    let events = replayed.contacts.iter().zip(&plan.contacts);
    let impulses = events.map(|(event, planned)| {
        assert!(close(event.normal_impulse, planned.impulse, 1e-6));
        [event.normal_impulse, event.tangential_impulse]
    });
    impulses.collect()
}

/// Whether the impulse lies at the edge of its cone. Where it slides in compression and expansion alike, its
/// direction may turn a little in between.
fn slides([normal, across]: [f64; 2], friction: f64) -> bool {
    assert!(across <= friction * normal * (1.0 + 1e-9));
    across > 0.95 * friction * normal
}

#[test]
fn little_friction_slides_and_much_sticks() {
    // Without an expansion the edge of the cone is met exactly.
    let [normal, across] = planned(&wall(0.1, 0.0, 0.2, 1.0));
    assert!(close(across, 0.1 * normal, 1e-6), "{across} of {normal}");
    for restitution in [0.8, 0.4] {
        assert!(slides(planned(&wall(0.1, restitution, 0.2, 1.0)), 0.1));
        assert!(!slides(planned(&wall(2.0, restitution, 0.2, 1.0)), 2.0));
    }
}

/// A spin that reverses the sliding: what slides back in the expansion is the simulator's business, too.
#[test]
fn spin_and_sliding_against_each_other() {
    planned(&wall(0.3, 0.9, -0.3, 4.0));
    planned(&wall(0.3, 0.9, 0.3, -4.0));
}

/// Where the best plan lies at the corner between sticking and sliding.
#[test]
fn between_sticking_and_sliding() {
    planned(&wall(0.6, 0.9, -0.2, 2.0));
}

/// A corner beside the one that meets must not reach the wall on the way between two nodes.
#[test]
fn no_other_corner_comes_first() {
    let text = wall(0.8, 0.0, 0.2, 1.0).replace("step = 0.025", "step = 0.0125");
    let text = text
        .replace("steps = 9", "steps = 18")
        .replace("steps = 21", "steps = 42");
    planned(&text);
}

/// A body that flies past a cube and grazes it.
fn grazing(shape: &str, friction: f64) -> String {
    format!(
        r#"
        [contact]
        friction = {friction}
        [body.blue]
        shape = {{ {shape} }}
        density = 27
        rotation = [0, -0.2, -0.5]
        velocity = [0.25, -0.03, 0.02]
        [body.green]
        shape = {{ box = [0.1, 0.1, 0.1] }}
        density = 27
        position = [0.18, -0.03, -0.03]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        total_time = 0.5
        controls.blue = "all"
        start.blue = {{ position = [0, 0, 0], rotation = [0, -0.2, -0.5], velocity = [0.25, -0.03, 0.02] }}
        goal.blue = {{ position = [0.05, 0.02, 0] }}
        guess = "simulate"
        [[phase]]
        steps = 20
        step = 0.01
        time_scale = [0.3, 3]
        ends = {{ impact = ["blue", "green"], restitution = 0.7 }}
        [[phase]]
        steps = 30
        step = 0.01
        time_scale = [0.3, 3]
        "#
    )
}

/// The same between two bodies that move.
#[test]
fn a_cube_grazes_another_one() {
    let text = |friction: f64| grazing("box = [0.1, 0.1, 0.1]", friction);
    assert!(slides(planned(&text(0.1)), 0.1));
    assert!(!slides(planned(&text(1.5)), 1.5));
}

/// The cube's problem with a ball.
fn ball(friction: f64, restitution: f64, slide: f64, spin: f64) -> String {
    wall(friction, restitution, slide, spin).replace("box = [0.1, 0.1, 0.1]", "sphere = 0.05")
}

/// A ball turns as it rubs: slowly it slides all the way, with much friction it rolls off, and a spin throws it back.
#[test]
fn balls_take_up_spin() {
    let [normal, across] = planned(&ball(0.1, 0.0, 0.2, 1.0));
    assert!(close(across, 0.1 * normal, 1e-6), "{across} of {normal}");
    for restitution in [0.8, 0.4] {
        assert!(slides(planned(&ball(0.1, restitution, 0.2, 1.0)), 0.1));
        assert!(!slides(planned(&ball(2.0, restitution, 0.2, 1.0)), 2.0));
    }
    planned(&ball(0.3, 0.9, 0.3, 12.0));
}

/// Thrown against a wall and to a place beside where it came from: the search begins from the plan without friction.
#[test]
fn a_ball_comes_back_beside_its_way() {
    planned(
        r#"
        gravity = [0, 0, -9.81]
        [contact]
        friction = 0.4
        [body.ball]
        shape = { sphere = 0.05 }
        density = 400
        position = [0.5, 0, 0.6]
        velocity = [2, 0, 2]
        angular_velocity = [0, -20, 0]
        [halfspace.wall]
        normal = [-1, 0, 0]
        point = [1.5, 0, 0]
        [optimise]
        minimise = [{ effort = 1.0 }]
        controls.ball = { force = "free" }
        goal.ball = { position = [0.5, 0.2, 0.5] }
        guess = "simulate"
        [[phase]]
        steps = 20
        step = 0.018
        time_scale = [0.3, 3]
        ends = { impact = ["ball", "wall"], restitution = 0.8 }
        [[phase]]
        steps = 20
        step = 0.02
        time_scale = [0.3, 3]
        "#,
    );
}

/// The same on a face that moves away and turns.
#[test]
fn a_ball_grazes_a_cube() {
    let text = |friction: f64| grazing("sphere = 0.05", friction);
    assert!(slides(planned(&text(0.05)), 0.05));
    assert!(!slides(planned(&text(1.5)), 1.5));
}

/// Two cubes that meet a wall at once, each with friction and restitution of its own.
#[test]
fn two_pairs_at_once() {
    let cube = |name: &str, y: f64, turn: &str, material: &str| {
        format!(
            r#"
            [body.{name}]
            shape = {{ box = [0.2, 0.2, 0.2] }}
            density = 500
            material = "{material}"
            position = [0, {y}, 0]
            rotation = {turn}
            velocity = [1, 0.2, 0]
            "#
        )
    };
    let phase =
        |ends: &str| format!("[[phase]]\nsteps = 12\nstep = 0.05\ntime_scale = [0.3, 3]\n{ends}\n");
    let text = format!(
        r#"
        [material.rough]
        friction = 0.4
        restitution = 0.9
        [material.smooth]
        friction = 0
        restitution = 0.3
        {}{}
        [halfspace.wall]
        normal = [-1, 0, 0]
        point = [0.8, 0, 0]
        material = "rough"
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        controls.a = {{ force = "free", torque = "free" }}
        controls.b = {{ force = "free", torque = "free" }}
        goal.a = {{ position = [0.0, 0.4, 0.1] }}
        goal.b = {{ position = [0.1, 0.8, 0.0] }}
        guess = "simulate"
        {}{}
        "#,
        cube("a", 0.0, "[0.3, 0.5, 0.2]", "rough"),
        cube("b", 1.0, "[-0.3, 0.4, 0.2]", "smooth"),
        phase(r#"ends = { impact = [["a", "wall"], ["b", "wall"]] }"#),
        phase(""),
    );
    let impulses = solved(&text);
    assert_eq!(impulses.len(), 2);
    // Mean coefficients: 0.4 and 0.2.
    for ([normal, across], friction) in impulses.into_iter().zip([0.4, 0.2]) {
        assert!(normal > 0.0 && across <= friction * normal * (1.0 + 1e-6));
    }
}

/// A plate in the plane that lands flat, on both its lower vertices, thrown along the floor with a speed.
fn plate(friction: f64, speed: f64, restitution: f64) -> String {
    let phase = |ends: String| {
        format!("[[phase]]\nsteps = 12\nstep = 0.028\ntime_scale = [0.3, 3]\n{ends}\n")
    };
    format!(
        r#"
        gravity = [0, -9.81, 0]
        [contact]
        friction = {friction}
        [body.plate]
        planar = true
        shape = {{ polygon = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]] }}
        density = 50
        position = [0, 0.6, 0]
        velocity = [{speed}, 0, 0]
        [halfspace.floor]
        normal = [0, 1, 0]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        controls.plate = {{ force = "free", torque = "free" }}
        goal.plate = {{ position = [1.0, 0.5, 0] }}
        guess = "simulate"
        {}{}
        "#,
        phase(format!(
            r#"ends = {{ impact = ["plate", "floor"], restitution = {restitution}, flat = true }}"#
        )),
        phase(String::new()),
    )
}

/// Both vertices slide with little friction, and stick with much: each would hold what the other holds.
#[test]
fn an_edge_that_lands_flat_slides_or_sticks() {
    assert!(slides(planned(&plate(0.3, 2.0, 0.5)), 0.3));
    assert!(!slides(planned(&plate(0.8, 0.05, 0.5)), 0.8));
}

/// A face of four vertices that slides.
#[test]
fn a_face_that_lands_flat_slides() {
    let text = plate(0.1, 2.0, 0.9)
        .replace("planar = true", "")
        .replace(
            "polygon = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]",
            "box = [0.4, 0.2, 0.3]",
        )
        .replace(", torque = \"free\"", "");
    assert!(slides(planned(&text), 0.1));
}

/// A bar that comes down across another one, on an edge of each, with a horizontal speed along its own edge.
fn bars(friction: f64, speed: f64, spin: f64) -> String {
    let phase = |ends: &str| {
        format!("[[phase]]\nsteps = 12\nstep = 0.025\ntime_scale = [0.3, 3]\n{ends}\n")
    };
    format!(
        r#"
        [contact]
        friction = {friction}
        restitution = 0.6
        [body.upper]
        shape = {{ box = [0.6, 0.1, 0.1] }}
        density = 500
        position = [0, 0, 0.3]
        rotation = [0.7853981633974483, 0, 0]
        velocity = [{speed}, 0.1, -0.6]
        angular_velocity = [0, 0, {spin}]
        [body.lower]
        shape = {{ box = [0.1, 0.6, 0.1] }}
        kind = "static"
        position = [0.02, 0.01, 0]
        rotation = [0, 0.7853981633974483, 0]
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        controls.upper = {{ force = "free", torque = "free" }}
        goal.upper = {{ position = [0.3, 0.1, 0.4] }}
        guess = "simulate"
        {}{}
        "#,
        phase(r#"ends = { impact = ["upper", "lower"] }"#),
        phase(""),
    )
}

/// Where two edges cross, the point that rubs moves along both.
#[test]
fn crossed_edges_slide_or_stick() {
    assert!(slides(planned(&bars(0.1, 0.5, 1.0)), 0.1));
    assert!(!slides(planned(&bars(0.8, -0.3, -1.0)), 0.8));
}

/// A ball that comes down on another one; where they touch follows from both places.
#[test]
fn balls_slide_on_balls() {
    let ball = "shape = { sphere = 0.1 }\n";
    let text = bars(0.4, 0.1, 3.0)
        .replace("shape = { box = [0.6, 0.1, 0.1] }\n", ball)
        .replace(
            "shape = { box = [0.1, 0.6, 0.1] }\n",
            "shape = { sphere = 0.15 }\n",
        )
        .replace("position = [0, 0, 0.3]", "position = [0, 0, 0.5]")
        .replace("kind = \"static\"", "density = 500")
        .replace("[0.3, 0.1, 0.4]", "[0.3, 0.1, 0.6]");
    let [normal, across] = planned(&text);
    assert!(normal > 0.0 && across > 0.0 && across <= 0.4 * normal * (1.0 + 1e-9));
}
