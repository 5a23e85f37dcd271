//! What acts along joint coordinates, and gears: what makes no sense is an error.

use super::ModelBuilder;
use crate::model::{Coupling, Joint, JointKind, JointLaw, JointPhysics, Model, ModelError};

/// Joints have one coordinate to act along, or none that could be named.
fn single(joint: &Joint, what: &str) -> Result<(), ModelError> {
    match joint.kind {
        JointKind::Revolute | JointKind::Prismatic => Ok(()),
        kind => Err(ModelError::joint(
            &joint.name,
            format!(
                "{what} acts along one coordinate, and a {} joint has none of its own",
                kind.name()
            ),
            "use revolute and prismatic joints",
        )),
    }
}

/// A joint that closes a loop has no degree of freedom of its own.
fn closes_loop(joint: &str) -> ModelError {
    ModelError::joint(
        joint,
        "it closes a loop, and nothing can act along such a joint",
        "write it before the other joints of the loop, so that another one closes it",
    )
}

impl ModelBuilder {
    /// Enters what acts along joints and coordinates into a model.
    pub(super) fn add_joint_laws(&self, model: &mut Model) -> Result<(), ModelError> {
        for edge in self.edges.iter().filter(|e| !e.spec.physics.is_nothing()) {
            let name = &edge.spec.name;
            if let Some((reason, fix)) = edge.spec.physics.fault() {
                return Err(ModelError::joint(name, reason, fix));
            }
            let place = edge.id.and_then(|id| model.find_joint(id));
            let Some(j) = place else {
                return Err(closes_loop(name));
            };
            single(
                &model.joints[j],
                "a spring, damper, friction, rotor or servo",
            )?;
            model.joint_laws.push(JointLaw {
                name: name.clone(),
                joint: Some(j),
                freedom: model.offsets[j],
                turns: model.joints[j].kind == JointKind::Revolute,
                physics: edge.spec.physics.clone(),
            });
        }
        for (linkage, coordinate, physics) in &self.coordinate_physics {
            self.add_coordinate_law(model, *linkage, *coordinate, physics)?;
        }
        for &(joint, to, ratio) in &self.couplings {
            let name = &self.edges[joint.index()].spec.name;
            let places = [joint, to].map(|id| model.find_joint(id));
            let [Some(a), Some(b)] = places else {
                return Err(closes_loop(name));
            };
            if a == b {
                let reason = "it is coupled to itself";
                return Err(ModelError::joint(name, reason, "name another joint"));
            }
            if !(ratio.is_finite() && ratio != 0.0) {
                let reason = format!("its ratio is {ratio}");
                return Err(ModelError::joint(name, reason, "give one that is not zero"));
            }
            for j in [a, b] {
                single(&model.joints[j], "a coupling")?;
            }
            model.couplings.push(Coupling {
                name: name.clone(),
                joints: [a, b],
                freedoms: [model.offsets[a], model.offsets[b]],
                ratio,
            });
        }
        Ok(())
    }

    fn add_coordinate_law(
        &self,
        model: &mut Model,
        linkage: usize,
        coordinate: usize,
        physics: &JointPhysics,
    ) -> Result<(), ModelError> {
        if physics.is_nothing() {
            return Ok(());
        }
        let no_such = || {
            let reason = format!("it has no coordinate {coordinate}");
            ModelError::linkage(&linkage.to_string(), reason, "name one that exists")
        };
        let l = model.linkages.get_mut(linkage).ok_or_else(no_such)?;
        let c = l.spec.coordinates.get(coordinate).ok_or_else(no_such)?;
        if let Some((reason, fix)) = physics.fault() {
            let reason = format!("coordinate \"{}\": {reason}", c.name);
            return Err(ModelError::linkage(&l.spec.name, reason, fix));
        }
        l.armature[coordinate] = physics.armature;
        model.joint_laws.push(JointLaw {
            name: format!("{}.{}", l.spec.name, c.name),
            joint: None,
            freedom: model.tree_freedom + l.first + coordinate,
            // Coordinates of linkages count their turns.
            turns: false,
            physics: physics.clone(),
        });
        Ok(())
    }
}
