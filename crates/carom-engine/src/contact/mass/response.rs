//! What an impulse does to the velocities.

use carom_gap::Pose;

use super::{Alone, Entry, MassMetric, turned};
use crate::mechanics::{Wrench, dense, linkage, reduce_joints};
use crate::model::{BodyId, Model};

/// ⟨g, M⁻¹g⟩ beside that of the same bodies without joints that is round-off.
const IMMOBILE: f64 = 1e-24;

impl MassMetric {
    /// Appends what a unit multiplier of ∇gap does, given as wrenches on bodies or as the rate of
    /// one degree of freedom. Returns ⟨g, M⁻¹g⟩.
    pub fn response(
        &mut self,
        model: &Model,
        poses: &[Pose],
        coordinates: &[f64],
        wrenches: &[Option<(BodyId, Wrench)>; 2],
        freedom: Option<(usize, f64)>,
        out: &mut Vec<Entry>,
    ) -> f64 {
        let from = out.len();
        match freedom {
            Some((k, sign)) if k >= model.tree_freedom => {
                self.linkage_response(model, coordinates, k - model.tree_freedom, sign, out);
            }
            Some((k, sign)) => {
                let tree = self.parts.of_freedom(k);
                self.clear(model, tree);
                self.values[k] = sign;
                self.tree_response(model, poses, tree, Some((k, sign)), out);
            }
            None => {
                self.seen.clear();
                for (body, w) in wrenches.iter().flatten() {
                    let k = body.index();
                    if let Some(a) = self.alone[k] {
                        push_alone(&a, &poses[k], w, out);
                        continue;
                    }
                    let tree = self.parts.of_body(k);
                    if tree == usize::MAX || self.seen.contains(&tree) {
                        continue;
                    }
                    self.seen.push(tree);
                    self.clear(model, tree);
                    for (other, w) in wrenches.iter().flatten() {
                        if self.parts.of_body(other.index()) == tree {
                            let sum = &mut self.wrenches[other.index()];
                            sum.force += w.force;
                            sum.torque += w.torque;
                        }
                    }
                    self.tree_response(model, poses, tree, None, out);
                }
            }
        }
        let weight = out[from..].iter().map(|e| e.gradient * e.response).sum();
        // What bodies on joints cannot give way to is round-off, not a direction.
        if weight <= IMMOBILE * free_weight(model, wrenches) {
            for e in &mut out[from..] {
                (e.gradient, e.response) = (0.0, 0.0);
            }
            return 0.0;
        }
        weight
    }

    /// Solves one tree for the wrenches set, or for a unit of one degree of freedom.
    fn tree_response(
        &mut self,
        model: &Model,
        poses: &[Pose],
        tree: usize,
        freedom: Option<(usize, f64)>,
        out: &mut Vec<Entry>,
    ) {
        let t = &self.parts.all[tree];
        if freedom.is_none() {
            let (wrenches, values) = (&mut self.wrenches, &mut self.values);
            reduce_joints(model, &t.joints, poses, wrenches, values);
        }
        let from = out.len();
        for &j in &t.joints {
            let first = model.offsets[j];
            for k in first..first + model.joint_freedom(j) {
                out.push(Entry {
                    freedom: k,
                    gradient: self.values[k],
                    response: 0.0,
                });
            }
        }
        self.solve_tree(model, poses, tree);
        for e in &mut out[from..] {
            e.response = self.values[e.freedom];
        }
    }

    fn linkage_response(
        &mut self,
        model: &Model,
        coordinates: &[f64],
        coordinate: usize,
        sign: f64,
        out: &mut Vec<Entry>,
    ) {
        let l = &model.linkages()[model.linkage_of(coordinate)];
        let range = l.first..l.first + l.freedom();
        linkage::mass_matrix(
            l,
            &coordinates[range.clone()],
            &mut self.end,
            &mut self.mass,
        );
        let pushed = coordinate - l.first;
        self.response.clear();
        self.response.resize(l.freedom(), 0.0);
        self.response[pushed] = sign;
        if !dense::solve(&mut self.mass, &mut self.response) {
            return;
        }
        for (k, response) in self.response.iter().enumerate() {
            out.push(Entry {
                freedom: model.tree_freedom + l.first + k,
                gradient: if k == pushed { sign } else { 0.0 },
                response: *response,
            });
        }
    }
}

/// ⟨F, F⟩/m of the bodies without joints; zero where no force acts.
fn free_weight(model: &Model, wrenches: &[Option<(BodyId, Wrench)>; 2]) -> f64 {
    let sides = wrenches.iter().flatten();
    sides
        .map(|(body, w)| w.force.norm_squared() / model.body(*body).mass())
        .sum()
}

#[inline]
fn push_alone(a: &Alone, pose: &Pose, w: &Wrench, out: &mut Vec<Entry>) {
    for k in 0..3 {
        out.push(Entry {
            freedom: a.first + k,
            gradient: w.force[k],
            response: w.force[k] * a.inverse_mass,
        });
    }
    if let Some(inverse) = &a.inverse_inertia {
        let response = turned(inverse, pose, &w.torque);
        for k in 0..3 {
            out.push(Entry {
                freedom: a.first + 3 + k,
                gradient: w.torque[k],
                response: response[k],
            });
        }
    }
}
