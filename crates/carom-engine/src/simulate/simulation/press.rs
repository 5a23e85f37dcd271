//! Contact potentials in a run: energy, events, and what passed through.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::Simulation;
use crate::contact::{Path, Pressed, Side, Unsettled};
use crate::model::Hold;
use crate::simulate::event::{ContactEvent, ContactKind};
use crate::simulate::impulses::PairImpulse;
use crate::simulate::ledger::StepInfo;
use crate::simulate::state::Standing;

/// The impulse of a potential in a step: the force at its end.
fn pushed(p: &Pressed, poses: &[Pose], h: f64) -> PairImpulse {
    let none = PairImpulse::of(&p.pair);
    let impulse = p.force * h;
    let about = |k: usize, sign: f64| match none.sides[k] {
        Side::Body(b) => (p.point - poses[b.index()].position).cross(&impulse) * sign,
        _ => Vector3::zeros(),
    };
    PairImpulse {
        impulse,
        along: impulse,
        normal: p.along * h,
        moment: p.point * (p.along * h).abs(),
        weight: (p.along * h).abs(),
        angular: [about(0, 1.0), about(1, -1.0)],
        ..none
    }
}

impl Simulation {
    /// What contact potentials did in a step, for record and ledger.
    pub(super) fn settle_potentials(&mut self, h: f64, info: &mut StepInfo) {
        if self.widths.is_none() {
            return;
        }
        if info.contact.unsettled > 0 && self.collisions.is_none() {
            self.unsettled.push(Unsettled {
                time: info.time,
                what: "contact potential",
                names: None,
                residual: info.contact.residual,
            });
        }
        let overlap = self.press(true);
        info.contact.overlap = info.contact.overlap.max(overlap);
        info.contact.count += self.press_events(h);
        info.contact.unsettled += self.passages();
    }

    /// Tells of pairs whose potentials began or ceased to act.
    fn press_events(&mut self, h: f64) -> u64 {
        let from = self.events.len();
        let Some(contact) = self.scheme.contact() else {
            return 0;
        };
        let (time, standing) = (self.state.time, &mut self.state.standing);
        let event = |p: &Pressed, kind, duration: f64| ContactEvent {
            impulse: p.force * duration,
            normal_impulse: p.along * duration,
            ..ContactEvent::at(time, kind, p.pair, p.point, p.normal)
        };
        let pressed = &mut self.pressed;
        pressed.clear();
        pressed.extend(contact.pressed());
        let poses = &self.state.poses;
        self.pushes
            .extend(pressed.iter().map(|p| pushed(p, poses, h)));
        for p in pressed.iter() {
            if !standing.iter().any(|s| s.key == p.key) {
                self.events.push(event(p, ContactKind::Impact, h));
                standing.push(Standing {
                    key: p.key,
                    kind: ContactKind::Impact,
                    points: Vec::new(),
                    hold: Hold::default(),
                });
            }
        }
        standing.retain(|s| {
            let gone = s.kind == ContactKind::Impact && !pressed.iter().any(|p| p.key == s.key);
            if gone && let Some(p) = contact.pair(s.key) {
                self.events.push(event(&p, ContactKind::Release, 0.0));
            }
            !gone
        });
        standing.sort_unstable_by_key(|s| s.key);
        (self.events.len() - from) as u64
    }

    /// Evaluates contact potentials at the present state, of all pairs that may have met `on_the_way`
    /// from the state before if asked; returns the largest overlap.
    pub(super) fn press(&mut self, on_the_way: bool) -> f64 {
        let Some(contact) = self.scheme.contact() else {
            return 0.0;
        };
        let to = &self.state.poses;
        let from = if on_the_way { &self.before.poses } else { to };
        contact.prepare(&self.model, from, to, 1e-9);
        contact.evaluate(&self.model, &self.state.path());
        let (value, overlap) = contact.value();
        self.cushions = value;
        overlap
    }

    /// Notes bodies that passed through each other in the last step; returns how many pairs.
    fn passages(&mut self) -> u32 {
        let (Some(contact), Some(widths)) = (self.scheme.contact(), &self.widths) else {
            return 0;
        };
        let before = Path {
            poses: &self.before.poses,
            coordinates: &[],
        };
        let after = self.state.path();
        let (model, out) = (&*self.model, &mut self.unsettled);
        let from = out.len();
        contact.passed(model, widths, &before, &after, |pair, overlap| {
            out.push(Unsettled {
                time: self.state.time,
                what: "passed through",
                names: Some(pair.names(model)),
                residual: overlap,
            });
        });
        (out.len() - from) as u32
    }
}
