//! Parts of a model that nothing couples.
//!
//! What couples depends on the question, so there are several partitions of a model, all of them made here. Each joins
//! what the one before it joins, and more:
//!
//! | [`Ties`] | what couples bodies | who asks |
//! | --- | --- | --- |
//! | `Tree` | joints of the tree | plans: components, which are differentiated at once (`optimise/chart.rs`) |
//! | `Impulses` | those, joints that close loops, and gears | contact: what an impulse moves at once (`contact/mass/`, the owners of pushes, groups of projections) |
//! | `Forces` | those, and forces | simulation: clusters, which are solved apart (`simulate/cluster.rs`), and units, which fly apart (`simulate/collide/`) |
//! | `All` | everything | integrators that step the whole model at once: one unit |
//!
//! Every linkage is a part of its own, after those of bodies, but for `All`. What is tied together in a step only, by
//! contacts, is made of these parts: clusters that potentials press together, islands of units
//! (`simulate/collide/islands.rs`), groups that overlap (`simulate/collide/projection/`). They all are
//! [`Sets`] of the numbers of parts.

use crate::model::{BodyId, BodyKind, JointKind, Model};
use crate::sets::Sets;

/// What couples bodies; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ties {
    /// Joints of the tree.
    Tree,
    /// Those, joints that close loops, and gears.
    Impulses,
    /// Those, and forces.
    Forces,
    /// Everything is one part.
    All,
}

/// One part of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Joints, parents first.
    pub joints: Vec<usize>,
    /// Bodies that move, in the order of their joints.
    pub bodies: Vec<usize>,
    /// Joints that close loops from here, as indices into `Model::closures`.
    pub closures: Vec<usize>,
    /// Gears that begin here, as indices into `Model::couplings`.
    pub couplings: Vec<usize>,
    /// Linkages, and their coordinates among those of all linkages.
    pub linkages: Vec<usize>,
    pub coordinates: Vec<usize>,
    /// Degrees of freedom among those of the model.
    pub freedoms: Vec<usize>,
}

/// All parts, and which one everything belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub all: Vec<Part>,
    of_body: Vec<usize>,
    of_coordinate: Vec<usize>,
    of_freedom: Vec<usize>,
}

impl Part {
    /// Whether loops or gears hold it together.
    pub fn is_looped(&self) -> bool {
        !(self.closures.is_empty() && self.couplings.is_empty())
    }

    /// The joint of a single body that no other joint touches.
    pub fn free_joint(&self, model: &Model) -> Option<usize> {
        match self.joints[..] {
            [j] if model.joints()[j].kind == JointKind::Free && !self.is_looped() => Some(j),
            _ => None,
        }
    }
}

impl Parts {
    /// Of a model.
    pub fn of(model: &Model, ties: Ties) -> Self {
        let n = model.bodies().len();
        let mut sets = Sets::new(n);
        if ties == Ties::All {
            (1..n).for_each(|b| sets.merge(0, b));
        }
        each_tie(model, ties, |a, b| sets.merge(a.index(), b.index()));
        let mut out = Self {
            all: Vec::new(),
            of_body: vec![usize::MAX; n],
            of_coordinate: vec![usize::MAX; model.coordinates],
            of_freedom: vec![usize::MAX; model.freedom()],
        };
        let mut place = vec![usize::MAX; n];
        for (j, joint) in model.joints().iter().enumerate() {
            let body = joint.child.index();
            let at = &mut place[sets.root(body)];
            if *at == usize::MAX {
                *at = out.all.len();
                out.all.push(Part::default());
            }
            let part = &mut out.all[*at];
            out.of_body[body] = *at;
            part.joints.push(j);
            part.bodies.push(body);
        }
        if ties == Ties::All && out.all.is_empty() {
            out.all.push(Part::default());
        }
        for (k, joint) in model.closures().iter().enumerate() {
            let at = out.of_body[joint.child.index()];
            out.all[at].closures.push(k);
        }
        for (k, coupling) in model.couplings().iter().enumerate() {
            let child = model.joints()[coupling.joints[0]].child;
            let at = out.of_body[child.index()];
            out.all[at].couplings.push(k);
        }
        for (k, linkage) in model.linkages().iter().enumerate() {
            if ties != Ties::All {
                out.all.push(Part::default());
            }
            if let Some(part) = out.all.last_mut() {
                part.linkages.push(k);
                let coordinates = linkage.first..linkage.first + linkage.freedom();
                part.coordinates.extend(coordinates);
            }
        }
        if let (Ties::All, [whole]) = (ties, &mut out.all[..]) {
            let moving = (0..n).filter(|b| model.bodies()[*b].moves());
            whole.bodies = moving.collect();
            out.of_body.fill(usize::MAX);
            whole.bodies.iter().for_each(|b| out.of_body[*b] = 0);
        }
        out.note_freedoms(model);
        out
    }

