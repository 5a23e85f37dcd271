//! Points in the unit cube: independent, Latin hypercube, Sobol's sequence.

use carom_engine::random::Stream;

use crate::scenario::{Axis, SOBOL_DIMENSIONS, Spread, SweepSpec};

/// Bits of Sobol's numbers.
const BITS: usize = 32;

/// Degree, coefficients and first direction numbers of the primitive polynomials of S. Joe and
/// F. Y. Kuo (SIAM J. Sci. Comput. 30, 2008), for all dimensions but the first.
const POLYNOMIALS: [(u32, u32, &[u32]); SOBOL_DIMENSIONS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Makes the samples of a sweep; any of them without the others.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    dimensions: usize,
    seed: u64,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Random,
    /// The stratum of every sample, axis by axis.
    Latin(Vec<Vec<u32>>),
    /// Direction numbers, and a shift of every axis.
    Sobol(Vec<([u32; BITS], u32)>),
}

impl Sampler {
    pub fn new(spec: &SweepSpec) -> Self {
        let dimensions = (spec.axes.iter())
            .filter(|(_, axis)| matches!(axis, Axis::Samples(_)))
            .count();
        let axes = 0..dimensions as u64;
        let kind = match spec.spread {
            _ if dimensions == 0 => Kind::Random,
            Spread::Random => Kind::Random,
            Spread::Latin => Kind::Latin(
                axes.map(|axis| shuffled(spec.samples as u32, spec.seed, axis))
                    .collect(),
            ),
            Spread::Sobol => Kind::Sobol(
                axes.map(|axis| {
                    let shift = Stream::new(spec.seed, axis, "sobol").bits() as u32;
                    (directions(axis as usize), shift)
                })
                .collect(),
            ),
        };
        Self {
            dimensions,
            seed: spec.seed,
            kind,
        }
    }

    /// A sample: numbers in [0, 1), one for each axis that is sampled.
    pub fn point(&self, sample: u64) -> Vec<f64> {
        let mut stream = Stream::new(self.seed, sample, "sample");
        match &self.kind {
            Kind::Random => (0..self.dimensions).map(|_| stream.unit()).collect(),
            Kind::Latin(strata) => (strata.iter())
                .map(|of| (f64::from(of[sample as usize]) + stream.unit()) / of.len() as f64)
                .collect(),
            Kind::Sobol(axes) => (axes.iter())
                .map(|(directions, shift)| {
                    // Bit k of the Gray code of the sample takes direction k in.
                    let gray = sample ^ (sample >> 1);
                    let bits = (directions.iter().enumerate())
                        .filter(|(k, _)| gray >> k & 1 == 1)
                        .fold(*shift, |bits, (_, v)| bits ^ v);
                    // The middle of the cell: never 0 or 1.
                    (f64::from(bits) + 0.5) / 2f64.powi(BITS as i32)
                })
                .collect(),
        }
    }
}

/// 0 … n − 1 in random order (Fisher and Yates).
fn shuffled(n: u32, seed: u64, axis: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, axis, "latin");
    let mut order: Vec<u32> = (0..n).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, (stream.bits() % (k as u64 + 1)) as usize);
    }
    order
}

/// Direction numbers of an axis by the recurrence of Bratley and Fox.
fn directions(axis: usize) -> [u32; BITS] {
    let mut v = [0u32; BITS];
    if axis == 0 {
        for (k, v) in v.iter_mut().enumerate() {
            *v = 1 << (BITS - 1 - k);
        }
        return v;
    }
    let (degree, coefficients, first) = POLYNOMIALS[axis - 1];
    let s = degree as usize;
    for k in 0..BITS {
        if k < s {
            v[k] = first[k] << (BITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for j in 1..s {
            if coefficients >> (s - 1 - j) & 1 == 1 {
                v[k] ^= v[k - j];
            }
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Range;

    fn sampler(spread: Spread, dimensions: usize, samples: u64) -> Sampler {
        let axis = Axis::Samples(Range::Uniform(0.0, 1.0));
        Sampler::new(&SweepSpec {
            axes: vec![(String::new(), axis); dimensions],
            samples,
            spread,
            seed: 5,
        })
    }

    #[test]
    fn every_stratum_of_every_axis_is_met_once() {
        // Sobol's sequence has this property for all powers of two, the hypercube for any number.
        for (spread, n) in [(Spread::Latin, 37), (Spread::Sobol, 64)] {
            let sampler = sampler(spread, SOBOL_DIMENSIONS, n);
            let points: Vec<_> = (0..n).map(|k| sampler.point(k)).collect();
            for axis in 0..SOBOL_DIMENSIONS {
                let mut met: Vec<_> = points.iter().map(|p| (p[axis] * n as f64) as u64).collect();
                met.sort_unstable();
                assert_eq!(met, (0..n).collect::<Vec<_>>(), "{spread:?} axis {axis}");
            }
        }
    }

    #[test]
    fn sobol_fills_every_elementary_box_of_the_first_two_axes() {
        let sampler = sampler(Spread::Sobol, 2, 64);
        for (a, b) in [(1, 64), (2, 32), (4, 16), (8, 8), (16, 4), (32, 2)] {
            let mut met = vec![0; 64];
            for k in 0..64 {
                let p = sampler.point(k);
                met[(p[0] * a as f64) as usize * b + (p[1] * b as f64) as usize] += 1;
            }
            assert!(met.iter().all(|n| *n == 1), "{a} by {b}");
        }
    }

    #[test]
    fn sobol_integrates_better_than_chance() {
        // ∫ Π (1 + (x_i − ½)/2) = 1 in eight dimensions.
        let error = |spread| {
            let sampler = sampler(spread, 8, 4096);
            let f = |k| -> f64 {
                sampler
                    .point(k)
                    .iter()
                    .map(|x| 1.0 + (x - 0.5) / 2.0)
                    .product()
            };
            ((0..4096).map(f).sum::<f64>() / 4096.0 - 1.0).abs()
        };
        assert!(error(Spread::Sobol) < 2e-4, "{}", error(Spread::Sobol));
        assert!(error(Spread::Random) < 3e-2);
    }
}
