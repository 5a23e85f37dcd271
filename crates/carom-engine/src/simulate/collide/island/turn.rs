//! Rolling and torsional friction: at every point that presses with N a torque against rolling of at
//! most `rolling` N, and about the normal of at most `torsional` N. Surfaces that move, too.

use nalgebra::Vector3;

use super::*;
use crate::contact::{Grip, Push};
use crate::mechanics::Wrench;
use crate::model::BodyId;

/// Friction against turning at a point of the problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Which point presses.
    pub(super) spot: usize,
    pub(super) point: Point,
    /// Axes of its rows.
    axes: [Vector3<f64>; 2],
    bodies: [Option<BodyId>; 2],
    /// Rows are turns times this length: rates in m/s like all others.
    length: f64,
    /// Limit per normal impulse.
    part: f64,
}

impl IslandStepper {
    /// Adds the friction against turning of points that have none yet.
    pub(super) fn push_turns(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &[Resting],
        state: &State,
    ) {
        let known = self.turns.last().map_or(0, |t| t.spot + 1);
        for spot in known..self.spots.len() {
            let s = &self.spots[spot];
            let rest = &resting[s.entry];
            let resists = rest.rolling > 0.0 || rest.torsional > 0.0;
            if !resists || rest.held || s.point.freedom.is_some() {
                continue;
            }
            let p = s.point;
            let turns = |b: &BodyId| {
                setup.model.body(*b).mass().is_finite() && !setup.model.is_particle(*b)
            };
            let bodies = [p.a.body.filter(turns), p.b.body.filter(turns)];
            let reach = bodies
                .iter()
                .flatten()
                .map(|b| setup.model.body(*b).reach());
            let length = reach.fold(0.0, f64::max);
            if length == 0.0 {
                continue;
            }
            let across = p.tangents(&state.poses);
            let about = p.normal(&state.poses);
            for (axes, count, limit) in [
                (across, 2, rest.rolling),
                ([about, about], 1, rest.torsional),
            ] {
                if limit == 0.0 {
                    continue;
                }
                let first = self.rows.len();
                for axis in &axes[..count] {
                    let side = |body: Option<BodyId>, sign: f64| {
                        let torque = axis * (sign * length);
                        let force = Vector3::zeros();
                        body.map(|b| (b, Wrench { force, torque }))
                    };
                    let push = Push {
                        wrenches: [side(bodies[0], 1.0), side(bodies[1], -1.0)],
                        freedom: None,
                    };
                    self.rows
                        .push(setup.model, &mut work.metric, &path(state), push);
                }
                self.turns.push(Turn {
                    spot,
                    point: Point {
                        first,
                        rows: count,
                        bias: [0.0; 3],
                        grip: Grip::Held,
                    },
                    axes,
                    bodies,
                    length,
                    part: limit / length,
                });
            }
        }
    }

    /// Rates of turning over a step to `probe`, as biases.
    pub(super) fn measure_turns(&mut self, span: &Span, probe: &State) {
        for turn in &mut self.turns {
            let turned = |body: Option<BodyId>| {
                body.map_or(Vector3::zeros(), |b| {
                    let (from, to) = (&span.base.poses[b.index()], &probe.poses[b.index()]);
                    // sin θ about the axis, as the momentum of a step has it.
                    let r = to.directors * from.directors.transpose();
                    let skew = (r - r.transpose()) * 0.5;
                    Vector3::new(skew[(2, 1)], skew[(0, 2)], skew[(1, 0)])
                })
            };
            let all = turned(turn.bodies[0]) - turned(turn.bodies[1]);
            let p = &mut turn.point;
            for k in 0..p.rows {
                let rate = all.dot(&turn.axes[k]) * turn.length / span.h;
                p.bias[k] = rate - self.rows.rate(p.first + k, &self.nu);
            }
        }
    }

    /// All points of the problem: those of contacts, then friction against turning with the limits
    /// that the normal impulses give it.
    pub(super) fn list_all(&mut self) {
        self.all.clear();
        self.all.extend_from_slice(&self.points);
        for turn in &self.turns {
            let pressed = self.rows.lambda[self.points[turn.spot].first];
            // At the end of a step, what presses there is not known yet: as much as at its start.
            let pressed = pressed.max(self.spots[turn.spot].start[0]).max(0.0);
            let limit = turn.part * pressed;
            self.all.push(Point {
                grip: match turn.point.rows {
                    1 => Grip::Resists { limit },
                    _ => Grip::Disc { limit },
                },
                ..turn.point
            });
        }
    }

    /// Work of surfaces and bodies that move as they are given, by the impulses at the start.
    pub(super) fn belt_work(&self, setup: &Setup, resting: &[Resting], base: &State) -> f64 {
        let mut work = self.given_work();
        for (point, spot) in self.points.iter().zip(&self.spots) {
            let mut p = Point {
                bias: [0.0; 3],
                ..*point
            };
            add_belt(setup, &resting[spot.entry], &spot.point, base, &mut p);
            work += super::super::impulse::work_of_belt(&p, &self.rows);
        }
        work
    }
}

/// Adds how fast a surface moves to the biases of a point across its normal.
pub(super) fn add_belt(
    setup: &Setup,
    rest: &Resting,
    p: &ContactPoint,
    state: &State,
    point: &mut Point,
) {
    if rest.held || point.rows != 3 {
        return;
    }
    let place = p.a.place(&state.poses);
    if let Some(speed) = rest.pair.belt(setup.model, &place) {
        for (k, t) in p.rubbing(&rest.grains, &state.poses).iter().enumerate() {
            point.bias[1 + k] += speed.dot(t);
        }
    }
}
