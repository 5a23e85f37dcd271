//! Controllers of scenario files: what they do to the motion, to the record, and to wrong input.

use std::sync::Arc;

use carom::control::Feedback;
use carom::record::Checkpoint;
use carom::scenario::Scenario;
use carom::simulate::{Columns, Simulation};

/// A run with its controllers.
struct Run {
    simulation: Simulation,
    feedback: Feedback,
    columns: Columns,
}

impl Run {
    fn new(text: &str) -> Self {
        let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
        let model = Arc::new(scenario.build().unwrap());
        let feedback = scenario.feedback(&model).unwrap_or_else(|e| panic!("{e}"));
        let columns = scenario.columns(&model).unwrap();
        let start = scenario.start(&model).unwrap().state;
        let settings = scenario.settings.simulator();
        let simulation = Simulation::from_state(model, settings, start).unwrap();
        let mut run = Self {
            simulation,
            feedback,
            columns,
        };
        run.feedback.sample(&run.simulation).unwrap();
        run
    }

    fn steps(&mut self, steps: usize) {
        for _ in 0..steps {
            self.feedback.step(&mut self.simulation).unwrap();
            self.feedback.sample(&self.simulation).unwrap();
        }
    }

    fn row(&mut self) -> Vec<f64> {
        let mut row = Vec::new();
        self.columns.row(&mut self.simulation, &mut row);
        self.feedback.row(&mut row);
        assert_eq!(row.len(), self.columns.len());
        row
    }

    fn get(&mut self, name: &str) -> f64 {
        let at = self
            .columns
            .find(name)
            .unwrap_or_else(|| panic!("no column {name}"));
        self.row()[at]
    }
}

const SLIDER: &str = r#"
[body.cart]
mass = 2
inertia = [1, 1, 1]
[joint.rail]
kind = "prismatic"
between = ["world", "cart"]
at = [0, 0, 0]
axis = [1, 0, 0]
[simulate]
steps = 1000
step = 1e-3
"#;

#[test]
fn pd_on_a_slide_is_a_spring_with_a_damper() {
    let mut run = Run::new(&format!(
        "{SLIDER}\n[controller.hold]\nkind = \"pd\"\njoint = \"rail\"\ntarget = 0.5\n\
         gains = {{ proportional = 8, derivative = 2 }}\n"
    ));
    assert_eq!(run.get("controller.hold.error"), 0.5);
    assert_eq!(run.get("controller.hold.output"), 4.0);
    run.steps(1000);
    // 2 ẍ + 2 ẋ + 8 (x − ½) = 0 from rest at 0.
    let (t, decay) = (1.0_f64, 0.5_f64);
    let w = (4.0 - decay * decay).sqrt();
    let exact = 0.5 - 0.5 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
    let x = run.get("joint.rail.slide");
    // The hold delays by half a step: first order.
    assert!((x - exact).abs() < 1e-3, "{x} {exact}");
    assert!((run.get("cart.x") - x).abs() < 1e-12);
    // Work of the controller is work of loads: nothing is unexplained.
    let ledger = run.simulation.ledger();
    let change = ledger.energy.last - ledger.energy.initial;
    assert!(
        (ledger.work - change).abs() < 1e-12,
        "{} {change}",
        ledger.work
    );
    assert!(ledger.work > 0.01);
}

#[test]
fn an_expression_does_what_pd_does() {
    let pd = "[controller.hold]\nkind = \"pd\"\njoint = \"rail\"\ntarget = \"0.5 + 0.1*t\"\n\
              gains = { proportional = 8, derivative = 2 }\n";
    let expression = "[controller.hold]\nkind = \"expression\"\njoint = \"rail\"\n\
                      quantities.off = \"0.5 + 0.1*t - joint.rail.slide\"\n\
                      output = \"8*off + 2*(0.1 - joint.rail.slide.rate)\"\n";
    let mut a = Run::new(&format!("{SLIDER}\n{pd}"));
    let mut b = Run::new(&format!("{SLIDER}\n{expression}"));
    a.steps(500);
    b.steps(500);
    assert!((a.get("cart.x") - b.get("cart.x")).abs() < 1e-10);
    assert!((a.get("controller.hold.error") - b.get("controller.hold.off")).abs() < 1e-10);
}

