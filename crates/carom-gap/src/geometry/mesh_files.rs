//! Reading meshes: STL (binary and text) and OBJ.
//!
//! STL carries f32 coordinates and no unit. Of OBJ only vertices and faces matter here; they are
//! read as f64, with the line in every error. Nothing is allocated on a file's word alone: the
//! triangle count of a binary STL must agree with its length.

use super::error::{GeometryError, positive};
use super::mesh::Mesh;
use nalgebra::Vector3;
use std::io::Cursor;
use std::path::Path;
use std::str::FromStr;

/// What to do about a file that cannot be read.
const EXPORT: &str = "export it again";

/// Unit of the lengths in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// 1 m
    Meter,
    /// 0.1 m
    Decimeter,
    /// 0.01 m
    Centimeter,
    /// 0.001 m
    Millimeter,
    /// 1e-6 m
    Micrometer,
    /// 1000 m
    Kilometer,
    /// 0.0254 m
    Inch,
    /// 0.3048 m
    Foot,
    /// This many metres.
    Scale(f64),
}

impl Unit {
    /// Its length in metres.
    pub fn meters(self) -> f64 {
        match self {
            Unit::Meter => 1.0,
            Unit::Decimeter => 0.1,
            Unit::Centimeter => 0.01,
            Unit::Millimeter => 0.001,
            Unit::Micrometer => 1e-6,
            Unit::Kilometer => 1000.0,
            Unit::Inch => 0.0254,
            Unit::Foot => 0.3048,
            Unit::Scale(meters) => meters,
        }
    }
}

impl FromStr for Unit {
    type Err = GeometryError;

    /// ```
    /// use carom_gap::geometry::Unit;
    /// assert_eq!("mm".parse::<Unit>()?, Unit::Millimeter);
    /// assert_eq!("0.5".parse::<Unit>()?.meters(), 0.5);
    /// assert!("furlong".parse::<Unit>().is_err());
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    fn from_str(word: &str) -> Result<Self, GeometryError> {
        Ok(match word {
            "m" => Unit::Meter,
            "dm" => Unit::Decimeter,
            "cm" => Unit::Centimeter,
            "mm" => Unit::Millimeter,
            "um" | "µm" => Unit::Micrometer,
            "km" => Unit::Kilometer,
            "in" => Unit::Inch,
            "ft" => Unit::Foot,
            _ => match word.parse::<f64>() {
                Ok(meters) if meters > 0.0 && meters.is_finite() => Unit::Scale(meters),
                _ => {
                    let unit = word.to_owned();
                    return Err(GeometryError::UnknownUnit { unit });
                }
            },
        })
    }
}

