//! Seeded random numbers.
//!
//! The generator (SplitMix64) is written out here so that a file means the same numbers for ever,
//! whatever libraries do. Each field of each member of a group draws from its own stream, hence
//! adding a member or a field changes no other number.

/// A stream of random numbers.
pub struct Stream(u64);

impl Stream {
    /// The stream of a seed, a member and a field.
    pub fn new(seed: u64, member: u64, field: &str) -> Self {
        let mut stream = Self(seed);
        let mut mix = |word: u64| {
            stream.0 ^= word;
            stream.0 = stream.bits();
        };
        mix(member.wrapping_add(1));
        field.bytes().for_each(|byte| mix(u64::from(byte)));
        stream
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the unit ball (three dimensions) or disc (two).
    pub fn ball(&mut self, dimension: usize) -> [f64; 3] {
        loop {
            let mut point = [0.0; 3];
            point[..dimension].fill_with(|| self.between(-1.0, 1.0));
            if point.iter().map(|x| x * x).sum::<f64>() <= 1.0 {
                return point;
            }
        }
    }

    /// Normally distributed with deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// The number below which a normally distributed one of deviation 1 is with probability p.
///
/// Acklam's rational approximation (relative error below 1.2e-9), ends cut at the smallest double.
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.38357751867269e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 6] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 5] = [
        7.784695709041462e-3,
        3.224671290700398e-1,
        2.445134137142996,
        3.754408661907416,
        1.0,
    ];
    let horner = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, c| sum * x + c);
    let p = p.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
    let tail = |p: f64| {
        let r = (-2.0 * p.ln()).sqrt();
        horner(&C, r) / horner(&D, r)
    };
    match p {
        p if p < 0.02425 => tail(p),
        p if p > 1.0 - 0.02425 => -tail(1.0 - p),
        p => {
            let q = p - 0.5;
            q * horner(&A, q * q) / horner(&B, q * q)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    #[test]
    fn quantiles_are_those_of_tables() {
        let known = [
            (0.5, 0.0),
            (0.975, 1.959963985),
            (0.01, -2.326347874),
            (1e-6, -4.753424309),
        ];
        for (p, x) in known {
            assert!((normal_quantile(p) - x).abs() < 1e-8, "{p}");
        }
        assert!(normal_quantile(0.0).is_finite() && normal_quantile(1.0).is_finite());
    }
}
