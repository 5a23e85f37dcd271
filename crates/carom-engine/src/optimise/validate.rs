//! What can be planned, said before anything is computed.

use super::error::OptimiseError;
use super::guess::Guess;
use super::impact::{impacts, touching};
use super::layout::grid;
use super::meeting::{Closed, Impact, Meeting, Transition};
use super::parameter::{Parameter, with_values};
use super::problem::{Boundary, Problem, Scheme, Term, connected};
use crate::model::{BodyKind, JointLaw, Model, PairLaw, Signal};

fn unsupported(what: impl Into<String>, fix: impl Into<String>) -> OptimiseError {
    OptimiseError::Unsupported {
        what: what.into(),
        fix: fix.into(),
    }
}

fn invalid(what: impl Into<String>, fix: impl Into<String>) -> OptimiseError {
    OptimiseError::Invalid {
        what: what.into(),
        fix: fix.into(),
    }
}

/// Checks a problem and that a guess belongs to it.
pub(crate) fn validate(problem: &Problem, guess: &Guess) -> Result<(), OptimiseError> {
    let model = &*problem.model;
    validate_model(model)?;
    validate_given(problem)?;
    if problem.phases.is_empty() {
        return Err(invalid(
            "there is no phase",
            "give at least one, with steps and step",
        ));
    }
    for phase in &problem.phases {
        let [low, high] = phase.time_scale;
        let sound = phase.steps > 0 && phase.step > 0.0 && phase.step.is_finite();
        if !(sound && low > 0.0 && low <= high && high.is_finite()) {
            return Err(invalid(
                "a phase has no steps, no step size, or time scales that do not rise from above zero",
                "give steps = 30, step = 0.01, time_scale = [0.5, 2]",
            ));
        }
    }
    if problem
        .phases
        .last()
        .is_some_and(|p| p.ends != Transition::Smooth)
    {
        return Err(invalid(
            "the last phase ends in an impact",
            "add a phase after it, of one step at least",
        ));
    }
    for (_, list) in impacts(problem) {
        for impact in list {
            validate_impact(model, impact)?;
        }
    }
    for closed in problem.phases.iter().flat_map(|p| &p.closed) {
        validate_closed(problem, closed)?;
    }
    validate_scheme(problem)?;
    let timed = |s: &Signal| !matches!(s, Signal::Constant(_));
    let servos = model.joint_laws().iter().filter_map(|law| {
        let servo = law.physics.servo.as_ref()?;
        Some((law, servo.position.iter().chain(&servo.velocity)))
    });
    let loads = model.actuators().iter().filter_map(|a| a.signals.as_ref());
    let stretched = problem
        .phases
        .iter()
        .any(|p| p.time_scale[0] != p.time_scale[1]);
    if stretched && loads.flatten().any(timed) {
        return Err(unsupported(
            "a load over time while the time is free",
            "fix the time scales, or make the load constant",
        ));
    }
    for (law, mut targets) in servos {
        if stretched && targets.any(timed) {
            return Err(unsupported(
                format!(
                    "the target of joint {}'s servo over time while the time is free",
                    law.name
                ),
                "fix the time scales, or make the target constant",
            ));
        }
    }
    let struck = problem.phases.iter().any(|p| p.ends != Transition::Smooth);
    if let Some(law) = model.joint_laws().first().filter(|_| struck) {
        return Err(unsupported(
            format!(
                "an impact in a plan in which something acts along joint {}",
                law.name
            ),
            "leave springs, damping, armature and servos of joints out of the plan",
        ));
    }
    let free_controls = model.actuators().iter().filter(|a| a.signals.is_none());
    let free_start = problem.start.motions.is_empty();
    let finds = free_start || stretched || !problem.parameters.is_empty();
    if free_controls.count() == 0 && !finds {
        let given = |b: &Boundary| {
            b.motions
                .iter()
                .all(|m| m.twist.iter().all(|t| t[0] == t[1]))
        };
        if given(&problem.start) {
            let help = match model.actuators().is_empty() {
                true => "add an [actuator.NAME] without values",
                false => {
                    "every actuator has values of its own: leave `force`, `torque` or `value` out where the plan is to \
                     find them; `bounds` with a pair for each component hold some of these at 0"
                }
            };
            return Err(invalid("nothing can be controlled", help));
        }
    }
    for end in [&problem.start, &problem.goal] {
        validate_motions(model, end)?;
    }
    super::recurring::validate(problem)?;
    validate_parameters(problem)?;
    for term in &problem.minimise {
        if let Term::Effort { weights } = term {
            let sound = weights.len() == model.controls() && weights.iter().all(|w| w.is_finite());
            if !sound {
                return Err(invalid(
                    "an effort has wrong weights",
                    "give one finite weight per control",
                ));
            }
        }
    }
    let nodes = grid(problem).len() + 1;
    let bodies = model.bodies().len();
    let fits = guess.poses.len() == nodes
        && guess.poses.iter().all(|p| p.len() == bodies)
        && guess.controls.len() == nodes - 1
        && guess.controls.iter().all(|c| c.len() == model.controls())
        && guess.scales.len() == problem.phases.len();
    if !fits {
        return Err(OptimiseError::Guess {
            what: format!("it does not fit a problem of {nodes} nodes and {bodies} bodies"),
        });
    }
    let finite = guess.controls.iter().flatten().all(|v| v.is_finite())
        && (guess.poses.iter().flatten()).all(|p| p.to_q().iter().all(|v| v.is_finite()));
    match finite {
        true => Ok(()),
        false => Err(OptimiseError::Guess {
            what: "it holds numbers that are not finite".into(),
        }),
    }
}

