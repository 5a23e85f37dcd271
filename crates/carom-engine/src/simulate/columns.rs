//! Quantities of a run that have a name, with unit, frame and meaning: the columns of recorded frames, and what
//! controllers and measures look at.

use serde::Serialize;

use super::force_columns::ForceColumns;
use super::node_columns::NodeColumns;
use super::sensor_columns::SensorColumns;
use super::{PairImpulse, Reaction, Simulation};
use crate::contact::Path;
use crate::mechanics::{joint_coordinate_rate, joint_coordinates};
use crate::model::{Actuator, Frame, Joint, JointKind, Model, Target};

/// A column, as `columns.json` describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name in `trajectory.csv` and `trajectory.npy`.
    pub name: String,
    /// Unit; `1` for numbers without one.
    pub unit: &'static str,
    /// Whose axes the components are along: `world`, `body`, or empty for what has no direction.
    pub frame: &'static str,
    /// What it is.
    pub meaning: String,
}

/// The columns of a model's frames: `time`; `energy`, `kinetic`, `potential`; `linear_momentum.x` … and
/// `angular_momentum.x` … (about the origin); then for each body NAME that can move `NAME.x` …,
/// `NAME.vx` …, and for rigid bodies the directors `NAME.d1x` … `NAME.d3z` and the spatial angular
/// velocity `NAME.wx` …; for each coordinate C of a linkage NAME `NAME.C` and `NAME.C.rate`; for each
/// joint that has a name `joint.NAME.angle`, `joint.NAME.slide`, their rates, and what it does to its
/// second body, `joint.NAME.force.x` … `joint.NAME.torque.z`; for loads and actuators `load.NAME` and
/// `actuator.NAME`, with a component where there are several; for sets of nodes `nodes.NAME.x` …
/// `nodes.NAME.vz`, and what holds them, `nodes.NAME.force.x` ….
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    names: Vec<String>,
    columns: Vec<Column>,
    /// Where those of loads and actuators begin.
    controls: usize,
    sensors: SensorColumns,
    nodes: NodeColumns,
    forces: Option<ForceColumns>,
}

pub(super) const XYZ: [&str; 3] = ["x", "y", "z"];

impl Columns {
    /// The columns of a model, with those of contact forces if asked for: for everything that collides
    /// `NAME.contact.force.x` … (and for rigid bodies `NAME.contact.torque.x` …), and where not too many
    /// pairs can meet, `contact.A.B.force.x` …, `contact.A.B.normal`, `contact.A.B.tangential`.
    pub fn of(model: &Model, forces: bool) -> Self {
        let mut columns = Self::new(model);
        if forces {
            let forces = ForceColumns::new(model);
            forces.describe(model, &mut |column| {
                columns.names.push(column.name.clone());
                columns.columns.push(column);
            });
            columns.forces = Some(forces);
        }
        columns
    }

