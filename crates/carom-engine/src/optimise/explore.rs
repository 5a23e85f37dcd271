//! A way through obstacles, found by two trees that grow towards each other.
//!
//! Where no single way-pose leads a guess past what stands in its way (a corridor with a corner, an arm that must draw
//! back first), configurations are drawn at random and joined to trees from the start and from the goal until these meet
//! (RRT-Connect, Kuffner and LaValle 2000); then detours are cut off. The numbers are seeded: the same problem gives the
//! same way.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::avoid::check;
use super::detour::between;
use super::guess::{Place, Way, at};
use super::problem::Problem;
use super::random::random;
use crate::contact::Detector;
use crate::mechanics::slides;
use crate::model::{BodyKind, Joint, JointKind, Model};

/// Degrees of freedom up to which trees can find their way.
const MOST_FREEDOMS: usize = 12;
/// Configurations that are looked at in each width, at most.
const MOST_LOOKS: usize = 20_000;
/// Length of a branch, and distance of the configurations on it that are looked at, in sizes of what moves.
const BRANCH: f64 = 1.0;
const LOOK: f64 = 0.1;
/// How far beyond start and goal configurations are drawn, in sizes of what moves and in rad; and the parts of it
/// that are tried first, since short ways are good guesses.
const BEYOND: f64 = 4.0;
const TURN: f64 = std::f64::consts::PI;
const WIDTHS: [f64; 3] = [0.15, 0.4, 1.0];
/// Shortcuts that are tried.
const SHORTCUTS: usize = 300;

/// Ways between the first and the last one that touch nothing; none if there is no need, or none was found.
/// Idle freedoms, which nothing moves, stay between start and goal.
pub(crate) fn explore(problem: &Problem, [from, to]: [&Way; 2], idle: &[bool]) -> Option<Vec<Way>> {
    problem.avoid.as_ref()?;
    let model = &*problem.model;
    if model.freedom() > MOST_FREEDOMS || !model.closures().is_empty() || to.node < 2 {
        return None;
    }
    let mut space = Space::new(model, [from, to], idle);
    if !space.is_free(from, from, 0.0) || !space.is_free(to, to, 0.0) {
        return None;
    }
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    for width in WIDTHS {
        (space.width, space.looks) = (width, 0);
        if let Some(path) = space.connect([from, to], &mut random) {
            let path = space.shorten(path, &mut random);
            return Some(space.at_nodes(path, to.node));
        }
    }
    None
}

/// A tree: configurations, and the one each grew from.
type Tree = Vec<(Way, usize)>;

/// Configurations of a model, how far they are from each other, and which touch nothing.
struct Space<'a> {
    model: &'a Model,
    detector: Detector,
    /// Size of what moves, and the arm by which turns count as lengths.
    size: f64,
    arm: f64,
    /// Start and goal, between and beyond which configurations are drawn.
    ends: [Way; 2],
    /// How far beyond, of the most.
    width: f64,
    looks: usize,
    idle: &'a [bool],
}

impl<'a> Space<'a> {
    fn new(model: &'a Model, ends: [&Way; 2], idle: &'a [bool]) -> Self {
        let moving = (model.bodies().iter()).filter(|b| b.kind != BodyKind::Static);
        let reaches: Vec<f64> = moving
            .filter_map(|b| b.shape.as_ref())
            .map(|s| s.vertices().iter().map(|v| v.reach()).fold(0.0, f64::max))
            .collect();
        let carried = |j: &Joint| j.parent.is_some() && j.kind != JointKind::Fixed;
        let chain = model.joints().iter().any(carried);
        let size = reaches.iter().fold(1e-9, |m: f64, r| m.max(*r));
        Self {
            model,
            detector: Detector::new(model),
            size,
            // A chain turns as a whole.
            arm: if chain { reaches.iter().sum() } else { size },
            ends: ends.map(Clone::clone),
            width: 1.0,
            looks: 0,
            idle,
        }
    }

    /// Whether nothing overlaps at a part of the way from one configuration to another.
    fn is_free(&mut self, from: &Way, to: &Way, s: f64) -> bool {
        self.looks += 1;
        let poses: Vec<Pose> = at(self.model, from, to, s);
        check::overlaps_by(&mut self.detector, self.model, &poses).is_empty()
    }

    /// How far two configurations are apart: lengths, and turns by the arm.
    fn distance(&self, a: &Way, b: &Way) -> f64 {
        let mut sum = 0.0;
        for (j, places) in a.places.iter().zip(&b.places).enumerate() {
            sum += match places {
                (Place::Free(p, r), Place::Free(q, t)) => {
                    (p - q).norm_squared() + (self.size * (r - t)).norm_squared()
                }
                (Place::Turned(r), Place::Turned(t)) => (self.arm * (r - t)).norm_squared(),
                (Place::Coordinates(p), Place::Coordinates(q)) => {
                    let slides = slides(&self.model.joints()[j]);
                    let part = |(c, (p, q)): (usize, (&f64, &f64))| {
                        let unit = if slides[c] { 1.0 } else { self.arm };
                        (unit * (p - q)).powi(2)
                    };
                    p.iter().zip(q).enumerate().map(part).sum()
                }
                _ => 0.0,
            };
        }
        sum.sqrt()
    }

