//! Shaken walls of boxes in running bond: many points more than the boxes need, and slides whose speed hardly matters
//! to the impulses.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::*;
use crate::contact::mass::MassMetric;
use crate::contact::rows::Push;
use crate::mechanics::Wrench;
use crate::model::{BodyId, BodySpec, ModelBuilder};
use carom_gap::geometry::{Polytope, Shape};

/// Numbers between −1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.next())
    }
}

/// The contact problem of a wall of unit cubes that falls and shakes.
struct Wall {
    model: Model,
    metric: MassMetric,
    poses: Vec<Pose>,
    points: Vec<Point>,
    rows: Rows,
    nu: Vec<f64>,
}

impl Wall {
    fn new(columns: usize, layers: usize, friction: f64, seed: u64) -> Self {
        let mut builder = ModelBuilder::new();
        let mut bodies = Vec::new();
        let mut poses = Vec::new();
        for layer in 0..layers {
            for column in 0..columns {
                let x = column as f64 + 0.5 * (layer % 2) as f64;
                let at = Vector3::new(x, 0.0, 0.5 + layer as f64);
                let pose = Pose::new(at, Vector3::zeros());
                let cube = Shape::single(Polytope::cuboid(1.0, 1.0, 1.0).unwrap(), 1.0).unwrap();
                let spec = BodySpec::rigid(format!("b{}", bodies.len()));
                bodies.push(builder.body(spec.shape(cube).pose(pose)));
                poses.push(pose);
            }
        }
        let model = builder.build().unwrap();
        let metric = MassMetric::new(&model);
        let nu = vec![0.0; model.freedom()];
        let mut wall = Self {
            model,
            metric,
            poses,
            points: Vec::new(),
            rows: Rows::default(),
            nu,
        };
        wall.shake(&bodies, &mut Noise(seed));
        wall.touch(&bodies, columns, friction);
        wall
    }

    /// Solves it, from no impulses.
    fn solve(&mut self, aim: &Aim) -> (Solver, Outcome) {
        let stage = Stage {
            model: &self.model,
            at: Path {
                poses: &self.poses,
                coordinates: &[],
            },
        };
        let mut solver = Solver::default();
        let done = solver.solve(
            &stage,
            &mut self.metric,
            &self.points,
            &mut self.rows,
            &mut self.nu,
            aim,
        );
        (solver, done)
    }

    fn push(
        rows: &mut Rows,
        model: &Model,
        metric: &mut MassMetric,
        poses: &[Pose],
        push: Push,
    ) -> usize {
        let at = Path {
            poses,
            coordinates: &[],
        };
        rows.push(model, metric, &at, push)
    }

    /// Velocities: a fall, and noise.
    fn shake(&mut self, bodies: &[BodyId], noise: &mut Noise) {
        let mut rows = Rows::default();
        for &body in bodies {
            let force = Vector3::z() * -0.05 + noise.vector() * 0.03;
            let torque = noise.vector() * 0.005;
            let push = Push {
                wrenches: [Some((body, Wrench { force, torque })), None],
                freedom: None,
            };
            let row = Self::push(&mut rows, &self.model, &mut self.metric, &self.poses, push);
            rows.add(row, 1.0, &mut self.nu);
        }
    }

    /// Four points between any two cubes that touch, and under those of the first layer.
    fn touch(&mut self, bodies: &[BodyId], columns: usize, friction: f64) {
        let half = [-0.5, 0.5];
        for a in 0..bodies.len() {
            let at = self.poses[a].position;
            if a < columns {
                for (x, y) in half.iter().flat_map(|x| half.map(|y| (*x, y))) {
                    let place = at + Vector3::new(x, y, -0.5);
                    self.point((bodies[a], None), place, Vector3::z(), friction);
                }
            }
            for b in 0..a {
                let other = self.poses[b].position;
                let apart = at - other;
                let (left, right) = (at.x.max(other.x) - 0.5, at.x.min(other.x) + 0.5);
                let normal = if apart.z == 1.0 && right - left > 1e-6 {
                    Vector3::z()
                } else if apart.z == 0.0 && apart.x == 1.0 {
                    Vector3::x()
                } else {
                    continue;
                };
                for (s, y) in half.iter().flat_map(|s| half.map(|y| (*s, y))) {
                    let place = if normal.z == 1.0 {
                        Vector3::new(if s < 0.0 { left } else { right }, y, at.z - 0.5)
                    } else {
                        Vector3::new(at.x - 0.5, y, at.z + s)
                    };
                    self.point((bodies[a], Some(bodies[b])), place, normal, friction);
                }
            }
        }
    }

