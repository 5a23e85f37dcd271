//! The closest configuration without overlap, in the metric of the mass matrix (thesis (3.82)).

use carom_gap::Pose;
use nalgebra::Vector3;

use super::CLEAN;
use super::groups::{Group, Member};
use super::seen::Seen;
use crate::contact::{Aim, GapRow, Grip, Pair, Point, Push, Stage};
use crate::mechanics::{Covector, Wrench, potential_forces, retract_joint};
use crate::model::{BodyId, Model};
use crate::simulate::State;
use crate::simulate::collide::island::{point_gap, push_point};
use crate::simulate::collide::touching::path;
use crate::simulate::collide::{Collisions, Setup, Workspace};

/// Linearisations from the start, and from where it got.
const CLOSEST: usize = 2;
const MOST: usize = 60;
/// From where it got, pairs take part that are no further apart than this many times the deepest overlap, in so many
/// layers around those that overlap: corrections are as small as overlaps are, and what they push into others is
/// corrected next.
const BESIDE: f64 = 4.0;
const LAYERS: usize = 2;

/// Storage of such a search.
#[derive(Debug, Default)]
pub(in crate::simulate::collide) struct Search {
    points: Vec<Point>,
    /// Where it began.
    start: Vec<Pose>,
    start_coordinates: Vec<f64>,
    /// How far every degree of freedom was moved since.
    moved: Vec<f64>,
    /// The pairs of the group as they were looked at last, and those of them that take part.
    pub(super) seen: Vec<Seen>,
    close: Vec<usize>,
    /// Whether each tree and linkage may be moved, and those that are found to be in a layer.
    stirred: Vec<bool>,
    layer: Vec<usize>,
}

impl Search {
    /// Begins with a group where it is, after a step from some poses.
    fn begin(&mut self, step: &[Pose], state: &State, group: &Group) {
        self.start.clear();
        let poses = group.bodies.iter().map(|&b| state.poses[b]);
        self.start.extend(poses);
        self.start_coordinates.clone_from(&state.coordinates);
        self.moved.clear();
        self.moved.resize(group.freedoms.len(), 0.0);
        self.seen.clear();
        let seen = |m| Seen::from(step, state, m);
        let seen = group.pairs.iter().map(seen);
        self.seen.extend(seen);
    }

    /// Looks for the pairs of a group that are no further apart than `limit`; returns the deepest overlap.
    fn look(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        state: &State,
        group: &Group,
        limit: f64,
    ) -> f64 {
        let mut worst = 0.0_f64;
        self.close.clear();
        for (k, m) in group.pairs.iter().enumerate() {
            if m.held {
                self.close.push(k);
            } else if let Some(row) = self.seen[k].look(m, model, work, state, limit) {
                worst = worst.max(-row.gap);
                self.close.push(k);
            }
        }
        worst
    }

    /// Of the pairs found close keeps those around what overlaps by more than `clean`.
    fn keep_stirred(&mut self, group: &Group, clean: f64) {
        let Self {
            seen,
            close,
            stirred,
            layer,
            ..
        } = self;
        let count = group.owners.last().map_or(0, |o| o + 1);
        stirred.resize(count.max(stirred.len()), false);
        group.owners.iter().for_each(|&o| stirred[o] = false);
        let moving = |k: usize| {
            let sides = group.pairs[k].sides.into_iter();
            sides.filter(|o| *o != usize::MAX)
        };
        layer.clear();
        let sinking = close.iter().filter(|&&k| seen[k].gap() < -clean);
        layer.extend(sinking.flat_map(|&k| moving(k)));
        layer.drain(..).for_each(|o| stirred[o] = true);
        for _ in 1..LAYERS {
            let beside = close.iter().filter(|&&k| moving(k).any(|o| stirred[o]));
            layer.extend(beside.flat_map(|&k| moving(k)));
            layer.drain(..).for_each(|o| stirred[o] = true);
        }
        close.retain(|&k| moving(k).any(|o| stirred[o]));
    }
}