impl Mesh {
    /// Reads `.stl` or `.obj`, by the ending of the name.
    ///
    /// ```
    /// use carom_gap::geometry::{Mesh, Unit};
    /// let error = Mesh::read("no/such/part.stl", Unit::Millimeter).unwrap_err();
    /// assert!(error.to_string().contains("part.stl"));
    /// ```
    pub fn read(path: impl AsRef<Path>, unit: Unit) -> Result<Self, GeometryError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let parse = match ending.to_ascii_lowercase().as_str() {
            "stl" => Mesh::from_stl,
            "obj" => Mesh::from_obj,
            _ => return refuse(&name, "unknown kind of mesh", "use .stl or .obj"),
        };
        let bytes = std::fs::read(path).map_err(|source| GeometryError::Read {
            path: path.to_owned(),
            source,
        })?;
        parse(&bytes, &name, unit)
    }

    /// Reads the bytes of an STL file, binary or text. `name` appears in errors.
    ///
    /// ```
    /// use carom_gap::geometry::{Mesh, Unit};
    /// let mut bytes = vec![0; 84];
    /// bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes()); // four thousand million triangles?
    /// assert!(Mesh::from_stl(&bytes, "hostile.stl", Unit::Meter).is_err());
    /// ```
    pub fn from_stl(bytes: &[u8], name: &str, unit: Unit) -> Result<Self, GeometryError> {
        // By length: binary files may begin with "solid", too.
        let announced = (bytes.len() >= 84).then(|| {
            let count = u32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]);
            84 + 50 * u64::from(count)
        });
        let mut bytes = bytes.to_vec();
        if announced == Some(bytes.len() as u64) {
            bytes[..6].fill(b' ');
        } else if bytes.starts_with(b"solid") {
            // A text file may leave out the name; the reader wants a blank there.
            bytes.insert(5, b' ');
        } else {
            let expected = announced.map_or("at least 84".to_owned(), |n| n.to_string());
            let reason = format!(
                "neither a text STL (begins with \"solid\") nor a complete binary one ({} bytes, its header announces {expected})",
                bytes.len()
            );
            return refuse(name, &reason, EXPORT);
        }
        let mut points = Vec::new();
        let mut source = Cursor::new(bytes);
        let broken = |error: std::io::Error| GeometryError::Parse {
            name: name.to_owned(),
            reason: format!("broken STL ({error})"),
            fix: EXPORT,
        };
        for triangle in stl_io::create_stl_reader(&mut source).map_err(broken)? {
            for vertex in triangle.map_err(broken)?.vertices {
                let [x, y, z] = [0, 1, 2].map(|k| f64::from(vertex[k]));
                points.push(Vector3::new(x, y, z));
            }
        }
        let count = points.len() as u32 / 3;
        let triangles: Vec<_> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        scaled(name, points, &triangles, unit)
    }

    /// Reads the bytes of an OBJ file: its vertices and faces (polygons are fanned into
    /// triangles). `name` appears in errors.
    ///
    /// ```
    /// use carom_gap::geometry::{Mesh, Unit};
    /// let error = Mesh::from_obj(b"v 0 0 0\nf 1 2 3\n", "part.obj", Unit::Meter).unwrap_err();
    /// assert!(error.to_string().starts_with("part.obj: line 2"));
    /// ```
    pub fn from_obj(bytes: &[u8], name: &str, unit: Unit) -> Result<Self, GeometryError> {
        let text = String::from_utf8_lossy(bytes);
        let mut points: Vec<Vector3<f64>> = Vec::new();
        let mut triangles = Vec::new();
        let mut corners = Vec::new();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let at_line = |what: &str| {
                refuse(
                    name,
                    &format!("line {}: {what}", number + 1),
                    "correct it, or export the mesh again",
                )
            };
            // A backslash continues the line.
            let mut line = std::borrow::Cow::from(line);
            while line.ends_with('\\') {
                let line = line.to_mut();
                line.pop();
                line.push_str(lines.next().map_or("", |(_, more)| more));
            }
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let mut numbers = words.map(|w| w.parse().ok());
                    let (Some(Some(x)), Some(Some(y)), Some(Some(z))) =
                        (numbers.next(), numbers.next(), numbers.next())
                    else {
                        return at_line("a vertex needs three numbers");
                    };
                    points.push(Vector3::new(x, y, z));
                }
                Some("f") => {
                    corners.clear();
                    for word in words {
                        let position = word.split('/').next().unwrap_or("");
                        match obj_index(position, points.len()) {
                            Some(index) => corners.push(index),
                            None => {
                                return at_line(&format!(
                                    "the face names vertex {position:?}, but there are {} so far",
                                    points.len()
                                ));
                            }
                        }
                    }
                    if corners.len() < 3 {
                        return at_line("a face needs at least three vertices");
                    }
                    for k in 1..corners.len() - 1 {
                        triangles.push([corners[0], corners[k], corners[k + 1]]);
                    }
                }
                _ => {}
            }
        }
        scaled(name, points, &triangles, unit)
    }
}

/// An OBJ index as one counted from 0: from 1 on, or negative from the last vertex back.
fn obj_index(word: &str, count: usize) -> Option<u32> {
    let index = match word.parse::<i64>().ok()? {
        i if i > 0 => i - 1,
        i => i64::try_from(count).ok()?.checked_add(i)?,
    };
    let index = u32::try_from(index).ok()?;
    ((index as usize) < count).then_some(index)
}

fn scaled(
    name: &str,
    mut points: Vec<Vector3<f64>>,
    triangles: &[[u32; 3]],
    unit: Unit,
) -> Result<Mesh, GeometryError> {
    let meters = positive("unit of the mesh", unit.meters())?;
    points.iter_mut().for_each(|p| *p *= meters);
    Mesh::new(name, &points, triangles)
}

fn refuse<T>(name: &str, reason: &str, fix: &'static str) -> Result<T, GeometryError> {
    Err(GeometryError::Parse {
        name: name.to_owned(),
        reason: reason.to_owned(),
        fix,
    })
}