    /// Notes the degrees of freedom of all parts: first coordinates of linkages, then joints.
    fn note_freedoms(&mut self, model: &Model) {
        for (at, part) in self.all.iter_mut().enumerate() {
            let coordinates = part.coordinates.iter().map(|c| model.tree_freedom + c);
            part.freedoms.extend(coordinates);
            for &j in &part.joints {
                let first = model.offsets[j];
                part.freedoms.extend(first..first + model.joint_freedom(j));
            }
            part.coordinates
                .iter()
                .for_each(|c| self.of_coordinate[*c] = at);
            part.freedoms.iter().for_each(|f| self.of_freedom[*f] = at);
        }
    }

    /// With parts without degrees of freedom: bodies whose motion is given.
    pub fn and_given(mut self, bodies: &[usize]) -> Self {
        for &body in bodies {
            self.of_body[body] = self.all.len();
            self.all.push(Part {
                bodies: vec![body],
                ..Part::default()
            });
        }
        self
    }

    /// Those of bodies on joints.
    pub fn trees(&self) -> impl Iterator<Item = &Part> {
        self.all.iter().filter(|part| !part.joints.is_empty())
    }

    /// The part of a body; `usize::MAX` of one that does not move.
    pub fn of_body(&self, body: usize) -> usize {
        self.of_body[body]
    }

    /// The part of a coordinate among those of all linkages.
    pub fn of_coordinate(&self, coordinate: usize) -> usize {
        self.of_coordinate[coordinate]
    }

    /// The part of a degree of freedom.
    pub fn of_freedom(&self, freedom: usize) -> usize {
        self.of_freedom[freedom]
    }
}

/// Bodies that are tied to each other, two and two.
fn each_tie(model: &Model, ties: Ties, mut tie: impl FnMut(BodyId, BodyId)) {
    let joints = model.joints().iter();
    joints.for_each(|joint| _ = joint.parent.map(|p| tie(p, joint.child)));
    if ties >= Ties::Impulses {
        let loops = model.closures().iter();
        loops.for_each(|joint| _ = joint.parent.map(|p| tie(p, joint.child)));
        for coupling in model.couplings() {
            let [a, b] = coupling.joints.map(|j| model.joints()[j].child);
            tie(a, b);
        }
    }
    if ties >= Ties::Forces {
        let forces = model.forces();
        let springs = forces.pairs.iter().map(|p| [p.a.body, p.b.body]);
        let dampers = forces.dampers.iter().map(|d| [d.a.body, d.b.body]);
        let influences = forces.influences.iter().map(|i| i.bodies());
        for ends in springs.chain(dampers).chain(influences) {
            if let [Some(a), Some(b)] = ends {
                tie(a, b);
            }
        }
        for solid in &forces.solids {
            let bodies = solid.points.iter().filter_map(|p| p.body);
            let mut moving = bodies.filter(|b| model.body(*b).kind != BodyKind::Static);
            if let Some(first) = moving.next() {
                moving.for_each(|b| tie(first, b));
            }
        }
        for user in &forces.user {
            user.bodies().iter().for_each(|b| tie(user.bodies()[0], *b));
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::model::{BodySpec, JointSpec, ModelBuilder};

    /// Two bodies on a joint, one on a spring to them, one on its own.
    fn model() -> Model {
        let mut b = ModelBuilder::new();
        let bodies = [0.0, 1.0, 2.0, 3.0].map(|x| {
            let spec = BodySpec::particle(format!("at {x}"), 1.0);
            b.body(spec.position(Vector3::new(x, 0.0, 0.0)))
        });
        let rod = JointSpec::rod("rod");
        b.joint(rod, Some(bodies[3]), Some(bodies[0]));
        let spring = [bodies[1], bodies[3]].map(|k| (Some(k), Vector3::zeros()));
        b.spring("spring", spring[0], spring[1], 1.0, 0.5);
        b.build().expect("a sound model")
    }

    #[test]
    fn more_ties_make_fewer_parts() {
        let model = model();
        let counts = [
            (Ties::Tree, 3),
            (Ties::Impulses, 3),
            (Ties::Forces, 2),
            (Ties::All, 1),
        ];
        for (ties, count) in counts {
            let parts = Parts::of(&model, ties);
            assert_eq!(parts.all.len(), count);
            let together = |a: usize, b: usize| parts.of_body(a) == parts.of_body(b);
            assert!(together(0, 3));
            assert_eq!(together(1, 3), ties >= Ties::Forces);
            assert_eq!(together(2, 3), ties == Ties::All);
        }
    }

    #[test]
    fn every_freedom_is_in_one_part() {
        let model = model();
        for ties in [Ties::Tree, Ties::Impulses, Ties::Forces, Ties::All] {
            let parts = Parts::of(&model, ties);
            let mut seen: Vec<usize> = parts.all.iter().flat_map(|p| p.freedoms.clone()).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..model.freedom()).collect::<Vec<_>>());
            for (at, part) in parts.all.iter().enumerate() {
                assert!(part.freedoms.iter().all(|f| parts.of_freedom(*f) == at));
            }
        }
    }
}
