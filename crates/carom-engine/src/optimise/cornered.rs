//! Searches with friction at impacts, whose law has a corner between sticking and sliding.
//!
//! Most end as they are. One that does not begins again from a plan without friction. If that leads nowhere, it takes a side
//! of the corner: sticking or sliding is given then, and the problem is smooth. Where several points meet at once these are
//! the sides that the law has at the plan without friction; where one does, the corner is rounded off before, by a tenth as
//! much from plan to plan, and the search takes the side that it comes to. Where that ends at the corner itself, the other
//! side is looked at as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::corner::{Corner, SHARP, Side, Stand};
use super::error::OptimiseError;
use super::found::Found;
use super::guess::Guess;
use super::impact;
use super::meeting::Impact;
use super::problem::Problem;
use super::search::Search;
use super::status::Status;
use super::warm::Known;
use crate::model::{BodyId, BodyKind, Model};

/// Iterations of a search before it begins again, and of each plan between sides.
const CORNERED: usize = 80;
const ON_THE_WAY: usize = 200;
/// Widths of the rounded corner.
const WIDTHS: [f64; 3] = [1e-1, 1e-2, 1e-3];
/// κ and s up to which a plan stands at the corner.
const AT_CORNER: f64 = 1e-5;
/// Other sides that are looked at.
const MOST_SIDES: usize = 4;
/// Part of an objective by which another side must be better.
const BETTER: f64 = 1e-9;

/// Whether a planned impact has friction.
pub(crate) fn rubs(problem: &Problem) -> bool {
    let all = impact::impacts(problem).into_iter().flat_map(|(_, l)| l);
    let friction = |i: &Impact| impact::touching(&problem.model, &i.between).map(|t| t.friction);
    all.filter_map(friction).any(|f| f > 0.0)
}

/// Whether several points of a body that moves meet at once.
fn meet_at_once(problem: &Problem) -> bool {
    let moves = |b: &BodyId| problem.model.body(*b).kind != BodyKind::Static;
    let coupled = |list: &[Impact]| {
        let bodies = list.iter().flat_map(|i| i.between.bodies());
        let mut seen = BTreeSet::new();
        list.iter().any(|i| i.flat) || bodies.filter(moves).any(|b| !seen.insert(b.index()))
    };
    let all = impact::impacts(problem);
    all.into_iter().any(|(_, list)| coupled(list))
}

/// A search with friction: as it is first, and where that does not end soon, from a plan without friction, and on sides
/// of the corner.
pub(crate) fn run(search: &mut Search, guess: &Guess) -> Result<Found, OptimiseError> {
    let (known, working) = (search.known.clone(), search.working.clone());
    search.most = CORNERED;
    let found = search.run(guess)?;
    search.most = usize::MAX;
    let limited = matches!(found.status, Status::Limit(_) | Status::Stalled(_));
    if !limited || search.spent >= search.settings.solver.max_iterations {
        return Ok(found);
    }
    let smooth = from_frictionless(search, guess)?;
    if let Some(found) = smooth.found {
        return Ok(found);
    }
    (search.known, search.working) = (known, working);
    if let Some((begin, stands)) = smooth.begin
        && meet_at_once(search.problem)
    {
        search.restart();
        if let Some(found) = take_sides(search, &begin, stands)? {
            search.most = usize::MAX;
            return Ok(found);
        }
    }
    search.restart();
    let mut current = guess.clone();
    let mut stands = Vec::new();
    for width in WIDTHS {
        search.corner = Corner::Round(width);
        search.most = search.spent + ON_THE_WAY;
        let found = search.run(&current)?;
        let usable = found.status.is_usable();
        if usable || stands.is_empty() {
            current = found.guess();
            stands = found.stands();
        }
        if !usable {
            break;
        }
    }
    let found = take_sides(search, &current, stands)?;
    search.most = usize::MAX;
    if let Some(found) = found {
        return Ok(found);
    }
    search.corner = Corner::Round(SHARP);
    search.run(&current)
}

/// What a plan without friction led to.
#[derive(Default)]
struct Smooth {
    /// A plan with friction.
    found: Option<Found>,
    /// The plan without friction, and where the law stands there.
    begin: Option<(Guess, Vec<Stand>)>,
}

