//! Limits of joint coordinates, drawn where they act: rays that an angle stays between, rails with
//! stops that a slide stays on. Contact events at a limit carry the name its link has here.

use nalgebra::{Rotation3, Unit, Vector3};

use super::document::{Anchor, Link, Plot};
use super::forces::{ANGLES, SLIDES};
use super::scene::plain;
use crate::model::{Joint, JointKind, Model};

/// Half the width of a stop, in lengths of its rail.
const STOP: f64 = 0.04;
/// Length of the rays of a joint whose child lies on its axis, in reaches of the child.
const RAY: f64 = 1.2;

/// Names of the two ends of a range, as contact events have them.
const SIDES: [&str; 2] = ["lower limit", "upper limit"];

/// The limits of a joint, fixed in its parent.
pub(super) fn of_joint(model: &Model, joint: &Joint) -> Vec<Link> {
    let body = joint.parent.map(|b| b.index());
    let slides: Vec<Vector3<f64>> = match joint.kind {
        JointKind::Prismatic | JointKind::Cylindrical => vec![joint.axis],
        JointKind::Planar => joint.across.to_vec(),
        _ => Vec::new(),
    };
    let reach = reach(model, joint);
    let mut links = Vec::new();
    for (k, limit) in joint.limits.iter().enumerate() {
        let Some(range) = *limit else { continue };
        match slides.get(k) {
            Some(along) => {
                let across = joint.axis.cross(along).try_normalize(0.5);
                let across = across.unwrap_or(joint.across[0]);
                let origin = joint.anchor_parent;
                links.extend(rail(
                    &joint.name,
                    body,
                    origin,
                    along,
                    &across,
                    range,
                    reach,
                ));
            }
            None => {
                // From the joint to the child at the angle zero.
                let arm = -(joint.relative * joint.anchor_child);
                let arm = arm - joint.axis * joint.axis.dot(&arm);
                let arm = match arm.norm() > 0.05 * reach {
                    true => arm,
                    false => joint.across[0] * (RAY * reach),
                };
                let at = Anchor {
                    body,
                    local: joint.anchor_parent.into(),
                };
                links.extend(rays(&joint.name, at, &joint.axis, &arm, range));
            }
        }
    }
    links
}

/// How far the child reaches from its centre.
fn reach(model: &Model, joint: &Joint) -> f64 {
    let body = model.body(joint.child);
    let corners = body.shape.iter().flat_map(|shape| shape.vertices());
    let far = corners.flat_map(|part| part.points().iter().map(|v| v.norm()));
    let far = far.fold(body.radius, f64::max);
    if far > 0.0 { far } else { 0.1 }
}

/// Rays from `at` at both ends of a range of angles; `zero` lies at the angle zero.
pub(super) fn rays(
    name: &str,
    at: Anchor,
    axis: &Vector3<f64>,
    zero: &Vector3<f64>,
    range: [f64; 2],
) -> Vec<Link> {
    let both = range.iter().all(|b| b.is_finite());
    let ends = range.into_iter().zip(SIDES).enumerate();
    ends.filter(|(_, (angle, _))| angle.is_finite())
        .map(|(k, (angle, side))| {
            let turn = Rotation3::from_axis_angle(&Unit::new_normalize(*axis), angle);
            let tip = Anchor {
                local: (Vector3::from(at.local) + turn * zero).into(),
                ..at
            };
            Link {
                axis: Some((*axis).into()),
                sweep: (k == 0 && both).then(|| range[1] - range[0]),
                ..plain(&format!("{name} {side}"), "limit", at, tip)
            }
        })
        .collect()
}

/// A rail along a range of displacements from `origin`, with stops across it at its ends; where it
/// has one end alone, it is as long as `usual`.
pub(super) fn rail(
    name: &str,
    body: Option<usize>,
    origin: Vector3<f64>,
    along: &Vector3<f64>,
    across: &Vector3<f64>,
    range: [f64; 2],
    usual: f64,
) -> Vec<Link> {
    let [low, high] = range;
    let ends = match (low.is_finite(), high.is_finite()) {
        (true, true) => [low, high],
        (true, false) => [low, low.max(0.0) + usual],
        (false, true) => [high.min(0.0) - usual, high],
        (false, false) => return Vec::new(),
    };
    let anchor = |x: Vector3<f64>| Anchor {
        body,
        local: x.into(),
    };
    let [a, b] = ends.map(|x| origin + along * x);
    let half = across * (STOP * (b - a).norm());
    let mut links = vec![plain(name, "rail", anchor(a), anchor(b))];
    for ((x, bound), side) in [a, b].into_iter().zip(range).zip(SIDES) {
        if bound.is_finite() {
            let name = format!("{name} {side}");
            links.push(plain(&name, "limit", anchor(x - half), anchor(x + half)));
        }
    }
    links
}

/// Gives the curves of joint coordinates their limits.
pub(super) fn bound(model: &Model, plots: &mut [Plot]) {
    for plot in plots {
        for series in &mut plot.series {
            let joint = model.joints().iter().find(|j| j.name == series.name);
            let place = match (plot.title.as_str(), joint.map(|j| j.kind)) {
                (ANGLES, Some(JointKind::Revolute)) => 0,
                (ANGLES, Some(JointKind::Cylindrical)) => 1,
                (ANGLES, Some(JointKind::Planar)) => 2,
                (SLIDES, Some(JointKind::Prismatic | JointKind::Cylindrical)) => 0,
                _ => continue,
            };
            let limits = joint.and_then(|j| j.limits.get(place).copied().flatten());
            series.bounds = limits.map(|range| range.map(|b| Some(b).filter(|b| b.is_finite())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodySpec, JointSpec, ModelBuilder};
    use nalgebra::Matrix3;

    fn links(joint: JointSpec) -> Vec<Link> {
        let mut builder = ModelBuilder::new();
        let arm = BodySpec::rigid("arm")
            .mass(1.0)
            .inertia(Matrix3::identity());
        let arm = builder.body(arm.position(Vector3::new(0.5, 0.0, 0.0)));
        builder.joint(joint, None, Some(arm));
        let model = builder.build().expect("a model");
        of_joint(&model, &model.joints()[0])
    }

    #[test]
    fn an_angle_stays_between_rays_of_the_length_of_its_lever() {
        let hinge = JointSpec::revolute("h", Vector3::z()).at(Vector3::zeros());
        let rays = links(hinge.limits(-0.5, 1.0));
        assert_eq!(rays[0].name, "h lower limit");
        assert_eq!(rays[0].sweep, Some(1.5));
        let tip = rays[1].b.local;
        assert!(
            (tip[0] - 0.5 * 1f64.cos()).abs() < 1e-12 && tip[1] > 0.4,
            "{tip:?}"
        );
    }

    #[test]
    fn a_slide_stays_on_a_rail_with_stops() {
        let slide = JointSpec::prismatic("s", Vector3::x()).at(Vector3::zeros());
        let rail = links(slide.limits(-1.0, 2.0));
        let kinds: Vec<&str> = rail.iter().map(|l| l.kind.as_str()).collect();
        assert_eq!(kinds, ["rail", "limit", "limit"]);
        let length = rail[0].b.local[0] - rail[0].a.local[0];
        assert!((length - 3.0).abs() < 1e-12);
        assert_eq!(rail[2].name, "s upper limit");
    }
}
