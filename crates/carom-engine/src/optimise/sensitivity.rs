//! Derivatives of the end of a simulation through exact impacts.
//!
//! Where a step is cut at a contact, the instant moves with everything before it: a derivative that only
//! follows the states misses that, and is wrong by a finite amount. Here the steps with their cuts are the
//! equations of a plan in which nothing is free: balances, gaps that close, velocities on both sides of
//! each impact, restitution, and parts of cut steps that add up to the whole. Their derivatives are
//! exact, and the implicit function theorem does the rest.

use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector};

use super::assemble::assemble;
use super::cost::Cost;
use super::draft::Draft;
use super::error::OptimiseError;
use super::guess::Guess;
use super::layout::Scale;
use super::meeting::{Impact, Meeting, Transition};
use super::problem::{Phase, Problem};
use super::rows::jump::pushed;
use super::rows::{Balance, Rates};
use super::transcription::Transcription;
use crate::contact::{Pair, Side, Surfaces};
use crate::model::{BodyKind, Model};
use crate::simulate::{ContactEvent, ContactKind, Settings, Simulation};

/// Impacts nearer to each other than this part of a step are at once: there is no derivative.
const AT_ONCE: f64 = 1e-9;

/// Approach slower than this part of the fastest speed grazes: there is no derivative.
const GRAZING: f64 = 1e-7;

/// Derivatives of the last state of a simulation. A state is (u, ν): increments of all joints from
/// where they are (for a free body its displacement and a rotation vector in inertial axes), and their
/// velocities.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// By the first state.
    pub by_start: DMatrix<f64>,
    /// By the controls of every step.
    pub by_controls: Vec<DMatrix<f64>>,
    /// By the restitution of every impact.
    pub by_restitution: Vec<DVector<f64>>,
    /// By the logarithm of the mass of every body, its inertia growing alike; zero for static ones.
    pub by_mass: Vec<DVector<f64>>,
    /// Times of the impacts in s, and their derivatives by the first state.
    pub impacts: Vec<(f64, DVector<f64>)>,
}

/// Why there is no derivative.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoDerivative {
    /// Two graze each other: a little less, and they would miss.
    Grazing {
        /// Who.
        who: [String; 2],
        /// When, in s.
        time: f64,
    },
    /// Two meet as another impact happens: the order of the two matters.
    AtOnce {
        /// Who.
        who: [String; 2],
        /// When, in s.
        time: f64,
    },
    /// Two meet where a step ends: before it and after it steps are cut in different ways.
    AtNode {
        /// Who.
        who: [String; 2],
        /// When, in s.
        time: f64,
    },
    /// A contact rests, sticks, slides or is let go: derivatives pass through impacts only.
    Lasting {
        /// Who.
        who: [String; 2],
        /// When, in s.
        time: f64,
        /// What happens there.
        kind: ContactKind,
    },
    /// The equations of the run are singular.
    Degenerate,
    /// The run fails, or has something that is not differentiated.
    Failed(OptimiseError),
}