impl Collisions {
    /// Moves a group to the closest configuration without overlap and lifts its momenta; returns
    /// the overlap that is left.
    pub(super) fn closest(
        &mut self,
        setup: &Setup,
        state: &mut State,
        group: &Group,
        h: f64,
    ) -> f64 {
        let model = setup.model;
        let Group {
            bodies, freedoms, ..
        } = group;
        let mut search = std::mem::take(&mut self.projection.search);
        search.begin(&self.near.start, state, group);
        let clean = CLEAN * self.work.size;
        let mut worst = group.overlap;
        self.work.solver.forget();
        for trial in 0..MOST {
            // Rows at the present configuration; the first ones ask for the closest to the start.
            let from_start = trial < CLOSEST;
            search.points.clear();
            self.instant.rows.clear();
            // Who is further off than anything is moved cannot come to overlap.
            let whole = from_start || group.thorough;
            let limit = match whole {
                true => group.overlap,
                false => BESIDE * worst,
            };
            worst = search.look(model, &mut self.work, state, group, limit);
            if trial > 0 && worst <= clean {
                break;
            }
            if !whole {
                search.keep_stirred(group, clean);
            }
            for &k in &search.close {
                let m = &group.pairs[k];
                if m.held {
                    self.push_held(setup, state, m, &mut search.points);
                    continue;
                }
                let Some(row) = search.seen[k].row() else {
                    continue;
                };
                let points = &mut search.points;
                let gap = row.gap;
                // What is clean is left where it is, so that it need not be looked at again.
                let sinks = gap < -clean;
                let asks = if sinks || from_start {
                    gap
                } else {
                    gap.max(0.0)
                };
                self.push_gap(setup, state, Push::along(row), asks, points);
                // Where one point did not do, all that sink in take part.
                if trial > 0 && sinks {
                    self.push_patch(setup, state, &m.pair, row, group.overlap, points);
                }
            }
            let Search {
                points,
                start,
                start_coordinates,
                moved,
                ..
            } = &mut search;
            if from_start {
                for (f, m) in freedoms.iter().zip(&*moved) {
                    self.instant.nu[*f] = *m;
                }
                for p in points.iter_mut() {
                    for k in 0..p.rows {
                        p.bias[k] -= self.instant.rows.rate(p.first + k, &self.instant.nu);
                    }
                }
                if group.potential_term {
                    self.push_potential(setup, state, bodies, h, points);
                }
            }
            let nu = &mut self.instant.nu;
            freedoms.iter().for_each(|f| nu[*f] = 0.0);
            let (enough, most) = if from_start { (1e-3, 30) } else { (1e-2, 12) };
            let (rows, work) = (&mut self.instant.rows, &mut self.work);
            if group.thorough {
                let stage = Stage {
                    model,
                    at: path(state),
                };
                let aim = Aim {
                    slack: 0.0,
                    give: 0.0,
                    speed: worst,
                    enough: 1e-6,
                    good: 1e-3,
                    calm: false,
                };
                work.solver
                    .solve(&stage, &mut work.metric, points, rows, nu, &aim);
            } else {
                work.solver.sweep(points, rows, nu, enough * worst, most);
            }
            if from_start {
                for (&b, pose) in bodies.iter().zip(&*start) {
                    state.poses[b] = *pose;
                }
                state.coordinates.copy_from_slice(start_coordinates);
                for (f, m) in freedoms.iter().zip(moved.iter_mut()) {
                    *m = nu[*f];
                }
            }
            self.displace(setup, state, group);
        }
        for (&b, old) in bodies.iter().zip(&search.start) {
            if state.poses[b] != *old {
                let turn = state.poses[b].directors * old.directors.transpose();
                state.momenta[b].directors = turn * state.momenta[b].directors;
                state.carry[b] = Vector3::zeros();
            }
        }
        self.projection.search = search;
        worst.max(0.0)
    }