    fn point(
        &mut self,
        (a, b): (BodyId, Option<BodyId>),
        place: Vector3<f64>,
        normal: Vector3<f64>,
        friction: f64,
    ) {
        let first = self.rows.len();
        let across = normal.cross(&Vector3::new(0.3, 0.5, 0.8)).normalize();
        for direction in [normal, across, normal.cross(&across)] {
            let wrench = |body: BodyId, sign: f64| {
                let arm = place - self.poses[body.index()].position;
                let force = direction * sign;
                (
                    body,
                    Wrench {
                        force,
                        torque: arm.cross(&force),
                    },
                )
            };
            let push = Push {
                wrenches: [Some(wrench(a, 1.0)), b.map(|b| wrench(b, -1.0))],
                freedom: None,
            };
            Self::push(
                &mut self.rows,
                &self.model,
                &mut self.metric,
                &self.poses,
                push,
            );
        }
        self.points.push(Point {
            first,
            rows: 3,
            bias: [0.0; 3],
            grip: Grip::Cone { friction },
        });
    }
}

const AIM: Aim = Aim {
    slack: 0.0,
    give: 0.0,
    speed: 0.05,
    enough: 1e-12,
    good: SOLVED,
    calm: false,
};

#[test]
fn shaken_walls_are_solved() {
    for (columns, layers, friction) in [(3, 3, 0.5), (4, 4, 0.3), (5, 5, 0.8)] {
        let mut w = Wall::new(columns, layers, friction, 7);
        let (solver, done) = w.solve(&AIM);
        assert!(
            done.converged,
            "{columns} x {layers}, friction {friction}: {done:?}"
        );
        // The outcome is what the residual says of the impulses that are left in the rows.
        let left = solver.residual(&w.points, &w.rows, &w.nu, AIM.speed);
        assert!(
            left <= 2.0 * done.residual + 1e-12,
            "{left:e} beside {done:?}"
        );
    }
}

/// Rows of a wall, and Newton's method that is prepared for them.
fn prepared(w: &mut Wall) -> (Solver, Newton) {
    let stage = Stage {
        model: &w.model,
        at: Path {
            poses: &w.poses,
            coordinates: &[],
        },
    };
    let mut solver = Solver::default();
    solver.measure(&w.points, &w.rows, 0.0);
    let mut newton = Newton::default();
    newton.prepare(&stage, &mut w.metric, &w.points, &w.rows);
    (solver, newton)
}

#[test]
fn the_interior_point_method_needs_no_guess() {
    for seed in 1..5 {
        let mut w = Wall::new(4, 4, 0.4, seed);
        let (solver, mut newton) = prepared(&mut w);
        let mut interior = Interior::default();
        let judge = |rows: &Rows, nu: &[f64]| solver.residual(&w.points, rows, nu, AIM.speed);
        let done = interior.solve(&mut newton, &w.points, &mut w.rows, &mut w.nu, &AIM, judge);
        assert!(done.residual <= SOLVED, "{done:?}");
        assert!(done.rounds < 100, "{done:?}");
    }
}

