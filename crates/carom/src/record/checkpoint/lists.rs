//! Lists of a checkpoint: impulses, contacts that stand, and where the gap solver starts.

use carom_engine::inner::body_id;

use super::super::words::{Reader, Words};
use crate::contact::{Anchor, ContactPoint, Key, Side};
use crate::gap::Basis;
use crate::model::{BodyId, Hold};
use crate::simulate::{ContactKind, PairImpulse, PointImpulse, Standing};

/// Kinds of standing contacts in the order of their numbers.
const STANDING: [ContactKind; 5] = [
    ContactKind::Impact,
    ContactKind::Stick,
    ContactKind::Slide,
    ContactKind::Rest,
    ContactKind::Release,
];

const HOLDS: [Hold; 3] = [Hold::Stick, Hold::Slip, Hold::Patch];

impl Words {
    fn body(&mut self, body: Option<BodyId>) {
        self.word(body.map_or(u64::MAX, |b| b.index() as u64));
    }

    pub(super) fn impulses(&mut self, impulses: &[PointImpulse]) {
        self.word(impulses.len() as u64);
        for i in impulses {
            let PointImpulse {
                key,
                place,
                start,
                end,
            } = i;
            self.word(u64::from(key.0));
            self.word(u64::from(key.1));
            self.numbers(place.as_slice());
            self.numbers(start);
            self.numbers(end);
        }
    }

    pub(super) fn pressed(&mut self, impulses: &[PairImpulse]) {
        self.word(impulses.len() as u64);
        for i in impulses {
            let PairImpulse {
                sides,
                impulse,
                along,
                normal,
                moment,
                weight,
                angular,
            } = i;
            for side in sides {
                let [kind, index] = side_words(side);
                self.word(kind);
                self.word(index);
            }
            for vector in [impulse, along, moment, &angular[0], &angular[1]] {
                self.numbers(vector.as_slice());
            }
            self.numbers(&[*normal, *weight]);
        }
    }

    pub(super) fn standing(&mut self, contacts: &[Standing]) {
        self.word(contacts.len() as u64);
        for s in contacts {
            let Standing {
                key,
                kind,
                points,
                hold,
            } = s;
            self.word(u64::from(key.0));
            self.word(u64::from(key.1));
            let kind = STANDING.iter().position(|k| k == kind);
            self.word(kind.unwrap_or(0) as u64);
            let hold = HOLDS.iter().position(|h| h == hold);
            self.word(hold.unwrap_or(0) as u64);
            self.word(points.len() as u64);
            for p in points {
                for anchor in [&p.a, &p.b] {
                    self.body(anchor.body);
                    self.numbers(anchor.local.as_slice());
                }
                self.body(p.frame);
                self.numbers(p.normal.as_slice());
                self.word(u64::from(p.edges.is_some()));
                for edge in p.edges.iter().flatten() {
                    self.numbers(edge.as_slice());
                }
                let (freedom, sign) = p.freedom.unwrap_or((usize::MAX, 0.0));
                self.word(freedom as u64);
                self.number(sign);
            }
        }
    }
}

impl Reader<'_> {
    fn body(&mut self, count: usize) -> Option<Option<BodyId>> {
        match self.word()? {
            u64::MAX => Some(None),
            k if (k as usize) < count => Some(Some(body_id(k as usize))),
            _ => None,
        }
    }

    fn anchor(&mut self, bodies: usize) -> Option<Anchor> {
        Some(Anchor {
            body: self.body(bodies)?,
            local: self.vector()?,
        })
    }

    pub(super) fn impulses(&mut self) -> Option<Vec<PointImpulse>> {
        let mut out = Vec::new();
        for _ in 0..self.word()? {
            out.push(PointImpulse {
                key: (self.word()? as u32, self.word()? as u32),
                place: self.vector()?,
                start: self.vector()?.into(),
                end: self.vector()?.into(),
            });
        }
        Some(out)
    }

    fn side(&mut self) -> Option<Side> {
        let [kind, index] = [self.word()?, self.word()?];
        let side = SIDES.get(kind as usize)?(index as usize);
        Some(side)
    }

    pub(super) fn pressed(&mut self) -> Option<Vec<PairImpulse>> {
        let mut out = Vec::new();
        for _ in 0..self.word()? {
            let sides = [self.side()?, self.side()?];
            let [impulse, along, moment] = [self.vector()?, self.vector()?, self.vector()?];
            let angular = [self.vector()?, self.vector()?];
            let [normal, weight] = [self.number()?, self.number()?];
            out.push(PairImpulse {
                sides,
                impulse,
                along,
                normal,
                moment,
                weight,
                angular,
            });
        }
        Some(out)
    }

    pub(super) fn standing(&mut self, bodies: usize) -> Option<Vec<Standing>> {
        let mut out = Vec::new();
        for _ in 0..self.word()? {
            let key = (self.word()? as u32, self.word()? as u32);
            let kind = *STANDING.get(self.word()? as usize)?;
            let hold = *HOLDS.get(self.word()? as usize)?;
            let mut points = Vec::new();
            for _ in 0..self.word()? {
                let (a, b) = (self.anchor(bodies)?, self.anchor(bodies)?);
                let frame = self.body(bodies)?;
                let normal = self.vector()?;
                let edges = match self.word()? {
                    0 => None,
                    _ => Some([self.vector()?, self.vector()?]),
                };
                let (freedom, sign) = (self.word()?, self.number()?);
                points.push(ContactPoint {
                    a,
                    b,
                    frame,
                    normal,
                    edges,
                    freedom: (freedom != u64::MAX).then_some((freedom as usize, sign)),
                    roll: carom_gap::round::Roll::Fixed,
                });
            }
            out.push(Standing {
                key,
                kind,
                points,
                hold,
            });
        }
        Some(out)
    }

    pub(super) fn warm(&mut self) -> Option<Vec<(Key, Basis)>> {
        let mut out = Vec::new();
        for _ in 0..self.word()? {
            let mut half = || self.word().and_then(|w| u32::try_from(w).ok());
            let key = (half()?, half()?);
            let mut words = [0; 6];
            for w in &mut words {
                *w = half()?;
            }
            out.push((key, Basis::from_words(words)?));
        }
        Some(out)
    }
}

/// Sides of pairs by the number of their kind.
pub(super) const SIDES: [fn(usize) -> Side; 7] = [
    |k| Side::Body(body_id(k)),
    Side::Solid,
    Side::Wall,
    Side::Joint,
    Side::Coordinate,
    |_| Side::LowerLimit,
    |_| Side::UpperLimit,
];

fn side_words(side: &Side) -> [u64; 2] {
    let (kind, index) = match *side {
        Side::Body(b) => (0, b.index()),
        Side::Solid(k) => (1, k),
        Side::Wall(k) => (2, k),
        Side::Joint(k) => (3, k),
        Side::Coordinate(k) => (4, k),
        Side::LowerLimit => (5, 0),
        Side::UpperLimit => (6, 0),
    };
    [kind, index as u64]
}
