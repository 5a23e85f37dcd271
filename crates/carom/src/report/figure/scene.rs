//! A motion at some moments, one picture beside the other: parallel projection, far things first.

use nalgebra::Vector3;

use super::camera::{Camera, reach_of, rotation};
use super::drawing::{Align, Colour, Drawing, INK, Item, Stroke};
use crate::report::colours;
use crate::report::document::{Anchor, Motion};

const PANEL: f64 = 210.0;
const GUTTER: f64 = 10.0;
const CAPTION: f64 = 20.0;
/// Bodies with a drawn path, at most.
const MOST_PATHS: usize = 12;
/// Paths are drawn as far back as this, in sizes of the scene.
const LONGEST_PATH: f64 = 30.0;
/// Frames as far apart as this say nothing of the way between them.
const FAR: f64 = 0.05;
/// A part of so many faces is round.
const ROUND: u32 = 33;
const STEEL: Colour = Colour::hex(0x70777f);

/// Pictures of all motions: a row each, at `panels` moments from start to end.
pub fn strip(motions: &[Motion], panels: usize) -> Drawing {
    let panels = panels.max(1);
    let mut drawing = Drawing {
        width: panels as f64 * (PANEL + GUTTER) + GUTTER,
        ..Drawing::default()
    };
    let mut top = GUTTER;
    for motion in motions {
        // A wide motion needs less height.
        let mut camera = Camera::new(motion);
        let height = (PANEL * camera.half[1] / camera.half[0]).clamp(90.0, PANEL);
        camera.fit(PANEL, height);
        if motions.len() > 1 {
            drawing.text([GUTTER, top + 12.0], Align::Start, 12.0, &motion.name, INK);
            top += CAPTION;
        }
        let duration = match (motion.time.0.first(), motion.time.0.last()) {
            (Some(a), Some(b)) => b - a,
            _ => 0.0,
        };
        for k in 0..panels {
            let share = k as f64 / (panels - 1).max(1) as f64;
            let t = motion.time.0.first().unwrap_or(&0.0) + share * duration;
            let frame = motion
                .time
                .0
                .partition_point(|time| *time < t - 1e-9 * duration);
            let frame = frame.min(motion.time.0.len().saturating_sub(1));
            let left = GUTTER + k as f64 * (PANEL + GUTTER);
            panel(&mut drawing, motion, frame, &camera, [left, top], height);
            let time = motion.time.0.get(frame).copied().unwrap_or(0.0);
            let digits = (2.0 - duration.max(1e-9).log10().floor()).clamp(0.0, 6.0) as usize;
            drawing.text(
                [left + 0.5 * PANEL, top + height + 15.0],
                Align::Middle,
                12.0,
                &format!("t = {time:.digits$} s"),
                INK,
            );
        }
        top += height + CAPTION + GUTTER;
    }
    drawing.height = top;
    drawing
}

/// One motion at a moment, with its time.
pub fn still(motion: &Motion, frame: usize) -> Drawing {
    let mut camera = Camera::new(motion);
    let height = (PANEL * camera.half[1] / camera.half[0]).clamp(90.0, PANEL);
    camera.fit(PANEL, height);
    let mut drawing = Drawing {
        width: PANEL,
        height,
        ..Drawing::default()
    };
    panel(&mut drawing, motion, frame, &camera, [0.0, 0.0], height);
    let time = motion.time.0.get(frame).copied().unwrap_or(0.0);
    let at = [8.0, height - 8.0];
    drawing.text(at, Align::Start, 9.0, &format!("t = {time:.2} s"), INK);
    drawing
}

