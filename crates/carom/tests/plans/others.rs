//! Plans through contacts of all sorts, as somebody writes them who has none of the gallery's examples in mind.

use carom::optimise::{Plan, Scheme, Status, replay};
use carom::scenario::{PlanRequest, Scenario};

use crate::plans::{close, gallery, request};

fn read(text: &str) -> PlanRequest {
    request(&Scenario::parse("other.toml", text).unwrap())
}

/// Solved, and replayed: contact times to 1e-8 s, states to 1e-6, nothing touches that is not planned.
fn planned(request: &PlanRequest) -> Plan {
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    let replayed = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-6, "{:e}", replayed.error);
    assert!(
        replayed.contact_error < 1e-8,
        "{:e}",
        replayed.contact_error
    );
    assert_eq!(replayed.contacts.len(), plan.contacts.len());
    plan
}

/// A body that flies at something and is to be somewhere else afterwards.
fn bounce(body: &str, others: &str, with: &str, goal: &str) -> String {
    format!(
        r#"
        [body.ball]
        {body}
        mass = 0.5
        velocity = [1, 0, 0]
        {others}
        [optimise]
        minimise = [{{ effort = 1.0 }}]
        total_time = 1.5
        controls.ball = {{ force = {{ each = 2 }} }}
        goal.ball = {{ position = {goal} }}
        guess = "simulate"
        [[phase]]
        steps = 8
        step = 0.075
        time_scale = [0.2, 4]
        ends = {{ impact = {with}, restitution = 0.8 }}
        [[phase]]
        steps = 10
        step = 0.075
        time_scale = [0.2, 4]
        "#
    )
}

const BLOCK: &str = "[body.block]\nshape = { box = [0.4, 0.6, 0.6] }\nmass = 3\nposition = [0.8, 0.05, 0]\n\
                     rotation = [0, 0, 0.3]";

#[test]
fn balls_bounce_off_half_spaces_faces_and_balls() {
    let wall = "[halfspace.wall]\nnormal = [-1, 0, 0]\npoint = [0.7, 0, 0]";
    let ball = "shape = { sphere = 0.08 }";
    let near_wall = planned(&read(&bounce(
        ball,
        wall,
        r#"["ball", "wall"]"#,
        "[0.1, 0.2, 0.1]",
    )));
    let center = near_wall.poses[8][0].position;
    assert!(close(center.x, 0.7 - 0.08, 1e-9), "{center}");
    assert_eq!(near_wall.contacts[0].what, "ball on wall");
    // A bead of that radius flies the same way off the block, whichever is named first.
    let round = planned(&read(&bounce(
        ball,
        BLOCK,
        r#"["ball", "block"]"#,
        "[0.1, 0.4, 0.1]",
    )));
    let bead = planned(&read(&bounce(
        "kind = \"particle\"\nradius = 0.08",
        BLOCK,
        r#"["block", "ball"]"#,
        "[0.1, 0.4, 0.1]",
    )));
    assert!(close(round.objective, bead.objective, 1e-6));
    assert!(
        round.contacts[0].what.contains("face of block"),
        "{}",
        round.contacts[0].what
    );
    let other = BLOCK.replace("box = [0.4, 0.6, 0.6]", "sphere = 0.2");
    planned(&read(&bounce(
        ball,
        &other,
        r#"["ball", "block"]"#,
        "[0.1, -0.3, 0.1]",
    )));
}

#[test]
fn what_round_bodies_cannot_do_is_said() {
    let text = bounce(
        "shape = { cylinder = { radius = 0.1, height = 0.3 } }",
        "[halfspace.wall]\nnormal = [-1, 0, 0]\npoint = [0.7, 0, 0]",
        r#"["ball", "wall"]"#,
        "[0.1, 0.2, 0.1]",
    );
    let why = read(&text).solve().unwrap_err().to_string();
    assert!(why.contains("spheres, capsules"), "{why}");
}

/// Who is named first changes nothing.
#[test]
fn the_order_of_names_does_not_matter() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let text = std::fs::read_to_string(folder.join("two-cubes.toml")).unwrap();
    let turned = text.replace(r#"["blue", "green"]"#, r#"["green", "blue"]"#);
    assert_ne!(text, turned);
    let plan = planned(&read(&turned));
    assert!(
        close(plan.objective, 2.544048765e-7, 1e-6),
        "{}",
        plan.objective
    );
}

/// A plan that passes a body as near as it may: between two nodes the simulator goes its own way, and would
/// rebound there.
#[test]
fn what_the_plan_passes_by_the_replay_does_not_touch() {
    planned(&read(
        r#"
        [body.cube]
        mass = 1
        shape = { box = [0.12, 0.12, 0.12] }
        rotation = [0.5, 0.7, 0.1]
        position = [0, 0, 0.5]
        velocity = [0.5, 0, -1]
        [body.post]
        kind = "static"
        shape = { box = [0.1, 0.4, 0.4] }
        position = [0.62, 0.15, 0.75]
        [halfspace.floor]
        normal = [0, 0, 1]
        [optimise]
        minimise = [{ effort = 1.0 }]
        total_time = 1.4
        controls.cube = { force = { each = 4 }, torque = { each = 0.2 } }
        goal.cube = { position = [0.95, 0.05, 0.7] }
        guess = "simulate"
        [[phase]]
        steps = 8
        step = 0.05
        time_scale = [0.2, 4]
        ends = { impact = ["cube", "floor"], restitution = 0.8 }
        [[phase]]
        steps = 12
        step = 0.08
        time_scale = [0.2, 4]
        "#,
    ));
}

/// From the guess, the weak thrusters of the wall cannot lead from state to state: two layers begin elsewhere.
#[test]
fn two_layers_begin_where_segments_exist() {
    let mut request = gallery("wall", &["steps_before=4"]);
    for (phase, steps) in request.problem.phases.iter_mut().zip([4, 6]) {
        (phase.steps, phase.step) = (steps, 0.075);
    }
    request.guess = carom::optimise::Guess::simulate(&request.problem, &[]).unwrap();
    let one = planned(&request);
    request.problem.scheme = Scheme::TwoLayers;
    let two = planned(&request);
    assert!(
        close(two.objective, one.objective, 1e-6),
        "{}",
        two.objective
    );
    assert!(two.outer.unwrap().converged);
}
