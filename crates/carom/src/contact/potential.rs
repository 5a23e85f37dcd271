//! The contact potential V_A = ½ C min(0, gap)² of overlapping pairs (thesis (3.39)), with optional
//! drag on the normal velocity while they overlap (thesis 3.3.4).

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::Vector3;

use super::detector::Detector;
use super::pair_gap::{Path, covectors};
use super::pairs::{Key, Pair};
use crate::mechanics::{Block, Covector, Increment, StepFrame, Twist, Wrench, hat, wrench_vector};
use crate::model::{BodyId, BodyKind, Law, Model};

/// A pair that a potential holds apart.
#[derive(Clone, Copy, Debug)]
struct Cushion {
    pair: Pair,
    key: Key,
    stiffness: f64,
    drag: f64,
    warm: Option<Basis>,
    gap: f64,
    /// ∂gap/∂q where it was evaluated last.
    gradient: [Option<(BodyId, Covector)>; 2],
    point: Vector3<f64>,
    normal: Vector3<f64>,
}

/// What a cushion did.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    /// The pair.
    pub pair: Pair,
    /// Its key.
    pub key: Key,
    /// Its gap.
    pub gap: f64,
    /// Force on the first, along the gradient of the gap.
    pub force: Vector3<f64>,
    /// Where.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first.
    pub normal: Vector3<f64>,
}

/// Contact by potentials.
#[derive(Debug)]
pub struct ContactPotential {
    detector: Detector,
    law: Law,
    /// Laws of pairs of materials.
    own: Vec<Law>,
    candidates: Vec<(Pair, Key)>,
    cushions: Vec<Cushion>,
}

impl ContactPotential {
    /// For a model and the law of a run; `None` if no pair has such a potential.
    pub fn new(model: &Model, law: Law) -> Option<Self> {
        let own = model.contact().surfaces.iter().filter_map(|s| s.law);
        let soft = |l: Law| matches!(l, Law::Potential { .. });
        let own: Vec<Law> = own.collect();
        (soft(law) || own.iter().copied().any(soft)).then(|| Self {
            own: own.clone(),
            detector: Detector::new(model),
            law,
            candidates: Vec::new(),
            cushions: Vec::new(),
        })
    }

    /// Whether any pair is dragged.
    pub fn is_damped(&self) -> bool {
        let dragged = |law: &Law| matches!(law, Law::Potential { drag, .. } if *drag > 0.0);
        dragged(&self.law) || self.own.iter().any(dragged)
    }

    /// Looks for pairs that may overlap while no body moves further than `reach`.
    pub fn prepare(&mut self, model: &Model, poses: &[Pose], reach: f64) {
        for c in &self.cushions {
            self.detector.remember(c.key, c.warm);
        }
        self.cushions.clear();
        self.detector
            .candidates(model, poses, poses, reach, &mut self.candidates);
        for (pair, key) in &self.candidates {
            let law = self.detector.surface(pair).law.unwrap_or(self.law);
            let Law::Potential { stiffness, drag } = law else {
                continue;
            };
            self.cushions.push(Cushion {
                pair: *pair,
                key: *key,
                stiffness,
                drag,
                warm: self.detector.basis(*key),
                gap: f64::INFINITY,
                gradient: [None; 2],
                point: Vector3::zeros(),
                normal: Vector3::zeros(),
            });
        }
    }

