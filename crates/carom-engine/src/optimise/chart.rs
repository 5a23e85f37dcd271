//! Nodes on charts: q = F_d(u, q̄) and what moves with it, for numbers with or without derivatives.
//!
//! The bodies that joints connect make a [`Component`]; components know nothing of each other. At a
//! node, u are the increments of the joints from the centre q̄ of the chart (thesis (3.24), (3.26),
//! (3.30)), q the redundant coordinates, η = P(q) λ a virtual motion in T_qC, and
//! w = B(q) P(q) λ the rates that the controls work on.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};
use smallvec::SmallVec;

use crate::mechanics::numbers::{matrix, vector};
use crate::mechanics::{
    Increment, JointFrame, Part, Parts, Place, Real, Ties, Twist, actuator_wrenches, carry,
    coordinate_count, coordinate_starts, joint_frame_at, joint_increment, parent_pose, rates,
};
use crate::model::{BodyId, JointKind, Model, Target};

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
    pub position: Vector3<T>,
    pub directors: Matrix3<T>,
}

impl<T: Real> Place<T> for Placed<T> {
    fn position(&self) -> &Vector3<T> {
        &self.position
    }
    fn directors(&self) -> &Matrix3<T> {
        &self.directors
    }
}

/// Where the bodies of a component are, and how they move: most have one or two.
type Bodies<T> = SmallVec<[Placed<T>; 2]>;
type Moving<T> = SmallVec<[Twist<T>; 2]>;

/// What a control component does to a body: (component, body, force, torque).
type Wrench<T> = (usize, usize, Vector3<T>, Vector3<T>);

/// A component at a node: where its bodies are, what their joints let them do, and what controls push.
#[derive(Clone, Debug)]
pub(crate) struct Chart<'a, T> {
    component: &'a Component,
    model: &'a Model,
    pub placed: Bodies<T>,
    frames: SmallVec<[JointFrame<T>; 1]>,
    /// Wrenches of control components.
    pushes: SmallVec<[Wrench<T>; 2]>,
}

/// Splits a model into components: its [parts](Parts) whose ties are joints of the tree.
pub(crate) fn components(model: &Model) -> Vec<Component> {
    let starts = coordinate_starts(model);
    let parts = Parts::of(model, Ties::Tree);
    let mut place = vec![0; model.bodies().len()];
    let component = |part: &Part| {
        let mut out = Component {
            joints: part.joints.clone(),
            freedoms: part.freedoms.clone(),
            first: Vec::new(),
            coordinates: Vec::new(),
            parents: Vec::new(),
            actuators: Vec::new(),
            controls: Vec::new(),
            shifts: Vec::new(),
        };
        for (k, &j) in part.joints.iter().enumerate() {
            let joint = &model.joints()[j];
            let b = joint.child.index();
            place[b] = k;
            out.parents.push(joint.parent.map(|p| place[p.index()]));
            out.first.push(out.shifts.len());
            let freedom = model.joint_freedom(j);
            let shifts = (0..freedom).map(|k| joint.kind == JointKind::Free && k < 3);
            out.shifts.extend(shifts);
            let count = coordinate_count(&model.bodies()[b].kind);
            out.coordinates.extend(starts[b]..starts[b] + count);
        }
        out
    };
    let mut out: Vec<Component> = parts.trees().map(component).collect();
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
            let component = &mut out[parts.of_body(body.index())];
            component.actuators.push(a);
            component.controls.extend(actuator.range());
        }
    }
    out
}

impl Component {
    /// The chart: F_d(u, q̄), body by body in the order of the joints.
    pub fn place<T: Real>(&self, model: &Model, centre: &[Pose], u: &[T]) -> Bodies<T> {
        let mut moved: SmallVec<[Increment<T>; 1]> = SmallVec::with_capacity(self.joints.len());
        let mut out = Bodies::with_capacity(self.joints.len());
        for (k, &j) in self.joints.iter().enumerate() {
            let joint = &model.joints()[j];
            let child = &centre[joint.child.index()];
            let parent = parent_pose(joint, centre);
            let before = self.parents[k].map(|l: usize| &moved[l]);
            let own = &u[self.first[k]..];
            let increment = joint_increment(model, joint, parent, child, before, own);
            out.push(Placed {
                position: vector(&child.position) + increment.shift,
                directors: matrix(&child.directors) + increment.directors,
            });
            moved.push(increment);
        }
        out
    }

    /// q of the component, one number after the other.
    pub fn coordinates_of<T: Real>(
        &self,
        model: &Model,
        placed: &[Placed<T>],
        each: impl FnMut(usize, T),
    ) {
        let vectors = |k: usize| {
            let d = |i: usize| placed[k].directors.column(i).into_owned();
            [placed[k].position, d(0), d(1), d(2)]
        };
        self.list(model, vectors, each);
    }

