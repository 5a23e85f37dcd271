//! Rows of points on trees and linkages: gradients over the degrees of freedom that they push, in runs of
//! neighbours, so that Jᵀ A J is summed over stretches of memory.

use super::Point;
use super::block_lu::BlockLu;
use crate::contact::rows::Rows;

/// Neighbouring degrees of freedom of one block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    /// Its first place in the island, and the block it is of.
    place: usize,
    block: usize,
    /// Its first gradient in the limb, and how many there are.
    first: usize,
    length: usize,
}

/// The rows of one point: where its runs and gradients are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limb {
    runs: (usize, usize),
    gradients: usize,
    width: usize,
}

/// Runs and gradients of all limbs of a problem.
#[derive(Debug, Default)]
pub(super) struct Limbs {
    runs: Vec<Run>,
    gradients: Vec<f64>,
    /// Places of what a point pushes, with the number of their entry.
    order: Vec<(usize, usize)>,
}

impl Limbs {
    pub fn clear(&mut self) {
        self.runs.clear();
        self.gradients.clear();
    }

    pub fn equal(&self, other: &Self) -> bool {
        self.runs == other.runs && self.gradients == other.gradients
    }

    /// Takes the rows of a point; `place` says where a degree of freedom is in the island.
    pub fn push(
        &mut self,
        p: &Point,
        rows: &Rows,
        place: impl Fn(usize) -> usize,
        block_of: &[usize],
    ) -> Limb {
        self.order.clear();
        for (i, e) in rows.entries(p.first).iter().enumerate() {
            let pushed = |k| rows.entries(p.first + k)[i].gradient != 0.0;
            if (0..p.rows).any(pushed) {
                self.order.push((place(e.freedom), i));
            }
        }
        self.order.sort_unstable();
        let limb = Limb {
            runs: (self.runs.len(), 0),
            gradients: self.gradients.len(),
            width: self.order.len(),
        };
        for (first, &(place, _)) in self.order.iter().enumerate() {
            let block = block_of[place];
            let known = self.runs.len() > limb.runs.0;
            match self.runs.last_mut() {
                Some(run) if known && run.block == block && run.place + run.length == place => {
                    run.length += 1;
                }
                _ => self.runs.push(Run {
                    place,
                    block,
                    first,
                    length: 1,
                }),
            }
        }
        for k in 0..3 {
            let row = |i: usize| match k < p.rows {
                true => rows.entries(p.first + k)[i].gradient,
                false => 0.0,
            };
            self.gradients
                .extend(self.order.iter().map(|&(_, i)| row(i)));
        }
        Limb {
            runs: (limb.runs.0, self.runs.len()),
            ..limb
        }
    }

    fn runs(&self, limb: &Limb) -> &[Run] {
        &self.runs[limb.runs.0..limb.runs.1]
    }

    /// Gradients of the three rows.
    fn gradients(&self, limb: &Limb) -> [&[f64]; 3] {
        std::array::from_fn(|k| {
            let start = limb.gradients + k * limb.width;
            &self.gradients[start..start + limb.width]
        })
    }

    /// Lower triangle of H += scale · Jᵀ A J, column by column; `at` says where the entry of a column (with its
    /// block) and a row (with its block) is, whose neighbours below follow it.
    pub fn add(
        &self,
        limb: &Limb,
        a: &[[f64; 3]; 3],
        scale: f64,
        values: &mut [f64],
        at: impl Fn((usize, usize), (usize, usize)) -> usize,
    ) {
        let [g0, g1, g2] = self.gradients(limb);
        let runs = self.runs(limb);
        for (number, column_run) in runs.iter().enumerate() {
            for i in 0..column_run.length {
                let (c, from) = (column_run.place + i, column_run.first + i);
                let aj = times(a, scale, [g0[from], g1[from], g2[from]]);
                if aj == [0.0; 3] {
                    continue;
                }
                for run in &runs[number..] {
                    // The column's own run from the diagonal down.
                    let skip = if run.first == column_run.first { i } else { 0 };
                    let to = at((c, column_run.block), (run.place + skip, run.block));
                    let (first, count) = (run.first + skip, run.length - skip);
                    let out = &mut values[to..to + count];
                    let [g0, g1, g2] = [g0, g1, g2].map(|g| &g[first..first + count]);
                    for j in 0..count {
                        out[j] += g0[j] * aj[0] + g1[j] * aj[1] + g2[j] * aj[2];
                    }
                }
            }
        }
    }

    /// Pairs of blocks that a limb joins, the smaller first.
    pub fn meetings(&self, limb: &Limb, out: &mut Vec<(usize, usize)>) {
        let runs = self.runs(limb);
        for (number, a) in runs.iter().enumerate() {
            let others = runs[number + 1..].iter().filter(|b| b.block != a.block);
            out.extend(others.map(|b| (a.block.min(b.block), a.block.max(b.block))));
        }
    }

    /// out += scale · Jᵀ A J for a general matrix; A need not be symmetric, `start` is the first place of a block.
    pub fn add_general(
        &self,
        limb: &Limb,
        a: &[[f64; 3]; 3],
        scale: f64,
        start: impl Fn(usize) -> usize,
        out: &mut BlockLu,
    ) {
        let [g0, g1, g2] = self.gradients(limb);
        // Row r is gᵣᵀ A J: its three factors of J first.
        let turned = [0, 1, 2].map(|k| [a[0][k], a[1][k], a[2][k]]);
        for row_run in self.runs(limb) {
            for run in self.runs(limb) {
                let width = out.size(run.block);
                let row = row_run.place - start(row_run.block);
                let column = run.place - start(run.block);
                let place = out.place(row_run.block, run.block) + row * width + column;
                let range = run.first..run.first + run.length;
                let [h0, h1, h2] = [g0, g1, g2].map(|g| &g[range.clone()]);
                for i in 0..row_run.length {
                    let from = row_run.first + i;
                    let ga = times(&turned, scale, [g0[from], g1[from], g2[from]]);
                    let to = place + i * width;
                    let out = &mut out.values()[to..to + run.length];
                    for j in 0..run.length {
                        out[j] += h0[j] * ga[0] + h1[j] * ga[1] + h2[j] * ga[2];
                    }
                }
            }
        }
    }
}

/// scale · A g.
#[inline]
fn times(a: &[[f64; 3]; 3], scale: f64, g: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| scale * (a[k][0] * g[0] + a[k][1] * g[1] + a[k][2] * g[2]))
}
