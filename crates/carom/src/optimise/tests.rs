//! Derivatives of every kind of row and term against finite differences, at random points.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::avoid::WorkingSet;
use super::build;
use super::contact_point::{ContactPoint, Surfaces};
use super::family::FAMILIES;
use super::push::Push;
use super::rows::jump::JumpRow;
use super::rows::turn::{NEAR_TURN, Turns};
use super::rows::{AnchorRow, Anchors, Jumps};
use super::transcription::Transcription;
use super::*;
use crate::geometry::{Polytope, Shape};
use crate::model::{BodySpec, Drag, Frame, Hold, JointSpec, Material, Model, ModelBuilder};

/// Seeded numbers in [−1, 1].
fn random(seed: u64) -> impl FnMut() -> f64 {
    super::random::random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1))
}

/// V = Σ aᵢ qᵢ⁴ + (Σ qᵢ)³: a potential of a user's own.
struct Quartic(Vec<crate::model::BodyId>);

impl crate::model::UserPotential for Quartic {
    fn bodies(&self) -> &[crate::model::BodyId] {
        &self.0
    }
    fn value(&self, q: &[f64]) -> f64 {
        let sum: f64 = q.iter().sum();
        q.iter().map(|v| 0.1 * v.powi(4)).sum::<f64>() + 0.01 * sum.powi(3)
    }
    fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        let sum: f64 = q.iter().sum();
        for (g, v) in gradient.iter_mut().zip(q) {
            *g = 0.4 * v.powi(3) + 0.03 * sum * sum;
        }
    }
    fn hessian(&self, q: &[f64], hessian: &mut nalgebra::DMatrix<f64>) {
        let sum: f64 = q.iter().sum();
        hessian.fill(0.06 * sum);
        for (k, v) in q.iter().enumerate() {
            hessian[(k, k)] += 1.2 * v * v;
        }
    }
}

/// All that a plan knows to act along a joint.
fn laws(target: f64) -> crate::model::JointPhysics {
    crate::model::JointPhysics {
        spring: Some(crate::model::JointSpring {
            stiffness: 3.0,
            rest: 0.1,
        }),
        damping: 0.3,
        armature: 0.2,
        servo: Some(crate::model::Servo::position(target, 5.0, 0.7)),
        friction: 0.0,
    }
}

