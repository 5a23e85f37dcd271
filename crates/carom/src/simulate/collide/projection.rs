//! Decomposition contact response (thesis 3.5): all impacts of a step at its end.
//!
//! Bodies that overlap then form groups. Each group is moved to the closest admissible configuration
//! in the metric of the mass matrix (3.82), if wished with regard to potential energy (3.83);
//! momenta are lifted by the rotations this took (3.99), and jump where bodies approach. What the
//! projection changes is recorded.

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::Vector3;
use rayon::prelude::*;

use super::touching::{gap_in, path};
use super::{Collisions, Setup};
use crate::contact::{GapRow, Key, Pair, Push, RestPoint, evaluate, gap_of, sweep_rest};
use crate::mechanics::{Covector, Wrench, potential, potential_forces, retract_joint};
use crate::model::{BodyId, Law};
use crate::simulate::{ContactEvent, SimulateError, State, StepInfo};

/// Overlap left by the projection, in sizes of the largest body.
const CLEAN: f64 = 1e-12;
/// Gap that counts as touching after it, in the same.
const NEAR: f64 = 1e-9;
/// Linearisations from the start, and from where it got.
const CLOSEST: usize = 2;
const MOST: usize = 60;
/// From this many pairs on they are looked at on all cores.
const PARALLEL_FROM: usize = 256;

/// A group of pairs and what they move.
struct Group {
    /// Pairs, and whether they overlapped.
    pairs: Vec<(Pair, Key, bool)>,
    owners: Vec<usize>,
    /// Whether potential energy counts.
    potential_term: bool,
    overlap: f64,
}

impl Collisions {
    /// Resolves all overlaps at the end of a step.
    pub(super) fn project(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
        info: &mut StepInfo,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let groups = self.groups(setup, state);
        if groups.is_empty() {
            return Ok(());
        }
        let model = setup.model;
        let weighs = model.forces().gravity != Vector3::zeros()
            || !model.forces().pairs.is_empty()
            || !model.forces().user.is_empty();
        let before = if weighs {
            potential(model, &self.share, &state.poses)
        } else {
            0.0
        };
        for group in &groups {
            let kinetic = self.kinetic(setup, state, group);
            let angular = self.angular(state, group);
            let overlap = self.closest(setup, state, group, h);
            info.contact.overlap = info.contact.overlap.max(overlap);
            info.contact.projection_energy += self.kinetic(setup, state, group) - kinetic;
            info.contact.projection_angular += self.angular(state, group) - angular;
        }
        if weighs {
            let after = potential(model, &self.share, &state.poses);
            info.contact.projection_energy += after - before;
        }
        for group in &groups {
            info.contact.energy += self.reflect(setup, state, group, events);
        }
        Ok(())
    }

