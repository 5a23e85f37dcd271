//! The jump of momentum at the contacts of an instant, and what is told of it.

use nalgebra::Vector3;

use super::impulse::{apply, work_of_belts};
use super::touching::{Instant, path};
use super::{Setup, Workspace};
use crate::contact::{Bounce, Grip, JumpRule, Jumped, Leeway, Outcome, Point, Stage, Stake, Touch};
use crate::model::Model;
use crate::simulate::{ContactEvent, ContactKind, PairImpulse, State};

impl Instant {
    /// Momentum jumps at all contacts. Returns what was reached and the change of energy.
    pub fn resolve(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        self.note_rates();
        self.finish_jump(setup, work, state)
    }

    /// Notes the rates of all rows before a jump.
    pub fn note_rates(&mut self) {
        self.before.clear();
        let rates = (0..self.rows.len()).map(|r| self.rows.rate(r, &self.nu));
        self.before.extend(rates);
    }

    /// Lets all contacts that approach jump.
    pub fn finish_jump(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        if !self.touches.is_empty() {
            return self.papers_jump(setup, work, state);
        }
        let jumped = self.by_poisson(setup, work, state);
        (jumped.outcome, jumped.energy)
    }

    /// The jump of the problem as it is set up.
    fn by_poisson(&mut self, setup: &Setup, work: &mut Workspace, state: &State) -> Jumped {
        let stage = Stage {
            model: setup.model,
            at: path(state),
        };
        work.poisson.jump(
            &mut work.solver,
            &stage,
            &mut work.metric,
            &self.problem,
            &self.bounces,
            &mut self.rows,
            &mut self.nu,
            &Leeway::default(),
        )
    }

    /// The jump by one of the papers' rules; what the sum of gaps leaves approaching jumps by
    /// Poisson's law, so that no order matters.
    fn papers_jump(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        state: &State,
    ) -> (Outcome, f64) {
        let (rows, nu) = (&mut self.rows, &mut self.nu);
        let energy = |touches: &[Touch]| touches.iter().map(|t| t.energy).sum::<f64>();
        if setup.settings.rule == JumpRule::Sequential {
            let outcome = self.jump.one_by_one(&mut self.touches, rows, nu);
            return (outcome, energy(&self.touches));
        }
        let outcome = Outcome {
            rounds: 1,
            residual: 0.0,
            converged: true,
        };
        if !self.jump.along_sum(&mut self.touches, rows, nu) {
            return (outcome, energy(&self.touches));
        }
        let none = vec![0.0; rows.len()];
        let had = std::mem::replace(&mut rows.lambda, none);
        self.problem.clear();
        self.bounces.clear();
        for (at, c) in self.contacts.iter().enumerate() {
            for t in &self.touches[c.first_normal..c.first_normal + c.normal_count] {
                self.problem.push(Point {
                    first: t.normal,
                    rows: if t.tangents.is_some() { 3 } else { 1 },
                    bias: [0.0; 3],
                    grip: Grip::Cone {
                        friction: t.friction * t.steepness,
                    },
                });
                self.bounces.push(Bounce {
                    contact: at,
                    restitution: t.restitution,
                    rest_speed: t.rest_speed * t.steepness,
                    ..Bounce::default()
                });
            }
        }
        let jumped = self.by_poisson(setup, work, state);
        for (lambda, had) in self.rows.lambda.iter_mut().zip(had) {
            *lambda += had;
        }
        (
            outcome.and(jumped.outcome),
            energy(&self.touches) + jumped.energy,
        )
    }

    /// p += factor · λ ∇gap for all rows.
    pub fn apply(&self, model: &Model, state: &mut State, factor: f64) {
        apply(model, state, &self.rows, factor);
    }

    /// What the jump had at stake.
    pub fn at_stake(&self) -> Stake {
        self.rows.at_stake(&self.nu, |row| self.before[row])
    }

    /// Work of surfaces that move: their part of −Σ λ w.
    pub fn belt_work(&self) -> f64 {
        work_of_belts(&self.problem, &self.rows) + self.rows.given_work()
    }

    /// What every contact that jumped did, and the impulses it gave. Returns the number of events and
    /// the change of energy.
    pub fn events(
        &self,
        time: f64,
        factor: f64,
        (out, pushes): (&mut Vec<ContactEvent>, &mut Vec<PairImpulse>),
    ) -> (u64, f64) {
        let mut count = 0;
        let mut energy = 0.0;
        let row_energy = |row: usize| {
            let now = self.rows.rate(row, &self.nu);
            0.5 * self.rows.lambda[row] * factor * (self.before[row] + now)
        };
        for c in &self.contacts {
            let Some((first, _)) = self.normals(c).next() else {
                continue;
            };
            let fastest = self
                .normals(c)
                .map(|(row, steepness)| {
                    let before = self.before[row] + self.rows.drift(row);
                    (before / steepness, row, steepness)
                })
                .fold(
                    (f64::INFINITY, first, 1.0),
                    |a, b| if b.0 < a.0 { b } else { a },
                );
            let mut event = ContactEvent {
                features: c.row.features,
                speed_before: fastest.0,
                speed_after: (self.rows.rate(fastest.1, &self.nu) + self.rows.drift(fastest.1))
                    / fastest.2,
                ..ContactEvent::at(time, ContactKind::Impact, c.pair, c.row.point, c.row.normal)
            };
            let mut across = Vector3::zeros();
            let mut push = PairImpulse::of(&c.pair);
            for k in c.first_normal..c.first_normal + c.normal_count {
                let (row, steepness, tangents) = if self.touches.is_empty() {
                    let p = &self.problem[k];
                    (p.first, 1.0, (p.rows == 3).then_some(p.first + 1))
                } else {
                    let t = &self.touches[k];
                    (t.normal, t.steepness, t.tangents)
                };
                let lambda = self.rows.lambda[row] * factor;
                event.normal_impulse += lambda * steepness;
                event.impulse += self.rows.direction(row) * lambda;
                event.energy += row_energy(row);
                push.add_row(&self.rows, row, lambda, Some((c.row.point, steepness)));
                for r in tangents.into_iter().flat_map(|first| [first, first + 1]) {
                    across += self.rows.direction(r) * (self.rows.lambda[r] * factor);
                    event.energy += row_energy(r);
                    push.add_row(&self.rows, r, self.rows.lambda[r] * factor, None);
                }
            }
            energy += event.energy;
            if event.normal_impulse == 0.0 {
                continue;
            }
            event.impulse += across;
            event.tangential_impulse = across.norm();
            count += 1;
            out.push(event);
            pushes.push(push);
        }
        (count, energy)
    }
}
