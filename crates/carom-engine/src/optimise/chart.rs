//! Nodes on charts: q = F_d(u, q̄) and what moves with it, for numbers with or without derivatives.
//!
//! The bodies that joints connect make a [`Component`]; components know nothing of each other. At a
//! node, u are the increments of the joints from the centre q̄ of the chart (thesis (3.24), (3.26),
//! (3.30)), q the redundant coordinates, η = P(q) λ a virtual motion in T_qC, and
//! w = B(q) P(q) λ the rates that the controls work on.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::dual::{M3, Real, V3, exp};
use crate::mechanics::coordinate_count;
use crate::model::{Actuator, Frame, Joint, JointKind, Model, Target};

/// Bodies connected by joints: the unit that is differentiated at once.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// Joints, parents first.
    pub joints: Vec<usize>,
    /// Degrees of freedom among those of the node.
    pub freedoms: Vec<usize>,
    /// First of `freedoms` of each joint.
    first: Vec<usize>,
    /// Coordinates among those of the node.
    pub coordinates: Vec<usize>,
    /// Position of the parent of each joint among `joints`.
    parents: Vec<Option<usize>>,
    /// Actuators that act within it.
    pub actuators: Vec<usize>,
    /// Control components among those of the model.
    pub controls: Vec<usize>,
    /// Whether a degree of freedom shifts the component as a whole: no second derivatives.
    pub shifts: Vec<bool>,
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<T> {
    pub position: V3<T>,
    pub directors: M3<T>,
    /// Rotation from the centre of the chart.
    turn: M3<T>,
}

/// A virtual motion of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving<T> {
    pub v: V3<T>,
    pub w: V3<T>,
}

/// Splits a model into components.
pub(crate) fn components(model: &Model) -> Vec<Component> {
    let starts = coordinate_starts(model);
    let mut out: Vec<Component> = Vec::new();
    let mut home = vec![(0, 0); model.bodies().len()];
    for (j, joint) in model.joints().iter().enumerate() {
        let (c, parent) = match joint.parent {
            Some(p) => (home[p.index()].0, Some(home[p.index()].1)),
            None => {
                out.push(Component {
                    joints: Vec::new(),
                    freedoms: Vec::new(),
                    first: Vec::new(),
                    coordinates: Vec::new(),
                    parents: Vec::new(),
                    actuators: Vec::new(),
                    controls: Vec::new(),
                    shifts: Vec::new(),
                });
                (out.len() - 1, None)
            }
        };
        let component = &mut out[c];
        home[joint.child.index()] = (c, component.joints.len());
        let freedom = model.joint_freedom(j);
        component.first.push(component.freedoms.len());
        component.joints.push(j);
        component.parents.push(parent);
        let range = model.offsets[j]..model.offsets[j] + freedom;
        component.freedoms.extend(range);
        component
            .shifts
            .extend((0..freedom).map(|k| joint.kind == JointKind::Free && k < 3));
        let b = joint.child.index();
        let count = coordinate_count(&model.bodies()[b].kind);
        component.coordinates.extend(starts[b]..starts[b] + count);
    }
    for (a, actuator) in model.actuators().iter().enumerate() {
        let body = match &actuator.target {
            Target::Wrench { body, .. } | Target::Along { body, .. } => Some(*body),
            Target::Joint { joint } => model
                .joints()
                .iter()
                .find(|j| j.id == Some(*joint))
                .map(|j| j.child),
            Target::Points { .. } | Target::Coordinate { .. } => None,
        };
        if let Some(body) = body {
            let component = &mut out[home[body.index()].0];
            component.actuators.push(a);
            component.controls.extend(actuator.range());
        }
    }
    out
}

/// First coordinate of every body among those of a node (static bodies have none).
pub(crate) fn coordinate_starts(model: &Model) -> Vec<usize> {
    let mut at = 0;
    let start = |body: &crate::model::Body| {
        let here = at;
        at += coordinate_count(&body.kind);
        here
    };
    model.bodies().iter().map(start).collect()
}