/// A chain of every kind of joint, two free bodies, a particle on a rod, springs, charges, drag.
fn zoo(moving: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.1, -0.2, -9.81)).coulomb(0.3);
    let shape = |size: f64| {
        Shape::single(
            Polytope::cuboid(size, 0.7 * size, 0.5 * size).unwrap(),
            300.0,
        )
    };
    let at = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
    let base = b.body(BodySpec::rigid("base").shape(shape(0.4).unwrap()));
    let names = ["turn", "slide", "both", "ball", "plane", "stuck"];
    let mut last = base;
    let mut drives = Vec::new();
    let mut chain = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let x = 0.5 * (k + 1) as f64;
        let mut body = BodySpec::rigid(*name)
            .shape(shape(0.3).unwrap())
            .position(at(x, 0.1 * k as f64, 0.0))
            .rotation(at(0.1, 0.2, 0.3 * k as f64));
        if *name == "turn" {
            body = body.material("rough");
        }
        let body = b.body(body);
        chain.push(body);
        let axis = at(0.3, 1.0, 0.2 * k as f64);
        let joint = match *name {
            "turn" => JointSpec::revolute(*name, axis).physics(laws(0.4)),
            "slide" => JointSpec::prismatic(*name, axis).physics(laws(-0.2)),
            "both" => JointSpec::cylindrical(*name, axis),
            "ball" => JointSpec::spherical(*name),
            "plane" => JointSpec::planar(*name, axis),
            _ => JointSpec::fixed(*name),
        };
        let joint = b.joint(joint.at(at(x - 0.2, 0.05, 0.1)), Some(last), Some(body));
        if *name != "stuck" {
            drives.push((format!("drive_{name}"), joint));
        }
        last = body;
    }
    // A loop: a strut between two bodies of the chain.
    let strut = BodySpec::rigid("strut").shape(shape(0.2).unwrap());
    let strut = b.body(strut.position(at(0.8, 0.3, 0.2)));
    let ball = JointSpec::spherical("upper").at(at(0.6, 0.2, 0.1));
    b.joint(ball, Some(chain[0]), Some(strut));
    let close = JointSpec::revolute("close", at(0.1, 0.9, 0.3)).at(at(0.9, 0.2, 0.1));
    b.joint(close, Some(strut), Some(chain[1]));
    for (name, joint) in drives {
        b.drive(name, joint, vec![]);
    }
    let left = b.body(
        BodySpec::rigid("left")
            .shape(shape(0.5).unwrap())
            .position(at(0.0, 2.0, 0.0)),
    );
    let right = b.body(
        BodySpec::rigid("right")
            .shape(shape(0.5).unwrap())
            .position(at(0.45, 2.1, 0.2)),
    );
    b.wrench("push", left, at(0.1, 0.0, 0.05), Frame::Body, vec![]);
    b.wrench("pull", right, at(0.0, 0.1, 0.0), Frame::Inertial, vec![]);
    let bead = b.body(
        BodySpec::particle("bead", 0.4)
            .radius(0.1)
            .position(at(0.3, 2.9, 0.4)),
    );
    b.joint(JointSpec::rod("rod"), Some(left), Some(bead));
    let free = b.body(
        BodySpec::particle("free", 0.3)
            .radius(0.1)
            .position(at(0.4, 3.1, 0.5)),
    );
    b.spring(
        "s",
        (Some(left), at(0.1, 0.0, 0.0)),
        (Some(right), at(0.0, 0.1, 0.0)),
        30.0,
        0.2,
    );
    b.spring(
        "w",
        (None, at(0.0, 1.0, 1.0)),
        (Some(last), at(0.0, 0.1, 0.0)),
        10.0,
        0.5,
    );
    b.damper(
        "d",
        (Some(left), at(0.1, 0.0, 0.2)),
        (Some(last), at(0.0, 0.1, 0.1)),
        0.7,
    );
    b.damper(
        "e",
        (None, at(0.3, 0.0, 0.2)),
        (Some(right), at(0.0, 0.1, 0.1)),
        0.4,
    );
    b.potential(Arc::new(Quartic(vec![right, free, base])));
    b.charge("p", left, at(0.1, 0.2, 0.0), 1.0);
    b.charge("q", free, at(0.0, 0.0, 0.0), -2.0);
    b.drag(Drag {
        body: right,
        linear: 0.3,
        angular: 0.2,
    });
    b.drag(Drag {
        body: base,
        linear: 0.1,
        angular: 0.4,
    });
    if moving {
        // An obstacle that turns and slides by itself, near the free bodies.
        let wave = |a: f64, w: f64| {
            crate::model::Course::Function(Arc::new(move |t: f64| {
                let (sin, cos) = (w * t).sin_cos();
                [a * sin, a * w * cos, -a * w * w * sin]
            }))
        };
        let motion = crate::model::GivenMotion {
            displacement: [wave(0.1, 2.0), wave(-0.05, 3.0), wave(0.07, 1.0)],
            axis: at(0.2, -0.4, 1.0),
            angle: wave(0.8, 1.5),
            center: Some(at(0.1, 2.2, 0.3)),
        };
        let gate = BodySpec::fixed("gate").shape(shape(0.4).unwrap());
        let gate = b.body(gate.position(at(0.3, 2.5, -0.2)).motion(motion));
        // Gaps of particles do not know time scales.
        b.exclude(bead, gate);
        b.exclude(free, gate);
    }
    let floor = carom_gap::gap::HalfSpace::new(Vector3::z(), -0.6).unwrap();
    b.material(Material {
        friction: 0.7,
        ..Material::elastic("rough")
    });
    b.wall("floor", floor, Some("rough".into()));
    b.build().unwrap()
}

