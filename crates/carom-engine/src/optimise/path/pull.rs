//! Places in the coordinates of a node, and back: covectors and rows over its coordinates as derivatives by its unknowns.

use nalgebra::{DMatrix, DVector, Vector3};

use super::Path;
use crate::model::Point;

impl Path {
    /// Vector from the second end of a pair potential to the first, at coordinates q.
    pub fn stretch(&self, ends: &[Point; 2], q: &[f64]) -> Vector3<f64> {
        let at = |p: &Point| match p.body {
            None => p.local,
            Some(b) => self.point(b.index(), &p.local, 1.0, q),
        };
        at(&ends[0]) - at(&ends[1])
    }

    /// s φ + D l of a body at coordinates q (or of their rates).
    pub fn point(&self, body: usize, l: &Vector3<f64>, s: f64, q: &[f64]) -> Vector3<f64> {
        if self.layout.body_home[body].is_none() {
            return Vector3::zeros();
        }
        let q = &q[self.layout.starts[body]..];
        let column = |k: usize| Vector3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2]);
        let mut v = column(0) * s;
        if !self.model.is_particle(crate::model::BodyId(body as u32)) {
            v += column(1) * l.x + column(2) * l.y + column(3) * l.z;
        }
        v
    }

    /// Adds the covector of a force f on s φ + D l of a body.
    pub fn push(&self, body: usize, l: &Vector3<f64>, s: f64, f: &Vector3<f64>, y: &mut [f64]) {
        if self.layout.body_home[body].is_none() {
            return;
        }
        let rigid = !self.model.is_particle(crate::model::BodyId(body as u32));
        let y = &mut y[self.layout.starts[body]..];
        for k in 0..3 {
            y[k] += s * f[k];
            if rigid {
                for i in 0..3 {
                    y[3 + 3 * i + k] += l[i] * f[k];
                }
            }
        }
    }

    /// Local part of a vector over the coordinates (or controls) of a node.
    pub fn gather(indices: &[usize], v: &[f64]) -> DVector<f64> {
        DVector::from_iterator(indices.len(), indices.iter().map(|&i| v[i]))
    }

    /// The covector y over the coordinates of a node as derivatives by u.
    pub fn pull(&self, node: usize, y: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.n];
        for (c, component) in self.layout.components.iter().enumerate() {
            let local = Self::gather(&component.coordinates, y);
            if local.iter().all(|v| *v == 0.0) {
                continue;
            }
            let pulled = self.nodes()[node].tangent[c].tr_mul(&local);
            for (&f, v) in component.freedoms.iter().zip(pulled.iter()) {
                out[f] = *v;
            }
        }
        out
    }

    /// Rows of s φ + D l of a body in matrices with the coordinates of the components as rows, added
    /// to a matrix with three rows and the degrees of freedom of the node as columns.
    pub fn point_rows(
        &self,
        of: &[DMatrix<f64>],
        body: usize,
        l: &Vector3<f64>,
        s: f64,
        out: &mut DMatrix<f64>,
        first: usize,
    ) {
        let Some((c, at)) = self.layout.body_home[body] else {
            return;
        };
        let rigid = !self.model.is_particle(crate::model::BodyId(body as u32));
        let m = &of[c];
        for (j, &f) in self.layout.components[c].freedoms.iter().enumerate() {
            for k in 0..3 {
                let mut v = s * m[(at + k, j)];
                if rigid {
                    v += (0..3)
                        .map(|i| l[i] * m[(at + 3 + 3 * i + k, j)])
                        .sum::<f64>();
                }
                out[(first + k, f)] += v;
            }
        }
    }

    /// The same of the vector between the ends of a pair potential.
    pub fn stretch_rows(&self, of: &[DMatrix<f64>], ends: &[Point; 2]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(3, self.layout.n);
        for (end, sign) in ends.iter().zip([1.0, -1.0]) {
            if let Some(b) = end.body {
                self.point_rows(of, b.index(), &(end.local * sign), sign, &mut out, 0);
            }
        }
        out
    }

    /// A matrix with the coordinates of a node as rows and its degrees of freedom as columns.
    pub fn wide(&self, of: &[DMatrix<f64>]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.layout.nq, self.layout.n);
        for (component, m) in self.layout.components.iter().zip(of) {
            for (j, &f) in component.freedoms.iter().enumerate() {
                for (i, &q) in component.coordinates.iter().enumerate() {
                    out[(q, f)] = m[(i, j)];
                }
            }
        }
        out
    }

    /// Σ b (∂qᵢ ∂qⱼᵀ + ∂qⱼ ∂qᵢᵀ) of quadratic terms.
    pub fn add_products(
        &self,
        node: usize,
        products: &[(usize, usize, f64)],
        factor: f64,
        out: &mut DMatrix<f64>,
    ) {
        let row = |q: usize| {
            let (c, l) = self.layout.coordinate_home[q];
            (c, self.nodes()[node].tangent[c].row(l))
        };
        for &(i, j, b) in products {
            let ((ci, ri), (cj, rj)) = (row(i), row(j));
            let (fi, fj) = (
                &self.layout.components[ci].freedoms,
                &self.layout.components[cj].freedoms,
            );
            for (a, &f) in fi.iter().enumerate() {
                for (k, &g) in fj.iter().enumerate() {
                    let v = factor * b * ri[a] * rj[k];
                    out[(f, g)] += v;
                    out[(g, f)] += v;
                }
            }
        }
    }

    /// A row whose gradient by the coordinates of a node is y.
    pub fn list_node(
        &self,
        row: usize,
        node: usize,
        list: &[usize],
        y: &[f64],
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        let values = self.pull(node, y);
        for &f in list {
            sink(row, self.layout.u(node, f), values[f]);
        }
    }
}
