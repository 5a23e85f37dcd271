//! The SSH LP against cases solved in exact rational arithmetic (`tests/data/gap_cases.json`).

use crate::common::vectors;
use crate::oracle::{Case, cases};
use carom_gap::gap::{PointGap, Status, gap_of_points, vertex_gradient};
use nalgebra::Vector3;

fn solve(case: &Case) -> PointGap {
    let beta = (case.beta_source != "means").then(|| case.beta.into());
    gap_of_points(&vectors(&case.a), &vectors(&case.b), case.dim == 2, beta).unwrap()
}

#[track_caller]
fn assert_close(got: &[f64], want: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    let close = got
        .iter()
        .zip(want)
        .all(|(g, w)| (g - w).abs() <= tolerance);
    assert!(close, "{what}: got {got:?}, want {want:?}");
}

#[test]
fn status_gap_and_distance() {
    for case in cases() {
        let (g, label) = (solve(&case), case.label());
        assert_eq!(g.status.to_string(), case.status, "{label}");
        if let Some(gap) = case.gap {
            assert_close(&[g.gap], &[gap], case.gap_tolerance(), &label);
        }
        let tolerance = 1e-12 * case.size().max(1.0);
        assert_close(&[g.distance], &[case.distance], tolerance, &label);
    }
}

#[test]
fn alpha_and_weights() {
    let mut compared = 0;
    for case in cases() {
        let (g, label) = (solve(&case), case.label());
        if g.status == Status::Unbounded || !case.well_conditioned() {
            continue;
        }
        for (what, got, want) in [
            (
                "alpha",
                g.alpha.as_slice(),
                case.alpha.as_ref().unwrap().as_slice(),
            ),
            ("weights_a", &g.weights_a, case.weights_a.as_ref().unwrap()),
            ("weights_b", &g.weights_b, case.weights_b.as_ref().unwrap()),
        ] {
            assert_close(got, want, 1e-10, &format!("{label} {what}"));
        }
        compared += 1;
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn optimal_sets() {
    for case in cases() {
        let (g, label) = (solve(&case), case.label());
        let Some(set) = g.set.as_ref().filter(|_| case.well_conditioned()) else {
            continue;
        };
        assert_eq!(set.alpha_unique, case.alpha_unique, "{label}");
        assert_eq!(set.weights_unique, case.weights_unique, "{label}");
        assert_eq!(set.active, [case.active_a, case.active_b], "{label}");
        let want = [case.weights_a_range, case.weights_b_range];
        for (got, want) in set.weight_ranges.iter().zip(want) {
            let Some(want) = want else { continue };
            assert_close(got.as_flattened(), want.as_flattened(), 1e-10, &label);
        }
        // The chosen α lies in its own range.
        for k in 0..3 {
            let [low, high] = set.alpha_range[k];
            let within = low - 1e-12 <= g.alpha[k] && g.alpha[k] <= high + 1e-12;
            assert!(within, "{label}: {} {:?}", g.alpha[k], set.alpha_range[k]);
        }
    }
}

#[test]
fn vertex_gradients() {
    let mut compared = 0;
    for case in cases() {
        let (g, label) = (solve(&case), case.label());
        let Some(set) = g.set.as_ref().filter(|_| case.well_conditioned()) else {
            continue;
        };
        let mean = |p: &[[f64; 3]]| vectors(p).iter().sum::<Vector3<f64>>() / p.len() as f64;
        let spread = (mean(&case.a) - mean(&case.b)).norm();
        let mut contact = set.contact;
        contact.gap = g.gap;
        for (want, spread) in [
            (
                [&case.gradient_a_fixed_beta, &case.gradient_b_fixed_beta],
                None,
            ),
            ([&case.gradient_a, &case.gradient_b], Some(spread)),
        ] {
            let got = vertex_gradient(&contact, &g.weights_a, &g.weights_b, spread);
            for (got, want) in got.iter().zip(want) {
                let Some(want) = want else { continue };
                for (got, want) in got.iter().zip(want) {
                    assert_close(got.as_slice(), want, 1e-9, &label);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