/// Two layers need collisions, and a cost that is a sum over segments.
fn validate_scheme(problem: &Problem) -> Result<(), OptimiseError> {
    if problem.scheme == Scheme::OneLayer {
        return Ok(());
    }
    if impacts(problem).is_empty() && problem.sequences.is_none() {
        return Err(invalid(
            "two layers without a collision",
            "let a phase end in an impact, or write scheme = \"one-layer\"",
        ));
    }
    if problem.per.is_some() {
        return Err(unsupported(
            "a cost per distance in two layers",
            "write scheme = \"one-layer\"",
        ));
    }
    Ok(())
}

/// Something must be able to move, and rub in the plainest way.
fn validate_impact(model: &Model, impact: &Impact) -> Result<(), OptimiseError> {
    let rules = model.contact();
    let of = |b: crate::model::BodyId| model.body(b).materials().collect::<Vec<_>>();
    not_given(model, &impact.between)?;
    let moves = |b: crate::model::BodyId| model.body(b).kind != BodyKind::Static;
    let (moves, [own, others]) = match impact.between {
        Meeting::Bodies(a, b) => (moves(a) || moves(b), [of(a), of(b)]),
        Meeting::Wall(a, w) => {
            let wall = rules.walls[w].material.as_deref();
            (moves(a), [of(a), vec![wall]])
        }
        Meeting::Limit { .. } => return Ok(()),
    };
    // Whichever parts meet.
    let pairs = own.iter().flat_map(|a| others.iter().map(|b| (*a, *b)));
    let Some(touching) = touching(model, &impact.between) else {
        return Ok(());
    };
    let friction = touching.friction;
    let mut others = pairs.map(|(a, b)| rules.between(a, b).friction);
    let other = others.find(|f| *f != friction);
    if !moves {
        return Err(invalid(
            "an impact of bodies that never move",
            "name a body that moves",
        ));
    }
    if let Some(other) = other {
        return Err(unsupported(
            format!("a planned impact of parts with friction {friction} and {other}"),
            "give all parts of a body that meet by plan the same material",
        ));
    }
    let plain = touching.rolling == 0.0
        && touching.torsional == 0.0
        && touching.static_friction == friction
        && touching.grains == Default::default();
    if friction != 0.0 && !plain {
        return Err(unsupported(
            "a planned impact with grain, static, rolling or torsional friction",
            "give the materials that meet by plan one coefficient of friction, or none",
        ));
    }
    Ok(())
}

