//! Derivatives of every kind of row and term against finite differences, at random points.

mod zoo;

use super::family::FAMILIES;
use super::transcription::Transcription;
use super::*;
use rayon::prelude::*;
use zoo::{body, length, problem, random, stiffness, transcription};

fn dense_jacobian(t: &mut Transcription, x: &[f64]) -> Vec<Vec<f64>> {
    let mut out = vec![vec![0.0; x.len()]; t.rows()];
    t.each_jacobian(x, &mut |r, c, v| out[r][c] += v);
    out
}

/// ∇f + Jᵀλ, what the Hessian is the derivative of.
fn lagrangian_gradient(t: &mut Transcription, x: &[f64], factor: f64, lambda: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    t.gradient(x, &mut out);
    out.iter_mut().for_each(|v| *v *= factor);
    t.each_jacobian(x, &mut |r, c, v| out[c] += lambda[r] * v);
    out
}

/// The choices of rows that the derivatives below are checked with.
const CHECKED: [GapRows; 4] = [
    GapRows::Gaps,
    GapRows::Single,
    GapRows::Planes,
    GapRows::Steps,
];

/// Every family of rows is among those whose derivatives are checked.
#[test]
fn every_family_is_covered() {
    let mut seen = std::collections::BTreeMap::new();
    for rows in CHECKED {
        let (t, _) = transcription(rows, 1);
        for row in 0..t.rows() {
            *seen.entry(t.family_of(row)).or_insert(0) += 1;
        }
    }
    for family in FAMILIES {
        assert!(seen.remove(family).is_some(), "{family} is not covered");
    }
    assert!(seen.is_empty(), "not in the list of families: {seen:?}");
}

/// Every family there is in the sources is in the list.
#[test]
fn every_family_is_listed() {
    let mut folders = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/src/optimise").into()];
    let mut found = std::collections::BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir::<std::path::PathBuf>(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for own in text.split("impl Family for ").skip(1) {
                // The name is the first text in it.
                found.extend(own.split('"').nth(1).map(String::from));
            }
        }
    }
    // This file has the words, too.
    found.retain(|name| !name.contains(' ') && !name.contains('('));
    let listed = FAMILIES.iter().map(|name| name.to_string()).collect();
    assert_eq!(found, listed);
}

#[test]
fn jacobian_by_finite_differences() {
    for (rows_kind, seed) in CHECKED.into_iter().zip(1..) {
        let (mut t, x) = transcription(rows_kind, seed);
        let jacobian = dense_jacobian(&mut t, &x);
        let rows = t.rows();
        let e = 1e-6;
        for k in 0..x.len() {
            let mut at = |s: f64| {
                let mut moved = x.clone();
                moved[k] += s;
                let mut g = vec![0.0; rows];
                t.values(&moved, &mut g);
                g
            };
            let (up, down) = (at(e), at(-e));
            for r in 0..rows {
                let slope = (up[r] - down[r]) / (2.0 * e);
                let exact = jacobian[r][k];
                assert!(
                    (slope - exact).abs() < 1e-6 * (1.0 + exact.abs()) * 30.0,
                    "{} by {k}: {exact} and {slope}",
                    t.describe(r)
                );
            }
        }
    }
}

#[test]
fn gradient_by_finite_differences() {
    let (mut t, x) = transcription(GapRows::Gaps, 4);
    // Without the ratio the objective is the cost itself.
    t.ratio = None;
    let mut gradient = vec![0.0; x.len()];
    t.gradient(&x, &mut gradient);
    let e = 1e-6;
    for k in 0..x.len() {
        let mut at = |s: f64| {
            let mut moved = x.clone();
            moved[k] += s;
            t.objective(&moved)
        };
        let slope = (at(e) - at(-e)) / (2.0 * e);
        let noise = 1e-15 * t.objective(&x).abs() / e;
        assert!(
            (slope - gradient[k]).abs() < 1e-6 * (1.0 + slope.abs()) + noise,
            "{k}: {slope} {}",
            gradient[k]
        );
    }
}

/// Columns that share no row, in groups, but for rows that have entries almost everywhere: their entries are those of
/// columns that are groups of their own.
fn apart(matrix: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let n = matrix.len();
    let rows_of = |k: usize| (0..n).filter(move |&r| matrix[r][k] != 0.0);
    let dense: Vec<bool> = (0..n).map(|k| rows_of(k).count() > n / 2).collect();
    let mut groups: Vec<(Vec<usize>, Vec<bool>)> = Vec::new();
    for k in 0..n {
        let own = || rows_of(k).filter(|&r| !dense[r]);
        let free = |taken: &[bool]| own().all(|r| !taken[r]);
        let place = match dense[k] {
            true => None,
            false => groups
                .iter()
                .position(|(columns, taken)| !dense[columns[0]] && free(taken)),
        };
        let place = place.unwrap_or_else(|| {
            groups.push((Vec::new(), vec![false; n]));
            groups.len() - 1
        });
        let (columns, taken) = &mut groups[place];
        columns.push(k);
        own().for_each(|r| taken[r] = true);
    }
    groups.into_iter().map(|(columns, _)| columns).collect()
}

