//! A normal of two cores by Gilbert, Johnson and Keerthi's method, on cores that are held apart.
//!
//! Where they touch or overlap, a is first moved away by L along a guess n₀. What is found then
//! maximises f(n) + L ⟨n, n₀⟩, so that f(n) ≥ f(n₀): taking n for n₀ again and again climbs to a
//! maximum of f.

use super::support::Side;
use crate::distance::simplex::{Simplex, Vertex};
use nalgebra::Vector3;

/// Steps of one search.
const MOST_STEPS: usize = 48;

/// Two cores, the origin of the second at zero.
pub(super) struct Cores<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    /// From the origin of the second to that of the first.
    pub offset: Vector3<f64>,
    /// A length of the order of both.
    pub size: f64,
}

impl Cores<'_> {
    /// The point a − b of the difference furthest against n, whose product with n is f(n).
    #[inline]
    pub fn lowest(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.offset + self.a.support(&-n) - self.b.support(n)
    }

    /// The same, and how it changes with n along two vectors across it: ⟨s, J s⟩, ⟨s, J t⟩, ⟨t, J t⟩.
    #[inline]
    pub fn bent(&self, n: &Vector3<f64>, across: [&Vector3<f64>; 2]) -> (Vector3<f64>, [f64; 3]) {
        let (a, of_a) = self.a.bent(&-n, across);
        let (b, of_b) = self.b.bent(n, across);
        let sum = [0, 1, 2].map(|k| of_a[k] + of_b[k]);
        (self.offset + a - b, sum)
    }

    /// f(n), of the cores.
    #[inline]
    pub fn value(&self, n: &Vector3<f64>) -> f64 {
        self.lowest(n).dot(n)
    }

    /// The normal of a moved away by `away`, with a distance that is right to `tolerance` (in their size);
    /// None where they are not apart even so.
    pub fn search(
        &self,
        start: &Vector3<f64>,
        away: &Vector3<f64>,
        tolerance: f64,
    ) -> Option<Vector3<f64>> {
        let vertex = |n: &Vector3<f64>, id: usize| Vertex {
            point: self.lowest(n) + away,
            a: id,
            b: id,
        };
        let mut simplex = Simplex::new(vertex(start, 0));
        let mut v = simplex.reduce();
        let mut best = (f64::NEG_INFINITY, *start);
        for id in 1..MOST_STEPS {
            if simplex.is_full() || v.norm() <= 1e-14 * self.size {
                break;
            }
            let normal = simplex.normal(&v);
            let value = simplex.along(&normal);
            let w = vertex(&normal, id);
            let lower = normal.dot(&w.point);
            if lower > best.0 {
                best = (lower, normal);
            }
            if value - lower <= tolerance * self.size {
                break;
            }
            simplex.push(w);
            let closer = simplex.reduce();
            if closer.norm_squared() >= v.norm_squared() {
                break;
            }
            v = closer;
        }
        (best.0 > 0.0).then_some(best.1)
    }
}
