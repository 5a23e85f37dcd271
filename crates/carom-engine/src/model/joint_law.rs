//! What acts along a joint coordinate: springs, dampers, dry friction, rotors, servos; and gears that
//! tie two of them together.
//!
//! Coordinates are the angle or displacement of a joint from the start of its model (between −π and π
//! for angles), or a coordinate of a linkage.

use std::f64::consts::{PI, TAU};

use super::Signal;

/// What acts along the coordinate of a joint, or of a linkage.
///
/// ```
/// use carom::model::{JointPhysics, JointSpec, Servo};
/// use nalgebra::Vector3;
/// let motor = JointPhysics {
///     damping: 0.1,
///     armature: 0.02,
///     servo: Some(Servo::position(1.2, 50.0, 5.0)),
///     ..JointPhysics::default()
/// };
/// let elbow = JointSpec::revolute("elbow", Vector3::y()).physics(motor);
/// ```
#[derive(Clone, Debug, Default)]
pub struct JointPhysics {
    /// A linear spring.
    pub spring: Option<JointSpring>,
    /// Viscous damping in N m s/rad or N s/m.
    pub damping: f64,
    /// Dry friction: the largest torque or force against sliding, in N m or N; what holds as well.
    pub friction: f64,
    /// Inertia of a rotor that turns with the coordinate (times the square of its gear ratio), in kg m²
    /// or kg.
    pub armature: f64,
    /// A servo.
    pub servo: Option<Servo>,
}

/// A linear spring: −k (θ − rest).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpring {
    /// Stiffness k in N m/rad or N/m.
    pub stiffness: f64,
    /// Coordinate without force.
    pub rest: f64,
}

/// A servo: τ = k (θ* − θ) + d (θ̇* − θ̇), never more than its limit. Angles are made up the shorter way.
#[derive(Clone, Debug)]
pub struct Servo {
    /// θ* over time; without it only the velocity is held.
    pub position: Option<Signal>,
    /// θ̇* over time; zero if not given.
    pub velocity: Option<Signal>,
    /// k in N m/rad or N/m.
    pub stiffness: f64,
    /// d in N m s/rad or N s/m.
    pub damping: f64,
    /// Largest torque or force.
    pub limit: f64,
}

impl Servo {
    /// Holds a position.
    pub fn position(target: f64, stiffness: f64, damping: f64) -> Self {
        Self {
            position: Some(Signal::Constant(target)),
            velocity: None,
            stiffness,
            damping,
            limit: f64::INFINITY,
        }
    }

    /// Holds a velocity.
    pub fn velocity(target: f64, damping: f64) -> Self {
        Self {
            position: None,
            velocity: Some(Signal::Constant(target)),
            stiffness: 0.0,
            damping,
            limit: f64::INFINITY,
        }
    }

    /// With a largest torque or force.
    pub fn limit(mut self, limit: f64) -> Self {
        self.limit = limit;
        self
    }
}

impl JointPhysics {
    /// Whether there is anything.
    pub fn is_nothing(&self) -> bool {
        let none = self.spring.is_none() && self.servo.is_none();
        none && self.damping == 0.0 && self.friction == 0.0 && self.armature == 0.0
    }

    /// What makes no sense about it, with what to do.
    pub(super) fn fault(&self) -> Option<(String, &'static str)> {
        let bad = |what: &str, value: f64| {
            let fine = value >= 0.0 && value.is_finite();
            let reason = || format!("its {what} is {value}");
            (!fine).then(|| (reason(), "give a finite number, zero or more"))
        };
        if let Some(spring) = &self.spring {
            if !spring.rest.is_finite() {
                let reason = "the rest position of its spring must be finite".into();
                return Some((reason, "give a finite number"));
            }
            if let Some(fault) = bad("spring's stiffness", spring.stiffness) {
                return Some(fault);
            }
        }
        if let Some(servo) = &self.servo {
            let gains = [
                ("servo's stiffness", servo.stiffness),
                ("servo's damping", servo.damping),
            ];
            if let Some(fault) = gains.iter().find_map(|(what, value)| bad(what, *value)) {
                return Some(fault);
            }
            if servo.limit.is_nan() || servo.limit <= 0.0 {
                let reason = format!("its servo's limit is {}", servo.limit);
                return Some((reason, "give a positive one"));
            }
        }
        let plain = [
            ("damping", self.damping),
            ("friction", self.friction),
            ("armature", self.armature),
        ];
        plain.iter().find_map(|(what, value)| bad(what, *value))
    }
}