impl std::fmt::Display for NoDerivative {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Grazing { who: [a, b], time } => write!(f, "{a} and {b} graze at {time} s"),
            Self::AtOnce { who: [a, b], time } => {
                write!(
                    f,
                    "{a} and {b} meet at {time} s, at once with another impact"
                )
            }
            Self::AtNode { who: [a, b], time } => {
                write!(
                    f,
                    "{a} and {b} meet at {time} s, where a step ends: change the step size"
                )
            }
            Self::Lasting {
                who: [a, b],
                time,
                kind,
            } => write!(f, "{} of {a} and {b} at {time} s", kind.name()),
            Self::Degenerate => write!(f, "the equations of the run are singular"),
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NoDerivative {}

impl From<OptimiseError> for NoDerivative {
    fn from(error: OptimiseError) -> Self {
        Self::Failed(error)
    }
}

/// One part of a step.
struct Part {
    /// Step of the simulation it belongs to, and its share of it.
    step: usize,
    share: f64,
    /// What ends it.
    impact: Option<Impact>,
}

/// Runs a model from its start with given steps and controls, and differentiates the state at the end.
///
/// # Errors
/// Where there is no derivative, and why: see [`NoDerivative`].
pub fn sensitivity(
    model: &Arc<Model>,
    settings: Settings,
    steps: &[f64],
    controls: &[Vec<f64>],
) -> Result<Sensitivity, NoDerivative> {
    let (parts, poses) = run(model, settings, steps, controls)?;
    let phases = parts.iter().map(|p| Phase {
        steps: 1,
        step: steps[p.step],
        time_scale: match p.share == 1.0 {
            true => [1.0; 2],
            false => [0.0, 2.0],
        },
        ends: match p.impact {
            Some(impact) => Transition::Impact(vec![impact]),
            None => Transition::Smooth,
        },
        ..Phase::default()
    });
    let problem = Problem::new(Arc::clone(model), phases.collect());
    let guess = Guess {
        poses,
        controls: parts.iter().map(|p| controls[p.step].clone()).collect(),
        scales: parts.iter().map(|p| p.share).collect(),
        parameters: Vec::new(),
        known: None,
    };
    let system = System::new(&problem, &guess, &parts)?;
    system.differentiate(&problem, &guess, &parts, steps.len())
}

/// The parts of all steps, and the poses at their ends.
fn run(
    model: &Arc<Model>,
    settings: Settings,
    steps: &[f64],
    controls: &[Vec<f64>],
) -> Result<(Vec<Part>, Vec<Vec<Pose>>), NoDerivative> {
    let fault = |e: &dyn std::fmt::Display| {
        NoDerivative::Failed(OptimiseError::Guess {
            what: format!("the simulation failed: {e}"),
        })
    };
    let start = || Simulation::new(Arc::clone(model), settings).map_err(|e| fault(&e));
    let mut simulation = start()?;
    let mut poses = vec![simulation.state().poses.clone()];
    let mut parts = Vec::new();
    let mut seen = 0;
    let mut fastest = f64::MIN_POSITIVE;
    for (step, (h, tau)) in steps.iter().zip(controls).enumerate() {
        let before = simulation.snapshot();
        let begin = before.time;
        simulation.step_with(*h, tau).map_err(|e| fault(&e))?;
        let events: Vec<ContactEvent> = simulation.events()[seen..].to_vec();
        seen = simulation.events().len();
        let mut ahead =
            Simulation::from_state(Arc::clone(model), settings, before).map_err(|e| fault(&e))?;
        let mut done = 0.0;
        for event in &events {
            let share = (event.time - begin) / h - done;
            let (who, time) = (event.names(model), event.time);
            if event.kind != ContactKind::Impact {
                let kind = event.kind;
                return Err(NoDerivative::Lasting { who, time, kind });
            }
            fastest = fastest.max(event.speed_before.abs());
            if event.speed_before.abs() <= GRAZING * fastest {
                return Err(NoDerivative::Grazing { who, time });
            }
            if share <= AT_ONCE || done + share >= 1.0 - AT_ONCE {
                return Err(match done > 0.0 && share <= AT_ONCE {
                    true => NoDerivative::AtOnce { who, time },
                    false => NoDerivative::AtNode { who, time },
                });
            }
            ahead.step_with(share * h, tau).map_err(|e| fault(&e))?;
            poses.push(ahead.state().poses.clone());
            parts.push(Part {
                step,
                share,
                impact: Some(met(model, event)?),
            });
            done += share;
        }
        poses.push(simulation.state().poses.clone());
        parts.push(Part {
            step,
            share: 1.0 - done,
            impact: None,
        });
    }
    Ok((parts, poses))
}

/// The meeting of an event, with what the materials say.
fn met(model: &Model, event: &ContactEvent) -> Result<Impact, OptimiseError> {
    let unknown = || OptimiseError::Unsupported {
        what: "a derivative through this kind of contact".into(),
        fix: "bodies, half-spaces and limits of joints are known".into(),
    };
    let touching = Surfaces::new(model).of(&event.pair);
    let between = match &event.pair {
        Pair::Bodies(a, b) => match [a.side(), b.side()] {
            [Side::Body(a), Side::Body(b)] => Meeting::Bodies(a, b),
            [Side::Body(a), Side::Wall(wall)] => Meeting::Wall(a, wall),
            _ => return Err(unknown()),
        },
        Pair::JointLimit {
            joint,
            coordinate,
            sign,
            ..
        } => {
            let id = model.joints()[*joint].id.ok_or_else(unknown)?;
            Meeting::Limit {
                joint: id,
                coordinate: *coordinate,
                upper: *sign < 0.0,
            }
        }
        _ => return Err(unknown()),
    };
    if touching.friction != 0.0 {
        return Err(OptimiseError::Unsupported {
            what: "a derivative through an impact with friction".into(),
            fix: "make what meets frictionless".into(),
        });
    }
    Ok(Impact {
        between,
        restitution: touching.restitution,
        flat: false,
    })
}

/// The equations of the run at its solution.
struct System {
    t: Transcription,
    x: Vec<f64>,
    /// Rows that are equations.
    equations: Vec<usize>,
    /// Sides at the start and at the end.
    ends: [usize; 2],
}

impl System {
    fn new(problem: &Problem, guess: &Guess, parts: &[Part]) -> Result<Self, OptimiseError> {
        let Draft {
            mut path,
            mut bounds,
            conditions,
            jumps,
            mut x,
            ..
        } = assemble(problem, guess)?;
        let all: Vec<usize> = (0..path.layout.components.len()).collect();
        let last = path.layout.grid.len();
        let ends = [(0, false), (last, true)]
            .map(|(node, before)| path.layout.add_side(node, before, all.clone()));
        x.resize(path.layout.unknowns, 0.0);
        bounds.resize(x.len(), [f64::NEG_INFINITY, f64::INFINITY]);
        for (p, scale) in path.layout.scales.iter().enumerate() {
            if let Scale::Unknown(index) = scale {
                x[*index] = parts[p].share;
            }
        }
        path.refresh(&x, true);
        for side in path.layout.sides.clone() {
            let rates = path.side_rates(&side);
            for (k, &f) in side.freedoms.iter().enumerate() {
                x[side.first + k] = rates[f];
            }
        }
        let ranges: Vec<[f64; 2]> = conditions.rows.iter().map(|r| r.range).collect();
        let balance = Balance::new(&path.layout);
        let rates = Rates::new(&path.layout);
        let cost = Arc::new(Cost::new(problem, &path.layout));
        let mut t = Transcription::new(path, bounds, cost, None);
        t.add(balance);
        let first = t.rows();
        t.add(conditions);
        t.add(rates);
        if !jumps.rows.is_empty() {
            t.add(jumps);
        }
        let is_equation = |row: &usize| {
            let inside = (first..first + ranges.len()).contains(row);
            !inside || ranges[*row - first][0] == ranges[*row - first][1]
        };
        let equations = (0..t.rows()).filter(is_equation).collect();
        let mut out = Self {
            t,
            x,
            equations,
            ends,
        };
        out.impulses();
        Ok(out)
    }

