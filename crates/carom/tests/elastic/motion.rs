//! Nodes of elastic bodies whose motion is given: shaken bars, turned blocks, presses. Their work is in the
//! ledger.

use carom::model::Model;
use carom::scenario::Scenario;
use carom::simulate::{Simulation, State};
use nalgebra::Vector3;

fn parse(text: &str) -> Scenario {
    Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))
}

fn start(text: &str) -> Simulation {
    let scenario = parse(text);
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap_or_else(|e| panic!("{e}"))
}

/// What of the energy nothing explains, relative to the energy that moves.
fn unexplained(run: &Simulation) -> f64 {
    let range = &run.ledger().unexplained;
    range.max.abs().max(range.min.abs()) / run.ledger().energy_scale()
}

/// Nodes of the first elastic body, with where they are at rest and now.
fn nodes(run: &Simulation) -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let solid = &run.model().solids()[0];
    let poses = &run.state().poses;
    let each = solid.rest.iter().enumerate();
    each.map(|(k, rest)| (*rest, solid.place(k as u32, poses)))
        .collect()
}

const SCHEMES: [&str; 3] = [
    "integrator = \"newmark\"",
    "integrator = \"newmark\"\nbeta = 0.25",
    "integrator = \"variational\"",
];

/// A bar along x that is shaken at its left end, of wave speed 10 m/s: ω L/c = 1.
fn shaken_bar(scheme: &str, step: f64) -> Simulation {
    let text = format!(
        "[body.bar]\nelastic = {{ rectangle = [1, 0.1], cells = [20, 1], lambda = 0, mu = 5e4 }}\n\
         density = 1000\n\
         [nodes.root]\nbody = \"bar\"\nplane = {{ point = [-0.5, 0, 0], normal = [1, 0, 0] }}\n\
         motion = {{ displacement = [\"1e-4*sin(10*t)\", 0, 0] }}\n\
         [simulate]\nduration = 1\nstep = {step}\n{scheme}\n"
    );
    let scenario = parse(&text);
    let model = scenario.build().unwrap();
    // It starts as a standing wave: u = A sin ωt cos(k (L − x))/cos(k L).
    let mut state = State::start(&model).unwrap();
    for k in model.solids()[0].particles.clone() {
        let along = state.poses[k].position.x + 0.5;
        let rate = 1e-3 * (1.0 - along).cos() / 1f64.cos();
        state.momenta[k].force.x = model.bodies()[k].mass() * rate;
    }
    Simulation::from_state(model, scenario.settings.simulator(), state).unwrap()
}

#[test]
fn a_shaken_bar_is_a_standing_wave_in_every_scheme() {
    for scheme in SCHEMES {
        let mut errors = Vec::new();
        for step in [2e-3, 1e-3] {
            let mut run = shaken_bar(scheme, step);
            let mut most: f64 = 0.0;
            while run.time() < 0.3 - 0.5 * step {
                run.step().unwrap();
                for (rest, now) in nodes(&run) {
                    let exact =
                        1e-4 * (10.0 * run.time()).sin() * (0.5 - rest.x).cos() / 1f64.cos();
                    most = most.max((now.x - rest.x - exact).abs());
                }
            }
            // Of an amplitude of 1.85e-4 m at the free end.
            assert!(most < 2e-6, "{scheme} {step}: {most:e}");
            errors.push(unexplained(&run));
        }
        // All energy came from the shaker, to the order of the scheme.
        assert!(errors[1] < 1e-3, "{scheme}: {errors:?}");
        assert!(
            errors[1] < 1e-7 || errors[0] / errors[1] > 3.5,
            "{scheme}: {errors:?}"
        );
    }
}

