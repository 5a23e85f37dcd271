//! Shapes: several parts, planar and spatial, with and without mass.

use carom_gap::Pose;
use carom_gap::geometry::{Convex, GeometryError, MassProperties, Part, Polygon, Polytope, Shape};
use nalgebra::{Matrix3, Vector3};

fn cube() -> Part {
    Part::new(Polytope::cube(1.0).unwrap(), 2.0)
}

fn square() -> Part {
    Part::new(Polygon::rectangle(1.0, 1.0).unwrap(), 2.0)
}

fn foot() -> Part {
    Part::new(Convex::point(Vector3::new(0.0, -1.0, 0.0)).unwrap(), 0.0)
}

#[test]
fn points_and_segments_add_contact_but_no_mass() {
    let wire = Convex::segment(Vector3::zeros(), Vector3::x()).unwrap();
    let shape = Shape::new(vec![cube(), foot(), Part::new(wire, f64::NAN)]).unwrap();
    assert_eq!(shape.vertices().len(), 3);
    assert!(!shape.is_planar());
    assert!((shape.mass_properties().unwrap().mass - 2.0).abs() < 1e-15);

    let bead = Shape::new(vec![foot()]).unwrap();
    assert!(bead.mass_properties().is_none());
    assert!(matches!(bead.recentred(), Err(GeometryError::NoMass)));
    let mass = MassProperties::given(1.0, Vector3::new(0.0, -1.0, 0.0), Matrix3::zeros()).unwrap();
    let bead = bead.with_mass_properties(mass).recentred().unwrap();
    assert_eq!(bead.vertices()[0].points()[0], Vector3::zeros());
}

#[test]
fn planar_shapes_stay_in_the_plane() {
    let turned = square().at(Pose::planar(2.0, 1.0, 0.7));
    let shape = Shape::new(vec![square(), turned, foot()]).unwrap();
    assert!(shape.is_planar());
    assert!(shape.vertices().iter().all(|v| v.is_planar()));
    let all = shape.vertices().iter().flat_map(|v| v.points());
    assert!(all.into_iter().all(|p| p.z == 0.0));
    assert_eq!(
        shape.mass_properties().unwrap().center,
        Vector3::new(1.0, 0.5, 0.0)
    );

    let mixed = Shape::new(vec![square(), cube()]);
    assert!(matches!(
        mixed,
        Err(GeometryError::MixedDimensions { part: 1 })
    ));
    let lifted = square().at(Pose::translation(0.0, 0.0, 0.1));
    assert!(matches!(
        Shape::new(vec![lifted]),
        Err(GeometryError::OutOfPlane { part: 0 })
    ));
    let tilted = square().at(Pose::new(Vector3::zeros(), Vector3::x()));
    assert!(matches!(
        Shape::new(vec![square(), tilted]),
        Err(GeometryError::OutOfPlane { part: 1 })
    ));
}

#[test]
fn overlapping_parts_add() {
    let shape = Shape::new(vec![cube(), cube()]).unwrap();
    let one = *Polytope::cube(1.0).unwrap().mass_properties();
    assert!((shape.mass_properties().unwrap().inertia - one.inertia * 4.0).norm() < 1e-15);
}

#[test]
fn bad_shapes_are_refused() {
    assert!(matches!(Shape::new(vec![]), Err(GeometryError::NoParts)));
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Shape::single(Polytope::cube(1.0).unwrap(), density).is_err());
    }
    let mut pose = Pose::identity();
    pose.position.x = f64::NAN;
    assert!(matches!(
        Shape::new(vec![cube().at(pose)]),
        Err(GeometryError::NotFinite { .. })
    ));
}
