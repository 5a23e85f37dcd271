//! The linear systems of the interior-point solver, made small before they are factorised.
//!
//! In every iteration the solver asks for the solution of
//!
//! ```text
//! ⎡ W       Jcᵀ  Jdᵀ ⎤
//! ⎢    Σ         −1  ⎥
//! ⎢ Jc      −δc      ⎥
//! ⎣ Jd −1       −δd  ⎦
//! ```
//!
//! Rows that keep bodies apart are inequalities, thousands of them, each with a slack and a
//! multiplier of its own. Both are known once the other unknowns are: they leave Jdᵀ (Σ⁻¹ + δd)⁻¹ Jd
//! in the block of W. Then each plane between two bodies, with the multiplier of its unit length,
//! meets nothing but the poses at both ends of its step: a *leaf*, eliminated as a small dense block.
//! What is left has a few unknowns for each node and is eliminated [node by node](stages), or by the solver for sparse
//! systems where it is of another form or that is not accurate. Numbers of negative eigenvalues add up (Haynsworth). Moves
//! of a leaf with all else at rest are moves of the whole: where the curvature of one is negative, so is that of the
//! whole, and nothing else need be factorised to say so.

mod bunch_parlett;
mod front;
mod panels;
mod plan;
mod stages;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pounce_linsol::{EMatrixFormat, ESymSolverStatus as Status, SparseSymLinearSolverInterface};

use super::nlp::Leaf;
use plan::Plan;
use stages::Stages;

/// Numbers of equalities and inequalities of a program, its leaves (unknowns that are not fixed
/// and equalities, each counted from zero), and nodes of unknowns that are not fixed, where they belong to one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    pub equalities: usize,
    pub inequalities: usize,
    pub leaves: Vec<Leaf>,
    pub nodes: Vec<Option<u32>>,
}

/// Systems that are factorised for one step of the interior-point solver at most. Where rows depend on each other it tries
/// one regularisation after the other, now and then without an end.
const MOST_TRIALS: usize = 300;

/// Systems that were factorised since the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trials(Arc<AtomicUsize>);

impl Trials {
    /// A step begins.
    pub fn restart(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts one more; says whether it may be made.
    fn another(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) < MOST_TRIALS
    }
}

/// A linear solver that takes slacks, multipliers of inequalities and leaves out first.
pub(crate) struct Condensing {
    /// Solves what is left, or everything if the system is not of the form above.
    inner: Box<dyn SparseSymLinearSolverInterface>,
    structure: Structure,
    trials: Trials,
    plan: Option<Plan>,
    values: Vec<f64>,
    /// What is left, with its values, where it is eliminated node by node.
    stages: Option<Stages>,
    last: Vec<f64>,
    /// Whether the present matrix was.
    staged: bool,
    negative: i32,
    /// The least number of negative eigenvalues of a matrix that was not factorised, since a leaf has too many.
    bent: Option<i32>,
}

impl Condensing {
    pub fn new(
        inner: Box<dyn SparseSymLinearSolverInterface>,
        structure: Structure,
        trials: Trials,
    ) -> Self {
        Self {
            inner,
            structure,
            trials,
            plan: None,
            values: Vec::new(),
            stages: None,
            last: Vec::new(),
            staged: false,
            negative: 0,
            bent: None,
        }
    }

    /// Solves what is left for some right-hand sides; nothing where it cannot be eliminated node by node, or not
    /// accurately. `expected` is the number of negative eigenvalues that it must have, if it matters.
    fn solve_stages(
        &mut self,
        new: bool,
        parts: &mut [f64],
        expected: Option<i32>,
    ) -> Option<Status> {
        let stages = self.stages.as_mut()?;
        if new {
            self.staged = true;
            if stages.factorise(&self.last).is_none() {
                return Some(Status::Singular);
            }
        }
        if !self.staged {
            return None;
        }
        if new && expected.is_some_and(|e| e != stages.negative as i32) {
            return Some(Status::WrongInertia);
        }
        let whole = parts.to_vec();
        for part in parts.chunks_mut(self.plan.as_ref()?.left.len().max(1)) {
            if !stages.solve(part) {
                parts.copy_from_slice(&whole);
                self.staged = false;
                return None;
            }
        }
        Some(Status::Success)
    }
}

