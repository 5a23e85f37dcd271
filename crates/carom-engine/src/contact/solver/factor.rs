//! H = M + Jᵀ D J over the degrees of freedom of an island, body by body.

use super::arm::Arm;
use super::block_lu::BlockLu;
use super::cholesky::{Sparse, cholesky, substitute};
use super::limb::{Limb, Limbs};
use super::{Point, Stage};
use crate::contact::mass::MassMetric;
use crate::contact::rows::Rows;

/// Up to this many degrees of freedom H is dense.
const DENSE: usize = 96;
const NONE: u32 = u32::MAX;

/// A tree or linkage of the island: its degrees of freedom and its mass matrix.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    start: usize,
    size: usize,
    /// Where its mass matrix begins, row by row.
    mass: usize,
}

/// What a point pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most are bodies, and a box each would be an allocation at every instant"
)]
enum Push {
    /// One or two free bodies.
    Bodies(Arm),
    /// Degrees of freedom of trees and linkages.
    Freedoms(Limb),
}

/// H with its storage.
#[derive(Default)]
pub(super) struct Factor {
    /// Place of every degree of freedom of the model in the island, and the block it is of.
    place: Vec<u32>,
    block_of: Vec<usize>,
    /// Degrees of freedom of the island.
    pub freedoms: Vec<usize>,
    freedoms_before: Vec<usize>,
    /// Whether the rows are those of the set-up before.
    pub same: bool,
    blocks: Vec<Block>,
    /// Of each block those after it that a contact couples it with, and where their rows begin in a column; none where
    /// H is dense.
    below: Vec<Vec<(usize, usize)>>,
    of_owner: Vec<usize>,
    /// Blocks that meet, for general matrices.
    meetings: Vec<(usize, usize)>,
    mass: Vec<f64>,
    /// What all points push, and what those of the set-up before did.
    pushes: Vec<Push>,
    limbs: Limbs,
    pushes_before: Vec<Push>,
    limbs_before: Limbs,
    /// Columns of the lower triangle: dense each of n numbers, sparse those of the pattern.
    values: Vec<f64>,
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
    sparse: Option<Sparse>,
    /// The dense factor.
    dense: Vec<f64>,
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Factor({} freedoms)", self.freedoms.len())
    }
}

impl Factor {
    /// Collects what the rows move, its mass matrices and the pattern of H.
    pub fn set_up(
        &mut self,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        rows: &Rows,
    ) {
        for &f in &self.freedoms {
            self.place[f] = NONE;
        }
        std::mem::swap(&mut self.freedoms, &mut self.freedoms_before);
        self.place.resize(stage.model.freedom(), NONE);
        self.freedoms.clear();
        self.blocks.clear();
        self.mass.clear();
        self.block_of.clear();
        self.of_owner.clear();
        self.of_owner.resize(metric.parts().all.len(), usize::MAX);
        for p in points {
            for row in p.first..p.first + p.rows {
                for e in rows.entries(row) {
                    let owner = metric.owner_of(e.freedom);
                    if self.of_owner[owner] == usize::MAX {
                        self.of_owner[owner] = self.blocks.len();
                        self.add_block(stage, metric, owner);
                    }
                }
            }
        }
        let same = self.freedoms == self.freedoms_before;
        self.below.iter_mut().for_each(Vec::clear);
        if self.below.len() < self.blocks.len() {
            self.below.resize(self.blocks.len(), Vec::new());
        }
        if self.freedoms.len() > DENSE {
            self.find_pattern(metric, points, rows);
        }
        std::mem::swap(&mut self.pushes, &mut self.pushes_before);
        std::mem::swap(&mut self.limbs, &mut self.limbs_before);
        self.pushes.clear();
        self.limbs.clear();
        for p in points {
            let push = match self.arm(p, rows) {
                Some(arm) => Push::Bodies(arm),
                None => {
                    let place = |freedom: usize| self.place[freedom] as usize;
                    Push::Freedoms(self.limbs.push(p, rows, place, &self.block_of))
                }
            };
            self.pushes.push(push);
        }
        self.same =
            same && self.pushes == self.pushes_before && self.limbs.equal(&self.limbs_before);
    }

