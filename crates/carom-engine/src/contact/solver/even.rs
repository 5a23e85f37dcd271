//! Of the many impulses that do the same, the smallest.
//!
//! Patches have more points than rigid bodies need, and joints carry what contacts could carry, too: the impulses of what
//! sticks are not unique. Which ones are found depends on the order of points, and what slides next begins with them: a
//! box between two fingers would tip to one side. Of all impulses with the same Jᵀλ = f those with the least Σ ⟨g, M⁻¹g⟩ λ²
//! are taken, λ = D J y with JᵀDJ y = f, or as much of the way to them as all cones allow.

use super::Point;
use super::newton::Newton;
use crate::contact::rows::Rows;

/// Rates of this part of the speed are none.
const STILL: f64 = 1e-9;
/// 1/ε in H = M + JᵀDJ/ε.
const STIFF: f64 = 1e7;
/// Corrections of what M leaves out.
const CORRECTIONS: usize = 4;
/// Part of f that is left at most: to stop, and to be used; the least change of impulses that is worth it.
const EXPLAINED: f64 = 1e-13;
const NEARLY_EXPLAINED: f64 = 1e-11;
const WORTH: f64 = 1e-9;
/// Halvings of the way to the edge of a cone.
const HALVINGS: usize = 20;

impl Newton {
    /// Takes the smallest impulses of the points that stick, in the rows that it was prepared for; says whether any changed.
    pub(super) fn even_out(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        speed: f64,
    ) -> bool {
        self.rho.clear();
        let sticks = |p: &Point| {
            (0..p.rows).all(|k| (rows.rate(p.first + k, nu) + p.bias[k]).abs() <= STILL * speed)
        };
        let stiffness = |p: &Point| {
            let response = p.response(rows);
            match response > 0.0 && sticks(p) {
                true => STIFF / response,
                false => 0.0,
            }
        };
        self.rho.extend(points.iter().map(stiffness));
        if self.rho.iter().filter(|r| **r > 0.0).count() < 2 {
            return false;
        }
        // H, and f of what sticks.
        let n = self.factor.freedoms.len();
        self.gradient.clear();
        self.gradient.resize(n, 0.0);
        self.factor.reset();
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let mut own = [0.0; 3];
            let mut every = [[0.0; 3]; 3];
            for k in 0..p.rows {
                own[k] = rows.lambda[p.first + k];
                every[k][k] = 1.0;
            }
            self.factor.add_push(at, p, rows, &own, &mut self.gradient);
            self.factor.add(at, &every, self.rho[at]);
        }
        let whole = largest(&self.gradient);
        if !self.factor.factorise() {
            return false;
        }
        self.held.clear();
        self.held.resize(rows.len(), 0.0);
        for _ in 0..CORRECTIONS {
            self.step.clear();
            self.step.extend_from_slice(&self.gradient);
            self.factor.solve(&mut self.step);
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] == 0.0 {
                    continue;
                }
                // λ += D J y, f −= Jᵀ D J y.
                let mut more = self.factor.rates(at, p, rows, &self.step);
                for k in 0..p.rows {
                    more[k] *= self.rho[at];
                    self.held[p.first + k] += more[k];
                }
                let taken = more.map(|x| -x);
                self.factor
                    .add_push(at, p, rows, &taken, &mut self.gradient);
            }
            if largest(&self.gradient) <= EXPLAINED * whole {
                break;
            }
        }
        let left = largest(&self.gradient);
        left <= NEARLY_EXPLAINED * whole && self.go_even(points, rows, nu)
    }

    /// Goes as far towards the impulses held as all points allow.
    fn go_even(&self, points: &[Point], rows: &mut Rows, nu: &mut [f64]) -> bool {
        let stuck = || points.iter().zip(&self.rho).filter(|(_, rho)| **rho > 0.0);
        let (mut change, mut size) = (0.0_f64, 0.0_f64);
        for (p, _) in stuck() {
            for row in p.first..p.first + p.rows {
                change = change.max((self.held[row] - rows.lambda[row]).abs());
                size = size.max(rows.lambda[row].abs());
            }
        }
        if change <= WORTH * size {
            return false;
        }
        let allowed = |part: f64| {
            stuck().all(|(p, _)| {
                let mut at = [0.0; 3];
                for k in 0..p.rows {
                    let row = p.first + k;
                    at[k] = rows.lambda[row] + part * (self.held[row] - rows.lambda[row]);
                }
                // Its law leaves what it can give as it is.
                p.coulomb(&at) == at
            })
        };
        let mut part = 1.0;
        if !allowed(part) {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                match allowed(middle) {
                    true => low = middle,
                    false => high = middle,
                }
            }
            part = low;
        }
        for (p, _) in stuck() {
            for row in p.first..p.first + p.rows {
                let change = part * (self.held[row] - rows.lambda[row]);
                rows.add(row, change, nu);
            }
        }
        part > 0.0
    }
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}