impl Component {
    /// The chart: F_d(u, q̄), body by body in the order of the joints.
    pub fn place<T: Real>(&self, model: &Model, centre: &[Pose], u: &[T]) -> Vec<Placed<T>> {
        let mut out: Vec<Placed<T>> = Vec::with_capacity(self.joints.len());
        for (k, &j) in self.joints.iter().enumerate() {
            let joint = &model.joints()[j];
            let u = &u[self.first[k]..];
            let child = &centre[joint.child.index()];
            let (parent, here) = match (joint.parent, self.parents[k]) {
                (Some(p), Some(l)) => (centre[p.index()], out[l]),
                _ => (Pose::identity(), world()),
            };
            out.push(place_joint(model, joint, child, &parent, &here, u));
        }
        out
    }

    /// P(q) ν: how the bodies move with joint velocities ν.
    pub fn moving<T: Real>(
        &self,
        model: &Model,
        placed: &[Placed<T>],
        nu: &[f64],
    ) -> Vec<Moving<T>> {
        let mut out: Vec<Moving<T>> = Vec::with_capacity(self.joints.len());
        for (k, &j) in self.joints.iter().enumerate() {
            let joint = &model.joints()[j];
            let (parent, below) = match self.parents[k] {
                Some(l) => (placed[l], out[l]),
                None => (world(), still()),
            };
            let child = &placed[k];
            let lever = match joint.kind {
                JointKind::Rod => parent.directors.apply_to(&joint.anchor_parent),
                _ => child.position - parent.position,
            };
            let mut moving = Moving {
                v: below.v + below.w.cross(&lever),
                w: below.w,
            };
            let nu = &nu[self.first[k]..];
            columns(model, joint, &parent, child, |column, v, w| {
                if nu[column] != 0.0 {
                    let rate = T::of(nu[column]);
                    moving.v = moving.v + v.times(rate);
                    moving.w = moving.w + w.times(rate);
                }
            });
            out.push(moving);
        }
        out
    }

    /// q of the component, one number after the other.
    pub fn coordinates_of<T: Real>(
        &self,
        model: &Model,
        placed: &[Placed<T>],
        mut each: impl FnMut(usize, T),
    ) {
        let mut at = 0;
        for (k, &j) in self.joints.iter().enumerate() {
            let rigid = !model.is_particle(model.joints()[j].child);
            let p = &placed[k];
            let columns = [&p.position].into_iter().chain(&p.directors.0);
            for v in columns.take(if rigid { 4 } else { 1 }) {
                for x in v.0 {
                    each(at, x);
                    at += 1;
                }
            }
        }
    }

    /// η = (φ̇, ω × d₁, ω × d₂, ω × d₃) of all bodies.
    pub fn motion_of<T: Real>(
        &self,
        model: &Model,
        placed: &[Placed<T>],
        moving: &[Moving<T>],
        mut each: impl FnMut(usize, T),
    ) {
        let mut at = 0;
        let mut push = |v: &V3<T>| {
            for x in v.0 {
                each(at, x);
                at += 1;
            }
        };
        for (k, &j) in self.joints.iter().enumerate() {
            push(&moving[k].v);
            if !model.is_particle(model.joints()[j].child) {
                for d in &placed[k].directors.0 {
                    push(&moving[k].w.cross(d));
                }
            }
        }
    }

    /// w: the rate that each control component of the component works on.
    pub fn rates_of<T: Real>(
        &self,
        model: &Model,
        placed: &[Placed<T>],
        moving: &[Moving<T>],
        mut each: impl FnMut(usize, T),
    ) {
        let mut at = 0;
        for &a in &self.actuators {
            let actuator = &model.actuators()[a];
            self.actuator_rates(model, actuator, placed, moving, |k, rate| {
                each(at + k, rate);
            });
            at += actuator.components();
        }
    }

