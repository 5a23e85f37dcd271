//! The total time lies in a range.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Scale;
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub(crate) struct TotalTime {
    pub range: [f64; 2],
}

impl Family for TotalTime {
    fn name(&self) -> &'static str {
        "time"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![self.range]
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        g[0] = path.layout.total(path.x());
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (p, scale) in path.layout.scales.iter().enumerate() {
            if let Scale::Unknown(index) = scale {
                let own = path.layout.grid.iter().filter(|s| s.phase == p);
                sink(0, *index, own.map(|s| s.base).sum());
            }
        }
    }

    fn hessian(&mut self, _: &Path, _: &[f64], _: &mut Curvature) {}

    fn describe(&self, _: &Path, _: usize) -> String {
        "total time".into()
    }

    fn identity(&self, _: usize) -> String {
        String::new()
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        largest
    }
}
