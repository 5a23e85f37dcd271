//! A point with multipliers, and what the conditions of optimality leave there.

use super::super::nlp::{Multipliers, Nlp};

/// The smoothing of limits that planes which nothing presses on meet: next to none.
const SHARP: f64 = 1e-20;

/// Least part of a multiplier in the slope of its limit.
const LEAST: f64 = 1e-12;

/// A limit with slack s and multiplier z, s ≥ 0, z ≥ 0, s z = μ, as one equation without a kink (Fischer and Burmeister):
/// φ(s, z) = s + z − √(s² + z² + 2μ) = 0, for which neither need be positive on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limit {
    pub phi: f64,
    /// How much z falls where s grows.
    pub stiffness: f64,
    /// What z changes by where s stays.
    pub shift: f64,
}

impl Limit {
    pub fn new(s: f64, z: f64, mu: f64) -> Self {
        if !s.is_finite() {
            return Self::default();
        }
        let r = (s * s + z * z + 2.0 * mu).sqrt();
        if r == 0.0 {
            // Between the two: either may change.
            return Self {
                stiffness: 1.0,
                ..Self::default()
            };
        }
        // 1 − s/r and 1 − z/r without cancellation.
        let part = |own: f64, other: f64| match own > 0.0 {
            true => (other * other + 2.0 * mu) / (r * (r + own)),
            false => 1.0 - own / r,
        };
        let (by_s, by_z) = (part(s, z), part(z, s).max(LEAST));
        let phi = match s + z > 0.0 {
            true => 2.0 * (s * z - mu) / (s + z + r),
            false => s + z - r,
        };
        Self {
            phi,
            stiffness: by_s / by_z,
            shift: -phi / by_z,
        }
    }
}

/// Both limits of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Both(pub [Limit; 2]);

impl Both {
    /// d(z₁ − z₀) of a change of the value is this times it, and the [`shift`](Self::shift).
    pub fn stiffness(&self) -> f64 {
        self.0[0].stiffness + self.0[1].stiffness
    }

    pub fn shift(&self) -> f64 {
        self.0[1].shift - self.0[0].shift
    }

    /// What the multiplier of a side changes by where the value changes.
    pub fn change(&self, side: usize, value: f64) -> f64 {
        let own = &self.0[side];
        match side {
            0 => own.shift - own.stiffness * value,
            _ => own.shift + own.stiffness * value,
        }
    }
}

/// What never changes along the way.
pub(super) struct Frame {
    pub bounds: Vec<[f64; 2]>,
    pub ranges: Vec<[f64; 2]>,
    /// The leaf that a row meets.
    leaf_of: Vec<Option<usize>>,
    leaves: usize,
}

impl Frame {
    pub fn new(program: &dyn Nlp) -> Self {
        let (bounds, ranges) = (program.bounds(), program.ranges());
        let leaves = program.leaves();
        let mut home = vec![None; bounds.len()];
        for (l, leaf) in leaves.iter().enumerate() {
            leaf.unknowns.iter().for_each(|&k| home[k] = Some(l));
        }
        let mut leaf_of = vec![None; ranges.len()];
        let pattern = program.jacobian_pattern();
        for (&r, &c) in pattern.rows.iter().zip(&pattern.columns) {
            leaf_of[r] = leaf_of[r].or(home[c]);
        }
        Self {
            bounds,
            ranges,
            leaf_of,
            leaves: leaves.len(),
        }
    }

    pub fn is_free(&self, unknown: usize) -> bool {
        self.bounds[unknown][0] < self.bounds[unknown][1]
    }

    pub fn is_equality(&self, row: usize) -> bool {
        self.ranges[row][0] == self.ranges[row][1]
    }
}

fn slacks(value: f64, [low, high]: [f64; 2]) -> [f64; 2] {
    [value - low, high - value]
}

/// What the conditions of optimality leave: the largest of each kind, and the size of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Residual {
    pub slope: f64,
    pub equalities: f64,
    pub limits: f64,
    pub size: f64,
}

