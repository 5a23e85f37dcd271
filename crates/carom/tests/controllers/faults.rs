//! Wrong controllers are told with their place.

use std::sync::Arc;

use carom::scenario::Scenario;

use super::{CRAFT, SLIDER};

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
        (
            CRAFT,
            format!(
                "body = \"craft\"\n{pose}\ntarget = {{ dipole = {{ relative = \"dock\", speed = 1, moment = [-1, 0, 0] }} }}"
            ),
            "behind the dipole",
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