fn body(model: &Model, name: &str) -> crate::model::BodyId {
    model.find_body(name).unwrap()
}

/// A parameter on which stiffness and length of springs, damping, drag and the tensor of a body depend.
fn stiffness(model: &Model) -> Parameter {
    let made = [1.0, 1.5, 2.5].map(|p| {
        let mut other = model.clone();
        let change = p - 1.0;
        for pair in &mut other.forces.pairs {
            if let crate::model::PairLaw::Spring {
                stiffness,
                rest_length,
            } = &mut pair.law
            {
                *stiffness += 3.0 * change;
                *rest_length += 0.1 * change;
            }
        }
        other.forces.dampers[0].coefficient += 0.2 * change;
        other.forces.drags[0].linear += 0.3 * change;
        if let crate::model::BodyKind::Rigid { euler_tensor, .. } = &mut other.bodies[1].kind {
            *euler_tensor *= p;
        }
        (p, other)
    });
    Parameter::of_models("p", [0.5, 1.8], &made).unwrap()
}

fn recurrences(model: &Model) -> Vec<Recurrence> {
    let b = |name: &str| body(model, name);
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    vec![
        Recurrence {
            shift: vec![[-1.0, 1.0], free, [0.0; 2]],
            ..Recurrence::of(b("base"))
        },
        Recurrence {
            like: b("left"),
            ..Recurrence::of(b("right"))
        },
        Recurrence {
            shift: vec![[0.1, 0.3]],
            ..Recurrence::of(b("slide"))
        },
        Recurrence::of(b("turn")),
        Recurrence::of(b("both")),
        Recurrence::of(b("ball")),
        Recurrence::of(b("free")),
        Recurrence::of(b("left")),
        Recurrence::of(b("bead")),
    ]
}

