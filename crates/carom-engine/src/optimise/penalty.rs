//! Contact by a potential inside a plan: V = C/2 Σ φ(−g)² over vertices, with φ(s) = max(0, s), taken at
//! the middle of each step as every other potential is.
//!
//! Nothing pushes before bodies overlap, so that a search which does not touch yet learns nothing of the
//! contact. It begins with φ(s) = (s + √(s² + d²))/2, and goes on from plan to plan with a smaller d to the
//! potential itself.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::error::OptimiseError;
use super::feature::Feature;
use super::meeting::{Meeting, Penalty};
use super::poly::Poly;
use super::problem::Problem;
use crate::mechanics::coordinate_starts;
use crate::model::{BodyId, Model, UserPotential};

/// How much smaller d is from one plan to the next, and how often before it is zero.
const SHARPER: f64 = 0.1;
const STAGES: usize = 3;

struct Cushion {
    bodies: Vec<BodyId>,
    /// Gaps in the coordinates of these bodies.
    gaps: Vec<Poly>,
    stiffness: f64,
    smoothing: f64,
}

impl Cushion {
    /// φ, φ' and φ'' of an overlap.
    fn soft(&self, s: f64) -> [f64; 3] {
        let d = self.smoothing;
        if d == 0.0 {
            return if s > 0.0 { [s, 1.0, 0.0] } else { [0.0; 3] };
        }
        let root = s.hypot(d);
        // (s + √)/2 in the form that does not cancel.
        let value = match s > 0.0 {
            true => 0.5 * (s + root),
            false => 0.5 * d * d / (root - s),
        };
        [value, value / root, 0.5 * d * d / (root * root * root)]
    }
}

impl UserPotential for Cushion {
    fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    fn value(&self, q: &[f64]) -> f64 {
        let own = self.gaps.iter().map(|g| self.soft(-g.value(q))[0]);
        0.5 * self.stiffness * own.map(|v| v * v).sum::<f64>()
    }

    fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for gap in &self.gaps {
            let [value, slope, _] = self.soft(-gap.value(q));
            let force = self.stiffness * value * slope;
            if force != 0.0 {
                gap.gradient(q, |i, v| gradient[i] -= force * v);
            }
        }
    }

    fn hessian(&self, q: &[f64], hessian: &mut DMatrix<f64>) {
        hessian.fill(0.0);
        for gap in &self.gaps {
            let [value, slope, bend] = self.soft(-gap.value(q));
            let (force, stiff) = (value * slope, slope * slope + value * bend);
            if stiff == 0.0 {
                continue;
            }
            let mut y = vec![0.0; q.len()];
            gap.gradient(q, |i, v| y[i] += v);
            let used: Vec<usize> = (0..y.len()).filter(|k| y[*k] != 0.0).collect();
            for &i in &used {
                for &j in &used {
                    hessian[(i, j)] += self.stiffness * stiff * y[i] * y[j];
                }
            }
            for (i, j, b) in gap.second(q) {
                hessian[(i, j)] -= self.stiffness * force * b;
                hessian[(j, i)] -= self.stiffness * force * b;
            }
        }
    }
}

/// A polynomial in the coordinates of some bodies alone.
fn local(model: &Model, bodies: &[BodyId], poly: &Poly) -> Poly {
    let starts = coordinate_starts(model);
    let place = |global: usize| {
        let mut before = 0;
        for b in bodies {
            let first = starts[b.index()];
            let end = starts.get(b.index() + 1).copied().unwrap_or(usize::MAX);
            if (first..end).contains(&global) {
                return before + global - first;
            }
            before += if model.is_particle(*b) { 3 } else { 12 };
        }
        0
    };
    let mut out = poly.clone();
    out.linear.iter_mut().for_each(|(i, _)| *i = place(*i));
    for (i, j, _) in &mut out.quadratic {
        (*i, *j) = (place(*i), place(*j));
    }
    (out.cubic.iter_mut()).for_each(|(list, _)| *list = list.map(place));
    out
}

/// The potential of a penalty with a smoothing d.
fn cushion(
    model: &Model,
    penalty: &Penalty,
    smoothing: f64,
) -> Result<Arc<dyn UserPotential>, OptimiseError> {
    let poses: Vec<_> = model.bodies().iter().map(|b| b.start).collect();
    let nearest = Feature::find(model, &penalty.between, &poses)?;
    let (bodies, gaps) = match penalty.between {
        Meeting::Wall(body, _) => {
            let others = nearest.others.iter().map(|o| o.height.clone());
            let gaps: Vec<Poly> = [nearest.gap.clone()].into_iter().chain(others).collect();
            (vec![body], gaps)
        }
        Meeting::Bodies(a, b) => (vec![a, b], vec![nearest.gap]),
        Meeting::Limit { .. } => {
            return Err(OptimiseError::Unsupported {
                what: "the limit of a joint as a potential".into(),
                fix: "plan an impact there, or write a potential between bodies".into(),
            });
        }
    };
    Ok(Arc::new(Cushion {
        gaps: gaps.iter().map(|g| local(model, &bodies, g)).collect(),
        bodies,
        stiffness: penalty.stiffness,
        smoothing,
    }))
}

impl Problem {
    /// Adds contacts by potentials to the model of the problem.
    pub fn with_penalties(mut self, penalties: Vec<Penalty>) -> Result<Self, OptimiseError> {
        let mut model = Model::clone(&self.model);
        for penalty in &penalties {
            let sound = |v: f64| v > 0.0 && v.is_finite();
            let soft = penalty.smoothing == 0.0 || sound(penalty.smoothing);
            if !(sound(penalty.stiffness) && soft) {
                return Err(OptimiseError::Invalid {
                    what: "a potential contact without stiffness".into(),
                    fix: "give stiffness in N/m, and a smoothing length in m that is not negative"
                        .into(),
                });
            }
            model.forces.user.push(cushion(&self.model, penalty, 0.0)?);
        }
        self.model = Arc::new(model);
        self.penalties = penalties;
        Ok(self)
    }

    /// The problem with all its potential contacts smoothed by a part of what they begin with.
    fn smoothed(&self, part: f64) -> Result<Self, OptimiseError> {
        let mut model = Model::clone(&self.model);
        let first = model.forces.user.len().saturating_sub(self.penalties.len());
        model.forces.user.truncate(first);
        for penalty in &self.penalties {
            let own = cushion(&self.model, penalty, part * penalty.smoothing)?;
            model.forces.user.push(own);
        }
        Ok(Self {
            model: Arc::new(model),
            penalties: Vec::new(),
            ..self.clone()
        })
    }

    /// The problems of a continuation: smooth, less smooth, …, and the problem itself.
    pub(crate) fn stages(&self) -> Result<Vec<Self>, OptimiseError> {
        let mut out = Vec::new();
        if self.penalties.iter().any(|p| p.smoothing > 0.0) {
            for stage in 0..STAGES {
                out.push(self.smoothed(SHARPER.powi(stage as i32))?);
            }
        }
        out.push(self.smoothed(0.0)?);
        Ok(out)
    }
}