#[test]
fn hessian_by_finite_differences() {
    // Many columns: each choice of rows in a thread of its own.
    let checked: Vec<_> = CHECKED.into_iter().zip(5..).collect();
    checked.par_iter().for_each(|&(rows_kind, seed)| {
        let (mut t, x) = transcription(rows_kind, seed);
        let mut next = random(seed + 100);
        let lambda: Vec<f64> = (0..t.rows()).map(|_| next()).collect();
        let n = x.len();
        let mut hessian = vec![vec![0.0; n]; n];
        t.each_hessian(&x, 0.7, &lambda, &mut |r, c, v| {
            hessian[r][c] += v;
            if r != c {
                hessian[c][r] += v;
            }
        });
        let size = hessian
            .iter()
            .flatten()
            .fold(0.0, |m: f64, v| m.max(v.abs()));
        let e = 1e-5;
        for columns in apart(&hessian) {
            let mut at = |s: f64| {
                let mut moved = x.clone();
                columns.iter().for_each(|&k| moved[k] += s);
                lagrangian_gradient(&mut t, &moved, 0.7, &lambda)
            };
            let (up, down) = (at(e), at(-e));
            for r in 0..n {
                let slope = (up[r] - down[r]) / (2.0 * e);
                let exact: f64 = columns.iter().map(|&k| hessian[r][k]).sum();
                assert!(
                    (slope - exact).abs() < 1e-7 * size + 1e-5 * exact.abs(),
                    "seed {seed}, unknown {r} and one of {columns:?}: {exact} and {slope} (of {size})"
                );
            }
        }
    });
}

/// Derivatives by numbers of the model that are found, of rows and of the objective.
#[test]
fn parameters_by_finite_differences() {
    let mut problem = problem(GapRows::Gaps);
    problem.avoid = None;
    problem.per = None;
    let names = ["m", "p", "l"].map(String::from);
    let formula = |text: &str| {
        let expression = crate::expression::Expression::parse(text).unwrap();
        Formula::with_parameters(&problem.model, &expression, &[], &names).unwrap()
    };
    problem.vias[0].conditions.push(Condition::formula(
        formula("right.wx*p - t^2*left.vy*m + l*right.x*l"),
        [0.0, 0.0],
    ));
    let cost = formula("p^2*right.x + m*p*drive_turn^2 + l^2*left.y*p");
    problem.minimise.push(Term::End {
        formula: cost,
        weight: 0.6,
    });
    let mass = Parameter::mass(&problem.model, body(&problem.model, "left"), [0.5, 2.0]);
    problem.parameters = vec![mass, stiffness(&problem.model), length(&problem.model)];
    let mut next = random(77);
    let start = Guess::through(&problem, &[Way::start(&problem.model, 0)]).unwrap();
    let guess = start.perturbed(&problem, 0.1, &mut next);
    let (mut t, x) = build::transcribe(&problem, &guess, &[]).unwrap();
    let x: Vec<f64> = x.iter().map(|v| v + 0.05 * next()).collect();
    let lambda: Vec<f64> = (0..t.rows()).map(|_| next()).collect();
    let jacobian = dense_jacobian(&mut t, &x);
    let mut gradient = vec![0.0; x.len()];
    t.gradient(&x, &mut gradient);
    let mut hessian = vec![vec![0.0; x.len()]; names.len()];
    let places = t.path.layout.parameters.clone();
    t.each_hessian(&x, 0.7, &lambda, &mut |r, c, v| {
        for (k, p) in places.iter().enumerate() {
            if r == *p {
                hessian[k][c] += v;
            } else if c == *p {
                hessian[k][r] += v;
            }
        }
    });
    let e = 1e-5;
    for (k, &p) in places.iter().enumerate() {
        let mut at = |s: f64| {
            let mut moved = x.clone();
            moved[p] += s;
            let mut g = vec![0.0; t.rows()];
            t.values(&moved, &mut g);
            let f = t.objective(&moved);
            (g, f, lagrangian_gradient(&mut t, &moved, 0.7, &lambda))
        };
        let (up, down) = (at(e), at(-e));
        let near = |exact: f64, a: f64, b: f64, what: &str| {
            let slope = (a - b) / (2.0 * e);
            assert!(
                (slope - exact).abs() < 1e-5 * (1.0 + exact.abs()),
                "{what} by {}: {exact} and {slope}",
                names[k]
            );
        };
        near(gradient[p], up.1, down.1, "objective");
        for r in 0..t.rows() {
            near(jacobian[r][p], up.0[r], down.0[r], &t.describe(r));
        }
        assert!(jacobian.iter().filter(|row| row[p] != 0.0).count() > 10);
        for c in 0..x.len() {
            near(hessian[k][c], up.2[c], down.2[c], &format!("unknown {c}"));
        }
        assert!(hessian[k].iter().filter(|v| v.abs() > 1e-3).count() > 10);
    }
}

#[test]
fn patterns_grow_linearly_with_the_nodes() {
    let count = |steps: usize| {
        let mut problem = problem(GapRows::Gaps);
        problem.avoid = None;
        problem.phases[0].steps = steps;
        let guess = Guess::through(&problem, &[Way::start(&problem.model, 0)]).unwrap();
        let (mut t, x) = build::transcribe(&problem, &guess, &[]).unwrap();
        let mut entries = 0;
        t.each_jacobian(&x, &mut |_, _, _| entries += 1);
        entries
    };
    let (a, b, c) = (count(10), count(20), count(40));
    assert_eq!(2 * (b - a), c - b);
}
