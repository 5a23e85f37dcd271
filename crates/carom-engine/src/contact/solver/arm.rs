//! The rows of points on free bodies.

/// The rows of a point on one or two bodies of six degrees of freedom each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    /// Gradients, row by row, and how many bodies they push.
    pub gradients: [[[f64; 6]; 2]; 3],
    pub bodies: usize,
    /// Place of the first degree of freedom of each body, in rising order.
    pub starts: [usize; 2],
    /// Sparse: where the rows of the second body begin in a column of the first.
    pub begins: usize,
}

impl Arm {
    /// Column i of scale · A J on one of the bodies.
    #[inline]
    pub fn column(&self, a: &[[f64; 3]; 3], scale: f64, body: usize, i: usize) -> [f64; 3] {
        let [g0, g1, g2] = &self.gradients;
        let g = [g0[body][i], g1[body][i], g2[body][i]];
        let of = |a: &[f64; 3]| scale * (a[0] * g[0] + a[1] * g[1] + a[2] * g[2]);
        [of(&a[0]), of(&a[1]), of(&a[2])]
    }

    /// Column j of J on one of the bodies times x.
    #[inline]
    pub fn times(&self, x: &[f64; 3], body: usize, j: usize) -> f64 {
        let g = &self.gradients;
        g[0][body][j] * x[0] + g[1][body][j] * x[1] + g[2][body][j] * x[2]
    }

    /// scale · A J on one of the bodies, row by row.
    #[inline]
    pub fn rows(&self, a: &[[f64; 3]; 3], scale: f64, body: usize) -> [[f64; 6]; 3] {
        let [g0, g1, g2] = &self.gradients;
        let (g0, g1, g2) = (&g0[body], &g1[body], &g2[body]);
        let mut out = [[0.0; 6]; 3];
        for (out, a) in out.iter_mut().zip(a) {
            for i in 0..6 {
                out[i] = scale * (a[0] * g0[i] + a[1] * g1[i] + a[2] * g2[i]);
            }
        }
        out
    }

    /// out += Jᵀ x.
    #[inline]
    pub fn add_push(&self, x: &[f64; 3], out: &mut [f64]) {
        let [g0, g1, g2] = &self.gradients;
        for (body, &start) in self.starts[..self.bodies].iter().enumerate() {
            let (g0, g1, g2) = (&g0[body], &g1[body], &g2[body]);
            let out = &mut out[start..start + 6];
            for j in 0..6 {
                out[j] += g0[j] * x[0] + g1[j] * x[1] + g2[j] * x[2];
            }
        }
    }

    /// J v.
    #[inline]
    pub fn rates(&self, v: &[f64]) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (body, &start) in self.starts[..self.bodies].iter().enumerate() {
            let v = &v[start..start + 6];
            for (out, g) in out.iter_mut().zip(&self.gradients) {
                let g = &g[body];
                let half = |j: usize| g[j] * v[j] + g[j + 1] * v[j + 1] + g[j + 2] * v[j + 2];
                *out += half(0) + half(3);
            }
        }
        out
    }
}
