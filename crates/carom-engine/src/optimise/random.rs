//! Seeded numbers, the same on every machine: for guesses and probes, not for statistics.

/// Numbers in [−1, 1] of the search with a number.
pub(super) fn seeded(search: u64) -> impl FnMut() -> f64 {
    random(search.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Numbers in [−1, 1] from a seed that is not zero (Marsaglia 2003, xorshift).
pub(super) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