    /// The columns of a model, without contact forces.
    pub fn new(model: &Model) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut add = |name: String, unit, frame, meaning: String| {
            columns.push(Column {
                name,
                unit,
                frame,
                meaning,
            });
        };
        add("time".into(), "s", "", "time of the frame".into());
        for (name, meaning) in [
            ("energy", "total energy"),
            ("kinetic", "kinetic energy"),
            ("potential", "potential energy"),
        ] {
            add(name.into(), "J", "", meaning.into());
        }
        for (what, unit, meaning) in [
            ("linear_momentum", "N s", "total linear momentum"),
            (
                "angular_momentum",
                "N m s",
                "total angular momentum about the origin",
            ),
        ] {
            for c in XYZ {
                add(
                    format!("{what}.{c}"),
                    unit,
                    "world",
                    format!("{meaning}, {c}"),
                );
            }
        }
        for body in model.bodies() {
            let name = &body.name;
            if !body.moves() {
                continue;
            }
            for c in XYZ {
                let meaning = format!("position of the centre of mass of {name}, {c}");
                add(format!("{name}.{c}"), "m", "world", meaning);
            }
            for c in XYZ {
                let meaning = format!("velocity of the centre of mass of {name}, {c}");
                add(format!("{name}.v{c}"), "m/s", "world", meaning);
            }
            if body.turns() {
                for d in 1..=3 {
                    for c in XYZ {
                        let meaning =
                            format!("axis {d} of {name}, {c}: column {d} of its rotation matrix");
                        add(format!("{name}.d{d}{c}"), "1", "world", meaning);
                    }
                }
                for c in XYZ {
                    let meaning = format!("angular velocity of {name}, {c}");
                    add(format!("{name}.w{c}"), "rad/s", "world", meaning);
                }
            }
        }
        for linkage in model.linkages() {
            for c in &linkage.spec.coordinates {
                let name = format!("{}.{}", linkage.spec.name, c.name);
                let what = format!("coordinate {} of linkage {}", c.name, linkage.spec.name);
                add(name.clone(), "m or rad", "", what.clone());
                add(
                    format!("{name}.rate"),
                    "m/s or rad/s",
                    "",
                    format!("rate of {what}"),
                );
            }
        }
        for joint in named(model) {
            for (part, unit, rate) in coordinates(joint.kind) {
                let name = format!("joint.{}.{part}", joint.name);
                let more = if *unit == "rad" {
                    ", between −π and π"
                } else {
                    ""
                };
                let what = format!("{part} of joint {}", joint.name);
                add(
                    name.clone(),
                    unit,
                    "",
                    format!("{what}, from the model's start{more}"),
                );
                add(
                    format!("{name}.rate"),
                    rate,
                    "",
                    format!("rate of the {what}"),
                );
            }
        }
        for (_, joint) in reacting(model) {
            for (what, unit) in [("force", "N"), ("torque", "N m")] {
                for c in XYZ {
                    let meaning = format!(
                        "{what} of joint {} on its second body at the joint, {c}: mean over the step before \
                         the frame; none at the first frame and where impacts cut the step (NaN)",
                        joint.name
                    );
                    add(
                        format!("joint.{}.{what}.{c}", joint.name),
                        unit,
                        "world",
                        meaning,
                    );
                }
            }
        }
        let mut controls = Vec::new();
        for actuator in model.actuators() {
            for (part, unit, frame) in components(actuator) {
                let kind = if actuator.signals.is_some() {
                    "load"
                } else {
                    "actuator"
                };
                let name = format!("{kind}.{}{part}", actuator.name);
                let when = if actuator.signals.is_some() {
                    "at the time of the frame"
                } else {
                    "in the step before the frame"
                };
                let meaning = match actuator.target {
                    Target::Points { .. } => format!(
                        "force of {kind} {} on all its nodes together, {when}; it is spread by the surface \
                         they have, so that it has no moment about the centre of that surface",
                        actuator.name
                    ),
                    _ => format!("what {kind} {}{part} applies, {when}", actuator.name),
                };
                controls.push(Column {
                    name,
                    unit,
                    frame,
                    meaning,
                });
            }
        }
        let first_control = columns.len();
        columns.extend(controls);
        let sensors = SensorColumns::new(model);
        sensors.describe(model, &mut |column| columns.push(column));
        let nodes = NodeColumns::new(model);
        nodes.describe(model, &mut |column| columns.push(column));
        let names = columns.iter().map(|c| c.name.clone()).collect();
        Self {
            names,
            columns,
            controls: first_control,
            sensors,
            nodes,
            forces: None,
        }
    }

    /// The names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: there is always the time.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds columns of another source; [`row`](Self::row) does not fill them.
    pub fn extend(&mut self, more: impl IntoIterator<Item = Column>) {
        self.columns.extend(more);
        self.names = self.columns.iter().map(|c| c.name.clone()).collect();
    }

    /// All columns in order.
    pub fn list(&self) -> &[Column] {
        &self.columns
    }

    /// Where the columns of loads and actuators begin: as many as the model has controls.
    pub fn controls(&self) -> usize {
        self.controls
    }

    /// Where the columns of controllers begin; the end if there are none.
    pub fn controllers(&self) -> usize {
        let first = self.names.iter().position(|n| n.starts_with("controller."));
        first.unwrap_or(self.names.len())
    }

    /// The place of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// `columns.json`: a list of the columns in order.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.columns).unwrap_or_default() + "\n"
    }

    /// The row of a simulation's present state; contact forces are means since the last row. Returns
    /// what contacts gave since then, with the time it took them.
    pub fn row(&self, simulation: &mut Simulation, row: &mut Vec<f64>) -> (f64, Vec<PairImpulse>) {
        let holds = reacting(simulation.model()).next().is_some();
        let reactions = match holds && !simulation.was_cut() {
            true => simulation.joint_reactions(),
            false => Vec::new(),
        };
        self.fill(simulation, &reactions, row);
        let (time, impulses) = simulation.take_contact_impulses();
        if let Some(forces) = &self.forces {
            forces.row(time, &impulses, row);
        }
        (time, impulses)
    }

    /// The same without the forces of joints, which are NaN, and of contacts: what can be measured from
    /// outside.
    pub fn measure(&self, simulation: &Simulation, row: &mut Vec<f64>) {
        self.fill(simulation, &[], row);
    }

    fn fill(&self, simulation: &Simulation, reactions: &[Reaction], row: &mut Vec<f64>) {
        row.clear();
        let totals = simulation.totals();
        row.extend([
            simulation.time(),
            totals.energy(),
            totals.kinetic,
            totals.potential,
        ]);
        row.extend(totals.linear.iter());
        row.extend(totals.angular.iter());
        let twists = simulation.twists();
        let rates = simulation.coordinate_rates();
        let (model, state) = (simulation.model(), simulation.state());
        for (body, (pose, twist)) in model.bodies().iter().zip(state.poses.iter().zip(twists)) {
            if !body.moves() {
                continue;
            }
            row.extend(pose.position.iter());
            row.extend(twist.v.iter());
            if body.turns() {
                row.extend(pose.directors.iter());
                row.extend(twist.w.iter());
            }
        }
        for (q, rate) in state.coordinates.iter().zip(rates) {
            row.extend([*q, *rate]);
        }
        let mut values = Vec::new();
        for joint in named(model) {
            joint_coordinates(joint, &state.poses, &mut values);
            for (k, value) in values.iter().enumerate() {
                let rate = joint_coordinate_rate(joint, k, &state.poses, twists);
                row.extend([*value, rate.unwrap_or(f64::NAN)]);
            }
        }
        for (k, _) in reacting(model) {
            match reactions.get(k) {
                Some(r) => row.extend(r.mean.force.iter().chain(r.mean.torque.iter())),
                None => row.extend([f64::NAN; 6]),
            }
        }
        row.extend(simulation.applied_controls());
        let at = Path {
            poses: &state.poses,
            coordinates: &state.coordinates,
        };
        self.sensors.row(model, &at, row);
        self.nodes.row(model, &state.poses, twists, row);
    }
}

