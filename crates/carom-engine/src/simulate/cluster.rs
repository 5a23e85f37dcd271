//! Parts of a model that can be solved apart: bodies that nothing couples within a step.

use super::sets::Sets;
use crate::mechanics::Share;
use crate::model::{BodyId, BodyKind, JointKind, Model};

/// How the Newton system of a cluster is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A single free rigid body or particle that feels gravity and loads only.
    Free,
    /// Trees: elimination in linear time.
    Tree,
    /// Forces between bodies or loops: dense.
    Coupled,
}

/// Joints (parents first) that belong together.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub kind: Kind,
    pub joints: Vec<usize>,
    /// Loop closures, as indices into `Model::closures`.
    pub closures: Vec<usize>,
    /// Gears, as indices into `Model::couplings`.
    pub couplings: Vec<usize>,
    /// Its bodies and the forces on them.
    pub share: Share,
}

/// Splits a model.
pub(super) fn clusters(model: &Model) -> Vec<Cluster> {
    let n = model.bodies().len();
    let mut group = Sets::new(n);
    let join = |group: &mut Sets, a: Option<BodyId>, b: Option<BodyId>| {
        if let (Some(a), Some(b)) = (a, b) {
            group.merge(a.index(), b.index());
        }
    };
    for joint in model.joints() {
        join(&mut group, joint.parent, Some(joint.child));
    }
    let forces = model.forces();
    let mut coupled: Vec<BodyId> = Vec::new();
    let mut felt = vec![false; n];
    forces
        .drags
        .iter()
        .for_each(|d| felt[d.body.index()] = true);
    let pairs = forces.pairs.iter().map(|p| [p.a.body, p.b.body]);
    let dampers = forces.dampers.iter().map(|d| [d.a.body, d.b.body]);
    for [a, b] in pairs.chain(dampers) {
        join(&mut group, a, b);
        let ends = a.into_iter().chain(b);
        ends.for_each(|b| felt[b.index()] = true);
        if a.is_some() && b.is_some() {
            coupled.extend(a.into_iter().chain(b));
        }
    }
    for influence in &forces.influences {
        let [a, b] = influence.bodies();
        join(&mut group, a, b);
        let ends = a.into_iter().chain(b);
        ends.for_each(|b| felt[b.index()] = true);
    }
    for solid in &forces.solids {
        let points = solid.points.iter().filter_map(|p| p.body);
        let mut held = points.filter(|b| model.body(*b).kind != BodyKind::Static);
        let first = held.next();
        for b in held {
            join(&mut group, first, Some(b));
        }
        coupled.extend(first);
    }
    for user in &forces.user {
        for b in user.bodies() {
            join(&mut group, Some(user.bodies()[0]), Some(*b));
            coupled.push(*b);
        }
    }
    for joint in model.closures() {
        join(&mut group, joint.parent, Some(joint.child));
        coupled.push(joint.child);
    }
    for coupling in model.couplings() {
        let [a, b] = coupling.joints.map(|j| model.joints()[j].child);
        join(&mut group, Some(a), Some(b));
        coupled.push(a);
    }
    let mut out: Vec<Cluster> = Vec::new();
    let mut index = vec![usize::MAX; n];
    for (j, joint) in model.joints().iter().enumerate() {
        let r = group.root(joint.child.index());
        if index[r] == usize::MAX {
            index[r] = out.len();
            out.push(Cluster {
                kind: Kind::Tree,
                joints: Vec::new(),
                closures: Vec::new(),
                couplings: Vec::new(),
                share: Share::default(),
            });
        }
        out[index[r]].joints.push(j);
        out[index[r]].share.bodies.push(joint.child.index());
    }
    for (k, joint) in model.closures().iter().enumerate() {
        let r = group.root(joint.child.index());
        out[index[r]].closures.push(k);
    }
    for (k, coupling) in model.couplings().iter().enumerate() {
        let child = model.joints()[coupling.joints[0]].child;
        let r = group.root(child.index());
        out[index[r]].couplings.push(k);
    }
    for (k, law) in model.joint_laws().iter().enumerate() {
        if let Some(j) = law.joint {
            let r = group.root(model.joints()[j].child.index());
            out[index[r]].share.laws.push(k);
        }
    }
    {
        // The cluster a force belongs to: that of the first movable body it acts on.
        let mut of = |bodies: &[Option<BodyId>]| {
            let moved = bodies.iter().flatten();
            let roots = moved.map(|b| index[group.root(b.index())]);
            roots.into_iter().find(|&c| c != usize::MAX)
        };
        for (k, p) in forces.pairs.iter().enumerate() {
            if let Some(c) = of(&[p.a.body, p.b.body]) {
                out[c].share.pairs.push(k);
            }
        }
        for (k, d) in forces.dampers.iter().enumerate() {
            if let Some(c) = of(&[d.a.body, d.b.body]) {
                out[c].share.dampers.push(k);
            }
        }
        for (k, d) in forces.drags.iter().enumerate() {
            if let Some(c) = of(&[Some(d.body)]) {
                out[c].share.drags.push(k);
            }
        }
        for (k, solid) in forces.solids.iter().enumerate() {
            let first = solid.particles.start as u32;
            if let Some(c) = of(&[Some(BodyId(first))]) {
                out[c].share.solids.push(k);
            }
        }
        for (k, u) in forces.user.iter().enumerate() {
            let bodies: Vec<Option<BodyId>> = u.bodies().iter().map(|b| Some(*b)).collect();
            if let Some(c) = of(&bodies) {
                out[c].share.user.push(k);
            }
        }
    }
    for body in &coupled {
        let r = group.root(body.index());
        if index[r] != usize::MAX {
            out[index[r]].kind = Kind::Coupled;
        }
    }
    for cluster in &mut out {
        let joint = &model.joints()[cluster.joints[0]];
        let alone = cluster.joints.len() == 1 && joint.kind == JointKind::Free;
        let quiet = !felt[joint.child.index()];
        let body = &model.bodies()[joint.child.index()];
        if cluster.kind == Kind::Tree && alone && quiet && body.kind != BodyKind::Static {
            cluster.kind = Kind::Free;
        }
    }
    out
}

