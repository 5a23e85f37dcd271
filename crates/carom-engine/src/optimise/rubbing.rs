//! Impacts of several points at once, and with friction, by the simulator's own law (Poisson).
//!
//! Compression: from ν⁻ the impulses Σ λ ∇g + τ ∇t lead to ν° with nothing approaching, ∇g · P ν° = 0.
//! Expansion: e λ is given once more along each normal, with an impulse across it again. In both, what
//! acts across a point stays in its cone and opposes the sliding that is left there
//! ([`slide`](super::rows::slide)). ν° are velocities of the node like those before and after: the momentum
//! before it with λ ∇g + τ ∇t as pushes.

use nalgebra::{DMatrix, DVector};

use super::draft::{Draft, FREE};
use super::feature;
use super::layout::Side;
use super::path::Path;
use super::push::Push;
use super::rows::jump::{JumpRow, pushed};
use super::rows::slide::{Linear, Slide, SlideRow};
use super::steps::Operator;
use crate::mechanics::dense::dot;

/// Slip κ of what sticks at several points at once: speeds left of this part of the fastest that meets.
const CREEP: f64 = 1e-7;

/// A point that meets.
pub(crate) struct Spot {
    /// In words.
    pub name: String,
    pub point: feature::Point,
    /// Whether its gap says something that the others of its contact do not.
    pub kept: bool,
    /// Unknown of the whole impulse along the normal.
    pub impulse: usize,
}

/// Points that meet with the same law.
pub(crate) struct Struck {
    /// In words.
    pub name: String,
    pub spots: Vec<Spot>,
    pub friction: f64,
    pub restitution: f64,
}

/// A point with its law, and where its ways along and across the normal begin among those of all.
struct Point<'a> {
    spot: &'a Spot,
    /// The contact it belongs to, in words.
    contact: &'a str,
    /// Ways across; none without friction.
    across: &'a [Push],
    friction: f64,
    restitution: f64,
    first: usize,
    /// The first point of its contact, if that is another one.
    leader: Option<&'a Spot>,
}

/// What a step of the law begins with: impulses along all ways and, for each point, κ of both stages, and the sizes of
/// the impulse across and of the speed that κ is measured in.
struct Begin {
    compression: DVector<f64>,
    expansion: DVector<f64>,
    slips: Vec<[f64; 2]>,
    sizes: Vec<f64>,
    speed: f64,
}

fn points(struck: &[Struck]) -> Vec<Point<'_>> {
    let mut first = 0;
    let mut out = Vec::new();
    for contact in struck {
        for (k, spot) in contact.spots.iter().enumerate() {
            let across = match &spot.point.across {
                Some(ways) if contact.friction > 0.0 => &ways[..],
                _ => &[],
            };
            out.push(Point {
                spot,
                contact: &contact.name,
                across,
                friction: contact.friction,
                restitution: contact.restitution,
                first,
                leader: (k > 0).then(|| &contact.spots[0]),
            });
            first += 1 + across.len();
        }
    }
    out
}

/// Adds unknowns and rows of an impact between the sides before and after it.
pub(crate) fn rub(out: &mut Draft, [before, after]: [usize; 2], struck: &[Struck]) {
    let node = out.path.layout.sides[before].node;
    let points = points(struck);
    let ways: Vec<Push> = (points.iter())
        .flat_map(|p| {
            [p.spot.point.normal.clone()]
                .into_iter()
                .chain(p.across.to_vec())
        })
        .collect();
    let begin = foresee(&out.path, before, &points, &ways);
    // The whole impulses across, in the balance of the node.
    let mut wholes: Vec<Vec<usize>> = Vec::new();
    for point in &points {
        let own = point.across.iter().enumerate().map(|(k, way)| {
            let at = point.first + 1 + k;
            let value = begin.compression[at] + begin.expansion[at];
            out.react(node, "rub", way, FREE, value)
        });
        wholes.push(own.collect());
        out.x[point.spot.impulse] = begin.compression[point.first] + begin.expansion[point.first];
    }
    let (middle, pressed) = compress(out, before, &points, &ways, &begin.compression);
    let several = points.len() > 1;
    let creep = if several { CREEP } else { 0.0 };
    for (k, point) in points.iter().enumerate() {
        let name = &point.spot.name;
        // The whole is λ + e λ.
        let whole = point.spot.impulse;
        let sum = vec![
            (whole, 1.0),
            (pressed[point.first], -(1.0 + point.restitution)),
        ];
        let what = format!("expansion of {name}");
        out.slides
            .rows
            .push(SlideRow::new(node, what, Slide::Sum(sum)));
        meet(out, point, [before, middle, after], several);
        if point.across.is_empty() {
            continue;
        }
        // Impulses across of both stages, as sums of unknowns, with the side that slides after them.
        let one = |k: usize| -> Linear { vec![(pressed[point.first + 1 + k], 1.0)] };
        let rest = |j: usize| -> Linear {
            vec![(wholes[k][j], 1.0), (pressed[point.first + 1 + j], -1.0)]
        };
        let normal = pressed[point.first];
        let stage = |word, side, across, part: f64, at: usize| Stage {
            word,
            side,
            across,
            limit: vec![(normal, point.friction * part)],
            slip: begin.slips[k][at],
            size: begin.sizes[k],
            speed: begin.speed,
            creep,
        };
        stage("compression", middle, [one(0), one(1)], 1.0, 0).add(out, node, point);
        let expansion = stage("expansion", after, [rest(0), rest(1)], point.restitution, 1);
        expansion.add(out, node, point);
    }
}

