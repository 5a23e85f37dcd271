//! Surfaces: friction that depends on the direction, materials of parts, what collides with what.

use carom::scenario::Scenario;
use carom::simulate::Simulation;
use nalgebra::Vector3;

use super::shared::{G, start};

fn refusal(text: &str) -> String {
    match Scenario::parse("test.toml", text).and_then(|s| s.build().map(|_| ())) {
        Ok(()) => panic!("it was taken"),
        Err(error) => error.to_string(),
    }
}

fn place(run: &Simulation, name: &str) -> Vector3<f64> {
    let k = run.model().find_body(name).unwrap().index();
    run.state().poses[k].position
}

fn velocity(run: &Simulation, name: &str) -> Vector3<f64> {
    let k = run.model().find_body(name).unwrap().index();
    run.twists()[k].v
}

/// A flat box that slides on a floor of the default material, with the surfaces named.
fn sledge(surfaces: &str, velocity: [f64; 2], rotation: f64, law: &str) -> String {
    let [x, y] = velocity;
    format!(
        "gravity = [0, 0, -9.81]\n{surfaces}\n[halfspace.floor]\nnormal = [0, 0, 1]\nmaterial = \"floor\"\n\
         [body.box]\nshape = {{ box = [0.3, 0.3, 0.02] }}\nmass = 2\nposition = [0, 0, 0.01]\n\
         rotation_deg = [0, 0, {rotation}]\nvelocity = [{x}, {y}, 0]\nmaterial = \"wood\"\n\
         [simulate]\nduration = 1\nstep = 0.001\nlaw = \"{law}\"\n"
    )
}

const WOOD: &str = "[material.wood]\nfriction = [0.1, 0.4]\ngrain = [1, 0, 0]\nrestitution = 0\n\
                    [material.floor]\nfriction = 0.2\nrestitution = 0\n";

#[test]
fn friction_along_the_grain_and_across_it() {
    for law in ["exact", "decomposition"] {
        // The mean with 0.2 of the floor: 0.15 along, 0.3 across; the grain turns with the body.
        for (velocity_at_start, rotation, friction) in [
            ([1.0, 0.0], 0.0, 0.15),
            ([0.0, 1.0], 0.0, 0.3),
            ([1.0, 0.0], 90.0, 0.3),
            ([0.0, 1.0], 90.0, 0.15),
        ] {
            let mut run = start(&sledge(WOOD, velocity_at_start, rotation, law));
            run.run(200).unwrap();
            let v = velocity(&run, "box");
            let left = 1.0 - friction * G * 0.2;
            let wanted = Vector3::new(velocity_at_start[0], velocity_at_start[1], 0.0) * left;
            assert!((v - wanted).norm() < 1e-9, "{law} {rotation} {v} {wanted}");
            assert!(run.ledger().contact_energy < 0.0);
        }
    }
}

#[test]
fn what_slides_askew_follows_the_ellipse() {
    // Greatest dissipation: v̇ᵢ = −g μᵢ² vᵢ/|(μ₁ v₁, μ₂ v₂)|, so that v₁ goes with v₂ to the power (μ₁/μ₂)².
    let mut run = start(&sledge(WOOD, [1.0, 1.0], 0.0, "exact"));
    let (along, across) = (0.15, 0.3);
    let (mut x, mut y, parts) = (1.0_f64, 1.0_f64, 200);
    for _ in 0..200 {
        run.step().unwrap();
        for _ in 0..parts {
            let size = (along * x).hypot(across * y);
            let h = 0.001 / f64::from(parts);
            x -= h * G * along * along * x / size;
            y -= h * G * across * across * y / size;
        }
    }
    let v = velocity(&run, "box");
    assert!(
        (v.x - x).abs() < 1e-4 && (v.y - y).abs() < 1e-4,
        "{v} {x} {y}"
    );
    let power = v.x.ln() / v.y.ln();
    assert!((power - 0.25).abs() < 1e-3, "{power}");
    assert!(v.z.abs() < 1e-10);
}

