//! Controllers of scenario files: what they do to the motion, to the record, and to wrong input.

mod faults;
mod joints;
mod plans;
mod poses;

use std::sync::Arc;

use carom::control::Feedback;
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
