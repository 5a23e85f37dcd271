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
        nodes: Vec::new(),
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

/// A chain of nodes with two unknowns, an equality and a control each, and one unknown that meets all of them.
fn chain(count: usize, bend: f64) -> (Structure, Vec<(i32, i32, f64)>) {
    let (each, loose) = (3, 3 * count);
    let equalities = count;
    let mut list = Vec::new();
    let mut add = |r: usize, c: usize, v: f64| list.push((r as i32 + 1, c as i32 + 1, v));
    for k in 0..count {
        let (x, row) = (each * k, loose + 1 + k);
        for (i, v) in [1.0 + 0.1 * k as f64, bend, 0.7].into_iter().enumerate() {
            add(x + i, x + i, v);
        }
        add(x + 1, x, 0.3);
        add(row, row, 0.0);
        for (i, v) in [1.0, -0.5, 0.4].into_iter().enumerate() {
            add(row, x + i, v);
        }
        if k > 0 {
            add(row, x - each, -1.2);
            add(row, x - 1, 0.8);
            add(x, x - each, 0.2);
        }
        add(row, loose, 0.1 * (1.0 + k as f64).sin());
    }
    add(loose, loose, 2.0);
    let nodes = (0..count as u32).flat_map(|k| [Some(k); 3]).chain([None]);
    let structure = Structure {
        equalities,
        nodes: nodes.collect(),
        ..Structure::default()
    };
    (structure, list)
}

/// Solves the chain for two right-hand sides; the status, the solutions, and the number of negative eigenvalues.
fn solve_chain(
    solver: &mut dyn SparseSymLinearSolverInterface,
    list: &[(i32, i32, f64)],
    [size, negative]: [usize; 2],
) -> (Status, Vec<f64>, i32) {
    let rows: Vec<i32> = list.iter().map(|l| l.0).collect();
    let columns: Vec<i32> = list.iter().map(|l| l.1).collect();
    solver.initialize_structure(size as i32, list.len() as i32, &rows, &columns);
    for (to, l) in solver.values_array_mut().iter_mut().zip(list) {
        *to = l.2;
    }
    let mut rhs: Vec<f64> = (0..2 * size).map(|k| (0.7 * k as f64).sin()).collect();
    let status = solver.multi_solve(true, &rows, &columns, 2, &mut rhs, true, negative as i32);
    (status, rhs, solver.number_of_neg_evals())
}

/// Pivots may be of one unknown or of two, and late: first nodes have fewer unknowns than equalities need.
#[test]
fn chains_of_nodes_have_the_solution_of_the_whole_system() {
    for (count, bend) in [(3, 0.9), (12, 0.9), (12, 0.0), (25, -0.4)] {
        let (structure, list) = chain(count, bend);
        let size = [4 * count + 1, count];
        let (_, whole, negative) = solve_chain(&mut Dense::default(), &list, size);
        let inner = Box::<Dense>::default();
        let mut condensing = Condensing::new(inner, structure, Trials::default());
        let expected = [size[0], negative as usize];
        let (status, parts, own) = solve_chain(&mut condensing, &list, expected);
        assert!(condensing.staged, "{count} {bend}");
        assert_eq!((status, own), (Status::Success, negative));
        for (a, b) in whole.iter().zip(&parts) {
            assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{a} {b}");
        }
        let other = [size[0], negative as usize + 1];
        let (status, ..) = solve_chain(&mut condensing, &list, other);
        assert_eq!(status, Status::WrongInertia);
    }
}

/// Chains side by side whose nodes meet: so much at each that it is eliminated panel by panel, from both ends.
#[test]
fn wide_chains_have_the_solution_of_the_whole_system() {
    let (count, beside) = (7, 18);
    let (own, unknowns) = (3 * count + 1, beside * (3 * count + 1));
    for bend in [0.9, 0.0, -0.4] {
        let (one, entries) = chain(count, bend);
        let mut list = Vec::new();
        for copy in 0..beside {
            let place = |k: i32| match (k - 1) as usize {
                k if k < own => (copy * own + k + 1) as i32,
                k => (unknowns + copy * count + k - own + 1) as i32,
            };
            let grown = |v: f64| v * (1.0 + 0.02 * copy as f64);
            list.extend((entries.iter()).map(|(r, c, v)| (place(*r), place(*c), grown(*v))));
            if copy > 0 {
                let across = (0..count).map(|k| (copy * own + 3 * k, (copy - 1) * own + 3 * k));
                list.extend(across.map(|(r, c)| (r as i32 + 1, c as i32 + 1, 0.15)));
            }
        }
        let structure = Structure {
            equalities: beside * count,
            nodes: one.nodes.repeat(beside),
            ..Structure::default()
        };
        let size = [beside * (4 * count + 1), beside * count];
        let (_, whole, negative) = solve_chain(&mut Dense::default(), &list, size);
        let inner = Box::<Dense>::default();
        let mut condensing = Condensing::new(inner, structure, Trials::default());
        let expected = [size[0], negative as usize];
        let (status, parts, own) = solve_chain(&mut condensing, &list, expected);
        assert!(condensing.staged, "{bend}");
        assert_eq!((status, own), (Status::Success, negative));
        for (a, b) in whole.iter().zip(&parts) {
            assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}

#[test]
fn singular_chains_are_told() {
    let (structure, mut list) = chain(6, 0.9);
    // Two equalities that are the same.
    let twin = list.clone().into_iter().filter(|l| l.0 == 24);
    list.retain(|l| l.0 != 25);
    list.extend(twin.map(|(_, c, v)| (25, if c == 24 { 25 } else { c }, v)));
    let mut condensing = Condensing::new(Box::<Dense>::default(), structure, Trials::default());
    let (status, ..) = solve_chain(&mut condensing, &list, [25, 6]);
    assert!(condensing.staged && status == Status::Singular);
}

/// A leaf whose curvature is negative says so of the whole system.
#[test]
fn leaves_of_negative_curvature_are_enough_to_know() {
    let (structure, mut list) = system();
    for entry in &mut list {
        if entry.0 == entry.1 && (5..=6).contains(&entry.0) {
            entry.2 -= 40.0;
        }
    }
    let mut condensing = Condensing::new(Box::<Dense>::default(), structure, Trials::default());
    let (status, _, negative) = solve_chain(&mut condensing, &list, [17, 6]);
    assert!(status == Status::WrongInertia && negative > 6);
    let (_, _, whole) = solve_chain(&mut Dense::default(), &list, [17, 6]);
    assert!(whole > 6, "{whole}");
}
