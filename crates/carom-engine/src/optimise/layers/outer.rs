//! The outer layer as a program of its own: every value is the cost of segments that are solved to the end.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use super::OuterLayer;
use super::segment::Segment;
use super::split::Split;
use crate::optimise::nlp::{
    Multipliers, Nlp, NlpSolver, Pattern, Response, Solution, SolverSettings, SolverStatus,
};
use crate::optimise::status::optimality;

/// Barrier parameter of a segment that was solved nearby before, and how far it is moved off its bounds.
const WARM_BARRIER: f64 = 1e-6;
const WARM_PUSH: f64 = 1e-8;

/// Tolerance of segments: short ones are stiff, and their multipliers large. Newton's method goes on for two steps
/// from there.
const INNER: f64 = 1e-7;

/// Most iterations of a segment: one that takes more asks for what its controls cannot give.
const MOST_ITERATIONS: usize = 60;

/// What a solved segment may leave.
const FEASIBLE: f64 = 1e-8;
const STATIONARY: f64 = 1e-6;

/// See the [module](self).
pub(super) struct Outer {
    program: Rc<RefCell<dyn Nlp>>,
    solver: Rc<dyn NlpSolver>,
    split: Split,
    settings: SolverSettings,
    begin: Instant,
    segments: Vec<Rc<RefCell<Segment>>>,
    /// All unknowns, with the segments of the last place where all of them were solved.
    x: Vec<f64>,
    /// Multipliers of the program there, those of the outer layer zero.
    found: Multipliers,
    /// The last place, and whether all segments were solved there.
    last: Option<(Vec<f64>, bool)>,
    warm: Option<Multipliers>,
    jacobian: Pattern,
    hessian: Pattern,
    solves: usize,
    iterations: usize,
    failure: Option<String>,
}

impl Outer {
    pub fn new(
        program: Rc<RefCell<dyn Nlp>>,
        solver: Rc<dyn NlpSolver>,
        split: Split,
        settings: SolverSettings,
    ) -> Self {
        let x = program.borrow().start();
        let rows = program.borrow().ranges().len();
        let known = program.borrow().multipliers().cloned();
        let segments: Vec<Rc<RefCell<Segment>>> = (split.segments.iter())
            .map(|part| Segment::new(Rc::clone(&program), part.clone(), &x))
            .map(|segment| Rc::new(RefCell::new(segment)))
            .collect();
        let (n, m) = (split.outer.unknowns.len(), split.outer.rows.len());
        let square = (0..n).flat_map(|r| (0..=r).map(move |c| (r, c)));
        let wide = (0..m).flat_map(|r| (0..n).map(move |c| (r, c)));
        let pattern = |places: Vec<(usize, usize)>| Pattern {
            rows: places.iter().map(|p| p.0).collect(),
            columns: places.iter().map(|p| p.1).collect(),
        };
        let mut out = Self {
            jacobian: pattern(wide.collect()),
            hessian: pattern(square.collect()),
            found: Multipliers {
                rows: vec![0.0; rows],
                bounds: [vec![0.0; x.len()], vec![0.0; x.len()]],
            },
            x,
            program,
            solver,
            split,
            settings,
            begin: Instant::now(),
            segments,
            last: None,
            warm: None,
            solves: 0,
            iterations: 0,
            failure: None,
        };
        if let Some(mut known) = known {
            out.inherit(&mut known);
        }
        out
    }

    /// Takes multipliers of the whole program to begin with.
    fn inherit(&mut self, known: &mut Multipliers) {
        // Those of sums of rows belong to all of their terms.
        for (row, terms) in &self.split.sums {
            for (term, factor) in terms {
                known.rows[*term] -= factor * known.rows[*row];
            }
        }
        let pick = |unknowns: &[usize], rows: &[usize]| Multipliers {
            rows: rows.iter().map(|r| known.rows[*r]).collect(),
            bounds: [0, 1].map(|s| unknowns.iter().map(|k| known.bounds[s][*k]).collect()),
        };
        for segment in &self.segments {
            let mut segment = segment.borrow_mut();
            let own = pick(&segment.part.unknowns, &segment.part.rows);
            segment.multipliers = Some(own);
        }
        self.warm = Some(pick(&self.split.outer.unknowns, &self.split.outer.rows));
    }