    /// Groups of bodies that overlap, with what is near them.
    fn groups(&mut self, setup: &Setup, state: &State) -> Vec<Group> {
        let mut gaps: Vec<(f64, Pair, Key, bool, f64)> = Vec::new();
        for (pair, key) in &self.candidates {
            if let Law::Decomposition {
                potential_term,
                buffer,
            } = setup.law(&self.detector.surface(pair))
                && !self.resting_keys.contains(key)
            {
                gaps.push((0.0, *pair, *key, potential_term, buffer));
            }
        }
        self.measure(setup, state, &mut gaps);
        let any = gaps.iter().any(|g| g.0 < -CLEAN * self.size);
        if !any {
            return Vec::new();
        }
        let count = self.kit.metric.owner_count(setup.model);
        self.sets.reset(count);
        let sides: Vec<[usize; 2]> = gaps
            .iter()
            .map(|(_, pair, ..)| self.kit.metric.pair_owners(setup.model, pair))
            .collect();
        let moves = |o: &&usize| **o != usize::MAX;
        for ((gap, ..), [a, b]) in gaps.iter().zip(&sides) {
            if *gap < -CLEAN * self.size && *a != usize::MAX && *b != usize::MAX {
                self.sets.merge(*a, *b);
            }
        }
        // Overlap of each group, then what is within the buffer of it.
        let mut overlap = vec![0.0_f64; count];
        for ((gap, ..), sides) in gaps.iter().zip(&sides) {
            if *gap < -CLEAN * self.size {
                for o in sides.iter().filter(moves) {
                    let root = self.sets.root(*o);
                    overlap[root] = overlap[root].max(-gap);
                }
            }
        }
        let mut near: Vec<bool> = Vec::with_capacity(gaps.len());
        for ((gap, _, _, _, buffer), sides) in gaps.iter().zip(&sides) {
            let mut is_near = false;
            for o in sides.iter().filter(moves) {
                let root = self.sets.root(*o);
                is_near |= overlap[root] > 0.0 && *gap <= buffer * overlap[root];
            }
            near.push(is_near);
        }
        for ([a, b], near) in sides.iter().zip(&near) {
            if *near && *a != usize::MAX && *b != usize::MAX {
                self.sets.merge(*a, *b);
            }
        }
        let mut place = vec![usize::MAX; count];
        let mut out: Vec<Group> = Vec::new();
        for (k, (gap, pair, key, potential_term, _)) in gaps.iter().enumerate() {
            if !near[k] {
                continue;
            }
            let Some(first) = sides[k].iter().find(moves) else {
                continue;
            };
            let root = self.sets.root(*first);
            if place[root] == usize::MAX {
                place[root] = out.len();
                out.push(Group {
                    pairs: Vec::new(),
                    owners: Vec::new(),
                    potential_term: false,
                    overlap: 0.0,
                });
            }
            let group = &mut out[place[root]];
            group.pairs.push((*pair, *key, *gap < -CLEAN * self.size));
            group.potential_term |= potential_term;
            group.overlap = group.overlap.max(-gap);
            group.owners.extend(sides[k].iter().filter(moves));
        }
        for group in &mut out {
            group.owners.sort_unstable();
            group.owners.dedup();
        }
        out
    }

    /// Gaps of many pairs, on all cores: each is a query of its own, so that their number does not
    /// change the results.
    fn measure(&mut self, setup: &Setup, state: &State, gaps: &mut [(f64, Pair, Key, bool, f64)]) {
        if gaps.len() < PARALLEL_FROM {
            for (gap, pair, key, ..) in gaps {
                *gap = gap_in(setup.model, &mut self.detector, pair, *key, state);
            }
            return;
        }
        let detector = &self.detector;
        let found: Vec<(f64, Option<Basis>)> = gaps
            .par_iter()
            .with_min_len(64)
            .map(|(_, pair, key, ..)| {
                let mut warm = detector.basis(*key);
                let gap = gap_of(setup.model, pair, &path(state), &mut warm);
                (gap, warm)
            })
            .collect();
        for ((gap, _, key, ..), (value, warm)) in gaps.iter_mut().zip(found) {
            *gap = value;
            self.detector.remember(*key, warm);
        }
    }

    /// Degrees of freedom of a group.
    fn freedoms(&self, setup: &Setup, group: &Group) -> Vec<usize> {
        let model = setup.model;
        let trees = self.kit.metric.tree_count();
        let mut out = Vec::new();
        for &o in &group.owners {
            if o >= trees {
                let l = &model.linkages()[o - trees];
                let first = model.tree_freedom + l.first;
                out.extend(first..first + l.freedom());
            }
            for &j in self.kit.metric.tree(o).0 {
                let first = model.offsets[j];
                out.extend(first..first + model.joint_freedom(j));
            }
        }
        out
    }

    /// Bodies of a group.
    fn bodies(&self, group: &Group) -> Vec<usize> {
        let owners = group.owners.iter();
        owners
            .flat_map(|&o| self.kit.metric.tree(o).1.iter().copied())
            .collect()
    }

