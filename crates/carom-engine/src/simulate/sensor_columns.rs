//! Columns of sensors: what is in their regions at a frame.

use super::columns::Column;
use crate::contact::{Pair, Path, colliders_of, collides, gap_of};
use crate::model::{BodyId, Model};

/// Most bodies that have a column of their own per sensor.
const MOST_BODIES: usize = 64;

/// The sensors of a model and what they may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SensorColumns {
    sensors: Vec<BodyId>,
    /// Bodies that move and have an extent.
    seen: Vec<BodyId>,
    /// Whether each of them has a column.
    each: bool,
}

impl SensorColumns {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let ids = || (0..model.bodies().len()).map(|k| BodyId(k as u32));
        let sees = |b: &BodyId| model.body(*b).moves() && collides(model, *b);
        let seen: Vec<BodyId> = ids().filter(sees).collect();
        Self {
            sensors: ids().filter(|b| model.body(*b).sensor).collect(),
            each: seen.len() <= MOST_BODIES,
            seen,
        }
    }

    /// Names, units and meanings.
    pub fn describe(&self, model: &Model, add: &mut dyn FnMut(Column)) {
        for sensor in &self.sensors {
            let name = &model.body(*sensor).name;
            add(Column {
                name: format!("sensor.{name}.count"),
                unit: "1",
                frame: "",
                meaning: format!("number of bodies that reach into sensor {name}"),
            });
            for body in self.seen.iter().filter(|_| self.each) {
                let other = &model.body(*body).name;
                add(Column {
                    name: format!("sensor.{name}.{other}"),
                    unit: "1",
                    frame: "",
                    meaning: format!("1 while {other} reaches into sensor {name}, else 0"),
                });
            }
        }
    }

    /// The values at a configuration.
    pub fn row(&self, model: &Model, at: &Path, row: &mut Vec<f64>) {
        for &sensor in &self.sensors {
            let count = row.len();
            row.push(0.0);
            for &body in &self.seen {
                let inside = f64::from(is_inside(model, at, sensor, body));
                row[count] += inside;
                if self.each {
                    row.push(inside);
                }
            }
        }
    }
}

/// Whether some part of a body touches or overlaps a region.
fn is_inside(model: &Model, at: &Path, sensor: BodyId, body: BodyId) -> bool {
    let [a, b] = [sensor, body].map(|id| (model.body(id), &at.poses[id.index()]));
    let apart = (a.1.position - b.1.position).norm();
    if apart > a.0.reach() + b.0.reach() {
        return false;
    }
    colliders_of(model, sensor).any(|x| {
        colliders_of(model, body).any(|y| gap_of(model, &Pair::Bodies(x, y), at, &mut None) <= 0.0)
    })
}
