//! The step with multipliers (thesis (3.8)): redundant coordinates, constraint forces as unknowns.
//!
//! ```text
//! p + D₁L_d(q, q⁺, h) + f⁻ − h Gᵀ(q) λ = 0,   g(q⁺) = 0
//! ```
//!
//! With λ as unknown the Newton matrix has condition h⁻³. The first equation times h in the unknowns
//! (Δ, h²λ) takes that away:
//!
//! ```text
//! [ h K     −Gᵀ(q) ] [ δΔ    ]     [ h r ]
//! [ G(q⁺)     0    ] [ δ h²λ ] = − [ g   ].
//! ```
//!
//! Sparse LU, its pattern analysed once: time grows linearly with the length of a chain.

use carom_gap::Pose;
use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};
use nalgebra::{DMatrix, Vector3};

use super::newton::Progress;
use super::{Redundant, all_rows, component, gear_rows};
use crate::mechanics::{Covector, NO_WRENCH, Row, null_space};
use crate::model::Model;
use crate::simulate::sparse_lu::SparseLu;
use crate::simulate::task::StepTask;
use crate::simulate::{SimulateError, State};

/// Compliance of loops, relative to the inverse of the largest mass: picks the least multipliers
/// where rows say the same thing twice. The residual is exact, so loops still close.
const COMPLIANCE: f64 = 1e-9;

/// Storage of the multiplier scheme.
#[derive(Debug)]
pub(in crate::simulate) struct Multipliers {
    pub redundant: Redundant,
    /// Impulses of the constraints, hλ.
    pub lambda: Vec<f64>,
    /// Coordinates of the child and the parent that a row of G can depend on, as bits.
    masks: Vec<[u16; 2]>,
    pattern: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    lu: SparseLu,
    values: Vec<f64>,
    rhs: Vec<f64>,
    compliance: f64,
}

impl Multipliers {
    pub fn new(model: &Model) -> Result<Self, SimulateError> {
        let redundant = Redundant::new(model);
        let masks = masks(model, &redundant);
        let heaviest = model
            .bodies()
            .iter()
            .map(|b| b.mass())
            .filter(|m| m.is_finite())
            .fold(f64::MIN_POSITIVE, f64::max);
        let state = State::start(model)?;
        let mut places = Vec::new();
        let mut scratch = Redundant::new(model);
        let still = vec![NO_WRENCH; model.bodies().len()];
        scratch.start(model, &state, 1.0, &still);
        scratch.evaluate(model, &state, 1.0, 0.5);
        entries(
            &scratch,
            model,
            &state,
            1.0,
            0.5,
            &masks,
            1.0,
            |row, col, _| {
                places.push(Pair { row, col });
            },
        );
        let size = redundant.n + redundant.m();
        let too_large = || SimulateError::Unsupported {
            integrator: "the multiplier formulation",
            reason: "its matrix is too large".into(),
            fix: "use the reduced one",
        };
        let (pattern, order) = SymbolicSparseColMat::try_new_from_indices(size, size, &places)
            .map_err(|_| too_large())?;
        let lu = SparseLu::new(&pattern).ok_or_else(too_large)?;
        Ok(Self {
            lambda: vec![0.0; redundant.m()],
            masks,
            pattern,
            order,
            lu,
            values: Vec::with_capacity(places.len()),
            rhs: vec![0.0; size],
            compliance: COMPLIANCE / heaviest,
            redundant,
        })
    }

    /// Multipliers of the loops.
    pub fn loops(&self) -> &[f64] {
        &self.lambda[self.redundant.closures_at..]
    }

    /// Finds the motion of a step. Returns the number of iterations.
    pub fn solve(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        let StepTask {
            model,
            state,
            h,
            gamma,
            loads,
            limit,
        } = *task;
        let q = &mut self.redundant;
        q.start(model, state, h, loads);
        // Nothing is remembered from step to step: a state is enough to go on from.
        self.lambda.fill(0.0);
        let n = q.n;
        let mut progress = Progress::new(limit);
        loop {
            q.evaluate(model, state, h, gamma);
            q.add_multipliers(&self.lambda);
            let sizes = q.sizes(&q.residual, true);
            if q.settled(model, state, h, &sizes, &mut progress)? {
                q.finish(model, state, h)?;
                return Ok(progress.iterations);
            }
            for (b, r) in self.rhs[..n].iter_mut().zip(&q.residual) {
                *b = r * h;
            }
            for (b, row) in self.rhs[n..].iter_mut().zip(&q.rows_next) {
                *b = row.value;
            }
            self.values.clear();
            let values = &mut self.values;
            let compliance = self.compliance;
            entries(
                q,
                model,
                state,
                h,
                gamma,
                &self.masks,
                compliance,
                |_, _, v| values.push(v),
            );
            let matrix =
                SparseColMat::new_from_argsort(self.pattern.clone(), &self.order, &self.values)
                    .map_err(|_| sizes.singular(model, state))?;
            if !self.lu.solve(&matrix, &mut self.rhs) {
                return Err(sizes.singular(model, state));
            }
            q.correct(state, &self.rhs[..n]);
            // The unknown is h²λ, what is kept are impulses hλ.
            for (l, d) in self.lambda.iter_mut().zip(&self.rhs[n..]) {
                *l -= d / h;
            }
        }
    }
}

