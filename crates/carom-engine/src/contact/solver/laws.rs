//! What the law of a point makes of y = λ − ρ w: Coulomb's own, and the projection on the set of
//! impulses, with derivatives.

use super::{Grip, Point};

impl Point {
    /// What Coulomb's law makes of y = λ − ρ w: the normal part is cut at zero, the part across is
    /// shortened to μ times it.
    #[inline]
    pub(super) fn coulomb(&self, y: &[f64; 3]) -> [f64; 3] {
        match self.grip {
            Grip::Cone { friction } => {
                let normal = y[0].max(0.0);
                let mut out = [normal, 0.0, 0.0];
                if self.rows == 3 {
                    let cut = shorten([y[1], y[2]], friction * normal);
                    (out[1], out[2]) = (cut[0], cut[1]);
                }
                out
            }
            Grip::Disc { limit } => {
                let cut = shorten([y[0], y[1]], limit);
                [cut[0], cut[1], 0.0]
            }
            Grip::Held => *y,
            Grip::Resists { limit } => [y[0].clamp(-limit, limit), 0.0, 0.0],
        }
    }

    /// The same with its derivative.
    pub(super) fn coulomb_slope(&self, y: &[f64; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
        let to = self.coulomb(y);
        let mut slope = [[0.0; 3]; 3];
        // The part across, shortened to a limit: its derivative by itself.
        let mut across = |first: usize, limit: f64| {
            let length = length(y[first], y[first + 1]);
            let slides = length > limit;
            for k in 0..2 {
                for l in 0..2 {
                    let same = f64::from(u8::from(k == l));
                    slope[first + k][first + l] = if slides {
                        let (u, v) = (y[first + k] / length, y[first + l] / length);
                        limit / length * (same - u * v)
                    } else {
                        same
                    };
                }
            }
            slides
        };
        match self.grip {
            Grip::Cone { friction } => {
                let pushes = y[0] > 0.0;
                if self.rows == 3 && pushes && across(1, friction * y[0]) {
                    // The limit moves with the normal.
                    let length = length(y[1], y[2]);
                    slope[1][0] = friction * y[1] / length;
                    slope[2][0] = friction * y[2] / length;
                }
                slope[0][0] = f64::from(u8::from(pushes));
            }
            Grip::Disc { limit } => {
                across(0, limit);
            }
            Grip::Held => (0..self.rows).for_each(|k| slope[k][k] = 1.0),
            Grip::Resists { limit } => slope[0][0] = f64::from(u8::from(y[0].abs() < limit)),
        }
        (to, slope)
    }
}

/// The projection on the set of impulses of a point, and its derivative where that is not zero.
#[inline]
pub(super) fn project(p: &Point, y: &[f64; 3]) -> ([f64; 3], Option<[[f64; 3]; 3]>) {
    let mut slope = [[0.0; 3]; 3];
    match p.grip {
        Grip::Held => {
            (0..p.rows).for_each(|k| slope[k][k] = 1.0);
            (*y, Some(slope))
        }
        Grip::Resists { limit } => {
            slope[0][0] = 1.0;
            let inside = y[0].abs() < limit;
            (
                [y[0].clamp(-limit, limit), 0.0, 0.0],
                inside.then_some(slope),
            )
        }
        Grip::Cone { friction } if p.rows == 3 => cone(friction, y),
        Grip::Cone { .. } => {
            slope[0][0] = 1.0;
            ([y[0].max(0.0), 0.0, 0.0], (y[0] > 0.0).then_some(slope))
        }
        Grip::Disc { limit } => {
            let length = length(y[0], y[1]);
            if length <= limit {
                (slope[0][0], slope[1][1]) = (1.0, 1.0);
                return ([y[0], y[1], 0.0], Some(slope));
            }
            let part = limit / length;
            let u = [y[0] / length, y[1] / length];
            for k in 0..2 {
                for l in 0..2 {
                    slope[k][l] = part * (f64::from(u8::from(k == l)) - u[k] * u[l]);
                }
            }
            ([y[0] * part, y[1] * part, 0.0], Some(slope))
        }
    }
}

/// The projection alone.
#[inline]
pub(super) fn projected(p: &Point, y: &[f64; 3]) -> [f64; 3] {
    match p.grip {
        Grip::Cone { friction } if p.rows == 3 => {
            let length = length(y[1], y[2]);
            if length <= friction * y[0] {
                return *y;
            }
            if friction * length <= -y[0] {
                return [0.0; 3];
            }
            let normal = (y[0] + friction * length) / (1.0 + friction * friction);
            let part = friction * normal / length;
            [normal, part * y[1], part * y[2]]
        }
        // Coulomb's law is the projection where no limit moves with the normal.
        _ => p.coulomb(y),
    }
}

/// The projection on the cone |t| ≤ μ n.
#[inline]
fn cone(friction: f64, y: &[f64; 3]) -> ([f64; 3], Option<[[f64; 3]; 3]>) {
    let mut slope = [[0.0; 3]; 3];
    let length = length(y[1], y[2]);
    if length <= friction * y[0] {
        (0..3).for_each(|k| slope[k][k] = 1.0);
        return (*y, Some(slope));
    }
    if friction * length <= -y[0] {
        return ([0.0; 3], None);
    }
    // On the mantle: n = (y_n + μ|y_t|)/(1 + μ²), t = μ n y_t/|y_t|.
    let inverse = 1.0 / (1.0 + friction * friction);
    let normal = (y[0] + friction * length) * inverse;
    let u = [y[1] / length, y[2] / length];
    let ratio = friction * normal / length;
    slope[0][0] = inverse;
    for k in 0..2 {
        slope[0][1 + k] = friction * u[k] * inverse;
        slope[1 + k][0] = slope[0][1 + k];
        for l in 0..2 {
            let along = friction * friction * u[k] * u[l] * inverse;
            let across = ratio * (f64::from(u8::from(k == l)) - u[k] * u[l]);
            slope[1 + k][1 + l] = along + across;
        }
    }
    let across = friction * normal;
    ([normal, across * u[0], across * u[1]], Some(slope))
}

/// The length of a vector across a normal; far from where its square over- or underflows.
#[inline]
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// A vector shortened to a length.
#[inline]
pub(super) fn shorten(v: [f64; 2], limit: f64) -> [f64; 2] {
    let length = length(v[0], v[1]);
    if length <= limit {
        v
    } else {
        let part = limit / length;
        [v[0] * part, v[1] * part]
    }
}
