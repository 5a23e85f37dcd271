//! What holds where a scenario file is silent: the contact law and the restitution.

use carom::model::Law;
use carom::scenario::{Scenario, ScenarioError};
use carom::simulate::Simulation;

const CUBE: &str = "[body.a]\nshape = { cube = 0.1 }\ndensity = 100\n";
const OTHER: &str = "[body.b]\nshape = { cube = 0.1 }\ndensity = 100\nposition = [0.1, 0, 0]\n";
const POST: &str =
    "[body.post]\nkind = \"static\"\nshape = { cube = 0.1 }\nposition = [0.3, 0, 0]\n";
const FLOOR: &str = "[halfspace.floor]\nnormal = [0, 0, 1]\npoint = [0, 0, -1]\n";
const HINGE: &str = "[joint.hinge]\nkind = \"revolute\"\nbetween = [\"a\", \"b\"]\n\
                     at = [0.05, 0, 0]\naxis = [0, 1, 0]\n";
const CART: &str = "[linkage.l]\nlinks.a = { slide = [1, 0], by = \"x\", mass = 1 }\n";

fn read(things: &str, simulate: &str) -> Result<Scenario, ScenarioError> {
    let text = format!("{things}[simulate]\nduration = 1\nstep = 0.01\n{simulate}");
    Scenario::parse("test.toml", &text)
}

#[test]
fn what_can_collide_does_so_unless_the_file_says_otherwise() {
    let bead =
        |name: &str, more: &str| format!("[body.{name}]\nkind = \"particle\"\nmass = 1\n{more}");
    let law = |things: &str| read(things, "").unwrap().settings.law;
    for (things, collides) in [
        (CUBE.to_string(), false),
        (format!("{CUBE}{FLOOR}"), true),
        (format!("{CUBE}{OTHER}"), true),
        (format!("{CUBE}{POST}"), true),
        (format!("{CUBE}{OTHER}{HINGE}"), false),
        (format!("{CUBE}{OTHER}{HINGE}collide = true\n"), true),
        (format!("{CUBE}{OTHER}{HINGE}limits = [-1, 1]\n"), true),
        (
            format!("{CUBE}{OTHER}[contact]\nexclude = [[\"a\", \"b\"]]\n"),
            false,
        ),
        (
            format!("{CUBE}{FLOOR}[contact]\nexclude = [[\"a\", \"floor\"]]\n"),
            false,
        ),
        (
            format!("{}{}", bead("a", ""), bead("b", "position = [1, 0, 0]\n")),
            false,
        ),
        (
            format!(
                "{}{}",
                bead("a", ""),
                bead("b", "radius = 0.1\nposition = [1, 0, 0]\n")
            ),
            true,
        ),
        (format!("{}{FLOOR}", bead("a", "")), true),
        (format!("{CART}coordinates.x = {{}}\n"), false),
        (
            format!("{CART}coordinates.x = {{ limits = [-1, 1] }}\n"),
            true,
        ),
    ] {
        let wanted = if collides { Law::EXACT } else { Law::None };
        assert_eq!(law(&things), wanted, "{things}");
    }
    let quiet = read(&format!("{CUBE}{FLOOR}"), "law = \"none\"\n").unwrap();
    assert_eq!(quiet.settings.law, Law::None);
    let plan = format!(
        "{CUBE}{FLOOR}[optimise]\nminimise = [{{ effort = 1.0 }}]\ncontrols.a = \"all\"\n\
         goal.a = {{ rest = true }}\n[[phase]]\nsteps = 5\nstep = 0.1\n"
    );
    let plan = Scenario::parse("test.toml", &plan).unwrap();
    assert_eq!(plan.settings.law, Law::None);
}

#[test]
fn restitution_is_one_without_friction_and_zero_with_it() {
    let steel = "[material.steel]\n";
    for (sections, materials, default) in [
        (steel.to_string(), 1.0, 1.0),
        (format!("{steel}[contact]\nfriction = 0.3\n"), 0.0, 0.0),
        (format!("{steel}friction = 0\n"), 0.0, 0.0),
        (
            format!("{steel}friction = 0.2\nrestitution = 0.7\n"),
            0.7,
            0.0,
        ),
        (
            format!("{steel}[contact]\nrestitution = 0.5\nfriction = 0.3\n"),
            0.0,
            0.5,
        ),
        (
            format!("{steel}[surface.s]\nbetween = [\"steel\", \"default\"]\nfriction = 0.4\n"),
            0.0,
            0.0,
        ),
    ] {
        let scenario = read(&format!("{CUBE}{sections}"), "").unwrap();
        let contact = &scenario.contact;
        let found = (
            contact.materials[0].restitution,
            contact.default.restitution,
        );
        assert_eq!(found, (materials, default), "{sections}");
    }
}

#[test]
fn what_ran_is_listed_by_pairs_of_materials() {
    let text = format!(
        "gravity = [0, 0, -10]\n{CUBE}material = \"steel\"\n{FLOOR}\
         [material.steel]\nrestitution = 0.5\nfriction = 0.2\n"
    );
    let scenario = read(&text, "").unwrap();
    let met = scenario.meetings(&scenario.build().unwrap());
    assert_eq!(met.len(), 1, "{met:?}");
    let met = &met[0];
    assert_eq!(met.law, Law::EXACT);
    assert_eq!((met.restitution, met.friction), (0.25, 0.1));
    assert!((met.rest_speed - 0.2).abs() < 1e-12);
    let apart = read(&text, "law = \"none\"\n").unwrap();
    assert!(apart.meetings(&apart.build().unwrap()).is_empty());
}

#[test]
fn a_static_body_and_what_is_fastened_to_it_or_excluded_do_not_collide() {
    let arm = "gravity = [0, 0, -9.81]\n\
               [body.arm]\nshape = { box = [0.4, 0.05, 0.05] }\ndensity = 100\nposition = [0.2, 0, 0]\n\
               [body.post]\nkind = \"static\"\nshape = { cube = 0.1 }\n";
    let hinge = "[joint.hinge]\nkind = \"revolute\"\nbetween = [\"post\", \"arm\"]\n\
                 at = [0, 0, 0]\naxis = [0, 1, 0]\n";
    for (rule, meet) in [
        ("", true),
        (hinge, false),
        ("[contact]\nexclude = [[\"arm\", \"post\"]]\n", false),
    ] {
        let scenario = read(&format!("{arm}{rule}"), "law = \"exact\"\n").unwrap();
        let model = scenario.build().unwrap();
        assert_eq!(scenario.start(&model).is_err(), meet, "{rule}");
        if !meet {
            let mut run = Simulation::new(model, scenario.settings.simulator()).unwrap();
            run.run(20).unwrap();
            assert!(run.events().is_empty(), "{rule}");
        }
    }
}
