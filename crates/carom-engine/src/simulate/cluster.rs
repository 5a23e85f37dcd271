//! Clusters: parts of a model that can be solved apart, with the forces on them.

use crate::mechanics::{Parts, Share, Ties};
use crate::model::{BodyId, Model};
use crate::sets::Sets;

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

/// Splits a model into clusters: its [parts](Parts) whose ties are forces.
pub(super) fn clusters(model: &Model) -> Vec<Cluster> {
    let parts = Parts::of(model, Ties::Forces);
    let felt = felt(model);
    let mut out: Vec<Cluster> = (parts.trees())
        .map(|part| Cluster {
            kind: match part.free_joint(model) {
                _ if part.is_looped() => Kind::Coupled,
                Some(_) if !felt[part.bodies[0]] => Kind::Free,
                _ => Kind::Tree,
            },
            joints: part.joints.clone(),
            closures: part.closures.clone(),
            couplings: part.couplings.clone(),
            share: Share {
                bodies: part.bodies.clone(),
                ..Share::default()
            },
        })
        .collect();
    share_out(model, &parts, &mut out);
    out
}

/// Which bodies feel forces besides gravity, loads and what acts along joints.
fn felt(model: &Model) -> Vec<bool> {
    let forces = model.forces();
    let drags = forces.drags.iter().map(|d| [Some(d.body), None]);
    let pairs = forces.pairs.iter().map(|p| [p.a.body, p.b.body]);
    let dampers = forces.dampers.iter().map(|d| [d.a.body, d.b.body]);
    let influences = forces.influences.iter().map(|i| i.bodies());
    let mut felt = vec![false; model.bodies().len()];
    let ends = drags.chain(pairs).chain(dampers).chain(influences);
    for body in ends.flatten().flatten() {
        felt[body.index()] = true;
    }
    felt
}

/// Gives every force to the cluster of the first body of it that moves; clusters within which forces act are coupled.
fn share_out(model: &Model, parts: &Parts, out: &mut [Cluster]) {
    let forces = model.forces();
    let of = |bodies: &[Option<BodyId>]| {
        let all = bodies.iter().flatten().map(|b| parts.of_body(b.index()));
        all.into_iter().find(|&c| c != usize::MAX)
    };
    let couples = |ends: [Option<BodyId>; 2]| ends.iter().all(Option::is_some);
    for (k, law) in model.joint_laws().iter().enumerate() {
        if let Some(j) = law.joint
            && let Some(c) = of(&[Some(model.joints()[j].child)])
        {
            out[c].share.laws.push(k);
        }
    }
    for (k, p) in forces.pairs.iter().enumerate() {
        let ends = [p.a.body, p.b.body];
        if let Some(c) = of(&ends) {
            out[c].share.pairs.push(k);
            if couples(ends) {
                out[c].kind = Kind::Coupled;
            }
        }
    }
    for (k, d) in forces.dampers.iter().enumerate() {
        let ends = [d.a.body, d.b.body];
        if let Some(c) = of(&ends) {
            out[c].share.dampers.push(k);
            if couples(ends) {
                out[c].kind = Kind::Coupled;
            }
        }
    }
    for (k, d) in forces.drags.iter().enumerate() {
        if let Some(c) = of(&[Some(d.body)]) {
            out[c].share.drags.push(k);
        }
    }
    for (k, solid) in forces.solids.iter().enumerate() {
        let bodies: Vec<Option<BodyId>> = solid.points.iter().map(|p| p.body).collect();
        if let Some(c) = of(&bodies) {
            out[c].share.solids.push(k);
            out[c].kind = Kind::Coupled;
        }
    }
    for (k, u) in forces.user.iter().enumerate() {
        let bodies: Vec<Option<BodyId>> = u.bodies().iter().map(|b| Some(*b)).collect();
        if let Some(c) = of(&bodies) {
            out[c].share.user.push(k);
            out[c].kind = Kind::Coupled;
        }
    }
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
