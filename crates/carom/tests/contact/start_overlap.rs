//! Bodies that overlap at the start: named, or moved apart without energy.

use carom::model::Model;
use carom::scenario::{Scenario, Start};
use carom::simulate::{Simulation, overlaps};

fn read(text: &str) -> (Scenario, Model) {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let model = scenario.build().unwrap();
    (scenario, model)
}

fn cubes(at: [f64; 3], simulate: &str) -> String {
    format!(
        "[halfspace.floor]\nnormal = [0, 0, 1]\npoint = [0, 0, -0.05]\n\
         [body.a]\nshape = {{ cube = 0.1 }}\ndensity = 100\nvelocity = [1, 0, 0]\n\
         [body.b]\nshape = {{ cube = 0.1 }}\ndensity = 300\nposition = {at:?}\n\
         rotation = [0.3, 0.2, 0.1]\nangular_velocity = [0, 0, 2]\n\
         [simulate]\nduration = 1\nstep = 0.01\n{simulate}\n"
    )
}

/// Starts, and makes sure that nothing overlaps.
fn separated(text: &str) -> (Start, Model) {
    let (scenario, model) = read(text);
    let start = scenario.start(&model).unwrap();
    let settings = scenario.settings.simulator();
    assert_eq!(overlaps(&model, &settings, &start.state), vec![]);
    (start, model)
}

#[test]
fn pairs_are_named_with_their_depth_and_what_to_do() {
    for law in ["exact", "plastic", "decomposition"] {
        let (scenario, model) = read(&cubes([0.0; 3], &format!("law = \"{law}\"")));
        let message = scenario.start(&model).unwrap_err().to_string();
        for words in [
            "\"a\" and \"b\" overlap by",
            "\"b\" and \"floor\"",
            "separate = true",
            "help: move them",
        ] {
            assert!(message.contains(words), "{message}");
        }
        // The first only touches the floor.
        assert!(!message.contains("\"a\" and \"floor\""), "{message}");
    }
    let (scenario, model) = read(&cubes([0.08, 0.0, 0.0], "law = \"exact\"\n"));
    let found = overlaps(
        &model,
        &scenario.settings.simulator(),
        &carom::simulate::State::start(&model).unwrap(),
    );
    assert!(
        found.iter().all(|o| o.depth > 0.001 && o.depth < 0.05),
        "{found:?}"
    );
}

#[test]
fn a_potential_warns_and_no_law_says_nothing() {
    let (scenario, model) = read(&cubes([0.0; 3], "law = \"potential\"\nstiffness = 1e4"));
    let start = scenario.start(&model).unwrap();
    assert!(
        start.warnings[0].contains("pushes them apart"),
        "{:?}",
        start.warnings
    );
    let (scenario, model) = read(&cubes([0.0; 3], "law = \"none\""));
    let start = scenario.start(&model).unwrap();
    assert!(start.warnings.is_empty() && start.separated.is_none());
}

#[test]
fn bodies_are_moved_apart_and_keep_their_velocities() {
    for at in [
        [0.0; 3],
        [0.08, 0.0, 0.0],
        [0.03, -0.05, 0.02],
        [0.0, 0.0, -0.04],
    ] {
        let (start, model) = separated(&cubes(at, "law = \"exact\"\nseparate = true"));
        let moved = start.separated.unwrap();
        assert!(moved > 0.005 && moved < 0.2, "{at:?}: {moved}");
        let run = Simulation::from_state(model, Default::default(), start.state).unwrap();
        let twists = run.twists();
        assert!((twists[0].v.x - 1.0).abs() < 1e-12 && twists[0].w.norm() < 1e-12);
        assert!(twists[1].v.norm() < 1e-12 && (twists[1].w.z - 2.0).abs() < 1e-12);
    }
    // The heavier moves less.
    let (start, _) = separated(
        "[body.light]\nkind = \"particle\"\nmass = 1\nradius = 0.1\n\
         [body.heavy]\nkind = \"particle\"\nmass = 3\nradius = 0.1\nposition = [0.1, 0, 0]\n\
         [simulate]\nduration = 1\nstep = 0.01\nseparate = true\n",
    );
    let x = [0, 1].map(|k| start.state.poses[k].position.x);
    assert!(
        (x[0] + 0.075).abs() < 1e-12 && (x[1] - 0.125).abs() < 1e-12,
        "{x:?}"
    );
}

#[test]
fn a_heap_is_moved_apart() {
    separated(
        "[halfspace.floor]\nnormal = [0, 0, 1]\n[group.box]\nshape = { box = [0.2, 0.15, 0.1] }\n\
         density = 500\nlayout = { grid = { count = [3, 3, 3], from = [0, 0, 0.04], step = [0.17, 0.13, 0.08] } }\n\
         rotation = { random = { seed = 3, radius = 0.4 } }\n\
         [simulate]\nduration = 1\nstep = 0.01\nseparate = true\n",
    );
}

#[test]
fn what_hangs_on_joints_moves_along_them() {
    let (start, _) = separated(
        "[halfspace.wall]\nnormal = [1, 0, 0]\npoint = [-0.02, 0, 0]\n\
         [body.bar]\nshape = { box = [0.04, 0.04, 0.5] }\ndensity = 500\nposition = [0.01, 0, -0.25]\n\
         [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"bar\"]\nat = [0.01, 0, 0]\naxis = [0, 1, 0]\n\
         [body.block]\nkind = \"static\"\nshape = { cube = 0.1 }\nposition = [-0.02, 0, -0.4]\n\
         [simulate]\nduration = 1\nstep = 0.01\nseparate = true\n",
    );
    let pose = &start.state.poses[0];
    let top = pose.position + pose.directors.column(2) * 0.25;
    assert!((top.x - 0.01).abs() < 1e-12 && top.z.abs() < 1e-12, "{top}");
    assert!(pose.directors[(0, 2)].abs() > 0.01);
}

#[test]
fn what_is_wedged_is_an_error() {
    let (scenario, model) = read(
        "[halfspace.low]\nnormal = [0, 0, 1]\n[halfspace.high]\nnormal = [0, 0, -1]\npoint = [0, 0, 0.05]\n\
         [body.a]\nkind = \"particle\"\nmass = 1\nradius = 0.1\n\
         [simulate]\nduration = 1\nstep = 0.01\nseparate = true\n",
    );
    let message = scenario.start(&model).unwrap_err().to_string();
    assert!(message.contains("could not be moved apart"), "{message}");
}
