//! Velocities that are given at an end for some of the bodies that joints connect: rows on the rates of all of
//! their joints there.

use std::sync::Arc;

use nalgebra::{DVector, Vector3};

use super::draft::Draft;
use super::error::OptimiseError;
use super::poly::Poly;
use super::problem::Motion;
use super::push::Push;
use super::random::random;
use super::rows::jump::JumpRow;

/// How far a node and its rates are moved to see which rows follow from others.
const ASIDE: f64 = 1e-2;

/// Adds the rows of a motion at a node, on the rates of a side there, but for those that follow from others.
pub(crate) fn hang(
    out: &mut Draft,
    (node, side): (usize, usize),
    motion: &Motion,
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let body = motion.bodies[0];
    let name = &model.body(body).name;
    let directors = out.path.layout.starts[body.index()] + 3;
    let mut rows = Vec::new();
    for (k, &range) in motion.twist.iter().enumerate() {
        if range[0] == f64::NEG_INFINITY && range[1] == f64::INFINITY {
            continue;
        }
        let axis = ["x", "y", "z"][k % 3];
        let (what, push) = match k < 3 {
            true => (
                format!("velocity of {name} along {axis}"),
                Push::from(Poly::coordinate(&model, body, k)),
            ),
            false if model.is_particle(body) => continue,
            false => (
                format!("angular velocity of {name} about {axis}"),
                Push::Torque {
                    directors,
                    axis: Vector3::ith(k - 3, 1.0),
                },
            ),
        };
        rows.push(JumpRow {
            node,
            what,
            push,
            sides: vec![(side, 1.0)],
            products: Vec::new(),
            range,
        });
    }
    let kept = independent(out, rows)?;
    out.jumps.rows.extend(kept);
    Ok(())
}

/// The rows that do not follow from those before them at the node, the present ones included.
fn independent(out: &mut Draft, rows: Vec<JumpRow>) -> Result<Vec<JumpRow>, OptimiseError> {
    let (Some(node), mut moved) = (rows.first().map(|r| r.node), out.x.clone()) else {
        return Ok(rows);
    };
    let n = out.path.layout.n;
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    let rates: Vec<f64> = (0..n).map(|_| random()).collect();
    let free = |out: &Draft, f: usize| {
        let [low, high] = out.bounds[out.path.layout.u(node, f)];
        low < high
    };
    for f in (0..n).filter(|&f| free(out, f)) {
        moved[out.path.layout.u(node, f)] += ASIDE * random();
    }
    let gradient = |out: &Draft, row: &JumpRow| {
        let [by_u, by_rates] = row.slope(&out.path, &rates);
        let held = |(f, v): (usize, f64)| if free(out, f) { v } else { 0.0 };
        let by_u = by_u.into_iter().enumerate().map(held);
        DVector::from_iterator(2 * n, by_u.chain(by_rates))
    };
    let present = |out: &Draft| -> Vec<JumpRow> {
        let own = out.jumps.rows.iter().filter(|r| r.node == node);
        own.cloned().collect()
    };
    out.path.refresh(&moved, true);
    let mut basis = Basis::default();
    for row in present(out) {
        basis.add(gradient(out, &row), row.range);
    }
    let refused = |row: &JumpRow, why: &str| {
        let what = format!("the {} is asked for, which {why}", row.what);
        OptimiseError::Contradiction { what }
    };
    let (mut kept, mut following) = (Vec::new(), Vec::new());
    for row in rows {
        let g = gradient(out, &row);
        let still = g.norm() <= 1e-9;
        if still && !(row.range[0] <= 1e-9 && row.range[1] >= -1e-9) {
            return Err(refused(&row, "its joints do not allow"));
        }
        // A range may hold where another row is met; equations that follow from others would be too many.
        let equation = row.range[0] == row.range[1];
        match still {
            true => {}
            false if !equation || basis.add(g, row.range) => kept.push(row),
            false => following.push(row),
        }
    }
    // What follows from others must ask for the same: where the node is, unless it is found.
    let x = out.x.clone();
    out.path.refresh(&x, true);
    let mut basis = Basis::default();
    for row in present(out).iter().chain(&kept) {
        basis.add(gradient(out, row), row.range);
    }
    for row in &following {
        if basis.contradicts(gradient(out, row), row.range) {
            return Err(refused(row, "the other velocities there do not allow"));
        }
    }
    out.path.refresh(&x, false);
    Ok(kept)
}

/// Directions of velocities of which something is asked, and what: not a number where that is a range.
#[derive(Default)]
struct Basis {
    directions: Vec<(DVector<f64>, f64)>,
}

impl Basis {
    /// What is left of a gradient, and of what is asked along it.
    fn beyond(&self, mut g: DVector<f64>, range: [f64; 2]) -> (DVector<f64>, f64) {
        let size = g.norm();
        let mut asked = if range[0] == range[1] {
            range[0]
        } else {
            f64::NAN
        };
        for (e, along) in &self.directions {
            let share = e.dot(&g);
            g.axpy(-share, e, 1.0);
            if share.abs() > 1e-9 * size {
                asked -= share * along;
            }
        }
        (g, asked)
    }

    /// Adds a gradient if it is none of those before.
    fn add(&mut self, g: DVector<f64>, range: [f64; 2]) -> bool {
        let size = g.norm();
        let (g, asked) = self.beyond(g, range);
        let left = g.norm();
        let own = left > 1e-7 * size.max(1e-9);
        if own {
            self.directions.push((g / left, asked / left));
        }
        own
    }

    /// Whether something else is asked than follows from those before.
    fn contradicts(&self, g: DVector<f64>, range: [f64; 2]) -> bool {
        let size = g.norm();
        let (g, asked) = self.beyond(g, range);
        g.norm() <= 1e-7 * size && asked.abs() > 1e-6 * (range[0].abs() + size)
    }
}
