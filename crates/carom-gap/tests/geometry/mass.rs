//! Mass properties against closed forms, subdivision, motion and each other.

#![allow(non_snake_case)]

use carom_gap::Pose;
use carom_gap::geometry::{Convex, MassProperties, Mesh, Part, Polygon, Polytope, Shape};
use nalgebra::{Matrix3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance * b.abs().max(1e-300),
        "{a} is not {b} within {tolerance}"
    );
}

fn same(a: &MassProperties, b: &MassProperties, tolerance: f64) {
    close(a.volume, b.volume, tolerance);
    close(a.mass, b.mass, tolerance);
    let length = (b.euler_tensor.trace() / b.mass).sqrt();
    let off = (a.center - b.center).norm() / length;
    assert!(off <= tolerance, "centres {off} apart");
    let scale = b.euler_tensor.norm();
    let off = (a.euler_tensor - b.euler_tensor).norm() / scale;
    assert!(off <= tolerance, "Euler tensors differ by {off}");
    let off = (a.inertia - b.inertia).norm() / scale;
    assert!(off <= 2.0 * tolerance, "inertias differ by {off}");
}

fn random_pose(rng: &mut ChaCha8Rng) -> Pose {
    let mut vector = || Vector3::from_fn(|_, _| rng.random_range(-3.0..3.0));
    Pose::new(vector(), vector())
}

fn random_hull(rng: &mut ChaCha8Rng) -> Polytope {
    let points: Vec<_> = (0..rng.random_range(6..40))
        .map(|_| Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)))
        .collect();
    Polytope::hull(&points).unwrap()
}

#[test]
fn closed_forms_of_flat_solids() {
    let brick = Polytope::cuboid(0.3, 0.2, 0.5).unwrap();
    let m = brick.mass_properties().with_density(2000.0);
    close(m.mass, 60.0, 1e-14);
    close(m.inertia[(0, 0)], 60.0 * (0.04 + 0.25) / 12.0, 1e-14);
    close(m.inertia[(2, 2)], 60.0 * (0.09 + 0.04) / 12.0, 1e-14);
    close(m.euler_tensor[(1, 1)], 60.0 * 0.04 / 12.0, 1e-14);

    // Tetrahedron: E = V/20 Σ x xᵀ over its corners, measured from the centre.
    let corners = [
        Vector3::new(0.1, 0.2, -0.3),
        Vector3::new(1.3, 0.0, 0.2),
        Vector3::new(0.2, 0.9, 0.1),
        Vector3::new(-0.3, 0.4, 1.7),
    ];
    let m = *Polytope::simplex(&corners).unwrap().mass_properties();
    let [a, b, c, d] = corners;
    close(
        m.volume,
        (b - a).dot(&(c - a).cross(&(d - a))).abs() / 6.0,
        1e-14,
    );
    let center = (a + b + c + d) / 4.0;
    assert!((m.center - center).norm() < 1e-15);
    let sum: Matrix3<f64> = corners
        .iter()
        .map(|p| (p - center) * (p - center).transpose())
        .sum();
    assert!((m.euler_tensor - sum * (m.volume / 20.0)).norm() < 1e-15);

    // Square pyramid and regular prism.
    let base = Polygon::rectangle(2.0, 3.0).unwrap();
    let m = *Polytope::pyramid(&base, 1.2).unwrap().mass_properties();
    close(m.volume, 2.4, 1e-14);
    assert!(m.center.norm() < 1e-15);
    close(m.euler_tensor[(0, 0)], 2.4 * 4.0 / 20.0, 1e-14);
    close(m.euler_tensor[(2, 2)], 2.4 * 3.0 / 80.0 * 1.44, 1e-14);
    let hexagon = Polygon::regular_with_side(6, 1.0).unwrap();
    let m = *Polytope::prism(&hexagon, 2.0).unwrap().mass_properties();
    close(m.volume, 3.0 * 3f64.sqrt(), 1e-14);
    close(m.euler_tensor[(0, 0)], m.mass * 5.0 / 24.0, 1e-14);
    close(m.euler_tensor[(2, 2)], m.mass / 3.0, 1e-14);
}