    /// Counts so far.
    pub fn report(&self) -> OuterLayer {
        let bounds = self.bounds();
        OuterLayer {
            segments: self.segments.len(),
            unknowns: bounds.iter().filter(|b| b[0] < b[1]).count(),
            solves: self.solves,
            iterations: self.iterations,
            ..OuterLayer::default()
        }
    }

    /// Counts what was solved before it.
    pub fn count(&mut self, before: &OuterLayer) {
        self.solves += before.solves;
        self.iterations += before.iterations;
    }

    /// Why a segment could not be solved, the last time that happened.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Whether all segments have a solution at z.
    pub fn is_solved(&mut self, z: &[f64]) -> bool {
        self.reach(z)
    }

    /// A solution of the outer layer as one of the whole program.
    pub fn whole(&mut self, found: &Solution) -> Solution {
        self.reach(&found.x);
        self.place(&found.x);
        let mut m = self.found.clone();
        for (row, lambda) in self.split.outer.rows.iter().zip(&found.multipliers.rows) {
            m.rows[*row] += lambda;
            for (term, factor) in self.split.sums.get(row).into_iter().flatten() {
                m.rows[*term] += factor * lambda;
            }
        }
        for (side, all) in m.bounds.iter_mut().enumerate() {
            let own = &found.multipliers.bounds[side];
            for (k, z) in self.split.outer.unknowns.iter().zip(own) {
                all[*k] = *z;
            }
        }
        Solution {
            status: found.status.clone(),
            x: self.x.clone(),
            multipliers: m,
            iterations: found.iterations,
        }
    }

    fn place(&mut self, z: &[f64]) {
        for (k, v) in self.split.outer.unknowns.iter().zip(z) {
            self.x[*k] = *v;
        }
    }

    /// Solves all segments with the outer unknowns at z; false if one of them has no solution there.
    fn reach(&mut self, z: &[f64]) -> bool {
        self.place(z);
        if let Some((_, solved)) = self.last.as_ref().filter(|l| l.0 == z) {
            return *solved;
        }
        let mut solved = true;
        let mut ends = Vec::new();
        for s in 0..self.segments.len() {
            let segment = Rc::clone(&self.segments[s]);
            segment.borrow_mut().hold(&self.x);
            let Some(end) = self.solve_segment(&segment) else {
                self.failure = Some(format!("segment {} could not be solved", s + 1));
                solved = false;
                break;
            };
            ends.push(end);
        }
        if solved {
            for (segment, end) in self.segments.iter().zip(ends) {
                let mut segment = segment.borrow_mut();
                for (k, at) in segment.part.unknowns.iter().enumerate() {
                    self.x[*at] = end.x[k];
                    for side in 0..2 {
                        self.found.bounds[side][*at] = end.multipliers.bounds[side][k];
                    }
                }
                for (row, lambda) in segment.part.rows.iter().zip(&end.multipliers.rows) {
                    self.found.rows[*row] = *lambda;
                }
                segment.start = end.x;
                segment.multipliers = Some(end.multipliers);
            }
        }
        self.last = Some((z.to_vec(), solved));
        solved
    }

