//! `ends` of a phase: what happens between it and the next one.

use super::error::suggestion;
use super::fields::{Item, Read};
use super::plan::Reader;
use super::tree::Value;
use crate::model::Hold;
use crate::optimise::{Closed, Impact, Meeting, Penalty, Phase, Sequences, Transition};
use crate::words::counted;

/// Length that potential contacts begin with, in sizes of the body.
const SMOOTHING: f64 = 1e-2;

const CLOSED: &str = "write closed = [[\"BODY\", \"BODY or HALFSPACE\"]], or [{ contact = [\"BODY\", \"HALFSPACE\"], \
                      hold = \"stick\", friction = 0.5 }]";

const FIX: &str = "write \"smooth\", \"stick\", \"release\", { impact = [\"BODY\", \"BODY or HALFSPACE\"], restitution = 1 }, or \
                    { impact = { joint = \"NAME\", limit = \"lower\" } }";

impl Reader<'_> {
    /// `"smooth"`, or `{ impact = ["A", "B"] or a list of such, restitution }`.
    pub(super) fn transition(&self, item: &Item) -> Read<Transition> {
        if let Value::Text(word) = &item.node.value {
            return match word.as_str() {
                "smooth" | "stick" | "release" => Ok(Transition::Smooth),
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
        let flat = fields.get("flat").map(|item| item.boolean()).transpose()?;
        fields.finish()?;
        let impact = |between: Meeting| Impact {
            between,
            restitution: given.unwrap_or_else(|| self.restitution(&between)),
            flat: flat.unwrap_or(false),
        };
        Ok(Transition::Impact(
            impacts.into_iter().map(impact).collect(),
        ))
    }

    /// `closed` of a phase: a list of `["A", "B"]` or `{ contact = ["A", "B"], hold, friction }`.
    pub(super) fn closed(&self, item: &Item) -> Read<Vec<Closed>> {
        let mut out: Vec<Closed> = Vec::new();
        for one in item.list()? {
            let joint = |between: Meeting| Closed {
                between,
                hold: Hold::Stick,
                friction: None,
            };
            let mut closed;
            if let Value::Table(_) = &one.node.value {
                let fields = one.fields()?;
                closed = joint(self.meeting(&fields.need("contact", CLOSED)?)?);
                if let Some(item) = fields.get("hold") {
                    closed.hold = item.choice(&[
                        ("stick", Hold::Stick),
                        ("slip", Hold::Slip),
                        ("patch", Hold::Patch),
                    ])?;
                }
                if let Some(item) = fields.get("friction") {
                    closed.friction = Some(item.positive()?);
                }
                if closed.hold == Hold::Slip && closed.friction.is_some() {
                    let fix = "leave friction out, or write hold = \"stick\"";
                    return Err(one.fault("what slips has no friction", fix));
                }
                fields.finish()?;
            } else {
                closed = joint(self.meeting(&one)?);
            }
            if out.iter().any(|c| c.between == closed.between) {
                return Err(one.fault("is closed twice", "name every contact once"));
            }
            out.push(closed);
        }
        Ok(out)
    }

    /// Whether what `ends` says follows from what this phase and the next one close.
    pub(super) fn check_end(&self, item: &Item, phase: &Phase, next: Option<&Phase>) -> Read<()> {
        let Value::Text(word) = &item.node.value else {
            return Ok(());
        };
        let has = |list: &[Closed], c: &Closed| list.iter().any(|d| d.between == c.between);
        let next = next.map_or(&phase.closed[..], |p| &p.closed[..]);
        let opens = phase.closed.iter().any(|c| !has(next, c));
        let closes = next.iter().any(|c| !has(&phase.closed, c));
        match word.as_str() {
            "release" if !opens => Err(item.fault(
                "nothing is released here",
                "list the contact under `closed` of this phase, and not of the next one",
            )),
            "stick" if !closes => Err(item.fault(
                "nothing sticks here",
                "list the contact under `closed` of the next phase, and not of this one",
            )),
            "smooth" if opens || closes => Err(item.fault(
                "a contact closes or is released here",
                "write \"stick\" or \"release\", or leave it out: it follows from `closed`",
            )),
            _ => Ok(()),
        }
    }

    /// `sequences = { contacts = [["A", "B"], …], most, restitution, coarse_steps }`.
    pub(super) fn sequences(&self, item: &Item) -> Read<Sequences> {
        let fields = item.fields()?;
        let list = fields.need(
            "contacts",
            "name who may meet: contacts = [[\"cube\", \"floor\"]]",
        )?;
        let given = fields.get("restitution");
        let given = given.map(|e| e.non_negative()).transpose()?;
        let mut contacts = Vec::new();
        for one in list.list()? {
            let between = self.meeting(&one)?;
            contacts.push(Impact {
                between,
                restitution: given.unwrap_or_else(|| self.restitution(&between)),
                flat: false,
            });
        }
        if contacts.is_empty() {
            return Err(list.fault("names no contact", "name at least one pair"));
        }
        let most = fields.need("most", "how many impacts at most? most = 3")?;
        let out = Sequences {
            contacts,
            most: most.count(1, 12)? as usize,
            coarse_steps: match fields.get("coarse_steps") {
                Some(item) => item.count(2, 1000)? as usize,
                None => 6,
            },
        };
        fields.finish()?;
        Ok(out)
    }

    /// `penalty`: a list of `{ contact = ["A", "B"], stiffness, smoothing }`.
    pub(super) fn penalties(&self, item: &Item) -> Read<Vec<Penalty>> {
        let one = |item: &Item| {
            let fields = item.fields()?;
            let fix = "name who touches: contact = [\"cube\", \"wall\"]";
            let between = self.meeting(&fields.need("contact", fix)?)?;
            let stiffness = fields.need("stiffness", "give it in N/m: stiffness = 20")?;
            let stiffness = stiffness.positive()?;
            let smoothing = match fields.get("smoothing") {
                Some(item) => item.non_negative()?,
                None => SMOOTHING * self.reach(&between),
            };
            fields.finish()?;
            Ok(Penalty {
                between,
                stiffness,
                smoothing,
            })
        };
        item.list()?.iter().map(one).collect()
    }

    /// Size of the first body of a contact.
    fn reach(&self, meeting: &Meeting) -> f64 {
        let (Meeting::Bodies(a, _) | Meeting::Wall(a, _)) = *meeting else {
            return 1.0;
        };
        let body = self.model.body(a);
        let shape = body.shape.as_ref();
        let own = shape.map(|s| s.vertices().iter().map(|v| v.reach()).fold(0.0, f64::max));
        own.unwrap_or(body.radius)
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
