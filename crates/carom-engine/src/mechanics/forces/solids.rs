//! Elements of elastic bodies: energy, forces, damping, and how they change with the end of a step.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::StepFrame;
use crate::elastic::{Corners, Element};
use crate::mechanics::kinematics::Increment;
use crate::mechanics::share::Share;
use crate::mechanics::vectors::{Covector, NO_WRENCH, Twist, Wrench, arm};
use crate::model::{BodyId, BodyKind, Model, Point, Solid};

/// Solids of a share.
fn solids<'a>(model: &'a Model, share: &'a Share) -> impl Iterator<Item = &'a Solid> {
    let all = model.solids();
    share.solids.iter().map(move |&k| &all[k])
}

/// Energy of the elements.
pub(super) fn energy(model: &Model, share: &Share, poses: &[Pose]) -> f64 {
    solids(model, share).map(|s| s.energy(poses)).sum()
}

/// Adds the forces of the elements.
pub(super) fn add_forces(model: &Model, share: &Share, poses: &[Pose], out: &mut [Covector]) {
    for solid in solids(model, share) {
        for e in &solid.elements {
            let x = solid.corners(e, poses);
            let forces = e.forces(&solid.material, &x);
            for (n, f) in e.nodes[..e.corners()].iter().zip(&forces) {
                let p = &solid.points[*n as usize];
                let Some(b) = p.body else { continue };
                let y = &mut out[b.index()];
                y.force += f;
                if p.local != Vector3::zeros() {
                    y.directors += f * p.local.transpose();
                }
            }
        }
    }
}

/// How far the corners of an element moved in a step.
fn moved(solid: &Solid, element: &Element, increments: &[Increment]) -> Corners {
    element.nodes.map(|n| {
        let p = &solid.points[n as usize];
        p.body.map_or(Vector3::zeros(), |b| {
            let i = &increments[b.index()];
            i.shift + i.directors * p.local
        })
    })
}

/// Solids with viscous stress.
fn viscous<'a>(model: &'a Model, share: &'a Share) -> impl Iterator<Item = &'a Solid> {
    solids(model, share).filter(|s| s.damping.stiffness > 0.0)
}

/// Calls `each` with a point and half of what the viscous stress does to it over a step.
pub(super) fn damper_impulses(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    mut each: impl FnMut(&Point, &Vector3<f64>),
) {
    for solid in viscous(model, share) {
        for e in &solid.elements {
            let x = solid.corners(e, frame.middle);
            let v = moved(solid, e, frame.increments);
            let forces = e.damping(&solid.material, &solid.damping, &x, &v);
            for (n, f) in e.nodes[..e.corners()].iter().zip(&forces) {
                each(&solid.points[*n as usize], &(f * 0.5));
            }
        }
    }
}

/// Adds the viscous forces at given velocities; returns their power.
pub fn add_viscous_forces(
    model: &Model,
    share: &Share,
    poses: &[Pose],
    twists: &[Twist],
    out: &mut [Wrench],
) -> f64 {
    let mut power = 0.0;
    for solid in viscous(model, share) {
        for e in &solid.elements {
            let x = solid.corners(e, poses);
            let v = (e.nodes).map(|n| point_velocity(&solid.points[n as usize], poses, twists));
            let forces = e.damping(&solid.material, &solid.damping, &x, &v);
            for ((n, f), v) in e.nodes[..e.corners()].iter().zip(&forces).zip(&v) {
                power += v.dot(f);
                let p = &solid.points[*n as usize];
                if let Some(b) = p.body {
                    let w = &mut out[b.index()];
                    w.force += f;
                    if !is_centre(p) {
                        w.torque += arm(&poses[b.index()], &p.local).cross(f);
                    }
                }
            }
        }
    }
    power
}

/// Velocity of a point of a body; of the world none.
pub fn point_velocity(point: &Point, poses: &[Pose], twists: &[Twist]) -> Vector3<f64> {
    point.body.map_or(Vector3::zeros(), |b| {
        let t = &twists[b.index()];
        match is_centre(point) {
            true => t.v,
            false => t.v + t.w.cross(&arm(&poses[b.index()], &point.local)),
        }
    })
}

/// Nodes of elastic bodies that no force moves, with the elements around them: what they carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supports {
    /// Solid, element, and which of its corners are such nodes.
    elements: Vec<(usize, usize, [bool; 4])>,
}

impl Supports {
    /// All such nodes of a model.
    pub fn all(model: &Model) -> Self {
        let mut out = Self::default();
        for k in 0..model.solids().len() {
            out.add(model, k, |_| true);
        }
        out
    }

