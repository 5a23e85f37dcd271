//! Receding horizons: a problem that begins elsewhere.

use carom_gap::Pose;

use super::path::joint_values;
use super::poly::Poly;
use super::problem::{Boundary, Condition, Motion, Problem};
use crate::mechanics::twists;
use crate::model::{JointKind, Model};

impl Problem {
    /// The same problem from another state on: poses of all bodies, and velocities of all joints as in
    /// [`Plan::rates`](super::Plan::rates). With a guess that is
    /// [shifted in time](super::Guess::shifted) this is one step of a receding horizon.
    ///
    /// ```
    /// use carom::scenario::Scenario;
    /// use std::sync::Arc;
    /// let text = r#"
    ///     [body.cart]
    ///     kind = "particle"
    ///     mass = 1
    ///     position = [1, 0, 0]
    ///     [optimise]
    ///     minimise = [{ effort = 0.1 }, { running = "cart.x^2 + cart.vx^2" }]
    ///     controls.cart = { force = ["free", 0, 0] }
    ///     goal = {}
    ///     [[phase]]
    ///     steps = 20
    ///     step = 0.1
    /// "#;
    /// let scenario = Scenario::parse("cart.toml", text).unwrap();
    /// let model = Arc::new(scenario.build().unwrap());
    /// let mut request = scenario.plan(&model).unwrap();
    /// for _ in 0..3 {
    ///     let plan = request.solve().unwrap();
    ///     request.problem = request.problem.begun(&plan.poses[1], &plan.rates[1]);
    ///     request.guess = plan.to_guess().shifted(1);
    /// }
    /// let x = request.guess.poses[0][0].position.x;
    /// assert!(x < 0.99 && x > 0.5);
    /// ```
    pub fn begun(&self, poses: &[Pose], rates: &[f64]) -> Self {
        let model = &*self.model;
        let values = joint_values(model, &[poses.to_vec()]).remove(0);
        let mut start = Boundary::default();
        for (j, joint) in model.joints().iter().enumerate() {
            let pose = &poses[joint.child.index()];
            match (joint.kind, joint.id) {
                (JointKind::Free | JointKind::Spherical | JointKind::Rod, _) | (_, None) => {
                    place(model, joint.child, joint.kind, pose, &mut start.conditions);
                }
                (_, Some(id)) => {
                    let count = model.joint_freedom(j);
                    start
                        .conditions
                        .extend((0..count).map(|k| Condition::Joint {
                            joint: id,
                            coordinate: k,
                            range: [values[model.offsets[j] + k]; 2],
                        }));
                }
            }
        }
        let motions = twists(model, poses, rates).into_iter().enumerate();
        let given = motions.filter(|(b, _)| model.bodies()[*b].moves());
        start.motions = given
            .map(|(b, t)| Motion::given(crate::model::BodyId(b as u32), &t.v, &t.w))
            .collect();
        Self {
            start,
            ..self.clone()
        }
    }
}

/// A body is at a place, as far as its joint leaves that open.
fn place(
    model: &Model,
    body: crate::model::BodyId,
    kind: JointKind,
    pose: &Pose,
    out: &mut Vec<Condition>,
) {
    if kind != JointKind::Spherical {
        out.push(match kind {
            JointKind::Free => Condition::at(body, &pose.position),
            _ => Condition::Polynomials {
                what: format!("position of body {}", model.body(body).name),
                rows: (Poly::position(model, body).into_iter())
                    .zip([0, 1, 2].map(|k| [pose.position[k]; 2]))
                    .collect(),
            },
        });
    }
    if !model.is_particle(body) {
        out.push(Condition::Orientation {
            body,
            directors: pose.directors,
        });
    }
}
