//! The linear systems of Newton's method, in the form that [`kkt`](super::super::kkt) takes apart.

use pounce_linsol::{ESymSolverStatus, SparseSymLinearSolverInterface};

use super::super::nlp::{Nlp, Pattern};

/// What rows that press give way, as the program is scaled: several that say the same then share their load.
const GIVE: f64 = 1e-9;

/// Corrections of a solution at most, and residual over its right-hand side below which none is needed.
const CORRECTIONS: usize = 3;
const EXACT: f64 = 1e-13;

/// A symmetric matrix over free unknowns, slacks, equalities and inequalities.
pub(super) struct System {
    rows: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<f64>,
    /// Number of each unknown among the free ones, and of each row behind them.
    pub unknowns: Vec<Option<usize>>,
    pub multipliers: Vec<usize>,
    /// The slack of each inequality.
    slacks: Vec<Option<usize>>,
    pub size: usize,
    free: usize,
    /// Where parts of the values begin: stiffness of unknowns, of slacks, Jacobian, give.
    parts: [usize; 4],
    hessian: Vec<usize>,
    jacobian: Vec<usize>,
    /// Negative eigenvalues at a minimum.
    expected: i32,
}

impl System {
    pub fn new(program: &dyn Nlp) -> Self {
        let (bounds, ranges) = (program.bounds(), program.ranges());
        let mut free = 0;
        let number = |[low, high]: &[f64; 2]| {
            (low < high).then(|| {
                free += 1;
                free - 1
            })
        };
        let unknowns: Vec<Option<usize>> = bounds.iter().map(number).collect();
        let equal = |r: &[f64; 2]| r[0] == r[1];
        let m = ranges.iter().filter(|r| !equal(r)).count();
        let e = ranges.len() - m;
        let (mut equality, mut inequality) = (0, 0);
        let mut slacks = Vec::new();
        let mut multipliers = Vec::new();
        for range in &ranges {
            if equal(range) {
                multipliers.push(free + m + equality);
                slacks.push(None);
                equality += 1;
            } else {
                multipliers.push(free + m + e + inequality);
                slacks.push(Some(free + inequality));
                inequality += 1;
            }
        }
        let mut out = Self {
            rows: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            unknowns,
            multipliers,
            slacks,
            size: free + 2 * m + e,
            free,
            parts: [0; 4],
            hessian: Vec::new(),
            jacobian: Vec::new(),
            expected: (m + e) as i32,
        };
        out.list(program.hessian_pattern(), program.jacobian_pattern());
        out
    }

    fn put(&mut self, r: usize, c: usize) {
        self.rows.push(r.max(c) as i32 + 1);
        self.columns.push(r.min(c) as i32 + 1);
        self.values.push(0.0);
    }

    fn list(&mut self, hessian: &Pattern, jacobian: &Pattern) {
        for (k, (&r, &c)) in hessian.rows.iter().zip(&hessian.columns).enumerate() {
            if let (Some(r), Some(c)) = (self.unknowns[r], self.unknowns[c]) {
                self.put(r, c);
                self.hessian.push(k);
            }
        }
        self.parts[0] = self.values.len();
        (0..self.free).for_each(|k| self.put(k, k));
        self.parts[1] = self.values.len();
        for row in 0..self.slacks.len() {
            if let Some(slack) = self.slacks[row] {
                self.put(slack, slack);
                self.put(self.multipliers[row], slack);
            }
        }
        self.parts[2] = self.values.len();
        for (k, (&r, &c)) in jacobian.rows.iter().zip(&jacobian.columns).enumerate() {
            if let Some(c) = self.unknowns[c] {
                self.put(self.multipliers[r], c);
                self.jacobian.push(k);
            }
        }
        self.parts[3] = self.values.len();
        (0..self.slacks.len())
            .for_each(|row| self.put(self.multipliers[row], self.multipliers[row]));
    }

    /// Gets a solver ready for it; false if it cannot.
    pub fn begin(&self, solver: &mut dyn SparseSymLinearSolverInterface) -> bool {
        let (dim, count) = (self.size as i32, self.values.len() as i32);
        let ready = solver.initialize_structure(dim, count, &self.rows, &self.columns);
        ready == ESymSolverStatus::Success
    }

    /// Sets the derivatives.
    pub fn derive(&mut self, hessian: &[f64], jacobian: &[f64]) {
        for (to, &from) in self.values.iter_mut().zip(&self.hessian) {
            *to = hessian[from];
        }
        let own = &mut self.values[self.parts[2]..self.parts[3]];
        for (to, &from) in own.iter_mut().zip(&self.jacobian) {
            *to = jacobian[from];
        }
    }

    /// Factorises it with what stands on the diagonal besides the curvature: the stiffness of free unknowns and of the slacks
    /// of rows. Says whether it has as many negative eigenvalues as at a minimum.
    pub fn factorise(
        &mut self,
        solver: &mut dyn SparseSymLinearSolverInterface,
        stiffness: &[f64],
        slacks: &[f64],
    ) -> bool {
        let [unknowns, links, jacobian, give] = self.parts;
        self.values[unknowns..links].copy_from_slice(stiffness);
        let inequalities = self.slacks.iter().zip(slacks).filter(|(s, _)| s.is_some());
        let own = self.values[links..jacobian].chunks_mut(2);
        for (own, (_, &sigma)) in own.zip(inequalities) {
            own.copy_from_slice(&[sigma, -1.0]);
        }
        self.values[give..].fill(-GIVE);
        solver.values_array_mut().copy_from_slice(&self.values);
        let mut nothing = vec![0.0; self.size];
        let (rows, columns) = (&self.rows, &self.columns);
        let status = solver.multi_solve(true, rows, columns, 1, &mut nothing, true, self.expected);
        status == ESymSolverStatus::Success
    }

    /// The matrix times a vector.
    fn times(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; v.len()];
        for ((&r, &c), &value) in self.rows.iter().zip(&self.columns).zip(&self.values) {
            let (r, c) = (r as usize - 1, c as usize - 1);
            out[r] += value * v[c];
            if r != c {
                out[c] += value * v[r];
            }
        }
        out
    }

    /// Solves with the last factors.
    pub fn solve(
        &self,
        solver: &mut dyn SparseSymLinearSolverInterface,
        rhs: &[f64],
    ) -> Option<Vec<f64>> {
        let mut all = rhs.to_vec();
        let mut out = vec![0.0; self.size];
        let size = rhs.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for _ in 0..=CORRECTIONS {
            let status =
                solver.multi_solve(false, &self.rows, &self.columns, 1, &mut all, false, 0);
            if status != ESymSolverStatus::Success {
                return None;
            }
            out.iter_mut().zip(&all).for_each(|(x, d)| *x += d);
            let product = self.times(&out);
            all = rhs.iter().zip(product).map(|(b, p)| b - p).collect();
            let left = all.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            if left <= EXACT * size {
                break;
            }
        }
        out.iter().all(|v| v.is_finite()).then_some(out)
    }
}
