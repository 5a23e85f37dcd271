//! The potential of one overlap that several points carry.
//!
//! For a single point it is V_A = ½ C min(0, g)² (thesis (3.38), where g has the other sign). The gap g
//! = min g_k of a face has a kink where two of its points are alike, and Newton's method finds no
//! gradient there. So the points press, each by a spring C′/ε, on a plate that a spring C′ = (1 + ε) C
//! holds,
//!
//! ```text
//! V_A = min over d of ½ C′ [ d² + (1/ε) Σ min(0, g_k + d)² ],
//! ```
//!
//! which has a continuous gradient, depends on points at least 1/(1 + ε) as deep as the deepest only,
//! and is ½ C min(0, g)² up to the factor (1 + ε)/(1 + ε/n) where n points are alike.

use super::pair_gap::Bearing;

/// ε: how much softer a point is than the plate.
const GIVE: f64 = 0.2;

/// Points less deep than this part of the deepest do not count.
pub(super) const SHARE: f64 = 1.0 / (1.0 + GIVE);

/// How the points of an overlap answer: forces λ_k = −∂V/∂g_k, and ∂λ_k/∂g_l = −a δ_kl + b.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    /// V_A.
    pub value: f64,
    /// Σ λ_k.
    pub force: f64,
    /// a.
    pub own: f64,
    /// b.
    pub shared: f64,
}

/// Something that may carry an overlap.
pub(super) trait Carries {
    /// Its gap.
    fn gap(&self) -> f64;
}

impl Carries for Bearing {
    fn gap(&self) -> f64 {
        self.gap
    }
}

/// Presses on the points from `first` on: puts those that carry first, deepest first, drops the
/// others, and appends the force of each to `forces`.
pub(super) fn press<T: Carries>(
    stiffness: f64,
    points: &mut Vec<T>,
    first: usize,
    forces: &mut Vec<f64>,
) -> Answer {
    points[first..].sort_unstable_by(|a, b| a.gap().total_cmp(&b.gap()));
    // Where the derivative by d vanishes: d (n + ε) = Σ −g_k over the n points deeper than d.
    let (mut sum, mut count, mut plate) = (0.0, 0, 0.0);
    for p in &points[first..] {
        if -p.gap() <= plate {
            break;
        }
        sum -= p.gap();
        count += 1;
        plate = sum / (count as f64 + GIVE);
    }
    points.truncate(first + count);
    let stiff = stiffness * (1.0 + GIVE);
    // λ_k = (C′/ε) (−g_k − d)
    let mut squares = plate * plate;
    for p in &points[first..] {
        let deeper = -p.gap() - plate;
        forces.push(stiff / GIVE * deeper);
        squares += deeper * deeper / GIVE;
    }
    Answer {
        value: 0.5 * stiff * squares,
        force: stiff * plate,
        own: stiff / GIVE,
        shared: stiff / GIVE / (count as f64 + GIVE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn answer(gaps: &[f64]) -> (Answer, Vec<f64>) {
        let bearing = |&gap: &f64| Bearing {
            gap,
            gradient: [None; 2],
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
        };
        let mut points = gaps.iter().map(bearing).collect();
        let mut forces = Vec::new();
        (press(3.0, &mut points, 0, &mut forces), forces)
    }

    #[test]
    fn a_single_point_is_a_spring() {
        let (a, forces) = answer(&[-0.2, 0.1]);
        assert!((a.value - 0.5 * 3.0 * 0.04).abs() < 1e-15);
        assert!((forces[0] - 0.6).abs() < 1e-15 && (a.force - 0.6).abs() < 1e-15);
        assert!((a.own - a.shared - 3.0).abs() < 1e-12);
        assert_eq!(forces.len(), 1);
    }

    #[test]
    fn forces_are_derivatives_and_share_the_load() {
        let gaps = [-0.2, -0.19, -0.195, -0.1];
        let (a, forces) = answer(&gaps);
        assert_eq!(forces.len(), 3);
        assert!((forces.iter().sum::<f64>() - a.force).abs() < 1e-13);
        let e = 1e-6;
        // Deepest first: 0, 2, 1.
        for (k, at) in [0, 2, 1].into_iter().enumerate() {
            let nudged = |by: f64| {
                let mut g = gaps;
                g[at] += by;
                answer(&g)
            };
            let ((up, f_up), (down, f_down)) = (nudged(e), nudged(-e));
            let slope = (up.value - down.value) / (2.0 * e);
            assert!((slope + forces[k]).abs() < 1e-8, "{slope} {}", forces[k]);
            for l in 0..3 {
                let stiff = (f_up[l] - f_down[l]) / (2.0 * e);
                let exact = a.shared - if k == l { a.own } else { 0.0 };
                assert!((stiff - exact).abs() < 1e-6 * a.own, "{stiff} {exact}");
            }
        }
    }

    #[test]
    fn faces_are_as_stiff_as_vertices() {
        let one = answer(&[-0.2]).0;
        for n in [2, 4, 8, 100] {
            let ratio = answer(&vec![-0.2; n]).0.value / one.value;
            assert!((1.0..=1.0 + GIVE).contains(&ratio), "{n} {ratio}");
        }
    }
}