    /// Four vectors of each body, of a particle the first one, number after number.
    fn list<T: Real>(
        &self,
        model: &Model,
        vectors: impl Fn(usize) -> [Vector3<T>; 4],
        mut each: impl FnMut(usize, T),
    ) {
        let mut at = 0;
        for (k, &j) in self.joints.iter().enumerate() {
            let rigid = !model.is_particle(model.joints()[j].child);
            for v in &vectors(k)[..if rigid { 4 } else { 1 }] {
                for x in v {
                    each(at, *x);
                    at += 1;
                }
            }
        }
    }

    /// Where the bodies are, what their joints let them do there, and what controls push.
    pub fn chart<'a, T: Real>(
        &'a self,
        model: &'a Model,
        centre: &[Pose],
        u: &[T],
    ) -> Chart<'a, T> {
        let placed = self.place(model, centre, u);
        let world = world();
        let home = |k: Option<usize>| k.map_or(&world, |k| &placed[k]);
        let mut frames = SmallVec::with_capacity(self.joints.len());
        for (k, &j) in self.joints.iter().enumerate() {
            let (parent, child) = (home(self.parents[k]), &placed[k]);
            frames.push(joint_frame_at(model, &model.joints()[j], parent, child));
        }
        let at = |body: BodyId| {
            let own = |&j: &usize| model.joints()[j].child == body;
            self.joints.iter().position(own)
        };
        let mut pushes = SmallVec::with_capacity(2 * self.controls.len());
        let mut first = 0;
        for &a in &self.actuators {
            let actuator = &model.actuators()[a];
            let count = actuator.components();
            for k in 0..count {
                let mut tau = [T::of(0.0); 6];
                tau[k] = T::of(1.0);
                let place = |body: Option<BodyId>| home(body.and_then(at));
                let frame = |joint: usize| {
                    let own = self.joints.iter().position(|&j| j == joint);
                    frames[own.unwrap_or(0)]
                };
                let tau = &tau[..count];
                actuator_wrenches(model, actuator, tau, place, frame, |body, force, torque| {
                    pushes.extend(at(body).map(|l| (first + k, l, force, torque)));
                });
            }
            first += count;
        }
        Chart {
            component: self,
            model,
            placed,
            frames,
            pushes,
        }
    }
}

impl<T: Real> Chart<'_, T> {
    /// P(q) ν: how the bodies move with joint velocities ν.
    pub fn moving(&self, nu: &[f64]) -> Moving<T> {
        let first = |k: usize| self.component.first[k];
        self.carried(|k, frame, below| carry(frame, below, &nu[first(k)..]))
    }

    /// How the bodies move with the velocity of one degree of freedom.
    pub fn moving_along(&self, freedom: usize) -> Moving<T> {
        self.carried(|k, frame, below| {
            let own = freedom.wrapping_sub(self.component.first[k]);
            match own < frame.freedom {
                true => frame.columns[own],
                false => carry(frame, below, &[]),
            }
        })
    }

    fn carried(&self, twist: impl Fn(usize, &JointFrame<T>, &Twist<T>) -> Twist<T>) -> Moving<T> {
        let mut out = Moving::with_capacity(self.frames.len());
        for (k, frame) in self.frames.iter().enumerate() {
            let below = self.component.parents[k].map_or(Twist::still(), |l| out[l]);
            out.push(twist(k, frame, &below));
        }
        out
    }

    /// η = (φ̇, ω × d₁, ω × d₂, ω × d₃) of all bodies, one number after the other.
    pub fn motion(&self, moving: &[Twist<T>], each: impl FnMut(usize, T)) {
        let vectors = |k: usize| rates(&moving[k], &self.placed[k].directors);
        self.component.list(self.model, vectors, each);
    }

    /// w: the rate that each control component works on, in parts that add up.
    pub fn rates(&self, moving: &[Twist<T>], mut each: impl FnMut(usize, T)) {
        for (k, body, force, torque) in &self.pushes {
            let m = &moving[*body];
            // Most parts of a push are nothing: products of numbers with derivatives are dearer than a look.
            let mut sum = T::of(0.0);
            for i in 0..3 {
                if force[i] != T::of(0.0) {
                    sum += force[i] * m.v[i];
                }
                if torque[i] != T::of(0.0) {
                    sum += torque[i] * m.w[i];
                }
            }
            each(*k, sum);
        }
    }
}

fn world<T: Real>() -> Placed<T> {
    Placed {
        position: vector(&Vector3::zeros()),
        directors: matrix(&Matrix3::identity()),
    }
}
