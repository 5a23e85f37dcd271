//! Parts of a model that can be solved apart: bodies that nothing couples within a step.

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
}

/// Splits a model.
pub(super) fn clusters(model: &Model) -> Vec<Cluster> {
    let n = model.bodies().len();
    let mut group: Vec<usize> = (0..n).collect();
    fn root(group: &mut [usize], mut k: usize) -> usize {
        while group[k] != k {
            group[k] = group[group[k]];
            k = group[k];
        }
        k
    }
    let join = |group: &mut Vec<usize>, a: Option<BodyId>, b: Option<BodyId>| {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (root(group, a.index()), root(group, b.index()));
            group[a.max(b)] = a.min(b);
        }
    };
    for joint in model.joints() {
        join(&mut group, joint.parent, Some(joint.child));
    }
    let forces = model.forces();
    let mut coupled: Vec<BodyId> = Vec::new();
    let mut felt: Vec<BodyId> = forces.drags.iter().map(|d| d.body).collect();
    let pairs = forces.pairs.iter().map(|p| [p.a.body, p.b.body]);
    let dampers = forces.dampers.iter().map(|d| [d.a.body, d.b.body]);
    for [a, b] in pairs.chain(dampers) {
        join(&mut group, a, b);
        felt.extend(a.into_iter().chain(b));
        if a.is_some() && b.is_some() {
            coupled.extend(a.into_iter().chain(b));
        }
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
    let mut out: Vec<Cluster> = Vec::new();
    let mut index = vec![usize::MAX; n];
    for (j, joint) in model.joints().iter().enumerate() {
        let r = root(&mut group, joint.child.index());
        if index[r] == usize::MAX {
            index[r] = out.len();
            out.push(Cluster {
                kind: Kind::Tree,
                joints: Vec::new(),
                closures: Vec::new(),
            });
        }
        out[index[r]].joints.push(j);
    }
    for (k, joint) in model.closures().iter().enumerate() {
        let r = root(&mut group, joint.child.index());
        out[index[r]].closures.push(k);
    }
    for body in &coupled {
        let r = root(&mut group, body.index());
        if index[r] != usize::MAX {
            out[index[r]].kind = Kind::Coupled;
        }
    }
    for cluster in &mut out {
        let joint = &model.joints()[cluster.joints[0]];
        let alone = cluster.joints.len() == 1 && joint.kind == JointKind::Free;
        let quiet = !felt.contains(&joint.child);
        let body = &model.bodies()[joint.child.index()];
        if cluster.kind == Kind::Tree && alone && quiet && body.kind != BodyKind::Static {
            cluster.kind = Kind::Free;
        }
    }
    out
}