/// One picture.
fn panel(
    drawing: &mut Drawing,
    motion: &Motion,
    frame: usize,
    camera: &Camera,
    corner: [f64; 2],
    height: f64,
) {
    let mut items: Vec<(f64, Item)> = Vec::new();
    walls(&mut items, motion, camera, height);
    paths(&mut items, motion, frame, camera);
    for body in 0..motion.scene.bodies.len() {
        self::body(&mut items, motion, body, frame, camera);
    }
    surfaces(&mut items, motion, frame, camera);
    links(&mut items, motion, frame, camera);
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, item) in items {
        let seen = cut(item, height).map(|item| moved(item, corner));
        drawing.items.extend(seen);
    }
    let [x, y] = corner;
    drawing.items.push(Item::Polygon {
        points: vec![
            [x, y],
            [x + PANEL, y],
            [x + PANEL, y + height],
            [x, y + height],
        ],
        fill: None,
        stroke: Some(Stroke::plain(Colour::hex(0xc9d0d8), 0.8)),
    });
}

/// What of an item lies in the panel: large bodies may reach out of it.
fn cut(item: Item, height: f64) -> Option<Item> {
    match item {
        Item::Polygon {
            points,
            fill,
            stroke,
        } => {
            let mut flat: Vec<Vector3<f64>> = (points.iter())
                .map(|[x, y]| Vector3::new(*x, *y, 0.0))
                .collect();
            flat = clip(&flat, |p| p.x);
            flat = clip(&flat, |p| PANEL - p.x);
            flat = clip(&flat, |p| p.y);
            flat = clip(&flat, |p| height - p.y);
            (flat.len() > 2).then(|| Item::Polygon {
                points: flat.iter().map(|p| [p.x, p.y]).collect(),
                fill,
                stroke,
            })
        }
        other => Some(other),
    }
}

fn moved(item: Item, [dx, dy]: [f64; 2]) -> Item {
    let shift = |points: Vec<[f64; 2]>| points.iter().map(|[x, y]| [x + dx, y + dy]).collect();
    match item {
        Item::Polygon {
            points,
            fill,
            stroke,
        } => Item::Polygon {
            points: shift(points),
            fill,
            stroke,
        },
        Item::Line { points, stroke } => Item::Line {
            points: shift(points),
            stroke,
        },
        Item::Circle {
            at,
            radius,
            fill,
            stroke,
        } => Item::Circle {
            at: [at[0] + dx, at[1] + dy],
            radius,
            fill,
            stroke,
        },
        text => text,
    }
}

/// Walls that face the viewer lie behind everything.
fn walls(items: &mut Vec<(f64, Item)>, motion: &Motion, camera: &Camera, height: f64) {
    let [low, high] = motion.scene.bounds.map(Vector3::from);
    let size = 1.2 * (high - low).norm().max(1e-9);
    let middle = 0.5 * (low + high);
    for (k, wall) in motion.scene.walls.iter().enumerate() {
        let normal = Vector3::from(wall.normal);
        if normal.dot(&camera.axes[2]) < -1e-9 {
            continue;
        }
        let point = Vector3::from(wall.point);
        let foot = middle - normal * normal.dot(&(middle - point));
        let u = match normal.x.abs() < 0.9 {
            true => Vector3::x() - normal * normal.x,
            false => Vector3::y() - normal * normal.y,
        };
        let u = u.normalize() * size;
        let v = normal.cross(&u);
        let mut corners = vec![foot - u - v, foot + u - v, foot + u + v, foot - u + v];
        for (j, other) in motion.scene.walls.iter().enumerate() {
            let n = Vector3::from(other.normal);
            if j != k && n.dot(&normal).abs() < 0.999 {
                let offset = n.dot(&Vector3::from(other.point));
                corners = clip(&corners, |p| n.dot(p) - offset);
            }
        }
        let mut flat: Vec<Vector3<f64>> = (corners.iter())
            .map(|c| camera.project(c).0)
            .map(|[x, y]| Vector3::new(x, y, 0.0))
            .collect();
        flat = clip(&flat, |p| p.x);
        flat = clip(&flat, |p| PANEL - p.x);
        flat = clip(&flat, |p| p.y);
        flat = clip(&flat, |p| height - p.y);
        if flat.len() > 2 {
            items.push((
                f64::NEG_INFINITY,
                Item::Polygon {
                    points: flat.iter().map(|p| [p.x, p.y]).collect(),
                    fill: Some((Colour::hex(0xdfe4ea), 0.7)),
                    stroke: Some(Stroke::plain(Colour::hex(0xb4bcc6), 0.8)),
                },
            ));
        }
    }
}