#[test]
fn turned_nodes_go_where_they_are_told_and_take_the_body_along() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "[body.block]\nelastic = {{ box = [0.2, 0.1, 0.1], cells = [2, 1, 1], lambda = 2e5, mu = 1e5, \
             damping = {{ stiffness = 1e-3 }} }}\ndensity = 1000\nposition = [1, 0, 0]\nrotation_deg = [0, 0, 90]\n\
             [nodes.jaw]\nbody = \"block\"\nplane = {{ point = [-0.1, 0, 0], normal = [1, 0, 0] }}\n\
             motion = {{ displacement = [0, 0, \"0.05*t\"], rotation = {{ axis = [0, 1, 0], angle = \"2*t^2\" }} }}\n\
             [simulate]\nduration = 1\nstep = 1e-3\n{scheme}\n"
        ));
        run.run(200).unwrap();
        let t = run.time();
        let center = Vector3::new(1.0, -0.1, 0.0);
        let turn = nalgebra::Rotation3::new(Vector3::y() * (2.0 * t * t));
        let drawn = nalgebra::Rotation3::new(Vector3::z() * std::f64::consts::FRAC_PI_2);
        let mut far: f64 = 0.0;
        for (rest, now) in nodes(&run) {
            let begun = drawn * rest + Vector3::x();
            let exact = center + turn * (begun - center) + Vector3::z() * (0.05 * t);
            match rest.x < -0.099 {
                true => assert!((now - exact).norm() < 1e-14, "{scheme}"),
                false => far = far.max((now - exact).norm()),
            }
        }
        // The rest follows by its stiffness.
        assert!(far < 2e-3, "{scheme}: {far}");
        let ledger = run.ledger();
        assert!(ledger.work > 0.0 && ledger.damping < 0.0);
        assert!(
            unexplained(&run) < 2e-3,
            "{scheme}: {:e}",
            unexplained(&run)
        );
        let residual = ledger.momentum_residual_max;
        assert!(residual < 1e-8, "{scheme}: {residual:e}");
    }
}

#[test]
fn a_press_squeezes_a_block_on_a_floor_and_lets_go() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "[body.block]\nelastic = {{ box = [0.1, 0.1, 0.1], cells = [2, 2, 2], lambda = 2e4, mu = 1e4, \
             damping = {{ stiffness = 1e-3 }} }}\ndensity = 1000\nposition = [0, 0, 0.0501]\n\
             [nodes.press]\nbody = \"block\"\nplane = {{ point = [0, 0, 0.05], normal = [0, 0, 1] }}\n\
             motion = {{ displacement = [0, 0, \"-0.01*sin(10*t)^2\"] }}\n\
             [halfspace.floor]\nnormal = [0, 0, 1]\n\
             [simulate]\nduration = 1\nstep = 5e-4\n{scheme}\nlaw = \"potential\"\nstiffness = 2000\ndrag = 1\n"
        ));
        let steps = (std::f64::consts::PI / 10.0 / 5e-4) as usize;
        run.run(steps / 2).unwrap();
        // Squeezed by 1 cm in 10: about E ε A with the sides free to bulge.
        let held = run.model().find_body("press").unwrap().index();
        assert!((run.state().poses[held].position.z - 0.0901).abs() < 1e-5);
        let pushed = run.ledger().work;
        assert!((0.05..0.5).contains(&pushed), "{scheme}: {pushed}");
        run.run(steps / 2).unwrap();
        // It gets most of the work back.
        let left = run.ledger().work;
        assert!(
            left > 0.0 && left < 0.7 * pushed,
            "{scheme}: {left} of {pushed}"
        );
        assert!(
            unexplained(&run) < 0.01,
            "{scheme}: {:e}",
            unexplained(&run)
        );
    }
}

