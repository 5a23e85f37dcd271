//! A Rapier world, single threaded, with everything a step needs.

use rapier3d_f64::prelude as rapier;

pub struct World {
    pub bodies: rapier::RigidBodySet,
    pub colliders: rapier::ColliderSet,
    gravity: f64,
    pipeline: rapier::PhysicsPipeline,
    islands: rapier::IslandManager,
    broad: rapier::DefaultBroadPhase,
    narrow: rapier::NarrowPhase,
    joints: rapier::ImpulseJointSet,
    multibody: rapier::MultibodyJointSet,
    soft: rapier::SoftBodySet,
    ccd: rapier::CCDSolver,
    parameters: rapier::IntegrationParameters,
}

impl World {
    /// An empty world.
    pub fn new(step: f64, gravity: f64) -> Self {
        let parameters = rapier::IntegrationParameters {
            dt: step,
            ..Default::default()
        };
        Self {
            bodies: rapier::RigidBodySet::new(),
            colliders: rapier::ColliderSet::new(),
            gravity,
            pipeline: rapier::PhysicsPipeline::new(),
            islands: rapier::IslandManager::new(),
            broad: rapier::DefaultBroadPhase::new(),
            narrow: rapier::NarrowPhase::new(),
            joints: rapier::ImpulseJointSet::new(),
            multibody: rapier::MultibodyJointSet::new(),
            soft: rapier::SoftBodySet::new(),
            ccd: rapier::CCDSolver::new(),
            parameters,
        }
    }

    /// One step.
    pub fn step(&mut self) {
        self.pipeline.step(
            rapier::Vector::new(0.0, 0.0, self.gravity),
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibody,
            &mut self.soft,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}
