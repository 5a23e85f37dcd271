//! Where the members of a group are: line, ring, grid, sphere, seeded random.

use carom_engine::random::Stream;
use nalgebra::{Rotation3, Vector3};

use super::fields::{Fields, Item, Read};

/// Largest number of members of a group.
pub(crate) const MOST: u64 = 100_000;

/// Where a member is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub position: Vector3<f64>,
    /// Angle along a ring, otherwise 0.
    pub angle: f64,
}

/// The places of a group's members.
pub(crate) fn spots(item: &Item) -> Read<Vec<Spot>> {
    const KINDS: &[&str] = &["line", "ring", "grid", "sphere", "random"];
    let fields = item.fields()?;
    let chosen = fields.one_of(KINDS)?;
    fields.finish()?;
    let (kind, value) = chosen.ok_or_else(|| {
        item.fault(
            "names no layout",
            "write line, ring, grid, sphere or random, such as { line = { count = 4, … } }",
        )
    })?;
    let fields = value.fields()?;
    let positions = match kind {
        "line" => line(&fields)?,
        "ring" => return ring(&fields),
        "grid" => grid(&fields)?,
        "sphere" => sphere(&fields)?,
        _ => random(&fields)?,
    };
    fields.finish()?;
    let spot = |position| Spot {
        position,
        angle: 0.0,
    };
    Ok(positions.into_iter().map(spot).collect())
}

fn count(fields: &Fields) -> Read<u64> {
    fields
        .need("count", "say how many, such as count = 4")?
        .count(1, MOST)
}

fn vector(fields: &Fields, key: &'static str) -> Read<Vector3<f64>> {
    let item = fields.get(key);
    item.map_or(Ok(Vector3::zeros()), |item| item.planar_vector())
}

/// from + k step, or from … to with both ends.
fn line(fields: &Fields) -> Read<Vec<Vector3<f64>>> {
    let n = count(fields)?;
    let from = vector(fields, "from")?;
    let step = match fields.one_of(&["step", "to"])? {
        Some(("step", item)) => item.planar_vector()?,
        Some((_, item)) => (item.planar_vector()? - from) / (n.max(2) - 1) as f64,
        None => return Err(fields.fault("`step` is missing", "give step = […] or to = […]")),
    };
    Ok((0..n).map(|k| from + step * k as f64).collect())
}

/// Equally spaced around an axis, the first at `start_deg`.
fn ring(fields: &Fields) -> Read<Vec<Spot>> {
    let n = count(fields)?;
    let radius = fields
        .need("radius", "give the radius in metres")?
        .non_negative()?;
    let center = vector(fields, "center")?;
    let axis = fields
        .get("axis")
        .map(|item| item.direction())
        .transpose()?;
    let start = fields
        .get("start_deg")
        .map(|item| item.number())
        .transpose()?;
    fields.finish()?;
    let turn = Rotation3::rotation_between(&Vector3::z(), &axis.unwrap_or(Vector3::z()))
        .unwrap_or_else(|| Rotation3::new(Vector3::x() * std::f64::consts::PI));
    let spot = |k: u64| {
        let angle = start.unwrap_or(0.0).to_radians() + std::f64::consts::TAU * k as f64 / n as f64;
        Spot {
            position: center + turn * Vector3::new(radius * angle.cos(), radius * angle.sin(), 0.0),
            angle,
        }
    };
    Ok((0..n).map(spot).collect())
}

/// count = [nx, ny, nz] places `step` apart, x running fastest.
fn grid(fields: &Fields) -> Read<Vec<Vector3<f64>>> {
    let item = fields.need("count", "say how many along each axis: count = [4, 3, 1]")?;
    let counts = item.list()?;
    if !(2..=3).contains(&counts.len()) {
        return Err(item.fault(
            format!("has {}", crate::words::counted(counts.len(), "number")),
            "write how many along x, y and z",
        ));
    }
    let counts = (counts.iter())
        .map(|c| c.count(1, MOST))
        .collect::<Read<Vec<_>>>()?;
    let total = counts.iter().product::<u64>();
    if total > MOST {
        return Err(item.fault(
            format!("makes {total} bodies"),
            format!("a group has at most {MOST}"),
        ));
    }
    let from = vector(fields, "from")?;
    let step = fields
        .need("step", "give the spacing: step = [dx, dy, dz]")?
        .planar_vector()?;
    let (nx, ny) = (counts[0], counts[1]);
    let place = |k: u64| {
        let index = Vector3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
        from + step.component_mul(&index)
    };
    Ok((0..total).map(place).collect())
}

/// Evenly over a sphere (Fibonacci spiral).
fn sphere(fields: &Fields) -> Read<Vec<Vector3<f64>>> {
    let n = count(fields)?;
    let radius = fields
        .need("radius", "give the radius in metres")?
        .non_negative()?;
    let center = vector(fields, "center")?;
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let place = |k: u64| {
        let z = 1.0 - (2 * k + 1) as f64 / n as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        center + radius * Vector3::new(r * cos, r * sin, z)
    };
    Ok((0..n).map(place).collect())
}

/// Uniform in a box (`from`, `to`) or a ball (`radius`, `center`), at least `apart` from each other.
fn random(fields: &Fields) -> Read<Vec<Vector3<f64>>> {
    const TRIES: usize = 2_000;
    const MOST_APART: u64 = 5_000;
    let n = count(fields)?;
    let seed = fields
        .need("seed", "random numbers need a seed, such as seed = 1")?
        .count(0, 1 << 53)?;
    let apart = fields
        .get("apart")
        .map(|item| item.non_negative())
        .transpose()?;
    let apart = apart.unwrap_or(0.0);
    if apart > 0.0 && n > MOST_APART {
        return Err(fields.fault(
            format!("{n} members with a distance to keep"),
            format!("at most {MOST_APART} can keep apart; use a grid"),
        ));
    }
    let center = vector(fields, "center")?;
    let mut stream = Stream::new(seed, 0, "layout");
    let mut draw: Box<dyn FnMut() -> Vector3<f64>> = match fields.one_of(&["from", "radius"])? {
        Some(("radius", item)) => {
            let radius = item.positive()?;
            Box::new(move || center + radius * Vector3::from(stream.ball(3)))
        }
        Some((_, item)) => {
            let from = item.planar_vector()?;
            let to = fields
                .need("to", "write from = […], to = […]")?
                .planar_vector()?;
            Box::new(move || center + from.zip_map(&to, |low, high| stream.between(low, high)))
        }
        None => {
            return Err(fields.fault("where?", "give from and to (a box), or radius (a ball)"));
        }
    };
    let mut positions: Vec<Vector3<f64>> = Vec::new();
    for k in 0..n {
        let free = |p: &Vector3<f64>| positions.iter().all(|q| (p - q).norm() >= apart);
        let found = (0..TRIES).map(|_| draw()).find(free);
        match found {
            Some(position) => positions.push(position),
            None => {
                return Err(fields.fault(
                    format!("no room for member {} of {n}", k + 1),
                    "make the region larger or `apart` smaller",
                ));
            }
        }
    }
    Ok(positions)
}
