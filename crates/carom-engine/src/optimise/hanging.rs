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

/// What an equation is beside those before it.
enum Standing {
    New,
    Follows,
    Contradicts,
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
    out.path.refresh(&moved, true);
    let gradient = |row: &JumpRow| {
        let [by_u, by_rates] = row.slope(&out.path, &rates);
        let held = |(f, v): (usize, f64)| if free(out, f) { v } else { 0.0 };
        let by_u = by_u.into_iter().enumerate().map(held);
        DVector::from_iterator(2 * n, by_u.chain(by_rates))
    };
    // What is asked along each direction of a basis; not a number where that is a range.
    let mut basis: Vec<(DVector<f64>, f64)> = Vec::new();
    let mut add = |mut g: DVector<f64>, range: [f64; 2]| {
        let size = g.norm();
        let mut asked = match range[0] == range[1] {
            true => range[0],
            false => f64::NAN,
        };
        for (e, along) in &basis {
            let share = e.dot(&g);
            g.axpy(-share, e, 1.0);
            if share.abs() > 1e-9 * size {
                asked -= share * along;
            }
        }
        let left = g.norm();
        if left > 1e-7 * size.max(1e-9) {
            basis.push((g / left, asked / left));
            return Standing::New;
        }
        let room = 1e-6 * (range[0].abs() + size);
        match asked.abs() > room {
            true => Standing::Contradicts,
            false => Standing::Follows,
        }
    };
    for row in out.jumps.rows.iter().filter(|r| r.node == node) {
        add(gradient(row), row.range);
    }
    let mut kept = Vec::new();
    for row in rows {
        let g = gradient(&row);
        let still = g.norm() <= 1e-9;
        let refused = |why: &str| {
            let what = format!("the {} is asked for, which {why}", row.what);
            OptimiseError::Contradiction { what }
        };
        if still && !(row.range[0] <= 1e-9 && row.range[1] >= -1e-9) {
            return Err(refused("its joints do not allow"));
        }
        if still {
            continue;
        }
        // A range may hold where another row is met; equations that follow from others would be too many.
        let equation = row.range[0] == row.range[1];
        match equation.then(|| add(g, row.range)) {
            None | Some(Standing::New) => kept.push(row),
            Some(Standing::Follows) => {}
            Some(Standing::Contradicts) => {
                return Err(refused("the other velocities there do not allow"));
            }
        }
    }
    let x = out.x.clone();
    out.path.refresh(&x, false);
    Ok(kept)
}
