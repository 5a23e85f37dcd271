//! Polynomials of degree three in the coordinates of one node: most conditions are of this kind.
//!
//! Directors are coordinates, so that positions, directions, relative poses and boxes are linear or
//! bilinear, and so is the height of a vertex above a face; two edges meet where a determinant vanishes,
//! which is of degree three. Orientations are prescribed by Σ r_i × d_i / 2 = sin θ n, three rows of full rank;
//! d_i · r_i = 1 would have no gradient at its solution. These vanish half a turn away, too: Σ r_i · d_i = 1 + 2 cos θ ≥ 1
//! tells the two apart.

use nalgebra::{Matrix3, Vector3};

use crate::mechanics::coordinate_starts;
use crate::model::{BodyId, BodyKind, Model};

/// c + Σ aᵢ qᵢ + Σ bᵢⱼ qᵢ qⱼ + Σ cᵢⱼₖ qᵢ qⱼ qₖ over the redundant coordinates q of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poly {
    /// c.
    pub constant: f64,
    /// (i, aᵢ).
    pub linear: Vec<(usize, f64)>,
    /// (i, j, bᵢⱼ), each product once.
    pub quadratic: Vec<(usize, usize, f64)>,
    /// ([i, j, k], cᵢⱼₖ), each product once.
    pub cubic: Vec<([usize; 3], f64)>,
}

impl Poly {
    /// A number.
    pub fn constant(value: f64) -> Self {
        Self {
            constant: value,
            ..Self::default()
        }
    }

    /// Coordinate `k` of a body (0 to 2 its position, 3 to 11 its directors). Of a static body, or
    /// the directors of a particle, a constant.
    pub fn coordinate(model: &Model, body: BodyId, k: usize) -> Self {
        let known = &model.body(body);
        let count = crate::mechanics::coordinate_count(&known.kind);
        if k >= count || known.kind == BodyKind::Static {
            return Self::constant(known.start.to_q()[k]);
        }
        Self {
            linear: vec![(coordinate_starts(model)[body.index()] + k, 1.0)],
            ..Self::default()
        }
    }

    /// Position of a body.
    pub fn position(model: &Model, body: BodyId) -> [Self; 3] {
        [0, 1, 2].map(|k| Self::coordinate(model, body, k))
    }

    /// A point fixed in a body.
    pub fn point(model: &Model, body: BodyId, local: &Vector3<f64>) -> [Self; 3] {
        let mut out = Self::position(model, body);
        for i in 0..3 {
            let d = Self::director(model, body, i);
            for k in 0..3 {
                out[k] = out[k].clone().plus(&d[k].clone().times(local[i]));
            }
        }
        out.map(Self::collected)
    }

    /// Director d_{i+1} of a body.
    pub fn director(model: &Model, body: BodyId, i: usize) -> [Self; 3] {
        [0, 1, 2].map(|k| Self::coordinate(model, body, 3 + 3 * i + k))
    }

    /// D l of a body.
    pub fn arrow(model: &Model, body: BodyId, l: &Vector3<f64>) -> [Self; 3] {
        let d = [0, 1, 2].map(|i| Self::director(model, body, i));
        [0, 1, 2].map(|k| {
            let sum = |sum: Self, i: usize| sum.plus(&d[i][k].clone().times(l[i]));
            (0..3).fold(Self::default(), sum)
        })
    }

    /// Difference of two vectors.
    pub fn difference(a: &[Self; 3], b: &[Self; 3]) -> [Self; 3] {
        [0, 1, 2].map(|k| a[k].clone().plus(&b[k].clone().times(-1.0)))
    }

    /// Sum.
    pub fn plus(mut self, other: &Self) -> Self {
        self.constant += other.constant;
        self.linear.extend(&other.linear);
        self.quadratic.extend(&other.quadratic);
        self.cubic.extend(&other.cubic);
        self
    }

    /// Product with a number.
    pub fn times(mut self, factor: f64) -> Self {
        self.constant *= factor;
        self.linear.iter_mut().for_each(|(_, a)| *a *= factor);
        self.quadratic.iter_mut().for_each(|(.., b)| *b *= factor);
        self.cubic.iter_mut().for_each(|(_, c)| *c *= factor);
        self
    }