    /// Solves a segment from where it was solved last, or from its first guess.
    fn solve_segment(&mut self, segment: &Rc<RefCell<Segment>>) -> Option<Solution> {
        let warm = segment.borrow().multipliers.is_some();
        let kept = segment.borrow().multipliers.clone();
        for attempt in 0..2 {
            let mut own = self.settings;
            match (warm, attempt) {
                (true, 0) => {
                    own.barrier = WARM_BARRIER;
                    own.warm_push = WARM_PUSH;
                }
                _ => {
                    segment.borrow_mut().multipliers = None;
                    own.adaptive = attempt == 1;
                }
            }
            own.tolerance = own.tolerance.max(INNER);
            own.max_iterations = own.max_iterations.min(MOST_ITERATIONS);
            let elapsed = self.begin.elapsed().as_secs_f64();
            own.max_seconds = (own.max_seconds - elapsed).max(0.1);
            let program = Rc::clone(segment) as Rc<RefCell<dyn Nlp>>;
            let end = self.solver.solve(program, &own, None);
            self.solves += 1;
            self.iterations += end.iterations;
            let ended = matches!(end.status, SolverStatus::Solved | SolverStatus::Acceptable);
            let left = optimality(&mut *segment.borrow_mut(), &end.x, &end.multipliers);
            if ended && left.feasibility <= FEASIBLE && left.stationarity <= STATIONARY {
                segment.borrow_mut().multipliers = kept;
                return Some(end);
            }
        }
        segment.borrow_mut().multipliers = kept;
        None
    }

    /// Entries of the Jacobian of the program by unknowns of the outer layer: row, place among them, value.
    fn slopes(&self) -> Vec<(usize, usize, f64)> {
        let place = self.places();
        let mut program = self.program.borrow_mut();
        let pattern = program.jacobian_pattern().clone();
        let mut entries = vec![0.0; pattern.rows.len()];
        program.jacobian(&self.x, &mut entries);
        let all = pattern.rows.iter().zip(&pattern.columns).zip(entries);
        all.filter_map(|((&r, &c), v)| place[c].map(|k| (r, k, v)))
            .collect()
    }

    /// Places of unknowns of the program in the outer layer.
    fn places(&self) -> Vec<Option<usize>> {
        let mut out = vec![None; self.x.len()];
        for (k, at) in self.split.outer.unknowns.iter().enumerate() {
            out[*at] = Some(k);
        }
        out
    }

    /// Second derivatives of Σ V, as a dense matrix.
    fn curvature(&mut self) -> Option<Vec<Vec<f64>>> {
        let n = self.split.outer.unknowns.len();
        let place = self.places();
        let mut out = vec![vec![0.0; n]; n];
        let mut program = self.program.borrow_mut();
        let pattern = program.hessian_pattern().clone();
        let mut entries = vec![0.0; pattern.rows.len()];
        program.hessian(&self.x, 1.0, &self.found.rows, &mut entries);
        drop(program);
        // L_zz, and L_wz by unknown of the program.
        let mut mixed = vec![vec![0.0; self.x.len()]; n];
        for ((&a, &b), v) in pattern.rows.iter().zip(&pattern.columns).zip(entries) {
            match (place[a], place[b]) {
                (Some(i), Some(j)) => {
                    out[i][j] += v;
                    if i != j {
                        out[j][i] += v;
                    }
                }
                (Some(i), None) => mixed[i][b] += v,
                (None, Some(j)) => mixed[j][a] += v,
                (None, None) => {}
            }
        }
        let mut slopes = vec![vec![0.0; self.found.rows.len()]; n];
        for (r, k, v) in self.slopes() {
            slopes[k][r] += v;
        }
        for segment in &self.segments {
            let (x, m, part) = {
                let own = segment.borrow();
                (
                    own.start.clone(),
                    own.multipliers.clone()?,
                    own.part.clone(),
                )
            };
            let pushes: Vec<Response> = (0..n)
                .map(|k| Response {
                    unknowns: part.unknowns.iter().map(|at| mixed[k][*at]).collect(),
                    rows: part.rows.iter().map(|r| slopes[k][*r]).collect(),
                })
                .collect();
            segment.borrow_mut().hold(&self.x);
            let program = Rc::clone(segment) as Rc<RefCell<dyn Nlp>>;
            let moved = self.solver.responses(&program, &x, &m, &pushes)?;
            for (i, push) in pushes.iter().enumerate() {
                for (j, answer) in moved.iter().enumerate() {
                    out[i][j] -= push.dot(answer);
                }
            }
        }
        Some(out)
    }
}

