//! Points at which contacts that are closed touch, and the places where they stick.

use super::closures;
use super::contact_point::ContactPoint;
use super::crossing::Crossing;
use super::draft::{Draft, FREE};
use super::feature::{self, Feature};
use super::poly::Poly;
use super::push::Push;

/// A point of a contact: its gap, and its place where it sticks.
pub(crate) struct Spot {
    pub gap: Poly,
    /// What pushes there.
    pub normal: Push,
    /// Whether the gap says something new.
    pub kept: bool,
    pub across: Vec<Anchored>,
}

/// One of the conditions that keep a point at its place.
pub(crate) struct Anchored {
    /// g and what unknown places add to it; see [`AnchorRow`](super::rows::AnchorRow).
    pub poly: Poly,
    pub places: Vec<(Poly, usize)>,
    /// What holds it.
    pub push: Push,
    /// Whether it says something new. Where it does not, it only tells where the contact has closed.
    pub kept: bool,
}

impl Anchored {
    /// The condition with its places as they are: g + Σ s p.
    pub fn here(&self, x: &[f64]) -> Poly {
        let places = self.places.iter();
        places.fold(self.poly.clone(), |sum, (p, k)| {
            sum.plus(&p.clone().times(x[*k]))
        })
    }
}

/// The points of a contact that closes at a node, with what follows from other constraints left out.
pub(crate) fn spots(
    out: &mut Draft,
    (node, sticks): (usize, bool),
    feature: &Feature,
) -> Vec<Spot> {
    let model = std::sync::Arc::clone(&out.path.model);
    let mut polys: Vec<Poly> = (model.closures().iter())
        .flat_map(|j| closures::constraints(&model, j))
        .collect();
    let first = polys.len();
    let points = feature.points();
    polys.extend(points.iter().map(|p| p.gap.clone()));
    let kept = closures::independent(&mut out.path, &polys);
    out.path.refresh(&out.x, false);
    let q = out.path.nodes()[node].q.clone();
    let mut across: Vec<Vec<Anchored>> = match &feature.crossing {
        _ if !sticks => points.iter().map(|_| Vec::new()).collect(),
        Some(crossing) => vec![crossed(out, (node, feature), crossing, &q)],
        None => {
            let own = [&feature.across].into_iter();
            let ways = own.chain(feature.beside.iter().map(|(_, ways)| ways));
            ways.map(|ways| ways.iter().flatten().map(coordinate).collect())
                .collect()
        }
    };
    // Of their places, what is not held otherwise.
    let fixed: Vec<Poly> = (across.iter().flatten()).map(|a| a.here(&out.x)).collect();
    let others: Vec<Poly> = kept.iter().map(|k| polys[*k].clone()).collect();
    let held = closures::spanning(&mut out.path, (&out.x, node), &others, &fixed);
    for (k, anchored) in across.iter_mut().flatten().enumerate() {
        anchored.kept = held.contains(&k);
        // A coordinate begins where it is.
        if anchored.places.is_empty() && anchored.kept {
            let name = format!("place {} {} {k}", node, feature.name);
            let unknown = place(out, name, anchored.poly.value(&q), FREE);
            anchored.places.push((Poly::constant(-1.0), unknown));
        }
    }
    let spot = |(k, (point, mut across)): (usize, (feature::Point, Vec<Anchored>))| {
        across.retain(|a| !a.places.is_empty());
        Spot {
            gap: point.gap,
            normal: point.normal,
            kept: kept.contains(&(first + k)),
            across,
        }
    };
    points
        .into_iter()
        .zip(across)
        .enumerate()
        .map(spot)
        .collect()
}

/// A coordinate of a point in the plane that it touches.
fn coordinate(poly: &Poly) -> Anchored {
    Anchored {
        poly: poly.clone(),
        places: Vec::new(),
        push: poly.into(),
        kept: true,
    }
}

/// What keeps two edges crossed where they are, with places along both of them.
fn crossed(
    out: &mut Draft,
    (node, feature): (usize, &Feature),
    crossing: &Crossing,
    q: &[f64],
) -> Vec<Anchored> {
    let begun = crossing.places(q);
    let places = [0, 1].map(|k| {
        let name = format!("place {} {} edge {k}", node, feature.name);
        place(out, name, begun[k], [0.0, crossing.lengths[k]])
    });
    let ways = feature.moves.iter().flat_map(|[_, s, t]| [*s, *t]);
    let anchored = |([apart, e, f], way): (&[Poly; 3], ContactPoint)| Anchored {
        poly: apart.clone(),
        places: vec![(e.clone(), places[0]), (f.clone(), places[1])],
        push: way.into(),
        kept: true,
    };
    crossing.rows.iter().zip(ways).map(anchored).collect()
}

/// The place of what sticks as an unknown.
fn place(out: &mut Draft, name: String, value: f64, range: [f64; 2]) -> usize {
    let unknown = out.path.layout.unknown();
    out.x.push(value);
    out.bounds.push(range);
    out.path.layout.places.push((name, unknown));
    unknown
}
