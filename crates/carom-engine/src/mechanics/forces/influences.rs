//! Solenoids and fields: what they do to bodies, with exact derivatives.

use carom_gap::Pose;
use nalgebra::{Matrix6, Vector3, Vector6};

use super::{Block, StepFrame};
use crate::mechanics::vectors::{NO_WRENCH, Wrench};
use crate::model::{
    BodyKind, Field, Influence, Model, SOLENOID_ANGLE, SOLENOID_DISTANCE, Solenoids,
    solenoid_formula,
};

/// What an influence does to its bodies: wrenches about their origins, and how these change with the
/// twists of the bodies (rows and columns in the order of the bodies).
pub struct Pull {
    /// Forces and torques.
    pub wrenches: [Wrench; 2],
    /// ∂wrench_a/∂twist_b.
    pub changes: [[Matrix6<f64>; 2]; 2],
}

/// Forces and torques, with their derivatives if asked for.
pub fn pull(influence: &Influence, poses: &[Pose], with_changes: bool) -> Pull {
    match influence {
        Influence::Solenoids(s) => solenoids(s, poses, with_changes),
        Influence::Field(f) => field(f, poses),
    }
}

/// Adds what all influences do at a configuration, times a factor.
pub fn add_influences(model: &Model, poses: &[Pose], factor: f64, out: &mut [Wrench]) {
    for influence in &model.forces().influences {
        let pull = pull(influence, poses, false);
        for (body, w) in influence.bodies().iter().zip(&pull.wrenches) {
            if let Some(b) = body.filter(|b| model.body(*b).kind != BodyKind::Static) {
                out[b.index()].force += w.force * factor;
                out[b.index()].torque += w.torque * factor;
            }
        }
    }
}

/// Adds h γ (1 − γ) ∂f/∂q of all influences at the end of a step.
pub fn add_influence_blocks(model: &Model, frame: &StepFrame, out: &mut Vec<Block>) {
    let factor = frame.h * frame.gamma * (1.0 - frame.gamma);
    for influence in &model.forces().influences {
        let pull = pull(influence, frame.next, true);
        let bodies = influence.bodies();
        let moves = |k: usize| bodies[k].filter(|b| model.body(*b).kind != BodyKind::Static);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if let (Some(row), Some(column)) = (moves(i), moves(j)) {
                out.push(Block {
                    row,
                    column,
                    matrix: pull.changes[i][j] * factor,
                });
            }
        }
    }
}

/// Why it does not know what it does here, if so.
pub fn out_of_range(influence: &Influence, poses: &[Pose]) -> Option<String> {
    match influence {
        Influence::Solenoids(s) => {
            let at = relative(s, poses);
            let [least, most] = SOLENOID_DISTANCE;
            let round_off = 1e-9;
            let far = at.r < least - round_off || at.r > most + round_off;
            let bent = |a: f64| a.abs() > SOLENOID_ANGLE + round_off;
            let lifted = at.d.z.abs() > 1e-6 * (1.0 + at.r);
            let angle = |a: f64| a.to_degrees();
            if !at.r.is_finite() || far {
                Some(format!("r = {:.4} m is not within [{least}, {most}]", at.r))
            } else if bent(at.phi[0]) || bent(at.phi[1]) {
                Some(format!(
                    "phi_1 = {:.2} and phi_2 = {:.2} degrees are not within [-36, 36]",
                    angle(at.phi[0]),
                    angle(at.phi[1])
                ))
            } else {
                lifted.then(|| format!("the magnets are {:.2e} m out of plane", at.d.z))
            }
        }
        Influence::Field(f) => {
            let x = poses[f.body.index()].point(&f.local);
            let [gx, gy] = &f.grid;
            f.at(x.x, x.y).is_none().then(|| {
                format!(
                    "({:.4}, {:.4}) m is not on its grid, x from {} to {}, y from {} to {}",
                    x.x,
                    x.y,
                    gx[0],
                    gx[gx.len() - 1],
                    gy[0],
                    gy[gy.len() - 1]
                )
            })
        }
    }
}