impl Nlp for Outer {
    fn bounds(&self) -> Vec<[f64; 2]> {
        let all = self.program.borrow().bounds();
        self.split.outer.unknowns.iter().map(|k| all[*k]).collect()
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        let all = self.program.borrow().ranges();
        self.split.outer.rows.iter().map(|r| all[*r]).collect()
    }

    fn start(&self) -> Vec<f64> {
        let own = self.split.outer.unknowns.iter();
        own.map(|k| self.x[*k]).collect()
    }

    fn multipliers(&self) -> Option<&Multipliers> {
        self.warm.as_ref()
    }

    fn objective(&mut self, z: &[f64]) -> f64 {
        match self.reach(z) {
            true => self.program.borrow_mut().objective(&self.x),
            false => f64::NAN,
        }
    }

    fn gradient(&mut self, z: &[f64], gradient: &mut [f64]) {
        if !self.reach(z) {
            return gradient.fill(f64::NAN);
        }
        let mut all = vec![0.0; self.x.len()];
        self.program.borrow_mut().gradient(&self.x, &mut all);
        for (out, k) in gradient.iter_mut().zip(&self.split.outer.unknowns) {
            *out = all[*k];
        }
        // V' = F_z + λᵀ g_z.
        for (r, k, v) in self.slopes() {
            gradient[k] += self.found.rows[r] * v;
        }
    }

    fn values(&mut self, z: &[f64], values: &mut [f64]) {
        // What is asked of states and times knows nothing of the segments.
        self.place(z);
        let mut all = vec![0.0; self.found.rows.len()];
        self.program.borrow_mut().values(&self.x, &mut all);
        for (out, row) in values.iter_mut().zip(&self.split.outer.rows) {
            let terms = self.split.sums.get(row).into_iter().flatten();
            *out = all[*row] + terms.map(|(r, factor)| factor * all[*r]).sum::<f64>();
        }
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian
    }

    fn jacobian(&mut self, z: &[f64], entries: &mut [f64]) {
        self.place(z);
        let n = z.len();
        let mut rows = vec![vec![0.0; n]; self.found.rows.len()];
        for (r, k, v) in self.slopes() {
            rows[r][k] += v;
        }
        for (place, row) in self.split.outer.rows.iter().enumerate() {
            let out = &mut entries[place * n..(place + 1) * n];
            out.copy_from_slice(&rows[*row]);
            for (term, factor) in self.split.sums.get(row).into_iter().flatten() {
                for (out, v) in out.iter_mut().zip(&rows[*term]) {
                    *out += factor * v;
                }
            }
        }
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian
    }

    fn hessian(&mut self, z: &[f64], factor: f64, lambda: &[f64], entries: &mut [f64]) {
        entries.fill(0.0);
        let n = z.len();
        let mut rows = vec![0.0; self.found.rows.len()];
        for (row, l) in self.split.outer.rows.iter().zip(lambda) {
            rows[*row] += l;
            for (term, factor) in self.split.sums.get(row).into_iter().flatten() {
                rows[*term] += factor * l;
            }
        }
        let values = match factor == 0.0 {
            true => Some(vec![vec![0.0; n]; n]),
            false if self.reach(z) => self.curvature(),
            false => None,
        };
        let Some(values) = values else {
            return entries.fill(f64::NAN);
        };
        self.place(z);
        // Of the rows of the outer layer.
        let place = self.places();
        let mut program = self.program.borrow_mut();
        let pattern = program.hessian_pattern().clone();
        let mut all = vec![0.0; pattern.rows.len()];
        program.hessian(&self.x, 0.0, &rows, &mut all);
        let at = |i: usize, j: usize| i.max(j) * (i.max(j) + 1) / 2 + i.min(j);
        for ((&a, &b), v) in pattern.rows.iter().zip(&pattern.columns).zip(all) {
            if let (Some(i), Some(j)) = (place[a], place[b]) {
                entries[at(i, j)] += v;
            }
        }
        for (i, row) in values.iter().enumerate() {
            for (j, v) in row.iter().enumerate().take(i + 1) {
                entries[at(i, j)] += factor * 0.5 * (v + values[j][i]);
            }
        }
    }
}
