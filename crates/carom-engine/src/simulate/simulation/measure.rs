//! What a run measures of its state: velocities, energies, momenta, forces in joints.

use nalgebra::Vector3;

use super::Simulation;
use crate::mechanics::{
    Twist, carry, dense, inertia, joint_frame, joint_potential, linkage, potential, potential_with,
};
use crate::model::{BodyKind, JointKind};
use crate::simulate::Reaction;
use crate::simulate::ledger::Totals;
use crate::simulate::scheme::Stepping;

impl Simulation {
    /// Twists of all bodies from the projected momentum; joint velocities are in `scratch.nu`.
    pub(super) fn solve_velocities(&mut self) {
        let s = &mut self.scratch;
        let model = &*self.model;
        for (k, w) in s.wrenches.iter_mut().enumerate() {
            *w = self.state.momentum(model, k);
        }
        self.velocity
            .solve(model, &self.state.poses, &mut s.wrenches, &mut s.nu);
        for (k, twist) in s.twists.iter_mut().enumerate() {
            if model.bodies()[k].motion.is_some() {
                *twist = self.state.given_twist(model, k);
            }
        }
        for (j, joint) in model.joints().iter().enumerate() {
            let first = model.offsets[j];
            let nu = &s.nu[first..first + model.joint_freedom(j)];
            s.twists[joint.child.index()] = match nu {
                // A free body: velocities are the twist.
                [x, y, z, rest @ ..] if joint.kind == JointKind::Free => Twist {
                    v: Vector3::new(*x, *y, *z),
                    w: match rest {
                        [x, y, z] => Vector3::new(*x, *y, *z),
                        _ => Vector3::zeros(),
                    },
                },
                _ => {
                    let frame = joint_frame(model, &self.state.poses, joint);
                    let parent = joint
                        .parent
                        .map_or(Twist::default(), |p| s.twists[p.index()]);
                    let mut twist = carry(&frame, &parent, nu);
                    if model.is_particle(joint.child) {
                        twist.w = Vector3::zeros();
                    }
                    twist
                }
            };
        }
    }

    /// Energy and momentum now.
    pub fn totals(&self) -> Totals {
        self.now
    }

    /// V at the present state.
    fn potential(&self) -> f64 {
        let (model, share, poses) = (&*self.model, &self.share, &self.state.poses);
        match self.scheme.elastic_energy(poses) {
            Some(elastic) => potential_with(model, share, poses, elastic),
            None => potential(model, share, poses),
        }
    }

    /// Finds velocities, energy and momentum of the present state.
    pub(super) fn measure(&mut self) -> Totals {
        self.solve_velocities();
        let model = &*self.model;
        let mut t = Totals {
            potential: self.potential()
                + joint_potential(model, &self.share, &self.state.poses)
                + self.cushions,
            ..Totals::default()
        };
        for law in model.joint_laws() {
            match law.joint {
                Some(_) => {
                    let rate = self.scratch.nu[law.freedom];
                    t.kinetic += 0.5 * law.physics.armature * rate * rate;
                }
                None => {
                    let q = self.state.coordinates[law.freedom - model.tree_freedom];
                    t.potential += law.potential(q);
                }
            }
        }
        for (k, body) in model.bodies().iter().enumerate() {
            let (twist, pose) = (&self.scratch.twists[k], &self.state.poses[k]);
            let (p, l) = match &body.kind {
                BodyKind::Rigid { mass, euler_tensor } => {
                    // J ω = tr(E) ω − D E Dᵀ ω
                    let d = &pose.directors;
                    let turned = d * (euler_tensor * d.tr_mul(&twist.w));
                    (twist.v * *mass, twist.w * euler_tensor.trace() - turned)
                }
                BodyKind::Particle { mass } => (twist.v * *mass, Vector3::zeros()),
                BodyKind::Static => continue,
            };
            t.kinetic += 0.5 * (twist.v.dot(&p) + twist.w.dot(&l));
            t.linear += p;
            t.angular += l + pose.position.cross(&p);
        }
        let s = &mut self.scratch;
        for l in model.linkages() {
            let range = l.first..l.first + l.freedom();
            let q = &self.state.coordinates[range.clone()];
            let p = &self.state.coordinate_momenta[range.clone()];
            let rates = &mut s.rates[range];
            rates.copy_from_slice(p);
            linkage::mass_matrix(l, q, &mut s.end, &mut s.mass);
            if !dense::solve(&mut s.mass, rates) {
                rates.fill(0.0);
            }
            t.kinetic += 0.5 * rates.iter().zip(p).map(|(v, p)| v * p).sum::<f64>();
            t.potential += linkage::potential(l, &model.forces().gravity, q, &mut s.end);
            linkage::each_end(l, q, rates, &mut s.end, |link, x, v| {
                t.linear += v * link.mass;
                t.angular += x.cross(&v) * link.mass;
            });
        }
        self.now = t;
        t
    }

    /// What every joint of the tree, then every loop closure, did to its child at the node where the
    /// last step began; empty before the first step, and for Newmark's family, which knows none.
    pub fn joint_reactions(&mut self) -> Vec<Reaction> {
        match &mut self.scheme.stepping {
            Stepping::Variational(stepper) => stepper.reactions(&self.model),
            Stepping::Newmark(_) => Vec::new(),
        }
    }

    /// Twist of every body now.
    pub fn twists(&self) -> &[Twist] {
        &self.scratch.twists
    }

    /// Velocities of the joints of the tree now, in the order of the model's joints.
    pub fn joint_velocities(&self) -> &[f64] {
        &self.scratch.nu
    }

    /// Rates of the coordinates of all linkages now.
    pub fn coordinate_rates(&self) -> &[f64] {
        &self.scratch.rates
    }
}

/// Kinetic energy of one body that moves with a twist.
pub fn kinetic_energy(kind: &BodyKind, pose: &carom_gap::Pose, twist: &Twist) -> f64 {
    let t = twist.vector();
    0.5 * t.dot(&(inertia(kind, pose) * t))
}
