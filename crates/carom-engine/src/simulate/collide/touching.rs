//! Contacts at one instant: who touches, and how fast they approach.

use nalgebra::Vector3;

use super::island::press_rate;
use super::{Setup, Workspace};
use crate::contact::{
    Bases, Bounce, ContactPoint, GapRow, Grip, Jump, Key, Pair, Path, Point, Push, Rows, Touch,
    centre_point, evaluate, gap_of,
};
use crate::mechanics::Parts;
use crate::model::{Model, Touching};
use crate::simulate::State;

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
    pub(super) problem: Vec<Point>,
    pub(super) bounces: Vec<Bounce>,
    /// The papers' rules: rows along gaps, then vertices of patches.
    pub touches: Vec<Touch>,
    pub(super) jump: Jump,
    /// Rates of all rows before the jump.
    pub(super) before: Vec<f64>,
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
    pub(super) first_normal: usize,
    pub(super) normal_count: usize,
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
        units: &Parts,
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
        let mut warm = work.bases.of(key);
        let row = evaluate(setup.model, &pair, &path(state), &mut warm);
        work.bases.remember(key, warm);
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
        let surface = setup.touching(work.surfaces.of(&pair), own);
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
        let owners = work.metric.owners(&push.wrenches, push.freedom);
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
    pub(super) fn normals(&self, c: &Contact) -> impl Iterator<Item = (usize, f64)> + '_ {
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
}

pub fn path(state: &State) -> Path<'_> {
    Path {
        poses: &state.poses,
        coordinates: &state.coordinates,
    }
}

/// Gap of a pair in a state.
pub fn gap_in(model: &Model, bases: &mut Bases, pair: &Pair, key: Key, state: &State) -> f64 {
    let mut warm = bases.of(key);
    let gap = gap_of(model, pair, &path(state), &mut warm);
    bases.remember(key, warm);
    gap
}
