//! The laws of `[controller.NAME]`: which there are, and those of bodies and joints.

use std::sync::Arc;

use super::Scenario;
use super::fields::{Fields, Read};
use crate::control::{
    ComputedTorque, Controller, Pid, Port, PoseController, Retraction, Sight, Tracking,
};
use crate::model::{ActuatorId, BodyId, BodyKind, Model};
use crate::simulate::Columns;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Pd,
    Pid,
    ComputedTorque,
    Tracking,
    Expression,
    Lqr,
}

const KINDS: [(&str, Kind); 6] = [
    ("pd", Kind::Pd),
    ("pid", Kind::Pid),
    ("computed-torque", Kind::ComputedTorque),
    ("tracking", Kind::Tracking),
    ("expression", Kind::Expression),
    ("lqr", Kind::Lqr),
];

const RETRACTIONS: [(&str, Retraction); 2] = [
    ("exponential", Retraction::Exponential),
    ("cayley", Retraction::Cayley),
];

/// Reads the law of one controller.
pub(super) struct Reader<'a> {
    pub scenario: &'a Scenario,
    pub fields: &'a Fields<'a>,
    pub model: &'a Arc<Model>,
    pub columns: &'a Columns,
    pub actuators: &'a [ActuatorId],
    pub outputs: usize,
    pub every: u64,
}

impl Reader<'_> {
    pub fn read(&self) -> Read<Box<dyn Controller>> {
        let fix = "write kind = \"pd\", \"pid\", \"computed-torque\", \"tracking\", \"expression\" or \"lqr\"";
        let kind = self.fields.need("kind", fix)?.choice(&KINDS)?;
        let port = match self.actuators {
            [one] => Port::of(&self.model.actuators()[one.index()]),
            _ => None,
        };
        match (kind, port) {
            (Kind::Expression, _) => self.expressions(),
            (Kind::Lqr, _) => self.lqr(),
            (Kind::ComputedTorque, None) => self.computed_torque(),
            (Kind::ComputedTorque, Some(_)) => Err(self.fields.fault(
                "computed torque acts on joints",
                "name joints; for the pose of a body write kind = \"tracking\", which knows its inertia",
            )),
            (Kind::Tracking, None) => Err(self.fields.fault(
                "tracking acts on a body",
                "name a body, or an actuator that pushes one; for joints write kind = \"computed-torque\"",
            )),
            (Kind::Pd | Kind::Pid, None) => {
                let (axes, _) = self.axes(kind == Kind::Pid)?;
                Ok(Box::new(Pid::new(axes)))
            }
            (_, Some((body, port))) => self.pose(kind, body, port),
        }
    }

    fn computed_torque(&self) -> Read<Box<dyn Controller>> {
        let (axes, joints) = self.axes(true)?;
        let joints = joints.into_iter().collect::<Option<Vec<_>>>();
        let joints = joints.ok_or_else(|| {
            self.fields.fault(
                "computed torque does not know linkages",
                "write kind = \"pd\", or describe the mechanism with bodies and joints",
            )
        })?;
        let outputs = (self.actuators.iter())
            .flat_map(|a| self.model.actuators()[a.index()].range())
            .collect();
        let law = ComputedTorque::new(self.model, axes, joints, outputs);
        Ok(Box::new(law))
    }

    fn pose(&self, kind: Kind, body: BodyId, port: Port) -> Read<Box<dyn Controller>> {
        let of = self.model.body(body);
        let turns = matches!(of.kind, BodyKind::Rigid { .. });
        if of.kind == BodyKind::Static {
            return Err(self.fields.fault(
                format!("`{}` never moves", of.name),
                "name a body that moves",
            ));
        }
        let fix =
            "write gains = { position = 1, velocity = 2, orientation = 1, angular_velocity = 1 }";
        let gains = self.fields.need("gains", fix)?.fields()?;
        let gain = |key: &'static str, needed: bool| match (gains.get(key), needed) {
            (Some(item), true) if kind == Kind::Tracking => item.positive(),
            (Some(item), _) => item.non_negative(),
            (None, true) => gains.need(key, fix).and_then(|item| item.positive()),
            (None, false) => Ok(0.0),
        };
        let tracks = kind == Kind::Tracking;
        let position_gain = gain("position", tracks)?;
        let velocity_gain = gain("velocity", tracks)?;
        let orientation_gain = gain("orientation", tracks && turns)?;
        let angular_velocity_gain = gain("angular_velocity", tracks && turns)?;
        let integral = match kind {
            Kind::Pid => [
                gain("position_integral", false)?,
                gain("orientation_integral", false)?,
            ],
            _ => [0.0; 2],
        };
        gains.finish()?;
        let retraction = match self.fields.get("retraction") {
            None => Retraction::default(),
            Some(item) => item.choice(&RETRACTIONS)?,
        };
        let law = Tracking {
            mass: 0.0,
            inertia: nalgebra::Matrix3::zeros(),
            position_gain,
            velocity_gain,
            orientation_gain,
            angular_velocity_gain,
            retraction,
        };
        let sight = Sight::of(self.model, self.columns, Some(body));
        let aim = self.aim(body)?;
        let controller = match kind {
            Kind::Tracking => PoseController::tracking(self.model, body, port, law, aim, sight),
            _ => PoseController::pid(self.model, body, port, law, integral, aim, sight),
        };
        let compensate = match self.fields.get("compensate") {
            None => tracks,
            Some(item) => item.boolean()?,
        };
        Ok(Box::new(controller.compensate(compensate)))
    }
}
