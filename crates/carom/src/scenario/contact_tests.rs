use super::{Options, Scenario, ScenarioError};
use crate::contact::JumpRule;
use crate::model::{Combine, EnergyCondition, Hold, JumpForm, Law, Release};

/// Two steel cubes, a rubber one and a bead of no material above a floor.
const THINGS: &str = "\
[material.steel]\nrestitution = 0.9\nfriction = 0.2\n\
[material.rubber]\nrestitution = 0.5\nfriction = 0.8\n\
[halfspace.floor]\nnormal = [0, 0, 2]\npoint = [5, 5, 1]\nmaterial = \"rubber\"\n\
[group.row]\nshape = { cube = 0.1 }\ndensity = 100\nmaterial = \"steel\"\n\
layout = { line = { count = 2, from = [0, 0, 2], step = [1, 0, 0] } }\n\
[body.soft]\nshape = { cube = 0.1 }\ndensity = 100\nposition = [0, 3, 2]\nmaterial = \"rubber\"\n\
[body.bead]\nkind = \"particle\"\nmass = 1\nradius = 0.1\nposition = [0, 0, 5]\n";

/// What the laws want that know neither restitution nor friction.
const SMOOTH: [&str; 5] = [
    "material.steel.restitution=1",
    "material.steel.friction=0",
    "material.rubber.restitution=1",
    "material.rubber.friction=0",
    "contact.restitution=1",
];

