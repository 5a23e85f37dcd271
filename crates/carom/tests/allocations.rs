//! Steps of the reduced scheme allocate nothing after the first, nor do steps in steady contact; memory stays as it is,
//! however many steps are made.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom::model::{
    BodySpec, Coordinate, JointSpec, Link, LinkKind, LinkageSpec, Model, ModelBuilder,
};
use carom::scenario::Scenario;
use carom::simulate::{ContactKind, Settings, Simulation};
use common::*;
use nalgebra::{Matrix3, Vector3};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Counts the allocations of each thread, and the bytes that are in use.
struct Counting;

fn count() {
    // A thread that ends has no counter any more.
    let _ = ALLOCATIONS.try_with(|c| c.set(c.get() + 1));
}

fn grow(bytes: i64) {
    let _ = LIVE.try_with(|c| c.set(c.get() + bytes));
}

// SAFETY: forwards to the system allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        grow(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        grow(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        grow(size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const GRAVITY: f64 = -9.81;

/// Three bars and the ground: a loop.
fn four_bar() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, GRAVITY));
    let points =
        [[0.0, 0.0], [0.1, 0.4], [0.8, 0.6], [0.9, 0.0]].map(|[x, z]| Vector3::new(x, 0.0, z));
    let mut last = None;
    for k in 0..3 {
        let bar = builder.body(
            BodySpec::rigid(format!("bar {k}"))
                .mass(0.5)
                .inertia(Matrix3::identity() * 0.02)
                .position((points[k] + points[k + 1]) * 0.5),
        );
        let hinge = JointSpec::revolute(format!("hinge {k}"), Vector3::y()).at(points[k]);
        builder.joint(hinge, last, Some(bar));
        last = Some(bar);
    }
    let hinge = JointSpec::revolute("hinge 3", Vector3::y()).at(points[3]);
    builder.joint(hinge, last, None);
    builder.build().unwrap()
}

/// A linkage in generalised coordinates.
fn cart() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, GRAVITY, 0.0));
    builder.linkage(LinkageSpec {
        name: "cart".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::y()],
        coordinates: vec![
            Coordinate {
                name: "x".into(),
                start: 0.0,
                rate: 0.1,
                limits: None,
            },
            Coordinate {
                name: "angle".into(),
                start: 0.3,
                rate: 0.0,
                limits: None,
            },
        ],
        links: vec![
            Link {
                name: "cart".into(),
                parent: None,
                kind: LinkKind::Slide {
                    direction: [1.0, 0.0],
                },
                coordinate: 0,
                mass: 1.0,
            },
            Link {
                name: "bob".into(),
                parent: Some(0),
                kind: LinkKind::Arm {
                    length: 0.5,
                    offset: 0.0,
                    relative: false,
                },
                coordinate: 1,
                mass: 0.3,
            },
        ],
    });
    builder.build().unwrap()
}

/// Bodies that act on each other.
fn coupled() -> Model {
    let mut builder = ModelBuilder::new();
    let [a, b] = [0.0, 1.0].map(|x| {
        builder.body(
            BodySpec::rigid(format!("at {x}"))
                .mass(1.0)
                .inertia(Matrix3::identity() * 0.1)
                .position(Vector3::new(x, 0.0, 0.0))
                .angular_velocity(Vector3::new(0.1, 0.5, 0.2)),
        )
    });
    let (x, y) = (Vector3::x() * 0.1, Vector3::y() * 0.1);
    builder.spring("spring", (Some(a), x), (Some(b), y), 5.0, 0.5);
    builder.damper("damper", (Some(a), y), (Some(b), x), 0.1);
    builder.build().unwrap()
}

#[test]
fn steps_allocate_nothing() {
    let mut models: Vec<(String, Model)> = vec![
        ("four-bar loop".into(), four_bar()),
        ("cart with pendulum".into(), cart()),
        ("spring and damper".into(), coupled()),
    ];
    for kind in KINDS {
        let model = pair(kind, true, Vector3::new(0.0, 0.0, -2.0));
        models.push((kind.name().into(), model));
    }
    for (name, model) in models {
        let mut run = Simulation::new(model, Settings::with_step(0.005)).unwrap();
        run.step().unwrap();
        let before = ALLOCATIONS.get();
        run.run(50).unwrap();
        assert_eq!(ALLOCATIONS.get() - before, 0, "{name}");
    }
}