#[test]
fn a_piston_drives_an_elastic_and_a_rigid_body_by_potentials() {
    for scheme in SCHEMES {
        let mut run = start(&format!(
            "[body.piston]\nkind = \"static\"\nshape = {{ box = [0.1, 0.2, 0.2] }}\nposition = [-0.101, 0, 0]\n\
             motion = {{ displacement = [\"0.2*(1 - cos(8*t))\", 0, 0], rotation = {{ axis = [1, 0, 0], angle = \"0.2*t\" }} }}\n\
             [body.block]\nelastic = {{ box = [0.1, 0.1, 0.1], cells = [2, 2, 2], lambda = 2e4, mu = 1e4 }}\n\
             density = 1000\n\
             [body.cube]\nshape = {{ cube = 0.08 }}\ndensity = 500\nposition = [0.091, 0, 0]\n\
             [simulate]\nduration = 1\nstep = 2.5e-4\n{scheme}\nlaw = \"potential\"\nstiffness = 3000\n"
        ));
        run.run(1600).unwrap();
        // Half a period: the piston is at its end, and they fly on at about twice 1.6 m/s.
        let cube = run.model().find_body("cube").unwrap().index();
        let speed = run.twists()[cube].v.x;
        assert!(speed > 1.6, "{scheme}: {speed}");
        assert!(
            unexplained(&run) < 0.01,
            "{scheme}: {:e}",
            unexplained(&run)
        );
        let ledger = run.ledger();
        assert!((ledger.energy.last - ledger.work).abs() < 0.01 * ledger.work);
    }
}

#[test]
fn resumes_bit_for_bit() {
    for scheme in SCHEMES {
        let mut whole = shaken_bar(scheme, 1e-3);
        whole.run(30).unwrap();
        let (model, settings): (Model, _) = (whole.model().clone(), *whole.settings());
        let mut rest = Simulation::from_state(model, settings, whole.state().clone()).unwrap();
        whole.run(30).unwrap();
        rest.run(30).unwrap();
        assert_eq!(whole.state(), rest.state(), "{scheme}");
    }
}

#[test]
fn what_cannot_be_is_told() {
    let fails = |nodes: &str, words: &[&str]| {
        let text = format!(
            "[body.block]\nelastic = {{ box = [1, 1, 1], cells = [1, 1, 2], E = 1e5, nu = 0.3 }}\ndensity = 1\n\
             [nodes.top]\nbody = \"block\"\nplane = {{ point = [0, 0, 0.5], normal = [0, 0, 1] }}\n{nodes}\n\
             [simulate]\nduration = 1\nstep = 0.01\n"
        );
        let made = Scenario::parse("test.toml", &text).and_then(|s| s.build().map(|_| ()));
        let told = made.expect_err(nodes).to_string();
        for word in words {
            assert!(told.contains(word), "{nodes}: {told}");
        }
    };
    fails("motion = {}", &["nodes.top.motion", "displacement"]);
    fails(
        "motion = { position = [0, 0, 0] }",
        &["nodes.top.motion.position", "displacement"],
    );
    fails(
        "motion = { displacement = [0, 0] }",
        &["displacement", "three"],
    );
    fails(
        "hold = true\nmotion = { displacement = [0, 0, \"t\"] }",
        &["hold", "motion"],
    );
    fails(
        "motion = { displacement = [0, 0, \"1/t\"] }",
        &["nodes.top", "finite"],
    );
    fails(
        "motion = { displacement = [0, 0, \"t\"] }\n\
         [nodes.all]\nbody = \"block\"\nbox = [[-1, -1, 0.4], [1, 1, 1]]\nhold = true",
        &["block", "two ways"],
    );
    fails(
        "motion = { displacement = [0, 0, \"t\"] }\n[body.top]\nkind = \"particle\"\nmass = 1",
        &["top"],
    );
}

#[test]
fn two_numbers_choose_nodes_of_bodies_in_a_plane() {
    let chosen = |of: &str| {
        let text = format!(
            "[body.sheet]\nelastic = {{ rectangle = [0.2, 0.1], cells = [4, 2], E = 1e5, nu = 0.3 }}\ndensity = 1\n\
             [nodes.left]\nbody = \"sheet\"\n{of}\nhold = true\n[simulate]\nduration = 1\nstep = 0.01\n"
        );
        let scenario = Scenario::parse("test.toml", &text).unwrap();
        scenario.node_sets[0].nodes.clone()
    };
    let by_plane = chosen("plane = { point = [-0.1, 0], normal = [1, 0] }");
    assert_eq!(by_plane.len(), 3);
    assert_eq!(chosen("box = [[-1, -1], [-0.1, 1]]"), by_plane);
    assert_eq!(chosen("box = [[-1, -1, 0], [-0.1, 1, 0]]"), by_plane);
}
