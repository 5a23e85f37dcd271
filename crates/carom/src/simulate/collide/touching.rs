//! Contacts at one instant: who touches, how fast they approach, and the jump of momentum.

use nalgebra::Vector3;

use super::island::press_rate;
use super::units::Units;
use super::{Setup, Workspace};
use crate::contact::{
    Bounce, ContactPoint, Detector, GapRow, Grip, Jump, JumpRule, Jumped, Key, Leeway, Outcome,
    Pair, Path, Point, Push, Rows, Stage, Stake, Touch, centre_point, evaluate, gap_of,
};
use crate::mechanics::{Covector, hat, joint_frame};
use crate::model::{BodyKind, Model, Touching};
use crate::simulate::{ContactEvent, ContactKind, PairImpulse, State};

/// The contacts at an instant, as one problem.
#[derive(Debug)]
pub struct Instant {
    pub contacts: Vec<Contact>,
    /// Points of their patches.
    pub points: Vec<ContactPoint>,
    pub rows: Rows,
    /// Velocities of all degrees of freedom.
    pub nu: Vec<f64>,
    /// The problem of Poisson's law: points that touch, and how they rebound.
    problem: Vec<Point>,
    bounces: Vec<Bounce>,
    /// The papers' rules: rows along gaps, then vertices of patches.
    pub touches: Vec<Touch>,
    jump: Jump,
    /// Rates of all rows before the jump.
    before: Vec<f64>,
}

/// How a pair is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Points of its patch may be this far off, and those that jump this far.
    pub within: f64,
    pub near: f64,
    /// Whether it has hit so often, so slowly, that it rebounds no more.
    pub tired: bool,
    /// Change of velocity by forces in a step.
    pub press: &'a [f64],
}

/// A pair that touches.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub pair: Pair,
    pub key: Key,
    pub row: GapRow,
    pub surface: Touching,
    /// Its points in `Instant::points`.
    pub first_point: usize,
    pub point_count: usize,
    /// Its rows along normals, in `Instant::normals`.
    first_normal: usize,
    normal_count: usize,
    /// Approach slower than this comes to rest.
    pub rest_speed: f64,
    /// What forces may change its rate by in a step.
    pub pressed: f64,
}

impl Contact {
    /// Where its points are in `Instant::points`.
    pub fn points(&self) -> std::ops::Range<usize> {
        self.first_point..self.first_point + self.point_count
    }
}