/// A block whose root is shaken, and one that falls on a plate and a floor beside it.
fn elastic(integrator: &str, damping: &str, contact: &str) -> Simulation {
    let text = format!(
        "gravity = [0, 0, -9.81]\n\
         [body.beam]\nelastic = {{ box = [0.2, 0.1, 0.1], cells = [4, 2, 2], lambda = 2e4, mu = 1e4{damping} }}\n\
         density = 1000\nposition = [1, 0, 0.2]\n\
         [nodes.root]\nbody = \"beam\"\nplane = {{ point = [-0.1, 0, 0], normal = [1, 0, 0] }}\n\
         motion = {{ displacement = {{ t = [0, 1], value = [[0, 0, 0], [0.02, 0, 0]] }} }}\n\
         [body.ball]\nelastic = {{ ball = 0.05, layers = 2, lambda = 2e4, mu = 1e4{damping} }}\n\
         density = 1000\nposition = [0.02, 0.01, 0.049]\nvelocity = [0.3, 0, 0]\n\
         [body.plate]\nkind = \"static\"\nshape = {{ box = [0.1, 1, 1] }}\nposition = [0.1195, 0.1, 0.07]\n\
         [body.post]\nelastic = {{ box = [0.1, 0.1, 0.1], cells = [1, 1, 1], lambda = 2e4, mu = 1e4{damping} }}\n\
         density = 1000\nposition = [0.013, -0.087, 0.05]\n\
         [halfspace.floor]\nnormal = [0, 0, 1]\n\
         [simulate]\nsteps = 1\nstep = 2e-4\n{integrator}\n{contact}\n"
    );
    let scenario = Scenario::parse("elastic", &text).unwrap();
    let settings = scenario.settings.simulator();
    Simulation::new(scenario.build().unwrap(), settings).unwrap()
}

#[test]
fn explicit_steps_of_elastic_bodies_allocate_nothing() {
    let free = "law = \"none\"";
    let touching = "law = \"potential\"\nstiffness = 2000\ndrag = 0.5";
    let springy = "law = \"potential\"\nstiffness = 2000";
    let damped = ", damping = { mass = 1, stiffness = 1e-4 }";
    for (damping, contact) in [
        ("", free),
        (damped, free),
        ("", springy),
        ("", touching),
        (damped, touching),
    ] {
        let mut run = elastic("integrator = \"newmark\"", damping, contact);
        // Lists find their sizes, contacts begin.
        run.run(100).unwrap();
        let touches = run.ledger().contact_count;
        let before = ALLOCATIONS.get();
        run.run(40).unwrap();
        let count = ALLOCATIONS.get() - before;
        println!("{count} allocations in 40 steps: {damping} {contact}");
        // Where things touch, the tree of boxes is built again now and then, and edges may lie on edges.
        assert!(count <= if contact == free { 0 } else { 20 }, "{count}");
        assert_eq!(touches > 2, contact != free, "{touches}");
    }
}

/// A stack of two boxes at rest, and a bead that bounces for ever.
const CONTACTS: &str = r#"
gravity = [0, 0, -9.81]
[contact]
restitution = 1
friction = 0.5
[halfspace.floor]
normal = [0, 0, 1]
[body.low]
shape = { cube = 0.2 }
density = 1000
position = [0, 0, 0.1]
[body.high]
shape = { cube = 0.1 }
density = 1000
position = [0, 0, 0.25]
[body.bead]
kind = "particle"
mass = 0.1
radius = 0.05
position = [1, 0, 0.3]
[simulate]
steps = 1
step = 0.01
"#;

