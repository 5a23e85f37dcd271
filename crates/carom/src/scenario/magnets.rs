//! `[magnet.NAME]`, `[solenoid.NAME]`, `[field.NAME]`.

use crate::words::counted;
use nalgebra::Vector3;

use super::error::Fault;
use super::fields::{Fields, Item, Read};
use super::joints::{End, Names};
use super::scope::Scope;
use super::sections::repeated;
use super::tree::Table;
use super::{Force, ForceEntry};

/// Where a solenoid sits: body, centre, axis, normal of its plane, in the frame the shape is drawn in.
pub type Seat = (usize, Vector3<f64>, Vector3<f64>, Vector3<f64>);

/// Two opposite charges in a body for every `[magnet.NAME]`.
pub(super) fn charge_pairs(
    root: &Table,
    scope: &Scope,
    names: &Names,
    faults: &mut Vec<Fault>,
) -> Vec<ForceEntry> {
    let pairs = repeated(root, "magnet", scope, faults, |name, f| {
        let body = names.body(&f.need("body", "name the body it is fixed in")?)?;
        let point = f.get("point").map(|item: Item| item.vector()).transpose()?;
        let point = point.unwrap_or_else(|| names.center(body));
        let axis = f.need(
            "axis",
            "give its direction, from the negative pole to the positive",
        )?;
        let axis = axis.direction()?;
        let length = f
            .need("length", "give the distance of its poles in m")?
            .positive()?;
        let charge = f.need("charge", "give the amount of each pole")?.number()?;
        Ok(
            [("plus", 0.5), ("minus", -0.5)].map(|(pole, half)| ForceEntry {
                name: format!("{name}.{pole}"),
                force: Force::Charge {
                    at: End {
                        body: Some(body),
                        point: point + axis * (half * length),
                    },
                    charge: charge * (2.0 * half),
                },
                place: f.place,
            }),
        )
    });
    pairs.into_iter().flatten().collect()
}

/// Solenoids and fields.
pub(super) fn influences(
    root: &Table,
    scope: &Scope,
    names: &Names,
    faults: &mut Vec<Fault>,
) -> Vec<ForceEntry> {
    let mut out = repeated(root, "solenoid", scope, faults, |name, f| {
        let fix = "write between = [{ body = \"a\", axis = [1, 0, 0] }, { body = \"b\", axis = [1, 0, 0] }]";
        let between = f.need("between", fix)?;
        let seats = between.list()?;
        let [a, b] = &seats[..] else {
            return Err(between.fault(counted(seats.len(), "magnet"), fix));
        };
        let number = |key| -> Read<f64> {
            let item = f.get(key);
            item.map_or(Ok(1.0), |item: Item| item.number())
        };
        let solenoids = Force::Solenoids {
            seats: [seat(a, names)?, seat(b, names)?],
            strength: number("strength")?,
            unit: number("unit")?,
        };
        Ok(ForceEntry {
            name: name.into(),
            force: solenoids,
            place: f.place,
        })
    });
    out.extend(repeated(root, "field", scope, faults, |name, f| {
        let body = names.body(&f.need("body", "name the body it acts on")?)?;
        let point = f.get("point").map(|item: Item| item.vector()).transpose()?;
        let axis = |key, fix| -> Read<Vec<f64>> {
            let item = f.need(key, fix)?;
            let values = item
                .list()?
                .iter()
                .map(Item::number)
                .collect::<Read<Vec<_>>>()?;
            match values.len() > 1 && values.windows(2).all(|w| w[0] < w[1]) {
                true => Ok(values),
                false => Err(item.fault("does not rise", "give at least two rising numbers, in m")),
            }
        };
        let x = axis("x", "give the places of the columns: x = [0, 0.05, 0.1]")?;
        let y = axis("y", "give the places of the rows: y = [0, 0.05]")?;
        let mut values = vec![[0.0; 3]; x.len() * y.len()];
        let mut any = false;
        for (k, key) in ["force_x", "force_y", "torque"].into_iter().enumerate() {
            if let Some(item) = f.get(key) {
                table(&item, &x, &y, |at, value| values[at][k] = value)?;
                any = true;
            }
        }
        if !any {
            return Err(f.fault(
                "it has no values",
                "give force_x, force_y (N) or torque (N m): one row per y, one number per x",
            ));
        }
        Ok(ForceEntry {
            name: name.into(),
            force: Force::Field {
                at: End {
                    body: Some(body),
                    point: point.unwrap_or_else(|| names.center(body)),
                },
                grid: [x, y],
                values,
            },
            place: f.place,
        })
    }));
    out
}

fn seat(item: &Item, names: &Names) -> Read<Seat> {
    let f: Fields = item.fields()?;
    let body = names.body(&f.need("body", "name the body it is fixed in")?)?;
    let point = f.get("point").map(|i| i.vector()).transpose()?;
    let axis = f
        .need("axis", "give its direction in the body")?
        .direction()?;
    let normal = f.get("normal").map(|i| i.direction()).transpose()?;
    f.finish()?;
    let point = point.unwrap_or_else(|| names.center(body));
    Ok((body, point, axis, normal.unwrap_or_else(Vector3::z)))
}

/// Numbers on a grid: one row per y, one number per x.
fn table(item: &Item, x: &[f64], y: &[f64], mut put: impl FnMut(usize, f64)) -> Read<()> {
    let rows = item.list()?;
    if rows.len() != y.len() {
        return Err(item.fault(
            format!(
                "{} for {} of y",
                counted(rows.len(), "row"),
                counted(y.len(), "value")
            ),
            "write one row per y",
        ));
    }
    for (j, row) in rows.iter().enumerate() {
        for (i, value) in row.numbers(x.len())?.into_iter().enumerate() {
            put(j * x.len() + i, value);
        }
    }
    Ok(())
}