/// The part of a convex loop where `height` is not negative.
fn clip(points: &[Vector3<f64>], height: impl Fn(&Vector3<f64>) -> f64) -> Vec<Vector3<f64>> {
    let mut out = Vec::new();
    for (k, a) in points.iter().enumerate() {
        let b = &points[(k + 1) % points.len()];
        let (ha, hb) = (height(a), height(b));
        if ha >= 0.0 {
            out.push(*a);
        }
        if (ha >= 0.0) != (hb >= 0.0) {
            out.push(a.lerp(b, ha / (ha - hb)));
        }
    }
    out
}

/// Where the centres have been.
fn paths(items: &mut Vec<(f64, Item)>, motion: &Motion, frame: usize, camera: &Camera) {
    let moving: Vec<usize> = (0..motion.scene.bodies.len())
        .filter(|k| motion.scene.bodies[*k].slot.is_some())
        .collect();
    if moving.len() > MOST_PATHS {
        return;
    }
    let every = (frame / 400).max(1);
    let [low, high] = motion.scene.bounds.map(Vector3::from);
    let [longest, far] = [LONGEST_PATH, FAR].map(|share| share * (high - low).norm());
    for body in moving {
        let colour = colour_of(motion, body).shade(0.9);
        // From now backwards, until it is long enough.
        let mut way = 0.0;
        let mut last: Option<Vector3<f64>> = None;
        let points = (0..=frame).rev().step_by(every).map_while(|f| {
            let x = Vector3::from(motion.pose(body, f).0);
            let step = last.replace(x).map_or(0.0, |last| (x - last).norm());
            way += step;
            (way <= longest && step <= far * every as f64).then(|| camera.project(&x).0)
        });
        let stroke = Stroke {
            opacity: 0.7,
            ..Stroke::plain(colour, 0.8)
        };
        items.push((
            -1e300,
            Item::Line {
                points: points.collect(),
                stroke,
            },
        ));
    }
}

fn colour_of(motion: &Motion, body: usize) -> Colour {
    Colour::hex(colours::of_body(&motion.scene, body))
}

/// How far a body reaches from its centre, on paper.
fn size_on_paper(motion: &Motion, body: usize, camera: &Camera) -> f64 {
    reach_of(motion, body) * camera.scale
}

fn body(
    items: &mut Vec<(f64, Item)>,
    motion: &Motion,
    index: usize,
    frame: usize,
    camera: &Camera,
) {
    let view = &motion.scene.bodies[index];
    let (x, q) = motion.pose(index, frame);
    let (x, turn) = (Vector3::from(x), rotation(q));
    let colour = colour_of(motion, index);
    // Rims of small bodies would hide their colour.
    let rim = Stroke::plain(
        INK,
        (0.06 * size_on_paper(motion, index, camera)).clamp(0.08, 0.6),
    );
    let Some(shape) = view.shape.map(|s| &motion.scene.shapes[s]) else {
        let (at, near) = camera.project(&x);
        items.push((
            near,
            Item::Circle {
                at,
                radius: (f64::from(view.radius) * camera.scale).max(3.0),
                fill: colour,
                stroke: Some(Stroke::plain(INK, 0.6)),
            },
        ));
        return;
    };
    let light = (camera.axes[2] + 0.5 * camera.axes[1] - 0.4 * camera.axes[0]).normalize();
    let flat = shape.loops().count() <= shape.parts.len();
    // Facets of round bodies have no rims.
    let fine = shape.parts.iter().any(|faces| *faces >= ROUND);
    for face in shape.loops() {
        let corners: Vec<Vector3<f64>> = (face.iter())
            .map(|k| x + turn * Vector3::from(shape.vertex(*k)))
            .collect();
        let points: Vec<[f64; 2]> = corners.iter().map(|c| camera.project(c).0).collect();
        let near = corners.iter().map(|c| camera.project(c).1).sum::<f64>() / corners.len() as f64;
        if corners.len() < 3 {
            items.push((
                near,
                Item::Line {
                    points,
                    stroke: Stroke::plain(colour, 2.0),
                },
            ));
            continue;
        }
        // Newell's normal.
        let normal = (0..corners.len())
            .map(|k| corners[k].cross(&corners[(k + 1) % corners.len()]))
            .sum::<Vector3<f64>>();
        let Some(normal) = normal.try_normalize(0.0) else {
            continue;
        };
        if normal.dot(&camera.axes[2]) <= 0.0 && !flat {
            continue;
        }
        let shade = 0.62 + 0.42 * normal.dot(&light).abs();
        items.push((
            near,
            Item::Polygon {
                points,
                fill: Some((colour.shade(shade), 1.0)),
                stroke: Some(match fine && corners.len() < 24 {
                    true => Stroke::plain(colour.shade(shade), 0.4),
                    false => rim,
                }),
            },
        ));
    }
}