#[test]
fn a_skate_glides_along_its_blade_and_holds_across() {
    let blade = "[material.wood]\nfriction = [0, 1]\ngrain = [0.8, 0.6, 0]\nrestitution = 0\n\
                 [material.floor]\nfriction = 1\nrestitution = 0\n[contact]\ncombine = { friction = \"min\" }\n";
    let mut run = start(&sledge(blade, [0.8, 0.6], 0.0, "exact"));
    run.run(1000).unwrap();
    let v = velocity(&run, "box");
    assert!((v - Vector3::new(0.8, 0.6, 0.0)).norm() < 1e-9, "{v}");
    // Down a slope of 20° across the blade it stays; along the blade it falls freely.
    let slope = blade.replace("[contact]", "[contact]\nrestitution = 0");
    let text = sledge(&slope, [0.0, 0.0], 0.0, "exact");
    let pull = 20f64.to_radians().sin() * G;
    let press = 20f64.to_radians().cos() * G;
    for (direction, moves) in [([-0.6, 0.8], false), ([0.8, 0.6], true)] {
        let [x, y] = direction.map(|c| c * pull);
        let tilted = text.replace("[0, 0, -9.81]", &format!("[{x}, {y}, {}]", -press));
        let mut run = start(&tilted);
        run.run(300).unwrap();
        let went = place(&run, "box") - Vector3::z() * 0.01;
        let wanted = if moves { 0.5 * pull * 0.09 } else { 0.0 };
        assert!((went.norm() - wanted).abs() < 1e-9, "{went} {wanted}");
    }
}

#[test]
fn static_friction_has_a_grain_too() {
    let held = "[material.wood]\nfriction = [0.1, 0.2]\nstatic_friction = [0.3, 0.5]\ngrain = [1, 0, 0]\nrestitution = 0\n\
                [material.floor]\nfriction = 0\nrestitution = 0\n[contact]\ncombine = { friction = \"max\" }\n";
    let text = sledge(held, [0.0, 0.0], 0.0, "exact");
    // tan of the slope against the static coefficients; what slides is slowed by the others.
    for (axis, slope, slides) in [
        (0, 0.29, None),
        (0, 0.31, Some(0.1)),
        (1, 0.49, None),
        (1, 0.51, Some(0.2)),
    ] {
        let (sin, cos) = (f64::atan(slope).sin(), f64::atan(slope).cos());
        let mut gravity = [0.0, 0.0, -G * cos];
        gravity[axis] = G * sin;
        let mut run = start(&text.replace("[0, 0, -9.81]", &format!("{gravity:?}")));
        run.run(300).unwrap();
        let v = velocity(&run, "box")[axis];
        let wanted = slides.map_or(0.0, |mu| (G * sin - mu * G * cos) * 0.3);
        assert!(
            (v - wanted).abs() < 0.01 * wanted + 1e-9,
            "{axis} {slope} {v} {wanted}"
        );
    }
}

#[test]
fn an_impact_rubs_along_the_grain() {
    // The impulse across is Coulomb's limit in the ellipse: a puck that comes down sliding fast.
    let mut run = start(
        "[material.m]\nfriction = [0.05, 0.2]\ngrain = [1, 0, 0]\nrestitution = 0\n\
         [halfspace.floor]\nnormal = [0, 0, 1]\nmaterial = \"m\"\n\
         [body.bead]\nkind = \"particle\"\nmass = 3\nradius = 0.1\nposition = [0, 0, 0.15]\nvelocity = [2, 2, -1]\n\
         [simulate]\nduration = 0.1\nstep = 0.01\n[contact]\nfriction = 0\nrestitution = 0\ncombine = { friction = \"max\" }\n",
    );
    run.run(10).unwrap();
    let v = velocity(&run, "bead");
    // λ = (μ₁² v₁, μ₂² v₂)/|(μ₁ v₁, μ₂ v₂)|, at the velocity after it: a fixed point.
    let (a, b) = (0.05, 0.2);
    let size = (a * v.x).hypot(b * v.y);
    let wanted = [2.0 - a * a * v.x / size, 2.0 - b * b * v.y / size];
    assert!(
        (v.x - wanted[0]).abs() < 1e-10 && (v.y - wanted[1]).abs() < 1e-10,
        "{v} {wanted:?}"
    );
}