    /// The impulses that the velocities on both sides ask for.
    fn impulses(&mut self) {
        let path = &self.t.path;
        for (k, touch) in path.layout.impacts.clone().into_iter().enumerate() {
            let (node, unknown) = (touch.node, touch.impulses[0]);
            let sides = &path.layout.sides;
            let [before, after] = [&sides[2 * k], &sides[2 * k + 1]].map(|s| path.side_rates(s));
            let reaction = (path.layout.reactions.iter()).find(|r| r.unknown == unknown);
            let Some(reaction) = reaction else { continue };
            // M (ν⁺ − ν⁻) = Pᵀ∇g μ
            let push = pushed(path, node, &reaction.push);
            let (mut top, mut bottom) = (0.0, 0.0);
            for (c, component) in path.layout.components.iter().enumerate() {
                let p = &path.nodes()[node].null[c];
                let mass = p.tr_mul(&path.operate(c, super::steps::Operator::Mass, p));
                let jump = component.freedoms.iter().map(|&f| after[f] - before[f]);
                let jump = mass * DVector::from_iterator(component.freedoms.len(), jump);
                for (&f, v) in component.freedoms.iter().zip(jump.iter()) {
                    top += push[f] * v;
                    bottom += push[f] * push[f];
                }
            }
            self.x[unknown] = top / bottom;
        }
    }