/// Surfaces of elastic bodies.
fn surfaces(items: &mut Vec<(f64, Item)>, motion: &Motion, frame: usize, camera: &Camera) {
    let total: usize = motion.scene.surfaces.iter().map(|s| s.vertices).sum();
    let light = (camera.axes[2] + 0.5 * camera.axes[1] - 0.4 * camera.axes[0]).normalize();
    let mut first = frame * total;
    for (k, surface) in motion.scene.surfaces.iter().enumerate() {
        let place = |i: u32| {
            let at = 3 * (first + i as usize);
            let x = motion.surface_position.0.get(at..at + 3);
            x.map(|x| Vector3::new(x[0], x[1], x[2]).map(f64::from))
        };
        let colour = Colour::hex(colours::of_surface(&motion.scene, k));
        for triangle in surface.triangles.0.chunks_exact(3) {
            let corners: Option<Vec<_>> = triangle.iter().map(|i| place(*i)).collect();
            let Some(corners) = corners else { continue };
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let Some(normal) = normal.try_normalize(0.0) else {
                continue;
            };
            if normal.dot(&camera.axes[2]) <= 0.0 {
                continue;
            }
            let near = corners.iter().map(|c| camera.project(c).1).sum::<f64>() / 3.0;
            items.push((
                near,
                Item::Polygon {
                    points: corners.iter().map(|c| camera.project(c).0).collect(),
                    fill: Some((colour.shade(0.62 + 0.42 * normal.dot(&light).abs()), 1.0)),
                    stroke: Some(Stroke::plain(INK, 0.1)),
                },
            ));
        }
        first += surface.vertices;
    }
}

/// Rods, arms, springs and joints.
fn links(items: &mut Vec<(f64, Item)>, motion: &Motion, frame: usize, camera: &Camera) {
    let place = |anchor: &Anchor| {
        let local = Vector3::from(anchor.local);
        match anchor.body {
            None => local,
            Some(body) => {
                let (x, q) = motion.pose(body, frame);
                Vector3::from(x) + rotation(q) * local
            }
        }
    };
    for link in &motion.scene.links {
        let (a, b) = (place(&link.a), place(&link.b));
        let ((pa, za), (pb, zb)) = (camera.project(&a), camera.project(&b));
        let width = match link.kind.as_str() {
            "rod" | "arm" => 2.0,
            "rail" => 1.2,
            "spring" | "damper" | "slide" => 1.0,
            "limit" => 0.6,
            // A guide has no place of its own.
            "prismatic" | "cylindrical" if link.a.body.is_none() => continue,
            // Joints that hold two bodies together are dots.
            _ => {
                items.push((
                    zb + 1e-3 / camera.scale,
                    Item::Circle {
                        at: pb,
                        radius: link.b.body.map_or(2.0, |body| {
                            (0.15 * size_on_paper(motion, body, camera)).clamp(0.3, 2.0)
                        }),
                        fill: INK,
                        stroke: None,
                    },
                ));
                continue;
            }
        };
        items.push((
            0.5 * (za + zb),
            Item::Line {
                points: vec![pa, pb],
                stroke: Stroke::plain(STEEL, width),
            },
        ));
    }
}