#[test]
fn closed_forms_of_regular_solids() {
    // Volume and J/(m a²) by edge length a.
    let (s2, s5) = (2f64.sqrt(), 5f64.sqrt());
    type Build = fn(f64) -> Result<Polytope, carom_gap::geometry::GeometryError>;
    let table: [(Build, [usize; 3], f64, f64); 5] = [
        (Polytope::tetrahedron, [4, 6, 4], 1.0 / (6.0 * s2), 0.05),
        (Polytope::cube, [8, 12, 6], 1.0, 1.0 / 6.0),
        (Polytope::octahedron, [6, 12, 8], s2 / 3.0, 0.1),
        (
            Polytope::dodecahedron,
            [20, 30, 12],
            (15.0 + 7.0 * s5) / 4.0,
            (95.0 + 39.0 * s5) / 300.0,
        ),
        (
            Polytope::icosahedron,
            [12, 30, 20],
            5.0 * (3.0 + s5) / 12.0,
            (3.0 + s5) / 20.0,
        ),
    ];
    for (build, counts, volume, inertia) in table {
        for a in [1e-6, 0.7, 3e4] {
            let solid = build(a).unwrap();
            let found = [
                solid.vertices().len(),
                solid.edges().len(),
                solid.faces().len(),
            ];
            assert_eq!(found, counts);
            for &[i, j] in solid.edges() {
                let p = solid.vertices().points();
                close((p[i as usize] - p[j as usize]).norm(), a, 1e-14);
            }
            let m = solid.mass_properties();
            close(m.volume, volume * a.powi(3), 1e-13);
            let expected = Matrix3::identity() * (inertia * m.mass * a * a);
            assert!((m.inertia - expected).norm() < 1e-13 * expected.norm());
        }
    }
}

#[test]
fn facets_converge_to_round_solids() {
    let facets = |solid: &Convex| {
        let again = Polytope::hull(solid.vertices().points()).unwrap();
        *again.mass_properties()
    };
    type Build = fn(usize) -> Convex;
    let round: [(&str, Build); 3] = [
        ("sphere", |n| Convex::sphere(0.7, n).unwrap()),
        ("cylinder", |n| Convex::cylinder(0.7, 0.4, 4 * n).unwrap()),
        ("cone", |n| Convex::cone(0.7, 0.9, 4 * n).unwrap()),
    ];
    for (name, build) in round {
        let error = |n: usize| {
            let solid = build(n);
            let (exact, faceted) = (*solid.mass_properties().unwrap(), facets(&solid));
            assert!(faceted.volume < exact.volume, "{name}: facets lie inside");
            let e = (exact.euler_tensor - faceted.euler_tensor).norm() / exact.euler_tensor.norm();
            [1.0 - faceted.volume / exact.volume, e]
        };
        let (coarse, fine) = (error(8), error(16));
        for k in 0..2 {
            let order = (coarse[k] / fine[k]).log2();
            assert!((1.8..2.2).contains(&order), "{name}: order {order}");
            assert!(fine[k] < 0.02, "{name}: {}", fine[k]);
        }
    }
}

#[test]
fn polygons() {
    let m = *Polygon::from_loop(&[[0.0, 0.0], [3.0, 0.0], [0.0, 6.0]])
        .unwrap()
        .mass_properties();
    close(m.volume, 9.0, 1e-15);
    assert!((m.center - Vector3::new(1.0, 2.0, 0.0)).norm() < 1e-15);
    close(m.euler_tensor[(0, 0)], 9.0 * 9.0 / 18.0, 1e-14);
    close(m.euler_tensor[(1, 1)], 9.0 * 36.0 / 18.0, 1e-14);
    close(m.euler_tensor[(0, 1)], -9.0 * 18.0 / 36.0, 1e-14);
    close(
        m.inertia[(2, 2)],
        m.euler_tensor[(0, 0)] + m.euler_tensor[(1, 1)],
        1e-15,
    );
    close(m.inertia[(0, 0)], m.euler_tensor[(1, 1)], 1e-15);
    // A prism of unit height over a polygon has the same block.
    let p = Polygon::regular(7, 1.3).unwrap();
    let prism = Polytope::prism(&p, 1.0).unwrap();
    let (flat, solid) = (p.mass_properties(), prism.mass_properties());
    for k in [(0, 0), (1, 1), (0, 1)] {
        assert!((flat.euler_tensor[k] - solid.euler_tensor[k]).abs() < 1e-14);
    }
}

