//! Contacts at one instant: who touches, how fast they approach, and the jump of momentum.

use carom_gap::gap::Basis;
use nalgebra::Vector3;

use super::Setup;
use super::units::Units;
use crate::contact::{
    ContactPoint, Detector, Faces, GapRow, Jump, Key, MassMetric, Pair, Path, Push, Rows, Touch,
    evaluate, gap_of,
};
use crate::mechanics::{Covector, hat, joint_frame};
use crate::model::{BodyKind, Model, Touching};
use crate::simulate::{ContactEvent, ContactKind, State};

/// Tools to set contacts up and to solve for their impulses.
#[derive(Debug)]
pub struct Kit {
    pub faces: Faces,
    pub metric: MassMetric,
    pub rows: Rows,
    pub jump: Jump,
    /// Velocities of all degrees of freedom.
    pub nu: Vec<f64>,
    pub touches: Vec<Touch>,
    pub contacts: Vec<Contact>,
    pub points: Vec<ContactPoint>,
    before: Vec<f64>,
}

/// A pair that touches.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub pair: Pair,
    pub key: Key,
    pub row: GapRow,
    pub surface: Touching,
    /// Its points in `Kit::points`.
    pub first_point: usize,
    pub point_count: usize,
    /// Its touches in `Kit::touches`: the first at the SSH point, then the points of its patch.
    pub first_touch: usize,
    pub touch_count: usize,
}

