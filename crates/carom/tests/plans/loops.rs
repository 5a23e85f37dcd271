//! Plans of loops and of closed contacts: what is asked of one of their joints or bodies holds for all that moves with it,
//! in whichever way it is asked, at the ends and at impacts.

use carom::mechanics::joint_coordinates;
use carom::optimise::{Plan, Status};
use carom::scenario::Scenario;

use super::{close, plan, request};

/// The joints of a parallelogram of bars whose coupler reaches beyond them.
const JOINTS: [(&str, &str, &str); 4] = [
    ("crank", r#"["world", "a"]"#, "[0, 0, 0]"),
    ("left", r#"["a", "coupler"]"#, "[0, 0, 0.3]"),
    ("right", r#"["coupler", "b"]"#, "[0.6, 0, 0.3]"),
    ("rocker", r#"["world", "b"]"#, "[0.6, 0, 0]"),
];

/// The parallelogram with its joints in some order, with what is asked.
fn four_bar(order: [usize; 4], asked: &str) -> String {
    let bodies = r#"
gravity = [0, 0, -9.81]
[template.bar]
shape = { box = [0.05, 0.05, 0.3] }
mass = 1
[body.a]
use = "bar"
position = [0, 0, 0.15]
[body.b]
use = "bar"
position = [0.6, 0, 0.15]
[body.coupler]
shape = { box = [1, 0.05, 0.05] }
mass = 1
position = [0.3, 0.06, 0.3]
"#;
    let joint = |k: usize| {
        let (name, between, at) = JOINTS[k];
        let kind = "kind = \"revolute\"\naxis = [0, 1, 0]";
        format!("[joint.{name}]\n{kind}\nbetween = {between}\nat = {at}\n")
    };
    let joints: String = order.into_iter().map(joint).collect();
    let motor = "[actuator.motor]\nbody = \"a\"\naxis = [0, 1, 0]\nbounds = [-40, 40]\n";
    format!("{bodies}{joints}{motor}{asked}")
}

fn solved(text: &str) -> Plan {
    let scenario = Scenario::parse("loop.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let plan = plan(&request(&scenario));
    assert_eq!(plan.status, Status::Solved, "{:?}", plan.worst);
    plan
}

fn ask(goal: &str) -> String {
    format!(
        "[optimise]\nminimise = [{{ effort = 1 }}]\ngoal.conditions = [{{ point = [0.2598076211353316, \"free\", \"free\"], \
         of = \"a\", at = [0, 0, 0.15] }}]\n{goal}\n[[phase]]\nsteps = 30\nstep = 0.05\n"
    )
}

#[test]
fn rest_of_one_is_rest_of_all() {
    let whole = solved(&four_bar([0, 1, 2, 3], &ask("goal.rest = true"))).objective;
    // Falling there would cost next to nothing.
    assert!(whole > 5.0, "{whole}");
    for goal in [
        "goal.a = { rest = true }",
        "goal.b = { rest = true }",
        "goal.coupler = { rest = true }",
        "goal.joints.crank = { rate = 0 }\ngoal.rest = true",
        "goal.joints.crank = { rate = 0 }",
    ] {
        let objective = solved(&four_bar([0, 1, 2, 3], &ask(goal))).objective;
        assert!(
            close(objective, whole, 1e-9),
            "{goal}: {objective} for {whole}"
        );
    }
    for order in [[3, 0, 1, 2], [3, 2, 1, 0], [0, 3, 1, 2]] {
        let objective = solved(&four_bar(order, &ask("goal.b = { rest = true }"))).objective;
        assert!(
            close(objective, whole, 1e-9),
            "{order:?}: {objective} for {whole}"
        );
    }
}

#[test]
fn loops_rebound_as_a_whole() {
    let asked = r#"
[body.wall]
kind = "static"
shape = { box = [0.1, 1, 1] }
position = [1, 0, 0.3]
[contact]
restitution = 0.7
[optimise]
minimise = [{ effort = 1 }]
goal.joints.crank = { value_deg = -20 }
goal.rest = true
guess = { ways = [{ node = 15, joints.crank = 0.5236 }, { node = 30, joints.crank = -0.349 }] }
[[phase]]
steps = 15
step = 0.03
ends = { impact = ["coupler", "wall"], flat = true }
[[phase]]
steps = 15
step = 0.03
"#;
    // The replay finds the same impact, with the same velocities after it.
    let text = four_bar([0, 3, 1, 2], asked);
    let plan = solved(&text);
    let scenario = Scenario::parse("loop.toml", &text).unwrap();
    let model = scenario.build().unwrap();
    let mut at_impact = Vec::new();
    joint_coordinates(&model.joints()[0], &plan.poses[15], &mut at_impact);
    assert!(
        (at_impact[0] - 0.5_f64.asin()).abs() < 1e-9,
        "{at_impact:?}"
    );
}

/// A cart with a motor pushes a stone with its tip against it for a second, over a metre.
fn pushed(goal: &str) -> String {
    format!(
        r#"
[body.cart]
shape = {{ cube = 0.2 }}
mass = 1
[joint.slide]
kind = "prismatic"
between = ["world", "cart"]
at = [0, 0, 0]
axis = [1, 0, 0]
[actuator.motor]
joint = "slide"
bounds = [-50, 50]
[body.stone]
shape = {{ octahedron = 0.2 }}
mass = 2
position = ["0.1 + 0.1*sqrt(2)", 0, 0]
[optimise]
minimise = [{{ effort = 1 }}]
guess = {{ ways = [{{ node = 20, joints.slide = 1, bodies.stone = {{ position = ["1.1 + 0.1*sqrt(2)", 0, 0] }} }}] }}
goal.conditions = [{{ position = [1, "free", "free"], of = "cart" }}]
{goal}
[[phase]]
steps = 20
step = 0.05
closed = [{{ contact = ["stone", "cart"], hold = "stick" }}]
"#
    )
}

#[test]
fn what_is_held_has_one_velocity() {
    let wanted = solved(&pushed(
        "goal.stone = { velocity = [2, 0, 0], angular_velocity = [0, 0, 0] }",
    ))
    .objective;
    // Pushed all the way, at a force that falls to nothing: m² (12 d²/T³ - 12 d v/T² + 4 v²/T).
    assert!(close(wanted, 9.0 * 4.0, 1e-2), "{wanted}");
    for goal in [
        "goal.stone = { velocity = [2, 0, 0] }",
        "goal.cart = { velocity = [2, 0, 0] }",
        "goal.joints.slide = { rate = 2 }",
        "goal.joints.slide = { rate = [2, 2.1] }",
        "goal.joints.slide = { rate = 2 }\ngoal.stone = { velocity = [2, 0, 0] }",
    ] {
        let objective = solved(&pushed(goal)).objective;
        assert!(
            close(objective, wanted, 1e-6),
            "{goal}: {objective} for {wanted}"
        );
    }
}

#[test]
fn what_only_pushes_stops_nothing() {
    for goal in [
        "goal.joints.slide = { rate = 0 }",
        "goal.cart = { rest = true }",
        "goal.rest = true",
    ] {
        let scenario = Scenario::parse("pushed.toml", &pushed(goal)).unwrap();
        let plan = plan(&request(&scenario));
        assert!(!plan.status.is_usable(), "{goal}: {:?}", plan.status);
    }
}

#[test]
fn velocities_that_contradict_each_other_are_refused() {
    let text = r#"
[body.cart]
shape = { cube = 0.2 }
mass = 1
[joint.slide]
kind = "prismatic"
between = ["world", "cart"]
at = [0, 0, 0]
axis = [1, 0, 0]
[actuator.motor]
joint = "slide"
[body.box]
shape = { cube = 0.1 }
mass = 2
position = [0.2, 0, 0]
[joint.screws]
kind = "fixed"
between = ["cart", "box"]
at = [0.1, 0, 0]
[optimise]
minimise = [{ effort = 1 }]
goal.cart = { position = [1, "free", "free"], velocity = [1, 0, 0] }
goal.box = { velocity = [2, 0, 0] }
[[phase]]
steps = 20
step = 0.05
"#;
    let scenario = Scenario::parse("two.toml", text).unwrap();
    let model = std::sync::Arc::new(scenario.build().unwrap());
    let message = scenario.plan(&model).unwrap_err().to_string();
    assert!(
        message.contains("the other velocities there do not allow"),
        "{message}"
    );
    let alike = text.replace("velocity = [2, 0, 0]", "velocity = [1, 0, 0]");
    solved(&alike);
}