impl SparseSymLinearSolverInterface for Condensing {
    fn initialize_structure(
        &mut self,
        dim: i32,
        nonzeros: i32,
        rows: &[i32],
        columns: &[i32],
    ) -> Status {
        self.values = vec![0.0; nonzeros as usize];
        self.negative = 0;
        self.plan = Plan::new(dim as usize, &self.structure, rows, columns);
        let Some(plan) = &self.plan else {
            return self
                .inner
                .initialize_structure(dim, nonzeros, rows, columns);
        };
        self.last = vec![0.0; plan.rows.len()];
        let node = |at: usize| self.structure.nodes.get(at).copied().flatten();
        let nodes: Vec<_> = plan.left.iter().map(|&at| node(at)).collect();
        self.stages = Stages::new(&nodes, &plan.rows, &plan.columns);
        let (left, count) = (plan.left.len() as i32, plan.rows.len() as i32);
        self.inner
            .initialize_structure(left, count, &plan.rows, &plan.columns)
    }

    fn values_array_mut(&mut self) -> &mut [f64] {
        match self.plan {
            Some(_) => &mut self.values,
            None => self.inner.values_array_mut(),
        }
    }

    fn multi_solve(
        &mut self,
        new_matrix: bool,
        rows: &[i32],
        columns: &[i32],
        count: i32,
        rhs: &mut [f64],
        check: bool,
        negative: i32,
    ) -> Status {
        if new_matrix && !self.trials.another() {
            return Status::FatalError;
        }
        let Some(plan) = &mut self.plan else {
            return self
                .inner
                .multi_solve(new_matrix, rows, columns, count, rhs, check, negative);
        };
        if new_matrix {
            match plan.reduce(&self.values, &mut self.last) {
                // Fewer negative eigenvalues of the rest cannot make up for it.
                Some((_, true)) if check => {
                    self.bent = Some(negative + 1);
                    return Status::WrongInertia;
                }
                Some((found, _)) => (self.negative, self.bent) = (found, None),
                None => return Status::Singular,
            }
        }
        let was_staged = self.staged;
        let e = self.structure.equalities;
        let dim = plan.unknowns + 2 * self.structure.inequalities + e;
        let middles: Vec<Vec<f64>> = (rhs.chunks(dim))
            .map(|whole| plan.forward(&self.values, whole, e))
            .collect();
        let mut parts: Vec<f64> = Vec::with_capacity(plan.left.len() * count as usize);
        for middle in &middles {
            parts.extend(plan.left.iter().map(|&at| middle[at]));
        }
        let expected = negative - self.negative;
        let staged = self.solve_stages(new_matrix, &mut parts, check.then_some(expected));
        let Some(plan) = &self.plan else {
            return Status::FatalError;
        };
        let status = staged.unwrap_or_else(|| {
            // A matrix that was factorised node by node is another one to the solver behind.
            let new = new_matrix || was_staged;
            self.inner.values_array_mut().copy_from_slice(&self.last);
            self.inner.multi_solve(
                new,
                &plan.rows,
                &plan.columns,
                count,
                &mut parts,
                check,
                expected,
            )
        });
        if status == Status::Success {
            let pairs = rhs.chunks_mut(dim).zip(parts.chunks(plan.left.len()));
            for ((whole, part), middle) in pairs.zip(middles) {
                plan.backward(&self.values, middle, part, whole, e);
            }
        }
        status
    }

    fn number_of_neg_evals(&self) -> i32 {
        if let Some(least) = self.bent {
            return least;
        }
        let left = match &self.stages {
            Some(stages) if self.staged => stages.negative as i32,
            _ => self.inner.number_of_neg_evals(),
        };
        left + self.negative
    }

    fn increase_quality(&mut self) -> bool {
        self.inner.increase_quality()
    }

    fn provides_inertia(&self) -> bool {
        self.inner.provides_inertia()
    }

    fn singularity_certified(&self) -> bool {
        self.inner.singularity_certified()
    }

    fn matrix_format(&self) -> EMatrixFormat {
        EMatrixFormat::TripletFormat
    }
}
