//! Joints that close loops, as polynomials of the coordinates: the constraints of
//! [`mechanics`](crate::mechanics), each held by a reaction at every node.

use nalgebra::{DVector, Vector3};

use super::path::Path;
use super::poly::Poly;
use super::random::random;
use crate::mechanics::{Constraint, each_constraint};
use crate::model::{BodyId, Joint, Model};

/// How far nodes are moved to see which constraints follow from others, in rad and lengths.
const ASIDE: f64 = 1e-2;

/// g of a joint, in the order of [`joint_rows`](crate::mechanics::joint_rows).
pub(crate) fn constraints(model: &Model, joint: &Joint) -> Vec<Poly> {
    let frames = Frames { model, joint };
    let apart = frames.apart();
    let mut out = Vec::new();
    each_constraint(joint, |constraint| {
        out.push(match constraint {
            Constraint::Meet(k) => apart[k].clone(),
            Constraint::Across(a, b) => Poly::dot(&frames.parent(&a), &frames.child(&b)),
            Constraint::Offset(a) => Poly::dot(&apart, &frames.parent(&a)),
            Constraint::Length(length) => {
                let square = Poly::constant(-length * length);
                Poly::dot(&apart, &apart).plus(&square).times(0.5)
            }
        });
    });
    out.into_iter().map(Poly::collected).collect()
}

/// Vectors of the two bodies of a joint.
struct Frames<'a> {
    model: &'a Model,
    joint: &'a Joint,
}

impl Frames<'_> {
    /// D v of a body, or v of the world.
    fn turned(&self, body: Option<BodyId>, v: &Vector3<f64>) -> [Poly; 3] {
        match body {
            Some(body) => Poly::arrow(self.model, body, v),
            None => Poly::vector(v),
        }
    }

    fn parent(&self, v: &Vector3<f64>) -> [Poly; 3] {
        self.turned(self.joint.parent, v)
    }

    fn child(&self, v: &Vector3<f64>) -> [Poly; 3] {
        self.turned(Some(self.joint.child), v)
    }

    /// From the joint point of the parent to that of the child.
    fn apart(&self) -> [Poly; 3] {
        let to = self.child(&self.joint.anchor_child);
        let from = self.parent(&self.joint.anchor_parent);
        let child = Poly::position(self.model, self.joint.child);
        let parent = match self.joint.parent {
            Some(p) => Poly::position(self.model, p),
            None => Poly::vector(&Vector3::zeros()),
        };
        [0, 1, 2].map(|k| {
            let (a, b) = (
                to[k].clone().plus(&child[k]),
                from[k].clone().plus(&parent[k]),
            );
            a.plus(&b.times(-1.0))
        })
    }
}

/// Which constraints do not follow from others: a planar linkage of hinges in space has more than its
/// plane needs. They are looked at away from the guess, where they do not depend on each other by chance.
pub(crate) fn independent(path: &mut Path, polys: &[Poly]) -> Vec<usize> {
    let mut x = vec![0.0; path.layout.unknowns];
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    let node = path.layout.grid.len() / 2;
    for f in 0..path.layout.n {
        x[path.layout.u(node, f)] = ASIDE * random();
    }
    for scale in &path.layout.scales {
        if let super::layout::Scale::Unknown(index) = scale {
            x[*index] = 1.0;
        }
    }
    for (k, value) in path.parameter_values().into_iter().enumerate() {
        x[path.layout.parameters[k]] = value;
    }
    path.refresh(&x, true);
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut out = Vec::new();
    for (k, poly) in polys.iter().enumerate() {
        let mut y = vec![0.0; path.layout.nq];
        poly.gradient(&path.nodes()[node].q, |i, v| y[i] += v);
        let mut g = DVector::from_vec(path.pull(node, &y));
        let whole = DVector::from_vec(y).norm();
        for e in &basis {
            let share = e.dot(&g);
            g.axpy(-share, e, 1.0);
        }
        if g.norm() > 1e-7 * whole {
            basis.push(g.normalize());
            out.push(k);
        }
    }
    out
}

