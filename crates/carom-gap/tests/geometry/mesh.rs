//! Meshes: STL and OBJ, units, decomposition, hostile bytes.

use carom_gap::geometry::{Convex, Decompose, GeometryError, Mesh, MeshUse, Polytope, Unit};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

fn fan(faces: &[Vec<u32>]) -> Vec<[u32; 3]> {
    let split = |f: &Vec<u32>| {
        (1..f.len() - 1)
            .map(|k| [f[0], f[k], f[k + 1]])
            .collect::<Vec<_>>()
    };
    faces.iter().flat_map(split).collect()
}

/// An L of three unit cubes, as one closed surface.
fn angle() -> Mesh {
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let at = |z: i32| {
        outline
            .iter()
            .map(move |p| v(p[0].into(), p[1].into(), z.into()))
    };
    let points: Vec<_> = at(0).chain(at(1)).collect();
    // Caps from the inner corner, which sees all others; then the sides.
    let mut triangles = Vec::new();
    for k in 0..4u32 {
        let (a, b) = ((4 + k) % 6, (5 + k) % 6);
        triangles.push([3, b, a]);
        triangles.push([9, a + 6, b + 6]);
    }
    for a in 0..6 {
        let b = (a + 1) % 6;
        triangles.push([a, b, b + 6]);
        triangles.push([a, b + 6, a + 6]);
    }
    Mesh::new("angle", &points, &triangles).unwrap()
}

