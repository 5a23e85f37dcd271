//! How fast bodies on joints set out: rates of joints, and bodies that say nothing of their velocities.

use carom::model::Model;
use carom::scenario::Scenario;
use carom::simulate::{Settings, Simulation};
use nalgebra::Vector3;

use crate::common::v;

fn model(text: &str) -> Model {
    let scenario = Scenario::parse("departure", text).unwrap_or_else(|error| panic!("{error}"));
    scenario.build().unwrap()
}

fn refused(text: &str) -> String {
    match Scenario::parse("departure", text) {
        Err(error) => error.to_string(),
        Ok(scenario) => scenario.build().unwrap_err().to_string(),
    }
}

/// Velocity and angular velocity of a body at the start.
fn twist(model: &Model, name: &str) -> [Vector3<f64>; 2] {
    let body = model.body(model.find_body(name).unwrap());
    [body.velocity, body.angular_velocity]
}

fn assert_twist(model: &Model, name: &str, velocity: Vector3<f64>, spin: Vector3<f64>) {
    let [own, turning] = twist(model, name);
    assert!((own - velocity).norm() < 1e-14, "{name}: {own:?}");
    assert!((turning - spin).norm() < 1e-14, "{name}: {turning:?}");
}

const END: &str = "[simulate]\nduration = 0.1\nstep = 0.01\n";

/// Two links of 1 m along x, hinged about −y at the world and at each other.
fn arm(shoulder: &str, elbow: &str, swapped: bool) -> String {
    let between = match swapped {
        false => "[\"upper\", \"fore\"]",
        true => "[\"fore\", \"upper\"]",
    };
    format!(
        "[template.link]\nshape = {{ box = [1, 0.1, 0.1] }}\nmass = 1\n\
         [body.fore]\nuse = \"link\"\nposition = [1.5, 0, 0]\n\
         [body.upper]\nuse = \"link\"\nposition = [0.5, 0, 0]\n\
         [joint.elbow]\nkind = \"revolute\"\nbetween = {between}\nat = [1, 0, 0]\naxis = [0, -1, 0]\n{elbow}\n\
         [joint.shoulder]\nkind = \"revolute\"\nbetween = [\"world\", \"upper\"]\nat = [0, 0, 0]\naxis = [0, -1, 0]\n\
         {shoulder}\n{END}"
    )
}

#[test]
fn rates_of_joints_move_all_that_hangs_on_them() {
    let m = model(&arm("rate = 2", "rate_deg = 180", false));
    assert_twist(&m, "upper", v(0.0, 0.0, 1.0), v(0.0, -2.0, 0.0));
    let spin = 2.0 + std::f64::consts::PI;
    assert_twist(
        &m,
        "fore",
        v(0.0, 0.0, 2.0 + 0.5 * spin),
        v(0.0, -spin, 0.0),
    );
    // A joint that is written the other way round turns the first body back.
    let m = model(&arm("rate = 2", "rate = 3", true));
    assert_twist(&m, "fore", v(0.0, 0.0, 2.0 - 0.5), v(0.0, 1.0, 0.0));
    // Without a rate the elbow is locked: the forearm cannot rest.
    let m = model(&arm("rate = 2", "", false));
    assert_twist(&m, "fore", v(0.0, 0.0, 3.0), v(0.0, -2.0, 0.0));
    // The simulator takes it over.
    let s = Simulation::new(m, Settings::with_step(0.01)).unwrap();
    assert!((s.twists()[0].v - v(0.0, 0.0, 3.0)).norm() < 1e-12);
}

#[test]
fn joined_bodies_move_along() {
    let text = format!(
        "[body.torso]\nshape = {{ box = [0.2, 0.3, 0.4] }}\nmass = 20\nvelocity = [1.5, 0, 0]\n\
         angular_velocity = [0, 0, 2]\n\
         [body.head]\nshape = {{ sphere = 0.1 }}\nmass = 4\nposition = [0.1, 0, 0.3]\n\
         [joint.neck]\nkind = \"spherical\"\nbetween = [\"torso\", \"head\"]\nat = [0.1, 0, 0.2]\n\
         [body.nut]\nshape = {{ sphere = 0.02 }}\nmass = 0.1\nposition = [0, 0.2, 0.3]\n\
         [joint.slide]\nkind = \"prismatic\"\nbetween = [\"head\", \"nut\"]\naxis = [0, 1, 0]\nrate = 0.5\n{END}"
    );
    let m = model(&text);
    assert_twist(&m, "head", v(1.5, 0.2, 0.0), v(0.0, 0.0, 2.0));
    assert_twist(&m, "nut", v(1.5 - 0.4, 0.5, 0.0), v(0.0, 0.0, 2.0));
}

/// A joint at the child's own centre, where the parent does not move: the child turns along all the same.
#[test]
fn what_sits_on_the_axis_turns_along() {
    let hub = |joint: &str| {
        format!(
            "[body.disc]\nshape = {{ cylinder = {{ radius = 0.2, height = 0.05 }} }}\nmass = 1\n\
             angular_velocity = [0, 0, 5]\n[body.hub]\nshape = {{ box = [0.1, 0.05, 0.05] }}\nmass = 1\n\
             position = [0, 0, 0.1]\n[joint.hold]\nbetween = [\"disc\", \"hub\"]\n{joint}\n{END}"
        )
    };
    for joint in ["kind = \"fixed\"", "kind = \"revolute\"\naxis = [1, 0, 0]"] {
        let m = model(&hub(joint));
        assert_twist(&m, "hub", v(0.0, 0.0, 0.0), v(0.0, 0.0, 5.0));
        Simulation::new(m, Settings::with_step(0.01)).unwrap();
    }
}