/// Something must be able to move, and what holds may not rebound elsewhere: one law serves a pair.
fn validate_closed(problem: &Problem, closed: &Closed) -> Result<(), OptimiseError> {
    let model = &*problem.model;
    not_given(model, &closed.between)?;
    let moves = |b: crate::model::BodyId| model.body(b).kind != BodyKind::Static;
    let moves = match closed.between {
        Meeting::Bodies(a, b) => moves(a) || moves(b),
        Meeting::Wall(a, _) => moves(a),
        Meeting::Limit { .. } => true,
    };
    if !moves {
        return Err(invalid(
            "a closed contact of bodies that never move",
            "name a body that moves",
        ));
    }
    if closed.friction.is_some_and(|m| !(m > 0.0 && m.is_finite())) {
        return Err(invalid(
            "a contact that sticks without friction",
            "give friction greater than zero, leave it out for a joint that holds whatever it takes, or \
             write hold = \"slip\"",
        ));
    }
    let rebounds = |i: &Impact| i.between == closed.between && i.restitution > 0.0;
    if impacts(problem).iter().any(|(_, l)| l.iter().any(rebounds)) {
        return Err(unsupported(
            "a contact that rebounds in one phase and holds in another",
            "let it hold, or rebound with restitution 0",
        ));
    }
    if matches!(closed.between, Meeting::Limit { .. }) {
        return Err(unsupported(
            "the limit of a joint that holds",
            "hold the joint by a condition on the path of the phase",
        ));
    }
    Ok(())
}

/// Nothing touches by plan what moves as it is given.
fn not_given(model: &Model, between: &Meeting) -> Result<(), OptimiseError> {
    let given = |b: &crate::model::BodyId| model.body(*b).motion.is_some();
    match between.bodies().into_iter().find(given) {
        None => Ok(()),
        Some(b) => Err(unsupported(
            format!(
                "a planned contact with {}, whose motion is given",
                model.body(b).name
            ),
            "plans keep clear of such bodies; drive it by a joint with a servo instead",
        )),
    }
}

/// Rows of gaps do not know how bodies whose motion is given move with time scales; planes do.
fn validate_given(problem: &Problem) -> Result<(), OptimiseError> {
    let model = &*problem.model;
    let Some(body) = model.bodies().iter().find(|b| b.motion.is_some()) else {
        return Ok(());
    };
    let free = problem
        .phases
        .iter()
        .any(|p| p.time_scale[0] < p.time_scale[1]);
    let by_gaps = (problem.avoid.as_ref()).is_some_and(|avoid| {
        let beads = model
            .bodies()
            .iter()
            .any(|b| matches!(b.kind, BodyKind::Particle { .. }));
        !avoid.rows.has_planes() || beads
    });
    if free && by_gaps {
        return Err(unsupported(
            format!(
                "free time where gaps to {}, whose motion is given, are rows",
                body.name
            ),
            "fix the time, or keep clear of it by planes and without particles",
        ));
    }
    if !problem.penalties.is_empty() {
        return Err(unsupported(
            format!("penalties beside {}, whose motion is given", body.name),
            "leave it out of the plan",
        ));
    }
    Ok(())
}

pub(crate) fn validate_model(model: &Model) -> Result<(), OptimiseError> {
    for joint in model.closures() {
        if joint.limits.iter().any(Option::is_some) {
            return Err(unsupported(
                format!(
                    "limits of joint {}, which closes a loop, in a plan",
                    joint.name
                ),
                "limit another joint of the loop",
            ));
        }
    }
    let dry = |law: &&JointLaw| law.physics.friction > 0.0;
    if let Some(law) = model.joint_laws().iter().find(dry) {
        return Err(unsupported(
            format!("dry friction of joint {} in a plan", law.name),
            "leave it out of the plan, and simulate its controls with it",
        ));
    }
    if let Some(coupling) = model.couplings().first() {
        return Err(unsupported(
            format!("the coupling of joint {} in a plan", coupling.name),
            "leave it out of the plan",
        ));
    }
    if !model.forces().influences.is_empty() {
        return Err(unsupported(
            "solenoids or a field in a plan",
            "leave them out of the plan, and simulate its controls with them",
        ));
    }
    if !model.solids().is_empty() {
        return Err(unsupported(
            "an elastic body in a plan",
            "plan with rigid bodies, then simulate the plan's controls with the elastic ones",
        ));
    }
    if !model.linkages().is_empty() {
        return Err(unsupported(
            "a linkage in generalised coordinates in a plan",
            "model it by bodies and joints: a slide is a prismatic joint, an arm a revolute one",
        ));
    }
    Ok(())
}