fn field(field: &Field, poses: &[Pose]) -> Pull {
    let pose = &poses[field.body.index()];
    let arm = pose.directors * field.local;
    let x = pose.position + arm;
    let [value, by_x, by_y] = field.at(x.x, x.y).unwrap_or([[0.0; 3]; 3]);
    let force = Vector3::new(value[0], value[1], 0.0);
    let mut changes = [[Matrix6::zeros(); 2]; 2];
    for k in 0..6 {
        let (v, w) = unit_twist(k);
        let moved = v + w.cross(&arm);
        let change = [0, 1, 2].map(|i| by_x[i] * moved.x + by_y[i] * moved.y);
        let df = Vector3::new(change[0], change[1], 0.0);
        let torque = arm.cross(&df) + w.cross(&arm).cross(&force) + Vector3::z() * change[2];
        changes[0][0].set_column(k, &six(&df, &torque));
    }
    let torque = arm.cross(&force) + Vector3::z() * value[2];
    Pull {
        wrenches: [Wrench { force, torque }, NO_WRENCH],
        changes,
    }
}

/// Two solenoids seen from the first.
struct Relative {
    /// Centre of the second in the axes of the first.
    d: Vector3<f64>,
    /// Axis of the second in the axes of the first.
    u: Vector3<f64>,
    r: f64,
    phi: [f64; 2],
}

fn relative(pair: &Solenoids, poses: &[Pose]) -> Relative {
    let [a, b] = &pair.mounts;
    let [pa, pb] = [a, b].map(|m| &poses[m.body.index()]);
    let axes = pa.directors * a.axes;
    let d = axes.tr_mul(&(pb.point(&b.local) - pa.point(&a.local)));
    let u = axes.tr_mul(&(pb.directors * b.axes.column(0)));
    Relative {
        r: d.x.hypot(d.y),
        phi: [d.y.atan2(d.x), u.y.atan2(u.x)],
        d,
        u,
    }
}

fn solenoids(pair: &Solenoids, poses: &[Pose], with_changes: bool) -> Pull {
    let [a, b] = &pair.mounts;
    let [pa, pb] = [a, b].map(|m| &poses[m.body.index()]);
    let arms = [pa.directors * a.local, pb.directors * b.local];
    let axes = pa.directors * a.axes;
    let across = (pb.position + arms[1]) - (pa.position + arms[0]);
    let at = relative(pair, poses);
    let [value, by_r, by_1, by_2] = solenoid_formula(at.r / pair.unit, at.phi[0], at.phi[1]);
    let in_plane = |f: &[f64; 3]| Vector3::new(f[0], f[1], 0.0) * pair.strength;
    // On the first: force and torque in its own axes; on the second the opposite, about one point.
    let force = axes * in_plane(&value);
    let torque = axes.column(2) * (value[2] * pair.strength);
    let on = |f: &Vector3<f64>, t: &Vector3<f64>, arm: &Vector3<f64>| Wrench {
        force: *f,
        torque: arm.cross(f) + t,
    };
    let back = across.cross(&force) - torque;
    let wrenches = [on(&force, &torque, &arms[0]), on(&-force, &back, &arms[1])];
    let mut changes = [[Matrix6::zeros(); 2]; 2];
    if !with_changes {
        return Pull { wrenches, changes };
    }
    let planar = at.u.x * at.u.x + at.u.y * at.u.y;
    let axis = axes * at.u;
    for (body, k) in (0..2).flat_map(|body| (0..6).map(move |k| (body, k))) {
        let (v, w) = unit_twist(k);
        let none = Vector3::zeros();
        let (w1, w2) = if body == 0 { (w, none) } else { (none, w) };
        let shift = v + w.cross(&arms[body]);
        let d_across = if body == 0 { -shift } else { shift };
        // d = R₁ᵀ (x₂ − x₁) and u = R₁ᵀ R₂ e_x
        let dd = axes.tr_mul(&(d_across - w1.cross(&across)));
        let du = axes.tr_mul(&(w2 - w1).cross(&axis));
        let dr = (at.d.x * dd.x + at.d.y * dd.y) / at.r / pair.unit;
        let d1 = (at.d.x * dd.y - at.d.y * dd.x) / (at.r * at.r);
        let d2 = (at.u.x * du.y - at.u.y * du.x) / planar;
        let df = [0, 1, 2].map(|i| by_r[i] * dr + by_1[i] * d1 + by_2[i] * d2);
        let d_force = w1.cross(&force) + axes * in_plane(&df);
        let d_torque = w1.cross(&torque) + axes.column(2) * (df[2] * pair.strength);
        let d_back = d_across.cross(&force) + across.cross(&d_force) - d_torque;
        let turned = |arm: &Vector3<f64>, w: &Vector3<f64>| w.cross(arm);
        let first = arms[0].cross(&d_force) + turned(&arms[0], &w1).cross(&force) + d_torque;
        let second = -arms[1].cross(&d_force) - turned(&arms[1], &w2).cross(&force) + d_back;
        changes[0][body].set_column(k, &six(&d_force, &first));
        changes[1][body].set_column(k, &six(&-d_force, &second));
    }
    Pull { wrenches, changes }
}

