//! The reduced mass matrix PᵀMP of one tree or linkage.

use nalgebra::Vector3;

use super::MassMetric;
use crate::contact::pair_gap::Path;
use crate::mechanics::{
    NO_WRENCH, Twist, carry, inertia, joint_frame, joint_rows, linkage, reduce_joints,
};
use crate::model::{BodyKind, Model};

/// Stiffness that keeps loops closed, in units of the largest mass.
const CLOSED: f64 = 1e9;

impl MassMetric {
    /// The tree or linkage a degree of freedom belongs to.
    #[inline]
    pub fn owner_of(&self, freedom: usize) -> usize {
        self.parts.of_freedom(freedom)
    }

    /// Appends the degrees of freedom of an owner and its mass matrix, row by row. Loops are kept
    /// closed by a stiffness: M + κ CᵀC.
    pub fn mass_block(
        &mut self,
        model: &Model,
        at: &Path,
        owner: usize,
        freedoms: &mut Vec<usize>,
        out: &mut Vec<f64>,
    ) {
        if let [linkage] = self.parts.all[owner].linkages[..] {
            let l = &model.linkages()[linkage];
            let range = l.first..l.first + l.freedom();
            let q = &at.coordinates[range.clone()];
            linkage::mass_matrix(l, q, &mut self.end, &mut self.mass);
            freedoms.extend(range.map(|k| model.tree_freedom + k));
            out.extend_from_slice(&self.mass);
            return;
        }
        let tree = &self.parts.all[owner];
        if let [j] = tree.joints[..]
            && let Some(alone) = &self.alone[model.joints()[j].child.index()]
        {
            let body = &model.bodies()[model.joints()[j].child.index()];
            let size = if alone.inverse_inertia.is_some() {
                6
            } else {
                3
            };
            freedoms.extend(alone.first..alone.first + size);
            let m = inertia(&body.kind, &at.poses[model.joints()[j].child.index()]);
            for r in 0..size {
                out.extend((0..size).map(|c| m[(r, c)]));
            }
            return;
        }
        let from = freedoms.len();
        for &j in &tree.joints {
            let first = model.offsets[j];
            freedoms.extend(first..first + model.joint_freedom(j));
        }
        let n = freedoms.len() - from;
        let begins = out.len();
        out.resize(begins + n * n, 0.0);
        let twists = &mut self.twists;
        twists.clear();
        twists.resize(model.bodies().len(), Twist::default());
        // Column k: the momenta of a unit velocity, reduced.
        for k in 0..n {
            let unit = freedoms[from + k];
            for &j in &tree.joints {
                let joint = &model.joints()[j];
                let b = joint.child.index();
                let frame = joint_frame(model, at.poses, joint);
                let parent = joint.parent.map_or(Twist::default(), |p| twists[p.index()]);
                let first = model.offsets[j];
                let mut nu = [0.0; 6];
                if (first..first + frame.freedom).contains(&unit) {
                    nu[unit - first] = 1.0;
                }
                let mut twist = carry(&frame, &parent, &nu[..frame.freedom]);
                if model.is_particle(joint.child) {
                    twist.w = Vector3::zeros();
                }
                twists[b] = twist;
                let momentum = inertia(&model.bodies()[b].kind, &at.poses[b]) * twist.vector();
                let w = &mut self.wrenches[b];
                *w = NO_WRENCH;
                if model.bodies()[b].kind != BodyKind::Static {
                    w.force = Vector3::new(momentum[0], momentum[1], momentum[2]);
                    w.torque = Vector3::new(momentum[3], momentum[4], momentum[5]);
                }
            }
            let (wrenches, values) = (&mut self.wrenches, &mut self.values);
            reduce_joints(model, &tree.joints, at.poses, wrenches, values);
            for r in 0..n {
                out[begins + r * n + k] = self.values[freedoms[from + r]];
            }
        }
        for law in model.joint_laws() {
            let own = freedoms[from..].iter().position(|f| *f == law.freedom);
            if let Some(k) = own {
                out[begins + k * n + k] += law.physics.armature;
            }
        }
        if tree.is_looped() {
            let diagonal = (0..n).map(|k| out[begins + k * n + k]);
            let kappa = CLOSED * diagonal.fold(0.0, f64::max);
            self.close_loops(
                model,
                at,
                owner,
                &freedoms[from..],
                &mut out[begins..],
                kappa,
            );
        }
    }

    /// m += κ CᵀC, C the rates of the loops' closures.
    fn close_loops(
        &mut self,
        model: &Model,
        at: &Path,
        owner: usize,
        freedoms: &[usize],
        m: &mut [f64],
        kappa: f64,
    ) {
        let n = freedoms.len();
        let tree = &self.parts.all[owner];
        let mut rows = std::mem::take(&mut self.closing);
        for coupling in model.couplings() {
            let [a, b] = coupling.freedoms;
            let place = |f: usize| freedoms.iter().position(|k| *k == f);
            let (Some(i), Some(j)) = (place(a), place(b)) else {
                continue;
            };
            let sides = [(i, 1.0), (j, -coupling.ratio)];
            for (r, x) in sides {
                for (k, y) in sides {
                    m[r * n + k] += kappa * x * y;
                }
            }
        }
        for joint in model.closures() {
            if self.parts.of_body(joint.child.index()) != owner {
                continue;
            }
            rows.clear();
            joint_rows(joint, at.poses, &mut rows);
            for row in &rows {
                tree.bodies
                    .iter()
                    .for_each(|&b| self.wrenches[b] = NO_WRENCH);
                if let Some(p) = joint.parent {
                    self.wrenches[p.index()] = row.parent.wrench(&at.poses[p.index()].directors);
                }
                let c = joint.child.index();
                self.wrenches[c] = row.child.wrench(&at.poses[c].directors);
                let (wrenches, values) = (&mut self.wrenches, &mut self.values);
                reduce_joints(model, &tree.joints, at.poses, wrenches, values);
                for r in 0..n {
                    for k in 0..n {
                        let (x, y) = (self.values[freedoms[r]], self.values[freedoms[k]]);
                        m[r * n + k] += kappa * x * y;
                    }
                }
            }
        }
        self.closing = rows;
    }
}
