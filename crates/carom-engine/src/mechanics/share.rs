//! The part of a model that a step works on.

use crate::model::Model;

/// Bodies and the forces that act on them, as indices into the model. Bodies outside do not feel
/// anything of it, nor it of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// Bodies.
    pub bodies: Vec<usize>,
    /// Springs and charges.
    pub pairs: Vec<usize>,
    /// Elastic bodies.
    pub solids: Vec<usize>,
    /// The user's potentials.
    pub user: Vec<usize>,
    /// Dampers.
    pub dampers: Vec<usize>,
    /// Drags.
    pub drags: Vec<usize>,
    /// What acts along joints (not along coordinates of linkages).
    pub laws: Vec<usize>,
}

impl Share {
    /// The whole model.
    pub fn all(model: &Model) -> Self {
        let forces = model.forces();
        Self {
            bodies: (0..model.bodies().len()).collect(),
            pairs: (0..forces.pairs.len()).collect(),
            solids: (0..forces.solids.len()).collect(),
            user: (0..forces.user.len()).collect(),
            dampers: (0..forces.dampers.len()).collect(),
            drags: (0..forces.drags.len()).collect(),
            laws: (0..model.joint_laws().len())
                .filter(|k| model.joint_laws()[*k].joint.is_some())
                .collect(),
        }
    }

    /// Nothing.
    pub fn clear(&mut self) {
        let lists = [
            &mut self.bodies,
            &mut self.pairs,
            &mut self.solids,
            &mut self.user,
            &mut self.dampers,
            &mut self.drags,
            &mut self.laws,
        ];
        lists.into_iter().for_each(Vec::clear);
    }

    /// Adds another share, which has nothing in common with this one.
    pub fn extend(&mut self, other: &Share) {
        self.bodies.extend_from_slice(&other.bodies);
        self.pairs.extend_from_slice(&other.pairs);
        self.solids.extend_from_slice(&other.solids);
        self.user.extend_from_slice(&other.user);
        self.dampers.extend_from_slice(&other.dampers);
        self.drags.extend_from_slice(&other.drags);
        self.laws.extend_from_slice(&other.laws);
    }
}