#[test]
fn an_integral_removes_what_gravity_leaves() {
    let text = |kind: &str, more: &str| {
        format!(
            "gravity = [-1, 0, 0]\n{SLIDER}\n[controller.hold]\nkind = \"{kind}\"\njoint = \"rail\"\n\
             target = 0.2\ngains = {{ proportional = 40, derivative = 20{more} }}\n"
        )
    };
    let mut pd = Run::new(&text("pd", ""));
    let mut pid = Run::new(&text("pid", ", integral = 40"));
    pd.steps(12_000);
    pid.steps(12_000);
    // PD hangs by m g / k_p.
    assert!((pd.get("controller.hold.error") - 0.05).abs() < 1e-4);
    assert!(pid.get("controller.hold.error").abs() < 1e-4);
}

#[test]
fn samples_are_held_limited_and_late() {
    let mut run = Run::new(&format!(
        "{SLIDER}\n[controller.push]\nkind = \"expression\"\njoint = \"rail\"\n\
         output = \"1000*t - 5\"\nsample_time = 0.004\ndelay = 0.002\nlimits = [-2, 3]\n"
    ));
    let mut outputs = vec![run.get("controller.push.output")];
    let mut applied = Vec::new();
    for _ in 0..16 {
        run.steps(1);
        outputs.push(run.get("controller.push.output"));
        applied.push(run.get("actuator.push"));
    }
    // Nothing before the first sample has had its time; then −5 (limited), −1, 3, 7 (limited), four steps each.
    let expected = [
        0.0, 0.0, -2.0, -2.0, -2.0, -2.0, -1.0, -1.0, -1.0, -1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0,
    ];
    for (k, e) in expected.iter().enumerate() {
        assert!((outputs[k] - e).abs() < 1e-9, "{k}: {outputs:?}");
        assert!((applied[k] - e).abs() < 1e-9, "{k}: {applied:?}");
    }
}

#[test]
fn limits_are_those_of_the_actuator() {
    let mut run = Run::new(&format!(
        "{SLIDER}\n[actuator.motor]\njoint = \"rail\"\nbounds = [-1, 1]\n[controller.push]\n\
         kind = \"expression\"\nactuator = \"motor\"\noutput = \"7\"\n\
         [controller.more]\nkind = \"expression\"\nactuator = \"motor\"\noutput = \"-0.25\"\n"
    ));
    run.steps(1);
    // Two controllers of one actuator add up.
    assert_eq!(run.get("controller.push.output"), 1.0);
    assert_eq!(run.get("actuator.motor"), 0.75);
}

#[test]
fn noise_is_that_of_its_seed() {
    let text = |seed: u64| {
        format!(
            "{SLIDER}\n[controller.hold]\nkind = \"pd\"\njoint = \"rail\"\n\
             gains = {{ proportional = 8, derivative = 2 }}\n\
             noise = {{ seed = {seed}, output = 0.5, measured = {{ \"joint.rail.slide\" = 0.01 }} }}\n"
        )
    };
    let ends = [1, 1, 2].map(|seed| {
        let mut run = Run::new(&text(seed));
        let mut errors = Vec::new();
        for _ in 0..2000 {
            run.steps(1);
            errors.push(run.get("controller.hold.error") + run.get("joint.rail.slide"));
        }
        // What is measured has the asked deviation.
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>();
        let deviation = (variance / errors.len() as f64).sqrt();
        assert!((deviation - 0.01).abs() < 1e-3, "{deviation}");
        run.get("cart.x")
    });
    assert_eq!(ends[0].to_bits(), ends[1].to_bits());
    assert!(ends[0] != ends[2] && ends[0] != 0.0);
}

const ARM: &str = r#"
gravity = [0, 0, -9.81]
[body.upper]
shape = { box = [0.1, 0.1, 1] }
density = 100
position = [0, 0, -0.5]
[body.lower]
shape = { box = [0.08, 0.08, 0.8] }
density = 100
position = [0, 0, -1.4]
[joint.shoulder]
kind = "revolute"
between = ["world", "upper"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.elbow]
kind = "revolute"
between = ["lower", "upper"]
at = [0, 0, -1]
axis = [0, -1, 0]
[simulate]
steps = 1000
step = 1e-3
law = "none"
"#;