/// Entries of the scaled Newton matrix, always at the same places in the same order.
#[allow(clippy::too_many_arguments)]
fn entries(
    q: &Redundant,
    model: &Model,
    state: &State,
    h: f64,
    gamma: f64,
    masks: &[[u16; 2]],
    compliance: f64,
    mut put: impl FnMut(usize, usize, f64),
) {
    q.stiffness(model, state, h, gamma, |i, j, v| put(i, j, v * h));
    for i in 0..q.m() {
        let ends = q.ends[i];
        let (here, there): (&Row, &Row) = (&q.rows[i], &q.rows_next[i]);
        let sides = [
            (Some(ends.child), &here.child, &there.child, masks[i][0]),
            (ends.parent, &here.parent, &there.parent, masks[i][1]),
        ];
        for (body, y, y_next, mask) in sides {
            let Some(k) = body else { continue };
            for c in (0..q.count(k)).filter(|c| mask & (1 << c) != 0) {
                put(q.first[k] + c, q.n + i, -component(y, c));
                put(q.n + i, q.first[k] + c, component(y_next, c));
            }
        }
        if i >= q.closures_at {
            put(q.n + i, q.n + i, -compliance);
        }
    }
    for (i, ends, here, there) in q.second() {
        let sides = [
            (Some(ends.child), &here.child, &there.child),
            (ends.parent, &here.parent, &there.parent),
        ];
        for (body, y, y_next) in sides {
            let Some(k) = body else { continue };
            for c in 0..q.count(k) {
                put(q.first[k] + c, q.n + i, -component(y, c));
                put(q.n + i, q.first[k] + c, component(y_next, c));
            }
        }
    }
}

/// Which coordinates rows can depend on: those with a derivative at poses of no symmetry.
fn masks(model: &Model, q: &Redundant) -> Vec<[u16; 2]> {
    let poses: Vec<Pose> = (0..model.bodies().len())
        .map(|k| {
            let t = k as f64;
            let wave = |a: f64, b: f64| (a * t + b).sin() + 0.1234;
            Pose::new(
                Vector3::new(wave(1.3, 0.2), wave(0.7, 1.1), wave(2.1, 2.3)) * 10.0,
                Vector3::new(wave(0.9, 0.7), wave(1.7, 3.1), wave(0.3, 0.4)),
            )
        })
        .collect();
    let mut rows = Vec::new();
    all_rows(model, &poses, &mut rows);
    gear_rows(model, &poses, &poses, (&mut rows, &mut Vec::new()));
    let bits = |y: &Covector, k: usize| {
        (0..q.count(k))
            .filter(|c| component(y, *c) != 0.0)
            .fold(0, |m, c| m | (1_u16 << c))
    };
    rows.iter()
        .zip(&q.ends)
        .map(|(row, ends)| {
            [
                bits(&row.child, ends.child),
                ends.parent.map_or(0, |p| bits(&row.parent, p)),
            ]
        })
        .collect()
}

/// Newton matrices of a step of size h from a state, at the guess: Pᵀ(q) K P(q⁺) of the reduced
/// scheme, and [ K, −h Gᵀ(q) ; G(q⁺), 0 ] of the multiplier scheme in the unknowns (Δ, λ), without the
/// scaling by h² that the solver uses. For studies of conditioning.
#[doc(hidden)]
pub fn newton_matrices(model: &Model, state: &State, h: f64) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut q = Redundant::new(model);
    let still = vec![NO_WRENCH; model.bodies().len()];
    q.start(model, state, h, &still);
    q.evaluate(model, state, h, 0.5);
    let mut stiffness = DMatrix::zeros(q.n, q.n);
    q.stiffness(model, state, h, 0.5, |i, j, v| stiffness[(i, j)] += v);
    let reduced =
        null_space(model, &state.poses).transpose() * &stiffness * null_space(model, &q.next);
    let size = q.n + q.m();
    let mut full = DMatrix::zeros(size, size);
    full.view_mut((0, 0), (q.n, q.n)).copy_from(&stiffness);
    full.view_mut((0, q.n), (q.n, q.m()))
        .copy_from(&(q.constraint_matrix(&q.rows).transpose() * -h));
    full.view_mut((q.n, 0), (q.m(), q.n))
        .copy_from(&q.constraint_matrix(&q.rows_next));
    (reduced, full)
}
