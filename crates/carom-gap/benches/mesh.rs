//! Meshes of 1e5 triangles, from the bytes of a file to a body: reading, mass, convex parts and their error.
//!
//! A torus (hollow: eight or more parts), a wavy ball and a screw thread, as binary STL and as OBJ. The least of
//! several runs counts.

use std::f64::consts::TAU;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use carom_gap::geometry::{Decompose, Mesh, MeshUse, Unit};
use nalgebra::Vector3;

const REPETITIONS: usize = 5;

/// A closed surface over a grid of two angles that both go round.
fn ring(around: u32, across: u32, place: impl Fn(f64, f64) -> Vector3<f64>) -> Mesh {
    let mut points = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let (u, v) = (
                f64::from(i) / f64::from(around),
                f64::from(j) / f64::from(across),
            );
            points.push(place(TAU * u, TAU * v));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let cells = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| {
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [
                [corners[0], corners[1], corners[2]],
                [corners[0], corners[2], corners[3]],
            ]
        })
        .collect();
    Mesh::new("ring", &points, &triangles).unwrap()
}

/// A ball whose radius changes with the direction.
fn ball(around: u32, down: u32, radius: impl Fn(f64, f64) -> f64) -> Mesh {
    let mut points = vec![Vector3::z() * radius(0.0, 0.0)];
    for j in 1..down {
        for i in 0..around {
            let (u, v) = (
                TAU * f64::from(i) / f64::from(around),
                0.5 * TAU * f64::from(j) / f64::from(down),
            );
            points.push(Vector3::new(v.sin() * u.cos(), v.sin() * u.sin(), v.cos()) * radius(u, v));
        }
    }
    points.push(Vector3::z() * -radius(0.0, 0.5 * TAU));
    let last = points.len() as u32 - 1;
    let at = |i: u32, j: u32| 1 + (j - 1) * around + i % around;
    let mut triangles = Vec::new();
    for i in 0..around {
        triangles.push([0, at(i, 1), at(i + 1, 1)]);
        triangles.push([last, at(i + 1, down - 1), at(i, down - 1)]);
        for j in 1..down - 1 {
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    Mesh::new("ball", &points, &triangles).unwrap()
}

fn stl(mesh: &Mesh) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out.extend((mesh.triangles().len() as u32).to_le_bytes());
    for t in mesh.triangles() {
        out.extend([0; 12]);
        for x in t.iter().flat_map(|&i| mesh.points()[i as usize].iter()) {
            out.extend((*x as f32).to_le_bytes());
        }
        out.extend([0; 2]);
    }
    out
}

fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut out = String::new();
    for p in mesh.points() {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for t in mesh.triangles() {
        writeln!(out, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap();
    }
    out.into_bytes()
}

/// Time this thread has had on a processor, in ms, where the kernel tells.
fn on_cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-6)
}

/// CPU time, which others on the machine change less than wall time; that where there is none.
fn milliseconds<T>(mut run: impl FnMut() -> T) -> f64 {
    let times = (0..REPETITIONS).map(|_| {
        let (start, before) = (Instant::now(), on_cpu());
        black_box(run());
        match (before, on_cpu()) {
            (Some(before), Some(after)) => after - before,
            _ => start.elapsed().as_secs_f64() * 1e3,
        }
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    let meshes = [
        (
            "torus",
            ring(316, 158, |u, v| {
                let rho = 1.0 + 0.3 * v.cos();
                Vector3::new(rho * u.cos(), rho * u.sin(), 0.3 * v.sin())
            }),
        ),
        (
            "wavy ball",
            ball(316, 159, |u, v| {
                1.0 + 0.1 * (6.0 * u).cos() * v.sin().powi(3)
            }),
        ),
        (
            "bent tube",
            ring(632, 79, |u, v| {
                let rho = 1.0 + 0.15 * v.cos();
                Vector3::new(
                    rho * u.cos(),
                    rho * u.sin(),
                    0.15 * v.sin() + 0.4 * (3.0 * u).cos(),
                )
            }),
        ),
    ];
    println!("\nMeshes, milliseconds of CPU time\n");
    println!(
        "| mesh | triangles | read STL | read OBJ | mass | hull | decompose | parts | distance |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, mesh) in &meshes {
        let (stl, obj) = (stl(mesh), obj(mesh));
        let read = milliseconds(|| Mesh::from_stl(&stl, "mesh.stl", Unit::Meter).unwrap());
        let text = milliseconds(|| Mesh::from_obj(&obj, "mesh.obj", Unit::Meter).unwrap());
        let mass = milliseconds(|| mesh.mass_properties().unwrap());
        let hull = milliseconds(|| mesh.shape(&MeshUse::Hull, 1.0).unwrap());
        let how = MeshUse::Decompose(Decompose::default());
        let parts = milliseconds(|| mesh.shape(&how, 1.0).unwrap());
        let found = mesh.parts(&how).unwrap();
        println!(
            "| {name} | {} | {read:.0} | {text:.0} | {mass:.0} | {hull:.0} | {parts:.0} | {} | {:.3} |",
            mesh.triangles().len(),
            found.parts.len(),
            found.error.distance,
        );
    }
}