    /// Bodies of each pair that may overlap.
    pub fn pairs(&self) -> impl Iterator<Item = [Option<BodyId>; 2]> + '_ {
        self.cushions.iter().map(|c| match &c.pair {
            Pair::Bodies(a, b) => [super::body_of(a), super::body_of(b)],
            _ => [None; 2],
        })
    }

    /// Gaps and gradients at a configuration.
    pub fn evaluate(&mut self, model: &Model, poses: &[Pose]) {
        let at = Path {
            poses,
            coordinates: &[],
        };
        for c in &mut self.cushions {
            let found = covectors(model, &c.pair, &at, &mut c.warm);
            c.gap = found.gap;
            c.gradient = found.gradient;
            c.point = found.point;
            c.normal = found.normal;
        }
    }

    /// V_A and the largest overlap where it was evaluated last.
    pub fn value(&self) -> (f64, f64) {
        let mut sum = 0.0;
        let mut overlap: f64 = 0.0;
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            sum += 0.5 * c.stiffness * c.gap * c.gap;
            overlap = overlap.max(-c.gap);
        }
        (sum, overlap)
    }

    /// Adds −∂V_A/∂q.
    pub fn add_forces(&self, out: &mut [Covector]) {
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            for (body, g) in c.gradient.iter().flatten() {
                out[body.index()].add(g, -c.stiffness * c.gap);
            }
        }
    }

    /// Adds the drag of the overlapping at given velocities.
    pub fn add_drag(&self, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) {
        for c in self.cushions.iter().filter(|c| c.gap < 0.0 && c.drag > 0.0) {
            let rate = c.rate(poses, twists);
            for (b, g) in c.gradient.iter().flatten() {
                let w = g.wrench(&poses[b.index()].directors);
                out[b.index()].force -= w.force * (c.drag * rate);
                out[b.index()].torque -= w.torque * (c.drag * rate);
            }
        }
    }

    /// Power of the drag at given velocities.
    pub fn drag_power(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let dragged = self.cushions.iter().filter(|c| c.gap < 0.0 && c.drag > 0.0);
        dragged
            .map(|c| -c.drag * c.rate(poses, twists).powi(2))
            .sum()
    }

    /// Adds half of the drag over a step as impulses on bodies at `poses`; it acts on (q⁺ − q)/h.
    pub fn add_drag_impulses(&self, poses: &[Pose], increments: &[Increment], out: &mut [Wrench]) {
        for c in self.cushions.iter().filter(|c| c.gap < 0.0 && c.drag > 0.0) {
            let moved = c.moved(increments);
            for (b, g) in c.gradient.iter().flatten() {
                let w = g.wrench(&poses[b.index()].directors);
                out[b.index()].force -= w.force * (0.5 * c.drag * moved);
                out[b.index()].torque -= w.torque * (0.5 * c.drag * moved);
            }
        }
    }

    /// Work of the drag over a step.
    pub fn drag_work(&self, increments: &[Increment], h: f64) -> f64 {
        let dragged = self.cushions.iter().filter(|c| c.gap < 0.0);
        dragged
            .map(|c| {
                let moved = c.moved(increments);
                -c.drag * moved * moved / h
            })
            .sum()
    }

    /// Adds ∂/∂q⁺ of the forces that enter the balance at q, up to the curvature of the gaps.
    pub fn add_blocks(&self, model: &Model, frame: &StepFrame, out: &mut Vec<Block>) {
        let factor = frame.h * frame.gamma * (1.0 - frame.gamma);
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            let stiff = -(factor * c.stiffness + 0.5 * c.drag);
            for (row, g) in c.gradient.iter().flatten() {
                for (column, k) in c.gradient.iter().flatten() {
                    let moves = |b: BodyId| model.body(b).kind != BodyKind::Static;
                    if !moves(*row) || !moves(*column) {
                        continue;
                    }
                    let left = wrench_vector(&g.wrench(&frame.poses[row.index()].directors));
                    let right = wrench_vector(&k.wrench(&frame.next[column.index()].directors));
                    out.push(Block {
                        row: *row,
                        column: *column,
                        matrix: left * right.transpose() * stiff,
                    });
                }
            }
        }
    }

    /// What overlaps, with the force of the potential.
    pub fn pressed(&self) -> impl Iterator<Item = Pressed> + '_ {
        let soft = self.cushions.iter().filter(|c| c.gap < 0.0);
        soft.map(Cushion::pressed)
    }

    /// A pair where it was evaluated last; without a place if it is far.
    pub fn pair(&self, key: Key) -> Option<Pressed> {
        if let Some(c) = self.cushions.iter().find(|c| c.key == key) {
            return Some(c.pressed());
        }
        let pair = self.detector.pair(key)?;
        let zero = Vector3::zeros();
        Some(Pressed {
            pair,
            key,
            gap: f64::INFINITY,
            force: zero,
            point: zero,
            normal: zero,
        })
    }

    /// Where the gap solver starts for each pair.
    pub fn warm(&mut self) -> Vec<(Key, Basis)> {
        for c in &self.cushions {
            self.detector.remember(c.key, c.warm);
        }
        self.detector.bases()
    }

    /// Takes over where the gap solver starts.
    pub fn set_warm(&mut self, warm: &[(Key, Basis)]) {
        for (key, basis) in warm {
            self.detector.remember(*key, Some(*basis));
        }
    }
}

impl Cushion {
    fn pressed(&self) -> Pressed {
        let first = self.gradient[0].map_or(Vector3::zeros(), |(_, g)| g.force);
        Pressed {
            pair: self.pair,
            key: self.key,
            gap: self.gap,
            force: first * (self.stiffness * (-self.gap).max(0.0)),
            point: self.point,
            normal: self.normal,
        }
    }

    /// Rate of the gap.
    fn rate(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let sides = self.gradient.iter().flatten();
        sides
            .map(|(b, g)| {
                let (t, d) = (&twists[b.index()], &poses[b.index()].directors);
                g.dot(&t.v, &(hat(&t.w) * d))
            })
            .sum()
    }

    /// ⟨∇gap, q⁺ − q⟩.
    fn moved(&self, increments: &[Increment]) -> f64 {
        let sides = self.gradient.iter().flatten();
        sides
            .map(|(b, g)| {
                let i = &increments[b.index()];
                g.dot(&i.shift, &i.directors)
            })
            .sum()
    }
}