    /// Whether the straight way between two configurations is free, its first end left out.
    fn is_open(&mut self, from: &Way, to: &Way) -> bool {
        let looks = (self.distance(from, to) / (LOOK * self.size))
            .ceil()
            .max(1.0) as usize;
        // The far end first: it is what is most likely to be taken.
        (1..=looks)
            .rev()
            .all(|k| self.is_free(from, to, k as f64 / looks as f64))
    }

    /// A configuration drawn at random.
    fn draw(&self, random: &mut impl FnMut() -> f64) -> Way {
        let (room, turn) = (self.width * BEYOND * self.size, self.width * TURN);
        let mut drawn = |range: [f64; 2]| {
            let [low, high] = range;
            0.5 * (low + high) + 0.5 * (high - low) * random()
        };
        let around = |p: f64, q: f64, room: f64| [p.min(q) - room, p.max(q) + room];
        let [from, to] = &self.ends;
        let mut out = from.clone();
        for (j, place) in out.places.iter_mut().enumerate() {
            let joint = &self.model.joints()[j];
            let first = self.model.offsets[j];
            let beyond = |k: usize, most: f64| if self.idle[first + k] { 0.0 } else { most };
            match (place, &from.places[j], &to.places[j]) {
                (Place::Free(p, r), Place::Free(a, c), Place::Free(b, d)) => {
                    *p = Vector3::from_fn(|k, _| drawn(around(a[k], b[k], beyond(k, room))));
                    *r = Vector3::from_fn(|k, _| drawn(around(c[k], d[k], beyond(3 + k, turn))));
                }
                (Place::Turned(r), Place::Turned(a), Place::Turned(b)) => {
                    *r = Vector3::from_fn(|k, _| drawn(around(a[k], b[k], beyond(k, turn))));
                }
                (Place::Coordinates(v), Place::Coordinates(a), Place::Coordinates(b)) => {
                    let slides = slides(joint);
                    for (c, value) in v.iter_mut().enumerate() {
                        let most = if slides[c] { room } else { turn };
                        let mut range = around(a[c], b[c], beyond(c, most));
                        if let Some(Some([low, high])) = joint.limits.get(c) {
                            range = range.map(|x| x.clamp(*low, *high));
                        }
                        *value = drawn(range);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// A branch from the nearest configuration of a tree towards another; whether it got there.
    fn grow(&mut self, tree: &mut Tree, towards: &Way) -> Option<bool> {
        let away = |(k, (w, _)): (usize, &(Way, usize))| (self.distance(w, towards), k);
        let near = tree.iter().enumerate().map(away);
        let (distance, nearest) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let from = tree[nearest].0.clone();
        let branch = BRANCH * self.size;
        let (to, reached) = match distance <= branch {
            true => (towards.clone(), true),
            false => (between([&from, towards], branch / distance, 0), false),
        };
        if !self.is_open(&from, &to) {
            return None;
        }
        tree.push((to, nearest));
        Some(reached)
    }

    /// Grows trees from both ends until they meet.
    fn connect(&mut self, ends: [&Way; 2], random: &mut impl FnMut() -> f64) -> Option<Vec<Way>> {
        let mut trees: [Tree; 2] = ends.map(|w| vec![(w.clone(), 0)]);
        let mut own = 0;
        while self.looks < MOST_LOOKS {
            let drawn = self.draw(random);
            if self.grow(&mut trees[own], &drawn).is_some() {
                let tip = trees[own].last().map(|t| t.0.clone())?;
                let other = &mut trees[1 - own];
                while let Some(reached) = self.grow(other, &tip) {
                    if reached {
                        let [first, second] = trees.map(|t| trunk(&t));
                        return Some(first.into_iter().rev().chain(second).collect());
                    }
                }
            }
            own = 1 - own;
        }
        None
    }

    /// Cuts off detours.
    fn shorten(&mut self, mut path: Vec<Way>, random: &mut impl FnMut() -> f64) -> Vec<Way> {
        // Both tips are the same configuration.
        path.dedup_by(|a, b| a.places == b.places);
        for _ in 0..SHORTCUTS {
            if path.len() < 3 {
                break;
            }
            let mut any = || ((0.5 + 0.5 * random()) * path.len() as f64) as usize;
            let (a, b) = (any().min(path.len() - 1), any().min(path.len() - 1));
            let (a, b) = (a.min(b), a.max(b));
            if b - a >= 2 && self.is_open(&path[a], &path[b]) {
                path.drain(a + 1..b);
            }
        }
        path
    }

    /// What lies between the ends of a path, at nodes by its length.
    fn at_nodes(&self, path: Vec<Way>, last: usize) -> Vec<Way> {
        let lengths = path.windows(2).map(|w| self.distance(&w[0], &w[1]));
        let mut sum = 0.0;
        let along: Vec<f64> = lengths
            .map(|l| {
                sum += l;
                sum
            })
            .collect();
        let mut out: Vec<Way> = Vec::new();
        for (way, length) in path.into_iter().skip(1).zip(along) {
            let node = (length / sum * last as f64).round() as usize;
            let after = out.last().map_or(0, |w| w.node);
            if node > after && node < last {
                out.push(Way { node, ..way });
            }
        }
        out
    }
}

/// From the tip of a tree to its root.
fn trunk(tree: &Tree) -> Vec<Way> {
    let mut out = Vec::new();
    let mut at = tree.len() - 1;
    loop {
        out.push(tree[at].0.clone());
        if at == 0 {
            return out;
        }
        at = tree[at].1;
    }
}
