//! Limits of linkage coordinates under the law `potential`: V = ½ C min(0, gap)² with
//! gap = ±(q − bound), and drag on the coordinate's rate while it is beyond the limit.

use super::pairs::{Pair, limits};
use super::surfaces::Surfaces;
use crate::model::{Law, Model};

/// A limit that a potential keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftLimit {
    /// Index among the coordinates of all linkages.
    pub coordinate: usize,
    bound: f64,
    /// 1 for a lower limit, −1 for an upper one.
    sign: f64,
    /// C, in N/m or N m/rad.
    pub stiffness: f64,
    /// In N s/m or N m s/rad.
    pub drag: f64,
}

impl SoftLimit {
    /// All of a model, for the law of a run.
    pub fn all(model: &Model, law: Law) -> Vec<Self> {
        let surfaces = Surfaces::new(model);
        let soft = limits(model).into_iter().filter_map(|pair| {
            let Law::Potential { stiffness, drag } = surfaces.of(&pair).law.unwrap_or(law) else {
                return None;
            };
            match pair {
                Pair::CoordinateLimit {
                    coordinate,
                    bound,
                    sign,
                } => Some(Self {
                    coordinate,
                    bound,
                    sign,
                    stiffness,
                    drag,
                }),
                _ => None,
            }
        });
        soft.collect()
    }

    /// How far a coordinate is beyond the limit, times the sign of the way back; zero within it.
    pub fn beyond(&self, q: f64) -> f64 {
        (-self.sign * (q - self.bound)).max(0.0) * self.sign
    }
}
