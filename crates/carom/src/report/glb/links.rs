//! What joins bodies, as cylinders between two points.

use std::f64::consts::TAU;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::json;

use super::{Corner, File, single};
use crate::report::document::{Anchor, Link, Motion};

/// Links of these kinds are drawn; joints are hidden in their bodies.
const DRAWN: [&str; 7] = ["rod", "arm", "rail", "slide", "spring", "damper", "limit"];
const STEEL: [f64; 4] = [0.25, 0.27, 0.3, 1.0];

impl File {
    /// A node for every link that can be seen.
    pub(super) fn links(
        &mut self,
        motion: &Motion,
        frames: &[usize],
        input: Option<usize>,
    ) -> Vec<usize> {
        let drawn = |link: &&Link| DRAWN.contains(&link.kind.as_str());
        let links: Vec<&Link> = motion.scene.links.iter().filter(drawn).collect();
        let mut nodes = Vec::new();
        if links.is_empty() {
            return nodes;
        }
        self.materials.push(json!({
            "name": "steel",
            "pbrMetallicRoughness": {"baseColorFactor": STEEL, "metallicFactor": 0.3, "roughnessFactor": 0.6},
        }));
        let Some([positions, normals, indices]) = self.triangles(&cylinder()) else {
            return nodes;
        };
        self.meshes.push(json!({"primitives": [{
            "attributes": {"POSITION": positions, "NORMAL": normals},
            "indices": indices,
            "material": self.materials.len() - 1,
        }]}));
        let mesh = self.meshes.len() - 1;
        let [low, high] = motion.scene.bounds.map(Vector3::from);
        let thick = 0.004 * (high - low).norm().max(1e-6);
        for link in links {
            let radius = match link.kind.as_str() {
                "rod" | "arm" => thick,
                _ => 0.5 * thick,
            };
            let start = Placed::between(motion, link, 0, radius);
            self.nodes.push(json!({
                "name": match link.name.is_empty() {
                    true => &link.kind,
                    false => &link.name,
                },
                "mesh": mesh,
                "translation": start.middle,
                "rotation": start.turn,
                "scale": start.scale,
            }));
            let node = self.nodes.len() - 1;
            nodes.push(node);
            let still = link.a.body.is_none() && link.b.body.is_none();
            let Some(input) = input.filter(|_| !still) else {
                continue;
            };
            let placed: Vec<Placed> = (frames.iter())
                .map(|frame| Placed::between(motion, link, *frame, radius))
                .collect();
            let all = |part: &dyn Fn(&Placed) -> Vec<f32>| placed.iter().flat_map(part).collect();
            let (middle, turn, scale): (Vec<f32>, Vec<f32>, Vec<f32>) = (
                all(&|p| p.middle.to_vec()),
                all(&|p| p.turn.to_vec()),
                all(&|p| p.scale.to_vec()),
            );
            self.channel(node, "translation", input, &middle, 3);
            self.channel(node, "rotation", input, &turn, 4);
            self.channel(node, "scale", input, &scale, 3);
        }
        nodes
    }
}

/// A cylinder between two points.
struct Placed {
    middle: [f32; 3],
    turn: [f32; 4],
    scale: [f32; 3],
}

impl Placed {
    fn between(motion: &Motion, link: &Link, frame: usize, radius: f64) -> Self {
        let point = |anchor: &Anchor| {
            let local = Vector3::from(anchor.local);
            match anchor.body {
                None => local,
                Some(body) => {
                    let (x, q) = motion.pose(body, frame);
                    let q = Quaternion::new(q[3], q[0], q[1], q[2]);
                    Vector3::from(x) + UnitQuaternion::from_quaternion(q) * local
                }
            }
        };
        let (a, b) = (point(&link.a), point(&link.b));
        let along = b - a;
        let turn = UnitQuaternion::rotation_between(&Vector3::y(), &along)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), TAU / 2.0));
        Self {
            middle: [0, 1, 2].map(|c| single(0.5 * (a[c] + b[c]))),
            turn: [turn.i, turn.j, turn.k, turn.w].map(single),
            scale: [radius, along.norm().max(1e-9), radius].map(single),
        }
    }
}

/// A unit cylinder: radius one, from -1/2 to 1/2 along y, without ends.
fn cylinder() -> Vec<[Corner; 3]> {
    const SIDES: usize = 10;
    let corner = |k: usize, y: f64| {
        let (sin, cos) = (TAU * k as f64 / SIDES as f64).sin_cos();
        (Vector3::new(cos, y, sin), Vector3::new(cos, 0.0, sin))
    };
    (0..SIDES)
        .flat_map(|k| {
            let (a, b) = (corner(k, -0.5), corner(k + 1, -0.5));
            let (c, d) = (corner(k + 1, 0.5), corner(k, 0.5));
            [[a, c, b], [a, d, c]]
        })
        .collect()
}