    /// The rows of a point as blocks, if they push whole bodies.
    fn arm(&self, p: &Point, rows: &Rows) -> Option<Arm> {
        let entries = rows.entries(p.first);
        let bodies = entries.len() / 6;
        if !entries.len().is_multiple_of(6) || !(1..=2).contains(&bodies) {
            return None;
        }
        let mut starts = [0; 2];
        for (body, part) in entries.chunks_exact(6).enumerate() {
            let first = self.at(part[0].freedom);
            if part
                .iter()
                .enumerate()
                .any(|(k, e)| self.at(e.freedom) != first + k)
                || self.block_of[first] != self.block_of[first + 5]
            {
                // Six in a row may be two particles.
                return None;
            }
            starts[body] = first;
        }
        // The first comes first in the matrix.
        let swapped = bodies == 2 && starts[0] > starts[1];
        let mut gradients = [[[0.0; 6]; 2]; 3];
        for k in 0..p.rows {
            for (body, part) in rows.entries(p.first + k).chunks_exact(6).enumerate() {
                for (to, e) in gradients[k][body ^ usize::from(swapped)]
                    .iter_mut()
                    .zip(part)
                {
                    *to = e.gradient;
                }
            }
        }
        if swapped {
            starts.swap(0, 1);
        }
        let [a, b] = starts.map(|s| self.block_of[s]);
        if bodies == 2 && a == b {
            return None;
        }
        let below = self.below[a].iter().find(|(o, _)| *o == b);
        Some(Arm {
            gradients,
            bodies,
            starts,
            begins: below.map_or(0, |(_, begins)| *begins),
        })
    }

    fn add_block(&mut self, stage: &Stage, metric: &mut MassMetric, owner: usize) {
        let start = self.freedoms.len();
        let mass = self.mass.len();
        metric.mass_block(
            stage.model,
            &stage.at,
            owner,
            &mut self.freedoms,
            &mut self.mass,
        );
        let size = self.freedoms.len() - start;
        for (k, &f) in self.freedoms[start..].iter().enumerate() {
            self.place[f] = (start + k) as u32;
            self.block_of.push(self.blocks.len());
        }
        self.blocks.push(Block { start, size, mass });
    }

    /// Place of a degree of freedom in the island.
    #[inline]
    pub fn at(&self, freedom: usize) -> usize {
        self.place[freedom] as usize
    }

    /// out += M v.
    pub fn add_mass_times(&self, v: &[f64], out: &mut [f64]) {
        for b in &self.blocks {
            let n = b.size;
            for r in 0..n {
                let row = &self.mass[b.mass + r * n..b.mass + (r + 1) * n];
                let x = &v[b.start..b.start + n];
                out[b.start + r] += row.iter().zip(x).map(|(m, x)| m * x).sum::<f64>();
            }
        }
    }

    /// The size of a momentum, measured by the diagonal of M.
    pub fn size_of(&self, momentum: &[f64]) -> f64 {
        let mut sum = 0.0;
        for b in &self.blocks {
            for r in 0..b.size {
                let x = momentum[b.start + r];
                sum += x * x / self.mass[b.mass + r * b.size + r];
            }
        }
        sum.sqrt()
    }