/// What its joint allows to rest rests: a rotor on the axis that its frame turns about.
#[test]
fn bodies_rest_where_their_joints_allow_it() {
    let text = format!(
        "[body.frame]\nshape = {{ box = [0.2, 0.2, 0.1] }}\nmass = 1\nangular_velocity = [0, 0, 5]\n\
         [body.rotor]\nshape = {{ cylinder = {{ radius = 0.1, height = 0.05 }} }}\nmass = 1\nposition = [0, 0, 0.2]\n\
         [joint.bearing]\nkind = \"revolute\"\nbetween = [\"frame\", \"rotor\"]\naxis = [0, 0, 1]\n{END}"
    );
    assert_twist(&model(&text), "rotor", v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.0));
}

#[test]
fn rates_that_follow_from_something_else_are_refused() {
    let both = arm("rate = 2", "", false).replace(
        "[body.upper]\n",
        "[body.upper]\nvelocity = [0, 0, 1]\nangular_velocity = [0, -2, 0]\n",
    );
    // Both may be given if they say the same.
    assert_twist(&model(&both), "upper", v(0.0, 0.0, 1.0), v(0.0, -2.0, 0.0));
    let told = refused(&both.replace("rate = 2", "rate = 2.1"));
    assert!(
        told.contains("shoulder") && told.contains("leave out its rate"),
        "{told}"
    );
    let ball = arm("", "rate = 1", false).replace(
        "[joint.elbow]\nkind = \"revolute\"",
        "[joint.elbow]\nkind = \"spherical\"",
    );
    let told = refused(&ball.replacen("axis = [0, -1, 0]\n", "", 1));
    assert!(told.contains("rate") && told.contains("revolute"), "{told}");
}

/// A crank of 0.1 m at 60° drives a slider along x by a rod of 0.3 m.
fn slider_crank(crank: &str, slide: &str) -> String {
    let (r, l, angle) = (0.1_f64, 0.3_f64, std::f64::consts::FRAC_PI_3);
    let pin = [r * angle.cos(), r * angle.sin()];
    let tilt = (pin[1] / l).asin();
    let end = pin[0] + l * tilt.cos();
    let middle = 0.5 * (pin[0] + end);
    format!(
        "[body.crank]\nshape = {{ box = [{r}, 0.02, 0.02] }}\nmass = 1\nposition = [{}, 0, {}]\n\
         rotation = [0, {}, 0]\n\
         [body.rod]\nshape = {{ box = [{l}, 0.02, 0.02] }}\nmass = 2\nposition = [{middle}, 0, {}]\n\
         rotation = [0, {tilt}, 0]\n\
         [body.slider]\nshape = {{ box = [0.05, 0.05, 0.05] }}\nmass = 0.5\nposition = [{end}, 0, 0]\n\
         [joint.shaft]\nkind = \"revolute\"\nbetween = [\"world\", \"crank\"]\nat = [0, 0, 0]\naxis = [0, -1, 0]\n{crank}\n\
         [joint.pin]\nkind = \"revolute\"\nbetween = [\"crank\", \"rod\"]\nat = [{}, 0, {}]\naxis = [0, -1, 0]\n\
         [joint.wrist]\nkind = \"revolute\"\nbetween = [\"rod\", \"slider\"]\nat = [{end}, 0, 0]\naxis = [0, -1, 0]\n\
         [joint.slide]\nkind = \"prismatic\"\nbetween = [\"world\", \"slider\"]\nat = [{end}, 0, 0]\naxis = [1, 0, 0]\n{slide}\n{END}",
        0.5 * pin[0],
        0.5 * pin[1],
        -angle,
        0.5 * pin[1],
        pin[0],
        pin[1],
    )
}

#[test]
fn loops_move_along_with_the_rate_of_one_joint() {
    // x = r cos φ + √(l² − r² sin² φ), differentiated.
    let (r, l, angle, rate) = (0.1_f64, 0.3_f64, std::f64::consts::FRAC_PI_3, 5.0);
    let (s, c) = angle.sin_cos();
    let speed = -rate * r * s * (1.0 + r * c / (l * l - r * r * s * s).sqrt());
    let driven = model(&slider_crank("rate = 5", ""));
    assert_twist(&driven, "slider", v(speed, 0.0, 0.0), v(0.0, 0.0, 0.0));
    let [_, spin] = twist(&driven, "crank");
    assert!((spin - v(0.0, -rate, 0.0)).norm() < 1e-13, "{spin}");
    // The other way round: the slide drives the crank.
    let pushed = model(&slider_crank("", &format!("rate = {speed:?}")));
    for name in ["crank", "rod"] {
        let apart = twist(&pushed, name)[0] - twist(&driven, name)[0];
        assert!(apart.norm() < 1e-13, "{name}: {apart}");
    }
    // Two rates that fit are taken, two that do not are refused.
    model(&slider_crank("rate = 5", &format!("rate = {speed:?}")));
    let torn = model(&slider_crank("rate = 5", "rate = 0.3"));
    let error = Simulation::new(torn, Settings::with_step(0.001)).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("does not fit its joints"), "{told}");
    // It runs, and the loop stays closed.
    let mut s = Simulation::new(driven, Settings::with_step(0.001)).unwrap();
    for _ in 0..50 {
        s.step().unwrap();
    }
    assert!(s.ledger().constraint_violation_max < 1e-12);
}