fn problem(rows: GapRows) -> Problem {
    let model = Arc::new(zoo(rows.has_planes()));
    let b = |name: &str| body(&model, name);
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    let chain = [
        "base", "turn", "slide", "both", "ball", "plane", "stuck", "strut",
    ];
    let mut motions: Vec<Motion> = (chain.iter())
        .map(|n| {
            Motion::given(
                b(n),
                &Vector3::new(0.1, 0.2, 0.3),
                &Vector3::new(0.3, -0.2, 0.5),
            )
        })
        .collect();
    motions.push(Motion {
        bodies: vec![b("left")],
        twist: [free, [0.1; 2], free, [-9.0, 9.0], [0.2; 2], free],
    });
    motions.push(Motion::rest(b("bead")));
    let together = Motion::together(vec![b("left"), b("right"), b("bead")]);
    let height = Poly::coordinate(&model, b("right"), 2);
    let turned = Matrix3::from_columns(&[Vector3::y(), Vector3::z(), Vector3::x()]);
    let phase = |steps, scale| Phase {
        steps,
        step: 0.1,
        time_scale: scale,
        ..Phase::default()
    };
    let points = [NamedPoint {
        name: "tip".into(),
        body: b("left"),
        local: Vector3::new(0.1, 0.2, 0.3),
    }];
    let formula = |text: &str| Formula::new(&model, text, &points).unwrap();
    Problem {
        phases: vec![
            Phase {
                ends: Transition::Impact(vec![Impact {
                    between: Meeting::Bodies(b("left"), b("right")),
                    restitution: 0.6,
                    flat: false,
                }]),
                ..phase(1, [0.5, 2.0])
            },
            Phase {
                ends: Transition::Impact(vec![
                    Impact {
                        between: Meeting::Wall(b("turn"), 0),
                        restitution: 0.3,
                        flat: false,
                    },
                    Impact {
                        between: Meeting::Wall(b("free"), 0),
                        restitution: 0.8,
                        flat: false,
                    },
                ]),
                // Let go at its end.
                closed: vec![Closed {
                    between: Meeting::Wall(b("right"), 0),
                    hold: Hold::Slip,
                    friction: None,
                }],
                ..phase(1, [1.0, 1.0])
            },
            Phase {
                closed: vec![Closed {
                    between: Meeting::Wall(b("base"), 0),
                    hold: Hold::Stick,
                    friction: Some(0.6),
                }],
                ..phase(1, [0.2, 3.0])
            },
        ],
        total_time: Some([0.3, 0.7]),
        minimise: vec![
            Term::Effort {
                weights: (0..model.controls())
                    .map(|k| 1.0 + 0.1 * k as f64)
                    .collect(),
            },
            Term::Time { weight: 0.7 },
            Term::Final {
                what: "height".into(),
                poly: height.product(&height).plus(&height.times(-2.0)),
            },
            Term::Running {
                formula: formula("tip.vx*tip.z + left.wy^2 + sin(turn.q)*slide.rate*t"),
                weight: 0.3,
            },
            Term::End {
                formula: formula("base.d1x*right.vy + drive_turn^2*both.q2"),
                weight: 0.4,
            },
            Term::ControlRate {
                weights: vec![0.2; model.controls()],
            },
        ],
        per: Some(Travel {
            body: b("right"),
            from: None,
            direction: Vector3::new(0.6, 0.8, 0.0),
        }),
        start: Boundary {
            conditions: vec![],
            motions,
        },
        goal: Boundary {
            conditions: vec![
                Condition::relative(
                    &model,
                    b("left"),
                    b("right"),
                    Some(&Vector3::x()),
                    Some(&turned),
                ),
                Condition::relative(&model, b("base"), b("left"), Some(&Vector3::y()), None),
                Condition::Orientation {
                    body: b("ball"),
                    directors: turned,
                },
                Condition::direction(
                    &model,
                    b("turn"),
                    2,
                    &Vector3::new(1.0, 1.0, 0.0),
                    [1.0, 1.0],
                ),
                Condition::Position {
                    body: b("plane"),
                    range: [[0.0, 1.0], free, [0.5, 0.5]],
                },
            ],
            motions: vec![together],
        },
        periodic: match rows {
            GapRows::Gaps => recurrences(&model),
            _ => Vec::new(),
        },
        parameters: Vec::new(),
        path: vec![
            Condition::between(&model, (b("base"), 0), (b("left"), 1), [-0.5, 0.8]),
            Condition::direction(&model, b("both"), 2, &Vector3::z(), [-0.9, 0.9]),
            Condition::formula(
                formula("tip.x*turn.rate + right.wz*push.fx.rate*free.vz"),
                [-1.0, 1.0],
            ),
        ],
        vias: vec![Via {
            node: 2,
            conditions: vec![Condition::formula(
                formula("right.wx - t^2*tip.vy"),
                [0.0, 0.0],
            )],
        }],
        avoid: Some(Avoid {
            margin: 0.05,
            rows,
            between_nodes: true,
            near: None,
        }),
        model: Arc::clone(&model),
        penalties: Vec::new(),
        sequences: None,
        scheme: Scheme::OneLayer,
        beside: 1e-3,
    }
}