    /// Some nodes of a solid; `None` unless all of them are held.
    pub fn of_nodes(model: &Model, solid: usize, nodes: &[u32]) -> Option<Self> {
        let points = &model.solids()[solid].points;
        if (nodes.iter()).any(|n| is_unknown(model, &points[*n as usize])) {
            return None;
        }
        let mut chosen = vec![false; points.len()];
        nodes.iter().for_each(|n| chosen[*n as usize] = true);
        let mut out = Self::default();
        out.add(model, solid, |n| chosen[n as usize]);
        Some(out)
    }

    fn add(&mut self, model: &Model, solid: usize, chosen: impl Fn(u32) -> bool) {
        let of = &model.solids()[solid];
        for (k, e) in of.elements.iter().enumerate() {
            let mut corners = [false; 4];
            for (held, n) in corners.iter_mut().zip(&e.nodes[..e.corners()]) {
                *held = chosen(*n) && !is_unknown(model, &of.points[*n as usize]);
            }
            if corners.contains(&true) {
                self.elements.push((solid, k, corners));
            }
        }
    }

    /// What they do to the bodies at places x and velocities v in a time h: −Σ (h f(x) + f_v(x, v)), and its
    /// moment about the origin. Velocities may be displacements over that time.
    pub fn impulse(
        &self,
        model: &Model,
        poses: &[Pose],
        h: f64,
        velocity: impl Fn(&Point) -> Vector3<f64>,
    ) -> Wrench {
        let mut sum = NO_WRENCH;
        for (solid, element, held) in &self.elements {
            let solid = &model.solids()[*solid];
            let e = &solid.elements[*element];
            let x = solid.corners(e, poses);
            let forces = e.forces(&solid.material, &x);
            let mut add = |forces: &Corners, factor: f64| {
                for ((f, x), _) in forces.iter().zip(&x).zip(held).filter(|(_, held)| **held) {
                    sum.force -= f * factor;
                    sum.torque -= x.cross(f) * factor;
                }
            };
            add(&forces, h);
            if solid.damping.stiffness > 0.0 {
                let v = e.nodes.map(|n| velocity(&solid.points[n as usize]));
                add(&e.damping(&solid.material, &solid.damping, &x, &v), 1.0);
            }
        }
        sum
    }
}

/// Whether a point is the origin of its body, as nodes that are particles are.
#[inline]
fn is_centre(point: &Point) -> bool {
    point.local == Vector3::zeros()
}

/// Whether forces decide where a point goes.
fn is_unknown(model: &Model, point: &Point) -> bool {
    let free = |b: BodyId| model.body(b).kind != BodyKind::Static;
    point.body.is_some_and(free)
}

/// Calls `each` with two points and the change of the impulse on the first that enters the balance at
/// q, per change of the place of the second at q⁺: −h γ (1 − γ) V″ and half of what damping adds. In
/// the same order at every call.
pub fn solid_stiffnesses(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    mut each: impl FnMut(&Point, &Point, &Matrix3<f64>),
) {
    let factor = -frame.h * frame.gamma * (1.0 - frame.gamma);
    for solid in solids(model, share) {
        let damped = solid.damping.stiffness > 0.0;
        for e in &solid.elements {
            let x = solid.corners(e, frame.middle);
            let mut put = |a: usize, b: usize, k: &Matrix3<f64>| {
                let [a, b] = [a, b].map(|c| &solid.points[e.nodes[c] as usize]);
                if [a, b].iter().all(|p| is_unknown(model, p)) {
                    each(a, b, k);
                }
            };
            if factor != 0.0 {
                e.stiffness(&solid.material, &x, |a, b, k| put(a, b, &(k * factor)));
            } else {
                // Explicit schemes have no use for V″, but for its places.
                let corners = 0..e.corners();
                corners.clone().for_each(|a| {
                    corners.clone().for_each(|b| put(a, b, &Matrix3::zeros()));
                });
            }
            if damped {
                let v = moved(solid, e, frame.increments);
                let moves = 1.0 - frame.gamma;
                let (material, damping) = (&solid.material, &solid.damping);
                e.damping_change(material, damping, [&x, &v], moves, |a, b, k| {
                    put(a, b, &(k * 0.5));
                });
            }
        }
    }
}

/// Calls `each` with two points and ∂²V/∂x_a ∂x_b.
pub(super) fn hessians(
    model: &Model,
    poses: &[Pose],
    mut each: impl FnMut(&Point, &Point, &Matrix3<f64>),
) {
    for solid in model.solids() {
        for e in &solid.elements {
            let x = solid.corners(e, poses);
            e.stiffness(&solid.material, &x, |a, b, k| {
                let [a, b] = [a, b].map(|c| &solid.points[e.nodes[c] as usize]);
                each(a, b, k);
            });
        }
    }
}
