//! The solver on hostile points: no panic, no endless loop, and what it returns is sound.
#![no_main]

use carom_gap::gap::{Status, gap_of_points};
use libfuzzer_sys::fuzz_target;
use nalgebra::Vector3;

/// Numbers that break careless code, mixed with a coarse grid that makes degenerate contacts
/// likely.
fn number(byte: u8) -> f64 {
    const HOSTILE: [f64; 12] = [
        0.0,
        -0.0,
        1e-300,
        -1e-300,
        1e300,
        -1e300,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::EPSILON,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    match byte {
        0..=239 => (f64::from(byte) - 120.0) / 8.0,
        _ => HOSTILE[usize::from(byte - 240) % HOSTILE.len()],
    }
}

fn points(bytes: &[u8], planar: bool) -> Vec<Vector3<f64>> {
    bytes
        .chunks_exact(if planar { 2 } else { 3 })
        .map(|c| {
            let z = c.get(2).map_or(0.0, |byte| number(*byte));
            Vector3::new(number(c[0]), number(c[1]), z)
        })
        .collect()
}

// Header: flags, then how many bytes belong to the first body, then a direction.
fuzz_target!(|bytes: &[u8]| {
    let [flags, split, bx, by, bz, rest @ ..] = bytes else {
        return;
    };
    let planar = flags & 1 == 1;
    let beta = (flags & 2 == 2).then(|| {
        let z = if planar { 0.0 } else { number(*bz) };
        Vector3::new(number(*bx), number(*by), z)
    });
    let (a, b) = rest.split_at(usize::from(*split).min(rest.len()));
    let (a, b) = (points(a, planar), points(b, planar));

    let Ok(result) = gap_of_points(&a, &b, planar, beta) else {
        return;
    };
    assert!(!result.distance.is_nan());
    if result.status == Status::Bounded {
        assert!(!result.gap.is_nan());
        for weights in [&result.weights_a, &result.weights_b] {
            assert!(weights.iter().all(|w| *w >= 0.0));
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
});