fn transcription(rows: GapRows, seed: u64) -> (Transcription, Vec<f64>) {
    let problem = problem(rows);
    let mut next = random(seed);
    let start = Guess::through(&problem, &[Way::start(&problem.model, 0)]).unwrap();
    let guess = start.perturbed(&problem, 0.1, &mut next);
    let (mut t, mut x) = build::transcribe(&problem, &guess, &[]).unwrap();
    // What two edges exchange where they cross is of degree three.
    let b = |name: &str| body(&problem.model, name);
    let edges = [("base", 0), ("left", 1)].map(|(n, i)| Poly::director(&problem.model, b(n), i));
    let apart = Poly::position(&problem.model, b("right"));
    let crossing = Poly::dot(&Poly::cross(&edges[0], &edges[1]), &apart);
    assert_eq!(crossing.degree(), 3);
    let what = "edges".to_string();
    t.path
        .layout
        .add_reaction(1, crossing.clone().collected().into(), what);
    t.bounds.push([0.0, f64::INFINITY]);
    x.push(0.7);
    // Points that move over both bodies push along no gradient, and slide the same way.
    let mut sliding = Vec::new();
    let surfaces = [
        Surfaces::OnPlane {
            centre: Vector3::new(-0.1, 0.0, 0.2),
            radius: 0.3,
            normal: Vector3::new(2.0, -1.0, 2.0) / 3.0,
        },
        Surfaces::Balls {
            centres: [Vector3::new(-0.1, 0.0, 0.2), Vector3::new(0.3, 0.1, 0.0)],
            radii: [0.3, 0.2],
            apart: Vector3::new(2.0, -1.0, 2.0) / 3.0,
        },
        Surfaces::Edges {
            from: [Vector3::new(-0.1, 0.0, 0.2), Vector3::new(0.3, 0.1, 0.0)],
            along: [Vector3::new(1.0, 0.2, 0.1), Vector3::new(0.1, -0.3, 1.0)],
            ahead: false,
        },
    ];
    for (k, own) in surfaces.into_iter().enumerate() {
        let bodies = ["base", "left"].map(|name| Some(b(name)));
        let [_, roll, slide] = ContactPoint::frame(&problem.model, bodies, own).map(Push::from);
        (t.path.layout).add_reaction(1, roll, format!("roll {k}"));
        t.bounds.push([f64::NEG_INFINITY, f64::INFINITY]);
        x.push(-0.4);
        sliding.push(JumpRow {
            node: 1,
            what: format!("slide {k}"),
            push: slide,
            sides: vec![(0, 1.0), (1, 0.5)],
            products: Vec::new(),
            range: [0.0; 2],
        });
    }
    t.add(Jumps { rows: sliding });
    // A place of any degree.
    let unknown = t.path.layout.unknown();
    t.bounds.push([f64::NEG_INFINITY, f64::INFINITY]);
    x.push(0.2);
    let what = "place of edges".to_string();
    t.add(Anchors {
        rows: vec![AnchorRow {
            node: 1,
            what,
            poly: crossing.collected(),
            unknown,
        }],
    });
    let mut working = WorkingSet::new(&problem, &guess.poses);
    working.look_between(&guess.poses);
    let mut turns = Turns::default();
    turns.limit_all(&t.path.layout, NEAR_TURN);
    if rows == GapRows::Planes {
        working.split_all();
    }
    working.add_rows(&problem, &mut t, &mut x, &scale::Sizes::ONE, turns);
    let x = x.iter().map(|v| v + 0.05 * next()).collect();
    (t, x)
}

fn dense_jacobian(t: &mut Transcription, x: &[f64]) -> Vec<Vec<f64>> {
    let mut out = vec![vec![0.0; x.len()]; t.rows()];
    t.each_jacobian(x, &mut |r, c, v| out[r][c] += v);
    out
}

/// ∇f + Jᵀλ, what the Hessian is the derivative of.
fn lagrangian_gradient(t: &mut Transcription, x: &[f64], factor: f64, lambda: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    t.gradient(x, &mut out);
    out.iter_mut().for_each(|v| *v *= factor);
    t.each_jacobian(x, &mut |r, c, v| out[c] += lambda[r] * v);
    out
}

/// The choices of rows that the derivatives below are checked with.
const CHECKED: [GapRows; 4] = [
    GapRows::Gaps,
    GapRows::Single,
    GapRows::Planes,
    GapRows::Steps,
];

/// Every family of rows is among those whose derivatives are checked.
#[test]
fn every_family_is_covered() {
    let mut seen = std::collections::BTreeMap::new();
    for rows in CHECKED {
        let (t, _) = transcription(rows, 1);
        for row in 0..t.rows() {
            *seen.entry(t.family_of(row)).or_insert(0) += 1;
        }
    }
    for family in FAMILIES {
        assert!(seen.remove(family).is_some(), "{family} is not covered");
    }
    assert!(seen.is_empty(), "not in the list of families: {seen:?}");
}