#[test]
fn computed_torque_makes_errors_linear() {
    let mut run = Run::new(&format!(
        "{ARM}\n[controller.arm]\nkind = \"computed-torque\"\njoints = [\"shoulder\", \"elbow\"]\n\
         target = [\"0.8 + 0.5*sin(2*t)\", \"-0.6*cos(3*t)\"]\ngains = {{ proportional = 100, derivative = 20 }}\n"
    ));
    let start = [
        run.get("controller.arm.error.shoulder"),
        run.get("controller.arm.error.elbow"),
    ];
    let rates = [
        run.get("controller.arm.error_rate.shoulder"),
        run.get("controller.arm.error_rate.elbow"),
    ];
    assert!((start[0] - 0.8).abs() < 1e-12 && (start[1] + 0.6).abs() < 1e-12);
    run.steps(300);
    // ë + 20 ė + 100 e = 0, critically damped, whatever gravity and the other link do.
    let t = 0.3_f64;
    for (k, name) in ["shoulder", "elbow"].iter().enumerate() {
        let exact = (start[k] + (rates[k] + 10.0 * start[k]) * t) * (-10.0 * t).exp();
        let got = run.get(&format!("controller.arm.error.{name}"));
        assert!((got - exact).abs() < 4e-3, "{name}: {got} {exact}");
    }
    run.steps(1500);
    for name in ["shoulder", "elbow"] {
        let left = run.get(&format!("controller.arm.error.{name}"));
        assert!(left.abs() < 2e-3, "{name}: {left}");
    }
    // PD with the same gains hangs far off.
    assert!(run.get("actuator.arm-shoulder").abs() > 1.0);
}

const CRAFT: &str = r#"
gravity = [0, 0, -1]
[body.craft]
mass = 1.2
inertia = [0.01, 0.01, 0.002]
position = [0.4, -0.1, 0.05]
rotation_deg = [20, -40, 130]
velocity = [0.1, 0, -0.2]
angular_velocity = [0.5, -0.3, 0.8]
[body.port]
kind = "static"
[relative.dock]
between = ["port", "craft"]
position = [0.124, 0, 0]
rotation_deg = [0, 0, 180]
[simulate]
steps = 1000
step = 1e-3
"#;

#[test]
fn tracking_holds_against_gravity_through_any_actuator() {
    let gains = "gains = { position = 3, velocity = 4, orientation = 0.2, angular_velocity = 0.1 }";
    let mut ends = Vec::new();
    for (on, retraction) in [
        ("body = \"craft\"", "exponential"),
        ("actuator = \"jets\"", "exponential"),
        ("body = \"craft\"", "cayley"),
    ] {
        let mut run = Run::new(&format!(
            "{CRAFT}\n[actuator.jets]\nbody = \"craft\"\nframe = \"body\"\npoint = [0.1, 0, 0.2]\n\
             [controller.c]\nkind = \"tracking\"\n{on}\n{gains}\nretraction = \"{retraction}\"\n\
             target = {{ relative = \"dock\" }}\n"
        ));
        let mut last = run.get("controller.c.lyapunov");
        let first = last;
        for _ in 0..100 {
            run.steps(100);
            let v = run.get("controller.c.lyapunov");
            assert!(
                v <= last * (1.0 + 1e-3) + 1e-9,
                "{on} {retraction}: {last} to {v}"
            );
            last = v;
        }
        assert!(last < 1e-6 * first, "{last} {first}");
        let left = ["x", "y", "z"].map(|c| run.get(&format!("controller.c.position_error.{c}")));
        assert!(left.iter().all(|e| e.abs() < 1e-5), "{left:?}");
        assert!((run.get("craft.d1x") + 1.0).abs() < 1e-6);
        ends.push([run.get("craft.x"), run.get("craft.z"), run.get("craft.d2z")]);
    }
    // Axes and point of the actuator change nothing but round-off and what is held over a step.
    assert!(
        ends[0]
            .iter()
            .zip(ends[1])
            .all(|(a, b)| (a - b).abs() < 1e-6)
    );
}

