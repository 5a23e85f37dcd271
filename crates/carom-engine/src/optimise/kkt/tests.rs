//! Small systems against those they come from.

use nalgebra::{DMatrix, DVector};

use super::*;

/// Gaussian elimination by nalgebra behind the solver's interface.
#[derive(Default)]
struct Dense {
    places: Vec<(usize, usize)>,
    values: Vec<f64>,
    size: usize,
    negative: i32,
}

impl Dense {
    fn matrix(&self) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(self.size, self.size);
        for (&(r, c), v) in self.places.iter().zip(&self.values) {
            m[(r, c)] += v;
            if r != c {
                m[(c, r)] += v;
            }
        }
        m
    }
}

impl SparseSymLinearSolverInterface for Dense {
    fn initialize_structure(&mut self, n: i32, count: i32, r: &[i32], c: &[i32]) -> Status {
        self.size = n as usize;
        self.values = vec![0.0; count as usize];
        let pairs = r.iter().zip(c);
        self.places = pairs
            .map(|(r, c)| ((*r - 1) as usize, (*c - 1) as usize))
            .collect();
        Status::Success
    }

    fn values_array_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    fn multi_solve(
        &mut self,
        _new: bool,
        _rows: &[i32],
        _columns: &[i32],
        _count: i32,
        rhs: &mut [f64],
        _check: bool,
        _negative: i32,
    ) -> Status {
        let m = self.matrix();
        let values = m.clone().symmetric_eigenvalues();
        self.negative = values.iter().filter(|v| **v < 0.0).count() as i32;
        let lu = m.lu();
        for b in rhs.chunks_mut(self.size) {
            let x = lu.solve(&DVector::from_column_slice(b)).unwrap();
            b.copy_from_slice(x.as_slice());
        }
        Status::Success
    }

    fn number_of_neg_evals(&self) -> i32 {
        self.negative
    }

    fn increase_quality(&mut self) -> bool {
        false
    }

    fn provides_inertia(&self) -> bool {
        true
    }

    fn matrix_format(&self) -> EMatrixFormat {
        EMatrixFormat::TripletFormat
    }
}

/// A system with four plain unknowns, two leaves of two unknowns and an equality each, one more
/// equality, and three inequalities.
fn system() -> (Structure, Vec<(i32, i32, f64)>) {
    let (n, m, e) = (8, 3, 3);
    let mut list = Vec::new();
    let mut add = |r: usize, c: usize, v: f64| list.push((r as i32 + 1, c as i32 + 1, v));
    for k in 0..n {
        add(k, k, 2.0 + 0.3 * k as f64);
        // The barrier's part of the diagonal comes as an entry of its own.
        add(k, k, 0.1);
    }
    for (r, c, v) in [(1, 0, 0.4), (3, 2, -0.7), (4, 0, 0.5), (5, 4, 0.3)] {
        add(r, c, v);
    }
    // In either triangle.
    for (r, c, v) in [(7, 6, -0.2), (3, 6, 0.9), (7, 1, -0.6), (5, 2, 0.8)] {
        add(r, c, v);
    }
    let (slack, equal, unequal) = (n, n + m, n + m + e);
    for k in 0..m {
        add(slack + k, slack + k, 0.5 + k as f64);
        add(unequal + k, slack + k, -1.0);
        add(unequal + k, unequal + k, -1e-8 * k as f64);
    }
    for (r, c, v) in [
        (0, 0, 1.0),
        (0, 1, -2.0),
        (1, 4, 1.0),
        (1, 5, 0.6),
        (2, 6, 2.0),
    ] {
        add(equal + r, c, v);
    }
    for (r, c, v) in [
        (0, 0, 1.0),
        (0, 4, 3.0),
        (0, 5, 1.0),
        (1, 6, 1.0),
        (1, 2, -1.5),
    ] {
        add(unequal + r, c, v);
    }
    add(unequal + 2, 7, 0.7);
    let leaf = |unknowns: [usize; 2], equality: usize| Leaf {
        unknowns: unknowns.to_vec(),
        equalities: vec![equality],
    };
    let structure = Structure {
        equalities: e,
        inequalities: m,
        leaves: vec![leaf([4, 5], 1), leaf([6, 7], 2)],
    };
    (structure, list)
}

fn solve(solver: &mut dyn SparseSymLinearSolverInterface, rhs: &mut [f64]) -> i32 {
    let (_, list) = system();
    let rows: Vec<i32> = list.iter().map(|l| l.0).collect();
    let columns: Vec<i32> = list.iter().map(|l| l.1).collect();
    let found = solver.initialize_structure(17, list.len() as i32, &rows, &columns);
    assert_eq!(found, Status::Success);
    for (to, l) in solver.values_array_mut().iter_mut().zip(&list) {
        *to = l.2;
    }
    let found = solver.multi_solve(true, &rows, &columns, 2, rhs, true, 6);
    assert_eq!(found, Status::Success);
    solver.number_of_neg_evals()
}

#[test]
fn the_small_system_has_the_solution_of_the_whole_one() {
    let mut whole: Vec<f64> = (0..34).map(|k| (0.7 * f64::from(k)).sin()).collect();
    let mut small = whole.clone();
    let negative = solve(&mut Dense::default(), &mut whole);
    let inner = Box::<Dense>::default();
    let mut condensing = Condensing::new(inner, system().0, Trials::default());
    assert_eq!(solve(&mut condensing, &mut small), negative);
    assert!(condensing.plan.is_some_and(|p| p.left.len() == 5));
    for (a, b) in whole.iter().zip(&small) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn systems_of_another_form_are_left_alone() {
    // A leaf that meets the other one.
    let (mut structure, _) = system();
    structure.leaves[0].unknowns = vec![4, 2];
    let mut whole: Vec<f64> = (0..34).map(f64::from).collect();
    let mut left = whole.clone();
    solve(&mut Dense::default(), &mut whole);
    let mut condensing = Condensing::new(Box::<Dense>::default(), structure, Trials::default());
    solve(&mut condensing, &mut left);
    assert!(condensing.plan.is_none());
    assert_eq!(whole, left);
}
