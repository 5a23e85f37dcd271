//! Of several motions that Coulomb's law allows, rest.
//!
//! Where friction could hold what stands still, its law may allow that parts begin to move as well: a pile of logs
//! stays, or rolls apart. Without any shift of the normal rates the problem is the minimum of a strictly convex function
//! of the velocities; if impulses within the cones can keep all points still, that is its minimum, and a solution of
//! Coulomb's law, too.

use super::newton::{ENOUGH, Newton};
use super::{Aim, Grip, Point, ROUND_OFF};
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;

/// Rounds of multipliers.
const MOST_ROUNDS: u32 = 12;
/// ρ in units of 1/⟨g, M⁻¹g⟩: at first, its growth from round to round, at most.
const FIRST_STIFFNESS: f64 = 1e3;
const STIFFER: f64 = 30.0;
const MOST_STIFFNESS: f64 = 1e6;
/// Rates up to this part of the size of all rates are none.
const STILL: f64 = 1e-5;

/// Whether points that could rub move: they slide, or part no faster than what begins at rest can. Those that part faster
/// were not closed.
pub(super) fn moves(points: &[Point], rows: &Rows, nu: &[f64], speed: f64) -> bool {
    points.iter().any(|p| {
        let rubs = p.rows == 3 && matches!(p.grip, Grip::Cone { friction } if friction > 0.0);
        let (_, [up, across @ ..]) = p.values(rows, nu);
        let slides = across.iter().any(|w| w.abs() > STILL * speed);
        rubs && up <= speed && (slides || up.abs() > STILL * speed)
    })
}

impl Newton {
    /// Goes from no impulses to those that keep all points still, if there are any; `residual` judges.
    pub(super) fn stay(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        self.without_shift();
        let mut stiffness = FIRST_STIFFNESS;
        let mut left = residual(rows, nu);
        let mut rounds = 0;
        // To the last digit, whatever the problem is solved to: what stands must not creep.
        let enough = aim.enough.min(ROUND_OFF);
        while rounds < MOST_ROUNDS && left > enough {
            rounds += 1;
            self.begin(points, rows, nu, stiffness, 0.0);
            let (_, minimal) = self.minimise(points, rows, ENOUGH);
            self.end(points, rows, nu);
            let new = residual(rows, nu);
            // Something moves whatever is pressed.
            let stalls = rounds > 2 && new > 0.5 * left;
            left = new;
            if !minimal || stalls {
                break;
            }
            stiffness = (stiffness * STIFFER).min(MOST_STIFFNESS);
        }
        Outcome {
            rounds,
            residual: left,
            converged: left <= aim.good,
        }
    }
}
