//! `motion.glb`: the motion as a glTF 2.0 binary file, for any 3D program.
//!
//! Every body is a node with a mesh; its translation and rotation are animated. Rods, arms, rails
//! and springs are cylinders that follow their ends. glTF has y up, so
//! one node above all others turns the scene's up to it. Surfaces of elastic bodies have morph targets.

use std::collections::HashMap;

use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Map, Value, json};

mod links;
mod surfaces;

use super::colours::of_body;
use super::document::{BodyView, Mesh, Motion, Report};

const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
/// The first motion of a report.
pub fn glb(report: &Report) -> Vec<u8> {
    let mut file = File::default();
    let mut scene_nodes = Vec::new();
    if let Some(motion) = report.motions.first() {
        scene_nodes.push(json!(file.motion(motion)));
    }
    let mut root = Map::new();
    root.insert(
        "asset".into(),
        json!({"version": "2.0", "generator": concat!("carom ", env!("CARGO_PKG_VERSION"))}),
    );
    // glTF knows no empty lists.
    let mut put = |name: &str, list: Vec<Value>| {
        if !list.is_empty() {
            root.insert(name.into(), Value::Array(list));
        }
    };
    let scene = match scene_nodes.is_empty() {
        true => json!({"name": report.title}),
        false => json!({"name": report.title, "nodes": scene_nodes}),
    };
    put("scenes", vec![scene]);
    put("nodes", file.nodes);
    put("meshes", file.meshes);
    put("materials", file.materials);
    put("animations", file.animations);
    put("accessors", file.accessors);
    put("bufferViews", file.views);
    if !file.bytes.is_empty() {
        put("buffers", vec![json!({"byteLength": file.bytes.len()})]);
    }
    root.insert("scene".into(), json!(0));
    container(Value::Object(root).to_string().into_bytes(), file.bytes)
}

/// Header and chunks, each of a length divisible by four.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut out = (data.len() as u32).to_le_bytes().to_vec();
        out.extend(kind);
        out.extend(data);
        out
    };
    let mut body = chunk(b"JSON", &json);
    if !binary.is_empty() {
        body.extend(chunk(b"BIN\0", &binary));
    }
    let mut out = b"glTF".to_vec();
    out.extend(2u32.to_le_bytes());
    out.extend((body.len() as u32 + 12).to_le_bytes());
    out.extend(body);
    out
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    animations: Vec<Value>,
    /// Of the animation.
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Accessors of the attributes and indices of a shape, by its index and whether it is seen from
    /// both sides; spheres have no index.
    shapes: HashMap<Option<usize>, Option<[usize; 3]>>,
}

impl File {
    /// The node that holds a motion.
    fn motion(&mut self, motion: &Motion) -> usize {
        let scene = &motion.scene;
        let [low, high] = scene.bounds.map(Vector3::from);
        let point_radius = 0.01 * (high - low).norm().max(1e-6);
        let (frames, time) = times(motion);
        let input = (frames.len() > 1).then(|| self.floats(&time, 1, None, true));
        let mut children = Vec::new();
        for (k, body) in scene.bodies.iter().enumerate() {
            let shape = body.shape.map(|s| &scene.shapes[s]);
            let material = self.material(of_body(scene, k));
            let mesh = self.mesh(body, shape, material);
            let (x, q) = motion.pose(k, 0);
            let mut node = json!({
                "name": body.name,
                "translation": x.map(single),
                "rotation": unit(q).map(single),
            });
            if body.shape.is_none() {
                let radius = f64::from(body.radius);
                let radius = if radius > 0.0 { radius } else { point_radius };
                node["scale"] = json!([radius, radius, radius]);
            }
            if let Some(mesh) = mesh {
                node["mesh"] = json!(mesh);
            }
            self.nodes.push(node);
            let node = self.nodes.len() - 1;
            children.push(node);
            let (Some(input), Some(_)) = (input, body.slot) else {
                continue;
            };
            let poses: Vec<_> = frames.iter().map(|f| motion.pose(k, *f)).collect();
            let moved: Vec<f32> = poses.iter().flat_map(|(x, _)| x.map(single)).collect();
            self.channel(node, "translation", input, &moved, 3);
            if body.shape.is_some() {
                let turned: Vec<f32> = (poses.iter())
                    .flat_map(|(_, q)| unit(*q).map(single))
                    .collect();
                self.channel(node, "rotation", input, &turned, 4);
            }
        }
        children.extend(self.surfaces(motion, &frames, &time));
        children.extend(self.links(motion, &frames, input));
        if !self.channels.is_empty() {
            self.animations.push(json!({
                "name": "motion",
                "samplers": std::mem::take(&mut self.samplers),
                "channels": std::mem::take(&mut self.channels),
            }));
        }
        let up = Vector3::from(scene.up);
        let turn = UnitQuaternion::rotation_between(&up, &Vector3::y()).unwrap_or_else(|| {
            UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
        });
        let turn = [turn.i, turn.j, turn.k, turn.w].map(single);
        let mut above = json!({"name": "world", "rotation": turn});
        if !children.is_empty() {
            above["children"] = json!(children);
        }
        self.nodes.push(above);
        self.nodes.len() - 1
    }

