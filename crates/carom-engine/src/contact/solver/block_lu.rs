//! L and U of a general matrix over the blocks of an island, in the pattern of its contacts.
//!
//! Blocks are trees and linkages; two of them have entries where a contact couples them, or where an eliminated block
//! did (fill). They are eliminated in the order of the least neighbours; rows are exchanged within a block only.

/// The factors, with their storage.
#[derive(Debug, Default)]
pub(super) struct BlockLu {
    /// What the pattern is of: sizes of the blocks and which of them meet, the smaller first.
    sizes: Vec<usize>,
    meetings: Vec<(usize, usize)>,
    /// First row of each block.
    starts: Vec<usize>,
    /// The order of elimination, and what each block meets of those after it.
    order: Vec<usize>,
    later: Vec<Vec<usize>>,
    /// Where the entries of a pair of blocks begin, for each block by the other's number.
    places: Vec<Vec<(usize, usize)>>,
    values: Vec<f64>,
    pivots: Vec<usize>,
    product: Vec<f64>,
    /// What each block meets of those that are left, and whether it is gone: while an order is looked for.
    near: Vec<Vec<usize>>,
    gone: Vec<bool>,
}

impl BlockLu {
    /// Begins a matrix of zeros over blocks of these sizes, of which some meet.
    pub fn clear(
        &mut self,
        sizes: impl Iterator<Item = usize> + Clone,
        meetings: &[(usize, usize)],
    ) {
        if !sizes.clone().eq(self.sizes.iter().copied()) || meetings != self.meetings {
            self.sizes.clear();
            self.sizes.extend(sizes);
            self.meetings.clear();
            self.meetings.extend_from_slice(meetings);
            self.analyse();
        }
        self.values.fill(0.0);
    }

    /// Finds an order of elimination and the places of all entries.
    fn analyse(&mut self) {
        let count = self.sizes.len();
        self.starts.clear();
        let mut rows = 0;
        for size in &self.sizes {
            self.starts.push(rows);
            rows += size;
        }
        self.pivots.resize(rows, 0);
        let mut near = std::mem::take(&mut self.near);
        empty(&mut near, count);
        for &(a, b) in &self.meetings {
            near[a].push(b);
            near[b].push(a);
        }
        for list in &mut near[..count] {
            list.sort_unstable();
            list.dedup();
        }
        self.order.clear();
        empty(&mut self.later, count);
        self.gone.clear();
        self.gone.resize(count, false);
        for _ in 0..count {
            // The block with the fewest rows beside it; the first of several.
            let beside = |b: &usize| near[*b].iter().map(|o| self.sizes[*o]).sum::<usize>();
            let Some(next) = (0..count).filter(|b| !self.gone[*b]).min_by_key(beside) else {
                break;
            };
            self.gone[next] = true;
            self.order.push(next);
            self.later[next].extend_from_slice(&near[next]);
            let neighbours = &self.later[next];
            for &a in neighbours {
                near[a].retain(|b| *b != next);
                for &b in neighbours {
                    if a != b && !near[a].contains(&b) {
                        near[a].push(b);
                    }
                }
            }
        }
        self.near = near;
        empty(&mut self.places, count);
        let mut length = 0;
        let mut place = |a: usize, b: usize, places: &mut Vec<Vec<(usize, usize)>>| {
            places[a].push((b, length));
            length += self.sizes[a] * self.sizes[b];
        };
        for &a in &self.order {
            place(a, a, &mut self.places);
            for &b in &self.later[a] {
                place(a, b, &mut self.places);
                place(b, a, &mut self.places);
            }
        }
        for list in &mut self.places {
            list.sort_unstable();
        }
        self.values.clear();
        self.values.resize(length, 0.0);
    }

    /// Where the entries of the rows of one block in the columns of another begin, row by row.
    #[inline]
    pub fn place(&self, row: usize, column: usize) -> usize {
        let list = &self.places[row];
        match list.binary_search_by_key(&column, |(other, _)| *other) {
            Ok(at) => list[at].1,
            Err(_) => unreachable!("blocks that share a contact have entries"),
        }
    }

