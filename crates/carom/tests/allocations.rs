//! Steps of the reduced scheme allocate nothing after the first.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom::model::{
    BodySpec, Coordinate, JointSpec, Link, LinkKind, LinkageSpec, Model, ModelBuilder,
};
use carom::simulate::{Settings, Simulation};
use common::*;
use nalgebra::{Matrix3, Vector3};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

fn count() {
    // A thread that ends has no counter any more.
    let _ = ALLOCATIONS.try_with(|c| c.set(c.get() + 1));
}

// SAFETY: forwards to the system allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
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
