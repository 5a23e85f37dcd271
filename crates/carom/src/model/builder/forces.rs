//! Springs, dampers, drag and charges: checked, with their points in body frames.

use nalgebra::Vector3;

use super::{Ends, ModelBuilder, finite};
use crate::model::{
    BodyId, BodyKind, Damper, Forces, Model, ModelError, PairLaw, PairPotential, Point,
};

impl ModelBuilder {
    /// The forces on a model whose bodies stand.
    pub(super) fn make_forces(&self, model: &Model) -> Result<Forces, ModelError> {
        let mut forces = self.forces.clone();
        if !finite(&forces.gravity) {
            return Err(fault("force", "gravity", "must be finite"));
        }
        for (what, name, ends, law) in &self.pairs {
            let PairLaw::Spring {
                stiffness,
                rest_length,
            } = law
            else {
                continue;
            };
            let [a, b] = points(model, ends);
            if !(stiffness.is_finite()
                && rest_length.is_finite()
                && finite(&a.local)
                && finite(&b.local))
            {
                let reason = "stiffness, rest length and points must be finite";
                return Err(fault(what, name, reason));
            }
            if *stiffness < 0.0 || *rest_length < 0.0 {
                let reason = "stiffness and rest length must not be negative";
                return Err(fault(what, name, reason));
            }
            two_bodies(what, name, &a, &b)?;
            forces.pairs.push(PairPotential { a, b, law: *law });
        }
        for (name, ends, coefficient) in &self.dampers {
            let [a, b] = points(model, ends);
            if !(*coefficient >= 0.0
                && coefficient.is_finite()
                && finite(&a.local)
                && finite(&b.local))
            {
                let reason = "the coefficient must be finite and not negative";
                return Err(fault("damper", name, reason));
            }
            two_bodies("damper", name, &a, &b)?;
            forces.dampers.push(Damper {
                a,
                b,
                coefficient: *coefficient,
            });
        }
        for drag in &forces.drags {
            let body = &model.bodies[drag.body.index()];
            let sound = |c: f64| c >= 0.0 && c.is_finite();
            if !(sound(drag.linear) && sound(drag.angular)) || body.kind == BodyKind::Static {
                let reason = "coefficients must be finite and not negative, on a body that moves";
                return Err(fault("drag", &body.name, reason));
            }
        }
        self.add_charges(model, &mut forces)?;
        Ok(forces)
    }

    /// Coulomb's law between any two charges of different bodies.
    fn add_charges(&self, model: &Model, forces: &mut Forces) -> Result<(), ModelError> {
        for (i, (name, body, drawn, charge)) in self.charges.iter().enumerate() {
            if !(finite(drawn) && charge.is_finite()) {
                return Err(fault("charge", name, "charge and point must be finite"));
            }
            for (_, other, other_drawn, other_charge) in &self.charges[..i] {
                let ends = [(Some(*other), *other_drawn), (Some(*body), *drawn)];
                let [a, b] = points(model, &ends);
                let strength = self.coulomb * charge * other_charge;
                if a.body != b.body && strength != 0.0 {
                    forces.pairs.push(PairPotential {
                        a,
                        b,
                        law: PairLaw::Coulomb { strength },
                    });
                }
            }
        }
        Ok(())
    }
}

fn fault(what: &'static str, name: &str, reason: &str) -> ModelError {
    ModelError::Force {
        what,
        name: name.into(),
        reason: reason.into(),
    }
}

fn two_bodies(what: &'static str, name: &str, a: &Point, b: &Point) -> Result<(), ModelError> {
    if a.body == b.body {
        let reason = "both ends are on the same body: name two different ones";
        return Err(fault(what, name, reason));
    }
    Ok(())
}

/// Two points as drawn, in body frames.
fn points(model: &Model, ends: &Ends) -> [Point; 2] {
    ends.map(|(body, drawn)| point(model, body, &drawn))
}

/// A point of a body that never moves is a point of the world.
fn point(model: &Model, body: Option<BodyId>, drawn: &Vector3<f64>) -> Point {
    match body.map(|b| &model.bodies[b.index()]) {
        None => Point {
            body: None,
            local: *drawn,
        },
        Some(b) if b.kind == BodyKind::Static => Point {
            body: None,
            local: b.start.point(&b.local(drawn)),
        },
        Some(b) => Point {
            body,
            local: b.local(drawn),
        },
    }
}