#[test]
fn a_target_may_move_with_time_and_with_a_body() {
    // A circle with a spin: tracking follows to what the hold leaves.
    let mut run = Run::new(&format!(
        "{CRAFT}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\n\
         gains = {{ position = 12, velocity = 8, orientation = 0.4, angular_velocity = 0.1 }}\n\
         target = {{ position = [\"0.3*cos(t)\", \"0.3*sin(t)\", 0.1], rotation = [0, 0, \"2 + t\"] }}\n"
    ));
    run.steps(6000);
    let t = run.simulation.time();
    assert!((run.get("craft.x") - 0.3 * t.cos()).abs() < 1e-3);
    assert!((run.get("craft.y") - 0.3 * t.sin()).abs() < 1e-3);
    assert!((run.get("craft.d1x") - (2.0 + t).cos()).abs() < 2e-3);
    assert!((run.get("craft.wz") - 1.0).abs() < 2e-3);
    // Another body that drifts and turns.
    let text = CRAFT.replace(
        "[body.port]\nkind = \"static\"",
        "[body.port]\nmass = 1000\ninertia = [100, 100, 100]\nvelocity = [0.1, 0, 0]\nangular_velocity = [0, 0, 0.2]",
    );
    let text = text.replace("gravity = [0, 0, -1]\n", "");
    let mut run = Run::new(&format!(
        "{text}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\n\
         gains = {{ position = 12, velocity = 8, orientation = 0.4, angular_velocity = 0.1 }}\n\
         target = {{ relative = \"dock\" }}\n"
    ));
    run.steps(6000);
    let t = run.simulation.time();
    assert!((run.get("craft.x") - (0.1 * t + 0.124 * (0.2 * t).cos())).abs() < 1e-3);
    assert!((run.get("craft.y") - 0.124 * (0.2 * t).sin()).abs() < 1e-3);
}

#[test]
fn what_controllers_remember_is_saved_bit_for_bit() {
    let text = format!(
        "{CRAFT}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\ndelay = 0.003\nsample_time = 0.002\n\
         gains = {{ position = 3, velocity = 6, orientation = 0.2, angular_velocity = 0.1 }}\n\
         target = {{ dipole = {{ relative = \"dock\", speed = 0.05 }} }}\n\
         noise = {{ seed = 3, output = 0.01, measured = {{ \"craft.position\" = 1e-3, \"craft.rotation\" = 1e-2 }} }}\n\
         [controller.i]\nkind = \"pid\"\nbody = \"craft\"\n\
         gains = {{ position = 1, velocity = 1, position_integral = 0.5, orientation_integral = 0.01, orientation = 0.1 }}\n\
         target = {{ relative = \"dock\" }}\nlimits = {{ force = 0.3 }}\n\
         [controller.f]\nkind = \"expression\"\nbody = \"craft\"\n\
         states.slow = {{ rate = \"5*(craft.vx - slow)\", start = 0.1 }}\nforce = [\"-slow\", 0, 0]\n"
    );
    let mut whole = Run::new(&text);
    whole.steps(601);
    let checkpoint = Checkpoint {
        scenario: 1,
        frames: 0,
        contacts: Default::default(),
        wall_seconds: 0.0,
        state: whole.simulation.snapshot(),
        ledger: whole.simulation.ledger().clone(),
        feedback: whole.feedback.state(),
        pressed: (0.0, Vec::new()),
    };
    whole.steps(400);
    let mut resumed = Run::new(&text);
    let start = resumed.simulation.state().clone();
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes(), 1, &start).unwrap();
    resumed.simulation.restore(read.state, read.ledger);
    assert!(resumed.feedback.restore(&read.feedback));
    resumed.steps(400);
    let bits = |row: Vec<f64>| row.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(whole.row()), bits(resumed.row()));
    // What belongs to other controllers is refused.
    assert!(!Run::new(CRAFT).feedback.restore(&read.feedback));
    assert!(!resumed.feedback.restore(&read.feedback[1..]));
}

#[test]
fn outputs_that_are_no_numbers_end_the_run() {
    let mut run = Run::new(&format!(
        "{SLIDER}\n[controller.push]\nkind = \"expression\"\njoint = \"rail\"\noutput = \"sqrt(0.0025 - t)\"\n"
    ));
    run.steps(2);
    run.feedback.step(&mut run.simulation).unwrap();
    let error = run
        .feedback
        .step(&mut run.simulation)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("controller \"push\"") && error.contains("NaN"),
        "{error}"
    );
}