#[test]
fn jacobian_by_finite_differences() {
    for (rows_kind, seed) in CHECKED.into_iter().zip(1..) {
        let (mut t, x) = transcription(rows_kind, seed);
        let jacobian = dense_jacobian(&mut t, &x);
        let rows = t.rows();
        let e = 1e-6;
        for k in 0..x.len() {
            let mut at = |s: f64| {
                let mut moved = x.clone();
                moved[k] += s;
                let mut g = vec![0.0; rows];
                t.values(&moved, &mut g);
                g
            };
            let (up, down) = (at(e), at(-e));
            for r in 0..rows {
                let slope = (up[r] - down[r]) / (2.0 * e);
                let exact = jacobian[r][k];
                assert!(
                    (slope - exact).abs() < 1e-6 * (1.0 + exact.abs()) * 30.0,
                    "{} by {k}: {exact} and {slope}",
                    t.describe(r)
                );
            }
        }
    }
}

#[test]
fn gradient_by_finite_differences() {
    let (mut t, x) = transcription(GapRows::Gaps, 4);
    // Without the ratio the objective is the cost itself.
    t.ratio = None;
    let mut gradient = vec![0.0; x.len()];
    t.gradient(&x, &mut gradient);
    let e = 1e-6;
    for k in 0..x.len() {
        let mut at = |s: f64| {
            let mut moved = x.clone();
            moved[k] += s;
            t.objective(&moved)
        };
        let slope = (at(e) - at(-e)) / (2.0 * e);
        let noise = 1e-15 * t.objective(&x).abs() / e;
        assert!(
            (slope - gradient[k]).abs() < 1e-6 * (1.0 + slope.abs()) + noise,
            "{k}: {slope} {}",
            gradient[k]
        );
    }
}

/// Columns that share no row, in groups, but for rows that have entries almost everywhere: their entries are those of
/// columns that are groups of their own.
fn apart(matrix: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let n = matrix.len();
    let rows_of = |k: usize| (0..n).filter(move |&r| matrix[r][k] != 0.0);
    let dense: Vec<bool> = (0..n).map(|k| rows_of(k).count() > n / 2).collect();
    let mut groups: Vec<(Vec<usize>, Vec<bool>)> = Vec::new();
    for k in 0..n {
        let own = || rows_of(k).filter(|&r| !dense[r]);
        let free = |taken: &[bool]| own().all(|r| !taken[r]);
        let place = match dense[k] {
            true => None,
            false => groups
                .iter()
                .position(|(columns, taken)| !dense[columns[0]] && free(taken)),
        };
        let place = place.unwrap_or_else(|| {
            groups.push((Vec::new(), vec![false; n]));
            groups.len() - 1
        });
        let (columns, taken) = &mut groups[place];
        columns.push(k);
        own().for_each(|r| taken[r] = true);
    }
    groups.into_iter().map(|(columns, _)| columns).collect()
}

#[test]
fn hessian_by_finite_differences() {
    for (rows_kind, seed) in CHECKED.into_iter().zip(5..) {
        let (mut t, x) = transcription(rows_kind, seed);
        let mut next = random(seed + 100);
        let lambda: Vec<f64> = (0..t.rows()).map(|_| next()).collect();
        let n = x.len();
        let mut hessian = vec![vec![0.0; n]; n];
        t.each_hessian(&x, 0.7, &lambda, &mut |r, c, v| {
            hessian[r][c] += v;
            if r != c {
                hessian[c][r] += v;
            }
        });
        let size = hessian
            .iter()
            .flatten()
            .fold(0.0, |m: f64, v| m.max(v.abs()));
        let e = 1e-5;
        for columns in apart(&hessian) {
            let mut at = |s: f64| {
                let mut moved = x.clone();
                columns.iter().for_each(|&k| moved[k] += s);
                lagrangian_gradient(&mut t, &moved, 0.7, &lambda)
            };
            let (up, down) = (at(e), at(-e));
            for r in 0..n {
                let slope = (up[r] - down[r]) / (2.0 * e);
                let exact: f64 = columns.iter().map(|&k| hessian[r][k]).sum();
                assert!(
                    (slope - exact).abs() < 1e-7 * size + 1e-5 * exact.abs(),
                    "seed {seed}, unknown {r} and one of {columns:?}: {exact} and {slope} (of {size})"
                );
            }
        }
    }
}