    fn differentiate(
        mut self,
        problem: &Problem,
        guess: &Guess,
        parts: &[Part],
        steps: usize,
    ) -> Result<Sensitivity, NoDerivative> {
        let layout = self.t.path.layout.clone();
        let (n, nc, last) = (layout.n, layout.nc, layout.grid.len());
        let scale = |p: usize| match layout.scales[p] {
            Scale::Unknown(index) => Some(index),
            Scale::Fixed(_) => None,
        };
        // Parts of a cut step add up to it.
        let cuts: Vec<Vec<usize>> = (0..steps)
            .map(|step| {
                let own = (0..parts.len()).filter(|&p| parts[p].step == step);
                own.filter_map(scale).collect::<Vec<_>>()
            })
            .filter(|list| !list.is_empty())
            .collect();
        // What is given: u and ν at the start, and controls. All else follows.
        let [start, end] = self.ends.map(|s| layout.sides[s].first);
        let mut place = vec![None; layout.unknowns];
        let mut count = 0;
        for (index, slot) in place.iter_mut().enumerate() {
            let is_u0 = index < n;
            let is_rate = (start..start + n).contains(&index);
            let node = n + nc;
            let is_tau = index < layout.node_unknowns() && index % node >= n;
            if !(is_u0 || is_rate || is_tau) {
                *slot = Some(count);
                count += 1;
            }
        }
        let rows = self.equations.len() + cuts.len();
        if rows != count {
            return Err(NoDerivative::Degenerate);
        }
        let mut row_of = vec![None; self.t.rows()];
        for (k, &row) in self.equations.iter().enumerate() {
            row_of[row] = Some(k);
        }
        let mut inner = DMatrix::zeros(rows, count);
        let mut given = DMatrix::zeros(rows, layout.unknowns);
        let x = self.x.clone();
        self.t.each_jacobian(&x, &mut |r, c, v| {
            if let Some(row) = row_of[r] {
                match place[c] {
                    Some(column) => inner[(row, column)] += v,
                    None => given[(row, c)] += v,
                }
            }
        });
        for (k, list) in cuts.iter().enumerate() {
            for index in list {
                if let Some(column) = place[*index] {
                    inner[(self.equations.len() + k, column)] = 1.0;
                }
            }
        }
        let lu = inner.lu();
        let follow = |column: DVector<f64>| -> Result<DVector<f64>, NoDerivative> {
            lu.solve(&-column).ok_or(NoDerivative::Degenerate)
        };
        let state = |d: &DVector<f64>| {
            let at = |index: usize| place[index].map_or(0.0, |k| d[k]);
            let u = (0..n).map(|f| at(layout.u(last, f)));
            let rates = (0..n).map(|f| at(end + f));
            DVector::from_iterator(2 * n, u.chain(rates))
        };
        // How far into the run each impact is: the sum of all parts before.
        let times: Vec<f64> = self.impact_times();
        let mut impacts: Vec<(f64, DVector<f64>)> =
            times.iter().map(|t| (*t, DVector::zeros(2 * n))).collect();
        let mut by_start = DMatrix::zeros(2 * n, 2 * n);
        for k in 0..2 * n {
            let index = if k < n { k } else { start + k - n };
            let d = follow(given.column(index).into())?;
            by_start.set_column(k, &state(&d));
            for (j, touch) in layout.impacts.iter().enumerate() {
                let parts = (0..touch.node).filter_map(|p| Some((p, place[scale(p)?]?)));
                let moved: f64 = parts.map(|(p, at)| layout.grid[p].base * d[at]).sum();
                impacts[j].1[k] = moved;
            }
        }
        let mut by_controls = vec![DMatrix::zeros(2 * n, nc); steps];
        for (p, part) in parts.iter().enumerate() {
            for c in 0..nc {
                let d = follow(given.column(layout.tau(p, c)).into())?;
                let mut own = by_controls[part.step].column_mut(c);
                own += state(&d);
            }
        }
        let mut by_restitution = Vec::new();
        for k in 0..layout.impacts.len() {
            // ∂/∂e of ∇g · P (ν⁺ + e ν⁻): the laws are the last rows.
            let row = self.t.rows() - layout.impacts.len() + k;
            let unknown = layout.impacts[k].impulses[0];
            let poly = layout.reactions.iter().find(|r| r.unknown == unknown);
            let mut column = DVector::zeros(rows);
            if let (Some(row), Some(reaction)) = (row_of[row], poly) {
                let push = pushed(&self.t.path, reaction.node, &reaction.push);
                let rates = self.t.path.rates(&layout.sides[2 * k]);
                column[row] = push.iter().zip(&rates).map(|(a, b)| a * b).sum();
            }
            by_restitution.push(state(&follow(column)?));
        }
        let mut by_mass = Vec::new();
        for (b, body) in problem.model.bodies().iter().enumerate() {
            if body.kind == BodyKind::Static {
                by_mass.push(DVector::zeros(2 * n));
                continue;
            }
            // Rows are linear in the masses: a difference is exact.
            let [one, two] = [1.0, 2.0].map(|factor| {
                let mut model = Model::clone(&problem.model);
                match &mut model.bodies[b].kind {
                    BodyKind::Rigid { mass, euler_tensor } => {
                        *mass *= factor;
                        *euler_tensor *= factor;
                    }
                    BodyKind::Particle { mass } => *mass *= factor,
                    BodyKind::Static => {}
                }
                Arc::new(model)
            });
            let values = |model: Arc<Model>| -> Result<Vec<f64>, OptimiseError> {
                let heavier = Problem {
                    model,
                    ..problem.clone()
                };
                let mut system = System::new(&heavier, guess, parts)?;
                let mut g = vec![0.0; system.t.rows()];
                system.t.values(&x, &mut g);
                Ok(g)
            };
            let (one, two) = (values(one)?, values(two)?);
            let mut column = DVector::zeros(rows);
            for (k, &row) in self.equations.iter().enumerate() {
                column[k] = two[row] - one[row];
            }
            by_mass.push(state(&follow(column)?));
        }
        Ok(Sensitivity {
            by_start,
            by_controls,
            by_restitution,
            by_mass,
            impacts,
        })
    }

    fn impact_times(&self) -> Vec<f64> {
        let path = &self.t.path;
        let time = |node: usize| (0..node).map(|k| path.h(k)).sum();
        path.layout.impacts.iter().map(|i| time(i.node)).collect()
    }
}