#[test]
fn memory_stays_flat_through_a_hundred_thousand_steps_of_contact() {
    for law in ["exact", "plastic", "decomposition"] {
        let text = format!("{CONTACTS}law = \"{law}\"\n");
        let scenario = Scenario::parse(law, &text).unwrap();
        let settings = scenario.settings.simulator();
        let mut run = Simulation::new(scenario.build().unwrap(), settings).unwrap();
        // Events are the user's: as one who writes them to a file takes them.
        let mut go = |steps: usize| {
            for _ in 0..steps / 100 {
                run.run(100).unwrap();
                drop(run.take_events());
            }
            (LIVE.get(), ALLOCATIONS.get())
        };
        let steps = if law == "exact" { 100_000 } else { 10_000 };
        let early = go(2_000);
        let soon = go(1_000);
        go(steps - 4_000);
        let late = go(1_000);
        // Tables and lists may have found their sizes a little later.
        assert!(
            late.0 - early.0 < 4_096,
            "{law}: {} bytes more",
            late.0 - early.0
        );
        // Those of the bead's impacts, and of its events.
        let per_step = (soon.1 - early.1) as f64 / 1_000.0;
        assert!(per_step < 1.0, "{law}: {per_step} allocations in a step");
    }
}

/// A stack of boxes, boxes that slide on a floor and on a plate, a ball that rolls: with their friction and what they do.
const STEADY: [(&str, f64, &str, ContactKind); 4] = [
    (
        "stack",
        0.5,
        "[body.low]\nshape = { cube = 0.2 }\ndensity = 1000\nposition = [0, 0, 0.1]\n\
         [body.middle]\nshape = { cube = 0.1 }\ndensity = 1000\nposition = [0.01, 0, 0.25]\n\
         [body.high]\nshape = { cube = 0.1 }\ndensity = 1000\nposition = [0, 0.02, 0.35]\n",
        ContactKind::Stick,
    ),
    (
        "slide",
        0.5,
        "[body.box]\nshape = { box = [0.2, 0.3, 0.1] }\ndensity = 1000\nposition = [0, 0, 0.05]\n\
         velocity = [30, 1, 0]\n",
        ContactKind::Slide,
    ),
    (
        "slide on a plate",
        0.05,
        "[body.plate]\nkind = \"static\"\nshape = { box = [80, 4, 0.2] }\nposition = [0, 0, 0.1]\n\
         [body.box]\nshape = { box = [0.2, 0.3, 0.1] }\ndensity = 1000\nposition = [-30, 0, 0.25]\n\
         velocity = [6, 0.1, 0]\n",
        ContactKind::Slide,
    ),
    (
        "roll",
        0.5,
        "[body.ball]\nshape = { sphere = 0.1 }\ndensity = 1000\nposition = [0, 0, 0.1]\n\
         velocity = [1, 0, 0]\nangular_velocity = [0, 10, 0]\n",
        ContactKind::Stick,
    ),
];

#[test]
fn steps_in_steady_contact_allocate_nothing() {
    for (name, friction, bodies, kind) in STEADY {
        for law in ["exact", "plastic", "decomposition"] {
            let text = format!(
                "gravity = [0, 0, -9.81]\n[contact]\nfriction = {friction}\n\
                 [halfspace.floor]\nnormal = [0, 0, 1]\n{bodies}\
                 [simulate]\nsteps = 1\nstep = 0.01\nlaw = \"{law}\"\n"
            );
            let scenario = Scenario::parse(name, &text).unwrap();
            let settings = scenario.settings.simulator();
            let mut run = Simulation::new(scenario.build().unwrap(), settings).unwrap();
            // Lists find their sizes.
            run.run(300).unwrap();
            let told = run.events().len();
            let before = ALLOCATIONS.get();
            run.run(200).unwrap();
            assert_eq!(ALLOCATIONS.get() - before, 0, "{name}, {law}");
            let standing = &run.state().standing;
            assert!(
                !standing.is_empty() && standing.iter().all(|s| s.kind == kind),
                "{name}, {law}: {standing:?}"
            );
            assert_eq!(run.events().len(), told, "{name}, {law}: nothing happens");
        }
    }
}