#[test]
fn moving_a_body_moves_its_mass_properties() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..50 {
        let (body, pose) = (random_hull(&mut rng), random_pose(&mut rng));
        let moved: Vec<_> = body
            .vertices()
            .points()
            .iter()
            .map(|p| pose.point(p))
            .collect();
        let direct = Polytope::from_faces(&moved, body.faces()).unwrap();
        let transformed = body.mass_properties().transformed(&pose);
        same(direct.mass_properties(), &transformed, 1e-12);
        // There and back.
        same(
            &transformed.transformed(&pose.inverse()),
            body.mass_properties(),
            1e-13,
        );
    }
    // Far from the origin digits of the coordinates are lost, but no more than those.
    let far = Polytope::cube(1.0).unwrap();
    let points: Vec<_> = far
        .vertices()
        .points()
        .iter()
        .map(|p| p.add_scalar(4096.0))
        .collect();
    let m = *Polytope::hull(&points).unwrap().mass_properties();
    same(
        &m,
        &far.mass_properties()
            .transformed(&Pose::translation(4096.0, 4096.0, 4096.0)),
        1e-13,
    );
}

#[test]
fn euler_tensor_and_inertia_agree() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for _ in 0..50 {
        let m = *random_hull(&mut rng).mass_properties();
        let (E, J) = (m.euler_tensor, m.inertia);
        assert!((Matrix3::identity() * (0.5 * J.trace()) - J - E).norm() < 1e-15 * J.norm());
        assert!((Matrix3::identity() * E.trace() - E - J).norm() < 1e-15 * J.norm());
        assert!(E.symmetric_eigenvalues().min() > 0.0);
        let again = MassProperties::given(m.mass, m.center, J).unwrap();
        assert!((again.euler_tensor - E).norm() < 1e-15 * J.norm());
        // About another point: J by the definition, E by the identity.
        let p = Vector3::new(0.3, -2.0, 1.0);
        let (E, J) = (m.euler_tensor_about(&p), m.inertia_about(&p));
        assert!((Matrix3::identity() * E.trace() - E - J).norm() < 1e-14 * J.norm());
    }
}

#[test]
fn a_box_in_eight_pieces_is_a_box() {
    let whole = Polytope::cuboid(0.4, 0.6, 1.0).unwrap();
    let piece = Convex::from(Polytope::cuboid(0.2, 0.3, 0.5).unwrap());
    let tilt = Pose::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.4, 0.5));
    let parts: Vec<_> = (0..8)
        .map(|i| {
            let at = |k: i32, h: f64| if i >> k & 1 == 0 { -h } else { h };
            let place = Pose::translation(at(0, 0.1), at(1, 0.15), at(2, 0.25));
            Part::new(piece.clone(), 7.0).at(tilt.compose(&place))
        })
        .collect();
    let shape = Shape::new(parts).unwrap();
    let expected = whole.mass_properties().with_density(7.0).transformed(&tilt);
    same(shape.mass_properties().unwrap(), &expected, 1e-14);
    let centred = shape.recentred().unwrap();
    assert_eq!(centred.mass_properties().unwrap().center, Vector3::zeros());
    let mean: Vector3<f64> = centred.vertices().iter().map(|v| *v.mean()).sum();
    assert!(mean.norm() < 1e-14);
    assert_eq!(centred.vertices()[0].neighbours(0).len(), 3);
}