#[test]
fn wrong_controllers_are_told_with_their_place() {
    let pd = "kind = \"pd\"\ngains = { proportional = 1 }";
    let pose = "kind = \"tracking\"\ngains = { position = 1, velocity = 1, orientation = 1, angular_velocity = 1 }";
    let cases = [
        (SLIDER, format!("joint = \"ral\"\n{pd}"), "there is no joint `ral`"),
        (SLIDER, format!("body = \"cert\"\n{pd}"), "there is no body `cert`"),
        (SLIDER, format!("actuator = \"motor\"\n{pd}"), "there is no actuator `motor`"),
        (SLIDER, pd.to_string(), "acts on nothing"),
        (SLIDER, "joint = \"rail\"".into(), "`kind` is missing"),
        (SLIDER, "joint = \"rail\"\nkind = \"pdd\"".into(), "`pdd` is not known"),
        (SLIDER, "joint = \"rail\"\nkind = \"pd\"".into(), "`gains` is missing"),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"pd\"\ngains = { proportional = -1 }".into(),
            "must not be negative",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"pd\"\ngains = { proportional = 1, integral = 1 }".into(),
            "unknown key `integral`",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"pd\"\ngains = { proportional = [1, 2] }".into(),
            "2 gains for 1 coordinates",
        ),
        (SLIDER, format!("joint = \"rail\"\n{pd}\ntarget = [1, 2]"), "2 values"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\nsample_time = 0.0015"), "1.5 steps"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\nsample_time = 0"), "greater than zero"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\ndelay = 1e-4"), "multiple of the step"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\nlimits = [2, 1]"), "does not rise"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\nlimits = [[0, 1], [0, 1]]"), "2 bounds for 1"),
        (SLIDER, format!("joint = \"rail\"\n{pd}\nnoise = {{ output = 1 }}"), "`seed` is missing"),
        (
            SLIDER,
            format!("joint = \"rail\"\n{pd}\nnoise = {{ seed = 1, measured = {{ \"cart.q\" = 1 }} }}"),
            "no quantity `cart.q`",
        ),
        (
            SLIDER,
            format!("joint = \"rail\"\n{pd}\nnoise = {{ seed = 1, measured = {{ \"cart.d1x\" = 1 }} }}"),
            "cart.rotation",
        ),
        (SLIDER, format!("joint = \"rail\"\n{pd}\ngain = 1"), "unknown key `gain`"),
        (SLIDER, format!("joint = \"rail\"\n{pose}"), "tracking acts on a body"),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"".into(),
            "`output` is missing",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"\noutput = \"joint.rail.slid\"".into(),
            "unknown name `joint.rail.slid`",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"\noutput = \"joint.rail.force.x\"".into(),
            "is not measured",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"\noutput = [\"1\", \"2\"]".into(),
            "2 expressions for 1 outputs",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"\nquantities.t = \"1\"\noutput = \"t\"".into(),
            "`t` cannot be its name",
        ),
        (
            SLIDER,
            "joint = \"rail\"\nkind = \"expression\"\nquantities.e = \"1\"\noutput = \"e\"".into(),
            "`e` cannot be its name",
        ),
        (CRAFT, format!("body = \"craft\"\n{pose}"), "`target` is missing"),
        (CRAFT, format!("body = \"craft\"\n{pose}\ntarget = {{ relative = \"dok\" }}"), "[relative.dok]"),
        (
            CRAFT,
            format!("body = \"craft\"\n{pose}\ntarget = {{ dipole = {{ relative = \"dock\" }} }}"),
            "`speed` is missing",
        ),
        (CRAFT, format!("body = \"craft\"\n{pose}\ntarget = {{ rotation = [0, 0, 1] }}"), "aims at nothing"),
        (
            CRAFT,
            "body = \"craft\"\nkind = \"tracking\"\ngains = { position = 0 }\ntarget = { relative = \"dock\" }".into(),
            "greater than zero",
        ),
        (CRAFT, format!("body = \"port\"\n{pose}\ntarget = {{ relative = \"dock\" }}"), "never moves"),
        (
            CRAFT,
            "body = \"craft\"\nkind = \"computed-torque\"".into(),
            "computed torque acts on joints",
        ),
        (CRAFT, "body = \"craft\"\nkind = \"expression\"".into(), "does nothing"),
    ];
    for (base, section, expected) in &cases {
        let text = format!("{base}\n[controller.c]\n{section}\n");
        let error = match Scenario::parse("test.toml", &text) {
            Err(error) => error.to_string(),
            Ok(scenario) => match scenario.build() {
                Err(error) => error.to_string(),
                Ok(model) => scenario
                    .feedback(&Arc::new(model))
                    .expect_err(section)
                    .to_string(),
            },
        };
        assert!(error.contains(expected), "{section}\n{error}");
        assert!(error.contains("controller.c"), "{error}");
    }
}

