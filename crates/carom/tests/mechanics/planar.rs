//! Planar bodies on joints: chains of hinges are trees, so that everything that acts in joints acts in them.

use carom::mechanics::joint_coordinates;
use carom::scenario::Scenario;
use carom::simulate::Simulation;

/// Two rods on hinges, the first one at the world or at a third rod that floats.
fn chain(planar: bool, first: &str, more: &str) -> String {
    let rod = |name: &str, x: f64| {
        format!(
            "[body.{name}]\nplanar = {planar}\nmass = 1\ninertia = {}\nshape = {{ {} }}\nposition = [{x}, 0{}]\n",
            if planar { "0.1" } else { "[0.1, 0.1, 0.1]" },
            if planar {
                "rectangle = [1, 0.1]"
            } else {
                "box = [1, 0.1, 0.1]"
            },
            if planar { "" } else { ", 0" },
        )
    };
    format!(
        "gravity = [0, -9.81, 0]\n{}{}{}[joint.first]\nkind = \"revolute\"\nbetween = [\"{first}\", \"a\"]\n\
         at = [0, 0, 0]\naxis = [0, 0, 1]\n[joint.next]\nkind = \"revolute\"\nbetween = [\"a\", \"b\"]\n\
         at = [1, 0, 0]\naxis = [0, 0, 1]\n{more}\n[contact]\nrestitution = 0\n[simulate]\nduration = 1\nstep = 0.005\n",
        if first == "world" {
            String::new()
        } else {
            rod(first, -0.5)
        },
        rod("a", 0.5),
        rod("b", 1.5),
    )
}

fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("chain.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap_or_else(|e| panic!("{e}"))
}

/// The angle of a hinge.
fn angle(run: &Simulation, joint: usize) -> f64 {
    let mut out = Vec::new();
    joint_coordinates(&run.model().joints()[joint], &run.state().poses, &mut out);
    out[0]
}

#[test]
fn a_chain_of_planar_rods_is_a_tree_and_moves_as_one_in_space() {
    let [mut flat, mut solid] = [true, false].map(|p| start(&chain(p, "world", "")));
    assert!(flat.model().closures().is_empty());
    assert_eq!(flat.model().freedom(), 2);
    for run in [&mut flat, &mut solid] {
        run.run(200).unwrap();
    }
    for (p, q) in flat.state().poses.iter().zip(&solid.state().poses) {
        assert!((p.position - q.position).norm() < 1e-12);
    }
    // What floats has one joint to the plane.
    let floats = start(&chain(true, "c", ""));
    assert!(floats.model().closures().is_empty());
    assert_eq!(floats.model().freedom(), 5);
}

#[test]
fn limits_and_servos_act_between_planar_rods() {
    // The first rod is held by its servo: the second one falls onto its limit.
    let mut text = chain(true, "world", "limits_deg = [-60, 60]");
    let held =
        "axis = [0, 0, 1]\nservo = { position = 0, stiffness = 1e4, damping = 100 }\n[joint.next]";
    text = text.replacen("axis = [0, 0, 1]\n[joint.next]", held, 1);
    let mut run = start(&text);
    let mut least: f64 = 0.0;
    for _ in 0..200 {
        run.step().unwrap();
        least = least.min(angle(&run, 1));
    }
    let limit = -60_f64.to_radians();
    assert!((least - limit).abs() < 1e-9, "{least}");
    assert!(angle(&run, 0).abs() < 0.05);
}

#[test]
fn limits_of_joints_that_close_loops_are_refused() {
    let close = "[joint.last]\nkind = \"revolute\"\nbetween = [\"b\", \"world\"]\nat = [2, 0, 0]\naxis = [0, 0, 1]\n";
    let text = chain(false, "world", &format!("limits_deg = [-60, 60]\n{close}"));
    let refused = Scenario::parse("chain.toml", &text).and_then(|s| s.build().map(|_| ()));
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("next: it closes a loop, and limits cannot act"),
        "{message}"
    );
    assert!(message.contains("write it before"), "{message}");
}
