//! The power of actuators, against the motion of what they drive.

use crate::common::*;
use carom::Pose;
use carom::mechanics::{
    NO_WRENCH, add_actuators, joint_coordinates, reduce, twists, wrench_vector,
};
use carom::model::{BodyId, Frame, JointKind, JointSpec, ModelBuilder};
use nalgebra::Vector3;
use rand::RngExt;

const EPS: f64 = 1e-5;

#[test]
fn actuators_give_the_power_they_should() {
    let mut rng = random(17);
    for kind in KINDS {
        for reversed in [false, true] {
            let mut b = ModelBuilder::new();
            let spec = |name: &str, rng: &mut Random| {
                let pose = Pose::new(random_vector(rng, 1.0), random_vector(rng, 1.0));
                brick(name).pose(pose)
            };
            let first = b.body(spec("first", &mut rng));
            let second = b.body(spec("second", &mut rng));
            let axis = random_vector(&mut rng, 1.0);
            let joint = JointSpec::new("joint", kind, axis).at(random_vector(&mut rng, 1.0));
            // The tree starts from what hangs on the world: the joint may be passed backwards.
            let joint = b.joint(joint, Some(first), Some(second));
            let root = if reversed { second } else { first };
            b.joint(
                JointSpec::spherical("hook").at(random_vector(&mut rng, 1.0)),
                None,
                Some(root),
            );
            if kind == JointKind::Free {
                continue;
            }
            b.drive("drive", joint, vec![]);
            let at = random_vector(&mut rng, 0.5);
            b.wrench("body", second, at, Frame::Body, vec![]);
            b.wrench("inertial", first, at, Frame::Inertial, vec![]);
            let rotor = [(); 2].map(|()| random_vector(&mut rng, 1.0));
            b.along("rotor", first, at, Frame::Body, rotor, vec![]);
            let wind = [(); 2].map(|()| random_vector(&mut rng, 1.0));
            b.along("wind", second, at, Frame::Inertial, wind, vec![]);
            let model = b.build().unwrap();
            let poses = somewhere(&model, &mut rng);
            let (_, n) = offsets(&model);
            let tau: Vec<f64> = (0..model.controls())
                .map(|_| rng.random_range(-1.0..1.0))
                .collect();
            let mut wrenches = vec![NO_WRENCH; 2];
            add_actuators(&model, &poses, &tau, 1.0, &mut wrenches, &mut []);
            let mut reduced = vec![0.0; n];
            reduce(&model, &poses, &mut wrenches, &mut reduced);

            // Power of each control from the motion of the bodies, by differences of poses.
            let nu: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
            let step = |e: f64| {
                let u: Vec<f64> = nu.iter().map(|v| v * e).collect();
                retract(&model, &poses, &u).1
            };
            let (plus, minus) = (step(EPS), step(-EPS));
            let point = |b: BodyId, p: &Vector3<f64>| {
                (plus[b.index()].point(p) - minus[b.index()].point(p)) / (2.0 * EPS)
            };
            let spin = |b: BodyId| {
                let rate = (plus[b.index()].directors - minus[b.index()].directors) / (2.0 * EPS);
                let w = rate * poses[b.index()].directors.transpose();
                Vector3::new(w[(2, 1)], w[(0, 2)], w[(1, 0)])
            };
            let k = model.actuators()[0].components();
            let mut power = 0.0;
            // Joint coordinates of the second body relative to the first, along the given axis.
            let mut coordinates = [Vec::new(), Vec::new()];
            let tree = model.joints().iter().find(|j| j.name == "joint").unwrap();
            joint_coordinates(tree, &plus, &mut coordinates[1]);
            joint_coordinates(tree, &minus, &mut coordinates[0]);
            if kind == JointKind::Spherical {
                let relative = spin(second) - spin(first);
                power += Vector3::new(tau[0], tau[1], tau[2]).dot(&relative);
            } else {
                for (i, (a, b)) in coordinates[1].iter().zip(&coordinates[0]).enumerate() {
                    power += tau[i] * (a - b) / (2.0 * EPS);
                }
            }
            let vector = |at: usize| Vector3::new(tau[at], tau[at + 1], tau[at + 2]);
            let d = poses[second.index()].directors;
            power +=
                (d * vector(k)).dot(&point(second, &at)) + (d * vector(k + 3)).dot(&spin(second));
            power += vector(k + 6).dot(&point(first, &at)) + vector(k + 9).dot(&spin(first));
            let d = poses[first.index()].directors;
            let [force, torque] = rotor.map(|u| d * u * tau[k + 12]);
            power += force.dot(&point(first, &at)) + torque.dot(&spin(first));
            let [force, torque] = wind.map(|u| u * tau[k + 13]);
            power += force.dot(&point(second, &at)) + torque.dot(&spin(second));
            let ours: f64 = reduced.iter().zip(&nu).map(|(r, v)| r * v).sum();
            assert!(
                (power - ours).abs() < 1e-8,
                "{kind:?} {reversed}: {power} {ours}"
            );
            // The same from the twists.
            let mut again = vec![NO_WRENCH; 2];
            add_actuators(&model, &poses, &tau, 1.0, &mut again, &mut []);
            let direct: f64 = twists(&model, &poses, &nu)
                .iter()
                .zip(&again)
                .map(|(t, w)| t.vector().dot(&wrench_vector(w)))
                .sum();
            assert!((direct - ours).abs() < 1e-12);
        }
    }
}