#[test]
fn the_way_to_the_dock_has_no_jumps() {
    // Along the field line, braking, and standing still, the Lyapunov function of both retractions never rises by
    // more than the hold over a step makes of it.
    for retraction in ["exponential", "cayley"] {
        let mut run = Run::new(&format!(
            "{}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\nretraction = \"{retraction}\"\n\
             gains = {{ position = 1.2, velocity = 9.6, orientation = 1, angular_velocity = 0.3 }}\n\
             target = {{ dipole = {{ relative = \"dock\", speed = 0.05 }} }}\n",
            CRAFT.replace("gravity = [0, 0, -1]\n", "")
        ));
        let first = run.get("controller.c.lyapunov");
        let mut last = first;
        for step in 0..9000 {
            run.steps(1);
            let v = run.get("controller.c.lyapunov");
            assert!(
                v <= last * (1.0 + 1e-4) + 1e-9 * first,
                "{retraction} step {step}: {last} to {v}"
            );
            last = v;
        }
        assert!(last < 1e-2 * first, "{last} {first}");
        // What is left decays with k_φ/k_v = 1/8 per second.
        assert!((run.get("craft.x") - 0.124).abs() < 0.02);
    }
}

/// A plan of a body that is pushed along x for a second and turned about z, made by hand: its nodes are those of the
/// simulator itself.
fn plan_of(text: &str, steps: usize, controls: &dyn Fn(usize) -> Vec<f64>) -> String {
    let scenario = Scenario::parse("test.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    let start = scenario.start(&model).unwrap().state;
    let settings = scenario.settings.simulator();
    let mut simulation = Simulation::from_state(model, settings, start).unwrap();
    let node = |s: &Simulation| -> Vec<Vec<f64>> {
        s.state().poses.iter().map(|p| p.to_q().to_vec()).collect()
    };
    let (mut nodes, mut rates, mut all) = (Vec::new(), Vec::new(), Vec::new());
    nodes.push(node(&simulation));
    rates.push(simulation.joint_velocities().to_vec());
    for k in 0..steps {
        let tau = controls(k);
        simulation.step_with(settings.step, &tau).unwrap();
        nodes.push(node(&simulation));
        rates.push(simulation.joint_velocities().to_vec());
        all.push(tau);
    }
    let names = carom::optimise::control_names(simulation.model());
    serde_json::json!({
        "steps": vec![settings.step; steps],
        "configurations": nodes,
        "rates": rates,
        "control_names": names,
        "controls": all,
    })
    .to_string()
}

#[test]
fn linear_quadratic_feedback_follows_a_plan() {
    let folder = std::env::temp_dir().join(format!("carom-lqr-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // A pendulum that stands on its head falls; with feedback it does what the plan says.
    let arm = ARM
        .replace("step = 1e-3", "step = 5e-3")
        .replace("steps = 1000", "steps = 200")
        + "[actuator.a]\njoint = \"shoulder\"\n[actuator.b]\njoint = \"elbow\"\n";
    let swing = |k: usize| {
        vec![
            20.0 * (k as f64 * 0.03).sin(),
            -5.0 * (k as f64 * 0.05).cos(),
        ]
    };
    let plan = folder.join("arm.json");
    std::fs::write(&plan, plan_of(&arm, 200, &swing)).unwrap();
    let follow = format!(
        "{arm}\n[controller.c]\nkind = \"lqr\"\nplan = \"{}\"\n",
        plan.display()
    );
    let mut run = Run::new(&follow);
    run.steps(200);
    assert!(run.get("controller.c.deviation") < 1e-9);
    // Pushed at the start.
    let pushed = follow.replace(
        "position = [0, 0, -1.4]",
        "position = [0, 0, -1.4]\nvelocity = [0.2, 0, 0]\nangular_velocity = [0, -0.5, 0]",
    );
    let mut run = Run::new(&pushed);
    let start = run.get("controller.c.lyapunov");
    assert!(run.get("controller.c.deviation_rate") > 0.1);
    let mut last = start;
    for _ in 0..19 {
        run.steps(10);
        let v = run.get("controller.c.lyapunov");
        assert!(v <= last * 1.05 + 1e-6, "{last} {v}");
        last = v;
    }
    assert!(run.get("controller.c.deviation") < 1e-3);
    // Without feedback the same push leads far off.
    let mut free = Run::new(&pushed.replace(
        "kind = \"lqr\"",
        "kind = \"lqr\"\nweights = { position = 1e-9, velocity = 0, end = 0, control = 1e9 }",
    ));
    free.steps(190);
    assert!(free.get("controller.c.deviation") > 0.02);
    std::fs::remove_dir_all(&folder).ok();
}
