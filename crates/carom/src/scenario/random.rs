//! Seeded random numbers.
//!
//! The generator (SplitMix64) is written out here so that a file means the same numbers for ever,
//! whatever libraries do. Each field of each member of a group draws from its own stream, hence
//! adding a member or a field changes no other number.

/// A stream of random numbers.
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of a seed, a member and a field.
    pub fn new(seed: u64, member: u64, field: &str) -> Self {
        let mut stream = Self(seed);
        let mut mix = |word: u64| {
            stream.0 ^= word;
            stream.0 = stream.next();
        };
        mix(member.wrapping_add(1));
        field.bytes().for_each(|byte| mix(u64::from(byte)));
        stream
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
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
