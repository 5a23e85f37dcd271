//! Points of contacts as points of the contact problem.

use carom_gap::Pose;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::super::resting::Resting;
use super::super::touching::path;
use super::super::{Setup, Workspace};
use crate::contact::{ContactPoint, Entry, Grip, Key, Point, Push, Rows};
use crate::simulate::State;
use crate::simulate::state::PointImpulse;

/// What the nearest point of a pair gave, of impulses in the order of their keys.
pub fn recalled<'a>(
    impulses: &'a [PointImpulse],
    key: Key,
    p: &ContactPoint,
) -> Option<&'a PointImpulse> {
    let from = impulses.partition_point(|i| i.key < key);
    let known = impulses[from..].iter().take_while(|i| i.key == key);
    known
        .map(|i| ((i.place - p.a.local).norm_squared(), i))
        .min_by(|x, y| x.0.total_cmp(&y.0))
        .map(|(_, i)| i)
}

/// A point of a contact as rows and a grip.
pub fn push_point(
    setup: &Setup,
    work: &mut Workspace,
    rows: &mut Rows,
    state: &State,
    rest: &Resting,
    p: &ContactPoint,
) -> Point {
    let at = path(state);
    let push = |direction: &Vector3<f64>| Push::at(p, direction, &state.poses);
    let n = p.normal(&state.poses);
    let first = rows.push(setup.model, &mut work.metric, &at, push(&n));
    let mut count = 1;
    for t in rest.across(p, &state.poses) {
        rows.push(setup.model, &mut work.metric, &at, push(&t));
        count += 1;
    }
    for row in first..first + count {
        rows.set_drift(row, |b| state.given_twist(setup.model, b.index()));
    }
    Point {
        first,
        rows: count,
        bias: [0.0; 3],
        grip: if rest.held {
            Grip::Held
        } else {
            Grip::Cone {
                friction: rest.friction,
            }
        },
    }
}

/// How far the two sides of a point slid from one state to another, seen from the first along the
/// second. On a body that rolls, other points of it touch at the end: half is said by them.
pub fn slip(
    setup: &Setup,
    rest: &Resting,
    p: &ContactPoint,
    base: &State,
    probe: &State,
    h: f64,
) -> Vector3<f64> {
    let moved = |p: &ContactPoint| {
        let apart = |poses: &[Pose]| p.a.place(poses) - p.b.place(poses);
        apart(&probe.poses) - apart(&base.poses)
    };
    let belt = |p: &ContactPoint, state: &State| {
        let speed = rest.pair.belt(setup.model, &p.a.place(&state.poses));
        speed.unwrap_or_default() * h
    };
    if rest.held {
        return moved(p);
    }
    if p.roll == Roll::Fixed {
        return moved(p) + (belt(p, base) + belt(p, probe)) * 0.5;
    }
    let then = p.at(setup.model, &rest.pair, &path(probe));
    (moved(p) + moved(&then) + belt(p, base) + belt(&then, probe)) * 0.5
}

/// Gap of a point of a contact in a state.
pub fn point_gap(setup: &Setup, rest: &Resting, p: &ContactPoint, state: &State) -> f64 {
    p.gap_at(setup.model, &rest.pair, &path(state))
}

/// By how much forces change the rate of a row in the step as a whole, side by side.
pub fn press_rate(rows: &Rows, row: usize, press: &[f64]) -> f64 {
    if press.is_empty() {
        return 0.0;
    }
    // The two sides are pressed by themselves, one may be held up by a third, and what presses
    // across the normal may come along it through other contacts: |g| |Δν| of each, at most six
    // degrees of freedom long.
    let entries = rows.entries(row);
    let part = entries.len().clamp(1, 6);
    let of = |part: &[Entry]| {
        let mut v: f64 = 0.0;
        for half in part.chunks(3) {
            let square =
                |f: &dyn Fn(&Entry) -> f64| half.iter().map(|e| f(e) * f(e)).sum::<f64>().sqrt();
            v += square(&|e| e.gradient) * square(&|e| press[e.freedom]);
        }
        v
    };
    entries.chunks(part).map(of).sum()
}