    /// Size of a block.
    pub fn size(&self, block: usize) -> usize {
        self.sizes[block]
    }

    /// All entries, by their places.
    pub fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factorises what was filled in; false if it is singular in this order.
    pub fn factorise(&mut self) -> bool {
        for at in 0..self.order.len() {
            let k = self.order[at];
            let size = self.sizes[k];
            let own = self.place(k, k);
            let start = self.starts[k];
            let pivots = &mut self.pivots[start..start + size];
            if !factorise_block(&mut self.values[own..own + size * size], pivots) {
                return false;
            }
            for a in 0..self.later[k].len() {
                // U = D⁻¹ A_kj.
                let j = self.later[k][a];
                let (to, width) = (self.place(k, j), self.sizes[j]);
                let (lu, part) = two(&mut self.values, (own, size * size), (to, size * width));
                solve_block(lu, &self.pivots[start..start + size], part, width);
            }
            for a in 0..self.later[k].len() {
                let i = self.later[k][a];
                let left = self.place(i, k);
                for b in 0..self.later[k].len() {
                    // A_ij −= A_ik U_kj.
                    let j = self.later[k][b];
                    let (right, to) = (self.place(k, j), self.place(i, j));
                    let (rows, width) = (self.sizes[i], self.sizes[j]);
                    self.product.clear();
                    self.product.resize(rows * width, 0.0);
                    let l = &self.values[left..left + rows * size];
                    let u = &self.values[right..right + size * width];
                    for (out, l) in self
                        .product
                        .chunks_exact_mut(width)
                        .zip(l.chunks_exact(size))
                    {
                        for (factor, u) in l.iter().zip(u.chunks_exact(width)) {
                            for (x, y) in out.iter_mut().zip(u) {
                                *x += factor * y;
                            }
                        }
                    }
                    let to = &mut self.values[to..to + rows * width];
                    to.iter_mut().zip(&self.product).for_each(|(x, y)| *x -= y);
                }
            }
        }
        true
    }

    /// A x = b; b becomes x.
    pub fn solve(&self, b: &mut [f64]) {
        for &k in &self.order {
            let (start, size) = (self.starts[k], self.sizes[k]);
            let own = self.place(k, k);
            let lu = &self.values[own..own + size * size];
            let pivots = &self.pivots[start..start + size];
            solve_block(lu, pivots, &mut b[start..start + size], 1);
            for &i in &self.later[k] {
                let left = self.place(i, k);
                self.subtract(left, (i, k), b);
            }
        }
        for &k in self.order.iter().rev() {
            for &j in &self.later[k] {
                let right = self.place(k, j);
                self.subtract(right, (k, j), b);
            }
        }
    }

    /// b_i −= A_ij b_j.
    fn subtract(&self, place: usize, (i, j): (usize, usize), b: &mut [f64]) {
        let (rows, width) = (self.sizes[i], self.sizes[j]);
        for r in 0..rows {
            let row = &self.values[place + r * width..place + (r + 1) * width];
            let x = &b[self.starts[j]..self.starts[j] + width];
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            b[self.starts[i] + r] -= sum;
        }
    }
}

/// Makes so many lists empty; there may be more.
fn empty<T>(lists: &mut Vec<Vec<T>>, count: usize) {
    lists.iter_mut().for_each(Vec::clear);
    if lists.len() < count {
        lists.resize_with(count, Vec::new);
    }
}

/// Two parts of one list that do not overlap.
fn two(
    values: &mut [f64],
    (first, length): (usize, usize),
    (second, other): (usize, usize),
) -> (&[f64], &mut [f64]) {
    if first < second {
        let (head, tail) = values.split_at_mut(second);
        (&head[first..first + length], &mut tail[..other])
    } else {
        let (head, tail) = values.split_at_mut(first);
        (&tail[..length], &mut head[second..second + other])
    }
}

