//! What is at the end as it was at the start: differences of unknowns of the first and the last node, and
//! bilinear forms of the coordinates at both.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// What a row adds up.
#[derive(Clone, Debug)]
pub(crate) enum Sum {
    /// Unknowns with their factors, and a number.
    Unknowns(Vec<(usize, f64)>, f64),
    /// Coordinates at the start and at the end with their factors, and products of one with the other.
    Coordinates {
        start: Vec<(usize, f64)>,
        end: Vec<(usize, f64)>,
        products: Vec<(usize, usize, f64)>,
    },
}

/// A row: a sum in a range.
#[derive(Clone, Debug)]
pub(crate) struct RecurrenceRow {
    pub what: String,
    pub sum: Sum,
    pub range: [f64; 2],
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Recurrences {
    pub rows: Vec<RecurrenceRow>,
}

impl RecurrenceRow {
    pub fn value(&self, path: &Path) -> f64 {
        let weigh = |list: &[(usize, f64)], of: &[f64]| -> f64 {
            list.iter().map(|&(i, w)| w * of[i]).sum()
        };
        let (first, last) = ends(path);
        match &self.sum {
            Sum::Unknowns(list, constant) => weigh(list, path.x()) + constant,
            Sum::Coordinates {
                start,
                end,
                products,
            } => {
                let products = products.iter().map(|&(i, j, w)| w * first[i] * last[j]);
                weigh(start, first) + weigh(end, last) + products.sum::<f64>()
            }
        }
    }

    /// Gradient by the coordinates at the start and at the end.
    fn gradients(&self, path: &Path) -> [Vec<f64>; 2] {
        let mut out = [vec![0.0; path.layout.nq], vec![0.0; path.layout.nq]];
        let (first, last) = ends(path);
        if let Sum::Coordinates {
            start,
            end,
            products,
        } = &self.sum
        {
            start.iter().for_each(|&(i, w)| out[0][i] += w);
            end.iter().for_each(|&(i, w)| out[1][i] += w);
            for &(i, j, w) in products {
                out[0][i] += w * last[j];
                out[1][j] += w * first[i];
            }
        }
        out
    }

    /// Coordinates that it uses at the start and at the end.
    fn used(&self) -> [Vec<usize>; 2] {
        match &self.sum {
            Sum::Unknowns(..) => [Vec::new(), Vec::new()],
            Sum::Coordinates {
                start,
                end,
                products,
            } => [
                start
                    .iter()
                    .map(|t| t.0)
                    .chain(products.iter().map(|t| t.0))
                    .collect(),
                end.iter()
                    .map(|t| t.0)
                    .chain(products.iter().map(|t| t.1))
                    .collect(),
            ],
        }
    }

    /// Unknowns that it depends on.
    pub fn unknowns(&self, layout: &Layout) -> Vec<usize> {
        if let Sum::Unknowns(list, _) = &self.sum {
            return list.iter().map(|t| t.0).collect();
        }
        let nodes = [0, layout.grid.len()];
        let of = |(node, used): (usize, Vec<usize>)| {
            let freedoms = layout.freedoms_of(used.into_iter());
            freedoms.into_iter().map(move |f| layout.u(node, f))
        };
        nodes.into_iter().zip(self.used()).flat_map(of).collect()
    }
}

/// Coordinates at the start and at the end.
fn ends(path: &Path) -> (&[f64], &[f64]) {
    let nodes = path.nodes();
    (&nodes[0].q, &nodes[nodes.len() - 1].q)
}

impl Family for Recurrences {
    fn name(&self) -> &'static str {
        "recurrence"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| r.range).collect()
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            *value = row.value(path);
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        let nodes = [0, path.layout.grid.len()];
        for (r, row) in self.rows.iter().enumerate() {
            if let Sum::Unknowns(list, _) = &row.sum {
                list.iter().for_each(|&(index, w)| sink(r, index, w));
                continue;
            }
            let (gradients, used) = (row.gradients(path), row.used());
            for ((node, y), used) in nodes.into_iter().zip(&gradients).zip(used) {
                let list = path.layout.freedoms_of(used.into_iter());
                path.list_node(r, node, &list, y, sink);
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let layout = &path.layout;
        let last = layout.grid.len();
        let row_of = |node: usize, q: usize| {
            let (c, l) = layout.coordinate_home[q];
            (
                &layout.components[c].freedoms,
                path.nodes()[node].tangent[c].row(l),
            )
        };
        for (row, &mu) in self.rows.iter().zip(lambda) {
            let Sum::Coordinates { products, .. } = &row.sum else {
                continue;
            };
            for (node, y) in [0, last].into_iter().zip(row.gradients(path)) {
                let pulls = out.pulls[node].iter_mut();
                pulls.zip(y).for_each(|(c, y)| *c += mu * y);
            }
            // ∂q₀ ∂q_Nᵀ of products.
            for &(i, j, w) in products {
                let ((from, a), (to, b)) = (row_of(0, i), row_of(last, j));
                for (k, &f) in from.iter().enumerate() {
                    for (l, &g) in to.iter().enumerate() {
                        let entry = (layout.u(last, g), layout.u(0, f), mu * w * a[k] * b[l]);
                        out.entries.push(entry);
                    }
                }
            }
        }
    }

    fn describe(&self, _: &Path, row: usize) -> String {
        format!("{} at the end as at the start", self.rows[row].what)
    }

    fn identity(&self, row: usize) -> String {
        row.to_string()
    }

    fn size(&self, _: &Path, sizes: &Sizes, _: usize, largest: f64) -> f64 {
        sizes.near_one(largest)
    }
}
