//! The state of a simulation: everything needed to go on, bit for bit.

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::{ContactKind, SimulateError};
use crate::contact::{ContactPoint, Key, Path};
use crate::mechanics::{
    Covector, NO_WRENCH, Twist, Wrench, add_along, carry, hat, joint_coordinate_rate, joint_frame,
    joint_rows, law_coordinate, linkage, momentum,
};
use crate::model::{Body, BodyId, BodyKind, Hold, Model};

/// Time, configuration and momentum (q, p), with the guess for the next Newton step.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// What time lost to rounding so far.
    pub time_carry: f64,
    /// Pose of every body (directors of particles are the identity).
    pub poses: Vec<Pose>,
    /// Momentum p ∈ T*Q of every body.
    pub momenta: Vec<Covector>,
    /// Coordinates of all linkages.
    pub coordinates: Vec<f64>,
    /// Their momenta.
    pub coordinate_momenta: Vec<f64>,
    /// What each position lost to rounding so far: steps add to it, so that a million equal steps
    /// end where one long step would.
    pub carry: Vec<Vector3<f64>>,
    /// What the last step left of the balance Pᵀ(q)[p + D₁L_d + f⁻], a few units of round-off: the
    /// next step makes up for it, so that momentum does not wander.
    pub unbalanced: Vec<f64>,
    /// Joint velocities and rates of coordinates: the guess for the next step.
    pub guess: Vec<f64>,
    /// Contacts that rest or hold, in the order of their keys.
    pub standing: Vec<Standing>,
    /// Impulses at the points of resting contacts, in the order of their keys: the guess for the
    /// next step.
    pub impulses: Vec<PointImpulse>,
    /// Where the gap solver starts for each pair; only in a snapshot.
    pub warm: Vec<(Key, Basis)>,
}

/// What a point of a resting contact gave in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointImpulse {
    /// The pair.
    pub key: Key,
    /// The point, in the frame of the first body.
    pub place: Vector3<f64>,
    /// Impulse along the normal and across it, at the start of the step.
    pub start: [f64; 3],
    /// The same at its end.
    pub end: [f64; 3],
}

/// A contact that rests or holds.
#[derive(Debug, PartialEq)]
pub struct Standing {
    /// The pair.
    pub key: Key,
    /// How it stands: resting, sliding or sticking.
    pub kind: ContactKind,
    /// Points it holds at as a joint; none if it only rests.
    pub points: Vec<ContactPoint>,
    /// As which joint it holds.
    pub hold: Hold,
}

impl Standing {
    /// Whether it holds as a joint.
    pub fn is_held(&self) -> bool {
        !self.points.is_empty()
    }
}

impl Clone for Standing {
    fn clone(&self) -> Self {
        Self {
            points: self.points.clone(),
            ..*self
        }
    }

    /// Its list of points is filled again.
    fn clone_from(&mut self, other: &Self) {
        let mut points = std::mem::take(&mut self.points);
        points.clone_from(&other.points);
        *self = Self { points, ..*other };
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        // Taken apart without `..`: a new field must be copied below, too.
        let State {
            time,
            time_carry,
            poses,
            momenta,
            coordinates,
            coordinate_momenta,
            carry,
            unbalanced,
            guess,
            standing,
            impulses,
            warm,
        } = self;
        Self {
            time: *time,
            time_carry: *time_carry,
            poses: poses.clone(),
            momenta: momenta.clone(),
            coordinates: coordinates.clone(),
            coordinate_momenta: coordinate_momenta.clone(),
            carry: carry.clone(),
            unbalanced: unbalanced.clone(),
            guess: guess.clone(),
            standing: standing.clone(),
            impulses: impulses.clone(),
            warm: warm.clone(),
        }
    }

    /// Copies into the storage that is there.
    fn clone_from(&mut self, other: &Self) {
        self.time = other.time;
        self.time_carry = other.time_carry;
        self.poses.clone_from(&other.poses);
        self.momenta.clone_from(&other.momenta);
        self.coordinates.clone_from(&other.coordinates);
        self.coordinate_momenta
            .clone_from(&other.coordinate_momenta);
        self.carry.clone_from(&other.carry);
        self.unbalanced.clone_from(&other.unbalanced);
        self.guess.clone_from(&other.guess);
        self.standing.clone_from(&other.standing);
        self.impulses.clone_from(&other.impulses);
        self.warm.clone_from(&other.warm);
    }
}