/// L and U of a block in place, row by row, with partial pivoting; false if it is singular.
fn factorise_block(a: &mut [f64], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for col in 0..n {
        let size = |row: &usize| a[row * n + col].abs();
        let Some(pivot) = (col..n).max_by(|x, y| size(x).total_cmp(&size(y))) else {
            return false;
        };
        let head = a[pivot * n + col];
        if head == 0.0 || !head.is_finite() {
            return false;
        }
        if pivot != col {
            for k in 0..n {
                a.swap(pivot * n + k, col * n + k);
            }
        }
        pivots[col] = pivot;
        let (above, below) = a.split_at_mut((col + 1) * n);
        let pivot_row = &above[col * n + col + 1..];
        for row in below.chunks_exact_mut(n) {
            let factor = row[col] / head;
            row[col] = factor;
            for (x, y) in row[col + 1..].iter_mut().zip(pivot_row) {
                *x -= factor * y;
            }
        }
    }
    true
}

/// D X = B for several columns, row by row; B becomes X.
fn solve_block(lu: &[f64], pivots: &[usize], b: &mut [f64], width: usize) {
    let n = pivots.len();
    for (row, &pivot) in pivots.iter().enumerate() {
        if pivot != row {
            for k in 0..width {
                b.swap(row * width + k, pivot * width + k);
            }
        }
    }
    for row in 0..n {
        let (before, rest) = b.split_at_mut(row * width);
        for (l, x) in lu[row * n..row * n + row]
            .iter()
            .zip(before.chunks_exact(width))
        {
            for (out, x) in rest[..width].iter_mut().zip(x) {
                *out -= l * x;
            }
        }
    }
    for row in (0..n).rev() {
        let (before, after) = b.split_at_mut((row + 1) * width);
        let out = &mut before[row * width..];
        let u = &lu[row * n + row..(row + 1) * n];
        for (u, x) in u[1..].iter().zip(after.chunks_exact(width)) {
            for (out, x) in out.iter_mut().zip(x) {
                *out -= u * x;
            }
        }
        out.iter_mut().for_each(|x| *x /= u[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanics::dense;

    /// Five blocks in a ring with a chord: fill, other sizes and a general matrix, beside elimination.
    #[test]
    fn blocks_solve_as_elimination_does() {
        let sizes = [6, 1, 3, 6, 2];
        let meetings = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (0, 3)];
        let starts: Vec<usize> = (0..5).map(|b| sizes[..b].iter().sum()).collect();
        let n: usize = sizes.iter().sum();
        let mut lu = BlockLu::default();
        for seed in 0..3 {
            lu.clear(sizes.iter().copied(), &meetings);
            let mut full = vec![0.0; n * n];
            let all = (0..5).map(|b| (b, b)).chain(meetings);
            for (a, b) in all.flat_map(|(a, b)| [(a, b), (b, a)]) {
                let place = lu.place(a, b);
                for r in 0..sizes[a] {
                    for c in 0..sizes[b] {
                        let k = (starts[a] + r) * n + starts[b] + c;
                        let value = ((k * 7919 + 31 * seed) % 1009) as f64 / 1009.0 - 0.4;
                        full[k] = value + if a == b && r == c { 3.0 } else { 0.0 };
                        lu.values()[place + r * sizes[b] + c] = full[k];
                    }
                }
            }
            let mut x: Vec<f64> = (0..n).map(|k| (k as f64).cos()).collect();
            let mut y = x.clone();
            assert!(lu.factorise());
            lu.solve(&mut x);
            assert!(dense::solve(&mut full, &mut y));
            for (x, y) in x.iter().zip(&y) {
                assert!((x - y).abs() < 1e-12 * (1.0 + y.abs()), "{x} {y}");
            }
        }
        lu.clear(sizes.iter().copied(), &meetings);
        assert!(!lu.factorise(), "a matrix of zeros is singular");
    }
}
