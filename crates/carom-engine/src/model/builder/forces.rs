//! Springs, dampers, drag and charges: checked, with their points in body frames.

use nalgebra::Vector3;

use super::{Ends, ModelBuilder, finite};
use crate::model::{
    BodyId, BodyKind, Damper, Field, Forces, Influence, Model, ModelError, Mount, PairLaw,
    PairPotential, Point, Solenoids,
};

impl ModelBuilder {
    /// The forces on a model whose bodies stand.
    pub(super) fn make_forces(&self, model: &Model) -> Result<Forces, ModelError> {
        let mut forces = self.forces.clone();
        if !finite(&forces.gravity) {
            return Err(ModelError::force(
                "force",
                "gravity",
                "must be finite",
                "give three finite numbers",
            ));
        }
        let springs = self
            .pairs
            .iter()
            .map(|(what, name, ends, _)| (*what, name, ends));
        let dampers = self
            .dampers
            .iter()
            .map(|(name, ends, _)| ("damper", name, ends));
        for (what, name, ends) in springs.chain(dampers) {
            let given = |b: &BodyId| model.bodies[b.index()].motion.is_some();
            if ends.iter().filter_map(|(b, _)| *b).any(|b| given(&b)) {
                let reason = "holds a body whose motion is given";
                let fix = "drive it by a joint with a servo instead";
                return Err(ModelError::force(what, name, reason, fix));
            }
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
                return Err(ModelError::force(what, name, reason, "give finite numbers"));
            }
            if *stiffness < 0.0 || *rest_length < 0.0 {
                let reason = "stiffness and rest length must not be negative";
                return Err(ModelError::force(what, name, reason, "give zero or more"));
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
                let fix = "give zero or more, in N s/m";
                return Err(ModelError::force("damper", name, reason, fix));
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
                let fix = "give zero or more, and name such a body";
                return Err(ModelError::force("drag", &body.name, reason, fix));
            }
        }
        self.add_charges(model, &mut forces)?;
        self.add_influences(model, &mut forces)?;
        Ok(forces)
    }

    /// Solenoids and fields.
    fn add_influences(&self, model: &Model, forces: &mut Forces) -> Result<(), ModelError> {
        for (name, mounts, strength, unit) in &self.solenoids {
            let bad =
                |reason: &str, fix: &str| Err(ModelError::force("solenoid", name, reason, fix));
            if !(strength.is_finite() && *unit > 0.0 && unit.is_finite()) {
                return bad(
                    "strength must be finite and the unit positive",
                    "correct them",
                );
            }
            if mounts[0].0 == mounts[1].0 {
                return bad(
                    "both magnets are in the same body",
                    "name two different ones",
                );
            }
            let mut made = Vec::new();
            for (body, point, axis, normal) in mounts {
                let sound = finite(point) && finite(axis) && finite(normal);
                let (Some(x), Some(z)) = (axis.try_normalize(1e-12), normal.try_normalize(1e-12))
                else {
                    return bad("axis and normal must not vanish", "give directions");
                };
                if !sound || x.dot(&z).abs() > 1e-6 {
                    return bad(
                        "axis and normal must be finite and at right angles",
                        "correct one of them",
                    );
                }
                if model.is_particle(*body) {
                    return bad("a particle has no direction", "a magnet needs a rigid body");
                }
                made.push(Mount {
                    body: *body,
                    local: model.body(*body).local(point),
                    axes: nalgebra::Matrix3::from_columns(&[x, z.cross(&x), z]),
                });
            }
            forces.influences.push(Influence::Solenoids(Solenoids {
                name: name.clone(),
                mounts: [made[0], made[1]],
                strength: *strength,
                unit: *unit,
            }));
        }
        for field in &self.fields {
            let [x, y] = &field.grid;
            let rises = |g: &[f64]| g.len() > 1 && g.windows(2).all(|w| w[0] < w[1]);
            let whole = field.values.len() == x.len() * y.len();
            let all = field.values.iter().flatten().chain(x).chain(y);
            if !(rises(x) && rises(y) && whole && all.copied().all(f64::is_finite)) {
                let reason = "x and y must rise, with finite values for every point of the grid";
                let fix = "sort its grid, and give one row per y with one number per x";
                return Err(ModelError::force("field", &field.name, reason, fix));
            }
            let body = model.body(field.body);
            if body.kind == BodyKind::Static || !finite(&field.local) {
                let reason = "it acts on something that never moves";
                let fix = "it needs a body that moves, and a finite point";
                return Err(ModelError::force("field", &field.name, reason, fix));
            }
            forces.influences.push(Influence::Field(Field {
                local: body.local(&field.local),
                ..field.clone()
            }));
        }
        Ok(())
    }

    /// Coulomb's law between any two charges of different bodies.
    fn add_charges(&self, model: &Model, forces: &mut Forces) -> Result<(), ModelError> {
        for (i, (name, body, drawn, charge)) in self.charges.iter().enumerate() {
            if !(finite(drawn) && charge.is_finite()) {
                let reason = "charge and point must be finite";
                return Err(ModelError::force(
                    "charge",
                    name,
                    reason,
                    "give finite numbers",
                ));
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

fn two_bodies(what: &'static str, name: &str, a: &Point, b: &Point) -> Result<(), ModelError> {
    if a.body == b.body {
        let reason = "both ends are on the same body";
        return Err(ModelError::force(
            what,
            name,
            reason,
            "name two different ones",
        ));
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
