//! Named shapes: boxes, prisms, pyramids, the regular solids, round solids, regular polygons.
//!
//! Every solid has its centroid at the origin (a prism or pyramid on a given polygon: only along
//! z), so the frame of a single solid is a centre-of-mass frame. Prisms, pyramids, cylinders and
//! cones stand along z.

#![allow(non_snake_case)]

use super::error::{GeometryError, count, positive};
use super::{Convex, MassProperties, Polygon, Polytope};
use crate::round::directions;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::{PI, TAU};

/// Most sides of a prism, pyramid, cylinder or cone.
const MOST_SIDES: usize = 4096;

/// Golden ratio.
const PHI: f64 = 1.618_033_988_749_895;

impl Polygon {
    /// A rectangle with sides along the axes, centred.
    ///
    /// ```
    /// let plate = carom_gap::geometry::Polygon::rectangle(3.0, 2.0)?;
    /// assert!((plate.mass_properties().inertia[(2, 2)] - 6.0 * 13.0 / 12.0).abs() < 1e-14);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn rectangle(a: f64, b: f64) -> Result<Self, GeometryError> {
        let (x, y) = (positive("side a", a)? * 0.5, positive("side b", b)? * 0.5);
        Self::from_loop(&[[-x, -y], [x, -y], [x, y], [-x, y]])
    }

    /// A regular polygon by the radius of its corners, the first one on the x axis.
    ///
    /// ```
    /// let hexagon = carom_gap::geometry::Polygon::regular(6, 1.0)?;
    /// assert!((hexagon.mass_properties().volume - 1.5 * 3f64.sqrt()).abs() < 1e-14);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn regular(sides: usize, circumradius: f64) -> Result<Self, GeometryError> {
        count("number of sides", sides, 3, MOST_SIDES)?;
        let r = positive("circumradius", circumradius)?;
        let corner = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / sides as f64).sin_cos();
            [r * cos, r * sin]
        };
        Self::from_loop(&(0..sides).map(corner).collect::<Vec<_>>())
    }

    /// A regular polygon by the length of its sides.
    ///
    /// ```
    /// let triangle = carom_gap::geometry::Polygon::regular_with_side(3, 2.0)?;
    /// assert!((triangle.mass_properties().volume - 3f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn regular_with_side(sides: usize, side: f64) -> Result<Self, GeometryError> {
        count("number of sides", sides, 3, MOST_SIDES)?;
        let side = positive("side", side)?;
        Self::regular(sides, 0.5 * side / (PI / sides as f64).sin())
    }
}