/// What acts along one degree of freedom of a model.
#[derive(Clone, Debug)]
pub struct JointLaw {
    /// Name of the joint, or `LINKAGE.COORDINATE`.
    pub name: String,
    /// Place of the joint in the tree; `None` for a coordinate of a linkage.
    pub joint: Option<usize>,
    /// Degree of freedom: joints first, then coordinates of linkages.
    pub freedom: usize,
    /// Whether it is an angle, counted between −π and π.
    pub turns: bool,
    /// What acts.
    pub physics: JointPhysics,
}

/// Two joints that move together: θ₁ = ratio · θ₂, both counted from the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Name of the joint that follows.
    pub name: String,
    /// Places of both in the tree, the one that follows first.
    pub joints: [usize; 2],
    /// Their degrees of freedom.
    pub freedoms: [usize; 2],
    /// Ratio of the first to the second.
    pub ratio: f64,
}

/// What a law does in a step of size h along a coordinate that moves from s by Δ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LawStep {
    /// Impulse at the start of the step, and how it changes with Δ.
    pub start: f64,
    /// See `start`.
    pub slope: f64,
    /// Impulse at its end.
    pub end: f64,
    /// Its part of E_d = −∂L_d/∂h.
    pub energy: f64,
    /// Work of the servo.
    pub work: f64,
    /// Work of the damping, negative.
    pub damping: f64,
}

/// Derivatives of the impulses at the start and at the end of a step, potentials in its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LawSlopes {
    /// By the coordinate at the start (Δ held), by Δ, and by the size of the step.
    pub first: [[f64; 3]; 2],
    /// The derivatives of the last of these by the same three.
    pub second: [[f64; 3]; 2],
}

impl JointLaw {
    /// Derivatives of [`step`](Self::step) with γ = ½.
    pub fn slopes(&self, time: f64, s: f64, delta: f64, h: f64) -> LawSlopes {
        let mut out = LawSlopes::default();
        let p = &self.physics;
        let mut add = |first: [f64; 3], second: [f64; 3], sign: f64| {
            for (side, sign) in [1.0, sign].into_iter().enumerate() {
                for k in 0..3 {
                    out.first[side][k] += sign * first[k];
                    out.second[side][k] += sign * second[k];
                }
            }
        };
        if let Some(spring) = &p.spring {
            // −(h/2) k e at both ends, e = s − rest + Δ/2.
            let k = spring.stiffness;
            let e = self.difference(s, spring.rest) + 0.5 * delta;
            let first = [-0.5 * h * k, -0.25 * h * k, -0.5 * k * e];
            add(first, [-0.5 * k, -0.25 * k, 0.0], 1.0);
        }
        // ∓J Δ/h.
        let j = p.armature;
        let first = [0.0, -j / h, j * delta / (h * h)];
        let second = [0.0, j / (h * h), -2.0 * j * delta / (h * h * h)];
        add(first, second, -1.0);
        // −d Δ/2.
        add([0.0, -0.5 * p.damping, 0.0], [0.0; 3], 1.0);
        if let Some(servo) = &p.servo {
            // (h/2) τ with τ = k (θ* − s − Δ/2) + d (θ̇* − Δ/h), or at its limit.
            let (force, limited) = self.servo(time + 0.5 * h, s + 0.5 * delta, delta / h);
            if limited {
                add([0.0, 0.0, 0.5 * force], [0.0; 3], 1.0);
            } else {
                let k = servo.stiffness * f64::from(servo.position.is_some());
                let d = servo.damping;
                let by_h = 0.5 * force + 0.5 * d * delta / h;
                let first = [-0.5 * h * k, -0.25 * h * k - 0.5 * d, by_h];
                add(first, [-0.5 * k, -0.25 * k, 0.0], 1.0);
            }
        }
        out
    }

    /// A difference of coordinates, the shorter way round for angles.
    pub fn difference(&self, to: f64, from: f64) -> f64 {
        let d = to - from;
        match self.turns && d.abs() > PI {
            true => d - TAU * (d / TAU).round(),
            false => d,
        }
    }

    /// Energy of the spring at s.
    pub fn potential(&self, s: f64) -> f64 {
        self.physics.spring.map_or(0.0, |spring| {
            let e = self.difference(s, spring.rest);
            0.5 * spring.stiffness * e * e
        })
    }

    /// The torque of the servo at a time, a coordinate and its rate, and whether it is at its limit.
    pub fn servo(&self, time: f64, s: f64, rate: f64) -> (f64, bool) {
        let Some(servo) = &self.physics.servo else {
            return (0.0, false);
        };
        let position = servo.position.as_ref();
        let off = position.map_or(0.0, |target| self.difference(target.at(time), s));
        let wanted = servo
            .velocity
            .as_ref()
            .map_or(0.0, |target| target.at(time));
        let force = servo.stiffness * off + servo.damping * (wanted - rate);
        (
            force.clamp(-servo.limit, servo.limit),
            force.abs() > servo.limit,
        )
    }

