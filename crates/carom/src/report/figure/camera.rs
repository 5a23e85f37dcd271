//! From which side a motion is drawn, and how large.

use nalgebra::{UnitQuaternion, Vector3};

use crate::report::document::Motion;

/// Frames and bodies that are looked at to fit a motion into its panels, at most.
const MOST_LOOKED_AT: usize = 20_000;

/// A parallel projection.
pub(super) struct Camera {
    /// Directions of the picture: right, up, towards the viewer.
    pub axes: [Vector3<f64>; 3],
    /// Middle of the motion, along right and up.
    centre: [f64; 2],
    /// Half of what the motion takes up, along right and up.
    pub half: [f64; 2],
    /// Points per metre.
    pub scale: f64,
    middle: [f64; 2],
}

impl Camera {
    /// Looks at a motion from its best side.
    pub fn new(motion: &Motion) -> Self {
        let scene = &motion.scene;
        let towards = Vector3::from(scene.view)
            .try_normalize(1e-12)
            .unwrap_or_else(Vector3::x);
        let up = Vector3::from(scene.up);
        let right = up
            .cross(&towards)
            .try_normalize(1e-9)
            .unwrap_or_else(|| towards.cross(&Vector3::x()).normalize());
        let axes = [right, towards.cross(&right), towards];
        let [low, high] = extent(motion, &axes);
        Self {
            centre: [0, 1].map(|k| 0.5 * (low[k] + high[k])),
            half: [0, 1].map(|k| (0.5 * (high[k] - low[k])).max(1e-9)),
            axes,
            scale: 1.0,
            middle: [0.0; 2],
        }
    }

    /// Fits what it looks at into a box.
    pub fn fit(&mut self, width: f64, height: f64) {
        self.scale = 0.46 * (width / self.half[0]).min(height / self.half[1]);
        self.middle = [0.5 * width, 0.5 * height];
    }

    /// Place on the panel, and how near it is.
    pub fn project(&self, point: &Vector3<f64>) -> ([f64; 2], f64) {
        let [x, y, z] = [0, 1, 2].map(|k| self.axes[k].dot(point));
        (
            [
                self.middle[0] + self.scale * (x - self.centre[0]),
                self.middle[1] - self.scale * (y - self.centre[1]),
            ],
            z,
        )
    }
}

/// What bodies and fixed points take up along right and up during a motion.
fn extent(motion: &Motion, axes: &[Vector3<f64>; 3]) -> [[f64; 2]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut see = |point: &Vector3<f64>, reach: f64| {
        for k in 0..2 {
            let at = axes[k].dot(point);
            (low[k], high[k]) = (low[k].min(at - reach), high[k].max(at + reach));
        }
    };
    let bodies = &motion.scene.bodies;
    let frames = motion.time.0.len();
    let every = (frames * bodies.len()).div_ceil(MOST_LOOKED_AT).max(1);
    for (body, view) in bodies.iter().enumerate() {
        let shape = view.shape.map(|s| &motion.scene.shapes[s]);
        // The vertices of simple shapes, balls around the others.
        let corners: Vec<Vector3<f64>> = shape.map_or(Vec::new(), |mesh| {
            let count = (mesh.vertices.0.len() / 3) as u32;
            (0..count).map(|k| Vector3::from(mesh.vertex(k))).collect()
        });
        let reach = reach_of(motion, body);
        for frame in (0..frames).step_by(every) {
            let (x, q) = motion.pose(body, frame);
            let (x, turn) = (Vector3::from(x), rotation(q));
            match corners.len() {
                1..=16 => corners.iter().for_each(|c| see(&(x + turn * c), 0.0)),
                _ => see(&x, reach),
            }
        }
    }
    for link in &motion.scene.links {
        let fixed = [&link.a, &link.b].into_iter().filter(|a| a.body.is_none());
        fixed.for_each(|anchor| see(&Vector3::from(anchor.local), 0.0));
    }
    // Not beyond the bounds: of large static bodies they hold what is near the motion.
    let ends = motion.scene.bounds;
    let corner = |k: usize| Vector3::from_fn(|c, _| ends[k >> c & 1][c]);
    for k in 0..2 {
        let at = (0..8).map(|n| axes[k].dot(&corner(n)));
        let (least, most) = (
            at.clone().fold(f64::INFINITY, f64::min),
            at.fold(f64::NEG_INFINITY, f64::max),
        );
        // Surfaces of elastic bodies are known to the bounds alone.
        let all = !motion.scene.surfaces.is_empty() || !(high[k] - low[k]).is_finite();
        (low[k], high[k]) = match all {
            true => (least, most),
            false => (low[k].max(least), high[k].min(most)),
        };
    }
    [low, high]
}

/// How far a body reaches from its centre.
pub(super) fn reach_of(motion: &Motion, body: usize) -> f64 {
    let view = &motion.scene.bodies[body];
    view.shape.map_or(f64::from(view.radius), |shape| {
        let vertices = motion.scene.shapes[shape].vertices.0.chunks_exact(3);
        vertices.fold(0.0, |most: f64, v| {
            most.max(f64::from(v[0].hypot(v[1]).hypot(v[2])))
        })
    })
}

/// The rotation of a quaternion (x, y, z, w).
pub(super) fn rotation(q: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]))
}
