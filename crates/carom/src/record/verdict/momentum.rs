//! The balances of linear and angular momentum.

use nalgebra::Vector3;
use serde::Serialize;

use super::super::summary::Summary;
use super::{Line, ROUND_OFF, Verdict, below, readable};
use crate::model::Model;
use crate::simulate::Ledger;

/// Limit of what a step may leave unexplained of momentum, in sizes of it.
const EXPLAINED: f64 = 1e-10;
/// The same where nothing moves, in N s.
const LEAST_EXPLAINED: f64 = 1e-13;

/// start + forces + supports + projections + unexplained = end; in N s, or N m s about the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MomentumBalance {
    /// At the start.
    pub start: [f64; 3],
    /// Impulse of gravity, springs, loads, dampers and drag.
    pub forces: [f64; 3],
    /// Impulse of what is fixed in the world: contacts with walls and static bodies, joints to the
    /// world, nodes that are held; and of what keeps particles that rub on each other from turning.
    pub supports: [f64; 3],
    /// Change by closest-point projections.
    pub projections: [f64; 3],
    /// What nothing of this explains.
    pub unexplained: [f64; 3],
    /// At the end.
    pub end: [f64; 3],
}

/// What in the world can take momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Joints to the world, linkages, nodes of elastic bodies that no force moves.
    pub joints: bool,
    /// Walls and static bodies.
    pub walls: bool,
}

impl Fixed {
    /// Of a model.
    pub(crate) fn of(model: &Model) -> Self {
        use crate::model::{BodyKind, JointKind};
        let bodies = model.bodies();
        let tied = |body: Option<crate::model::BodyId>| {
            body.is_none_or(|b| bodies[b.index()].kind == BodyKind::Static)
        };
        let mut joints = model.joints().iter().chain(model.closures());
        let mut nodes = model.solids().iter().flat_map(|s| &s.points);
        Self {
            joints: !model.linkages().is_empty()
                || nodes.any(|p| tied(p.body))
                || joints.any(|j| j.kind != JointKind::Free && tied(j.parent)),
            walls: !model.contact().walls.is_empty()
                || bodies.iter().any(|b| b.kind == BodyKind::Static),
        }
    }
}

/// Linear and angular balance of a run so far. What is fixed takes up what forces leave, as far as
/// anything is fixed.
pub(crate) fn balances(ledger: &Ledger, fixed: Fixed) -> [MomentumBalance; 2] {
    let balance = |drift: &crate::simulate::Drift, [all, known]: [Vector3<f64>; 2], projections| {
        let rest: Vector3<f64> = drift.last - drift.initial - all - projections;
        let held = fixed.joints || fixed.walls && ledger.contact_count > 0;
        let (supports, unexplained) = match held {
            true => (known + rest, Vector3::zeros()),
            false => (known, rest),
        };
        let forces = all - known;
        MomentumBalance {
            start: drift.initial.into(),
            forces: forces.into(),
            supports: supports.into(),
            projections: Into::<[f64; 3]>::into(projections),
            unexplained: unexplained.into(),
            end: drift.last.into(),
        }
    };
    [
        balance(
            &ledger.linear_momentum,
            [ledger.forces.linear, ledger.supports.linear],
            Vector3::zeros(),
        ),
        balance(
            &ledger.angular_momentum,
            [ledger.forces.angular, ledger.supports.angular],
            ledger.projection_angular,
        ),
    ]
}

fn norm(v: &[f64; 3]) -> f64 {
    Vector3::from(*v).norm()
}

/// What is said of momentum.
pub(super) fn lines(summary: &Summary) -> Vec<Line> {
    let [linear, angular] = summary.sizes.momenta();
    // What a step may leave, and what round-off of all steps may add up to.
    let limit = EXPLAINED * summary.sizes.momentum.max(linear).max(angular)
        + summary.sizes.momentum_round_off
        + LEAST_EXPLAINED;
    let balances = [
        (
            "linear momentum",
            "N s",
            &summary.linear_momentum_balance,
            linear,
        ),
        (
            "angular momentum",
            "N m s",
            &summary.angular_momentum_balance,
            angular,
        ),
    ];
    let changes = [
        summary.linear_momentum.max_change,
        summary.angular_momentum.max_change,
    ];
    let mut lines: Vec<Line> = (balances.iter().zip(changes))
        .map(|((what, unit, balance, size), change)| {
            line(summary, what, unit, balance, *size, change, limit)
        })
        .collect();
    lines.push(below(
        "momentum unexplained in a step",
        summary.momentum_residual_max,
        "N s or N m s",
        limit,
        "Between contacts, momentum changes by nothing but the forces that act.",
    ));
    lines
}

fn line(
    summary: &Summary,
    what: &str,
    unit: &str,
    balance: &MomentumBalance,
    size: f64,
    change: f64,
    limit: f64,
) -> Line {
    let size = norm(&balance.start).max(norm(&balance.end)).max(size);
    let small = ROUND_OFF * size;
    let contacts = summary.fixed.walls && summary.contact_count > 0;
    let supports = match (summary.fixed.joints, contacts) {
        (true, true) => "supports and contacts",
        (true, false) => "supports",
        _ => "contacts",
    };
    let causes: Vec<String> = [
        ("forces and loads", &balance.forces),
        (supports, &balance.supports),
        ("projections", &balance.projections),
    ]
    .iter()
    .filter(|(_, part)| norm(part) > small)
    .map(|(cause, part)| format!("{cause} {} {unit}", readable(norm(part))))
    .collect();
    let rest = norm(&balance.unexplained);
    // Round-off of single steps adds up.
    let promised = small + limit * (summary.steps as f64).sqrt();
    let (remark, meaning, verdict) = if rest > promised {
        let drifted = format!("drifted by {} {unit}", readable(rest));
        let text = match causes.is_empty() {
            true => drifted,
            false => format!("{drifted} beyond {}", causes.join(", ")),
        };
        (
            text,
            "Momentum appears or disappears without a cause.",
            Verdict::Note,
        )
    } else if change == 0.0 {
        ("conserved exactly".into(), KEPT, Verdict::Good)
    } else if change <= small {
        (
            format!("conserved to round-off ({change:.1e} {unit})"),
            KEPT,
            Verdict::Good,
        )
    } else if causes.is_empty() && change > promised {
        (
            format!(
                "came back, after changes of up to {} {unit}",
                readable(change)
            ),
            CAME_BACK,
            Verdict::Good,
        )
    } else if causes.is_empty() {
        (
            format!("conserved within {} {unit}", readable(change)),
            KEPT,
            Verdict::Good,
        )
    } else {
        let text = format!(
            "changed by {}, all of it accounted for",
            causes.join(" and ")
        );
        (text, CHANGED, Verdict::Good)
    };
    Line {
        what: what.into(),
        value: format!("{} {unit}", readable(norm(&balance.end))),
        remark,
        meaning: meaning.into(),
        verdict,
    }
}

const KEPT: &str =
    "Nothing outside pushes or turns the bodies as a whole, and their momentum stays.";
const CAME_BACK: &str =
    "What acts from outside changed it on the way; at the end the changes cancel.";
const CHANGED: &str = "What acts from outside explains the change; impulses are given as lengths of \
                       vectors.";
