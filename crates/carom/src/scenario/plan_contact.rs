//! `ends` of a phase: what happens between it and the next one.

use super::error::suggestion;
use super::fields::{Item, Read};
use super::plan::Reader;
use super::tree::Value;
use crate::optimise::{Impact, Meeting, Transition};
use crate::words::counted;

const FIX: &str = "write \"smooth\", { impact = [\"BODY\", \"BODY or HALFSPACE\"], restitution = 1 }, or \
                    { impact = { joint = \"NAME\", limit = \"lower\" } }";

impl Reader<'_> {
    /// `"smooth"`, or `{ impact = ["A", "B"] or a list of such, restitution }`.
    pub(super) fn transition(&self, item: &Item) -> Read<Transition> {
        if let Value::Text(word) = &item.node.value {
            return match word.as_str() {
                "smooth" => Ok(Transition::Smooth),
                _ => Err(item.fault(format!("`{word}` is not a transition"), FIX)),
            };
        }
        let fields = item.fields()?;
        let mut impacts = Vec::new();
        match fields.one_of(&["impact"])? {
            Some((_, list)) => {
                let nested = match &list.node.value {
                    Value::List(items) => {
                        let plain = |v: &Value| matches!(v, Value::Text(_));
                        !items.iter().any(|n| plain(&n.value))
                    }
                    _ => false,
                };
                if nested {
                    for one in list.list()? {
                        impacts.push(self.meeting(&one)?);
                    }
                } else {
                    impacts.push(self.meeting(&list)?);
                }
            }
            None => return Err(fields.fault("no transition", FIX)),
        }
        if impacts.is_empty() {
            return Err(fields.fault("nothing meets", FIX));
        }
        let given = fields.get("restitution");
        let given = given
            .map(|item| {
                let e = item.non_negative()?;
                match e <= 1.0 {
                    true => Ok(e),
                    false => Err(item.fault("more than one", "restitution lies between 0 and 1")),
                }
            })
            .transpose()?;
        fields.finish()?;
        let impact = |between: Meeting| Impact {
            between,
            restitution: given.unwrap_or_else(|| self.restitution(&between)),
        };
        Ok(Transition::Impact(
            impacts.into_iter().map(impact).collect(),
        ))
    }

    /// What the materials say.
    fn restitution(&self, meeting: &Meeting) -> f64 {
        let rules = self.model.contact();
        let of = |b: crate::model::BodyId| self.model.body(b).material.as_deref();
        match *meeting {
            Meeting::Bodies(a, b) => rules.between(of(a), of(b)),
            Meeting::Wall(a, wall) => rules.between(of(a), rules.walls[wall].material.as_deref()),
            Meeting::Limit { .. } => rules.between(None, None),
        }
        .restitution
    }

    fn meeting(&self, item: &Item) -> Read<Meeting> {
        if let Value::Table(_) = &item.node.value {
            let fields = item.fields()?;
            let joint = self.joint(&fields.need("joint", "name the joint: joint = \"arm\"")?)?;
            let coordinate = match fields.get("coordinate") {
                Some(item) => item.count(1, 3)? as usize - 1,
                None => 0,
            };
            let limit = fields.need("limit", "write limit = \"lower\" or \"upper\"")?;
            let upper = limit.choice(&[("lower", false), ("upper", true)])?;
            fields.finish()?;
            return Ok(Meeting::Limit {
                joint,
                coordinate,
                upper,
            });
        }
        let names = item.list()?;
        let [first, second] = &names[..] else {
            return Err(item.fault(format!("has {}", counted(names.len(), "name")), FIX));
        };
        let wall = |item: &Item| -> Read<Option<usize>> {
            let name = item.reference()?;
            let walls = &self.model.contact().walls;
            Ok(walls.iter().position(|w| w.name == name))
        };
        // A half-space may come first.
        let (body, other) = match wall(first)? {
            Some(_) => (second, first),
            None => (first, second),
        };
        let a = self.body(body)?;
        if let Some(index) = wall(other)? {
            return Ok(Meeting::Wall(a, index));
        }
        let name = other.reference()?;
        let Some(b) = self.body_named(&name) else {
            let bodies = self.model.bodies().iter().map(|b| b.name.as_str());
            let walls = self.model.contact().walls.iter().map(|w| w.name.as_str());
            let fix = suggestion(&name, bodies.chain(walls));
            return Err(other.fault(format!("there is no body or half-space `{name}`"), fix));
        };
        if a == b {
            return Err(item.fault("a body meets itself", FIX));
        }
        Ok(Meeting::Bodies(a, b))
    }
}
