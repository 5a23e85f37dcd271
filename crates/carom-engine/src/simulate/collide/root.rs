//! Roots of one number.

use crate::simulate::SimulateError;

/// Part of |f| that a step that gets on leaves at most.
const CLOSER: f64 = 0.5;
/// So many steps in turn that do not get on.
const MOST_IDLE: u32 = 3;

/// A root between a and b, where f has the values fa and fb of different signs, by the Illinois
/// method: regula falsi that cannot stall. Ends where |f| ≤ `flat` or the bracket is below `narrow`, or where steps
/// below `blurred` bring f no nearer to zero: what is left is round-off of f.
pub fn root(
    [mut a, mut fa]: [f64; 2],
    [mut b, mut fb]: [f64; 2],
    flat: f64,
    narrow: impl Fn(f64) -> f64,
    blurred: f64,
    mut f: impl FnMut(f64) -> Result<f64, SimulateError>,
) -> Result<f64, SimulateError> {
    let mut least = (b, fb.abs());
    let mut idle = 0;
    for _ in 0..100 {
        if fb.abs() <= flat || (b - a).abs() <= narrow(b) {
            break;
        }
        let c = b - fb * (b - a) / (fb - fa);
        let inside = c > a.min(b) && c < a.max(b);
        let c = if inside { c } else { 0.5 * (a + b) };
        let fc = f(c)?;
        if fc.abs() <= CLOSER * least.1 {
            idle = 0;
        } else if (c - b).abs() <= blurred {
            idle += 1;
        }
        if fc.abs() < least.1 {
            least = (c, fc.abs());
        }
        if idle == MOST_IDLE {
            return Ok(least.0);
        }
        if (fc > 0.0) != (fb > 0.0) {
            (a, fa) = (b, fb);
        } else {
            fa *= 0.5;
        }
        (b, fb) = (c, fc);
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What round-off makes of a line ends the search, near its root.
    #[test]
    fn round_off_ends_the_search() {
        let mut looks = 0;
        let line = |x: f64| {
            looks += 1;
            let noise = if looks % 2 == 0 { 1e-7 } else { -1.3e-7 };
            Ok(x * x - 0.09 + noise)
        };
        let found = root([0.0, -0.09], [1.0, 0.91], 1e-13, |_| 1e-13, 1e-4, line);
        assert!((found.unwrap() - 0.3).abs() < 1e-6);
        assert!(looks < 20, "{looks}");
    }
}
