//! What contacts gave: impulses of pairs, summed over time, from which mean forces follow.

use nalgebra::Vector3;

use crate::contact::{Pair, Rows, Side};
use crate::mechanics::Wrench;
use crate::model::{BodyId, Model};

/// The impulse of a pair over some time, of all its points, resting or struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairImpulse {
    /// Who.
    pub sides: [Side; 2],
    /// Impulse on the first, in N s; zero for limits.
    pub impulse: Vector3<f64>,
    /// Its part along the normals, Σ λ n.
    pub along: Vector3<f64>,
    /// Σ λ, the sum of the normal impulses (on the limited coordinate for limits).
    pub normal: f64,
    /// Σ λ x over the points x it acted at, and Σ λ.
    pub moment: Vector3<f64>,
    /// See `moment`.
    pub weight: f64,
    /// Angular impulses on both about their centres of mass, in N m s.
    pub angular: [Vector3<f64>; 2],
}

impl PairImpulse {
    /// Nothing yet; sides in their order.
    pub(crate) fn of(pair: &Pair) -> Self {
        Self {
            sides: pair.who(),
            impulse: Vector3::zeros(),
            along: Vector3::zeros(),
            normal: 0.0,
            moment: Vector3::zeros(),
            weight: 0.0,
            angular: [Vector3::zeros(); 2],
        }
    }

    /// Adds λ of a row of a contact problem: along a normal at a point, with the size of the row there,
    /// or across it.
    pub(crate) fn add_row(
        &mut self,
        rows: &Rows,
        row: usize,
        lambda: f64,
        normal: Option<(Vector3<f64>, f64)>,
    ) {
        let force = rows.direction(row) * lambda;
        self.impulse += force;
        for (side, push) in self.angular.iter_mut().zip(&rows.pushed(row).wrenches) {
            *side += push.map_or(Vector3::zeros(), |(_, w)| w.torque * lambda);
        }
        if let Some((point, steepness)) = normal {
            self.along += force;
            self.normal += lambda * steepness;
            self.moment += point * lambda;
            self.weight += lambda;
        }
    }

    /// Adds another impulse of the pair.
    fn add(&mut self, other: &Self) {
        self.impulse += other.impulse;
        self.along += other.along;
        self.normal += other.normal;
        self.moment += other.moment;
        self.weight += other.weight;
        for (side, more) in self.angular.iter_mut().zip(&other.angular) {
            *side += more;
        }
    }

    /// Seen from the other side, where that comes first.
    fn in_order(mut self) -> Self {
        if self.sides[0] > self.sides[1] {
            self.sides.swap(0, 1);
            self.angular.swap(0, 1);
            self.impulse = -self.impulse;
            self.along = -self.along;
        }
        self
    }

    /// Where it acted: the centre of pressure, the mean of its points weighted with their normal impulses.
    pub fn point(&self) -> Vector3<f64> {
        match self.weight > 0.0 {
            true => self.moment / self.weight,
            false => Vector3::zeros(),
        }
    }

    /// Unit normal, from the second to the first; zero for limits.
    pub fn direction(&self) -> Vector3<f64> {
        let sign = if self.normal < 0.0 { -1.0 } else { 1.0 };
        self.along.try_normalize(0.0).unwrap_or_default() * sign
    }

    /// Size of its part across the normals.
    pub fn tangential(&self) -> f64 {
        (self.impulse - self.along).norm()
    }

    /// The impulse on one of its sides and the angular one about its centre of mass.
    pub fn on(&self, side: Side) -> Option<Wrench> {
        let k = self.sides.iter().position(|s| *s == side)?;
        Some(Wrench {
            force: if k == 0 { self.impulse } else { -self.impulse },
            torque: self.angular[k],
        })
    }
}

/// Adds impulses to a list in the order of the pairs.
pub(super) fn merge(list: &mut Vec<PairImpulse>, more: &mut Vec<PairImpulse>) {
    let known = list.len();
    for impulse in more.drain(..) {
        let impulse = impulse.in_order();
        match list[..known].binary_search_by_key(&impulse.sides, |i| i.sides) {
            Ok(k) => list[k].add(&impulse),
            Err(_) => list.push(impulse),
        }
    }
    if list.len() == known {
        return;
    }
    list.sort_by_key(|i| i.sides);
    list.dedup_by(|next, kept| {
        let same = next.sides == kept.sides;
        if same {
            kept.add(next);
        }
        same
    });
}

/// All that contacts gave to one body: impulse and angular impulse about its centre of mass.
pub fn contact_impulse_on(impulses: &[PairImpulse], body: BodyId) -> Wrench {
    sum_on(impulses, Side::Body(body))
}

/// All that contacts gave to one side.
pub(crate) fn sum_on(impulses: &[PairImpulse], side: Side) -> Wrench {
    let mut sum = Wrench {
        force: Vector3::zeros(),
        torque: Vector3::zeros(),
    };
    for w in impulses.iter().filter_map(|i| i.on(side)) {
        sum.force += w.force;
        sum.torque += w.torque;
    }
    sum
}

/// The angular impulses that particles were given, about their centres.
pub(super) fn unturned(model: &Model, impulses: &[PairImpulse]) -> Vector3<f64> {
    let sides = impulses.iter().flat_map(|i| i.sides.iter().zip(&i.angular));
    let own = sides.filter(|(side, _)| matches!(side, Side::Body(b) if model.is_particle(*b)));
    own.map(|(_, angular)| angular).sum()
}

impl PairImpulse {
    /// Names of the two sides.
    pub fn names(&self, model: &Model) -> [String; 2] {
        self.sides.map(|side| side.name(model))
    }
}