impl Polytope {
    /// A box by its full side lengths, faces along the axes.
    ///
    /// ```
    /// let brick = carom_gap::geometry::Polytope::cuboid(0.24, 0.115, 0.071)?;
    /// assert_eq!(brick.faces().len(), 6);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn cuboid(a: f64, b: f64, c: f64) -> Result<Self, GeometryError> {
        let (x, y, z) = (
            positive("side a", a)? * 0.5,
            positive("side b", b)? * 0.5,
            positive("side c", c)? * 0.5,
        );
        Self::hull(&signs().map(|s| Vector3::new(s.x * x, s.y * y, s.z * z)))
    }

    /// A prism: the polygon at z = −height/2 and z = height/2.
    ///
    /// ```
    /// use carom_gap::geometry::{Polygon, Polytope};
    /// let nut = Polytope::prism(&Polygon::regular_with_side(6, 2.0)?, 1.5)?;
    /// assert_eq!(nut.vertices().len(), 12);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn prism(base: &Polygon, height: f64) -> Result<Self, GeometryError> {
        let h = positive("height", height)? * 0.5;
        let at = |z: f64| base.corners().map(move |p| Vector3::new(p.x, p.y, z));
        Self::hull(&at(-h).chain(at(h)).collect::<Vec<_>>())
    }

    /// A pyramid: the polygon at z = −height/4, the apex above its centroid at z = 3 height/4.
    ///
    /// ```
    /// use carom_gap::geometry::{Polygon, Polytope};
    /// let cheops = Polytope::pyramid(&Polygon::rectangle(230.3, 230.3)?, 146.6)?;
    /// assert!(cheops.mass_properties().center.norm() < 1e-12);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn pyramid(base: &Polygon, height: f64) -> Result<Self, GeometryError> {
        let h = positive("height", height)?;
        let c = base.mass_properties().center;
        let mut points: Vec<_> = base
            .corners()
            .map(|p| Vector3::new(p.x, p.y, -0.25 * h))
            .collect();
        points.push(Vector3::new(c.x, c.y, 0.75 * h));
        Self::hull(&points)
    }

    /// The tetrahedron of four points.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// let corners = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    /// let solid = carom_gap::geometry::Polytope::simplex(&corners)?;
    /// assert_eq!(solid.faces().len(), 4);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn simplex(points: &[Vector3<f64>; 4]) -> Result<Self, GeometryError> {
        Self::hull(points)
    }

    /// A cube by its edge length.
    ///
    /// ```
    /// let solid = carom_gap::geometry::Polytope::cube(0.1)?;
    /// assert_eq!((solid.vertices().len(), solid.faces().len()), (8, 6));
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn cube(edge: f64) -> Result<Self, GeometryError> {
        let h = positive("edge", edge)? * 0.5;
        Self::hull(&signs().map(|s| s * h))
    }

    /// A regular tetrahedron by its edge length.
    ///
    /// ```
    /// let solid = carom_gap::geometry::Polytope::tetrahedron(2.0)?;
    /// assert!((solid.mass_properties().volume - 8.0 / 72f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn tetrahedron(edge: f64) -> Result<Self, GeometryError> {
        let h = positive("edge", edge)? / 8f64.sqrt();
        let even = |s: &Vector3<f64>| s.x * s.y * s.z > 0.0;
        let points: Vec<_> = signs().into_iter().filter(even).map(|s| s * h).collect();
        Self::hull(&points)
    }

    /// A regular octahedron by its edge length.
    ///
    /// ```
    /// let solid = carom_gap::geometry::Polytope::octahedron(0.1)?;
    /// assert_eq!((solid.vertices().len(), solid.faces().len()), (6, 8));
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn octahedron(edge: f64) -> Result<Self, GeometryError> {
        let r = positive("edge", edge)? * 0.5f64.sqrt();
        let axis = |k: usize| Vector3::ith(k % 3, if k < 3 { r } else { -r });
        Self::hull(&(0..6).map(axis).collect::<Vec<_>>())
    }

    /// A regular dodecahedron by its edge length.
    ///
    /// ```
    /// let solid = carom_gap::geometry::Polytope::dodecahedron(0.1)?;
    /// assert_eq!((solid.vertices().len(), solid.faces().len()), (20, 12));
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn dodecahedron(edge: f64) -> Result<Self, GeometryError> {
        let h = positive("edge", edge)? * PHI / 2.0;
        let mut points = signs().map(|s| s * h).to_vec();
        points.extend(cyclic_rectangles(h / PHI, h * PHI));
        Self::hull(&points)
    }

    /// A regular icosahedron by its edge length.
    ///
    /// ```
    /// let solid = carom_gap::geometry::Polytope::icosahedron(0.1)?;
    /// assert_eq!((solid.vertices().len(), solid.faces().len()), (12, 20));
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn icosahedron(edge: f64) -> Result<Self, GeometryError> {
        let h = positive("edge", edge)? * 0.5;
        Self::hull(&cyclic_rectangles(h, h * PHI).collect::<Vec<_>>())
    }
}

