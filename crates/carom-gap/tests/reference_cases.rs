//! The SSH LP against cases solved in exact rational arithmetic (`tests/data/gap_cases.json`).

mod oracle;

use carom_gap::gap::{GapError, PointGap, Status, gap_of_points, vertex_gradient};
use nalgebra::Vector3;
use serde_json::Value;

fn vector(v: &Value) -> Vector3<f64> {
    let v: Vec<f64> = numbers(v);
    Vector3::new(v[0], v[1], *v.get(2).unwrap_or(&0.0))
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}

struct Case {
    data: Value,
    a: Vec<Vector3<f64>>,
    b: Vec<Vector3<f64>>,
}

impl Case {
    fn solve(&self) -> Result<PointGap, GapError> {
        let given = self.data["beta_source"] != "means";
        gap_of_points(
            &self.a,
            &self.b,
            self.data["dim"] == 2,
            given.then(|| vector(&self.data["beta"])),
        )
    }

    fn label(&self) -> String {
        format!(
            "case {} ({} {})",
            self.data["id"], self.data["category"], self.data["contact"]
        )
    }

    fn number(&self, key: &str) -> f64 {
        self.data[key].as_f64().unwrap()
    }

    /// Whether only the gap is worth comparing.
    fn near_degenerate(&self) -> bool {
        self.data["category"]
            .as_str()
            .unwrap()
            .starts_with("near-degenerate")
    }

    fn degenerate(&self) -> bool {
        self.data["alpha_unique"] == false || self.data["weights_unique"] == false
    }

    fn size(&self) -> f64 {
        let all = self.a.iter().chain(&self.b);
        all.map(|p| p.amax()).fold(0.0, f64::max)
    }
}

fn cases() -> Vec<Case> {
    let all: Value = serde_json::from_str(include_str!("data/gap_cases.json")).unwrap();
    let list = all["cases"].as_array().unwrap();
    list.iter()
        .map(|data| {
            let points = |k: &str| data[k].as_array().unwrap().iter().map(vector).collect();
            Case {
                a: points("a"),
                b: points("b"),
                data: data.clone(),
            }
        })
        .collect()
}

fn assert_close(got: &[f64], want: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(
            (g - w).abs() <= tolerance,
            "{what}[{i}]: got {got:?}, want {want:?}"
        );
    }
}

#[test]
fn status_gap_and_distance() {
    for case in cases() {
        let g = case.solve().unwrap();
        let label = case.label();
        assert_eq!(g.status.to_string(), case.data["status"], "{label}");
        if g.status == Status::Bounded {
            let tolerance = 1e-12 * (g.alpha.norm() * case.size()).max(1.0);
            assert!(
                (g.gap - case.number("gap")).abs() <= tolerance,
                "{label}: {} {}",
                g.gap,
                case.number("gap")
            );
        }
        assert!(
            (g.distance - case.number("distance")).abs() <= 1e-12 * case.size().max(1.0),
            "{label}"
        );
    }
}

#[test]
fn alpha_and_weights() {
    for case in cases() {
        let g = case.solve().unwrap();
        let label = case.label();
        if g.status == Status::Unbounded || case.near_degenerate() {
            continue;
        }
        if !case.degenerate()
            && case
                .number("margin_slack")
                .min(case.number("margin_weights"))
                < 1e-4
        {
            continue;
        }
        let dim = case.data["dim"].as_u64().unwrap() as usize;
        assert_close(
            &g.alpha.as_slice()[..dim],
            &numbers(&case.data["alpha"]),
            1e-10,
            &format!("{label} alpha"),
        );
        assert_close(
            &g.weights_a,
            &numbers(&case.data["weights_a"]),
            1e-10,
            &format!("{label} weights_a"),
        );
        assert_close(
            &g.weights_b,
            &numbers(&case.data["weights_b"]),
            1e-10,
            &format!("{label} weights_b"),
        );
    }
}

#[test]
fn optimal_sets() {
    for case in cases() {
        let g = case.solve().unwrap();
        let label = case.label();
        let Some(set) = g.set.as_ref().filter(|_| !case.near_degenerate()) else {
            continue;
        };
        if !case.degenerate()
            && case
                .number("margin_slack")
                .min(case.number("margin_weights"))
                < 1e-4
        {
            continue;
        }
        assert_eq!(
            case.data["alpha_unique"], set.alpha_unique,
            "{label} alpha_unique {:?}",
            set.alpha_range
        );
        assert_eq!(
            case.data["weights_unique"], set.weights_unique,
            "{label} weights_unique"
        );
        for (k, key) in ["active_a", "active_b"].iter().enumerate() {
            let want: Vec<u32> = numbers(&case.data[key]).iter().map(|i| *i as u32).collect();
            assert_eq!(set.active[k], want, "{label} {key}");
        }
        for (k, key) in ["weights_a_range", "weights_b_range"].iter().enumerate() {
            if let Some(ranges) = case.data[key].as_array() {
                for (i, range) in ranges.iter().enumerate() {
                    assert_close(
                        &set.weight_ranges[k][i],
                        &numbers(range),
                        1e-10,
                        &format!("{label} {key}[{i}]"),
                    );
                }
            }
        }
        // The chosen α lies in its own range.
        for k in 0..3 {
            let [low, high] = set.alpha_range[k];
            assert!(
                low - 1e-12 <= g.alpha[k] && g.alpha[k] <= high + 1e-12,
                "{label} {k}"
            );
        }
    }
}

#[test]
fn vertex_gradients() {
    let mut compared = 0;
    for case in cases() {
        let label = case.label();
        let Ok(g) = case.solve() else { continue };
        let Some(set) = &g.set else { continue };
        if case.near_degenerate()
            || case
                .number("margin_slack")
                .min(case.number("margin_weights"))
                < 1e-4
        {
            continue;
        }
        let mean = |p: &[Vector3<f64>]| p.iter().sum::<Vector3<f64>>() / p.len() as f64;
        let spread = (mean(&case.a) - mean(&case.b)).norm();
        let mut contact = set.contact;
        contact.gap = g.gap;
        for (keys, spread) in [
            (["gradient_a_fixed_beta", "gradient_b_fixed_beta"], None),
            (["gradient_a", "gradient_b"], Some(spread)),
        ] {
            let got = vertex_gradient(&contact, &g.weights_a, &g.weights_b, spread);
            for k in 0..2 {
                let Some(want) = case.data[keys[k]].as_array() else {
                    continue;
                };
                for (i, want) in want.iter().enumerate() {
                    assert!(
                        (got[k][i] - vector(want)).norm() < 1e-9,
                        "{label} {} {i}",
                        keys[k]
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