impl State {
    /// The start of a model. Velocities that its joints do not allow are an error.
    pub fn start(model: &Model) -> Result<Self, SimulateError> {
        let start = |b: &Body| b.given(0.0).map_or(b.start, |(pose, _)| pose);
        let poses: Vec<Pose> = model.bodies().iter().map(start).collect();
        let given: Vec<Twist> = model
            .bodies()
            .iter()
            .map(|b| match b.kind {
                BodyKind::Static => Twist::default(),
                BodyKind::Particle { .. } => Twist {
                    v: b.velocity,
                    w: Default::default(),
                },
                BodyKind::Rigid { .. } => Twist {
                    v: b.velocity,
                    w: b.angular_velocity,
                },
            })
            .collect();
        let (nu, fitted) = fit(model, &poses, &given)?;
        let mut coordinates = Vec::new();
        let mut rates = Vec::new();
        let mut coordinate_momenta = Vec::new();
        for l in model.linkages() {
            let q: Vec<f64> = l.spec.coordinates.iter().map(|c| c.start).collect();
            let v: Vec<f64> = l.spec.coordinates.iter().map(|c| c.rate).collect();
            let mut mass = Vec::new();
            linkage::mass_matrix(l, &q, &mut linkage::End::default(), &mut mass);
            let rows = mass.chunks_exact(v.len());
            let p = rows.map(|row| row.iter().zip(&v).map(|(m, v)| m * v).sum::<f64>());
            coordinate_momenta.extend(p);
            coordinates.extend(q);
            rates.extend(v);
        }
        let mut state = Self {
            time: 0.0,
            time_carry: 0.0,
            poses,
            momenta: vec![Covector::default(); model.bodies().len()],
            carry: vec![Vector3::zeros(); model.bodies().len()],
            unbalanced: vec![0.0; model.tree_freedom],
            coordinates,
            coordinate_momenta,
            guess: nu.into_iter().chain(rates).collect(),
            standing: Vec::new(),
            impulses: Vec::new(),
            warm: Vec::new(),
        };
        state.set_velocities(model, &fitted);
        Ok(state)
    }

    /// Moves time on, keeping count of what rounding loses: a thousand steps of 0.1 end at 100.
    pub(crate) fn tick(&mut self, h: f64) {
        let wanted = h + self.time_carry;
        let next = self.time + wanted;
        self.time_carry = wanted - (next - self.time);
        self.time = next;
    }

    /// How a pair holds as a joint, if it does.
    pub fn held(&self, key: Key) -> Option<&Standing> {
        self.standing.iter().find(|s| s.key == key && s.is_held())
    }

    /// Momentum of a body as force and torque about its origin; particles have no spin.
    #[inline]
    pub fn momentum(&self, model: &Model, k: usize) -> Wrench {
        match model.bodies()[k].kind {
            BodyKind::Rigid { .. } => self.momenta[k].wrench(&self.poses[k].directors),
            BodyKind::Particle { .. } => Wrench {
                force: self.momenta[k].force,
                torque: Vector3::zeros(),
            },
            BodyKind::Static => NO_WRENCH,
        }
    }

    /// Puts bodies whose motion is given where they are at a time. Their momenta hold their velocities, as
    /// those of a body of unit mass and inertia would.
    pub(super) fn set_given(
        &mut self,
        model: &Model,
        time: f64,
        bodies: impl Iterator<Item = usize>,
    ) {
        for k in bodies {
            if let Some((pose, [v, w])) = model.bodies()[k].given(time) {
                self.poses[k] = pose;
                self.momenta[k] = momentum(&UNIT, &pose, &Twist { v, w });
            }
        }
    }

    /// Velocity of a body whose motion is given; zero for others.
    pub(super) fn given_twist(&self, model: &Model, k: usize) -> Twist {
        if model.bodies()[k].motion.is_none() {
            return Twist::default();
        }
        let p = self.momenta[k].wrench(&self.poses[k].directors);
        Twist {
            v: p.force,
            w: p.torque,
        }
    }