    /// Moves a group to the closest configuration without overlap and lifts its momenta; returns
    /// the overlap that is left.
    fn closest(&mut self, setup: &Setup, state: &mut State, group: &Group, h: f64) -> f64 {
        let model = setup.model;
        let bodies = self.bodies(group);
        let start: Vec<Pose> = bodies.iter().map(|&b| state.poses[b]).collect();
        let start_coordinates = state.coordinates.clone();
        let freedoms = self.freedoms(setup, group);
        let mut moved = vec![0.0; freedoms.len()];
        let mut worst = 0.0;
        for trial in 0..MOST {
            // Rows at the present configuration; the first ones ask for the closest to the start.
            let from_start = trial < CLOSEST;
            let mut points = Vec::new();
            self.kit.rows.clear();
            worst = 0.0_f64;
            for (pair, key, _) in &group.pairs {
                // Who is further off than anything is moved cannot come to overlap.
                let gap = gap_in(model, &mut self.detector, pair, *key, state);
                if gap > group.overlap {
                    continue;
                }
                let mut warm = self.detector.basis(*key);
                let row = evaluate(model, pair, &path(state), &mut warm);
                worst = worst.max(-row.gap);
                let push = Push::along(&row);
                self.push_gap(setup, state, push, row.gap, &mut points);
                // Where one point did not do, all that sink in take part.
                if trial > 0 && row.gap < -CLEAN * self.size {
                    self.push_patch(setup, state, pair, &row, group.overlap, &mut points);
                }
            }
            if trial > 0 && worst <= CLEAN * self.size {
                break;
            }
            if from_start {
                for (f, m) in freedoms.iter().zip(&moved) {
                    self.kit.nu[*f] = *m;
                }
                for p in &mut points {
                    p.bias[0] -= self.kit.rows.rate(p.normal, &self.kit.nu);
                }
                if group.potential_term {
                    self.push_potential(setup, state, &bodies, h, &mut points);
                }
            }
            let nu = &mut self.kit.nu;
            freedoms.iter().for_each(|f| nu[*f] = 0.0);
            let (enough, most) = if from_start { (1e-3, 30) } else { (1e-2, 12) };
            sweep_rest(&points, &mut self.kit.rows, nu, enough * worst, most);
            if from_start {
                for (&b, pose) in bodies.iter().zip(&start) {
                    state.poses[b] = *pose;
                }
                state.coordinates.copy_from_slice(&start_coordinates);
                for (f, m) in freedoms.iter().zip(&mut moved) {
                    *m = nu[*f];
                }
            }
            self.displace(setup, state, group);
        }
        for (&b, old) in bodies.iter().zip(&start) {
            if state.poses[b] != *old {
                let turn = state.poses[b].directors * old.directors.transpose();
                state.momenta[b].directors = turn * state.momenta[b].directors;
                state.carry[b] = Vector3::zeros();
            }
        }
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
        points: &mut Vec<RestPoint>,
    ) {
        self.kit.points.clear();
        let within = self.within.max(4.0 * overlap);
        let at = path(state);
        let (faces, found) = (&self.kit.faces, &mut self.kit.points);
        faces.points(setup.model, pair, &at, row, within, found);
        if self.kit.points.len() < 2 {
            return;
        }
        for k in 0..self.kit.points.len() {
            let p = self.kit.points[k];
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
        points: &mut Vec<RestPoint>,
    ) {
        let metric = &mut self.kit.metric;
        let normal = self.kit.rows.push(setup.model, metric, &path(state), push);
        points.push(RestPoint {
            normal,
            tangents: false,
            friction: 0.0,
            bias: [gap, 0.0, 0.0],
            held: false,
            resists: None,
        });
    }

    /// The term |V(q) − V(q̃)| of (3.83): its multiplier is at most h² in the scaling used here.
    fn push_potential(
        &mut self,
        setup: &Setup,
        state: &State,
        bodies: &[usize],
        h: f64,
        points: &mut Vec<RestPoint>,
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
        let (rows, metric) = (&mut self.kit.rows, &mut self.kit.metric);
        let normal = rows.push_many(model, metric, &path(state), wrenches);
        points.push(RestPoint {
            normal,
            tangents: false,
            friction: 0.0,
            bias: [0.0; 3],
            held: false,
            resists: Some(h * h),
        });
    }

    /// Moves the trees and linkages of a group by the displacement in `self.kit.nu`.
    fn displace(&mut self, setup: &Setup, state: &mut State, group: &Group) {
        let model = setup.model;
        let trees = self.kit.metric.tree_count();
        for &o in &group.owners {
            if o >= trees {
                let l = &model.linkages()[o - trees];
                for k in l.first..l.first + l.freedom() {
                    state.coordinates[k] += self.kit.nu[model.tree_freedom + k];
                }
                continue;
            }
            for &j in self.kit.metric.tree(o).0 {
                let joint = &model.joints()[j];
                let first = model.offsets[j];
                let u = &self.kit.nu[first..first + model.joint_freedom(j)];
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
            for &b in self.kit.metric.tree(o).1 {
                state.poses[b] = self.next[b];
            }
        }
    }

    /// Momentum jumps where bodies of a group touch and approach; returns the change of energy.
    fn reflect(
        &mut self,
        setup: &Setup,
        state: &mut State,
        group: &Group,
        events: &mut Vec<ContactEvent>,
    ) -> f64 {
        let model = setup.model;
        self.kit.clear();
        self.owner_velocities(setup, state, group);
        for (pair, key, overlapped) in &group.pairs {
            let gap = gap_in(model, &mut self.detector, pair, *key, state);
            // What overlapped has met in this step, even if others pushed it off.
            if gap > NEAR * self.size && !overlapped {
                continue;
            }
            let surface = self.detector.surface(pair);
            let mut warm = self.detector.basis(*key);
            let within = self.within;
            let touch = gap.max(0.0) + NEAR * self.size;
            self.kit.add(
                setup, *pair, *key, surface, state, &mut warm, within, touch, false,
            );
            self.detector.remember(*key, warm);
        }
        self.kit.resolve(setup);
        self.kit.apply(model, state, 1.0);
        for &o in &group.owners {
            for &j in self.kit.metric.tree(o).0 {
                let first = model.offsets[j];
                for f in first..first + model.joint_freedom(j) {
                    state.guess[f] = self.kit.nu[f];
                    state.unbalanced[f] = 0.0;
                }
            }
        }
        self.kit.events(state.time, 1.0, events).1
    }

    /// Velocities of a group.
    fn owner_velocities(&mut self, setup: &Setup, state: &State, group: &Group) {
        let model = setup.model;
        let trees = self.kit.metric.tree_count();
        let bodies = self.bodies(group);
        self.kit.metric.velocities(
            model,
            &state.poses,
            &bodies,
            |k| state.momentum(model, k),
            &mut self.kit.nu,
        );
        for &o in group.owners.iter().filter(|o| **o >= trees) {
            let (q, p) = (&state.coordinates, &state.coordinate_momenta);
            self.kit
                .metric
                .rates(model, o - trees, q, p, &mut self.kit.nu);
        }
    }

    /// Kinetic energy of a group.
    fn kinetic(&mut self, setup: &Setup, state: &State, group: &Group) -> f64 {
        self.owner_velocities(setup, state, group);
        let model = setup.model;
        let bodies = self.bodies(group);
        let mut sum = self
            .kit
            .metric
            .kinetic(model, &state.poses, &bodies, &self.kit.nu);
        let trees = self.kit.metric.tree_count();
        for &o in group.owners.iter().filter(|o| **o >= trees) {
            let l = &model.linkages()[o - trees];
            for k in l.first..l.first + l.freedom() {
                sum += 0.5 * state.coordinate_momenta[k] * self.kit.nu[model.tree_freedom + k];
            }
        }
        sum
    }

    /// Angular momentum of a group about the origin, from the momenta as they are.
    fn angular(&self, state: &State, group: &Group) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for b in self.bodies(group) {
            let p = state.momenta[b].wrench(&state.poses[b].directors);
            sum += p.torque + state.poses[b].position.cross(&p.force);
        }
        sum
    }
}
