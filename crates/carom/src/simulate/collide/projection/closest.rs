//! The closest configuration without overlap, in the metric of the mass matrix (thesis (3.82)).

use carom_gap::Pose;
use nalgebra::Vector3;

use super::CLEAN;
use super::groups::Group;
use crate::contact::{Aim, GapRow, Grip, Pair, Point, Push, Stage, evaluate};
use crate::mechanics::{Covector, Wrench, potential_forces, retract_joint};
use crate::model::BodyId;
use crate::simulate::State;
use crate::simulate::collide::touching::{gap_in, path};
use crate::simulate::collide::{Collisions, Setup};

/// Linearisations from the start, and from where it got.
const CLOSEST: usize = 2;
const MOST: usize = 60;

/// Storage of such a search.
#[derive(Debug, Default)]
pub(in crate::simulate::collide) struct Search {
    points: Vec<Point>,
    /// Where it began.
    start: Vec<Pose>,
    start_coordinates: Vec<f64>,
    /// How far every degree of freedom was moved since.
    moved: Vec<f64>,
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
        let mut search = std::mem::take(&mut self.search);
        let Search {
            points,
            start,
            start_coordinates,
            moved,
        } = &mut search;
        start.clear();
        start.extend(bodies.iter().map(|&b| state.poses[b]));
        start_coordinates.clone_from(&state.coordinates);
        moved.clear();
        moved.resize(freedoms.len(), 0.0);
        let mut worst = 0.0;
        self.work.solver.forget();
        for trial in 0..MOST {
            // Rows at the present configuration; the first ones ask for the closest to the start.
            let from_start = trial < CLOSEST;
            points.clear();
            self.instant.rows.clear();
            worst = 0.0_f64;
            for (pair, key, _) in &group.pairs {
                // Who is further off than anything is moved cannot come to overlap.
                let gap = gap_in(model, &mut self.work.detector, pair, *key, state);
                if gap > group.overlap {
                    continue;
                }
                let mut warm = self.work.detector.basis(*key);
                let row = evaluate(model, pair, &path(state), &mut warm);
                worst = worst.max(-row.gap);
                let push = Push::along(&row);
                self.push_gap(setup, state, push, row.gap, points);
                // Where one point did not do, all that sink in take part.
                if trial > 0 && row.gap < -CLEAN * self.work.size {
                    self.push_patch(setup, state, pair, &row, group.overlap, points);
                }
            }
            if trial > 0 && worst <= CLEAN * self.work.size {
                break;
            }
            if from_start {
                for (f, m) in freedoms.iter().zip(&*moved) {
                    self.instant.nu[*f] = *m;
                }
                for p in points.iter_mut() {
                    p.bias[0] -= self.instant.rows.rate(p.first, &self.instant.nu);
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
                    give: 0.0,
                    speed: worst,
                    enough: 1e-6,
                    good: 1e-3,
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
        for (&b, old) in bodies.iter().zip(&*start) {
            if state.poses[b] != *old {
                let turn = state.poses[b].directors * old.directors.transpose();
                state.momenta[b].directors = turn * state.momenta[b].directors;
                state.carry[b] = Vector3::zeros();
            }
        }
        self.search = search;
        worst.max(0.0)
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
        let within = self.within.max(4.0 * overlap);
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

    /// The term |V(q) − V(q̃)| of (3.83): its multiplier is at most h² in the scaling used here.
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
        potential_forces(model, &self.share, &state.poses, &mut forces);
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
        let trees = self.work.metric.tree_count();
        for &o in &group.owners {
            if o >= trees {
                let l = &model.linkages()[o - trees];
                for k in l.first..l.first + l.freedom() {
                    state.coordinates[k] += self.instant.nu[model.tree_freedom + k];
                }
                continue;
            }
            for &j in self.work.metric.tree(o).0 {
                let joint = &model.joints()[j];
                let first = model.offsets[j];
                let u = &self.instant.nu[first..first + model.joint_freedom(j)];
                retract_joint(
                    model,
                    &state.poses,
                    &mut self.increments,
                    &mut self.next,
                    joint,
                    u,
                    &Vector3::zeros(),
                );
            }
            for &b in self.work.metric.tree(o).1 {
                state.poses[b] = self.next[b];
            }
        }
    }
}
