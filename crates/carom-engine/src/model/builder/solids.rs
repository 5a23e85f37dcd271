//! Elastic bodies: checked, their nodes made particles or points of what holds them.

use carom_gap::geometry::MassProperties;
use nalgebra::{Matrix3, Vector3};

use super::{ModelBuilder, finite};
use crate::model::{
    Actuator, Body, BodyId, BodyKind, Held, Model, ModelError, Point, Solid, SolidSpec, Target,
};

impl ModelBuilder {
    /// The elastic bodies; their particles are added to the bodies.
    pub(super) fn make_solids(&self, bodies: &mut Vec<Body>) -> Result<Vec<Solid>, ModelError> {
        let mut solids = Vec::new();
        for spec in &self.solids {
            solids.push(make_solid(spec, bodies)?);
        }
        Ok(solids)
    }
}

impl ModelBuilder {
    /// Loads on nodes.
    pub(super) fn add_node_loads(&self, model: &mut Model) {
        let mut first: usize = model.actuators.iter().map(|a| a.components).sum();
        for load in &self.node_loads {
            let solid = &model.forces.solids[load.solid];
            let shares = load.nodes.iter().zip(shares(solid, &load.nodes));
            // What is held, or moves as it is given, does not feel loads.
            let felt = |b: &BodyId| model.bodies[b.index()].kind != BodyKind::Static;
            let points = shares.filter_map(|(&node, share)| {
                let p = &solid.points[node];
                p.body.filter(felt).map(|body| (body, p.local, share))
            });
            model.actuators.push(Actuator {
                name: load.name.clone(),
                target: Target::Points {
                    points: points.collect(),
                },
                bounds: vec![[f64::NEG_INFINITY, f64::INFINITY]; 3],
                signals: Some(load.force.to_vec()),
                sample: load.sample,
                first,
                components: 3,
            });
            first += 3;
        }
    }
}

/// Parts of a load that nodes carry: by the surface that belongs to them, or by mass if none does.
fn shares(solid: &Solid, nodes: &[usize]) -> Vec<f64> {
    let mut place = vec![usize::MAX; solid.points.len()];
    for (k, n) in nodes.iter().enumerate() {
        place[*n] = k;
    }
    let mut out = vec![0.0; nodes.len()];
    for (face, _) in &solid.surface {
        let inside = face.map(|n| place[n as usize]);
        if inside.contains(&usize::MAX) {
            continue;
        }
        let [a, b, c] = face.map(|n| solid.rest[n as usize]);
        let (size, corners) = match solid.is_planar() {
            true => ((b - a).norm(), 2),
            false => ((b - a).cross(&(c - a)).norm(), 3),
        };
        for k in &inside[..corners] {
            out[*k] += size;
        }
    }
    if out.iter().all(|s| *s == 0.0) {
        out = nodes.iter().map(|n| solid.masses[*n]).collect();
    }
    let total: f64 = out.iter().sum();
    out.iter().map(|s| s / total).collect()
}