impl Instant {
    pub fn new(model: &Model) -> Self {
        Self {
            rows: Rows::default(),
            jump: Jump::default(),
            nu: vec![0.0; model.freedom()],
            problem: Vec::new(),
            bounces: Vec::new(),
            touches: Vec::new(),
            contacts: Vec::new(),
            points: Vec::new(),
            before: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.problem.clear();
        self.bounces.clear();
        self.touches.clear();
        self.contacts.clear();
        self.points.clear();
    }

    /// Velocities of some units from their momenta.
    pub fn velocities(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        units: &Units,
        which: &[usize],
        state: &State,
    ) {
        units.velocities(model, &mut work.metric, which, state, &mut self.nu);
    }

    /// Adds a pair as it touches in a state.
    pub fn add(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        pair: Pair,
        key: Key,
        state: &State,
        look: &Look,
    ) {
        let mut warm = work.detector.basis(key);
        let row = evaluate(setup.model, &pair, &path(state), &mut warm);
        work.detector.remember(key, warm);
        self.add_known(setup, work, pair, key, row, state, look);
    }

    /// The same of a pair whose gap and gradient are known.
    #[allow(clippy::too_many_arguments)]
    pub fn add_known(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        pair: Pair,
        key: Key,
        row: GapRow,
        state: &State,
        look: &Look,
    ) {
        let model = setup.model;
        let at = path(state);
        let first_point = self.points.len();
        work.faces
            .points(model, &pair, &at, &row, look.within, &mut self.points);
        let own = &self.points[first_point..];
        let surface = setup.touching(work.detector.surface(&pair), own);
        let mut contact = Contact {
            pair,
            key,
            row,
            surface,
            first_point,
            point_count: self.points.len() - first_point,
            first_normal: 0,
            normal_count: 0,
            rest_speed: f64::INFINITY,
            pressed: 0.0,
        };
        if setup.uses_papers_rule() {
            self.add_touches(setup, work, &mut contact, state, look);
        } else {
            self.add_points(setup, work, &mut contact, state, look);
        }
        self.contacts.push(contact);
    }

    /// The points of a contact that touch, for Poisson's law.
    fn add_points(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        c: &mut Contact,
        state: &State,
        look: &Look,
    ) {
        let (model, at) = (setup.model, path(state));
        c.first_normal = self.problem.len();
        let friction = c.surface.friction;
        let all = c.points();
        let touches = |p: &ContactPoint| p.freedom.is_some() || p.gap(&state.poses) <= look.near;
        let any = self.points[all.clone()].iter().any(touches);
        let centre = centre_point(&c.pair, &c.row, &state.poses);
        for k in all {
            let mut p = self.points[k];
            if any && !touches(&p) {
                continue;
            }
            if !any {
                // Nothing of the patch is near: the gap's own point.
                p = centre;
            }
            let first = self.push(model, work, &at, &p, &p.normal(&state.poses));
            let rubs = friction > 0.0 && p.freedom.is_none();
            let mut bias = [0.0; 3];
            if rubs {
                let belt = c.pair.belt(model, &p.a.place(&state.poses));
                let directions = p.rubbing(&c.surface.grains, &state.poses);
                for (k, t) in directions.iter().enumerate() {
                    self.push(model, work, &at, &p, t);
                    bias[1 + k] = belt.map_or(0.0, |v| v.dot(t));
                }
            }
            for row in first..self.rows.len() {
                self.rows
                    .set_drift(row, |b| state.given_twist(model, b.index()));
                bias[row - first] += self.rows.drift(row);
            }
            let pressed = press_rate(&self.rows, first, look.press);
            c.pressed = c.pressed.max(pressed);
            let e = c.surface.restitution;
            let rest_speed = if look.tired {
                f64::INFINITY
            } else {
                setup.rest_speed(e, pressed)
            };
            c.rest_speed = if c.normal_count == 0 {
                rest_speed
            } else {
                c.rest_speed.max(rest_speed)
            };
            c.normal_count += 1;
            self.problem.push(Point {
                first,
                rows: if rubs { 3 } else { 1 },
                bias,
                grip: Grip::Cone { friction },
            });
            self.bounces.push(Bounce {
                contact: self.contacts.len(),
                restitution: if look.tired { 0.0 } else { e },
                ..Bounce::default()
            });
            if !any {
                break;
            }
        }
        for b in &mut self.bounces[c.first_normal..] {
            b.rest_speed = c.rest_speed;
        }
    }

    fn push(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        at: &Path,
        p: &ContactPoint,
        direction: &Vector3<f64>,
    ) -> usize {
        let push = Push::at(p, direction, at.poses);
        self.rows.push(model, &mut work.metric, at, push)
    }

    /// The row along the gap and those of the vertices of the patch, for the papers' rules.
    fn add_touches(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        c: &mut Contact,
        state: &State,
        look: &Look,
    ) {
        let (model, at) = (setup.model, path(state));
        c.first_normal = self.touches.len();
        let push = Push::along(&c.row);
        let owners = work.metric.owners(model, &push.wrenches, push.freedom);
        let normal = self.rows.push(model, &mut work.metric, &at, push);
        let pressed = press_rate(&self.rows, normal, look.press) / c.row.steepness;
        c.pressed = pressed;
        let e = c.surface.restitution;
        c.rest_speed = if look.tired {
            f64::INFINITY
        } else {
            setup.rest_speed(e, pressed)
        };
        let mut touch = Touch {
            normal,
            tangents: None,
            restitution: if look.tired { 0.0 } else { e },
            friction: c.surface.friction,
            steepness: c.row.steepness,
            rest_speed: c.rest_speed,
            owners,
            vertex: false,
            energy: 0.0,
        };
        let rubs = c.surface.friction > 0.0 && c.row.freedom.is_none();
        if rubs {
            let centre = centre_point(&c.pair, &c.row, &state.poses);
            touch.tangents = Some(self.push_tangents(model, work, &at, &centre, c));
        }
        self.touches.push(touch);
        if c.point_count > 1 {
            for k in c.points() {
                let p = self.points[k];
                // Only what touches can jump.
                if p.gap(&state.poses) > look.near {
                    continue;
                }
                let normal = self.push(model, work, &at, &p, &p.normal(&state.poses));
                let tangents = rubs.then(|| self.push_tangents(model, work, &at, &p, c));
                self.touches.push(Touch {
                    normal,
                    tangents,
                    steepness: 1.0,
                    vertex: true,
                    ..touch
                });
            }
        }
        c.normal_count = self.touches.len() - c.first_normal;
    }

    fn push_tangents(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        at: &Path,
        p: &ContactPoint,
        c: &Contact,
    ) -> usize {
        let [t, s] = p.rubbing(&c.surface.grains, at.poses);
        let first = self.push(model, work, at, p, &t);
        self.push(model, work, at, p, &s);
        first
    }

    /// Rows along the normals of a contact, with the steepness of each.
    fn normals(&self, c: &Contact) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = c.first_normal..c.first_normal + c.normal_count;
        let papers = !self.touches.is_empty();
        range.map(move |k| {
            if papers {
                (self.touches[k].normal, self.touches[k].steepness)
            } else {
                (self.problem[k].first, 1.0)
            }
        })
    }

