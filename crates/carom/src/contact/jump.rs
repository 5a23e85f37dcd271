//! Jumps of momentum: reflection in the reduced mass metric (thesis (3.103)–(3.109)).
//!
//! With g = Pᵀ∇gap and the reduced mass matrix M, π⁻ = π⁺ + λ g with λ = −(1 + e) ⟨g, M⁻¹π⁺⟩ /
//! ⟨g, M⁻¹g⟩: the normal part is reversed and scaled by e, the rest is kept. For e = 1 kinetic energy
//! is kept exactly. Several contacts at once: the papers' rule reflects along the sum of the gaps of
//! each connected group; where that leaves bodies approaching, contacts are reflected one after the
//! other until none approaches, which never gains energy.

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector};

use super::row::GapRow;
use crate::mechanics::{NO_WRENCH, TreeSolver, Wrench, inertia, linkage, reduce};
use crate::model::Model;

/// How simultaneous impacts are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpRule {
    /// Along the sum of the gaps of each connected group, then one after the other.
    #[default]
    Sum,
    /// One after the other, the fastest approach first.
    Sequential,
}

/// What an impact did along one contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Impulse {
    /// Multiplier λ of ∇gap.
    pub lambda: f64,
}

/// Solves with the reduced mass matrix and reflects.
#[derive(Debug)]
pub struct Reflector {
    tree: TreeSolver,
    joints: Vec<usize>,
    wrenches: Vec<Wrench>,
    end: linkage::End,
    mass: Vec<f64>,
}

impl Reflector {
    /// Storage for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            tree: TreeSolver::new(model),
            joints: (0..model.joints().len()).collect(),
            wrenches: vec![NO_WRENCH; model.bodies().len()],
            end: linkage::End::default(),
            mass: Vec::new(),
        }
    }

    /// g = Pᵀ∇gap over all degrees of freedom (joints, then coordinates).
    pub fn reduce(&mut self, model: &Model, poses: &[Pose], row: &GapRow) -> Vec<f64> {
        let mut out = vec![0.0; model.freedom()];
        if let Some((k, sign)) = row.freedom {
            out[k] = sign;
            return out;
        }
        self.wrenches.fill(NO_WRENCH);
        for (body, w) in row.wrenches.iter().flatten() {
            if model.body(*body).mass().is_finite() {
                self.wrenches[body.index()] = *w;
            }
        }
        reduce(
            model,
            poses,
            &mut self.wrenches,
            &mut out[..model.tree_freedom],
        );
        out
    }

    /// M⁻¹ g.
    pub fn divide(
        &mut self,
        model: &Model,
        poses: &[Pose],
        coordinates: &[f64],
        g: &[f64],
    ) -> Vec<f64> {
        let mut out = g.to_vec();
        for (k, body) in model.bodies().iter().enumerate() {
            *self.tree.block(k) = inertia(&body.kind, &poses[k]);
        }
        let (tree, rest) = out.split_at_mut(model.tree_freedom);
        self.tree.solve(model, &self.joints, poses, poses, tree);
        for l in model.linkages() {
            let range = l.first..l.first + l.freedom();
            linkage::mass_matrix(
                l,
                &coordinates[range.clone()],
                &mut self.end,
                &mut self.mass,
            );
            let n = l.freedom();
            let mass = DMatrix::from_fn(n, n, |i, j| self.mass[i * n + j]);
            let rhs = DVector::from_column_slice(&rest[range.clone()]);
            if let Some(x) = mass.lu().solve(&rhs) {
                rest[range].copy_from_slice(x.as_slice());
            }
        }
        out
    }

    /// Multipliers that resolve the contacts in `rows`, given joint velocities ν before; rows are
    /// (gradient g, restitution). Velocities are updated.
    pub fn resolve(
        &mut self,
        model: &Model,
        poses: &[Pose],
        coordinates: &[f64],
        rows: &[(Vec<f64>, f64)],
        nu: &mut [f64],
        rule: JumpRule,
    ) -> Vec<Impulse> {
        let inverse: Vec<Vec<f64>> = rows
            .iter()
            .map(|(g, _)| self.divide(model, poses, coordinates, g))
            .collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut out = vec![Impulse::default(); rows.len()];
        let scale: f64 = rows
            .iter()
            .map(|(g, _)| dot(g, nu).abs())
            .fold(0.0, f64::max);
        let approaching = |nu: &[f64], g: &[f64]| dot(g, nu) < -1e-13 * scale;
        if rule == JumpRule::Sum && rows.len() > 1 {
            for group in groups(rows, &inverse) {
                let active: Vec<usize> = group
                    .into_iter()
                    .filter(|&k| approaching(nu, &rows[k].0))
                    .collect();
                if active.len() < 2 {
                    continue;
                }
                let e = active.iter().map(|&k| rows[k].1).fold(1.0, f64::min);
                let n = nu.len();
                let sum = |v: &dyn Fn(usize) -> Vec<f64>| {
                    active.iter().fold(vec![0.0; n], |mut s, &k| {
                        s.iter_mut().zip(v(k)).for_each(|(s, v)| *s += v);
                        s
                    })
                };
                let g = sum(&|k| rows[k].0.clone());
                let mg = sum(&|k| inverse[k].clone());
                let lambda = -(1.0 + e) * dot(&g, nu) / dot(&g, &mg);
                nu.iter_mut().zip(&mg).for_each(|(v, d)| *v += lambda * d);
                active.iter().for_each(|&k| out[k].lambda += lambda);
            }
        }
        // One after the other, the fastest approach first.
        for _ in 0..10_000 {
            let worst = (0..rows.len())
                .filter(|&k| approaching(nu, &rows[k].0))
                .min_by(|&a, &b| dot(&rows[a].0, nu).total_cmp(&dot(&rows[b].0, nu)));
            let Some(k) = worst else { break };
            let (g, e) = &rows[k];
            let lambda = -(1.0 + e) * dot(g, nu) / dot(g, &inverse[k]);
            nu.iter_mut()
                .zip(&inverse[k])
                .for_each(|(v, d)| *v += lambda * d);
            out[k].lambda += lambda;
        }
        out
    }
}

/// Contacts that feel each other: ⟨gᵢ, M⁻¹gⱼ⟩ ≠ 0.
fn groups(rows: &[(Vec<f64>, f64)], inverse: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut group: Vec<usize> = (0..rows.len()).collect();
    for i in 0..rows.len() {
        for j in 0..i {
            let size = (dot(&rows[i].0, &inverse[i]) * dot(&rows[j].0, &inverse[j])).sqrt();
            if dot(&rows[i].0, &inverse[j]).abs() > 1e-12 * size {
                let (a, b) = (group[i], group[j]);
                group.iter_mut().for_each(|g| {
                    if *g == a {
                        *g = b;
                    }
                });
            }
        }
    }
    let mut out: Vec<Vec<usize>> = Vec::new();
    for root in 0..rows.len() {
        let members: Vec<usize> = (0..rows.len()).filter(|&k| group[k] == root).collect();
        if !members.is_empty() {
            out.push(members);
        }
    }
    out
}