/// The k-th unit twist.
fn unit_twist(k: usize) -> (Vector3<f64>, Vector3<f64>) {
    let mut all = [Vector3::zeros(); 2];
    all[k / 3][k % 3] = 1.0;
    (all[0], all[1])
}

fn six(force: &Vector3<f64>, torque: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(force.x, force.y, force.z, torque.x, torque.y, torque.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanics::exp_minus_identity;
    use crate::model::{BodyId, Mount};
    use nalgebra::Matrix3;

    fn poses() -> Vec<Pose> {
        vec![
            Pose::new(Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.0, 0.0, 0.4)),
            Pose::new(Vector3::new(0.38, -0.02, 0.3), Vector3::new(0.0, 0.0, 0.55)),
        ]
    }

    fn mount(body: u32, x: f64) -> Mount {
        Mount {
            body: BodyId(body),
            local: Vector3::new(x, 0.01, 0.0),
            axes: Matrix3::identity(),
        }
    }

    fn samples() -> Vec<Influence> {
        let values = (0..12).map(|k| {
            let x = f64::from(k);
            [x.sin(), x.cos(), 0.1 * x]
        });
        vec![
            Influence::Solenoids(Solenoids {
                name: "pair".into(),
                mounts: [mount(0, 0.05), mount(1, -0.03)],
                strength: 0.5,
                unit: 0.1,
            }),
            Influence::Field(Field {
                name: "table".into(),
                body: BodyId(0),
                local: Vector3::new(0.02, 0.05, 0.0),
                grid: [vec![0.0, 0.2, 0.5, 0.9], vec![-0.5, 0.1, 0.4]],
                values: values.collect(),
            }),
        ]
    }

    fn moved(poses: &[Pose], body: usize, k: usize, by: f64) -> Vec<Pose> {
        let mut poses = poses.to_vec();
        let (v, w) = unit_twist(k);
        poses[body].position += v * by;
        let d = poses[body].directors;
        // D⁺ = exp(ŵ) D
        poses[body].directors = d + exp_minus_identity(&(w * by)) * d;
        poses
    }

    #[test]
    fn changes_are_derivatives_and_momenta_are_kept() {
        let (poses, e) = (poses(), 1e-6);
        for influence in samples() {
            assert_eq!(out_of_range(&influence, &poses), None);
            let felt = pull(&influence, &poses, true);
            if let Influence::Solenoids(_) = influence {
                let [a, b] = felt.wrenches;
                assert_eq!(a.force, -b.force);
                let moment = |w: &Wrench, p: &Pose| w.torque + p.position.cross(&w.force);
                let total = moment(&a, &poses[0]) + moment(&b, &poses[1]);
                assert!(total.norm() < 1e-14 && a.force.norm() > 1e-3);
            }
            for body in 0..2 {
                for k in 0..6 {
                    let at =
                        |by: f64| pull(&influence, &moved(&poses, body, k, by), false).wrenches;
                    let (up, down) = (at(e), at(-e));
                    for row in 0..2 {
                        let f = (up[row].force - down[row].force) / (2.0 * e);
                        let t = (up[row].torque - down[row].torque) / (2.0 * e);
                        let off = six(&f, &t) - felt.changes[row][body].column(k);
                        assert!(off.norm() < 1e-6, "{} {row} {body} {k}", influence.name());
                    }
                }
            }
        }
    }

    #[test]
    fn beyond_its_range_an_influence_says_so() {
        let (near, far) = (poses(), moved(&poses(), 0, 1, -5.0));
        let turned = moved(&near, 1, 5, 0.7);
        for influence in samples() {
            assert_eq!(out_of_range(&influence, &near), None);
            let why = out_of_range(&influence, &far).unwrap();
            assert!(why.contains("not"), "{why}");
        }
        let solenoids = &samples()[0];
        assert!(out_of_range(solenoids, &turned).unwrap().contains("phi_2"));
        let lifted = moved(&near, 1, 2, 0.01);
        assert!(out_of_range(solenoids, &lifted).unwrap().contains("plane"));
    }
}
