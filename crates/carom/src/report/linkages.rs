//! What can be seen of systems in generalised coordinates: rails, carts, arms, masses, limits.

use nalgebra::{Matrix3, Vector3};

use super::document::{Anchor, BodyView, Link};
use super::limits::{rail, rays};
use super::scene::{Shapes, cuboid, plain, world};
use crate::model::{LinkKind, Linkage};

/// Length of a cart against the sizes of its linkage.
const CART: f64 = 0.12;

/// Adds a body for the end of every link, and what joins them.
pub(super) fn add(
    linkage: &Linkage,
    bodies: &mut Vec<BodyView>,
    links: &mut Vec<Link>,
    shapes: &mut Shapes,
    next_slot: &mut impl FnMut() -> Option<usize>,
) {
    let spec = &linkage.spec;
    let [e1, e2] = &spec.plane;
    let first = bodies.len();
    let size = size(linkage);
    for link in &spec.links {
        let from = match link.parent {
            Some(parent) => end(first + parent),
            None => world(spec.origin),
        };
        let limits = spec.coordinates[link.coordinate].limits;
        let coordinate = format!("{}.{}", spec.name, spec.coordinates[link.coordinate].name);
        let mut shape = None;
        match &link.kind {
            LinkKind::Arm {
                length,
                offset,
                relative,
            } => {
                links.push(plain(&link.name, "arm", from, end(bodies.len())));
                // Limits of an angle that counts from the plane stand still beside the joint, those
                // of one that counts from an arm turn with it.
                let seen = turns(linkage, link.parent) == *relative;
                if let Some(range) = limits.filter(|_| seen) {
                    let range = range.map(|angle| offset + angle);
                    links.extend(rays(
                        &coordinate,
                        from,
                        &e1.cross(e2),
                        &(e1 * *length),
                        range,
                    ));
                }
            }
            LinkKind::Slide { direction } => {
                let along = (e1 * direction[0] + e2 * direction[1]).normalize();
                let across = e1.cross(e2).normalize();
                let axes = Matrix3::from_columns(&[along, across.cross(&along), across]);
                let half = 0.5 * CART * size * Vector3::new(1.0, 0.5, 0.5);
                shape = Some(shapes.index(cuboid(&axes, &half)));
                match (limits, link.parent) {
                    // A rail that ends where the limits are.
                    (Some(range), None) => {
                        let across = across.cross(&along);
                        links.extend(rail(
                            &coordinate,
                            None,
                            spec.origin,
                            &along,
                            &across,
                            range,
                            size,
                        ));
                    }
                    _ => links.push(plain(&link.name, "slide", from, end(bodies.len()))),
                }
            }
        }
        bodies.push(BodyView {
            name: format!("{}.{}", spec.name, link.name),
            kind: "point".into(),
            shape,
            stand_in: false,
            radius: (0.03 * size) as f32,
            slot: next_slot(),
            pose: None,
            mass: (link.mass > 0.0).then_some(link.mass),
            color: None,
        });
    }
}

/// Whether a link is shown as turning: an arm from which others count their angles.
pub(super) fn turns(linkage: &Linkage, link: Option<usize>) -> bool {
    let links = &linkage.spec.links;
    let relative = |kind: &LinkKind| matches!(kind, LinkKind::Arm { relative: true, .. });
    link.is_some_and(|link| {
        let mut children = links.iter().filter(|l| l.parent == Some(link));
        matches!(links[link].kind, LinkKind::Arm { .. }) && children.any(|l| relative(&l.kind))
    })
}

fn end(body: usize) -> Anchor {
    Anchor {
        body: Some(body),
        local: [0.0; 3],
    }
}

/// The longest of its arms and ranges.
fn size(linkage: &Linkage) -> f64 {
    let lengths = linkage.spec.links.iter().map(|link| match &link.kind {
        LinkKind::Arm { length, .. } => *length,
        LinkKind::Slide { .. } => match linkage.spec.coordinates[link.coordinate].limits {
            Some([least, most]) => most - least,
            None => 0.0,
        },
    });
    lengths.filter(|l| l.is_finite()).fold(0.0, f64::max)
}