    /// The material of a colour.
    fn material(&mut self, colour: u32) -> usize {
        let name = format!("#{colour:06x}");
        let known = self.materials.iter().position(|m| m["name"] == name);
        known.unwrap_or_else(|| {
            // From sRGB to linear.
            let [r, g, b] = [16, 8, 0].map(|shift| {
                let c = f64::from(colour >> shift & 255) / 255.0;
                match c <= 0.04045 {
                    true => c / 12.92,
                    false => ((c + 0.055) / 1.055).powf(2.4),
                }
            });
            self.materials.push(json!({
                "name": name,
                "doubleSided": true,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.8,
                },
            }));
            self.materials.len() - 1
        })
    }

    /// The mesh of a body in its colour; `None` for shapes without faces.
    fn mesh(&mut self, body: &BodyView, shape: Option<&Mesh>, material: usize) -> Option<usize> {
        let attributes = match self.shapes.get(&body.shape) {
            Some(known) => *known,
            None => {
                let triangles = shape.map_or_else(sphere, triangles);
                let made = self.triangles(&triangles);
                self.shapes.insert(body.shape, made);
                made
            }
        };
        let [positions, normals, indices] = attributes?;
        self.meshes.push(json!({"primitives": [{
            "attributes": {"POSITION": positions, "NORMAL": normals},
            "indices": indices,
            "material": material,
        }]}));
        Some(self.meshes.len() - 1)
    }

    /// Animates a property of a node.
    fn channel(&mut self, node: usize, path: &str, input: usize, values: &[f32], width: usize) {
        let output = self.floats(values, width, None, false);
        self.channels.push(json!({
            "sampler": self.samplers.len(),
            "target": {"node": node, "path": path},
        }));
        self.samplers
            .push(json!({"input": input, "output": output}));
    }

    fn triangles(&mut self, triangles: &[[(Vector3<f64>, Vector3<f64>); 3]]) -> Option<[usize; 3]> {
        if triangles.is_empty() {
            return None;
        }
        let corners = triangles.iter().flatten();
        let flat = |v: &Vector3<f64>| [v.x as f32, v.y as f32, v.z as f32];
        let positions: Vec<f32> = corners.clone().flat_map(|(x, _)| flat(x)).collect();
        let normals: Vec<f32> = corners.flat_map(|(_, n)| flat(n)).collect();
        let indices: Vec<u8> = (0..3 * triangles.len() as u32)
            .flat_map(u32::to_le_bytes)
            .collect();
        Some([
            self.floats(&positions, 3, Some(VERTICES), true),
            self.floats(&normals, 3, Some(VERTICES), false),
            self.accessor(
                &indices,
                3 * triangles.len(),
                UNSIGNED,
                "SCALAR",
                Some(INDICES),
                None,
            ),
        ])
    }

    fn floats(&mut self, values: &[f32], width: usize, target: Option<u32>, range: bool) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        let range = range.then(|| {
            let mut range = vec![[f32::INFINITY, f32::NEG_INFINITY]; width];
            for (k, v) in values.iter().enumerate() {
                let [low, high] = &mut range[k % width];
                (*low, *high) = (low.min(*v), high.max(*v));
            }
            range
        });
        self.accessor(&bytes, values.len() / width, FLOAT, kind, target, range)
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        count: usize,
        component: u32,
        kind: &str,
        target: Option<u32>,
        range: Option<Vec<[f32; 2]>>,
    ) -> usize {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend(bytes);
        self.views.push(view);
        let mut accessor = json!({
            "bufferView": self.views.len() - 1,
            "componentType": component,
            "count": count,
            "type": kind,
        });
        if let Some(range) = range {
            accessor["min"] = json!(range.iter().map(|r| r[0]).collect::<Vec<_>>());
            accessor["max"] = json!(range.iter().map(|r| r[1]).collect::<Vec<_>>());
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// glTF holds single numbers; what is not finite has no place in it.
fn single(value: f64) -> f32 {
    let value = value as f32;
    if value.is_finite() { value } else { 0.0 }
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let size = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    match size > 0.0 && size.is_finite() {
        true => q.map(|c| c / size),
        false => [0.0, 0.0, 0.0, 1.0],
    }
}

/// Frames with their times from zero, strictly increasing also as single numbers.
fn times(motion: &Motion) -> (Vec<usize>, Vec<f32>) {
    let (mut frames, mut time) = (Vec::new(), Vec::<f32>::new());
    let start = motion.time.0.first().copied().unwrap_or(0.0);
    for (k, t) in motion.time.0.iter().enumerate() {
        let t = single(t - start);
        if time.last().is_none_or(|last| t > *last) {
            frames.push(k);
            time.push(t);
        }
    }
    (frames, time)
}

type Corner = (Vector3<f64>, Vector3<f64>);

/// Faces as triangles with flat normals.
fn triangles(mesh: &Mesh) -> Vec<[Corner; 3]> {
    let mut out = Vec::new();
    for face in mesh.loops() {
        let corner = |k: usize| Vector3::from(mesh.vertex(face[k]));
        for k in 2..face.len() {
            let (a, b, c) = (corner(0), corner(k - 1), corner(k));
            if let Some(n) = (b - a).cross(&(c - a)).try_normalize(1e-30) {
                out.push([(a, n), (b, n), (c, n)]);
            }
        }
    }
    out
}

/// A unit sphere of triangles.
fn sphere() -> Vec<[Corner; 3]> {
    const RINGS: usize = 12;
    let corner = |ring: usize, k: usize| {
        let up = std::f64::consts::PI * ring as f64 / RINGS as f64;
        let around = std::f64::consts::TAU * k as f64 / (2 * RINGS) as f64;
        let v = Vector3::new(up.sin() * around.cos(), up.sin() * around.sin(), up.cos());
        (v, v)
    };
    let mut out = Vec::new();
    for ring in 0..RINGS {
        for k in 0..2 * RINGS {
            let (a, b) = (corner(ring, k), corner(ring, k + 1));
            let (c, d) = (corner(ring + 1, k + 1), corner(ring + 1, k));
            if ring > 0 {
                out.push([a, c, b]);
            }
            if ring + 1 < RINGS {
                out.push([a, d, c]);
            }
        }
    }
    out
}
