//! `[linkage.NAME]`: planar linkages in generalised coordinates.

use nalgebra::Vector3;

use super::error::suggestion;
use super::fields::{Fields, Item, Read};
use super::joint_physics;
use crate::model::{Coordinate, JointPhysics, Link, LinkKind, LinkageSpec};

/// Reads one linkage.
pub(crate) fn linkage(name: &str, fields: &Fields) -> Read<(LinkageSpec, Vec<JointPhysics>)> {
    let origin = fields.get("origin").map(|item| item.vector()).transpose()?;
    let plane = match fields.get("plane") {
        None => [Vector3::x(), Vector3::z()],
        Some(item) => {
            let axes = item.list()?;
            let [first, second] = axes.as_slice() else {
                return Err(item.fault(
                    format!("has {} axes", axes.len()),
                    "give two perpendicular directions: plane = [[1, 0, 0], [0, 0, 1]]",
                ));
            };
            [first.direction()?, second.direction()?]
        }
    };
    let coordinates = table(fields, "coordinates", "coordinates.x = { start = 0 }")?;
    let coordinates = coordinates
        .iter()
        .map(|(name, item)| coordinate(name, item))
        .collect::<Read<Vec<_>>>()?;
    let (coordinates, physics): (Vec<_>, Vec<_>) = coordinates.into_iter().unzip();
    let mut links: Vec<Link> = Vec::new();
    for (name, item) in table(
        fields,
        "links",
        "links.cart = { slide = [1, 0], by = \"x\" }",
    )? {
        links.push(link(name, &item, &links, &coordinates)?);
    }
    let spec = LinkageSpec {
        name: name.into(),
        origin: origin.unwrap_or_default(),
        plane,
        coordinates,
        links,
    };
    Ok((spec, physics))
}

/// The named entries below a key.
fn table<'a>(
    fields: &Fields<'a>,
    key: &'static str,
    example: &str,
) -> Read<Vec<(&'a str, Item<'a>)>> {
    let item = fields.need(key, &format!("write for example {example}"))?;
    let inner = item.fields()?;
    Ok((inner.table.iter())
        .map(|(name, entry)| {
            let item = Item {
                node: &entry.node,
                path: format!("{}.{name}", item.path),
                scope: item.scope,
            };
            (name.as_str(), item)
        })
        .collect())
}

fn coordinate(name: &str, item: &Item) -> Read<(Coordinate, JointPhysics)> {
    let fields = item.fields()?;
    let number = |key| -> Read<f64> {
        let item = fields.get(key);
        item.map_or(Ok(0.0), |item: Item| item.number())
    };
    let coordinate = Coordinate {
        name: name.into(),
        start: number("start")?,
        rate: number("rate")?,
        limits: fields.get("limits").map(|item| item.range()).transpose()?,
    };
    let physics = joint_physics::physics(&fields)?;
    fields.finish()?;
    Ok((coordinate, physics))
}

fn link(name: &str, item: &Item, links: &[Link], coordinates: &[Coordinate]) -> Read<Link> {
    let fields = item.fields()?;
    let kind = match fields.one_of(&["slide", "arm"])? {
        Some(("slide", item)) => {
            let v = item.numbers(2)?;
            LinkKind::Slide {
                direction: [v[0], v[1]],
            }
        }
        Some((_, item)) => LinkKind::Arm {
            length: item.positive()?,
            offset: fields.get("offset").map_or(Ok(0.0), |item| item.number())?,
            relative: fields
                .get("relative")
                .map_or(Ok(false), |item| item.boolean())?,
        },
        None => {
            return Err(fields.fault(
                "`slide` or `arm` is missing",
                "write slide = [1, 0] (a direction in the plane) or arm = 0.5 (a length)",
            ));
        }
    };
    let by = fields.need("by", "name the coordinate that moves it")?;
    let wanted = by.text()?;
    let coordinate = coordinates.iter().position(|c| c.name == wanted);
    let coordinate = coordinate.ok_or_else(|| {
        let known = coordinates.iter().map(|c| c.name.as_str());
        by.fault(
            format!("there is no coordinate `{wanted}`"),
            suggestion(wanted, known),
        )
    })?;
    let parent = match fields.get("from") {
        None => None,
        Some(item) => {
            let wanted = item.text()?;
            let parent = links.iter().position(|l| l.name == wanted);
            Some(parent.ok_or_else(|| {
                let known = links.iter().map(|l| l.name.as_str());
                let fix = format!(
                    "{}; a link stands below its parent",
                    suggestion(wanted, known)
                );
                item.fault(format!("there is no link `{wanted}` above"), fix)
            })?)
        }
    };
    let mass = fields
        .get("mass")
        .map_or(Ok(0.0), |item| item.non_negative())?;
    fields.finish()?;
    Ok(Link {
        name: name.into(),
        parent,
        coordinate,
        kind,
        mass,
    })
}