/// A plan that begins at one without friction.
fn from_frictionless(search: &mut Search, guess: &Guess) -> Result<Smooth, OptimiseError> {
    let problem = search.problem.frictionless();
    let mut smooth = search.another(&problem, guess);
    smooth.most = smooth.spent + CORNERED;
    let found = smooth.run(guess)?;
    let (known, working) = (smooth.known.take(), smooth.working.clone());
    (search.spent, search.rounds) = (smooth.spent, smooth.rounds);
    let Some(known) = known.filter(|_| found.status.is_usable()) else {
        return Ok(Smooth::default());
    };
    let begin = found.guess();
    search.warm(known, working);
    search.most = search.spent + CORNERED;
    let found = search.run(&begin)?;
    search.most = usize::MAX;
    let stands = found.stands_at_start();
    Ok(Smooth {
        found: Some(found).filter(|f| f.status.is_usable()),
        begin: Some((begin, stands)),
    })
}

impl Problem {
    /// The same without friction at contacts.
    fn frictionless(&self) -> Self {
        let mut model = Model::clone(&self.model);
        let rules = &mut model.contact;
        for material in rules.materials.iter_mut().chain([&mut rules.default]) {
            material.friction = 0.0;
            material.static_friction = None;
        }
        for surface in &mut rules.surfaces {
            surface.friction = surface.friction.map(|_| 0.0);
        }
        Self {
            model: Arc::new(model),
            ..self.clone()
        }
    }
}

impl Side {
    fn other(self) -> Self {
        match self {
            Side::Sticks => Side::Slides,
            Side::Slides => Side::Sticks,
        }
    }
}

impl Stand {
    /// The side it is on.
    fn side(&self) -> Side {
        match self.slip < self.room {
            true => Side::Sticks,
            false => Side::Slides,
        }
    }

    /// How far it is from standing on neither side.
    fn clearness(&self) -> f64 {
        let [a, b] = [self.slip, self.room].map(|v| v.abs().max(f64::MIN_POSITIVE));
        (a / b).ln().abs()
    }

    fn is_at_corner(&self) -> bool {
        self.slip.abs().max(self.room.abs()) < AT_CORNER
    }
}

/// Points that take sides together, as one.
fn together(stands: Vec<Stand>) -> Vec<Stand> {
    let mut out: Vec<Stand> = Vec::new();
    for stand in stands {
        match out.iter_mut().find(|s| s.group == stand.group) {
            Some(group) => {
                group.slip += stand.slip;
                group.room += stand.room;
            }
            None => out.push(stand),
        }
    }
    out
}

/// The best plan on the sides of the corners that another one stands on, and on the other sides: of what it is least clear
/// about until there is a plan, then of what ends at its corner. None if no side leads to a plan.
fn take_sides(
    search: &mut Search,
    guess: &Guess,
    stands: Vec<Stand>,
) -> Result<Option<Found>, OptimiseError> {
    let mut stands = together(stands);
    let sides = stands.iter().map(|s| (s.group.clone(), s.side()));
    let mut own: BTreeMap<String, Side> = sides.collect();
    stands.sort_by(|a, b| a.clearness().total_cmp(&b.clearness()));
    let mut seen = Vec::new();
    let mut current = guess.clone();
    let mut best: Option<(Found, Option<Known>)> = None;
    let mut sides = own.clone();
    for _ in 0..=MOST_SIDES {
        search.corner = Corner::Sides(sides.clone());
        search.most = search.spent + ON_THE_WAY;
        let found = search.run(&current)?;
        let gained = (best.as_ref())
            .is_none_or(|(b, _)| found.objective < b.objective - BETTER * b.objective.abs());
        if found.status.is_usable() && gained {
            current = found.guess();
            stands = together(found.stands());
            stands.retain(Stand::is_at_corner);
            own = sides.clone();
            best = Some((found, search.known.clone()));
        } else {
            search.known = None;
        }
        seen.push(sides);
        let turned = |stand: &Stand| {
            let mut other = own.clone();
            let side = other.get_mut(&stand.group)?;
            *side = side.other();
            Some(other).filter(|o| !seen.contains(o))
        };
        match stands.iter().find_map(turned) {
            Some(other) => sides = other,
            None => break,
        }
    }
    search.corner = Corner::Sides(own);
    Ok(best.map(|(found, known)| {
        search.known = known;
        found
    }))
}
