//! How deep boxes overlap, by the separating axes of boxes: faces of both and products of edges. The
//! least overlap along one of these fifteen directions is the depth of penetration.

use nalgebra::{Matrix3, Vector3};

/// Where a box is.
pub struct Placed {
    center: Vector3<f64>,
    /// Its axes, as columns.
    axes: Matrix3<f64>,
}

impl Placed {
    pub fn new(center: Vector3<f64>, axes: Matrix3<f64>) -> Self {
        Self { center, axes }
    }

    /// Half its width along a unit vector.
    fn half_width(&self, half: &Vector3<f64>, n: &Vector3<f64>) -> f64 {
        self.axes.tr_mul(n).abs().dot(half)
    }
}

/// The deepest overlap of two equal boxes, or of a box and the floor z = 0.
pub fn deepest(boxes: &[Placed], half: &Vector3<f64>) -> f64 {
    let floor = boxes
        .iter()
        .map(|b| b.half_width(half, &Vector3::z()) - b.center.z);
    let mut deepest = floor.fold(0.0, f64::max);
    for (k, a) in boxes.iter().enumerate() {
        for b in &boxes[k + 1..] {
            if (a.center - b.center).norm() < 2.0 * half.norm() {
                deepest = f64::max(deepest, overlap(a, b, half));
            }
        }
    }
    deepest
}

/// Depth of penetration; zero or less if they are apart.
fn overlap(a: &Placed, b: &Placed, half: &Vector3<f64>) -> f64 {
    let between = b.center - a.center;
    let along =
        |n: &Vector3<f64>| a.half_width(half, n) + b.half_width(half, n) - between.dot(n).abs();
    let mut least = f64::INFINITY;
    for i in 0..3 {
        let (u, v): (Vector3<f64>, Vector3<f64>) =
            (a.axes.column(i).into(), b.axes.column(i).into());
        least = least.min(along(&u)).min(along(&v));
        for j in 0..3 {
            let n = u.cross(&b.axes.column(j));
            // Parallel edges have no axis of their own.
            if let Some(n) = n.try_normalize(1e-9) {
                least = least.min(along(&n));
            }
        }
    }
    least
}