    /// Which blocks meet in a contact, and the columns of the lower triangle.
    fn find_pattern(&mut self, metric: &MassMetric, points: &[Point], rows: &Rows) {
        for p in points {
            let mut met = [usize::MAX; 4];
            let mut count = 0;
            for e in rows.entries(p.first) {
                let b = self.of_owner[metric.owner_of(e.freedom)];
                if !met[..count].contains(&b) && count < met.len() {
                    met[count] = b;
                    count += 1;
                }
            }
            for &a in &met[..count] {
                for &b in &met[..count] {
                    if a > b && !self.below[b].iter().any(|(o, _)| *o == a) {
                        self.below[b].push((a, 0));
                    }
                }
            }
        }
        self.column_starts.clear();
        self.row_indices.clear();
        for (block, below) in self.blocks.iter().zip(&mut self.below) {
            below.sort_unstable();
            let mut at = 0;
            for (other, begins) in below.iter_mut() {
                *begins = at;
                at += self.blocks[*other].size;
            }
            let Block { start, size, .. } = *block;
            for k in 0..size {
                self.column_starts.push(self.row_indices.len());
                self.row_indices.extend(start + k..start + size);
                for (other, _) in below.iter() {
                    let o = &self.blocks[*other];
                    self.row_indices.extend(o.start..o.start + o.size);
                }
            }
        }
        self.column_starts.push(self.row_indices.len());
    }

    /// H = M.
    pub fn reset(&mut self) {
        let n = self.freedoms.len();
        self.values.clear();
        let dense = n <= DENSE;
        let length = if dense { n * n } else { self.row_indices.len() };
        self.values.resize(length, 0.0);
        for b in &self.blocks {
            for c in 0..b.size {
                for r in c..b.size {
                    let m = self.mass[b.mass + r * b.size + c];
                    let at = if dense {
                        (b.start + c) * n + b.start + r
                    } else {
                        self.column_starts[b.start + c] + r - c
                    };
                    self.values[at] = m;
                }
            }
        }
    }

    /// H += scale · Jᵀ A J for the rows of point number `at`; A is symmetric.
    pub fn add(&mut self, at: usize, a: &[[f64; 3]; 3], scale: f64) {
        let n = self.freedoms.len();
        let dense = n <= DENSE;
        let arm = match &self.pushes[at] {
            Push::Bodies(arm) => arm,
            Push::Freedoms(limb) => {
                let (starts, blocks, below) = (&self.column_starts, &self.blocks, &self.below);
                let place = |(c, block): (usize, usize), (r, other): (usize, usize)| {
                    let b = &blocks[block];
                    if dense {
                        c * n + r
                    } else if other == block {
                        starts[c] + r - c
                    } else {
                        let below = below[block].iter().find(|(o, _)| *o == other);
                        let begins = below.map_or(0, |(_, begins)| *begins);
                        starts[c] + (b.start + b.size - c) + begins + r - blocks[other].start
                    }
                };
                return (self.limbs).add(limb, a, scale, &mut self.values, place);
            }
        };
        for body in 0..arm.bodies {
            let start = arm.starts[body];
            let block = &self.blocks[self.block_of[start]];
            for i in 0..6 {
                let aj = arm.column(a, scale, body, i);
                let c = start + i;
                // The body's own block from the diagonal down.
                let own = if dense {
                    c * n + c
                } else {
                    self.column_starts[c]
                };
                for (j, value) in self.values[own..own + 6 - i].iter_mut().enumerate() {
                    *value += arm.times(&aj, body, i + j);
                }
                if arm.bodies == 1 || body == 1 {
                    continue;
                }
                let other = if dense {
                    c * n + arm.starts[1]
                } else {
                    let inside = arm.starts[1] - self.blocks[self.block_of[arm.starts[1]]].start;
                    self.column_starts[c] + block.start + block.size - c + arm.begins + inside
                };
                let below = &mut self.values[other..other + 6];
                let [[_, g0], [_, g1], [_, g2]] = &arm.gradients;
                for j in 0..6 {
                    below[j] += g0[j] * aj[0] + g1[j] * aj[1] + g2[j] * aj[2];
                }
            }
        }
    }

    /// out += Jᵀ x for the rows of point number `at`.
    #[inline]
    pub fn add_push(&self, at: usize, p: &Point, rows: &Rows, x: &[f64; 3], out: &mut [f64]) {
        if let Push::Bodies(arm) = &self.pushes[at] {
            return arm.add_push(x, out);
        }
        for k in (0..p.rows).filter(|&k| x[k] != 0.0) {
            for e in rows.entries(p.first + k) {
                out[self.at(e.freedom)] += x[k] * e.gradient;
            }
        }
    }