/// As many of some constraints as they add to others, those that say most beyond them where the guess has a
/// node: two vertices of a face on the floor keep each other's distance there, whatever they do in the air.
pub(crate) fn spanning(
    path: &mut Path,
    (x, node): (&[f64], usize),
    others: &[Poly],
    polys: &[Poly],
) -> Vec<usize> {
    let all: Vec<Poly> = others.iter().chain(polys).cloned().collect();
    let count = |kept: Vec<usize>| kept.iter().filter(|k| **k >= others.len()).count();
    let count = count(independent(path, &all));
    path.refresh(x, true);
    let slope = |poly: &Poly| {
        let mut y = vec![0.0; path.layout.nq];
        poly.gradient(&path.nodes()[node].q, |i, v| y[i] += v);
        DVector::from_vec(path.pull(node, &y))
    };
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let beyond = |g: &mut DVector<f64>, basis: &[DVector<f64>]| {
        for e in basis {
            let share = e.dot(g);
            g.axpy(-share, e, 1.0);
        }
    };
    for poly in others {
        let mut g = slope(poly);
        beyond(&mut g, &basis);
        if g.norm() > 1e-9 {
            basis.push(g.normalize());
        }
    }
    let mut left: Vec<(usize, DVector<f64>)> = polys.iter().map(slope).enumerate().collect();
    let mut out = Vec::new();
    while out.len() < count {
        left.iter_mut().for_each(|(_, g)| beyond(g, &basis));
        // The first of those that say most, but for round-off.
        let most = left.iter().map(|l| l.1.norm()).fold(0.0, f64::max);
        let Some(place) = left.iter().position(|l| l.1.norm() >= most * (1.0 - 1e-9)) else {
            break;
        };
        let (k, g) = left.remove(place);
        if g.norm() > 1e-9 {
            basis.push(g.normalize());
        }
        out.push(k);
    }
    out.sort_unstable();
    out
}

#[cfg(test)]
mod tests {
    use nalgebra::Matrix3;

    use super::*;
    use crate::mechanics::joint_rows;
    use crate::model::{BodySpec, JointSpec, ModelBuilder};

    #[test]
    fn the_constraints_are_those_of_mechanics() {
        let axis = Vector3::new(0.3, 1.0, -0.2);
        for kind in [
            JointSpec::spherical("j"),
            JointSpec::revolute("j", axis),
            JointSpec::prismatic("j", axis),
            JointSpec::cylindrical("j", axis),
            JointSpec::planar("j", axis),
            JointSpec::fixed("j"),
        ] {
            let mut b = ModelBuilder::new();
            let body = |name: &str, at: Vector3<f64>| {
                let spec = BodySpec::rigid(name).mass(1.0).inertia(Matrix3::identity());
                spec.position(at).rotation(at * 0.7)
            };
            let one = b.body(body("one", Vector3::new(0.1, 0.2, 0.3)));
            let two = b.body(body("two", Vector3::new(1.1, -0.2, 0.4)));
            b.joint(kind.at(Vector3::new(0.5, 0.1, 0.2)), Some(one), Some(two));
            let model = b.build().unwrap();
            let joint = model.joints().iter().find(|j| j.name == "j").unwrap();
            // Anywhere, not only where the joint holds.
            let poses: Vec<_> = (model.bodies().iter().enumerate())
                .map(|(k, b)| {
                    let mut pose = b.start;
                    pose.position += Vector3::new(0.3, 0.1, -0.2) * k as f64;
                    let turn = Vector3::new(0.2, -0.4, 0.3) * (k + 1) as f64;
                    pose.directors = (crate::mechanics::exp_minus_identity(&turn)
                        + Matrix3::identity())
                        * pose.directors;
                    pose
                })
                .collect();
            let q: Vec<f64> = poses.iter().flat_map(|p| p.to_q()).collect();
            let mut rows = Vec::new();
            joint_rows(joint, &poses, &mut rows);
            let polys = constraints(&model, joint);
            assert_eq!(rows.len(), polys.len());
            for (row, poly) in rows.iter().zip(&polys) {
                assert!(
                    (row.value - poly.value(&q)).abs() < 1e-14,
                    "{:?}",
                    joint.kind
                );
            }
        }
    }
}