    /// Largest number of factors in a term.
    pub fn degree(&self) -> usize {
        match (&*self.linear, &*self.quadratic, &*self.cubic) {
            (_, _, [_, ..]) => 3,
            (_, [_, ..], _) => 2,
            ([_, ..], ..) => 1,
            _ => 0,
        }
    }

    /// Coordinates that it uses; one may come more than once.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let linear = self.linear.iter().map(|(i, _)| *i);
        let pairs = self.quadratic.iter().flat_map(|(i, j, _)| [*i, *j]);
        let triples = self.cubic.iter().flat_map(|(i, _)| *i);
        linear.chain(pairs).chain(triples)
    }

    /// Product of two polynomials.
    ///
    /// # Panics
    /// If it would be of a degree higher than three.
    pub fn product(&self, other: &Self) -> Self {
        assert!(
            self.degree() + other.degree() <= 3,
            "the degree is too high"
        );
        let mut out = self.clone().times(other.constant);
        let rest = Self {
            constant: 0.0,
            ..other.clone()
        };
        out = out.plus(&rest.times(self.constant));
        for (j, b) in &other.linear {
            for (i, a) in &self.linear {
                out.quadratic.push((*i, *j, a * b));
            }
            for (i, k, a) in &self.quadratic {
                out.cubic.push(([*i, *k, *j], a * b));
            }
        }
        for (i, a) in &self.linear {
            for (j, k, b) in &other.quadratic {
                out.cubic.push(([*i, *j, *k], a * b));
            }
        }
        out
    }

    /// ⟨a, b⟩.
    pub fn dot(a: &[Self; 3], b: &[Self; 3]) -> Self {
        let sum = |sum: Self, k: usize| sum.plus(&a[k].product(&b[k]));
        (0..3).fold(Self::default(), sum)
    }

    /// a × b.
    pub fn cross(a: &[Self; 3], b: &[Self; 3]) -> [Self; 3] {
        [0, 1, 2].map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            a[i].product(&b[j]).plus(&a[j].product(&b[i]).times(-1.0))
        })
    }

    /// A constant vector.
    pub fn vector(v: &Vector3<f64>) -> [Self; 3] {
        [0, 1, 2].map(|k| Self::constant(v[k]))
    }

    /// A body has the orientation `wanted`: polynomials with their least and largest values.
    pub fn oriented(model: &Model, body: BodyId, wanted: &Matrix3<f64>) -> [(Self, [f64; 2]); 4] {
        let columns = [0, 1, 2].map(|i| Self::vector(&wanted.column(i).into_owned()));
        Self::aligned(&columns, &[0, 1, 2].map(|i| Self::director(model, body, i)))
    }

    /// Body `b` has the orientation of a frame `wanted` in body `a`, in the same form.
    pub fn oriented_relative(
        model: &Model,
        a: BodyId,
        b: BodyId,
        wanted: &Matrix3<f64>,
    ) -> [(Self, [f64; 2]); 4] {
        let frame = [0, 1, 2].map(|i| Self::director(model, a, i));
        let columns = [0, 1, 2].map(|j| {
            let part = |k: usize| {
                let add =
                    |sum: Self, i: usize| sum.plus(&frame[i][k].clone().times(wanted[(i, j)]));
                (0..3).fold(Self::default(), add)
            };
            [part(0), part(1), part(2)]
        });
        Self::aligned(&columns, &[0, 1, 2].map(|i| Self::director(model, b, i)))
    }

    /// sin θ n = 0, and cos θ ≥ 0 by the sum of r_i · d_i.
    fn aligned(wanted: &[[Self; 3]; 3], directors: &[[Self; 3]; 3]) -> [(Self, [f64; 2]); 4] {
        let [x, y, z] = Self::turn(wanted, directors).map(|poly| (poly, [0.0; 2]));
        let sum = |sum: Self, i: usize| sum.plus(&Self::dot(&wanted[i], &directors[i]));
        let trace = (0..3).fold(Self::default(), sum);
        [x, y, z, (trace, [1.0, f64::INFINITY])]
    }

    /// sin θ n = Σ r_i × d_i / 2.
    fn turn(wanted: &[[Self; 3]; 3], directors: &[[Self; 3]; 3]) -> [Self; 3] {
        let crosses = [0, 1, 2].map(|i| Self::cross(&wanted[i], &directors[i]));
        [0, 1, 2].map(|k| {
            let sum = |sum: Self, i: usize| sum.plus(&crosses[i][k]);
            (0..3).fold(Self::default(), sum).times(0.5)
        })
    }

    /// Position of body `b` as body `a` sees it.
    pub fn seen_from(model: &Model, a: BodyId, b: BodyId) -> [Self; 3] {
        let (from, to) = (Self::position(model, a), Self::position(model, b));
        let d = [0, 1, 2].map(|k| to[k].clone().plus(&from[k].clone().times(-1.0)));
        [0, 1, 2].map(|i| Self::dot(&Self::director(model, a, i), &d))
    }

    /// Value at q.
    pub fn value(&self, q: &[f64]) -> f64 {
        let linear: f64 = self.linear.iter().map(|(i, a)| a * q[*i]).sum();
        let quadratic: f64 = (self.quadratic.iter())
            .map(|(i, j, b)| b * q[*i] * q[*j])
            .sum();
        let cubic: f64 = (self.cubic.iter())
            .map(|([i, j, k], c)| c * q[*i] * q[*j] * q[*k])
            .sum();
        self.constant + linear + quadratic + cubic
    }

    /// Calls `each` with the parts of the gradient; an index may come more than once.
    pub fn gradient(&self, q: &[f64], mut each: impl FnMut(usize, f64)) {
        self.linear.iter().for_each(|(i, a)| each(*i, *a));
        for (i, j, b) in &self.quadratic {
            each(*i, b * q[*j]);
            each(*j, b * q[*i]);
        }
        for ([i, j, k], c) in &self.cubic {
            each(*i, c * q[*j] * q[*k]);
            each(*j, c * q[*i] * q[*k]);
            each(*k, c * q[*i] * q[*j]);
        }
    }

    /// Second derivatives as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
    pub fn second(&self, q: &[f64]) -> Vec<(usize, usize, f64)> {
        let mut out = self.quadratic.clone();
        out.extend(self.bend(q));
        out
    }

    /// Second derivatives of η · ∇ at any point, in the same form.
    pub fn bend(&self, eta: &[f64]) -> impl Iterator<Item = (usize, usize, f64)> {
        self.cubic.iter().flat_map(|&([i, j, k], c)| {
            [(i, j, c * eta[k]), (i, k, c * eta[j]), (j, k, c * eta[i])]
        })
    }

    /// Adds up what belongs together and leaves out what is zero.
    pub fn collected(mut self) -> Self {
        for (i, j, _) in &mut self.quadratic {
            if i < j {
                std::mem::swap(i, j);
            }
        }
        self.linear.sort_by_key(|(i, _)| *i);
        self.linear.dedup_by(|b, a| {
            let same = a.0 == b.0;
            if same {
                a.1 += b.1;
            }
            same
        });
        self.quadratic.sort_by_key(|(i, j, _)| (*i, *j));
        self.quadratic.dedup_by(|b, a| {
            let same = (a.0, a.1) == (b.0, b.1);
            if same {
                a.2 += b.2;
            }
            same
        });
        self.cubic.iter_mut().for_each(|(i, _)| i.sort_unstable());
        self.cubic.sort_by_key(|(i, _)| *i);
        self.cubic.dedup_by(|b, a| {
            let same = a.0 == b.0;
            if same {
                a.1 += b.1;
            }
            same
        });
        self.cubic.retain(|(_, c)| *c != 0.0);
        self.linear.retain(|(_, a)| *a != 0.0);
        self.quadratic.retain(|(.., b)| *b != 0.0);
        self
    }
}