    /// Rows of a contact that holds as a joint: it does so where it is.
    fn push_held(&mut self, setup: &Setup, state: &State, m: &Member, points: &mut Vec<Point>) {
        let Some(rest) = self.islands.held(m.key) else {
            return;
        };
        let poses = &state.poses;
        for p in &rest.points {
            let rows = &mut self.instant.rows;
            let mut point = push_point(setup, &mut self.work, rows, state, rest, p);
            let off = p.a.place(poses) - p.b.place(poses);
            point.bias[0] = point_gap(setup, rest, p, state);
            for (bias, t) in point.bias[1..].iter_mut().zip(rest.across(p, poses)) {
                *bias = off.dot(&t);
            }
            points.push(point);
        }
    }

    /// Rows of the points of a patch that sink in.
    fn push_patch(
        &mut self,
        setup: &Setup,
        state: &State,
        pair: &Pair,
        row: &GapRow,
        overlap: f64,
        points: &mut Vec<Point>,
    ) {
        self.instant.points.clear();
        let within = self.line.within.max(4.0 * overlap);
        let at = path(state);
        let (faces, found) = (&self.work.faces, &mut self.instant.points);
        faces.points(setup.model, pair, &at, row, within, found);
        if self.instant.points.len() < 2 {
            return;
        }
        for k in 0..self.instant.points.len() {
            let p = self.instant.points[k];
            let gap = p.gap(&state.poses);
            if gap < 0.0 {
                let push = Push::at(&p, &p.normal(&state.poses), &state.poses);
                self.push_gap(setup, state, push, gap, points);
            }
        }
    }

    fn push_gap(
        &mut self,
        setup: &Setup,
        state: &State,
        push: Push,
        gap: f64,
        points: &mut Vec<Point>,
    ) {
        let metric = &mut self.work.metric;
        let first = self
            .instant
            .rows
            .push(setup.model, metric, &path(state), push);
        points.push(Point {
            first,
            rows: 1,
            bias: [gap, 0.0, 0.0],
            grip: Grip::Cone { friction: 0.0 },
        });
    }

    /// The term |V(q) − V(q̃)| of thesis (3.83): its multiplier is at most h² in the scaling used here.
    fn push_potential(
        &mut self,
        setup: &Setup,
        state: &State,
        bodies: &[usize],
        h: f64,
        points: &mut Vec<Point>,
    ) {
        let model = setup.model;
        let mut forces = vec![Covector::default(); model.bodies().len()];
        potential_forces(model, &self.projection.share, &state.poses, &mut forces);
        let wrenches = bodies.iter().map(|&b| {
            let w = forces[b].wrench(&state.poses[b].directors);
            let turns = !model.is_particle(BodyId(b as u32));
            let torque = if turns { w.torque } else { Vector3::zeros() };
            (
                BodyId(b as u32),
                Wrench {
                    force: w.force,
                    torque,
                },
            )
        });
        let (rows, metric) = (&mut self.instant.rows, &mut self.work.metric);
        let first = rows.push_many(model, metric, &path(state), wrenches);
        points.push(Point {
            first,
            rows: 1,
            bias: [0.0; 3],
            grip: Grip::Resists { limit: h * h },
        });
    }

    /// Moves the trees and linkages of a group by the displacement in `self.instant.nu`.
    fn displace(&mut self, setup: &Setup, state: &mut State, group: &Group) {
        let model = setup.model;
        for part in group
            .owners
            .iter()
            .map(|&o| &self.work.metric.parts().all[o])
        {
            for &k in &part.coordinates {
                state.coordinates[k] += self.instant.nu[model.tree_freedom + k];
            }
            let still = |j: &usize| {
                let first = model.offsets[*j];
                let nu = &self.instant.nu[first..first + model.joint_freedom(*j)];
                nu.iter().all(|u| *u == 0.0)
            };
            if part.joints.iter().all(still) {
                continue;
            }
            for &j in &part.joints {
                let joint = &model.joints()[j];
                let first = model.offsets[j];
                let u = &self.instant.nu[first..first + model.joint_freedom(j)];
                retract_joint(
                    model,
                    &state.poses,
                    &mut self.projection.increments,
                    &mut self.projection.next,
                    joint,
                    u,
                    &Vector3::zeros(),
                );
            }
            for &b in &part.bodies {
                state.poses[b] = self.projection.next[b];
            }
        }
    }
}