    /// Its configuration.
    pub(super) fn path(&self) -> Path<'_> {
        Path {
            poses: &self.poses,
            coordinates: &self.coordinates,
        }
    }

    /// How far a point of any body may move within a step, generously.
    pub(super) fn reach(&self, model: &Model, h: f64) -> f64 {
        let bodies = model.bodies().iter().enumerate();
        let speeds = bodies.map(|(k, body)| match &body.kind {
            BodyKind::Static => {
                let t = self.given_twist(model, k);
                t.v.norm() + t.w.norm() * body.reach()
            }
            BodyKind::Particle { mass } => self.momenta[k].force.norm() / mass,
            BodyKind::Rigid { mass, euler_tensor } => {
                let p = self.momentum(model, k);
                let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
                let least = inertia.diagonal().min().max(f64::MIN_POSITIVE);
                p.force.norm() / mass + p.torque.norm() / least * body.reach()
            }
        });
        let fastest = speeds.fold(0.0, f64::max);
        2.0 * h * (fastest + h * model.forces().gravity.norm()) + 1e-9
    }

    /// Sets p = M q̇ for twists the joints allow.
    pub fn set_velocities(&mut self, model: &Model, twists: &[Twist]) {
        for (k, body) in model.bodies().iter().enumerate() {
            self.momenta[k] = momentum(&body.kind, &self.poses[k], &twists[k]);
        }
        self.set_given(
            model,
            self.time,
            (0..model.bodies().len()).filter(|k| model.bodies()[*k].motion.is_some()),
        );
        // Rotors have momentum J θ̇ along their joints.
        for law in model.joint_laws() {
            if let (Some(j), Some(row)) = (law.joint, law_coordinate(model, law, &self.poses)) {
                let rate = joint_coordinate_rate(&model.joints()[j], 0, &self.poses, twists);
                let p = law.physics.armature * rate.unwrap_or(0.0);
                add_along(model, law, &row, p, &mut self.momenta);
            }
        }
    }
}

/// A body of unit mass and inertia: tr(E) I − E = I.
const UNIT: BodyKind = BodyKind::Rigid {
    mass: 1.0,
    euler_tensor: Matrix3::new(0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5),
};

/// Joint velocities whose twists are the given ones, joint by joint; an error where a joint does not
/// allow what its child was given.
fn fit(
    model: &Model,
    poses: &[Pose],
    given: &[Twist],
) -> Result<(Vec<f64>, Vec<Twist>), SimulateError> {
    let mut nu = vec![0.0; model.tree_freedom];
    let mut twists = vec![Twist::default(); poses.len()];
    let off_by = |child: BodyId, got: &Twist| {
        let want = &given[child.index()];
        let spin = if model.is_particle(child) {
            0.0
        } else {
            (got.w - want.w).norm()
        };
        let off = (got.v - want.v).norm() + spin;
        let fits = off <= 1e-6 * (1.0 + want.v.norm() + want.w.norm());
        fits.then_some(()).ok_or_else(|| SimulateError::Velocity {
            body: model.body(child).name.clone(),
            off,
        })
    };
    for (j, joint) in model.joints().iter().enumerate() {
        let frame = joint_frame(model, poses, joint);
        let parent = joint.parent.map_or(Twist::default(), |p| twists[p.index()]);
        let carried = carry(&frame, &parent, &[]);
        let want = given[joint.child.index()];
        // Least squares on what the joint must add; a particle has no spin to fit.
        let rows = if model.is_particle(joint.child) { 3 } else { 6 };
        let columns = DMatrix::from_fn(rows, frame.freedom, |r, c| frame.columns[c].vector()[r]);
        let wanted = want.vector() - carried.vector();
        let rhs = DVector::from_fn(rows, |r, _| wanted[r]);
        let range = model.offsets[j]..model.offsets[j] + frame.freedom;
        if frame.freedom > 0
            && let Ok(x) = columns.svd(true, true).solve(&rhs, 1e-12)
        {
            nu[range.clone()].copy_from_slice(x.as_slice());
        }
        let mut twist = carry(&frame, &parent, &nu[range]);
        off_by(joint.child, &twist)?;
        if model.is_particle(joint.child) {
            twist.w = Vector3::zeros();
        }
        twists[joint.child.index()] = twist;
    }
    // Loops must not open either.
    let mut rows = Vec::new();
    for joint in model.closures() {
        rows.clear();
        joint_rows(joint, poses, &mut rows);
        let push = |covector: &Covector, body: BodyId| {
            let (t, d) = (&twists[body.index()], &poses[body.index()].directors);
            covector.dot(&t.v, &(hat(&t.w) * d))
        };
        for row in &rows {
            let rate =
                push(&row.child, joint.child) + joint.parent.map_or(0.0, |p| push(&row.parent, p));
            let t = &given[joint.child.index()];
            if rate.abs() > 1e-6 * (1.0 + t.v.norm() + t.w.norm()) {
                return Err(SimulateError::Velocity {
                    body: model.body(joint.child).name.clone(),
                    off: rate.abs(),
                });
            }
        }
    }
    // Nor may gears slip.
    for coupling in model.couplings() {
        let [a, b] = coupling.freedoms.map(|f| nu[f]);
        let off = (a - coupling.ratio * b).abs();
        if off > 1e-6 * (1.0 + a.abs() + (coupling.ratio * b).abs()) {
            let child = model.joints()[coupling.joints[0]].child;
            return Err(SimulateError::Velocity {
                body: model.body(child).name.clone(),
                off,
            });
        }
    }
    Ok((nu, twists))
}
