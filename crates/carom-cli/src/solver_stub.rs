//! Temporary stand-in for `carom_gap::gap_of_points`, exact only where α = β is optimal (aligned
//! boxes). To be deleted once the solver lands.

use nalgebra::Vector3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Bounded,
    Unbounded,
}

#[derive(Clone, Copy, Debug)]
pub enum Feature {
    Vertex,
    Edge,
    Face,
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Feature::Vertex => "vertex",
            Feature::Edge => "edge",
            Feature::Face => "face",
        })
    }
}

#[derive(Debug, thiserror::Error)]
#[error("no direction to measure along")]
pub struct GapError;

pub struct PointGap {
    pub status: Status,
    pub gap: f64,
    pub alpha: Vector3<f64>,
    pub weights_a: Vec<f64>,
    pub weights_b: Vec<f64>,
    pub point_a: Vector3<f64>,
    pub point_b: Vector3<f64>,
    pub features: [Feature; 2],
    pub distance: f64,
}

pub fn gap_of_points(
    a: &[Vector3<f64>],
    b: &[Vector3<f64>],
    _planar: bool,
    beta: Option<Vector3<f64>>,
) -> Result<PointGap, GapError> {
    let mean = |p: &[Vector3<f64>]| p.iter().sum::<Vector3<f64>>() / p.len() as f64;
    let beta = beta.unwrap_or_else(|| mean(a) - mean(b));
    let beta = beta.try_normalize(1e-300).unwrap_or(Vector3::x());
    let side = |points: &[Vector3<f64>], sign: f64| {
        let low = points
            .iter()
            .map(|p| sign * p.dot(&beta))
            .fold(f64::INFINITY, f64::min);
        let active: Vec<f64> = points
            .iter()
            .map(|p| f64::from(u8::from(sign * p.dot(&beta) < low + 1e-12)))
            .collect();
        let count: f64 = active.iter().sum();
        let weights: Vec<f64> = active.iter().map(|w| w / count.max(1.0)).collect();
        let point = points.iter().zip(&weights).map(|(p, w)| p * *w).sum();
        let feature = match count as usize {
            0 | 1 => Feature::Vertex,
            2 => Feature::Edge,
            _ => Feature::Face,
        };
        (sign * low, weights, point, feature)
    };
    let (low_a, weights_a, point_a, feature_a) = side(a, 1.0);
    let (high_b, weights_b, point_b, feature_b) = side(b, -1.0);
    let misses = (0..3).any(|axis| {
        let e = Vector3::ith(axis, 1.0);
        let range = |p: &[Vector3<f64>]| {
            p.iter()
                .map(|p| p.dot(&e))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
                    (l.min(v), h.max(v))
                })
        };
        let (range_a, range_b) = (range(a), range(b));
        e.dot(&beta) == 0.0 && (range_a.0 > range_b.1 || range_b.0 > range_a.1)
    });
    Ok(PointGap {
        status: if misses {
            Status::Unbounded
        } else {
            Status::Bounded
        },
        gap: low_a - high_b,
        alpha: beta,
        weights_a,
        weights_b,
        point_a,
        point_b,
        features: [feature_a, feature_b],
        distance: low_a - high_b,
    })
}