/// Derivatives by numbers of the model that are found, of rows and of the objective.
#[test]
fn parameters_by_finite_differences() {
    let mut problem = problem(GapRows::Gaps);
    problem.avoid = None;
    problem.per = None;
    let names = ["m", "p"].map(String::from);
    let formula = |text: &str| {
        let expression = crate::expression::Expression::parse(text).unwrap();
        Formula::with_parameters(&problem.model, &expression, &[], &names).unwrap()
    };
    problem.vias[0].conditions.push(Condition::formula(
        formula("right.wx*p - t^2*left.vy*m"),
        [0.0, 0.0],
    ));
    let cost = formula("p^2*right.x + m*p*drive_turn^2");
    problem.minimise.push(Term::End {
        formula: cost,
        weight: 0.6,
    });
    let mass = Parameter::mass(&problem.model, body(&problem.model, "left"), [0.5, 2.0]);
    problem.parameters = vec![mass, stiffness(&problem.model)];
    let mut next = random(77);
    let start = Guess::through(&problem, &[Way::start(&problem.model, 0)]).unwrap();
    let guess = start.perturbed(&problem, 0.1, &mut next);
    let (mut t, x) = build::transcribe(&problem, &guess, &[]).unwrap();
    let x: Vec<f64> = x.iter().map(|v| v + 0.05 * next()).collect();
    let lambda: Vec<f64> = (0..t.rows()).map(|_| next()).collect();
    let jacobian = dense_jacobian(&mut t, &x);
    let mut gradient = vec![0.0; x.len()];
    t.gradient(&x, &mut gradient);
    let mut hessian = vec![vec![0.0; x.len()]; 2];
    let places = t.path.layout.parameters.clone();
    t.each_hessian(&x, 0.7, &lambda, &mut |r, c, v| {
        for (k, p) in places.iter().enumerate() {
            if r == *p {
                hessian[k][c] += v;
            } else if c == *p {
                hessian[k][r] += v;
            }
        }
    });
    let e = 1e-5;
    for (k, &p) in places.iter().enumerate() {
        let mut at = |s: f64| {
            let mut moved = x.clone();
            moved[p] += s;
            let mut g = vec![0.0; t.rows()];
            t.values(&moved, &mut g);
            let f = t.objective(&moved);
            (g, f, lagrangian_gradient(&mut t, &moved, 0.7, &lambda))
        };
        let (up, down) = (at(e), at(-e));
        let near = |exact: f64, a: f64, b: f64, what: &str| {
            let slope = (a - b) / (2.0 * e);
            assert!(
                (slope - exact).abs() < 1e-5 * (1.0 + exact.abs()),
                "{what} by {}: {exact} and {slope}",
                names[k]
            );
        };
        near(gradient[p], up.1, down.1, "objective");
        for r in 0..t.rows() {
            near(jacobian[r][p], up.0[r], down.0[r], &t.describe(r));
        }
        assert!(jacobian.iter().filter(|row| row[p] != 0.0).count() > 10);
        for c in 0..x.len() {
            near(hessian[k][c], up.2[c], down.2[c], &format!("unknown {c}"));
        }
        assert!(hessian[k].iter().filter(|v| v.abs() > 1e-3).count() > 10);
    }
}

#[test]
fn patterns_grow_linearly_with_the_nodes() {
    let count = |steps: usize| {
        let mut problem = problem(GapRows::Gaps);
        problem.avoid = None;
        problem.phases[0].steps = steps;
        let guess = Guess::through(&problem, &[Way::start(&problem.model, 0)]).unwrap();
        let (mut t, x) = build::transcribe(&problem, &guess, &[]).unwrap();
        let mut entries = 0;
        t.each_jacobian(&x, &mut |_, _, _| entries += 1);
        entries
    };
    let (a, b, c) = (count(10), count(20), count(40));
    assert_eq!(2 * (b - a), c - b);
}