fn read(text: &str, variant: Option<&str>, set: &[&str]) -> Result<Scenario, ScenarioError> {
    let options = Options {
        variant: variant.map(String::from),
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    let scenario = Scenario::parse_with("test.toml", text, &options)?;
    scenario.build()?;
    Ok(scenario)
}

fn simulate(keys: &str) -> String {
    format!("{THINGS}[simulate]\nduration = 1\nstep = 0.01\n{keys}\n")
}

fn law(keys: &str) -> Law {
    read(&simulate(keys), None, &SMOOTH).unwrap().settings.law
}

#[test]
fn laws_and_their_parameters_are_read() {
    assert_eq!(law(""), Law::EXACT);
    assert_eq!(law("law = \"none\""), Law::None);
    assert_eq!(law("law = \"exact\""), Law::EXACT);
    assert_eq!(law("law = \"decomposition\""), Law::DECOMPOSITION);
    assert_eq!(law("law = \"plastic\""), Law::PLASTIC);
    assert_eq!(
        law("law = \"potential\"\nstiffness = \"2*50\"\ndrag = 3"),
        Law::Potential {
            stiffness: 100.0,
            drag: 3.0
        }
    );
    assert_eq!(
        law("law = \"exact\"\nenergy = \"hamiltonian\"\njump = \"null-space\""),
        Law::Exact {
            condition: EnergyCondition::Hamiltonian,
            form: JumpForm::NullSpace
        }
    );
    assert_eq!(
        law("law = \"decomposition\"\npotential_term = true\nbuffer = 2"),
        Law::Decomposition {
            potential_term: true,
            buffer: 2.0,
            projected: false
        }
    );
    assert_eq!(
        law("law = \"plastic\"\nhold = \"patch\"\nrelease = \"subintervals\""),
        Law::Plastic {
            hold: Hold::Patch,
            release: Release::Subintervals
        }
    );
    let text = simulate("law = \"exact\"\nsimultaneous = \"sequential\"\nrest_speed = 0.01");
    let settings = read(&text, None, &[]).unwrap().settings.simulator();
    assert_eq!(settings.rule, JumpRule::Sequential);
    assert_eq!(settings.rest_speed, Some(0.01));
    assert_eq!(settings.law, Law::EXACT);
}

#[test]
fn a_variant_that_changes_the_law_need_not_undo_the_other_laws_keys() {
    let text = simulate(
        "law = \"potential\"\nstiffness = 1e4\ndrag = 2\n\
         [surface.s]\nbetween = [\"steel\", \"rubber\"]\nlaw = \"plastic\"\nhold = \"slip\"\n\
         [variant.cut]\nsimulate.law = \"exact\"\n\
         [variant.stiff]\nsimulate = { law = \"potential\", stiffness = 1e6 }\n\
         [variant.wrong]\nsimulate = { drag = 1, law = \"exact\" }\n\
         [variant.forgot]\nsimulate.energy = \"discrete\"\n\
         [variant.glued]\nsurface.s.law = \"exact\"\n",
    );
    let law = |variant| {
        read(&text, variant, &SMOOTH)
            .map(|s| s.settings.law)
            .map_err(|e| e.to_string())
    };
    let soft = |stiffness| Law::Potential {
        stiffness,
        drag: 2.0,
    };
    assert_eq!(law(None), Ok(soft(1e4)));
    assert_eq!(law(Some("cut")), Ok(Law::EXACT));
    assert_eq!(law(Some("stiff")), Ok(soft(1e6)));
    assert_eq!(law(Some("glued")), Ok(soft(1e4)));
    let message = law(Some("wrong")).unwrap_err();
    assert!(message.contains("simulate.drag: belongs to"), "{message}");
    let message = law(Some("forgot")).unwrap_err();
    assert!(
        message.contains("law \"exact\", not to \"potential\""),
        "{message}"
    );
    // The same from the command line; the complete scenario reads back.
    let set = read(&text, None, &["simulate.law=decomposition"]).unwrap();
    assert_eq!(set.settings.law, Law::DECOMPOSITION);
    let written = set.to_toml(&|name| name.into());
    assert!(!written.contains("stiffness"), "{written}");
    assert_eq!(read(&written, None, &[]).unwrap().settings, set.settings);
    let message = read(&text, Some("cut"), &["simulate.law=potential"]);
    let message = message.unwrap_err().to_string();
    assert!(message.contains("`stiffness` is missing"), "{message}");
}

#[test]
fn half_spaces_materials_surfaces_and_exclusions_reach_the_model() {
    let text = simulate(
        "law = \"exact\"\n\
         [contact]\nrestitution = 0.7\nfriction = 0.1\n\
         combine = { restitution = \"min\", friction = \"geometric\" }\n\
         exclude = [[\"row\", \"soft\"], [\"bead\", \"floor\"]]\n\
         groups.quiet = [\"row\", \"bead\", \"floor\"]\n\
         [surface.hot]\nbetween = [\"rubber\", \"steel\"]\nfriction = 0.05\n\
         law = \"plastic\"\n\
         [surface.bare]\nbetween = [\"default\", \"default\"]\nrestitution = 0.25\n",
    );
    let model = read(&text, None, &[]).unwrap().build().unwrap();
    let contact = model.contact();
    let floor = &contact.walls[0];
    assert_eq!(floor.name, "floor");
    assert_eq!(floor.half_space.normal().as_slice(), [0.0, 0.0, 1.0]);
    assert_eq!(floor.half_space.offset(), 1.0);
    assert_eq!(contact.default.restitution, 0.7);
    assert_eq!(contact.combine_restitution, Combine::Least);
    let hot = contact.between(Some("steel"), Some("rubber"));
    assert_eq!((hot.restitution, hot.friction), (0.5, 0.05));
    assert_eq!(hot.law, Some(Law::PLASTIC));
    assert_eq!(contact.between(None, None).restitution, 0.25);
    let steel = contact.between(Some("steel"), None);
    assert_eq!(steel.restitution, 0.7);
    assert!((steel.friction - 0.02f64.sqrt()).abs() < 1e-15);
    // By name: both of the row against the soft one; the row, the bead and the floor together.
    let name = |id| model.body(id).name.clone();
    let mut pairs: Vec<String> = (contact.excluded.iter())
        .map(|pair| {
            let mut names = pair.map(name);
            names.sort();
            names.join(" ")
        })
        .chain((contact.excluded_walls.iter()).map(|(b, w)| format!("{} | {w}", name(*b))))
        .collect();
    pairs.sort();
    pairs.dedup();
    assert_eq!(
        pairs,
        [
            "bead row-1",
            "bead row-2",
            "bead | 0",
            "row-1 row-2",
            "row-1 soft",
            "row-1 | 0",
            "row-2 soft",
            "row-2 | 0",
        ]
    );
}

/// Keys, the place they must name, and words of the message.
#[test]
fn faults_of_contact_have_place_message_and_fix() {
    let between = "between = [\"steel\", \"rubber\"]\n";
    for (keys, field, words) in [
        ("law = \"exakt\"", "simulate.law", "did you mean `exact`?"),
        ("law = \"potential\"", "simulate", "`stiffness` is missing"),
        (
            "law = \"potential\"\nstiffness = 0",
            "simulate.stiffness",
            "greater than zero",
        ),
        (
            "law = \"potential\"\nstiffness = 1\ndrag = -1",
            "simulate.drag",
            "must not be negative",
        ),
        (
            "law = \"exact\"\nstiffness = 1",
            "simulate.stiffness",
            "belongs to the contact law \"potential\"",
        ),
        ("hold = \"stick\"", "simulate.hold", "add law = \"plastic\""),
        (
            "law = \"exact\"\nenergy = \"hamilton\"",
            "simulate.energy",
            "did you mean `hamiltonian`?",
        ),
        (
            "law = \"decomposition\"\npotential_term = 1",
            "simulate.potential_term",
            "true or false",
        ),
        (
            "law = \"decomposition\"\nbufer = 1",
            "simulate",
            "did you mean `buffer`?",
        ),
        (
            "simultaneous = \"all\"",
            "simulate.simultaneous",
            "choose from poisson, sequential, sum",
        ),
        ("rest_speed = -1", "simulate.rest_speed", "negative"),
        ("separate = 1", "simulate.separate", "true or false"),
        (
            "max_unsettled = -1",
            "simulate.max_unsettled",
            "whole number from 0",
        ),
        (
            "law = \"exact\"\nenergy = \"discrete\"",
            "simulate.energy",
            "needs restitution 1",
        ),
        (
            "law = \"exact\"\nenergy = \"discrete\"\n\
             [surface.s]\nbetween = [\"steel\", \"rubber\"]\nrestitution = 1\n\
             [surface.t]\nbetween = [\"steel\", \"steel\"]\nrestitution = 1",
            "simulate.energy",
            "needs friction 0, but between the materials `steel` and `steel` it is 0.2",
        ),
        (
            "law = \"potential\"\nstiffness = 1e4",
            "simulate.law",
            "restitution = 1, and beside stiffness a drag",
        ),
        (
            "law = \"exact\"\n[surface.s]\nbetween = [\"steel\", \"rubber\"]\n\
             restitution = 1\nlaw = \"potential\"\nstiffness = 1e4",
            "surface.s.law",
            "needs friction 0",
        ),
        ("[surface.s]\n", "surface.s", "`between` is missing"),
        (
            "[surface.s]\nbetween = [\"steel\", \"ruber\"]",
            "surface.s.between[1]",
            "did you mean `rubber`?",
        ),
        (
            "[surface.s]\nbetween = [\"steel\"]",
            "surface.s.between",
            "has 1 name",
        ),
        (
            &format!("[surface.s]\n{between}"),
            "surface.s",
            "says nothing",
        ),
        (
            &format!("[surface.s]\n{between}restitution = 2"),
            "surface.s.restitution",
            "0 to 1",
        ),
        (
            &format!("[surface.s]\n{between}drag = 2"),
            "surface.s.drag",
            "no law is chosen",
        ),
        (
            &format!("[surface.s]\n{between}law = \"exact\"\nenergy = \"discrete\""),
            "surface.s.energy",
            "between the materials",
        ),
        (
            &format!(
                "[surface.s]\n{between}friction = 1\n\
                 [surface.t]\nbetween = [\"rubber\", \"steel\"]\nfriction = 2"
            ),
            "surface.t.between",
            "`surface.s` is between the same",
        ),
        (
            "[material.default]\nfriction = 1",
            "material.default",
            "under [contact]",
        ),
        (
            "[contact]\nexclude = [[\"row\", \"flor\"]]",
            "contact.exclude[0][1]",
            "did you mean `floor`?",
        ),
        (
            "[contact]\ngroups.a = [\"rows\"]",
            "contact.groups.a[0]",
            "did you mean",
        ),
        (
            "[halfspace.far]\nnormal = [1, 1, 1]\npoint = [1.7e308, 1.7e308, 1.7e308]",
            "halfspace.far",
            "of usual size",
        ),
    ] {
        let message = match read(&simulate(keys), None, &[]) {
            Ok(_) => panic!("accepted:\n{keys}"),
            Err(error) => error.to_string(),
        };
        assert!(message.starts_with("test.toml:"), "{message}");
        assert!(
            message.contains(&format!(": {field}: ")),
            "{message}\n-- wanted {field}"
        );
        assert!(message.contains(words), "{message}\n-- wanted {words}");
        assert!(message.contains("help: "), "{message}");
    }
}

#[test]
fn discrete_energy_minds_only_what_can_meet() {
    let scenario = |things: &str| {
        format!(
            "{things}[material.soft]\nrestitution = 0.5\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
             [simulate]\nduration = 1\nstep = 0.01\nlaw = \"exact\"\nenergy = \"discrete\"\n"
        )
    };
    let bead = "[body.a]\nkind = \"particle\"\nmass = 1\n";
    let pad = "[body.pad]\nkind = \"static\"\nshape = { cube = 1 }\nmaterial = \"soft\"\n";
    let cart = "[contact]\nrestitution = 0.5\n[linkage.l]\nlinks.a = { slide = [1, 0], by = \"x\", mass = 1 }\n";
    for (things, sound) in [
        (bead.to_string(), true),
        (format!("{bead}{pad}"), false),
        (format!("{bead}material = \"default\"\n"), true),
        (format!("{bead}material = \"soft\"\n"), false),
        (format!("{cart}coordinates.x = {{}}\n"), true),
        (
            format!("{cart}coordinates.x = {{ limits = [-1, 1] }}\n"),
            false,
        ),
    ] {
        let read = read(&scenario(&things), None, &[]);
        assert_eq!(read.is_ok(), sound, "{things}\n{:?}", read.err());
    }
}