    fn actuator_rates<T: Real>(
        &self,
        model: &Model,
        actuator: &Actuator,
        placed: &[Placed<T>],
        moving: &[Moving<T>],
        mut each: impl FnMut(usize, T),
    ) {
        let find = |test: &dyn Fn(&Joint) -> bool| {
            self.joints
                .iter()
                .position(|&j| test(&model.joints()[j]))
                .unwrap_or(0)
        };
        match &actuator.target {
            Target::Wrench { body, point, frame } => {
                let k = find(&|j| j.child == *body);
                let (p, m) = (&placed[k], &moving[k]);
                let at_point = m.v + m.w.cross(&p.directors.apply_to(point));
                for (first, rate) in [(0, at_point), (3, m.w)] {
                    for k in 0..3 {
                        each(
                            first + k,
                            match frame {
                                Frame::Inertial => rate.0[k],
                                Frame::Body => p.directors.0[k].dot(&rate),
                            },
                        );
                    }
                }
            }
            Target::Along {
                body,
                point,
                frame,
                unit,
            } => {
                let k = find(&|j| j.child == *body);
                let (p, m) = (&placed[k], &moving[k]);
                let axes = match frame {
                    Frame::Inertial => M3::identity(),
                    Frame::Body => p.directors,
                };
                let at_point = m.v + m.w.cross(&p.directors.apply_to(point));
                let [force, torque] = unit.map(|u| axes.apply_to(&u));
                each(0, force.dot(&at_point) + torque.dot(&m.w));
            }
            Target::Joint { joint: id } => {
                let k = find(&|j| j.id == Some(*id));
                let joint = &model.joints()[self.joints[k]];
                let (parent, below) = match self.parents[k] {
                    Some(l) => (placed[l], moving[l]),
                    None => (world(), still()),
                };
                let child = &placed[k];
                let at = child.position + child.directors.apply_to(&joint.anchor_child);
                let speed = |p: &Placed<T>, m: &Moving<T>| m.v + m.w.cross(&(at - p.position));
                let slide = speed(child, &moving[k]) - speed(&parent, &below);
                let turn = moving[k].w - below.w;
                let reversed = joint.reversed && joint.kind == JointKind::Spherical;
                let sign = if reversed { -1.0 } else { 1.0 };
                let slides = slides(joint);
                columns(model, joint, &parent, child, |column, v, w| {
                    let rate = match slides[column] {
                        true => v.dot(&slide),
                        false => w.dot(&turn),
                    };
                    each(column, rate.scale(sign));
                });
            }
            Target::Points { .. } | Target::Coordinate { .. } => {}
        }
    }
}

fn world<T: Real>() -> Placed<T> {
    Placed {
        position: V3::zero(),
        directors: M3::identity(),
        turn: M3::identity(),
    }
}

fn still<T: Real>() -> Moving<T> {
    Moving {
        v: V3::zero(),
        w: V3::zero(),
    }
}

/// Whether each coordinate of a joint slides (a force drives it) or turns (a torque does).
pub(crate) fn slides(joint: &Joint) -> [bool; 6] {
    match joint.kind {
        JointKind::Free => [true, true, true, false, false, false],
        JointKind::Prismatic | JointKind::Rod => [true; 6],
        JointKind::Cylindrical => [true, false, false, false, false, false],
        JointKind::Planar => [true, true, false, false, false, false],
        JointKind::Revolute | JointKind::Spherical | JointKind::Fixed => [false; 6],
    }
}

