//! A transcription as a scaled nonlinear program.
//!
//! Unknowns are measured in their natural sizes ([`scale`](super::scale)), balances by their largest
//! derivative by unknowns so measured, other rows by the sizes of what they ask for, the objective by
//! its value at the start (or by the effort that the way of the guess stands for, if that is more), so
//! that one tolerance serves all problems.

use super::nlp::{Leaf, Multipliers, Nlp, Pattern, Solution};
use super::scale::Sizes;
use super::transcription::Transcription;
use super::warm::Known;

/// Where each listed entry goes: places that come more than once are added up.
#[derive(Clone, Debug, Default)]
struct Slots {
    pattern: Pattern,
    slots: Vec<usize>,
}

impl Slots {
    fn new(places: &[(usize, usize)]) -> Self {
        let mut sorted: Vec<_> = places.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let find = |p: &(usize, usize)| sorted.partition_point(|q| q < p);
        Self {
            slots: places.iter().map(find).collect(),
            pattern: Pattern {
                rows: sorted.iter().map(|p| p.0).collect(),
                columns: sorted.iter().map(|p| p.1).collect(),
            },
        }
    }
}

/// Cost at the start over its steepest slope below which it is but round-off.
const NOTHING: f64 = 1e-9;

/// One over a size.
fn factor(size: f64) -> f64 {
    let sound = size.is_finite() && size > 1e-300;
    if sound { 1.0 / size } else { 1.0 }
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Program {
    pub transcription: Transcription,
    start: Vec<f64>,
    /// Factor of the objective and of each row.
    pub objective_scale: f64,
    pub row_scales: Vec<f64>,
    /// Size of each unknown.
    pub unknown_sizes: Vec<f64>,
    /// Multipliers to start with, as the program is scaled.
    warm: Option<Multipliers>,
    jacobian: Slots,
    hessian: Slots,
}

impl Program {
    pub fn new(mut transcription: Transcription, start: Vec<f64>, sizes: Sizes) -> Self {
        let mut places = Vec::new();
        let rows = transcription.rows();
        transcription.each_jacobian(&start, &mut |r, c, _| places.push((r, c)));
        let jacobian = Slots::new(&places);
        places.clear();
        let ones = vec![1.0; rows];
        transcription.each_hessian(&start, 1.0, &ones, &mut |r, c, _| {
            places.push((r.max(c), r.min(c)));
        });
        let hessian = Slots::new(&places);
        let value = transcription.typical_cost(&start);
        let mut out = Self {
            objective_scale: factor(value),
            row_scales: vec![1.0; rows],
            unknown_sizes: vec![1.0; start.len()],
            start,
            warm: None,
            transcription,
            jacobian,
            hessian,
        };
        out.measure(&sizes);
        // A cost of nothing but round-off says nothing of its size: what it changes by does.
        let slope = out.steepest();
        if value < NOTHING * slope {
            out.objective_scale = factor(slope);
        }
        out
    }

    /// The most that the objective changes where one unknown changes by its size.
    fn steepest(&mut self) -> f64 {
        let x = self.unscaled(&self.start);
        let mut gradient = vec![0.0; x.len()];
        self.transcription.gradient(&x, &mut gradient);
        let slopes = gradient.iter().zip(&self.unknown_sizes);
        slopes.fold(0.0, |most, (g, size)| (g * size).abs().max(most))
    }

    /// Measures unknowns and rows in given sizes.
    pub fn measure(&mut self, sizes: &Sizes) {
        let start = self.unscaled(&self.start);
        let t = &mut self.transcription;
        self.unknown_sizes = t.unknown_sizes(&start, sizes);
        let mut largest = vec![0.0_f64; t.rows()];
        t.each_jacobian(&start, &mut |r, c, v| {
            largest[r] = largest[r].max(v.abs() * self.unknown_sizes[c]);
        });
        let row_sizes = t.row_sizes(sizes, &largest);
        self.row_scales = row_sizes.into_iter().map(factor).collect();
        self.start = (start.iter().zip(&self.unknown_sizes))
            .map(|(x, d)| x / d)
            .collect();
    }

    /// Starts from the multipliers of an earlier round.
    pub fn warm_start(&mut self, known: &Known) {
        let t = &self.transcription;
        // Rows that replace others inherit from them.
        let own = |row: usize| {
            let found = known.rows.get(&t.identity(row)).copied();
            found.or_else(|| {
                let before = t.ancestors(row);
                let found: Vec<f64> = before
                    .iter()
                    .filter_map(|id| known.rows.get(id))
                    .copied()
                    .collect();
                (!found.is_empty()).then(|| found.iter().sum())
            })
        };
        let bounds = [0, 1].map(|side| {
            let mut all = known.bounds[side].clone();
            all.resize(self.start.len(), 0.0);
            for (name, index) in t.named() {
                if let Some(found) = known.others.get(&name) {
                    all[index] = found[1 + side];
                }
            }
            let sizes = self.unknown_sizes.iter();
            let scaled = all.iter().zip(sizes);
            scaled.map(|(z, d)| z * d * self.objective_scale).collect()
        });
        self.warm = Some(Multipliers {
            rows: (self.row_scales.iter().enumerate())
                .map(|(r, s)| own(r).map_or(0.0, |l| l * self.objective_scale / s))
                .collect(),
            bounds,
        });
    }

    /// Makes multipliers to start with agree with the slacks of their rows at a barrier parameter: where a row has more
    /// room than its multiplier, nothing presses on it any more, and λ s = μ.
    pub fn centre(&mut self, barrier: f64) {
        let Some(mut warm) = self.warm.take() else {
            return;
        };
        let ranges = self.ranges();
        let mut values = vec![0.0; ranges.len()];
        let start = self.start.clone();
        self.values(&start, &mut values);
        for ((lambda, g), [low, high]) in warm.rows.iter_mut().zip(values).zip(ranges) {
            // Least values press with negative multipliers.
            let slack = if *lambda < 0.0 { g - low } else { high - g };
            if low < high && lambda.abs() < slack {
                *lambda = lambda.signum() * lambda.abs().min(barrier / slack);
            }
        }
        self.warm = Some(warm);
    }

    /// Starts at x, as the program is scaled, without multipliers.
    pub fn begin_at(&mut self, x: &[f64]) {
        self.start.copy_from_slice(x);
        self.warm = None;
    }

    /// Starts from nothing but the guess.
    pub fn forget(&mut self) {
        self.warm = None;
    }

    /// Multipliers of the problem as it is, without scales, and unknowns that have names.
    pub fn plain(&self, solution: &Solution) -> Known {
        let (t, found) = (&self.transcription, &solution.multipliers);
        let nodes = t.path.layout.node_unknowns();
        let x = self.unscaled(&solution.x);
        let bound = |side: usize, k: usize| {
            let z = found.bounds[side].get(k).copied().unwrap_or(0.0);
            z / (self.unknown_sizes[k] * self.objective_scale)
        };
        let others = t.named().into_iter();
        let rows = found.rows.iter().zip(&self.row_scales).enumerate();
        Known {
            rows: rows
                .map(|(row, (l, s))| (t.identity(row), l * s / self.objective_scale))
                .collect(),
            bounds: [0, 1].map(|side| (0..nodes).map(|k| bound(side, k)).collect()),
            conditions: t.numbers(),
            others: others
                .map(|(name, k)| (name, [x[k], bound(0, k), bound(1, k)]))
                .collect(),
        }
    }

    /// Unknowns as they are.
    pub fn unscaled(&self, x: &[f64]) -> Vec<f64> {
        x.iter()
            .zip(&self.unknown_sizes)
            .map(|(x, d)| x * d)
            .collect()
    }
}

impl Nlp for Program {
    fn bounds(&self) -> Vec<[f64; 2]> {
        let bounds = self.transcription.bounds.iter();
        bounds
            .zip(&self.unknown_sizes)
            .map(|(b, d)| b.map(|v| v / d))
            .collect()
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        let ranges = self.transcription.ranges().into_iter();
        ranges
            .zip(&self.row_scales)
            .map(|(r, s)| r.map(|v| v * s))
            .collect()
    }

    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn multipliers(&self) -> Option<&Multipliers> {
        self.warm.as_ref()
    }

    fn leaves(&self) -> Vec<Leaf> {
        self.transcription.leaves()
    }

    fn nodes(&self) -> Vec<Option<u32>> {
        self.transcription.path.layout.nodes_of_unknowns()
    }

    fn objective(&mut self, x: &[f64]) -> f64 {
        let x = self.unscaled(x);
        self.objective_scale * self.transcription.objective(&x)
    }

    fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) {
        let x = self.unscaled(x);
        self.transcription.gradient(&x, gradient);
        let sizes = self.unknown_sizes.iter();
        let factor = self.objective_scale;
        gradient
            .iter_mut()
            .zip(sizes)
            .for_each(|(g, d)| *g *= factor * d);
    }

    fn values(&mut self, x: &[f64], values: &mut [f64]) {
        let x = self.unscaled(x);
        self.transcription.values(&x, values);
        let scales = self.row_scales.iter();
        values.iter_mut().zip(scales).for_each(|(v, s)| *v *= s);
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian.pattern
    }

    fn jacobian(&mut self, x: &[f64], entries: &mut [f64]) {
        entries.fill(0.0);
        let x = self.unscaled(x);
        let (slots, scales, sizes) = (&self.jacobian.slots, &self.row_scales, &self.unknown_sizes);
        let mut k = 0;
        self.transcription.each_jacobian(&x, &mut |r, c, v| {
            entries[slots[k]] += scales[r] * sizes[c] * v;
            k += 1;
        });
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian.pattern
    }

    fn hessian(&mut self, x: &[f64], factor: f64, lambda: &[f64], entries: &mut [f64]) {
        entries.fill(0.0);
        let x = self.unscaled(x);
        let plain: Vec<f64> = lambda
            .iter()
            .zip(&self.row_scales)
            .map(|(l, s)| l * s)
            .collect();
        let (slots, sizes) = (&self.hessian.slots, &self.unknown_sizes);
        let mut k = 0;
        let factor = factor * self.objective_scale;
        self.transcription
            .each_hessian(&x, factor, &plain, &mut |r, c, v| {
                entries[slots[k]] += sizes[r] * sizes[c] * v;
                k += 1;
            });
    }
}
