//! A transcription as a scaled nonlinear program.
//!
//! Unknowns are measured in their natural sizes ([`scale`](super::scale)), balances by their largest
//! derivative by unknowns so measured, other rows by the sizes of what they ask for, the objective by
//! its value at the start (or by the effort that the way of the guess stands for, if that is more), so
//! that one tolerance serves all problems.

use std::collections::HashMap;

use super::evaluate::Transcription;
use super::nlp::{Leaf, Multipliers, Nlp, Pattern, Solution};
use super::rows::{Row, RowKind};
use super::scale::{self, Sizes};

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

/// What an earlier round found beside the motion: multipliers by the meaning of their rows, and
/// unknowns that belong to no node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    pub rows: HashMap<String, f64>,
    pub bounds: [Vec<f64>; 2],
    /// Numbers of the conditions that were kept.
    pub conditions: Vec<usize>,
    /// Time scales, free velocities at the ends and the ratio.
    pub ends: Vec<f64>,
}

/// One over a size.
fn factor(size: f64) -> f64 {
    let sound = size.is_finite() && size > 1e-300;
    if sound { 1.0 / size } else { 1.0 }
}

/// See the [module](self).
#[derive(Clone, Debug)]
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
        let rows = transcription.layout.rows.len();
        transcription.each_jacobian(&start, &mut |r, c, _| places.push((r, c)));
        let jacobian = Slots::new(&places);
        places.clear();
        let ones = vec![1.0; rows];
        transcription.each_hessian(&start, 1.0, &ones, &mut |r, c, _| {
            places.push((r.max(c), r.min(c)));
        });
        let hessian = Slots::new(&places);
        let value = transcription
            .objective(&start)
            .abs()
            .max(transcription.typical_effort(&start));
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
        out
    }

    /// Measures unknowns and rows in given sizes.
    pub fn measure(&mut self, sizes: &Sizes) {
        let start = self.unscaled(&self.start);
        let t = &mut self.transcription;
        self.unknown_sizes = scale::unknowns(t, &start, sizes);
        let mut largest = vec![0.0_f64; t.layout.rows.len()];
        t.each_jacobian(&start, &mut |r, c, v| {
            largest[r] = largest[r].max(v.abs() * self.unknown_sizes[c]);
        });
        self.row_scales = (largest.into_iter().zip(&t.layout.rows))
            .map(|(size, row)| match row.kind {
                RowKind::Balance { .. } | RowKind::Time | RowKind::Ratio => factor(size),
                // Gradients of the others may vanish.
                RowKind::Poly { node, ref poly, .. } => {
                    factor(scale::poly_size(t, poly, &t.nodes()[node].q, sizes))
                }
                RowKind::Gap { .. }
                | RowKind::Between { .. }
                | RowKind::Height { .. }
                | RowKind::Held { .. } => factor(sizes.length),
                RowKind::Barrier { .. } => factor(sizes.length * sizes.length),
                RowKind::Unit { .. } | RowKind::Turn { .. } => factor(sizes.angle),
            })
            .collect();
        self.start = (start.iter().zip(&self.unknown_sizes))
            .map(|(x, d)| x / d)
            .collect();
    }

    /// Starts from the multipliers of an earlier round.
    pub fn warm_start(&mut self, known: &Known) {
        let rows = 0..self.row_scales.len();
        let layout = &self.transcription.layout;
        // Rows that replace others inherit from them.
        let own = |row: usize| {
            let found = known.rows.get(&layout.identity(row)).copied();
            found.or_else(|| {
                let before = layout.ancestors(row);
                let found: Vec<f64> = before
                    .iter()
                    .filter_map(|id| known.rows.get(id))
                    .copied()
                    .collect();
                (!found.is_empty()).then(|| found.iter().sum())
            })
        };
        let bound = |side: usize| {
            let all = known.bounds[side].iter().copied();
            all.chain(std::iter::repeat(0.0))
                .zip(&self.unknown_sizes)
                .map(|(z, d)| z * d * self.objective_scale)
                .collect()
        };
        self.warm = Some(Multipliers {
            rows: rows
                .map(|r| own(r).map_or(0.0, |l| l * self.objective_scale / self.row_scales[r]))
                .collect(),
            bounds: [bound(0), bound(1)],
        });
    }

    /// Starts from nothing but the guess.
    pub fn forget(&mut self) {
        self.warm = None;
    }

    /// Multipliers of the problem as it is, without scales; those of planes' bounds are left out.
    pub fn plain(&self, solution: &Solution) -> Known {
        let (layout, found) = (&self.transcription.layout, &solution.multipliers);
        let first = layout.planes.first().map_or(self.start.len(), |p| p.first);
        let number = |row: &Row| match row.kind {
            RowKind::Poly { number, .. } => Some(number),
            _ => None,
        };
        let scales = self.row_scales.iter();
        Known {
            rows: (found.rows.iter().zip(scales).enumerate())
                .map(|(row, (l, s))| (layout.identity(row), l * s / self.objective_scale))
                .collect(),
            bounds: [0, 1].map(|side| {
                let own = found.bounds[side].iter().take(first);
                own.zip(&self.unknown_sizes)
                    .map(|(z, d)| z / (d * self.objective_scale))
                    .collect()
            }),
            conditions: layout.rows.iter().filter_map(number).collect(),
            ends: self.unscaled(&solution.x)[layout.node_unknowns()..first].to_vec(),
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
        let rows = self.transcription.layout.rows.iter();
        rows.zip(&self.row_scales)
            .map(|(r, s)| r.range.map(|v| v * s))
            .collect()
    }

    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn multipliers(&self) -> Option<&Multipliers> {
        self.warm.as_ref()
    }

    fn leaves(&self) -> Vec<Leaf> {
        let layout = &self.transcription.layout;
        let unknowns = layout.planes.iter().map(|p| p.first..p.first + 4);
        let mut leaves: Vec<Leaf> = unknowns
            .map(|own| Leaf {
                unknowns: own.collect(),
                equalities: Vec::new(),
            })
            .collect();
        for (r, row) in layout.rows.iter().enumerate() {
            if let RowKind::Unit { plane } | RowKind::Held { plane, .. } = row.kind
                && row.range[0] == row.range[1]
            {
                leaves[plane].equalities.push(r);
            }
        }
        leaves
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
