//! What can be seen of systems in generalised coordinates: rails, carts, arms, masses, limits.

use nalgebra::{Matrix3, Vector3};

use super::document::{Anchor, BodyView, Link};
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
        let mut shape = None;
        match &link.kind {
            LinkKind::Arm {
                length,
                offset,
                relative,
            } => {
                links.push(plain(&link.name, "arm", from, end(bodies.len())));
                // Limits of an angle that counts from the plane stand still beside the joint.
                for angle in limits.iter().flatten().filter(|_| !relative) {
                    let (sin, cos) = (offset + angle).sin_cos();
                    let tip = (e1 * cos + e2 * sin) * *length;
                    let to = Anchor {
                        local: (Vector3::from(from.local) + tip).into(),
                        ..from
                    };
                    links.push(plain(&link.name, "limit", from, to));
                }
            }
            LinkKind::Slide { direction } => {
                let along = (e1 * direction[0] + e2 * direction[1]).normalize();
                let across = e1.cross(e2).normalize();
                let axes = Matrix3::from_columns(&[along, across.cross(&along), across]);
                let half = 0.5 * CART * size * Vector3::new(1.0, 0.5, 0.5);
                shape = Some(shapes.index(cuboid(&axes, &half)));
                links.push(match (limits, link.parent) {
                    // A rail that ends where the limits are.
                    (Some([least, most]), None) => plain(
                        &link.name,
                        "rail",
                        world(spec.origin + along * least),
                        world(spec.origin + along * most),
                    ),
                    _ => plain(&link.name, "slide", from, end(bodies.len())),
                });
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
