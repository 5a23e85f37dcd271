//! Roots of one number.

use crate::simulate::SimulateError;

/// A root between a and b, where f has the values fa and fb of different signs, by the Illinois
/// method: regula falsi that cannot stall. Ends where |f| ≤ `flat` or the bracket is below `narrow`.
pub fn root(
    [mut a, mut fa]: [f64; 2],
    [mut b, mut fb]: [f64; 2],
    flat: f64,
    narrow: impl Fn(f64) -> f64,
    mut f: impl FnMut(f64) -> Result<f64, SimulateError>,
) -> Result<f64, SimulateError> {
    for _ in 0..100 {
        if fb.abs() <= flat || (b - a).abs() <= narrow(b) {
            break;
        }
        let c = b - fb * (b - a) / (fb - fa);
        let inside = c > a.min(b) && c < a.max(b);
        let c = if inside { c } else { 0.5 * (a + b) };
        let fc = f(c)?;
        if (fc > 0.0) != (fb > 0.0) {
            (a, fa) = (b, fb);
        } else {
            fa *= 0.5;
        }
        (b, fb) = (c, fc);
    }
    Ok(b)
}