#[test]
fn parts_have_materials_of_their_own() {
    // Rubber below, steel above: a block rebounds by what it falls on.
    for (turn, restitution) in [(0.0, 0.8), (180.0, 0.3)] {
        for law in ["exact", "decomposition"] {
            let mut run = start(&format!(
                "[material.rubber]\nrestitution = 0.8\n[material.steel]\nrestitution = 0.3\n\
                 [halfspace.floor]\nnormal = [0, 0, 1]\n[contact]\ncombine = {{ restitution = \"min\" }}\n\
                 [body.block]\nparts = [{{ shape = {{ box = [0.2, 0.2, 0.1] }}, position = [0, 0, -0.05], material = \"rubber\" }},\n\
                 {{ shape = {{ box = [0.2, 0.2, 0.1] }}, position = [0, 0, 0.05], material = \"steel\" }}]\ndensity = 1000\n\
                 position = [0, 0, 0.15]\nrotation_deg = [{turn}, 0, 0]\nvelocity = [0, 0, -1]\n\
                 [simulate]\nduration = 0.1\nstep = 0.01\nlaw = \"{law}\"\n"
            ));
            run.run(10).unwrap();
            let v = velocity(&run, "block").z;
            assert!((v - restitution).abs() < 1e-9, "{law} {turn} {v}");
        }
    }
}

#[test]
fn feet_rub_by_their_own_materials() {
    // Both feet carry half; one rubs with 0.4, one with 0.2: it turns, and its middle slows by their mean.
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[material.rubber]\nfriction = 0.4\n[material.felt]\nfriction = 0.2\n\
         [halfspace.floor]\nnormal = [0, 0, 1]\n[contact]\nfriction = 0\nrestitution = 0\ncombine = { friction = \"max\" }\n\
         [body.bar]\nparts = [{ shape = { sphere = 0.01 }, position = [0, 0.5, 0], material = \"rubber\" },\n\
         { shape = { sphere = 0.01 }, position = [0, -0.5, 0], material = \"felt\" }]\n\
         mass = 1\ninertia = [1000, 1000, 1000]\nposition = [0, 0, 0.01]\nvelocity = [1, 0, 0]\n\
         [simulate]\nduration = 0.1\nstep = 0.001\n",
    );
    run.run(100).unwrap();
    let v = velocity(&run, "bar").x;
    let wanted = 1.0 - 0.3 * G * 0.1;
    assert!((v - wanted).abs() < 1e-4, "{v} {wanted}");
}

#[test]
fn bodies_collide_with_what_they_name() {
    let mut run = start(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[contact]\nrestitution = 0\n\
         [body.table]\nkind = \"static\"\nshape = { box = [2, 2, 0.1] }\nposition = [0, 0, 0.5]\n\
         [body.ghost]\nshape = { sphere = 0.05 }\nmass = 1\nposition = [0, 0, 0.7]\ncollides_with = [\"floor\"]\n\
         [body.ball]\nshape = { sphere = 0.05 }\nmass = 1\nposition = [0, 0, 0.85]\n\
         [group.dust]\nshape = { sphere = 0.01 }\nmass = 0.1\ncollides_with = [\"dust\", \"table\"]\n\
         layout = { line = { count = 2, from = [0.5, 0, 0.7], step = [0, 0, 0.1] } }\n\
         [body.loose]\nshape = { sphere = 0.05 }\nmass = 1\nposition = [0.8, 0, 0.7]\ncollides_with = []\n\
         [simulate]\nduration = 1\nstep = 0.002\n",
    );
    run.run(500).unwrap();
    // Through the table and the ball above it, to the floor.
    assert!((place(&run, "ghost").z - 0.05).abs() < 1e-6);
    assert!((place(&run, "ball").z - 0.6).abs() < 1e-6);
    assert!((place(&run, "dust-1").z - 0.56).abs() < 1e-6);
    assert!((place(&run, "dust-2").z - 0.58).abs() < 1e-6);
    assert!((place(&run, "loose").z - (0.7 - 0.5 * G)).abs() < 1e-6);
}