    /// What it does in a step from `time`, from s by `delta`; potentials act at s + (1 − γ) Δ, all else
    /// in the middle of the step.
    pub fn step(&self, time: f64, s: f64, delta: f64, h: f64, gamma: f64) -> LawStep {
        let mut out = self.without_rotor(time, s, delta, h, gamma);
        // ½ J Δ²/h of L_d.
        let armature = self.physics.armature;
        let momentum = armature * delta / h;
        out.start -= momentum;
        out.end += momentum;
        out.slope -= armature / h;
        out.energy += 0.5 * armature * (delta / h).powi(2);
        out
    }

    /// The same but for the rotor, where that is part of the mass.
    pub(crate) fn without_rotor(
        &self,
        time: f64,
        s: f64,
        delta: f64,
        h: f64,
        gamma: f64,
    ) -> LawStep {
        let mut out = LawStep::default();
        let p = &self.physics;
        if let Some(spring) = &p.spring {
            // −h V(s̄) of L_d, s̄ = s + (1 − γ) Δ.
            let k = spring.stiffness;
            let e = self.difference(s, spring.rest) + (1.0 - gamma) * delta;
            out.start -= h * gamma * k * e;
            out.end -= h * (1.0 - gamma) * k * e;
            out.slope -= h * gamma * (1.0 - gamma) * k;
            out.energy += 0.5 * k * e * e;
        }
        // f⁻ = f⁺ = −(h/2) d Δ/h.
        let drag = 0.5 * p.damping * delta;
        out.start -= drag;
        out.end -= drag;
        out.slope -= 0.5 * p.damping;
        out.damping -= p.damping * delta * delta / h;
        if let Some(servo) = &p.servo {
            let (force, limited) = self.servo(time + 0.5 * h, s + 0.5 * delta, delta / h);
            out.start += 0.5 * h * force;
            out.end += 0.5 * h * force;
            out.work += force * delta;
            if !limited {
                out.slope -= 0.25 * h * servo.stiffness * f64::from(servo.position.is_some())
                    + 0.5 * servo.damping;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives_of_impulses() {
        let law = JointLaw {
            name: "j".into(),
            joint: Some(0),
            freedom: 0,
            turns: true,
            physics: JointPhysics {
                spring: Some(JointSpring {
                    stiffness: 3.0,
                    rest: 0.2,
                }),
                damping: 0.4,
                armature: 0.7,
                servo: Some(Servo {
                    position: Some(Signal::Function(std::sync::Arc::new(|t| t * t))),
                    velocity: Some(Signal::Constant(0.3)),
                    ..Servo::position(0.0, 5.0, 2.0)
                }),
                ..JointPhysics::default()
            },
        };
        let (s, delta, h, e) = (0.5, 0.11, 0.13, 1e-6);
        for gamma in [0.5, 0.3] {
            let at = |d: f64| law.step(0.4, s, d, h, gamma);
            let slope = (at(delta + e).start - at(delta - e).start) / (2.0 * e);
            assert!((slope - at(delta).slope).abs() < 1e-8);
            // The springs' and rotors' impulses are the derivatives of one function of both ends.
            let free = JointLaw {
                physics: JointPhysics {
                    damping: 0.0,
                    servo: None,
                    ..law.physics.clone()
                },
                ..law.clone()
            };
            let lagrangian = |from: f64, to: f64, h: f64| {
                let (d, middle) = (to - from, gamma * from + (1.0 - gamma) * to);
                0.5 * 0.7 * d * d / h - h * free.potential(middle)
            };
            let step = free.step(0.0, s, delta, h, gamma);
            let to = s + delta;
            let by = |f: &dyn Fn(f64) -> f64| (f(e) - f(-e)) / (2.0 * e);
            assert!((by(&|x| lagrangian(s + x, to, h)) - step.start).abs() < 1e-8);
            assert!((by(&|x| lagrangian(s, to + x, h)) - step.end).abs() < 1e-8);
            assert!((by(&|x| lagrangian(s, to, h + x)) + step.energy).abs() < 1e-8);
        }
    }

    #[test]
    fn angles_are_made_up_the_shorter_way() {
        let law = JointLaw {
            name: "j".into(),
            joint: Some(0),
            freedom: 0,
            turns: true,
            physics: JointPhysics {
                servo: Some(Servo::position(3.0, 1.0, 0.0).limit(0.1)),
                ..JointPhysics::default()
            },
        };
        assert_eq!(law.servo(0.0, -3.0, 0.0), (-0.1, true));
        assert!((law.difference(3.0, -3.0) - (6.0 - TAU)).abs() < 1e-15);
        assert!((law.difference(-3.0, 3.0) + (6.0 - TAU)).abs() < 1e-15);
    }
}