    /// J v for the rows of point number `at`, with velocities of the island.
    #[inline]
    pub fn rates(&self, at: usize, p: &Point, rows: &Rows, v: &[f64]) -> [f64; 3] {
        if let Push::Bodies(arm) = &self.pushes[at] {
            return arm.rates(v);
        }
        let mut out = [0.0; 3];
        for k in 0..p.rows {
            let entries = rows.entries(p.first + k).iter();
            out[k] = entries.map(|e| e.gradient * v[self.at(e.freedom)]).sum();
        }
        out
    }

    /// Begins a general matrix over the blocks, with M.
    pub fn begin_general(&mut self, out: &mut BlockLu) {
        self.meetings.clear();
        for push in &self.pushes {
            match push {
                Push::Bodies(arm) if arm.bodies == 2 => {
                    let [a, b] = arm.starts.map(|s| self.block_of[s]);
                    self.meetings.push((a.min(b), a.max(b)));
                }
                Push::Bodies(_) => {}
                Push::Freedoms(limb) => self.limbs.meetings(limb, &mut self.meetings),
            }
        }
        self.meetings.sort_unstable();
        self.meetings.dedup();
        out.clear(self.blocks.iter().map(|b| b.size), &self.meetings);
        for (number, b) in self.blocks.iter().enumerate() {
            let place = out.place(number, number);
            let count = b.size * b.size;
            out.values()[place..place + count].copy_from_slice(&self.mass[b.mass..b.mass + count]);
        }
    }

    /// out += scale · Jᵀ A J for the rows of point number `at`; A need not be symmetric.
    pub fn add_general(&self, at: usize, a: &[[f64; 3]; 3], scale: f64, out: &mut BlockLu) {
        let arm = match &self.pushes[at] {
            Push::Bodies(arm) => arm,
            Push::Freedoms(limb) => {
                let start = |block: usize| self.blocks[block].start;
                return self.limbs.add_general(limb, a, scale, start, out);
            }
        };
        for body in 0..arm.bodies {
            let aj = arm.rows(a, scale, body);
            let block = self.block_of[arm.starts[body]];
            let column = arm.starts[body] - self.blocks[block].start;
            let width = out.size(block);
            for other in 0..arm.bodies {
                let of = self.block_of[arm.starts[other]];
                let row = arm.starts[other] - self.blocks[of].start;
                let place = out.place(of, block) + row * width + column;
                for j in 0..6 {
                    let g = [0, 1, 2].map(|k: usize| arm.gradients[k][other][j]);
                    let to = place + j * width;
                    let row = &mut out.values()[to..to + 6];
                    for i in 0..6 {
                        row[i] += g[0] * aj[0][i] + g[1] * aj[1][i] + g[2] * aj[2][i];
                    }
                }
            }
        }
    }

    /// Factorises H; false if it is not positive definite.
    pub fn factorise(&mut self) -> bool {
        let n = self.freedoms.len();
        if n <= DENSE {
            // H is set up anew before it is asked for again.
            std::mem::swap(&mut self.dense, &mut self.values);
            return cholesky(&mut self.dense, n);
        }
        let known =
            (self.sparse.as_ref()).is_some_and(|s| s.knows(&self.column_starts, &self.row_indices));
        if !known {
            self.sparse = Sparse::new(n, &self.column_starts, &self.row_indices);
        }
        let Some(s) = &mut self.sparse else {
            return false;
        };
        s.factorise(n, &self.values)
    }

    /// H x = b; b becomes x.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = self.freedoms.len();
        if n <= DENSE {
            substitute(&self.dense, n, b);
        } else if let Some(s) = &mut self.sparse {
            s.solve(b);
        }
    }
}