/// What sticks to a belt would stand still on it.
#[test]
fn belts_and_the_plastic_law_exclude_each_other() {
    let text = "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\nbelt = { velocity = [0.8, 0, 0] }\n\
         [body.box]\nshape = { cube = 0.2 }\nmass = 1\nposition = [0, 0, 0.1]\n\
         [simulate]\nduration = 1\nstep = 0.01\nlaw = \"plastic\"\n";
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    let refused = Simulation::new(model, scenario.settings.simulator()).map(|_| ());
    let said = refused.expect_err("it was taken").to_string();
    assert!(said.contains("\"floor\" has a belt"), "{said}");
}

#[test]
fn mistakes_are_named() {
    let body = "[body.a]\nshape = { cube = 1 }\ndensity = 1\n";
    let run = "[simulate]\nduration = 1\nstep = 0.1\n";
    let cases = [
        (
            "[material.m]\nfriction = [0.1, 0.2]\n",
            vec!["material.m.friction", "grain = [1, 0, 0]"],
        ),
        (
            "[material.m]\nfriction = [0.1]\ngrain = [1, 0, 0]\n",
            vec!["1 number", "across"],
        ),
        (
            "[material.m]\nfriction = 0.1\ngrain = [1, 0, 0]\n",
            vec!["the same along it"],
        ),
        (
            "[material.m]\nfriction = [0.1, 0.2]\ngrain = [1, 0, 0]\nstatic_friction = [0.05, 0.3]\n",
            vec!["0.05", "less than the friction 0.1"],
        ),
        (
            "[material.m]\nfriction = [0.1, 0.2]\ngrain = [1, 0, 0]\n\
             [material.n]\nfriction = [0.1, 0.2]\ngrain = [1, 0, 0]\n[contact]\ncombine = { friction = \"max\" }\n",
            vec!["material.n", "mean"],
        ),
    ];
    for (text, parts) in cases {
        let message = refusal(&format!("{body}{text}{run}"));
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    }
    let named =
        format!("{body}collides_with = [\"flor\"]\n[halfspace.floor]\nnormal = [0, 0, 1]\n{run}");
    let message = refusal(&named);
    assert!(
        message.contains("body.a.collides_with") && message.contains("floor"),
        "{message}"
    );
    let part = "[body.a]\nparts = [{ shape = { cube = 1 }, material = \"glas\" }]\ndensity = 1\n[material.glass]\nfriction = 1\n";
    let message = refusal(&format!("{part}{run}"));
    assert!(message.contains("no material `glas`"), "{message}");
}

#[test]
fn first_guesses_are_answered() {
    let run = "[simulate]\nduration = 1\nstep = 0.1\n";
    for (line, wanted) in [
        ("static = true", "kind = \"static\""),
        ("fixed = true", "kind = \"static\""),
        ("mass = inf", "kind = \"static\""),
        ("mass = \"inf\"", "kind = \"static\""),
        ("kind = \"fixed\"", "kind = \"static\""),
        ("dynamic = false", "kind = \"static\""),
        ("friction = 0.5", "[material.rubber]"),
        ("restitution = 0.5", "[material.rubber]"),
        ("pos = [0, 0, 1]", "position = "),
        ("kind = \"soft\"", "elastic = "),
        ("kind = \"static\"\nvelocity = [1, 0, 0]", "motion = "),
    ] {
        let message = refusal(&format!(
            "[body.a]\nshape = {{ cube = 1 }}\ndensity = 1\n{line}\n{run}"
        ));
        assert!(
            message.contains(wanted) && message.contains("body.a"),
            "{line}: {message}"
        );
        assert!(!message.contains("did you mean"), "{message}");
    }
}