    /// Largest speed of approach of a contact, negative when it opens.
    pub fn approach(&self, c: &Contact) -> f64 {
        self.normals(c)
            .map(|(row, steepness)| {
                -(self.rows.rate(row, &self.nu) + self.rows.drift(row)) / steepness
            })
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Size of the speeds that make up the rates of a contact.
    fn speed_scale(&self, c: &Contact) -> f64 {
        self.normals(c).next().map_or(0.0, |(row, steepness)| {
            let entries = self.rows.entries(row).iter();
            let sum: f64 = entries
                .map(|e| (e.gradient * self.nu[e.freedom]).abs())
                .sum();
            (sum + self.rows.drift(row).abs()) / steepness
        })
    }

    /// Speeds below which a contact neither approaches nor opens.
    fn still(&self, c: &Contact) -> f64 {
        1e-11 * self.speed_scale(c)
    }

    /// Whether a contact approaches so fast that it is an impact.
    pub fn is_fast(&self, c: &Contact) -> bool {
        self.approach(c) > c.rest_speed.max(self.still(c))
    }

    /// Whether a contact neither approaches nor opens fast: it rests.
    pub fn is_slow(&self, c: &Contact) -> bool {
        let rest = if c.rest_speed.is_finite() {
            c.rest_speed
        } else {
            0.0
        };
        -self.approach(c) <= rest.max(self.still(c))
    }

    /// Momentum jumps at all contacts. Returns what was reached and the change of energy.
    pub fn resolve(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        self.note_rates();
        self.finish_jump(setup, work, state)
    }

    /// Notes the rates of all rows before a jump.
    pub fn note_rates(&mut self) {
        self.before.clear();
        let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
        self.before.extend(rates);
    }

    /// Lets all contacts that approach jump.
    pub fn finish_jump(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        if !self.touches.is_empty() {
            return self.papers_jump(setup, work, state);
        }
        let jumped = self.by_poisson(setup, work, state);
        (jumped.outcome, jumped.energy)
    }

    /// The jump of the problem as it is set up.
    fn by_poisson(&mut self, setup: &Setup, work: &mut Workspace, state: &State) -> Jumped {
        let stage = Stage {
            model: setup.model,
            at: path(state),
        };
        work.poisson.jump(
            &mut work.solver,
            &stage,
            &mut work.metric,
            &self.problem,
            &self.bounces,
            &mut self.rows,
            &mut self.nu,
            &Leeway::default(),
        )
    }

    /// The jump by one of the papers' rules; what the sum of gaps leaves approaching jumps by
    /// Poisson's law, so that no order matters.
    fn papers_jump(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        let (rows, nu) = (&mut self.rows, &mut self.nu);
        let energy = |touches: &[Touch]| touches.iter().map(|t| t.energy).sum::<f64>();
        if setup.settings.rule == JumpRule::Sequential {
            let outcome = self.jump.one_by_one(&mut self.touches, rows, nu);
            return (outcome, energy(&self.touches));
        }
        let outcome = Outcome {
            rounds: 1,
            residual: 0.0,
            converged: true,
        };
        if !self.jump.along_sum(&mut self.touches, rows, nu) {
            return (outcome, energy(&self.touches));
        }
        let none = vec![0.0; rows.len()];
        let had = std::mem::replace(&mut rows.lambda, none);
        self.problem.clear();
        self.bounces.clear();
        for (at, c) in self.contacts.iter().enumerate() {
            for t in &self.touches[c.first_normal..c.first_normal + c.normal_count] {
                self.problem.push(Point {
                    first: t.normal,
                    rows: if t.tangents.is_some() { 3 } else { 1 },
                    bias: [0.0; 3],
                    grip: Grip::Cone {
                        friction: t.friction * t.steepness,
                    },
                });
                self.bounces.push(Bounce {
                    contact: at,
                    restitution: t.restitution,
                    rest_speed: t.rest_speed * t.steepness,
                    ..Bounce::default()
                });
            }
        }
        let jumped = self.by_poisson(setup, work, state);
        for (lambda, had) in self.rows.lambda.iter_mut().zip(had) {
            *lambda += had;
        }
        (
            outcome.and(jumped.outcome),
            energy(&self.touches) + jumped.energy,
        )
    }

    /// p += factor · λ ∇gap for all rows.
    pub fn apply(&self, model: &Model, state: &mut State, factor: f64) {
        apply(model, state, &self.rows, factor);
    }

    /// What the jump had at stake.
    pub fn at_stake(&self) -> Stake {
        self.rows.at_stake(&self.nu, |row| self.before[row])
    }

    /// Work of surfaces that move: their part of −Σ λ w.
    pub fn belt_work(&self) -> f64 {
        work_of_belts(&self.problem, &self.rows) + self.rows.given_work()
    }

    /// What every contact that jumped did, and the impulses it gave. Returns the number of events and
    /// the change of energy.
    pub fn events(
        &self,
        time: f64,
        factor: f64,
        (out, pushes): (&mut Vec<ContactEvent>, &mut Vec<PairImpulse>),
    ) -> (u64, f64) {
        let mut count = 0;
        let mut energy = 0.0;
        let row_energy = |row: usize| {
            let now = self.rows.rate(row, &self.nu);
            0.5 * self.rows.lambda[row] * factor * (self.before[row] + now)
        };
        for c in &self.contacts {
            let Some((first, _)) = self.normals(c).next() else {
                continue;
            };
            let fastest = self
                .normals(c)
                .map(|(row, steepness)| {
                    let before = self.before[row] + self.rows.drift(row);
                    (before / steepness, row, steepness)
                })
                .fold(
                    (f64::INFINITY, first, 1.0),
                    |a, b| if b.0 < a.0 { b } else { a },
                );
            let mut event = ContactEvent {
                features: c.row.features,
                speed_before: fastest.0,
                speed_after: (self.rows.rate(fastest.1, &self.nu) + self.rows.drift(fastest.1))
                    / fastest.2,
                ..ContactEvent::at(time, ContactKind::Impact, c.pair, c.row.point, c.row.normal)
            };
            let mut across = Vector3::zeros();
            let mut push = PairImpulse::of(&c.pair);
            for k in c.first_normal..c.first_normal + c.normal_count {
                let (row, steepness, tangents) = if self.touches.is_empty() {
                    let p = &self.problem[k];
                    (p.first, 1.0, (p.rows == 3).then_some(p.first + 1))
                } else {
                    let t = &self.touches[k];
                    (t.normal, t.steepness, t.tangents)
                };
                let lambda = self.rows.lambda[row] * factor;
                event.normal_impulse += lambda * steepness;
                event.impulse += self.rows.direction(row) * lambda;
                event.energy += row_energy(row);
                push.add_row(&self.rows, row, lambda, Some((c.row.point, steepness)));
                for r in tangents.into_iter().flat_map(|first| [first, first + 1]) {
                    across += self.rows.direction(r) * (self.rows.lambda[r] * factor);
                    event.energy += row_energy(r);
                    push.add_row(&self.rows, r, self.rows.lambda[r] * factor, None);
                }
            }
            energy += event.energy;
            if event.normal_impulse == 0.0 {
                continue;
            }
            event.impulse += across;
            event.tangential_impulse = across.norm();
            count += 1;
            out.push(event);
            pushes.push(push);
        }
        (count, energy)
    }
}

/// Work of surfaces that move, at points of a problem whose biases hold their velocities and those of
/// bodies whose motion is given.
pub fn work_of_belts(points: &[Point], rows: &Rows) -> f64 {
    let belts = points.iter().map(|p| {
        let mut belt = *p;
        for k in 0..p.rows {
            belt.bias[k] -= rows.drift(p.first + k);
        }
        work_of_belt(&belt, rows)
    });
    belts.sum()
}

/// Work of the surface that moves at a point: what friction gives beyond what it takes.
pub fn work_of_belt(p: &Point, rows: &Rows) -> f64 {
    match p.rows {
        3 => -(1..3)
            .map(|k| p.bias[k] * rows.lambda[p.first + k])
            .sum::<f64>(),
        _ => 0.0,
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