/// Adds the velocities ν° after the compression, and its impulses, as unknowns; says which side and unknowns these are.
fn compress(
    out: &mut Draft,
    before: usize,
    points: &[Point],
    ways: &[Push],
    impulses: &DVector<f64>,
) -> (usize, Vec<usize>) {
    let Side {
        node, components, ..
    } = out.path.layout.sides[before].clone();
    let middle = out.add_side(node, true, components);
    let own = out.path.layout.sides[middle].clone();
    let mut pressed = Vec::new();
    for (k, way) in ways.iter().enumerate() {
        let layout = &mut out.path.layout;
        let unknown = layout.unknown();
        layout.sides[middle].pushes.push((way.clone(), unknown));
        out.x.push(impulses[k]);
        let normal = points.iter().any(|p| p.first == k);
        out.bounds.push(match normal {
            true => [0.0, f64::INFINITY],
            false => FREE,
        });
        pressed.push(unknown);
    }
    let rates = after_push(&out.path, &own, ways, impulses);
    for (k, &f) in own.freedoms.iter().enumerate() {
        out.x[own.first + k] = rates[f];
    }
    (middle, pressed)
}

/// Rates of the gap of a point, which may be one of several, on the sides before, between and after both stages.
fn meet(out: &mut Draft, point: &Point, [before, middle, after]: [usize; 3], several: bool) {
    let node = out.path.layout.sides[before].node;
    let mut rate = |what: &str, push: &Push, side: usize, range: [f64; 2]| {
        out.jumps.rows.push(JumpRow {
            node,
            what: format!("{what} of {}", point.spot.name),
            push: push.clone(),
            sides: vec![(side, 1.0)],
            products: Vec::new(),
            range,
        });
    };
    let normal = &point.spot.point.normal;
    if point.spot.kept {
        rate("compression", normal, middle, [0.0; 2]);
    }
    // What lands flat comes down flat: one point would strike before the others if it turned.
    match point.leader {
        Some(first) if point.spot.kept => {
            let [own, other] = [point.spot, first].map(|s| s.point.gap.clone());
            let apart = own.plus(&other.times(-1.0));
            rate("level approach", &apart.into(), before, [0.0; 2]);
        }
        None if several => rate("approach", normal, before, [f64::NEG_INFINITY, 0.0]),
        _ => {}
    }
    // What rebounds does not strike another point.
    if several && point.restitution > 0.0 {
        rate("rebound", normal, after, [0.0, f64::INFINITY]);
    }
}

/// Friction of a point in one of the two stages.
struct Stage {
    word: &'static str,
    /// Side that slides after it.
    side: usize,
    /// τ.
    across: [Linear; 2],
    /// μλ.
    limit: Linear,
    /// κ of the guess, and what it is measured in.
    slip: f64,
    size: f64,
    speed: f64,
    /// κ of what sticks.
    creep: f64,
}

impl Stage {
    /// v = −κ τ within the cone of μλ.
    fn add(self, out: &mut Draft, node: usize, point: &Point) {
        let (word, name) = (self.word, &point.spot.name);
        if self.limit.iter().all(|(_, w)| *w == 0.0) {
            // Without an expansion nothing acts across in it.
            for (k, tau) in self.across.into_iter().enumerate() {
                let what = format!("no {word} {k} of {name}");
                let slide = Slide::Sum(tau);
                out.slides.rows.push(SlideRow::new(node, what, slide));
            }
            return;
        }
        let unknown = out.path.layout.unknown();
        let list = &mut out.path.layout.places;
        list.push((format!("slip {node} {word} {name}"), unknown));
        out.x.push(self.slip);
        out.bounds.push(FREE);
        let factor = self.speed / self.size;
        for (k, (tau, way)) in self.across.iter().zip(point.across).enumerate() {
            let product = |(t, w): &(usize, f64)| (unknown, *t, factor * w);
            out.jumps.rows.push(JumpRow {
                node,
                what: format!("sliding {k} in the {word} of {name}"),
                push: way.clone(),
                sides: vec![(self.side, 1.0)],
                products: tau.iter().map(product).collect(),
                range: [0.0; 2],
            });
        }
        let slide = Slide::Cone {
            slip: unknown,
            limit: self.limit,
            across: self.across,
            size: self.size,
            creep: self.creep,
            group: format!("{node} {word} of {}", point.contact),
        };
        let what = format!("friction in the {word} of {name}");
        out.slides.rows.push(SlideRow::new(node, what, slide));
    }
}