/// Joints of the tree and closures, with their numbers among the reactions.
fn joints(model: &Model) -> impl Iterator<Item = (usize, &Joint)> {
    model.joints().iter().chain(model.closures()).enumerate()
}

/// Joints that have a name.
fn named(model: &Model) -> impl Iterator<Item = &Joint> {
    joints(model).map(|(_, j)| j).filter(|j| !j.name.is_empty())
}

/// Joints whose reactions are recorded: those that have a name and hold something.
fn reacting(model: &Model) -> impl Iterator<Item = (usize, &Joint)> {
    joints(model).filter(|(_, j)| !j.name.is_empty() && j.kind != JointKind::Free)
}

/// Name, unit and unit of the rate of every coordinate of a joint, in the order of
/// [`joint_coordinates`].
pub(crate) fn coordinates(
    kind: JointKind,
) -> &'static [(&'static str, &'static str, &'static str)] {
    const ANGLE: (&str, &str, &str) = ("angle", "rad", "rad/s");
    const SLIDE: (&str, &str, &str) = ("slide", "m", "m/s");
    match kind {
        JointKind::Revolute => &[ANGLE],
        JointKind::Prismatic => &[SLIDE],
        JointKind::Cylindrical => &[SLIDE, ANGLE],
        JointKind::Planar => &[("slide1", "m", "m/s"), ("slide2", "m", "m/s"), ANGLE],
        _ => &[],
    }
}

/// What is added to the name of an actuator, unit and frame, for each of its components.
pub(crate) fn components(actuator: &Actuator) -> Vec<(String, &'static str, &'static str)> {
    match &actuator.target {
        Target::Wrench { frame, .. } => {
            let frame = if *frame == Frame::Body {
                "body"
            } else {
                "world"
            };
            let part = |what: &'static str, unit: &'static str| {
                XYZ.map(|c| (format!(".{what}.{c}"), unit, frame))
            };
            [part("force", "N"), part("torque", "N m")].concat()
        }
        Target::Points { .. } => (XYZ.map(|c| (format!(".force.{c}"), "N", "world"))).to_vec(),
        // Of a torque alone the force is zero.
        Target::Along {
            unit: [force, _], ..
        } => {
            let unit = if force.norm() > 0.0 { "N" } else { "N m" };
            vec![(String::new(), unit, "")]
        }
        _ => (0..actuator.components())
            .map(|k| {
                let part = match actuator.components() {
                    1 => String::new(),
                    _ => format!(".{}", k + 1),
                };
                (part, "N or N m", "")
            })
            .collect(),
    }
}