impl Kit {
    pub fn new(model: &Model) -> Self {
        Self {
            faces: Faces::new(model),
            metric: MassMetric::new(model),
            rows: Rows::default(),
            jump: Jump::default(),
            nu: vec![0.0; model.freedom()],
            touches: Vec::new(),
            contacts: Vec::new(),
            points: Vec::new(),
            before: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.touches.clear();
        self.contacts.clear();
        self.points.clear();
    }

    /// Velocities of some units from their momenta.
    pub fn velocities(&mut self, model: &Model, units: &Units, which: &[usize], state: &State) {
        units.velocities(model, &mut self.metric, which, state, &mut self.nu);
    }

    /// Adds a pair as it touches in a state; points of its patch may be off by `within`,
    /// but those that jump by `near` only.
    #[allow(clippy::too_many_arguments)]
    pub fn add(
        &mut self,
        setup: &Setup,
        pair: Pair,
        key: Key,
        surface: Touching,
        state: &State,
        warm: &mut Option<Basis>,
        within: f64,
        near: f64,
        tired: bool,
    ) {
        let model = setup.model;
        let at = path(state);
        let row = evaluate(model, &pair, &at, warm);
        let (first_point, first_touch) = (self.points.len(), self.touches.len());
        self.faces
            .points(model, &pair, &at, &row, within, &mut self.points);
        let (restitution, rest_speed) = if tired {
            (0.0, f64::INFINITY)
        } else {
            let e = surface.restitution;
            (e, setup.settings.rest_speed(model, e))
        };
        let push = Push::along(&row);
        let owners = self.metric.owners(model, &push.wrenches, push.freedom);
        let normal = self.rows.push(model, &mut self.metric, &at, push);
        let mut touch = Touch {
            normal,
            tangents: None,
            restitution,
            friction: surface.friction,
            steepness: row.steepness,
            rest_speed,
            owners,
            vertex: false,
            energy: 0.0,
        };
        let point_count = self.points.len() - first_point;
        let rubs = surface.friction > 0.0 && row.freedom.is_none();
        if rubs {
            let centre = crate::contact::centre_point(&pair, &row, &state.poses);
            touch.tangents = Some(self.push_tangents(model, &at, &centre));
        }
        self.touches.push(touch);
        if point_count > 1 {
            for k in first_point..first_point + point_count {
                let p = self.points[k];
                // Only what touches can jump.
                if p.gap(&state.poses) > near {
                    continue;
                }
                let push = Push::at(&p, &p.normal(&state.poses), &state.poses);
                let normal = self.rows.push(model, &mut self.metric, &at, push);
                let tangents = rubs.then(|| self.push_tangents(model, &at, &p));
                self.touches.push(Touch {
                    normal,
                    tangents,
                    steepness: 1.0,
                    vertex: true,
                    ..touch
                });
            }
        }
        self.contacts.push(Contact {
            pair,
            key,
            row,
            surface,
            first_point,
            point_count,
            first_touch,
            touch_count: self.touches.len() - first_touch,
        });
    }

    fn push_tangents(&mut self, model: &Model, at: &Path, p: &ContactPoint) -> usize {
        let [t, s] = p.tangents(at.poses);
        let first = self.rows.len();
        for direction in [t, s] {
            let push = Push::at(p, &direction, at.poses);
            self.rows.push(model, &mut self.metric, at, push);
        }
        first
    }

    /// Largest speed of approach of a contact, negative when it opens; over its SSH point and the
    /// points of its patch.
    pub fn approach(&self, c: &Contact) -> f64 {
        let touches = &self.touches[c.first_touch..c.first_touch + c.touch_count];
        let speeds = touches
            .iter()
            .map(|t| -self.rows.rate(t.normal, &self.nu) / t.steepness);
        speeds.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Size of the speeds that make up the rates of a contact.
    pub fn speed_scale(&self, c: &Contact) -> f64 {
        let t = &self.touches[c.first_touch];
        let entries = self.rows.entries(t.normal).iter();
        let sum: f64 = entries
            .map(|e| (e.gradient * self.nu[e.freedom]).abs())
            .sum();
        sum / t.steepness
    }

    /// Whether a contact approaches so fast that it is an impact.
    pub fn is_fast(&self, c: &Contact) -> bool {
        let rest = self.touches[c.first_touch].rest_speed;
        self.approach(c) > rest.max(1e-11 * self.speed_scale(c))
    }

    /// Whether a contact neither approaches nor opens fast: it rests.
    pub fn is_slow(&self, c: &Contact) -> bool {
        let t = &self.touches[c.first_touch];
        let rest = if t.rest_speed.is_finite() {
            t.rest_speed
        } else {
            0.0
        };
        -self.approach(c) <= rest.max(1e-11 * self.speed_scale(c))
    }

    /// Momentum jumps at all contacts.
    pub fn resolve(&mut self, setup: &Setup) {
        self.note_rates();
        self.finish_jump(setup);
    }

    /// Notes the rates of all contacts before a jump.
    pub fn note_rates(&mut self) {
        self.before.clear();
        let rates = self.touches.iter();
        self.before
            .extend(rates.map(|t| self.rows.rate(t.normal, &self.nu)));
    }

    /// Lets all contacts that approach jump.
    pub fn finish_jump(&mut self, setup: &Setup) {
        self.jump.resolve(
            &mut self.touches,
            &mut self.rows,
            &mut self.nu,
            setup.settings.rule,
        );
    }

    /// p += factor · λ ∇gap for all rows.
    pub fn apply(&self, model: &Model, state: &mut State, factor: f64) {
        apply(model, state, &self.rows, factor);
    }

    /// What every contact that jumped did. Returns the number of events and the change of energy.
    pub fn events(&self, time: f64, factor: f64, out: &mut Vec<ContactEvent>) -> (u64, f64) {
        let mut count = 0;
        let mut energy = 0.0;
        for c in &self.contacts {
            let touches = c.first_touch..c.first_touch + c.touch_count;
            let mut event = ContactEvent {
                time,
                kind: ContactKind::Impact,
                pair: c.pair,
                features: c.row.features,
                point: c.row.point,
                normal: c.row.normal,
                impulse: Vector3::zeros(),
                normal_impulse: 0.0,
                tangential_impulse: 0.0,
                speed_before: self.before[c.first_touch] / c.row.steepness,
                speed_after: self.rows.rate(self.touches[c.first_touch].normal, &self.nu)
                    / c.row.steepness,
                energy: 0.0,
            };
            let mut across = Vector3::zeros();
            for t in &self.touches[touches] {
                let lambda = self.rows.lambda[t.normal] * factor;
                event.normal_impulse += lambda * t.steepness;
                event.impulse += self.rows.direction(t.normal) * lambda;
                event.energy += t.energy;
                if let Some(first) = t.tangents {
                    for r in [first, first + 1] {
                        across += self.rows.direction(r) * (self.rows.lambda[r] * factor);
                    }
                }
            }
            if event.normal_impulse == 0.0 {
                continue;
            }
            event.impulse += across;
            event.tangential_impulse = across.norm();
            energy += event.energy;
            count += 1;
            out.push(event);
        }
        (count, energy)
    }
}

pub fn path(state: &State) -> Path<'_> {
    Path {
        poses: &state.poses,
        coordinates: &state.coordinates,
    }
}

/// Gap of a pair in a state.
pub fn gap_in(model: &Model, detector: &mut Detector, pair: &Pair, key: Key, state: &State) -> f64 {
    let mut warm = detector.basis(key);
    let gap = gap_of(model, pair, &path(state), &mut warm);
    detector.remember(key, warm);
    gap
}

/// p += factor · λ ∇gap for all rows.
pub fn apply(model: &Model, state: &mut State, rows: &Rows, factor: f64) {
    for row in 0..rows.len() {
        let lambda = rows.lambda[row] * factor;
        if lambda == 0.0 {
            continue;
        }
        let push = rows.pushed(row);
        match push.freedom {
            Some((k, sign)) if k >= model.tree_freedom => {
                state.coordinate_momenta[k - model.tree_freedom] += lambda * sign;
            }
            Some((k, sign)) => push_joint(model, state, k, lambda * sign),
            None => {}
        }
        for (body, w) in push.wrenches.iter().flatten() {
            let k = body.index();
            let p = match model.body(*body).kind {
                BodyKind::Rigid { .. } => Covector {
                    force: w.force,
                    directors: hat(&w.torque) * state.poses[k].directors * 0.5,
                },
                BodyKind::Particle { .. } => Covector {
                    force: w.force,
                    ..Covector::default()
                },
                BodyKind::Static => continue,
            };
            state.momenta[k].add(&p, lambda);
        }
    }
}

/// Adds an impulse along one degree of freedom of a joint: equal and opposite on child and parent.
fn push_joint(model: &Model, state: &mut State, freedom: usize, impulse: f64) {
    let j = model.offsets.partition_point(|&o| o <= freedom) - 1;
    let joint = &model.joints()[j];
    let frame = joint_frame(model, &state.poses, joint);
    let column = frame.columns[freedom - model.offsets[j]];
    let turning = column.w != Vector3::zeros();
    let at = state.poses[joint.child.index()].point(&joint.anchor_child);
    for (body, sign) in [(Some(joint.child), 1.0), (joint.parent, -1.0)] {
        let Some(b) = body else { continue };
        let k = b.index();
        let force = if turning { Vector3::zeros() } else { column.v };
        let torque = if turning {
            column.w
        } else {
            (at - state.poses[k].position).cross(&column.v)
        };
        let p = Covector {
            force,
            directors: hat(&torque) * state.poses[k].directors * 0.5,
        };
        state.momenta[k].add(&p, impulse * sign);
    }
}
