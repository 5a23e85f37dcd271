//! The direction β of a query: unit, from body b to body a.

use nalgebra::Vector3;

/// Where two centres coincide, the direction is e_z (e_y in the plane): any direction is as good,
/// and this one is at least the same for everybody.
fn fallback(planar: bool) -> Vector3<f64> {
    if planar { Vector3::y() } else { Vector3::z() }
}

/// β from centre to centre, `(a − b)/|a − b|` (thesis 3.3.3); e_z (in the plane: e_y) where they
/// coincide.
///
/// ```
/// use carom_gap::gap::centre_direction;
/// use nalgebra::Vector3;
/// let beta = centre_direction(&Vector3::new(0.0, 2.0, 0.0), &Vector3::zeros(), false);
/// assert_eq!(beta, Vector3::y());
/// ```
#[inline]
pub fn centre_direction(a: &Vector3<f64>, b: &Vector3<f64>, planar: bool) -> Vector3<f64> {
    let d = a - b;
    let length = d.norm();
    if length > f64::MIN_POSITIVE && length.is_finite() {
        d / length
    } else {
        // Too small or too large to square: scale first.
        let scale = d.amax();
        if scale > 0.0 && scale.is_finite() {
            (d / scale).normalize()
        } else {
            fallback(planar)
        }
    }
}

/// β from vertex mean to vertex mean (thesis (2.69)), for bare point sets in one frame.
pub fn mean_direction(a: &[Vector3<f64>], b: &[Vector3<f64>], planar: bool) -> Vector3<f64> {
    let mean = |p: &[Vector3<f64>]| p.iter().sum::<Vector3<f64>>() / p.len() as f64;
    centre_direction(&mean(a), &mean(b), planar)
}
