//! A model with one of everything, and a plan for it with rows of every family.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use crate::model::{
    BodySpec, Drag, Frame, Hold, JointKind, JointSpec, Material, Model, ModelBuilder,
};
use crate::optimise::avoid::WorkingSet;
use crate::optimise::build;
use crate::optimise::contact_point::{ContactPoint, Surfaces};
use crate::optimise::path::{displacements, join};
use crate::optimise::push::Push;
use crate::optimise::rows::jump::JumpRow;
use crate::optimise::rows::turn::{NEAR_TURN, Turns};
use crate::optimise::rows::{AnchorRow, Anchors, Jumps};
use crate::optimise::transcription::Transcription;
use crate::optimise::*;
use carom_gap::geometry::{Polytope, Shape};

/// Seeded numbers in [−1, 1].
pub(super) fn random(seed: u64) -> impl FnMut() -> f64 {
    crate::optimise::random::random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1))
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
pub(super) fn laws(target: f64) -> crate::model::JointPhysics {
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
pub(super) fn zoo(moving: bool) -> Model {
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
    let rotor = [at(0.1, -0.2, 0.9), at(0.02, 0.0, 0.1)];
    b.along(
        "rotor",
        right,
        at(0.2, 0.0, 0.1),
        Frame::Body,
        rotor,
        vec![],
    );
    let wind = [at(0.7, 0.1, 0.0), at(0.0, 0.3, 0.0)];
    b.along(
        "wind",
        left,
        at(0.0, 0.1, 0.3),
        Frame::Inertial,
        wind,
        vec![],
    );
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

pub(super) fn body(model: &Model, name: &str) -> crate::model::BodyId {
    model.find_body(name).unwrap()
}

/// A parameter on which stiffness and length of springs, damping, drag and the tensor of a body depend.
pub(super) fn stiffness(model: &Model) -> Parameter {
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

/// A parameter by which joints are farther out in their bodies, and a body has a tensor that grows with its square.
pub(super) fn length(model: &Model) -> Parameter {
    let starts: Vec<_> = model.bodies.iter().map(|b| b.start).collect();
    let apart = displacements(model, &starts);
    let made = [1.0, 0.8, 1.4, 0.9, 1.1, 1.2, 1.3].map(|p: f64| {
        let mut other = model.clone();
        for joint in &mut other.joints {
            if joint.kind != JointKind::Free {
                joint.anchor_parent *= p;
                joint.anchor_child += Vector3::new(0.1, -0.2, 0.3) * (p - 1.0);
            }
        }
        let mut poses = starts.clone();
        join(&other, &apart, &mut poses);
        for (body, pose) in other.bodies.iter_mut().zip(poses) {
            body.start = pose;
        }
        if let crate::model::BodyKind::Rigid { euler_tensor, .. } = &mut other.bodies[1].kind {
            *euler_tensor *= p * p;
        }
        (p, other)
    });
    let out = Parameter::of_models("l", [0.7, 1.5], &made).unwrap();
    assert!(out.moves());
    out
}

pub(super) fn recurrences(model: &Model) -> Vec<Recurrence> {
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

pub(super) fn problem(rows: GapRows) -> Problem {
    let model = Arc::new(zoo(rows.has_planes()));
    let b = |name: &str| body(&model, name);
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    let chain = [
        "base", "turn", "slide", "both", "ball", "plane", "stuck", "strut",
    ];
    // As one rigid body, which all joints allow.
    let (v, w) = (Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.3, -0.2, 0.5));
    let mut motions: Vec<Motion> = (chain.iter())
        .map(|n| {
            let arm = model.body(b(n)).start.position;
            Motion::given(b(n), &(v + w.cross(&arm)), &w)
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
        remake: None,
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
                formula("right.wx - t^2*tip.vy + left.rz*right.rx"),
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

pub(super) fn transcription(rows: GapRows, seed: u64) -> (Transcription, Vec<f64>) {
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
    // A component of an angular velocity.
    sliding.push(JumpRow {
        node: 1,
        what: "spin".into(),
        push: Push::Torque {
            directors: t.path.layout.starts[b("right").index()] + 3,
            axis: Vector3::new(1.0, -2.0, 2.0) / 3.0,
        },
        sides: vec![(0, 1.0)],
        products: Vec::new(),
        range: [0.0; 2],
    });
    t.add(Jumps { rows: sliding });
    // A place of any degree.
    let mut place = |value: f64| {
        t.bounds.push([f64::NEG_INFINITY, f64::INFINITY]);
        x.push(value);
        t.path.layout.unknown()
    };
    let crossing = crossing.collected();
    let along = Poly::dot(&edges[0], &apart).collected();
    let places = [
        vec![(Poly::constant(-1.0), place(0.2))],
        // Places along two edges, as factors of polynomials.
        vec![(along, place(0.3)), (crossing.clone(), place(-0.4))],
    ];
    let anchors = places.into_iter().enumerate().map(|(k, places)| AnchorRow {
        node: 1,
        what: format!("place {k} of edges"),
        poly: crossing.clone(),
        places,
    });
    t.add(Anchors {
        rows: anchors.collect(),
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
