//! A smooth segment between given states: the part of a program that some of its unknowns and rows make up.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::split::Part;
use crate::optimise::nlp::{Leaf, Multipliers, Nlp, Pattern};

/// See the [module](self).
pub(super) struct Segment {
    program: Rc<RefCell<dyn Nlp>>,
    pub part: Part,
    /// All unknowns of the program: those of the segment are replaced.
    x: Vec<f64>,
    /// Where its next search begins.
    pub start: Vec<f64>,
    pub multipliers: Option<Multipliers>,
    bounds: Vec<[f64; 2]>,
    ranges: Vec<[f64; 2]>,
    jacobian: Picked,
    hessian: Picked,
    leaves: Vec<Leaf>,
    /// Places of rows of the program among its own.
    row_of: HashMap<usize, usize>,
    rows: usize,
}

/// Entries of a sparse matrix that belong to the segment.
struct Picked {
    pattern: Pattern,
    entries: Vec<usize>,
    count: usize,
}

impl Picked {
    fn new(
        whole: &Pattern,
        row: impl Fn(usize) -> Option<usize>,
        column: impl Fn(usize) -> Option<usize>,
    ) -> Self {
        let mut out = Self {
            pattern: Pattern::default(),
            entries: Vec::new(),
            count: whole.rows.len(),
        };
        for (k, (&r, &c)) in whole.rows.iter().zip(&whole.columns).enumerate() {
            if let (Some(r), Some(c)) = (row(r), column(c)) {
                out.pattern.rows.push(r);
                out.pattern.columns.push(c);
                out.entries.push(k);
            }
        }
        out
    }

    fn take(&self, whole: &[f64], out: &mut [f64]) {
        for (out, &k) in out.iter_mut().zip(&self.entries) {
            *out = whole[k];
        }
    }
}

impl Segment {
    pub fn new(program: Rc<RefCell<dyn Nlp>>, part: Part, x: &[f64]) -> Self {
        let places = |list: &[usize]| -> HashMap<usize, usize> {
            list.iter().enumerate().map(|(k, &at)| (at, k)).collect()
        };
        let (unknown_of, row_of) = (places(&part.unknowns), places(&part.rows));
        let own = |k: usize| unknown_of.get(&k).copied();
        let (bounds, ranges, jacobian, hessian, leaves) = {
            let p = program.borrow();
            let leaf = |leaf: Leaf| {
                let unknowns: Option<Vec<usize>> = leaf.unknowns.iter().map(|k| own(*k)).collect();
                let row = |r: &usize| row_of.get(r).copied();
                let equalities: Option<Vec<usize>> = leaf.equalities.iter().map(row).collect();
                Some(Leaf {
                    unknowns: unknowns?,
                    equalities: equalities?,
                })
            };
            let all = p.bounds();
            let ranges = p.ranges();
            (
                part.unknowns.iter().map(|k| all[*k]).collect(),
                part.rows.iter().map(|r| ranges[*r]).collect(),
                Picked::new(p.jacobian_pattern(), |r| row_of.get(&r).copied(), own),
                Picked::new(p.hessian_pattern(), own, own),
                p.leaves().into_iter().filter_map(leaf).collect(),
            )
        };
        let rows = program.borrow().ranges().len();
        Self {
            start: part.unknowns.iter().map(|k| x[*k]).collect(),
            multipliers: None,
            x: x.to_vec(),
            program,
            part,
            bounds,
            ranges,
            jacobian,
            hessian,
            leaves,
            row_of,
            rows,
        }
    }

    /// Holds all other unknowns of the program at x.
    pub fn hold(&mut self, x: &[f64]) {
        self.x.copy_from_slice(x);
    }

    fn place(&mut self, own: &[f64]) {
        for (k, v) in self.part.unknowns.iter().zip(own) {
            self.x[*k] = *v;
        }
    }
}

impl Nlp for Segment {
    fn bounds(&self) -> Vec<[f64; 2]> {
        self.bounds.clone()
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.ranges.clone()
    }

    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn multipliers(&self) -> Option<&Multipliers> {
        self.multipliers.as_ref()
    }

    fn leaves(&self) -> Vec<Leaf> {
        self.leaves.clone()
    }

    fn objective(&mut self, x: &[f64]) -> f64 {
        self.place(x);
        self.program.borrow_mut().objective(&self.x)
    }

    fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) {
        self.place(x);
        let mut all = vec![0.0; self.x.len()];
        self.program.borrow_mut().gradient(&self.x, &mut all);
        for (out, k) in gradient.iter_mut().zip(&self.part.unknowns) {
            *out = all[*k];
        }
    }

    fn values(&mut self, x: &[f64], values: &mut [f64]) {
        self.place(x);
        let mut all = vec![0.0; self.rows];
        self.program.borrow_mut().values(&self.x, &mut all);
        for (out, r) in values.iter_mut().zip(&self.part.rows) {
            *out = all[*r];
        }
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian.pattern
    }

    fn jacobian(&mut self, x: &[f64], entries: &mut [f64]) {
        self.place(x);
        let mut all = vec![0.0; self.jacobian.count];
        self.program.borrow_mut().jacobian(&self.x, &mut all);
        self.jacobian.take(&all, entries);
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian.pattern
    }

    fn hessian(&mut self, x: &[f64], factor: f64, lambda: &[f64], entries: &mut [f64]) {
        self.place(x);
        let mut rows = vec![0.0; self.rows];
        for (r, k) in &self.row_of {
            rows[*r] = lambda[*k];
        }
        let mut all = vec![0.0; self.hessian.count];
        let mut program = self.program.borrow_mut();
        program.hessian(&self.x, factor, &rows, &mut all);
        self.hessian.take(&all, entries);
    }
}
