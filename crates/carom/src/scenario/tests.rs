use super::{Options, Scenario};
use crate::simulate::Simulation;

const SIMULATE: &str = "\n[simulate]\nduration = 1\nstep = 0.01\n";
const BODY: &str = "[body.a]\nshape = { cube = 0.1 }\ndensity = 100\n";

fn fault(text: &str) -> String {
    let result = Scenario::parse("test.toml", text);
    match result.and_then(|scenario| scenario.build().map(|_| ())) {
        Ok(()) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// What geometry and the simulator refuse: what is wrong in the message, what to do as help.
#[test]
fn what_other_modules_refuse_has_its_fix_as_help() {
    let mass = "[body.a]\nmass = 1\n";
    for (text, reason, fix) in [
        (
            "[body.a]\nshape = { mesh = { file = \"no.stl\", units = \"mm\" } }\ndensity = 1\n",
            "cannot read no.stl: ",
            "the path is relative to the scenario file",
        ),
        (
            "[body.a]\nshape = { hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }\ndensity = 1\n",
            "the points lie in a plane",
            "give points that span a volume",
        ),
        (
            &format!("{mass}inertia = [1, 1, 5]\n"),
            "a principal moment is negative or larger than the sum of the others",
            "check the inertia",
        ),
    ] {
        let message = fault(&format!("{text}{SIMULATE}"));
        let (said, help) = message.split_once("\n  help: ").unwrap();
        assert!(said.contains(reason) && !said.contains(fix), "{message}");
        assert!(help.starts_with(fix), "{message}");
    }
    let text = format!("{mass}inertia = [1, 1, 1]\nangular_velocity = [0, 0, 400]\n{SIMULATE}");
    let scenario = Scenario::parse("test.toml", &text).unwrap();
    let model = scenario.build().unwrap();
    let start = scenario.start(&model).unwrap().state;
    let refused = Simulation::from_state(model, scenario.settings.simulator(), start)
        .and_then(|mut simulation| simulation.step().map(|_| ()));
    let message = scenario.place(&refused.unwrap_err()).to_string();
    assert!(
        message.contains("body \"a\" turns by 229 degrees"),
        "{message}"
    );
    assert!(message.contains("\n  help: take a step below"), "{message}");
}

/// Keys by the names that other programs use.
#[test]
fn other_words_are_understood() {
    let hinge = "[joint.j]\nkind = \"revolute\"\nbetween = [\"world\", \"a\"]\naxis = [0, 0, 1]\nrange = [0, 1]\n";
    for (text, meant) in [
        (hinge, "limits"),
        ("[actuator.m]\nbody = \"a\"\nat = [0, 0, 1]\n", "point"),
        ("[contact]\nmu = 0.3\n", "friction"),
        ("[body.b]\nshape = { ball = 0.1 }\nmass = 1\n", "sphere"),
    ] {
        let message = fault(&format!("{BODY}{text}{SIMULATE}"));
        assert!(
            message.contains(&format!("did you mean `{meant}`?")),
            "{message}"
        );
    }
}

#[test]
fn a_mistake_in_a_template_is_told_once() {
    for line in ["density = -500", "density = \"rho\"", "densty = 500"] {
        let template = format!("[template.t]\nshape = {{ cube = 1 }}\n{line}\n");
        let bodies = "[body.a]\nuse = \"t\"\n[body.b]\nuse = \"t\"\nposition = [2, 0, 0]\n";
        let text = format!("{template}{bodies}{SIMULATE}");
        let message = fault(&text);
        assert_eq!(message.matches("test.toml:3:").count(), 1, "{message}");
    }
}

/// Text, the place it must name, and words of the message.
#[test]
fn faults_have_place_message_and_fix() {
    for (text, place, words) in [
        ("", "test.toml", "empty"),
        ("nonsense", "test.toml:1:", "not valid TOML"),
        ("[body.a]\nmas = 3", "test.toml:2:1", "did you mean `mass`?"),
        (
            "[contact]\nlaw = \"exact\"",
            "test.toml:2:1",
            "write `law` in [simulate]",
        ),
        ("[bodi.a]", "test.toml:1:2", "did you mean `body`?"),
        (
            "[body.a]\nshape = { box = [1, 1] }",
            "test.toml:2:17",
            "write 3 numbers",
        ),
        (
            "[body.a]\nshape = { bax = [1, 1, 1] }\nmass = 1",
            "test.toml:2:11",
            "did you mean `box`?",
        ),
        (
            "[body.a]\nshape = { cube = 1, sphere = 1 }\nmass = 1",
            "test.toml:2:",
            "exclude each other",
        ),
        (
            "[body.a]\nshape = { cube = -1 }\nmass = 1",
            "test.toml:2:18",
            "positive",
        ),
        (
            "[body.a]\nmass = 1",
            "test.toml:1:7",
            "its mass is not known",
        ),
        (
            "[body.a]\nkind = \"particel\"",
            "test.toml:2:8",
            "did you mean `particle`?",
        ),
        (
            "[body.a]\nuse = \"b\"\n[template.c]",
            "test.toml:2:7",
            "no template `b`",
        ),
        (
            "[template.a]\nuse = \"a\"\n[body.b]\nuse = \"a\"",
            "test.toml:",
            "uses itself",
        ),
        (
            "[body.a]\nkind = \"particle\"\nmass = \"2*\"",
            "test.toml:3:11",
            "operand",
        ),
        (
            "[body.a]\nkind = \"particle\"\nmass = \"2 kg\"",
            "test.toml:3:11",
            "SI units",
        ),
        (
            "[body.a]\nkind = \"particle\"\nmass = \"m\"",
            "test.toml:3:9",
            "unknown name `m`",
        ),
        (
            "[body.a]\nkind = \"particle\"\nmass = nan",
            "test.toml:3:8",
            "finite",
        ),
        (
            "[body.a]\nkind = \"particle\"\nmass = true",
            "test.toml:3:8",
            "where a number is wanted",
        ),
        (
            "[body.a]\nmass = 1\ninertia = [1, 1, 1]\nrotation = [0, 90, 0]",
            "test.toml:4:12",
            "rotation_deg",
        ),
        (
            "[body.\"a b\"]\nmass = 1",
            "test.toml:1:7",
            "cannot be a name",
        ),
        (
            "[parameters]\na = \"b\"\nb = \"a\"",
            "test.toml:2:5",
            "depends on itself",
        ),
        (
            "[parameters]\npi = 3",
            "test.toml:2:1",
            "cannot be the name",
        ),
        ("format = 2", "test.toml:1:10", "format = 1"),
        (
            "[group.g]\nkind = \"particle\"\nmass = 1\nlayout = { line = { count = 1e12, step = [1, 0, 0] } }",
            "test.toml:4:29",
            "whole number",
        ),
        (
            "[group.g]\nkind = \"particle\"\nmass = 1\nlayout = { grid = { count = [9999, 9999, 1], step = [1, 1, 1] } }",
            "test.toml:4:29",
            "bodies",
        ),
        (
            "[group.g]\nkind = \"particle\"\nmass = 1\nlayout = { random = { count = 9, seed = 1, radius = 1, apart = 2 } }",
            "test.toml:4:",
            "no room",
        ),
    ] {
        let message = fault(&format!("{text}\n"));
        assert!(message.starts_with(place), "{message}\n-- wanted {place}");
        assert!(message.contains(words), "{message}\n-- wanted {words}");
        assert!(message.contains("help: "), "{message}");
    }
    for (text, words) in [
        ("[simulate]\nstep = 0.01", "how long"),
        ("[simulate]\nduration = 1e30\nstep = 0.01", "steps"),
        ("[simulate]\nduration = 1\nstep = 0", "greater than zero"),
        ("[simulate]\nduration = 1\nsteps = 3\nstep = 1", "exclude"),
        (
            "[simulate]\nduration = 1\nstep = 0.1\nlaw = \"exakt\"",
            "did you mean `exact`?",
        ),
        ("", "[simulate]"),
    ] {
        let message = fault(&format!("{BODY}{text}\n"));
        assert!(message.contains(words), "{message}\n-- wanted {words}");
    }
    for (text, words) in [
        (
            "[joint.j]\nkind = \"revolute\"\nbetween = [\"world\", \"b\"]\naxis = [0, 0, 1]",
            "no body `b`",
        ),
        (
            "[joint.j]\nkind = \"revolute\"\nbetween = [\"world\", \"a\"]",
            "`axis` is missing",
        ),
        (
            "[joint.j]\nkind = \"revolute\"\nbetween = [\"world\", \"a\"]\naxis = [0, 0, 0]",
            "must not be zero",
        ),
        ("[joint.j]\nknd = \"revolute\"", "did you mean `kind`?"),
        (
            "[joint.j]\nkind = \"fixed\"\nbetween = [\"a\", \"a\"]",
            "the same",
        ),
        (
            "[joint.j]\nkind = \"fixed\"\nbetween = [\"a\"]",
            "has 1 entries",
        ),
        ("[joint.j]\nrepeat = 1e9\nkind = \"fixed\"", "whole number"),
        (
            "[spring.s]\nbetween = [\"a\", \"world\"]\nstiffness = 1",
            "the point itself",
        ),
        (
            "[spring.s]\nbetween = [\"a\", [0, 0, 1]]\nstiffness = -1",
            "negative",
        ),
        ("[load.f]\nbody = \"a\"", "has no value"),
        (
            "[load.f]\nbody = \"a\"\nforce = [\"sin(s)\", 0, 0]",
            "unknown name `s`",
        ),
        (
            "[load.f]\nbody = \"a\"\nforce = { t = [0, 0], value = [[1, 1, 1], [1, 1, 1]] }",
            "rise",
        ),
        ("[actuator.f]\njoint = \"j\"", "no joint `j`"),
        ("[body.b]\nmass = 1\ninertia = [1, 1, 9]", "inertia"),
        ("[material.m]\nrestitution = 2", "0 to 1"),
        ("[contact]\nexclude = [[\"a\", \"c\"]]", "`c`"),
        (
            "[linkage.l]\ncoordinates.x = { start = 0 }\nlinks.a = { slide = [1, 0], by = \"y\" }",
            "no coordinate `y`",
        ),
        (
            "[body.a-1]\nmass = 1\ninertia = [1, 1, 1]\n[group.a]\nkind = \"particle\"\nmass = 1\nlayout = { line = { count = 1, step = [1, 0, 0] } }",
            "two bodies named",
        ),
    ] {
        let message = fault(&format!("{BODY}{text}\n{SIMULATE}"));
        assert!(message.contains(words), "{message}\n-- wanted {words}");
        assert!(message.starts_with("test.toml:"), "{message}");
    }
}

#[test]
fn overrides_point_at_the_argument() {
    let text = format!("[parameters]\nl = 1\n{BODY}{SIMULATE}");
    let read = |set: &str| {
        let options = Options {
            set: vec![set.into()],
            ..Options::default()
        };
        Scenario::parse_with("test.toml", &text, &options)
    };
    assert_eq!(read("l=0.3").unwrap().parameters["l"], 0.3);
    assert_eq!(
        read("l=2*pi").unwrap().parameters["l"],
        std::f64::consts::TAU
    );
    assert_eq!(read("simulate.steps=7").unwrap().settings.steps, 7);
    assert_eq!(read("simulate.step=0.1").unwrap().settings.steps, 10);
    for (set, words) in [
        ("k=1", "no parameter `k`"),
        ("l", "key=value"),
        ("=1", "not a key"),
        ("body.a.velocity=[1, 0]", "write 3 numbers"),
        ("simulate.stepp=1", "did you mean `step`?"),
        ("simulate=3", "section"),
    ] {
        let message = read(set).unwrap_err().to_string();
        assert!(message.contains("--set:1:"), "{message}");
        assert!(message.contains(words), "{message}\n-- wanted {words}");
    }
}

#[test]
fn variants_merge_replace_and_leave_out() {
    let text = format!(
        "{BODY}[spring.s]\nbetween = [\"a\", [0, 0, 1]]\nstiffness = 1\n{SIMULATE}\
         [variant.round]\nbody.a.shape = {{ sphere = 0.1 }}\nsimulate.steps = 5\n\
         [variant.free]\nwithout = [\"spring.s\"]\n"
    );
    let read = |variant: Option<&str>| {
        let options = Options {
            variant: variant.map(String::from),
            ..Options::default()
        };
        Scenario::parse_with("test.toml", &text, &options)
    };
    let plain = read(None).unwrap();
    assert_eq!((plain.settings.steps, plain.forces.len()), (100, 1));
    assert_eq!(plain.meta.variants, ["round", "free"]);
    assert_eq!(read(Some("round")).unwrap().settings.steps, 5);
    assert_eq!(read(Some("free")).unwrap().forces.len(), 0);
    let message = read(Some("rund")).unwrap_err().to_string();
    assert!(message.contains("did you mean `round`?"), "{message}");
}

#[test]
fn the_written_scenario_keeps_the_order_of_groups_and_bodies() {
    let text = format!(
        "[group.ring]\nlayout = {{ ring = {{ count = 3, radius = 1 }} }}\nshape = {{ cube = 0.1 }}\n\
                density = 1\n[body.b]\nshape = {{ cube = 0.1 }}\ndensity = 1\nposition = [0, 0, 1]\n\
                [group.row]\nlayout = {{ line = {{ count = 2, from = [0, 0, 2], step = [1, 0, 0] }} }}\n\
                shape = {{ cube = 0.1 }}\ndensity = 1\n[body.a]\nshape = {{ cube = 0.1 }}\ndensity = 1\n{SIMULATE}"
    );
    let names = |scenario: &Scenario| -> Vec<String> {
        let model = scenario.build().unwrap();
        model.bodies().iter().map(|b| b.name.clone()).collect()
    };
    let first = Scenario::parse("s.toml", &text).unwrap();
    let second = Scenario::parse("s.toml", &first.to_toml(&|name| name.into())).unwrap();
    assert_eq!(names(&first).len(), 7);
    assert_eq!(names(&first), names(&second));
}

#[test]
fn the_written_scenario_reads_back_the_same() {
    let text = format!(
        "title = \"quotes \\\" and \\\\ and\\nlines\"\n[parameters]\nl = \"1/3\"\n\
         [group.g]\nmass = 1\ninertia = [1, 1, 1]\nposition = [\"x\", \"i*l\", 1e-17]\n\
         layout = {{ ring = {{ count = 3, radius = 2 }} }}\n{SIMULATE}\
         [variant.v]\nparameters.l = 0.1\n"
    );
    let options = Options {
        variant: Some("v".into()),
        set: vec!["simulate.step=0.02".into()],
        ..Options::default()
    };
    let first = Scenario::parse_with("test.toml", &text, &options).unwrap();
    let written = first.to_toml(&|name| name.into());
    let second = Scenario::parse("scenario.toml", &written).unwrap();
    assert_eq!(written, second.to_toml(&|name| name.into()));
    assert_eq!(first.meta.name, second.meta.name);
    assert_eq!(second.meta.variant.as_deref(), Some("v"));
    assert_eq!(first.settings, second.settings);
    for (a, b) in first.bodies.iter().zip(&second.bodies) {
        assert_eq!(a.spec.start(), b.spec.start());
    }
}

#[test]
fn random_numbers_depend_on_seed_member_and_field_only() {
    let read = |count: usize, seed: u32| {
        let text = format!(
            "[group.g]\nkind = \"particle\"\nmass = 1\n\
             layout = {{ line = {{ count = {count}, step = [1, 0, 0] }} }}\n\
             position = {{ random = {{ seed = {seed}, radius = 1 }} }}\n{SIMULATE}"
        );
        let scenario = Scenario::parse("test.toml", &text).unwrap();
        let positions = scenario.bodies.iter().map(|b| b.spec.start().position);
        positions.collect::<Vec<_>>()
    };
    assert_eq!(read(2, 1)[..], read(5, 1)[..2]);
    assert_ne!(read(2, 1)[0], read(2, 1)[1]);
    assert_ne!(read(2, 1)[0], read(2, 2)[0]);
    assert!(read(50, 3).iter().all(|p| p.norm() <= 1.0));
}

#[test]
fn planar_bodies_turn_by_random_numbers() {
    let text = format!(
        "[group.g]\nplanar = true\nmass = 1\ninertia = 1\n\
         layout = {{ line = {{ count = 20, step = [1, 0] }} }}\n\
         rotation = {{ random = {{ seed = 1, from = 0.1, to = 0.2 }} }}\n\
         angular_velocity = {{ random = {{ seed = 2, from = -2, to = -1 }} }}\n{SIMULATE}"
    );
    let scenario = Scenario::parse("test.toml", &text).unwrap();
    let mut angles: Vec<f64> = (scenario.bodies.iter())
        .map(|b| {
            let d = b.spec.start().directors;
            d[(1, 0)].atan2(d[(0, 0)])
        })
        .collect();
    assert!(angles.iter().all(|a| (0.1..0.2).contains(a)), "{angles:?}");
    angles.dedup();
    assert_eq!(angles.len(), 20);
    let model = scenario.build().unwrap();
    assert_eq!(model.freedom(), 60);
}
