//! Elements of elastic bodies: energy, forces, damping, and how they change with the end of a step.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::StepFrame;
use crate::elastic::{Corners, Element};
use crate::mechanics::kinematics::Increment;
use crate::mechanics::share::Share;
use crate::mechanics::vectors::{Covector, Twist, Wrench, arm};
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
            let v = e.nodes.map(|n| {
                let p = &solid.points[n as usize];
                p.body.map_or(Vector3::zeros(), |b| {
                    let t = &twists[b.index()];
                    match is_centre(p) {
                        true => t.v,
                        false => t.v + t.w.cross(&arm(&poses[b.index()], &p.local)),
                    }
                })
            });
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
