//! How far apart are two bodies, and where would they touch?
//!
//! `cargo run --release --example gap`

use carom::gap::gap_of_points;
use carom::nalgebra::Vector3;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = |x: f64, z: f64| {
        let corner = |k: usize| {
            let bit = |n: usize| (k >> n & 1) as f64;
            Vector3::new(x + bit(0), bit(1), z + bit(2))
        };
        (0..8).map(corner).collect::<Vec<_>>()
    };
    for z in [1.5, 1.0, 0.9] {
        let contact = gap_of_points(&cube(0.25, z), &cube(0.0, 0.0), false, Some(Vector3::z()))?;
        println!(
            "lifted to {z}: gap {:+.3} m, at {:?}",
            contact.gap,
            contact.point_b.as_slice()
        );
    }
    Ok(())
}