/// A hull's tetrahedra, each split into twelve: the pieces' point-mass sums converge to the tensor.
#[test]
fn subdivision_converges() {
    let body = Polytope::icosahedron(1.0).unwrap();
    let p = body.vertices().points();
    let mut tets: Vec<[Vector3<f64>; 4]> = Vec::new();
    for f in body.faces() {
        tets.push([
            Vector3::zeros(),
            p[f[0] as usize],
            p[f[1] as usize],
            p[f[2] as usize],
        ]);
    }
    let exact = body.mass_properties();
    let mut errors = Vec::new();
    for _ in 0..4 {
        // Midpoint rule: all mass of a tetrahedron at its centre.
        let mut E = Matrix3::zeros();
        for [a, b, c, d] in &tets {
            let x = (a + b + c + d) / 4.0;
            E += x * x.transpose() * ((b - a).dot(&(c - a).cross(&(d - a))).abs() / 6.0);
        }
        errors.push((E - exact.euler_tensor).norm() / exact.euler_tensor.norm());
        tets = tets.iter().flat_map(split).collect();
    }
    for pair in errors.windows(2) {
        assert!(pair[0] / pair[1] > 3.5, "{errors:?}");
    }
    assert!(errors[3] < 2e-3, "{errors:?}");
}

/// Four corner tetrahedra and eight around the centre of the octahedron between them.
fn split([a, b, c, d]: &[Vector3<f64>; 4]) -> Vec<[Vector3<f64>; 4]> {
    let mid = |p: &Vector3<f64>, q: &Vector3<f64>| (p + q) / 2.0;
    let (ab, ac, ad) = (mid(a, b), mid(a, c), mid(a, d));
    let (bc, bd, cd) = (mid(b, c), mid(b, d), mid(c, d));
    let o = (a + b + c + d) / 4.0;
    vec![
        [*a, ab, ac, ad],
        [*b, ab, bc, bd],
        [*c, ac, bc, cd],
        [*d, ad, bd, cd],
        [o, ab, ac, ad],
        [o, ab, bc, bd],
        [o, ac, bc, cd],
        [o, ad, bd, cd],
        [o, ab, ac, bc],
        [o, ab, ad, bd],
        [o, ac, ad, cd],
        [o, bc, bd, cd],
    ]
}

#[test]
fn a_mesh_weighs_what_its_solid_weighs() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..20 {
        let body = random_hull(&mut rng);
        let fan = |f: &Vec<u32>| {
            (1..f.len() - 1)
                .map(|k| [f[0], f[k], f[k + 1]])
                .collect::<Vec<_>>()
        };
        let triangles: Vec<_> = body.faces().iter().flat_map(fan).collect();
        let mesh = Mesh::new("body", body.vertices().points(), &triangles).unwrap();
        same(
            &mesh.mass_properties().unwrap(),
            body.mass_properties(),
            1e-13,
        );
        assert!(mesh.flipped().mass_properties().is_err());
    }
}

#[test]
fn impossible_inertias_are_refused() {
    let given = |m, j: Matrix3<f64>| MassProperties::given(m, Vector3::zeros(), j);
    let diagonal = |a, b, c| Matrix3::from_diagonal(&Vector3::new(a, b, c));
    assert!(given(1.0, diagonal(1.0, 1.0, 2.0)).is_ok()); // flat
    assert!(given(1.0, diagonal(0.0, 0.0, 0.0)).is_ok()); // a particle
    assert!(given(1.0, diagonal(1e-40, 1e-40, 2e-40)).is_ok());
    assert!(given(1.0, diagonal(1e-40, 1e-40, 3e-40)).is_err());
    assert!(given(1.0, diagonal(-1.0, 1.0, 1.0)).is_err());
    assert!(given(0.0, diagonal(1.0, 1.0, 1.0)).is_err());
    assert!(given(1.0, diagonal(f64::NAN, 1.0, 1.0)).is_err());
    let mut lopsided = diagonal(1.0, 1.0, 1.0);
    lopsided[(0, 1)] = 0.2;
    assert!(given(1.0, lopsided).is_err());
}