/// F_d of one joint whose parent is placed already.
fn place_joint<T: Real>(
    model: &Model,
    joint: &Joint,
    child: &Pose,
    parent: &Pose,
    here: &Placed<T>,
    u: &[T],
) -> Placed<T> {
    let arm = child.directors * joint.anchor_child;
    let axis = parent.directors * joint.axis;
    let lever = child.position - parent.position;
    let vector = |k: usize| V3([u[k], u[k + 1], u[k + 2]]);
    let along = |a: &Vector3<f64>, s: T| V3::of(a).times(s);
    if joint.kind == JointKind::Free {
        let particle = model.is_particle(joint.child);
        let turn = if particle {
            M3::identity()
        } else {
            exp(&vector(3))
        };
        return Placed {
            position: V3::of(&child.position) + vector(0),
            directors: turn.times(&M3::of(&child.directors)),
            turn,
        };
    }
    if joint.kind == JointKind::Rod {
        let anchor = parent.directors * joint.anchor_parent;
        let r = child.position - parent.position - anchor;
        let [t1, t2] = across(&V3::<f64>::of(&(r / joint.length)));
        let lean = |t: V3<f64>, s: T| V3(t.0.map(|x| T::of(x) * s));
        let swing = exp(&(lean(t1, u[0]) + lean(t2, u[1])));
        return Placed {
            position: here.position + here.turn.apply_to(&anchor) + swing.apply_to(&r),
            directors: M3::identity(),
            turn: M3::identity(),
        };
    }
    let (turn, slide) = match joint.kind {
        JointKind::Revolute => (here.turn.times(&exp(&along(&axis, u[0]))), None),
        JointKind::Spherical => (here.turn.times(&exp(&vector(0))), None),
        JointKind::Prismatic => (here.turn, Some(along(&axis, u[0]))),
        JointKind::Cylindrical => (
            here.turn.times(&exp(&along(&axis, u[1]))),
            Some(along(&axis, u[0])),
        ),
        JointKind::Planar => {
            let [a, b] = joint.across.map(|t| parent.directors * t);
            (
                here.turn.times(&exp(&along(&axis, u[2]))),
                Some(along(&a, u[0]) + along(&b, u[1])),
            )
        }
        JointKind::Fixed | JointKind::Free | JointKind::Rod => (here.turn, None),
    };
    // The joint point moves with the parent, the child turns about it.
    let mut reach = V3::of(&(lever + arm));
    if let Some(slide) = slide {
        reach = reach + slide;
    }
    Placed {
        position: here.position + here.turn.apply(&reach) - turn.apply_to(&arm),
        directors: turn.times(&M3::of(&child.directors)),
        turn,
    }
}

/// Columns of P that belong to a joint, as (index, velocity, angular velocity) of its child.
fn columns<T: Real>(
    model: &Model,
    joint: &Joint,
    parent: &Placed<T>,
    child: &Placed<T>,
    mut each: impl FnMut(usize, V3<T>, V3<T>),
) {
    let zero = V3::zero();
    let units = M3::<T>::identity().0;
    let arm = || child.directors.apply_to(&joint.anchor_child);
    let axis = || parent.directors.apply_to(&joint.axis);
    let turning = |a: V3<T>| (arm().cross(&a), a);
    match joint.kind {
        JointKind::Free => {
            for k in 0..3 {
                each(k, units[k], zero);
                if !model.is_particle(joint.child) {
                    each(k + 3, zero, units[k]);
                }
            }
        }
        JointKind::Revolute => {
            let (v, w) = turning(axis());
            each(0, v, w);
        }
        JointKind::Prismatic => each(0, axis(), zero),
        JointKind::Cylindrical => {
            each(0, axis(), zero);
            let (v, w) = turning(axis());
            each(1, v, w);
        }
        JointKind::Spherical => {
            for k in 0..3 {
                let (v, w) = turning(units[k]);
                each(k, v, w);
            }
        }
        JointKind::Planar => {
            for k in 0..2 {
                each(k, parent.directors.apply_to(&joint.across[k]), zero);
            }
            let (v, w) = turning(axis());
            each(2, v, w);
        }
        JointKind::Fixed => {}
        JointKind::Rod => {
            let anchor = parent.directors.apply_to(&joint.anchor_parent);
            let r = child.position - parent.position - anchor;
            let [t1, t2] = across(&r.times(T::of(1.0 / joint.length)));
            each(0, t1.cross(&r), zero);
            each(1, t2.cross(&r), zero);
        }
    }
}

/// Two unit vectors perpendicular to the unit vector r and to each other, as in mechanics.
fn across<T: Real>(r: &V3<T>) -> [V3<T>; 2] {
    let [x, y, z] = r.0;
    let sign = 1.0_f64.copysign(z.value());
    let one = T::of(1.0);
    let a = -(one / (T::of(sign) + z));
    let b = x * y * a;
    [
        V3([one + (x * x * a).scale(sign), b.scale(sign), x.scale(-sign)]),
        V3([b, T::of(sign) + y * y * a, -y]),
    ]
}
