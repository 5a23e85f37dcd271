//! Which materials can meet.

use super::{BodyKind, Law, Model, Refusal};

/// Two materials that can meet; `None` is that of what names none.
pub type Materials<'a> = [Option<&'a str>; 2];

impl Model {
    /// Pairs of materials that can meet: at least one of the two things moves. Limits come last, if
    /// there are any, apart from the rest: they are of the default material and do not rub.
    pub fn meetings(&self) -> (Vec<Materials<'_>>, bool) {
        // For each material: how many things of it move, how many stand still.
        let mut seen: Vec<(Option<&str>, usize, usize)> = Vec::new();
        let things = (self.bodies().iter())
            .filter(|b| b.shape.is_some() || matches!(b.kind, BodyKind::Particle { .. }))
            .flat_map(|b| {
                // A body of several materials is a thing for each of them.
                let mut own: Vec<Option<&str>> = b.materials().collect();
                own.sort_unstable();
                own.dedup();
                own.into_iter().map(|m| (m, b.kind != BodyKind::Static))
            })
            .chain((self.contact().walls.iter()).map(|w| (w.material.as_deref(), false)));
        for (material, moves) in things {
            let known = seen.iter().position(|(m, ..)| *m == material);
            let k = known.unwrap_or_else(|| {
                seen.push((material, 0, 0));
                seen.len() - 1
            });
            match moves {
                true => seen[k].1 += 1,
                false => seen[k].2 += 1,
            }
        }
        let mut out = Vec::new();
        for (k, (a, moving, still)) in seen.iter().enumerate() {
            if moving + still > 1 && *moving > 0 {
                out.push([*a, *a]);
            }
            out.extend(
                (seen[..k].iter())
                    .filter(|(_, other, _)| moving + other > 0)
                    .map(|(b, ..)| [*a, *b]),
            );
        }
        let limited = (self.joints().iter()).any(|j| j.limits.iter().any(Option::is_some))
            || (self.linkages().iter())
                .any(|l| l.spec.coordinates.iter().any(|c| c.limits.is_some()));
        (out, limited)
    }

    /// The first pair of materials that can meet under a law which cannot do what they ask; `law` is
    /// that of the run.
    pub fn refusal(&self, law: Law) -> Option<(Materials<'_>, Refusal)> {
        let (meetings, limited) = self.meetings();
        let limits = limited.then_some(([None, None], true));
        let all = meetings.into_iter().map(|m| (m, false)).chain(limits);
        all.into_iter().find_map(|([a, b], smooth)| {
            let mut touching = self.contact().between(a, b);
            if smooth {
                touching.friction = 0.0;
            }
            let refusal = touching.law.unwrap_or(law).refuses(&touching)?;
            Some(([a, b], refusal))
        })
    }
}
