//! A gap query allocates nothing, cold or warm.

mod common;
mod counting;

use carom_gap::Vertices;
use carom_gap::gap::{HalfSpace, Posed, centre_direction, gap};
use common::*;
use counting::allocations;
use nalgebra::Vector3;

#[test]
fn queries_do_not_allocate() {
    let mut rng = rng(51);
    let v = Vertices::new(&prism(8));
    let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    let poses: Vec<_> = (0..1000)
        .map(|_| pose(in_box(&mut rng, 1.0), &rotation(&mut rng)))
        .collect();
    let before = allocations();
    let mut warm = None;
    let mut sum = 0.0;
    for pair in poses.windows(2) {
        let beta = centre_direction(&pair[0].position, &pair[1].position, false);
        let (a, b) = (Posed::new(&v, &pair[0]), Posed::new(&v, &pair[1]));
        sum += gap(a, b, beta, &mut None).contact.gap;
        sum += gap(a, b, beta, &mut warm).contact.gap;
        sum += floor.gap(a, 0).contact.gap;
    }
    assert_eq!(allocations(), before);
    assert!(sum.is_finite());
}