fn ascii_stl(mesh: &Mesh, header: &str) -> String {
    let mut text = format!("{header}\n");
    for t in mesh.triangles() {
        text += "facet normal 0 0 0\nouter loop\n";
        for &i in t {
            let p = mesh.points()[i as usize];
            writeln!(text, "vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid\n"
}

fn binary_stl(mesh: &Mesh, header: &str) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..header.len()].copy_from_slice(header.as_bytes());
    bytes.extend((mesh.triangles().len() as u32).to_le_bytes());
    for t in mesh.triangles() {
        bytes.extend([0; 12]);
        for &i in t {
            for x in mesh.points()[i as usize].iter() {
                bytes.extend((*x as f32).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn obj(mesh: &Mesh) -> String {
    let mut text = "# angle\no part\n".to_owned();
    for p in mesh.points() {
        writeln!(text, "v {} {} {} 0.5 0.5 0.5", p.x, p.y, p.z).unwrap();
    }
    text += "vn 0 0 1\ns off\nusemtl none\n";
    for t in mesh.triangles() {
        writeln!(
            text,
            "f {}//1 {}//1 \\\n{}//1",
            t[0] + 1,
            t[1] + 1,
            t[2] + 1
        )
        .unwrap();
    }
    text
}

#[test]
fn every_format_gives_the_same_mesh() {
    let mesh = angle();
    let exact = mesh.mass_properties().unwrap();
    assert!((exact.volume - 3.0).abs() < 1e-14);
    let negative = obj(&mesh);
    let texts = [
        Mesh::from_stl(
            ascii_stl(&mesh, "solid angle").as_bytes(),
            "a",
            Unit::Millimeter,
        ),
        Mesh::from_stl(ascii_stl(&mesh, "solid").as_bytes(), "a", Unit::Millimeter),
        Mesh::from_stl(&binary_stl(&mesh, "angle"), "a", Unit::Millimeter),
        Mesh::from_stl(&binary_stl(&mesh, "solid angle"), "a", Unit::Millimeter),
        Mesh::from_obj(negative.as_bytes(), "a", Unit::Millimeter),
        Mesh::from_obj(
            negative
                .replace('\n', "\r\n")
                .replace("\\\r\n", " ")
                .as_bytes(),
            "a",
            Unit::Scale(1e-3),
        ),
    ];
    for read in texts {
        let read = read.unwrap();
        assert_eq!((read.points().len(), read.triangles().len()), (12, 20));
        let m = read.mass_properties().unwrap();
        assert!((m.volume - 3e-9).abs() < 1e-22);
        assert!((m.inertia * 1e15 - exact.inertia).norm() < 1e-13);
    }
}

#[test]
fn reads_files_by_their_ending() {
    let folder = std::env::temp_dir().join(format!("carom-gap-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.STL"), binary_stl(&angle(), "")).unwrap();
    std::fs::write(folder.join("a.obj"), obj(&angle())).unwrap();
    std::fs::write(folder.join("a.ply"), "ply").unwrap();
    for (name, unit, volume) in [
        ("a.STL", Unit::Inch, 3.0 * 0.0254f64.powi(3)),
        ("a.obj", Unit::Centimeter, 3e-6),
    ] {
        let mesh = Mesh::read(folder.join(name), unit).unwrap();
        assert!((mesh.mass_properties().unwrap().volume / volume - 1.0).abs() < 1e-13);
    }
    assert!(
        Mesh::read(folder.join("a.ply"), Unit::Meter)
            .unwrap_err()
            .to_string()
            .contains(".obj")
    );
    let missing = Mesh::read(folder.join("b.obj"), Unit::Meter).unwrap_err();
    assert!(matches!(missing, GeometryError::Read { .. }));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn errors_tell_what_is_wrong_from_what_to_do() {
    let mesh = angle();
    let open = Mesh::new("open", mesh.points(), &mesh.triangles()[1..]).unwrap();
    let flat = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    for (error, part, fix) in [
        (
            open.mass_properties().unwrap_err(),
            "open: the surface is open at edge",
            "add the missing face",
        ),
        (
            mesh.flipped().mass_properties().unwrap_err(),
            "angle: the mesh is inside out",
            "flip its normals",
        ),
        (
            Mesh::from_obj(b"v 0 0\n", "part.obj", Unit::Meter).unwrap_err(),
            "part.obj: line 1: a vertex needs three numbers",
            "correct it",
        ),
        (
            Mesh::read("no/such/part.stl", Unit::Meter).unwrap_err(),
            "cannot read no/such/part.stl",
            "check the path",
        ),
        (
            Polytope::hull(&flat).unwrap_err(),
            "polytope needs at least 4 points",
            "give more points",
        ),
    ] {
        assert!(error.reason().contains(part), "{error}");
        assert!(error.fix().starts_with(fix), "{error}");
        assert_eq!(
            error.to_string(),
            format!("{}: {}", error.reason(), error.fix())
        );
    }
}

#[test]
fn inside_out_open_and_flipped_meshes_are_refused() {
    let mesh = angle();
    let error = mesh.flipped().mass_properties().unwrap_err().to_string();
    assert!(
        error.contains("angle") && error.contains("inside out") && error.contains("flip"),
        "{error}"
    );
    let open = Mesh::new("open", mesh.points(), &mesh.triangles()[1..]).unwrap();
    let error = open.mass_properties().unwrap_err().to_string();
    assert!(error.contains("open at edge"), "{error}");
    let mut triangles = mesh.triangles().to_vec();
    triangles[7].reverse();
    let error = Mesh::new("mixed", mesh.points(), &triangles)
        .unwrap()
        .mass_properties()
        .unwrap_err();
    assert!(error.to_string().contains("inside out"), "{error}");
    // A sheet covered on both sides is closed and empty.
    let sheet = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let sheet = Mesh::new("sheet", &sheet, &[[0, 1, 2], [0, 2, 1]]).unwrap();
    assert!(
        sheet
            .mass_properties()
            .unwrap_err()
            .to_string()
            .contains("no volume")
    );
    assert!(sheet.parts(&MeshUse::Hull).is_err());
    assert!(
        sheet
            .parts(&MeshUse::Decompose(Decompose::default()))
            .is_err()
    );
    assert!(mesh.shape(&MeshUse::Hull, -1.0).is_err());
}

#[test]
fn hull_of_a_mesh_in_single_precision() {
    // A dodecahedron rounded to f32: the faces are still pentagons.
    let solid = Polytope::dodecahedron(1.0).unwrap();
    let mesh = Mesh::new("d", solid.vertices().points(), &fan(solid.faces())).unwrap();
    let rounded = Mesh::from_stl(&binary_stl(&mesh, ""), "d.stl", Unit::Meter).unwrap();
    let parts = rounded.parts(&MeshUse::Hull).unwrap();
    assert_eq!(parts.parts[0].faces().len(), 12);
    let shape = rounded.shape(&MeshUse::Hull, 2.0).unwrap();
    let mass = shape.mass_properties().unwrap();
    assert!((mass.mass / (2.0 * solid.mass_properties().volume) - 1.0).abs() < 1e-6);
}

#[test]
fn decomposition_follows_the_mesh() {
    let mesh = angle();
    for (settings, allowed) in [
        (Decompose::default(), 0.05),
        (
            Decompose {
                resolution: 32,
                max_parts: 4,
                ..Decompose::default()
            },
            0.1,
        ),
    ] {
        let found = mesh.parts(&MeshUse::Decompose(settings)).unwrap();
        assert!(found.parts.len() >= 2 && found.parts.len() <= settings.max_parts as usize);
        // Two boxes are the solid itself.
        assert!(found.error.exact && found.parts.len() == 2 && found.error.distance == 0.0);
        assert!(
            (found.volume / 3.0 - 1.0).abs() < allowed,
            "{}",
            found.volume
        );
        for p in mesh.points() {
            let out = found
                .parts
                .iter()
                .map(|part| part.excess(p))
                .fold(f64::INFINITY, f64::min);
            assert!(out < 1e-5, "a corner is left out by {out}");
        }
    }
    // The hull would fill the inner corner; the mass is the mesh's in any case.
    assert!((mesh.parts(&MeshUse::Hull).unwrap().volume - 3.5).abs() < 1e-12);
    let shape = mesh
        .shape(&MeshUse::Decompose(Decompose::default()), 5.0)
        .unwrap();
    assert!((shape.mass_properties().unwrap().mass - 15.0).abs() < 1e-12);

    // A convex mesh stays in one piece.
    let ball = Convex::sphere(1e-3, 4).unwrap();
    let ball = Mesh::new("ball", ball.vertices().points(), &fan(ball.faces())).unwrap();
    let settings = Decompose {
        concavity: 0.1,
        ..Decompose::default()
    };
    assert_eq!(
        ball.parts(&MeshUse::Decompose(settings))
            .unwrap()
            .parts
            .len(),
        1
    );

    for bad in [
        Decompose {
            resolution: 0,
            ..Decompose::default()
        },
        Decompose {
            resolution: 4000,
            ..Decompose::default()
        },
        Decompose {
            max_parts: 0,
            ..Decompose::default()
        },
        Decompose {
            concavity: f64::NAN,
            ..Decompose::default()
        },
    ] {
        assert!(mesh.parts(&MeshUse::Decompose(bad)).is_err());
    }
}

#[test]
fn hostile_bytes_never_panic() {
    let mesh = angle();
    let sources = [
        binary_stl(&mesh, "angle"),
        ascii_stl(&mesh, "solid x").into_bytes(),
        obj(&mesh).into_bytes(),
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let try_all = |bytes: &[u8]| {
        for read in [Mesh::from_stl, Mesh::from_obj] {
            match read(bytes, "hostile", Unit::Millimeter) {
                Ok(mesh) => {
                    let _ = mesh.mass_properties();
                    let _ = mesh.parts(&MeshUse::Hull);
                }
                Err(error) => assert!(error.to_string().contains("hostile"), "{error}"),
            }
        }
    };
    for source in &sources {
        for length in (0..source.len()).step_by(7) {
            try_all(&source[..length]);
        }
        for _ in 0..400 {
            let mut bytes = source.clone();
            for _ in 0..rng.random_range(1..8) {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..3) {
                    0 => bytes[at] = rng.random(),
                    1 => bytes.insert(at, b"0123456789-/. \nef"[rng.random_range(0..17)]),
                    _ => {
                        bytes.remove(at);
                    }
                }
            }
            try_all(&bytes);
        }
    }
    for text in [
        "f 1 2 3",
        "f -1 -2 -3",
        "v 1 2",
        "v a b c",
        "v nan 0 0\nf 1 1 1",
        "f 0 0 0",
        "f 99999999999999999999 1 1",
        "\\\n\\\n",
        "v 1 1 1\nf 1/ 1/ 1/9",
        "v inf 0 0",
    ] {
        assert!(
            Mesh::from_obj(text.as_bytes(), "hostile", Unit::Meter).is_err(),
            "{text}"
        );
    }
    // A count that promises gigabytes.
    let mut huge = binary_stl(&mesh, "");
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = Mesh::from_stl(&huge, "huge.stl", Unit::Meter)
        .unwrap_err()
        .to_string();
    assert!(error.contains("214748364834"), "{error}");
    for scale in [0.0, -1.0, f64::NAN, 1e300, 1e-300] {
        assert!(Mesh::from_stl(&sources[0], "hostile", Unit::Scale(scale)).is_err());
    }
}

/// A closed grid of triangles around two angles: a torus, or anything like it.
fn wound(name: &str, [m, n]: [u32; 2], at: impl Fn(f64, f64) -> [f64; 3]) -> Mesh {
    let angle = |k: u32, of: u32| std::f64::consts::TAU * f64::from(k % of) / f64::from(of);
    let points: Vec<Vector3<f64>> = (0..m * n)
        .map(|k| Vector3::from(at(angle(k / n, m), angle(k % n, n))))
        .collect();
    let place = |i: u32, j: u32| (i % m) * n + j % n;
    let triangles: Vec<[u32; 3]> = (0..m * n)
        .flat_map(|k| {
            let (i, j) = (k / n, k % n);
            let [a, b, c, d] = [
                place(i, j),
                place(i + 1, j),
                place(i + 1, j + 1),
                place(i, j + 1),
            ];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Mesh::new(name, &points, &triangles).unwrap()
}

#[test]
fn polyhedra_with_few_planes_are_cut_exactly() {
    // A square frame (a hole all through), a star prism, a cross: known volumes.
    let frame = wound("frame", [4, 4], |u, v| {
        let corner = |a: f64| {
            let (s, c) = (a + std::f64::consts::FRAC_PI_4).sin_cos();
            [c * 2f64.sqrt(), s * 2f64.sqrt()]
        };
        let [x, z] = corner(v);
        let [a, b] = corner(u);
        let side = 2.0 + 0.5 * x;
        [a * side, b * side, 0.5 * z]
    });
    let mass = frame.mass_properties().unwrap().volume;
    assert!((mass - (5.0 * 5.0 - 3.0 * 3.0)).abs() < 1e-12, "{mass}");
    for (mesh, parts) in [(frame, 4)] {
        let found = mesh
            .parts(&MeshUse::Decompose(Decompose::default()))
            .unwrap();
        assert!(found.error.exact, "{:?}", found.error);
        assert_eq!(found.parts.len(), parts);
        assert!((found.volume / mass - 1.0).abs() < 1e-12);
        // Points inside the frame are in one part, those in its hole in none.
        for (x, inside) in [
            ([2.0, 0.3, 0.2], true),
            ([0.0, -2.2, 0.1], true),
            ([0.0, 0.0, 0.0], false),
            ([1.4, 1.4, 0.0], false),
        ] {
            let x = Vector3::from(x);
            let least = found
                .parts
                .iter()
                .map(|p| p.excess(&x))
                .fold(f64::INFINITY, f64::min);
            assert_eq!(least < 0.0, inside, "{x} {least}");
        }
    }
}

fn torus(fine: u32) -> Mesh {
    wound("torus", [4 * fine, 2 * fine], |u, v| {
        // Askew, so that no cut goes through corners.
        let r = 1.0 + 0.3 * v.cos();
        let (x, y, z) = (r * (u + 0.1).cos(), r * (u + 0.1).sin(), 0.3 * v.sin());
        [x + 0.1 * z, y - 0.2 * z, z]
    })
}

#[test]
fn a_ring_gets_few_parts_close_to_it() {
    let how = MeshUse::Decompose(Decompose::default());
    let found = torus(12).parts(&how).unwrap();
    let error = found.error;
    assert_eq!((found.parts.len(), found.dropped), (10, 0));
    // Eight chords of the inner circle of 0.7 would have sagittas of 0.7 (1 − cos π/8) = 0.053; slices across the
    // ring's axis would fill its hole.
    assert!(error.distance < 0.08, "{error:?}");
    assert!(error.volume.unwrap().abs() < 0.07, "{error:?}");
}

#[test]
fn errors_of_a_decomposition_are_said() {
    let mesh = torus(12);
    let exact = mesh.mass_properties().unwrap().volume;
    let mut last = f64::INFINITY;
    for (max_parts, most) in [(8, 0.5), (32, 0.15)] {
        let settings = Decompose {
            max_parts,
            concavity: 1e-3,
            ..Decompose::default()
        };
        let found = mesh.parts(&MeshUse::Decompose(settings)).unwrap();
        assert!(!found.error.exact);
        let volume = found.error.volume.unwrap();
        assert!((volume - (found.volume / exact - 1.0)).abs() < 1e-12);
        assert!(volume > 0.0 && volume < most, "{volume}");
        // A chord of the ring fills up to its sagitta.
        assert!(
            found.error.distance > 1e-3 && found.error.distance < last,
            "{:?}",
            found.error
        );
        last = found.error.distance;
    }
    // The hull fills the hole: its middle is 0.7 from the ring.
    let hull = mesh.parts(&MeshUse::Hull).unwrap().error;
    assert!(hull.distance > 0.3 && hull.distance < 0.7, "{hull:?}");
}
