//! The bodies of the example scenes (`data/scenes.json`, see its `origin`): every part is accepted
//! as given, and mass properties agree with those of an independent program.

use carom_gap::geometry::{Part, Polygon, Polytope, Shape};
use nalgebra::{Matrix3, Vector3};
use serde_json::Value;

fn scenes() -> Value {
    serde_json::from_str(include_str!("../data/scenes.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

fn points(part: &Value) -> Vec<Vector3<f64>> {
    let list = part["vertices"].as_array().unwrap();
    list.iter()
        .map(|v| Vector3::from_column_slice(&numbers(v)))
        .collect()
}

fn matrix(value: &Value) -> Matrix3<f64> {
    let rows: Vec<_> = value.as_array().unwrap().iter().flat_map(numbers).collect();
    Matrix3::from_row_slice(&rows)
}

#[test]
fn parts_are_accepted_and_equal_their_hulls() {
    let mut count = 0;
    for body in scenes()["bodies"].as_array().unwrap() {
        for part in body["parts"].as_array().unwrap() {
            let name = format!("{} {} {}", body["scene"], body["name"], part["name"]);
            let points = points(part);
            let hull = Polytope::hull(&points).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(
                hull.vertices().len(),
                points.len(),
                "{name}: all vertices are corners"
            );
            let Some(faces) = part["faces"].as_array() else {
                continue;
            };
            let faces: Vec<Vec<u32>> = faces
                .iter()
                .map(|f| numbers(f).iter().map(|&i| i as u32).collect())
                .collect();
            let given =
                Polytope::from_faces(&points, &faces).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(given.faces().len(), faces.len(), "{name}");
            assert_eq!(given.edges(), hull.edges(), "{name}");
            let (a, b) = (given.mass_properties(), hull.mass_properties());
            assert!((a.volume / b.volume - 1.0).abs() < 1e-13, "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 25);
}

#[test]
fn mass_properties_agree() {
    let mut count = 0;
    for body in scenes()["bodies"].as_array().unwrap() {
        let Some(density) = body["density"].as_f64() else {
            continue;
        };
        let name = format!("{} {}", body["scene"], body["name"]);
        let parts = body["parts"].as_array().unwrap().iter();
        let parts = parts.map(|p| Part::new(Polytope::hull(&points(p)).unwrap(), density));
        let shape = Shape::new(parts.collect()).unwrap();
        let m = shape.mass_properties().unwrap();
        let volume = body["volume"].as_f64().unwrap();
        assert!((m.volume / volume - 1.0).abs() < 1e-12, "{name}");
        assert!(
            (m.mass / body["mass"].as_f64().unwrap() - 1.0).abs() < 1e-12,
            "{name}"
        );
        assert!(m.center.norm() < 2e-14, "{name}: {}", m.center.norm());
        // The file has ten digits of the tensors.
        let (j, e) = (matrix(&body["inertia"]), matrix(&body["euler_tensor"]));
        assert!((m.inertia - j).norm() < 1e-9 * j.norm(), "{name}");
        assert!((m.euler_tensor - e).norm() < 1e-9 * e.norm(), "{name}");
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn planar_parts_are_accepted() {
    for body in scenes()["planar"].as_array().unwrap() {
        let parts = body["parts"].as_array().unwrap().iter().map(|part| {
            let corners = part.as_array().unwrap().iter();
            let corners: Vec<_> = corners.map(numbers).map(|p| [p[0], p[1]]).collect();
            let given =
                Polygon::from_loop(&corners).unwrap_or_else(|e| panic!("{}: {e}", body["name"]));
            assert_eq!(given.vertices().len(), corners.len());
            let hull = Polygon::hull(&corners).unwrap();
            let (a, b) = (given.mass_properties(), hull.mass_properties());
            assert!((a.euler_tensor - b.euler_tensor).norm() < 1e-14 * b.euler_tensor.norm());
            Part::new(given, 1.0)
        });
        assert!(Shape::new(parts.collect()).unwrap().is_planar());
    }
}