/// A cube between floor and lid that ask for a little more room than there is: no impulses can give it. Points that
/// give way share what is missing.
#[test]
fn contradictions_are_met_by_giving_way() {
    let mut w = Wall::new(1, 1, 0.0, 3);
    let body = BodyId(0);
    for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        w.point((body, None), Vector3::new(x, y, 1.0), -Vector3::z(), 0.0);
    }
    let missing = 1e-7;
    for p in &mut w.points {
        p.bias[0] = -0.5 * missing;
    }
    let aim = Aim { give: 1e-8, ..AIM };
    let (_, done) = w.solve(&aim);
    assert!(done.converged, "{done:?}");
    // What floor and lid give way by, together, is what is missing.
    let given = |p: &Point| aim.give * p.response(&w.rows) * w.rows.lambda[p.first];
    let (floor, lid) = w.points.split_at(4);
    let most = |side: &[Point]| side.iter().map(given).fold(0.0, f64::max);
    let sum = most(floor) + most(lid);
    assert!((sum / missing - 1.0).abs() < 0.5, "{sum:e}");
}

#[test]
fn stages_of_rising_stiffness_lead_from_nothing_to_coulombs_law() {
    for seed in 1..5 {
        let mut w = Wall::new(5, 5, 0.5, seed);
        let (solver, mut newton) = prepared(&mut w);
        let aim = Aim {
            enough: SOLVED,
            ..AIM
        };
        let judge = |rows: &Rows, nu: &[f64]| solver.residual(&w.points, rows, nu, AIM.speed);
        let start = judge(&w.rows, &w.nu);
        assert!(start > 0.1, "{start:e}");
        let done = newton.close(&w.points, &mut w.rows, &mut w.nu, &aim, judge);
        assert!(done.outcome.converged && !done.contradicts, "{done:?}");
        assert!(done.outcome.rounds < 200, "{done:?}");
        let left = solver.residual(&w.points, &w.rows, &w.nu, AIM.speed);
        assert!(left <= SOLVED, "{left:e}");
    }
}

/// A cube on four pairs of points, of which one is lower by a ten-millionth of the speed: that one bears all, though what is
/// found on the way shares the load.
#[test]
fn load_moves_to_points_that_are_lower_by_next_to_nothing() {
    let mut w = Wall::new(1, 1, 0.5, 3);
    let lower = w.points.len();
    for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        let corner = Vector3::new(x, y, 0.0);
        w.point((BodyId(0), None), corner, Vector3::z(), 0.5);
    }
    for p in &mut w.points[..lower] {
        p.bias[0] += 1e-7 * AIM.speed;
    }
    let (solver, mut newton) = prepared(&mut w);
    let aim = Aim {
        enough: SOLVED,
        ..AIM
    };
    let judge = |rows: &Rows, nu: &[f64]| solver.residual(&w.points, rows, nu, AIM.speed);
    let done = newton.close(&w.points, &mut w.rows, &mut w.nu, &aim, judge);
    assert!(done.outcome.converged && !done.contradicts, "{done:?}");
    let load = |points: &[Point]| points.iter().map(|p| w.rows.lambda[p.first]).sum::<f64>();
    let (upper, lower) = w.points.split_at(lower);
    assert!(load(upper) < 1e-6 * load(lower), "{done:?}");
}

/// A cube between floor and lid with too little room by a thousandth of the speed: the method says so instead of pressing
/// harder and harder.
#[test]
fn rows_that_contradict_each_other_are_noticed() {
    let mut w = Wall::new(1, 1, 0.5, 3);
    for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        w.point(
            (BodyId(0), None),
            Vector3::new(x, y, 1.0),
            -Vector3::z(),
            0.5,
        );
    }
    let missing = 1e-3 * AIM.speed;
    for p in &mut w.points {
        p.bias[0] = -0.5 * missing;
    }
    let (solver, mut newton) = prepared(&mut w);
    let judge = |rows: &Rows, nu: &[f64]| solver.residual(&w.points, rows, nu, AIM.speed);
    let done = newton.close(&w.points, &mut w.rows, &mut w.nu, &AIM, judge);
    assert!(done.contradicts && !done.outcome.converged, "{done:?}");
    // Nothing can be better than to share what is missing between floor and lid.
    assert!(done.outcome.residual <= missing / AIM.speed, "{done:?}");
    assert!(done.outcome.rounds < 200, "{done:?}");
}
