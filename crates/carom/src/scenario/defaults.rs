//! What holds where a file is silent: the contact law and the restitution.

use std::collections::HashSet;

use carom_engine::inner;

use super::contact::Contact;
use super::tree::Table;
use super::{BodyEntry, HalfSpace, JointEntry, SolidEntry};
use crate::model::{Law, LinkageSpec};

/// The contact law of files that name none, where something can collide.
pub(crate) const LAW: Law = Law::EXACT;

/// Restitution where none is given, in files that say nothing of friction: nothing is lost.
const ELASTIC: f64 = 1.0;
/// Restitution where none is given, in files that speak of friction: nothing bounces.
const PLASTIC: f64 = 0.0;

/// Restitution of materials that have none of their own.
pub(crate) fn restitution(root: &Table) -> f64 {
    let has_friction = |section: &str| {
        let table = root.get(section).and_then(|entry| entry.node.table());
        table.is_some_and(|table| {
            let mut inner = table.values().filter_map(|entry| entry.node.table());
            table.contains_key("friction") || inner.any(|t| t.contains_key("friction"))
        })
    };
    match ["contact", "material", "surface"]
        .into_iter()
        .any(has_friction)
    {
        true => PLASTIC,
        false => ELASTIC,
    }
}

/// The law of files with elastic bodies that name none: a contact potential as stiff as an element of
/// the stiffest of them, (λ + 2 μ) times the edge of a cube of its mean volume.
pub(crate) fn soft_law(solids: &[SolidEntry]) -> Law {
    let of = |entry: &SolidEntry| {
        let (mesh, material) = (entry.spec.mesh(), entry.spec.material());
        let edge = (mesh.volume() / mesh.elements().len() as f64).cbrt();
        (material.lambda + 2.0 * material.mu) * edge
    };
    Law::Potential {
        stiffness: solids.iter().map(of).fold(0.0, f64::max),
        drag: 0.0,
    }
}

/// Whether the file names a law for the run.
pub(crate) fn names_law(root: &Table) -> bool {
    let simulate = root.get("simulate").and_then(|entry| entry.node.table());
    simulate.is_some_and(|table| table.contains_key("law"))
}

/// What a scenario has that may collide.
pub(crate) struct Things<'a> {
    pub bodies: &'a [BodyEntry],
    pub half_spaces: &'a [HalfSpace],
    pub joints: &'a [JointEntry],
    pub linkages: &'a [LinkageSpec],
    pub contact: &'a Contact,
}

impl Things<'_> {
    /// Whether elastic bodies can meet anything.
    pub fn solids_can_collide(&self, solids: &[SolidEntry]) -> bool {
        let others = solids.len() > 1 || !self.half_spaces.is_empty() || self.can_collide();
        let itself = solids.iter().any(|s| s.spec.touches_itself());
        others || itself || self.colliders().next().is_some()
    }

    /// Whether any two of them can collide, or a coordinate has limits.
    pub fn can_collide(&self) -> bool {
        self.are_limited() || self.meet_half_spaces() || self.meet_each_other()
    }

    fn are_limited(&self) -> bool {
        let mut coordinates = self.linkages.iter().flat_map(|l| &l.coordinates);
        let mut limits = self.joints.iter().flat_map(|j| inner::limits(&j.spec));
        limits.any(Option::is_some) || coordinates.any(|c| c.limits.is_some())
    }

    fn meet_half_spaces(&self) -> bool {
        let apart: HashSet<[usize; 2]> = self.contact.exclude_walls.iter().copied().collect();
        let moving = self.colliders().filter(|k| self.moves(*k));
        let mut pairs = moving.flat_map(|k| (0..self.half_spaces.len()).map(move |w| [k, w]));
        pairs.any(|pair| !apart.contains(&pair))
    }

    fn meet_each_other(&self) -> bool {
        let neighbours = self.joints.iter().filter(|j| !inner::may_collide(&j.spec));
        let neighbours = neighbours.filter_map(|j| match j.bodies {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        });
        let apart: HashSet<[usize; 2]> = (self.contact.exclude.iter().copied())
            .chain(neighbours)
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        let colliders: Vec<usize> = self.colliders().collect();
        let mut pairs = (colliders.iter().enumerate())
            .flat_map(|(k, b)| colliders[..k].iter().map(move |a| [*a, *b]));
        pairs.any(|[a, b]| {
            (self.moves(a) || self.moves(b))
                && !(self.is_point(a) && self.is_point(b))
                && !apart.contains(&[a, b])
        })
    }

    /// Bodies with a shape, and particles.
    fn colliders(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(move |k| inner::collides(&self.bodies[*k].spec))
    }

    fn moves(&self, body: usize) -> bool {
        inner::moves(&self.bodies[body].spec)
    }

    /// A particle without radius never meets another.
    fn is_point(&self, body: usize) -> bool {
        inner::is_point(&self.bodies[body].spec)
    }
}
