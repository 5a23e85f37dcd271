//! Controllers of joints.

use super::{ARM, Run, SLIDER};

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

/// Errors of computed torque obey ë + 20 ė + 100 e = 0, critically damped.
fn assert_linear_errors(text: &str, names: &[&str], tolerance: f64) {
    let mut run = Run::new(text);
    let single = names.len() == 1;
    let column = |what: &str, name: &str| match single {
        true => format!("controller.arm.{what}"),
        false => format!("controller.arm.{what}.{name}"),
    };
    let start: Vec<[f64; 2]> = names
        .iter()
        .map(|n| {
            [
                run.get(&column("error", n)),
                run.get(&column("error_rate", n)),
            ]
        })
        .collect();
    let mut t = 0.0_f64;
    for _ in 0..6 {
        run.steps(50);
        t += 0.05;
        for ([e, rate], name) in start.iter().zip(names) {
            let exact = (e + (rate + 10.0 * e) * t) * (-10.0 * t).exp();
            let got = run.get(&column("error", name));
            assert!(
                (got - exact).abs() < tolerance,
                "{name} at {t}: {got} {exact}"
            );
        }
    }
}

#[test]
fn computed_torque_knows_what_acts_in_the_joints() {
    let physics = "spring = { stiffness = 80, rest = 0.4 }\ndamping = 2\narmature = 0.5\n";
    let servo = "servo = { position = 1.0, stiffness = 20, damping = 0.3 }\ndamping = 0.2\n";
    let text = ARM
        .replace(
            "axis = [0, 1, 0]\n",
            &format!("axis = [0, 1, 0]\n{physics}"),
        )
        .replace(
            "axis = [0, -1, 0]\n",
            &format!("axis = [0, -1, 0]\n{servo}"),
        );
    let text = format!(
        "{text}\n[controller.arm]\nkind = \"computed-torque\"\njoints = [\"shoulder\", \"elbow\"]\n\
         target = [\"0.8 + 0.5*sin(2*t)\", \"-0.6*cos(3*t)\"]\ngains = {{ proportional = 100, derivative = 20 }}\n"
    );
    assert_linear_errors(&text, &["shoulder", "elbow"], 4e-3);
}

#[test]
fn computed_torque_drives_gears_and_loops() {
    // Two arms on a gear: the one that is driven carries the other.
    let geared = r#"
gravity = [0, 0, -9.81]
[body.a]
shape = { box = [0.1, 0.1, 1] }
density = 100
position = [0, 0, -0.5]
[body.b]
shape = { box = [0.1, 0.1, 0.6] }
density = 100
position = [1, 0, -0.3]
[joint.left]
kind = "revolute"
between = ["world", "a"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.right]
kind = "revolute"
between = ["world", "b"]
at = [1, 0, 0]
axis = [0, 1, 0]
couple = { joint = "left", ratio = -2 }
[simulate]
steps = 1000
step = 1e-3
law = "none"
[controller.arm]
kind = "computed-torque"
joint = "left"
target = "0.5 + 0.3*sin(3*t)"
gains = { proportional = 100, derivative = 20 }
"#;
    assert_linear_errors(geared, &["left"], 3e-3);
    // The crank of a four-bar linkage, against gravity and the two other bars.
    let loop_of_four = r#"
gravity = [0, 0, -9.81]
[body.crank]
shape = { box = [0.02, 0.02, 0.2] }
density = 2700
position = [0, 0, 0.1]
[body.coupler]
shape = { box = [0.5, 0.02, 0.02] }
density = 2700
position = [0.25, 0, 0.2]
[body.rocker]
shape = { box = [0.02, 0.02, 0.4] }
density = 2700
position = [0.5, 0, 0]
[joint.left]
kind = "revolute"
between = ["world", "crank"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.top-left]
kind = "spherical"
between = ["crank", "coupler"]
at = [0, 0, 0.2]
[joint.top-right]
kind = "cylindrical"
between = ["coupler", "rocker"]
at = [0.5, 0, 0.2]
axis = [0, 1, 0]
[joint.right]
kind = "revolute"
between = ["world", "rocker"]
at = [0.5, 0, -0.2]
axis = [0, 1, 0]
[simulate]
steps = 1000
step = 1e-3
law = "none"
[controller.arm]
kind = "computed-torque"
joint = "left"
target = "0.4 + 0.5*sin(4*t)"
gains = { proportional = 100, derivative = 20 }
"#;
    assert_linear_errors(loop_of_four, &["left"], 3e-3);
}