impl Residual {
    pub fn largest(&self) -> f64 {
        self.slope.max(self.equalities).max(self.limits)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Point {
    pub x: Vec<f64>,
    /// Multipliers of rows.
    pub lambda: Vec<f64>,
    /// Those of the limits of rows (their difference is λ), and of the bounds.
    pub z: [Vec<f64>; 2],
    pub w: [Vec<f64>; 2],
    pub values: Vec<f64>,
    pub jacobian: Vec<f64>,
    /// Gradient of the Lagrangian.
    pub slope: Vec<f64>,
}

impl Point {
    /// The start, with the multipliers of limits that belong to a barrier parameter.
    pub fn start(program: &mut dyn Nlp, frame: &Frame, warm: &Multipliers, mu: f64) -> Self {
        let x = program.start();
        let rows = frame.ranges.len();
        let mut out = Self {
            lambda: warm.rows.clone(),
            z: [(); 2].map(|()| vec![0.0; rows]),
            w: [0, 1].map(|side| {
                let mut own: Vec<f64> = warm.bounds[side].clone();
                own.resize(x.len(), 0.0);
                own
            }),
            values: vec![0.0; rows],
            jacobian: vec![0.0; program.jacobian_pattern().rows.len()],
            slope: vec![0.0; x.len()],
            x,
        };
        program.values(&out.x, &mut out.values);
        for r in (0..rows).filter(|&r| !frame.is_equality(r)) {
            let s = slacks(out.values[r], frame.ranges[r]);
            let signed = [-out.lambda[r], out.lambda[r]];
            for side in 0..2 {
                // What does not press has what the barrier leaves.
                let rest = mu / s[side].max(mu.sqrt());
                out.z[side][r] = signed[side].max(rest);
            }
            out.lambda[r] = out.z[1][r] - out.z[0][r];
        }
        out.evaluate(program);
        out
    }

    /// Values and derivatives at x.
    pub fn evaluate(&mut self, program: &mut dyn Nlp) {
        program.values(&self.x, &mut self.values);
        program.gradient(&self.x, &mut self.slope);
        program.jacobian(&self.x, &mut self.jacobian);
        let pattern = program.jacobian_pattern();
        for ((&r, &c), v) in pattern
            .rows
            .iter()
            .zip(&pattern.columns)
            .zip(&self.jacobian)
        {
            self.slope[c] += v * self.lambda[r];
        }
        for (k, slope) in self.slope.iter_mut().enumerate() {
            *slope += self.w[1][k] - self.w[0][k];
        }
    }

    /// The smoothing of the limits of each row. What a plane that nothing presses on meets lets go at once: the plane stays
    /// where it is, while a barrier would lead it to the middle, wherever that is.
    pub fn smoothing(&self, frame: &Frame, mu: f64) -> Vec<f64> {
        // Where slack and multiplier are alike.
        let presses = mu.sqrt();
        let mut most = vec![0.0_f64; frame.leaves];
        for (r, leaf) in frame.leaf_of.iter().enumerate() {
            if let Some(l) = *leaf {
                let own = self.z[0][r].abs().max(self.z[1][r].abs());
                most[l] = most[l].max(own);
            }
        }
        let own = |leaf: &Option<usize>| match leaf {
            Some(l) if most[*l] <= presses => SHARP,
            _ => mu,
        };
        frame.leaf_of.iter().map(own).collect()
    }

    /// The limits of an unknown.
    pub fn bound(&self, frame: &Frame, k: usize, mu: f64) -> Both {
        let s = slacks(self.x[k], frame.bounds[k]);
        Both([0, 1].map(|side| Limit::new(s[side], self.w[side][k], mu)))
    }

    /// The limits of a row.
    pub fn range(&self, frame: &Frame, r: usize, mu: f64) -> Both {
        let s = slacks(self.values[r], frame.ranges[r]);
        Both([0, 1].map(|side| Limit::new(s[side], self.z[side][r], mu)))
    }

    pub fn residual(&self, frame: &Frame, mu: f64, smoothing: &[f64]) -> Residual {
        let mut out = Residual::default();
        let mut sum = 0.0;
        for k in (0..self.x.len()).filter(|&k| frame.is_free(k)) {
            out.slope = out.slope.max(self.slope[k].abs());
            sum += self.slope[k] * self.slope[k];
            for limit in self.bound(frame, k, mu).0 {
                out.limits = out.limits.max(limit.phi.abs());
                sum += limit.phi * limit.phi;
            }
        }
        for (r, &mu) in smoothing.iter().enumerate() {
            if frame.is_equality(r) {
                let off = self.values[r] - frame.ranges[r][0];
                out.equalities = out.equalities.max(off.abs());
                sum += off * off;
                continue;
            }
            for limit in self.range(frame, r, mu).0 {
                out.limits = out.limits.max(limit.phi.abs());
                sum += limit.phi * limit.phi;
            }
        }
        out.size = sum.sqrt();
        if !out.size.is_finite() {
            out.size = f64::INFINITY;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_and_its_slopes() {
        let mu = 1e-8;
        // Nothing is left where s z = μ, whichever of them is small.
        for s in [1e-6, 1e-4, 1.0] {
            assert!(Limit::new(s, mu / s, mu).phi.abs() < 1e-15, "{s}");
        }
        // Newton's steps of z alone lead there from either side, in a few steps.
        for z in [-2.0, 0.0, 3.0] {
            let solved = (0..40).fold(z, |z, _| z + Limit::new(0.5, z, mu).shift);
            assert!((solved - mu / 0.5).abs() < 1e-12, "{z}: {solved}");
        }
        // The stiffness is what z falls by where s grows and φ stays.
        let (s, z, e) = (0.3, -0.2, 1e-6);
        let phi = |s: f64, z: f64| Limit::new(s, z, mu).phi;
        let by_s = (phi(s + e, z) - phi(s - e, z)) / (2.0 * e);
        let by_z = (phi(s, z + e) - phi(s, z - e)) / (2.0 * e);
        let stiffness = Limit::new(s, z, mu).stiffness;
        assert!((stiffness - by_s / by_z).abs() < 1e-8);
        // What is not limited has no limit.
        assert_eq!(Limit::new(f64::INFINITY, 0.0, mu).stiffness, 0.0);
    }
}