fn make_solid(spec: &SolidSpec, bodies: &mut Vec<Body>) -> Result<Solid, ModelError> {
    let fault = |reason: String, fix: &str| ModelError::body(&spec.name, reason, fix);
    if !(spec.density > 0.0 && spec.density.is_finite()) {
        let reason = format!("density {} must be positive and finite", spec.density);
        return Err(fault(reason, "give a density in kg/m³"));
    }
    if !spec.material.is_stable() {
        let reason = format!(
            "lambda = {} and mu = {} do not make a stable material",
            spec.material.lambda, spec.material.mu
        );
        let fix = "mu and 3 lambda + 2 mu must be positive (nu below 1/2)";
        return Err(fault(reason, fix));
    }
    let sound = |c: f64| c >= 0.0 && c.is_finite();
    if !(sound(spec.damping.mass) && sound(spec.damping.stiffness)) {
        let reason = "damping must be finite and not negative".into();
        return Err(fault(reason, "damping takes energy: give zero or more"));
    }
    let placed = spec.pose.to_q().iter().all(|c| c.is_finite());
    if !(placed && finite(&spec.velocity) && finite(&spec.angular_velocity)) {
        let reason = "position, rotation and velocities must be finite".into();
        return Err(fault(reason, "give finite numbers"));
    }
    let mesh = &spec.mesh;
    let masses = mesh.lumped_masses(spec.density);
    let mut held = vec![None; masses.len()];
    for (node, how) in &spec.held {
        let slot = held
            .get_mut(*node)
            .ok_or_else(|| fault(format!("it has no node {node}"), "check the node set"))?;
        match slot {
            Some(other) if *other != *how => {
                let fix = "node sets that hold must not overlap";
                return Err(fault("a node is held in two ways".into(), fix));
            }
            _ => *slot = Some(*how),
        }
    }
    if let Some(set) = spec.sets.iter().find(|set| !set.fits(masses.len())) {
        let reason = format!("node set \"{}\" is empty or has no such nodes", set.name);
        return Err(fault(reason, "choose nodes of this body"));
    }
    if held.iter().all(Option::is_some) {
        let fix = "leave some free, or make it a rigid body";
        return Err(fault("all of its nodes are held".into(), fix));
    }
    let starts: Vec<Vector3<f64>> = mesh.points().iter().map(|x| spec.pose.point(x)).collect();
    let total: f64 = masses.iter().sum();
    let centre = starts
        .iter()
        .zip(&masses)
        .map(|(x, m)| x * *m)
        .sum::<Vector3<f64>>()
        / total;
    burden(&starts, &masses, &held, bodies, &spec.name)?;
    let first = bodies.len();
    let mut points = Vec::with_capacity(starts.len());
    for (k, (x, how)) in starts.iter().zip(&held).enumerate() {
        points.push(match how {
            Some(Held::Still) => Point {
                body: None,
                local: *x,
            },
            Some(Held::Glued(body)) if !bodies[body.index()].moves() => Point {
                body: None,
                local: *x,
            },
            Some(Held::Glued(body)) => {
                let pose = &bodies[body.index()].start;
                Point {
                    body: Some(*body),
                    local: pose.directors.tr_mul(&(x - pose.position)),
                }
            }
            None => {
                let arm = x - centre;
                bodies.push(Body {
                    name: format!("{}.{}", spec.name, k + 1),
                    kind: BodyKind::Particle { mass: masses[k] },
                    shape: None,
                    radius: 0.0,
                    start: carom_gap::Pose {
                        position: *x,
                        directors: Matrix3::identity(),
                    },
                    velocity: spec.velocity + spec.angular_velocity.cross(&arm),
                    angular_velocity: Vector3::zeros(),
                    material: spec.surface.clone(),
                    planar: false,
                    belt: None,
                    part_materials: Vec::new(),
                    motion: None,
                    sensor: false,
                    drawn_center: Vector3::zeros(),
                });
                Point {
                    body: Some(BodyId(bodies.len() as u32 - 1)),
                    local: Vector3::zeros(),
                }
            }
        });
    }
    Ok(Solid {
        name: spec.name.clone(),
        points,
        elements: mesh.elements().to_vec(),
        surface: mesh.surface(),
        rest: mesh.points().to_vec(),
        masses,
        density: spec.density,
        material: spec.material,
        damping: spec.damping,
        contact_material: spec.surface.clone(),
        meets_itself: spec.meets_itself,
        particles: first..bodies.len(),
        sets: spec.sets.clone(),
    })
}

/// Adds the masses of glued nodes to the rigid bodies they are glued to, whose centres of mass move.
fn burden(
    starts: &[Vector3<f64>],
    masses: &[f64],
    held: &[Option<Held>],
    bodies: &mut [Body],
    name: &str,
) -> Result<(), ModelError> {
    let mut carriers: Vec<BodyId> = Vec::new();
    for how in held.iter().flatten() {
        if let Held::Glued(body) = how
            && !carriers.contains(body)
        {
            carriers.push(*body);
        }
    }
    for carrier in carriers {
        let body = &mut bodies[carrier.index()];
        let (mass, euler) = match &body.kind {
            BodyKind::Rigid { mass, euler_tensor } => (*mass, *euler_tensor),
            // What no force moves carries anything.
            BodyKind::Static => continue,
            BodyKind::Particle { .. } => {
                let reason = format!("it is glued to \"{}\", a particle", body.name);
                return Err(ModelError::body(name, reason, "glue it to a rigid body"));
            }
        };
        let pose = body.start;
        let glued = (0..starts.len()).filter(|k| held[*k] == Some(Held::Glued(carrier)));
        let (mut sum, mut first, mut second) = (mass, Vector3::zeros(), euler);
        for k in glued {
            let r = pose.directors.tr_mul(&(starts[k] - pose.position));
            sum += masses[k];
            first += r * masses[k];
            second += r * r.transpose() * masses[k];
        }
        // E about the new centre of mass c.
        let c = first / sum;
        let euler = second - c * c.transpose() * sum;
        body.kind = BodyKind::Rigid {
            mass: sum,
            euler_tensor: euler,
        };
        let arm = pose.directors * c;
        body.start.position += arm;
        body.velocity += body.angular_velocity.cross(&arm);
        body.drawn_center += c;
        if let Some(shape) = &body.shape {
            let inertia = Matrix3::identity() * euler.trace() - euler;
            let moved = MassProperties::given(sum, c, inertia)
                .and_then(|m| shape.clone().with_mass_properties(m).recentred());
            body.shape = Some(moved.map_err(|e| ModelError::shape(name, &e))?);
        }
    }
    Ok(())
}
