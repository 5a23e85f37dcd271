//! What holds up systems that are driven in fewer directions than they move in: a drone hovers, and a search that begins
//! there need not find out first how it is kept from falling.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::path::Path;
use super::steps::Operator;

/// Part of the weight, as accelerations, that may be left: controls that hold up less than the rest are none to begin
/// with.
const LEFT: f64 = 0.5;

/// Degrees of freedom up to which a system is looked at as a whole.
const MOST: usize = 200;

/// Rotations of the singular value decomposition at most.
const MOST_ROTATIONS: usize = 10_000;

/// Values of the controls of a component that leave the least acceleration where it stands still at a node (Gauss's
/// principle), within their bounds; none where most of it would be left.
pub(crate) fn holding(t: &Path, bounds: &[[f64; 2]], c: usize, node: usize) -> Option<Vec<f64>> {
    let component = &t.layout.components[c];
    let (n, count) = (component.freedoms.len(), component.controls.len());
    // Joints that close loops bear weight, too.
    if count == 0 || n > MOST || !t.model.closures().is_empty() {
        return None;
    }
    let here = &t.nodes()[node];
    let null = &here.null[c];
    let weight = null.tr_mul(&Path::gather(&component.coordinates, &t.forces(node)));
    let mass = null.tr_mul(&t.operate(c, Operator::Mass, null));
    let root = Cholesky::new(mass)?;
    let falls = root.l_dirty().solve_lower_triangular(&weight)?;
    let size = falls.norm();
    if size <= 0.0 || !size.is_finite() {
        return None;
    }
    let given = |k: usize| {
        let [low, high] = bounds[t.layout.tau(0, component.controls[k])];
        low == high
    };
    let input = &here.input[c];
    let works = DMatrix::from_fn(n, count, |f, k| if given(k) { 0.0 } else { input[(k, f)] });
    let lifts = root.l_dirty().solve_lower_triangular(&works)?;
    let parts = lifts
        .clone()
        .try_svd(true, true, f64::EPSILON, MOST_ROTATIONS)?;
    let largest = parts.singular_values.max();
    let tau = parts.solve(&(-&falls), 1e-9 * largest).ok()?;
    let within = tau.iter().zip(&component.controls).map(|(value, &k)| {
        let [low, high] = bounds[t.layout.tau(0, k)];
        if low < high {
            value.clamp(low, high)
        } else {
            0.0
        }
    });
    let tau = DVector::from_iterator(count, within);
    let left = (&falls + &lifts * &tau).norm();
    (left <= LEFT * size).then(|| tau.iter().copied().collect())
}