/// M⁻¹ of the components of a side on a covector over all degrees of freedom.
pub(crate) fn response(path: &Path, side: &Side, push: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; path.layout.n];
    for &c in &side.components {
        let component = &path.layout.components[c];
        let p: &DMatrix<f64> = &path.nodes()[side.node].null[c];
        let mass = p.tr_mul(&path.operate(c, Operator::Mass, p));
        let own = component.freedoms.iter().map(|&f| push[f]);
        let own = DVector::from_iterator(component.freedoms.len(), own);
        if let Some(moved) = mass.lu().solve(&own) {
            for (&f, v) in component.freedoms.iter().zip(moved.iter()) {
                out[f] = *v;
            }
        }
    }
    out
}

/// Velocities of the momentum before a node after impulses there.
fn after_push(path: &Path, side: &Side, ways: &[Push], impulses: &DVector<f64>) -> Vec<f64> {
    let mut out = path.side_rates(side);
    for (way, value) in ways.iter().zip(impulses.iter()) {
        let moved = response(path, side, &pushed(path, side.node, way));
        out.iter_mut().zip(moved).for_each(|(o, m)| *o += value * m);
    }
    out
}

/// Steps of the law at the velocities of the guess.
fn foresee(path: &Path, before: usize, points: &[Point], ways: &[Push]) -> Begin {
    let side = &path.layout.sides[before];
    let pushes: Vec<_> = ways.iter().map(|w| pushed(path, side.node, w)).collect();
    let rates = path.side_rates(side);
    let moved: Vec<_> = pushes.iter().map(|p| response(path, side, p)).collect();
    let w = DMatrix::from_fn(ways.len(), ways.len(), |i, j| dot(&pushes[i], &moved[j]));
    let v = DVector::from_fn(ways.len(), |i, _| dot(&pushes[i], &rates));
    let speed = match v.amax() > 0.0 {
        true => v.amax(),
        false => 1.0,
    };
    // What acts across is at most μ times what acts along the normal.
    let size = |p: &Point| {
        let mobility = w[(p.first, p.first)].max(f64::MIN_POSITIVE);
        speed / mobility * p.friction.min(1.0)
    };
    let sizes: Vec<f64> = points.iter().map(size).collect();
    let (compression, left) = stage(&w, &v, None, points);
    let (expansion, end) = stage(&w, &left, Some(&compression), points);
    // v = −κ (speed/size) τ.
    let slip = |p: &Point, size: f64, tau: &DVector<f64>, v: &DVector<f64>| {
        let across = |a: &DVector<f64>| a.rows(p.first + 1, p.across.len()).norm();
        let (tau, v) = (across(tau) / size, across(v) / speed);
        if tau > 1e-9 { v / tau } else { 0.0 }
    };
    let slips = (points.iter().zip(&sizes)).map(|(p, s)| {
        [
            slip(p, *s, &compression, &left),
            slip(p, *s, &expansion, &end),
        ]
    });
    Begin {
        slips: slips.collect(),
        compression,
        expansion,
        sizes,
        speed,
    }
}

/// Impulses of a step of the law and the rates they leave: the normal ones stop the approach, or are e times those of the
/// compression before; across them what stops the sliding, within the cone. Relaxed until it settles, as a guess.
fn stage(
    w: &DMatrix<f64>,
    v: &DVector<f64>,
    compression: Option<&DVector<f64>>,
    points: &[Point],
) -> (DVector<f64>, DVector<f64>) {
    let mut impulse = DVector::zeros(v.len());
    if let Some(before) = compression {
        for p in points {
            impulse[p.first] = p.restitution * before[p.first];
        }
    }
    let rate = |row: usize, impulse: &DVector<f64>| v[row] + w.row(row).transpose().dot(impulse);
    for _ in 0..200 {
        for p in points {
            let at = p.first;
            if compression.is_none() && w[(at, at)] > 0.0 {
                impulse[at] = (impulse[at] - rate(at, &impulse) / w[(at, at)]).max(0.0);
            }
            let across = at + 1..at + 1 + p.across.len();
            let softest = across.clone().map(|k| w[(k, k)]).fold(0.0, f64::max);
            if softest > 0.0 {
                let now: Vec<f64> = across.clone().map(|k| rate(k, &impulse)).collect();
                across
                    .clone()
                    .zip(now)
                    .for_each(|(k, v)| impulse[k] -= v / softest);
            }
            let size = impulse.rows(at + 1, p.across.len()).norm();
            let limit = p.friction * impulse[at];
            if size > limit {
                across.for_each(|k| impulse[k] *= limit / size);
            }
        }
    }
    let left = v + w * &impulse;
    (impulse, left)
}