impl Convex {
    /// A sphere with facets: exact mass properties, a polytope for contact. ([`Convex::round`] collides
    /// as a true sphere.)
    ///
    /// The facets are those of an octahedron whose edges are divided into `divisions`, moved out
    /// to the sphere: 4 divisions² + 2 vertices **on** the sphere, among them the six on the axes,
    /// about 8 divisions² facets inside it, symmetric in all axes. 8 divisions keep the facets
    /// within 1.6 % of the radius.
    ///
    /// ```
    /// let ball = carom_gap::geometry::Convex::sphere(0.5, 4)?;
    /// assert_eq!(ball.vertices().len(), 66);
    /// assert!((ball.mass_properties().unwrap().volume - std::f64::consts::PI / 6.0).abs() < 1e-15);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn sphere(radius: f64, divisions: usize) -> Result<Self, GeometryError> {
        let r = positive("radius", radius)?;
        count("divisions", divisions, 1, 64)?;
        let points: Vec<_> = directions(divisions).iter().map(|d| d * r).collect();
        let volume = 4.0 / 3.0 * PI * r.powi(3);
        let E = Matrix3::identity() * (volume * r * r / 5.0);
        Ok(round(Polytope::hull(&points)?, volume, E))
    }

    /// A circle in the plane with `sides` sides for contact: exact mass properties, corners on the
    /// circle.
    ///
    /// ```
    /// let wheel = carom_gap::geometry::Convex::circle(0.5, 24)?;
    /// let mass = wheel.mass_properties().unwrap();
    /// assert!((mass.inertia[(2, 2)] - 0.125 * mass.mass).abs() < 1e-15);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn circle(radius: f64, sides: usize) -> Result<Self, GeometryError> {
        let polygon = Polygon::regular(sides, radius)?;
        let area = PI * radius * radius;
        let across = area * radius * radius / 4.0;
        let E = Matrix3::from_diagonal(&Vector3::new(across, across, 0.0));
        let mass = MassProperties::from_euler_tensor(area, area, Vector3::zeros(), E);
        Ok(Convex::from(polygon).with_mass(mass))
    }

    /// A cylinder along z: exact mass properties, a prism of `sides` sides for contact, whose
    /// edges lie on the cylinder (the first one above the x axis).
    ///
    /// ```
    /// let can = carom_gap::geometry::Convex::cylinder(1.0, 2.0, 16)?;
    /// assert_eq!(can.faces().len(), 18);
    /// let mass = can.mass_properties().unwrap();
    /// assert!((mass.inertia[(2, 2)] - 0.5 * mass.mass).abs() < 1e-14);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn cylinder(radius: f64, height: f64, sides: usize) -> Result<Self, GeometryError> {
        let (r, h) = (positive("radius", radius)?, positive("height", height)?);
        let volume = PI * r * r * h;
        let (across, along) = (volume * r * r / 4.0, volume * h * h / 12.0);
        let E = Matrix3::from_diagonal(&Vector3::new(across, across, along));
        let prism = Polytope::prism(&Polygon::regular(sides, r)?, h)?;
        Ok(round(prism, volume, E))
    }

    /// A cone along z, base at z = −height/4, apex at z = 3 height/4: exact mass properties, a
    /// pyramid of `sides` sides for contact, whose corners lie on the rim of the cone.
    ///
    /// ```
    /// let cone = carom_gap::geometry::Convex::cone(1.0, 3.0, 12)?;
    /// assert!((cone.mass_properties().unwrap().volume - std::f64::consts::PI).abs() < 1e-14);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn cone(radius: f64, height: f64, sides: usize) -> Result<Self, GeometryError> {
        let (r, h) = (positive("radius", radius)?, positive("height", height)?);
        let volume = PI * r * r * h / 3.0;
        let (across, along) = (0.15 * volume * r * r, 0.0375 * volume * h * h);
        let E = Matrix3::from_diagonal(&Vector3::new(across, across, along));
        let pyramid = Polytope::pyramid(&Polygon::regular(sides, r)?, h)?;
        Ok(round(pyramid, volume, E))
    }
}

/// Facets for contact, with the mass properties of the round solid around the origin.
fn round(facets: Polytope, volume: f64, E: Matrix3<f64>) -> Convex {
    let mass = MassProperties::from_euler_tensor(volume, volume, Vector3::zeros(), E);
    Convex::from(facets).with_mass(mass)
}

/// (±1, ±1, ±1).
fn signs() -> [Vector3<f64>; 8] {
    std::array::from_fn(|i| Vector3::from_fn(|k, _| if i >> k & 1 == 0 { -1.0 } else { 1.0 }))
}

/// (0, ±a, ±b) and its cyclic permutations.
fn cyclic_rectangles(a: f64, b: f64) -> impl Iterator<Item = Vector3<f64>> {
    (0..12).map(move |i| {
        let y = if i & 1 == 0 { a } else { -a };
        let z = if i & 2 == 0 { b } else { -b };
        let k = i / 4;
        let mut p = Vector3::zeros();
        p[(k + 1) % 3] = y;
        p[(k + 2) % 3] = z;
        p
    })
}