/// Clusters of which some are tied together by contact: those with a pair in common are one, and
/// every one that a pair presses on is coupled.
pub(super) fn merged(
    base: &[Cluster],
    bodies: usize,
    pairs: impl Iterator<Item = [Option<BodyId>; 2]>,
) -> Vec<Cluster> {
    let mut place = vec![usize::MAX; bodies];
    for (c, cluster) in base.iter().enumerate() {
        cluster.share.bodies.iter().for_each(|&b| place[b] = c);
    }
    let mut sets = Sets::new(base.len());
    let mut pressed = vec![false; base.len()];
    for pair in pairs {
        let of = |b: Option<BodyId>| b.map(|b| place[b.index()]).filter(|c| *c != usize::MAX);
        let sides = pair.map(of);
        sides.iter().flatten().for_each(|&c| pressed[c] = true);
        if let [Some(a), Some(b)] = sides {
            sets.merge(a, b);
        }
    }
    let mut out: Vec<Cluster> = Vec::new();
    let mut index = vec![usize::MAX; base.len()];
    for (c, cluster) in base.iter().enumerate() {
        let at = &mut index[sets.root(c)];
        if *at == usize::MAX {
            *at = out.len();
            out.push(cluster.clone());
        } else {
            let whole = &mut out[*at];
            whole.joints.extend_from_slice(&cluster.joints);
            whole.closures.extend_from_slice(&cluster.closures);
            whole.couplings.extend_from_slice(&cluster.couplings);
            whole.share.extend(&cluster.share);
        }
        if pressed[c] {
            out[*at].kind = Kind::Coupled;
        }
    }
    out
}
