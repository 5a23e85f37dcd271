//! Where everything is at the end of a run.

use carom_engine::inner;
use indexmap::IndexMap;
use nalgebra::{Matrix3, Vector3};
use serde::Serialize;

use crate::mechanics::Twist;
use crate::model::{BodyKind, Model, Solid};
use crate::simulate::{Simulation, State};

/// A body or a linkage at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum End {
    /// A rigid or static body.
    Body {
        /// Centre of mass, in m.
        position: [f64; 3],
        /// Of the centre of mass, in m/s.
        velocity: [f64; 3],
        /// Directors d1, d2, d3: the body's axes.
        directors: [[f64; 3]; 3],
        /// In rad/s.
        angular_velocity: [f64; 3],
    },
    /// A particle.
    Particle {
        /// In m.
        position: [f64; 3],
        /// In m/s.
        velocity: [f64; 3],
    },
    /// An elastic body as a whole.
    Elastic {
        /// Centre of mass, in m.
        position: [f64; 3],
        /// Of the centre of mass, in m/s.
        velocity: [f64; 3],
        /// That of a rigid body with its inertia and angular momentum, in rad/s.
        angular_velocity: [f64; 3],
        /// Number of nodes.
        nodes: usize,
        /// Number of elements.
        elements: usize,
        /// In kg.
        mass: f64,
        /// In m³.
        volume: f64,
        /// In J.
        strain_energy: f64,
    },
    /// A linkage.
    Linkage {
        /// Names of its coordinates.
        names: Vec<String>,
        /// Their values.
        coordinates: Vec<f64>,
        /// Their rates.
        rates: Vec<f64>,
    },
}

/// An elastic body as a whole.
fn elastic(solid: &Solid, state: &State, twists: &[Twist]) -> End {
    let (mut mass, mut first, mut momentum) = (0.0, Vector3::zeros(), Vector3::zeros());
    let places = (0..solid.points.len() as u32).map(|n| solid.place(n, &state.poses));
    let places: Vec<Vector3<f64>> = places.collect();
    let velocity = |k: usize| {
        let p = &solid.points[k];
        p.body.map_or(Vector3::zeros(), |b| {
            let (t, pose) = (&twists[b.index()], &state.poses[b.index()]);
            t.v + t.w.cross(&(pose.directors * p.local))
        })
    };
    for (k, m) in solid.masses.iter().enumerate() {
        mass += m;
        first += places[k] * *m;
        momentum += velocity(k) * *m;
    }
    let centre = first / mass;
    // J ω = L of all nodes about the centre of mass.
    let (mut inertia, mut spin) = (Matrix3::zeros(), Vector3::zeros());
    for (k, m) in solid.masses.iter().enumerate() {
        let r = places[k] - centre;
        inertia += (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * *m;
        spin += r.cross(&(velocity(k) * *m));
    }
    let spin = inertia.try_inverse().map_or(Vector3::zeros(), |j| j * spin);
    End::Elastic {
        position: centre.into(),
        velocity: (momentum / mass).into(),
        angular_velocity: spin.into(),
        nodes: solid.points.len(),
        elements: solid.elements.len(),
        mass,
        volume: solid.volume(&state.poses),
        strain_energy: solid.energy(&state.poses),
    }
}

/// Where everything is at the end.
pub(crate) fn bodies(simulation: &mut Simulation) -> IndexMap<String, End> {
    let twists = simulation.twists().to_vec();
    let rates = simulation.coordinate_rates().to_vec();
    let (model, state): (&Model, _) = (simulation.model(), simulation.state());
    let mut bodies = IndexMap::new();
    let all = model.bodies().iter().zip(state.poses.iter().zip(&twists));
    for (k, (body, (pose, twist))) in all.enumerate() {
        // Nodes are summed up.
        if inner::solid_of(model, k).is_some() {
            continue;
        }
        let (position, velocity) = (pose.position.into(), twist.v.into());
        let end = match body.kind {
            BodyKind::Particle { .. } => End::Particle { position, velocity },
            _ => End::Body {
                position,
                velocity,
                directors: pose.directors.into(),
                angular_velocity: twist.w.into(),
            },
        };
        bodies.insert(body.name.clone(), end);
    }
    for solid in model.solids() {
        bodies.insert(solid.name.clone(), elastic(solid, state, &twists));
    }
    let mut first = 0;
    for linkage in model.linkages() {
        let end = first + linkage.freedom();
        let names = linkage.spec.coordinates.iter().map(|c| c.name.clone());
        let end_state = End::Linkage {
            names: names.collect(),
            coordinates: state.coordinates[first..end].to_vec(),
            rates: rates[first..end].to_vec(),
        };
        bodies.insert(linkage.spec.name.clone(), end_state);
        first = end;
    }
    bodies
}