/// A motion must be given for all bodies that joints connect, or for none of them, or for the one that carries them.
fn validate_motions(model: &Model, end: &Boundary) -> Result<(), OptimiseError> {
    let mut moved = vec![0; model.bodies().len()];
    for motion in end.motions.iter().filter(|m| end.is_whole(model, m)) {
        if motion.bodies.is_empty() {
            return Err(invalid("a motion of no body", "name its bodies"));
        }
        for b in &motion.bodies {
            if model.body(*b).kind == BodyKind::Static {
                let name = &model.body(*b).name;
                return Err(invalid(
                    format!("{name} never moves"),
                    "leave its motion out",
                ));
            }
            moved[b.index()] += 1;
        }
    }
    for bodies in connected(model) {
        let count = |b: &crate::model::BodyId| moved[b.index()];
        if bodies.iter().any(|b| count(b) > 1)
            || bodies.iter().any(|b| count(b) != count(&bodies[0]))
        {
            let names: Vec<_> = bodies
                .iter()
                .map(|b| model.body(*b).name.as_str())
                .collect();
            return Err(invalid(
                format!(
                    "the motion of {} is given for some of them only, or twice",
                    names.join(", ")
                ),
                "bodies that move as one among others that joints connect need a velocity each; rest = true gives all",
            ));
        }
    }
    Ok(())
}

/// Checks parameters and what they make of the model within their ranges.
fn validate_parameters(problem: &Problem) -> Result<(), OptimiseError> {
    for p in &problem.parameters {
        let [low, high] = p.range;
        if !(low <= high && low.is_finite() && high.is_finite()) {
            return Err(invalid(
                format!("the parameter {} has no finite range", p.name),
                "give its least and largest value",
            ));
        }
    }
    let touching = problem.has_contacts() || !problem.penalties.is_empty();
    let apart = problem.avoid.is_some();
    for p in &problem.parameters {
        if (p.reshapes() && apart) || (p.moves() && touching) {
            return Err(OptimiseError::Unsupported {
                what: format!(
                    "the parameter {}, which changes lengths or shapes of what touches or stays apart",
                    p.name
                ),
                fix: "give shapes fixed numbers, or leave avoid and planned contacts out".into(),
            });
        }
    }
    // Nearly all numbers are linear, or grow all the way: the corners of the ranges say it all.
    let count = problem.parameters.len().min(10);
    for corner in 0..1_usize << count {
        let value = |(k, p): (usize, &Parameter)| p.range[corner >> k.min(count) & 1];
        let values: Vec<f64> = problem.parameters.iter().enumerate().map(value).collect();
        let model = with_values(&problem.model, &problem.parameters, &values);
        for body in model.bodies() {
            let sound = match &body.kind {
                BodyKind::Rigid { mass, euler_tensor } => *mass > 0.0 && is_positive(euler_tensor),
                BodyKind::Particle { mass } => *mass > 0.0,
                BodyKind::Static => true,
            };
            if !sound {
                return Err(invalid(
                    format!(
                        "within the ranges of parameters body {} has no mass",
                        body.name
                    ),
                    "keep the least value above zero",
                ));
            }
        }
        let forces = model.forces();
        let spring = |law: &PairLaw| match law {
            PairLaw::Spring {
                stiffness,
                rest_length,
            } => *stiffness >= 0.0 && *rest_length >= 0.0,
            PairLaw::Coulomb { .. } => true,
        };
        let sound = forces.pairs.iter().all(|p| spring(&p.law))
            && forces.dampers.iter().all(|d| d.coefficient >= 0.0)
            && (forces.drags.iter()).all(|d| d.linear >= 0.0 && d.angular >= 0.0);
        if !sound {
            return Err(invalid(
                "within the ranges of parameters a stiffness, length or damping is negative",
                "keep least values at zero or above",
            ));
        }
    }
    Ok(())
}

/// Whether a tensor has no negative eigenvalue.
fn is_positive(tensor: &nalgebra::Matrix3<f64>) -> bool {
    let values = tensor.symmetric_eigenvalues();
    values.min() >= -1e-12 * values.amax()
}
