//! From recorded frames to a motion: which frames are kept, poses, bounds, the best view.

use std::io;

use carom_engine::inner::{self, End, each_end};
use carom_gap::Pose;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

use super::document::{BodyView, Mesh, Motion, Scene};
use super::linkages::turns;
use super::scene::{quaternion, scene};
use super::surfaces::Surface;
use crate::model::Model;
use crate::record::Frames;
use crate::scenario::Scenario;
use crate::simulate::Columns;

/// Most frames kept.
const MOST_FRAMES: u64 = 10_000;
/// Most poses kept, of all bodies and frames together.
const MOST_POSES: u64 = 300_000;
/// Fewest frames kept, however many bodies there are.
const FEWEST_FRAMES: u64 = 120;

/// Frames whose outlines are looked at for the bounds, about.
const FRAMES_FOR_BOUNDS: usize = 400;
/// A turn between two frames that can still be told from its opposite, rad.
const TURN_SEEN: f64 = 2.5;
/// Least and largest size of boxes that stand for inertia, in sizes of the motion.
const STAND_IN: [f64; 2] = [0.03, 0.12];
/// Static bodies larger than this are not shown as a whole, in sizes of the motion.
const LARGE: f64 = 1.5;
/// Such bodies are in sight as far as this from what moves, in sizes of the motion.
const STILL: f64 = 0.2;
/// Shapes of more vertices count as balls.
const MOST_OUTLINE: usize = 64;

/// A recorded row, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub time: f64,
    pub energy: f64,
    pub kinetic: f64,
    pub potential: f64,
    pub linear: [f64; 3],
    pub angular: [f64; 3],
    /// Of all bodies, static ones too.
    pub poses: Vec<Pose>,
    /// Of all linkages.
    pub coordinates: Vec<f64>,
    /// Fastest turn of a body in rad/s.
    pub spin: f64,
    /// What actuators and loads apply.
    pub controls: Vec<f64>,
    /// Quantities of controllers.
    pub signals: Vec<f64>,
}

impl Frame {
    /// Takes a row apart; columns are those of the model (`own` of them), maybe of
    /// contact forces, and from `signals` on of controllers.
    pub fn read(model: &Model, row: &[f64], controls: usize, signals: usize) -> Self {
        let three = |at: usize| [row[at], row[at + 1], row[at + 2]];
        let mut poses = Vec::with_capacity(model.bodies().len());
        let mut at = 10;
        let mut spin: f64 = 0.0;
        for body in model.bodies() {
            let mut pose = body.start;
            if body.moves() {
                pose.position = three(at).into();
                at += 6;
            }
            if body.turns() {
                pose.directors = Matrix3::from_column_slice(&row[at..at + 9]);
                spin = spin.max(Vector3::from(three(at + 9)).norm());
                at += 12;
            }
            poses.push(pose);
        }
        Self {
            time: row[0],
            energy: row[1],
            kinetic: row[2],
            potential: row[3],
            linear: three(4),
            angular: three(7),
            poses,
            coordinates: (row[at..at + 2 * inner::linkage_coordinates(model)]
                .iter()
                .copied())
            .step_by(2)
            .collect(),
            spin,
            controls: row[controls..controls + model.controls()].to_vec(),
            signals: row[signals..].to_vec(),
        }
    }
}

/// A state of a model at a time.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// In s.
    pub time: f64,
    /// Of all bodies of the model.
    pub poses: &'a [Pose],
    /// Of all its linkages.
    pub coordinates: &'a [f64],
}

/// The motion through given states, for runs that are no simulations. Curves and contacts are the
/// caller's to add.
pub fn motion(name: &str, scenario: &Scenario, model: &Model, states: &[Snapshot]) -> Motion {
    let scene = scene(model, scenario);
    let mut collector = Collector::new(name, model, scene, states.len());
    states.iter().for_each(|state| collector.place_all(state));
    collector.finish(states.len() as u64)
}

/// How many rows go by between two kept frames.
pub(super) fn stride(rows: u64, slots: usize) -> u64 {
    let most = (MOST_POSES / slots.max(1) as u64).clamp(FEWEST_FRAMES, MOST_FRAMES);
    rows.div_ceil(most).max(1)
}

/// How many frames [`each_frame`] visits.
pub(super) fn kept(rows: u64, every: u64) -> usize {
    let last = u64::from(rows > 0 && !(rows - 1).is_multiple_of(every));
    (rows.div_ceil(every) + last) as usize
}

/// Calls `visit` with every `every`-th frame and the last.
pub(super) fn each_frame(
    model: &Model,
    frames: &mut Frames,
    every: u64,
    visit: &mut dyn FnMut(Frame),
) -> io::Result<()> {
    let last = frames.rows().saturating_sub(1);
    let (controls, signals) = (
        Columns::new(model).controls(),
        frames.columns().controllers(),
    );
    let mut k = 0u64;
    frames.read(&mut |row| {
        if k.is_multiple_of(every) || k == last {
            visit(Frame::read(model, row, controls, signals));
        }
        k += 1;
        Ok(())
    })
}

/// What is needed of a body to know how much space it takes.
enum Outline {
    Ball(f64),
    Points(Vec<Vector3<f64>>),
}

impl Outline {
    fn of(mesh: &Mesh) -> Self {
        let count = mesh.vertices.0.len() / 3;
        let points: Vec<_> = (0..count as u32)
            .map(|k| Vector3::from(mesh.vertex(k)))
            .collect();
        match count <= MOST_OUTLINE {
            true => Self::Points(points),
            false => Self::Ball(points.iter().map(|v| v.norm()).fold(0.0, f64::max)),
        }
    }

    /// How far it reaches from its centre against and along the axes.
    fn half(&self, directors: &Matrix3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        match self {
            Self::Ball(radius) => (Vector3::repeat(*radius), Vector3::repeat(*radius)),
            Self::Points(points) => points
                .iter()
                .map(|v| directors * v)
                .fold((Vector3::zeros(), Vector3::zeros()), |(low, high), v| {
                    (low.sup(&-v), high.sup(&v))
                }),
        }
    }
}

/// Collects the poses of frames.
pub(super) struct Collector<'a> {
    model: &'a Model,
    pub motion: Motion,
    end: End,
    slots: usize,
    low: Vector3<f64>,
    high: Vector3<f64>,
    /// Outline of each body.
    outlines: Vec<Outline>,
    /// Every so many frames the outlines are looked at.
    every: usize,
    /// Largest turn of a body between two frames in rad.
    turn: f64,
    /// Range of the centres alone.
    centres: [Vector3<f64>; 2],
    /// What static bodies take up.
    still: Vec<[Vector3<f64>; 2]>,
    /// Bodies that are no nodes.
    plain: usize,
    surfaces: Vec<Surface<'a>>,
}

impl<'a> Collector<'a> {
    pub fn new(name: &str, model: &'a Model, scene: Scene, rows: usize) -> Self {
        let outlines = scene.bodies.iter().map(|body| match body.shape {
            // How large it is drawn is seen at the end.
            Some(_) if is_stand_in(&scene, body) => Outline::Ball(0.0),
            Some(shape) => Outline::of(&scene.shapes[shape]),
            None => Outline::Ball(f64::from(body.radius)),
        });
        let infinite = Vector3::repeat(f64::INFINITY);
        Self {
            model,
            every: (rows / FRAMES_FOR_BOUNDS).max(1),
            outlines: outlines.collect(),
            slots: scene.bodies.iter().filter(|b| b.slot.is_some()).count(),
            motion: Motion {
                name: name.into(),
                scene,
                ..Motion::default()
            },
            end: End::default(),
            turn: 0.0,
            low: infinite,
            high: -infinite,
            centres: [infinite, -infinite],
            still: Vec::new(),
            plain: (model.solids().first()).map_or(model.bodies().len(), |s| s.particles.start),
            surfaces: Surface::all(model).into_iter().map(|(_, s)| s).collect(),
        }
    }

    fn place(&mut self, body: usize, position: &Vector3<f64>, directors: Option<&Matrix3<f64>>) {
        if (self.motion.time.0.len() - 1).is_multiple_of(self.every) {
            let directors = directors.copied().unwrap_or_else(Matrix3::identity);
            let half = self.outlines[body].half(&directors);
            let box_of = [position - half.0, position + half.1];
            match self.motion.scene.bodies[body].slot {
                Some(_) => {
                    self.low = self.low.inf(&box_of[0]);
                    self.high = self.high.sup(&box_of[1]);
                }
                None if self.motion.time.0.len() == 1 => self.still.push(box_of),
                None => {}
            }
        }
        let Some(slot) = self.motion.scene.bodies[body].slot else {
            return;
        };
        self.centres[0] = self.centres[0].inf(position);
        self.centres[1] = self.centres[1].sup(position);
        self.motion
            .position
            .0
            .extend(position.iter().map(|c| *c as f32));
        let mut q = directors.map_or([0.0, 0.0, 0.0, 1.0], quaternion);
        // q and −q are one orientation: stay on the side of the frame before.
        let before = self.motion.rotation.0.len().checked_sub(4 * self.slots);
        debug_assert_eq!(self.motion.rotation.0.len() / 4 % self.slots, slot);
        if let Some(before) = before.map(|k| &self.motion.rotation.0[k..k + 4]) {
            let dot: f64 = before.iter().zip(q).map(|(a, b)| f64::from(*a) * b).sum();
            if dot < 0.0 {
                q = q.map(|c| -c);
            }
        }
        self.motion
            .rotation
            .0
            .extend(q.map(|c| (c * 32767.0).round() as i16));
    }

    /// Adds a recorded frame.
    pub fn push(&mut self, frame: &Frame) {
        self.place_all(&Snapshot {
            time: frame.time,
            poses: &frame.poses,
            coordinates: &frame.coordinates,
        });
        if let [.., before, now] = self.motion.time.0[..] {
            self.turn = self.turn.max(frame.spin * (now - before));
        }
    }

    /// Adds a state. One that is not later than the one before is left out.
    fn place_all(&mut self, state: &Snapshot) {
        if self.motion.time.0.last().is_some_and(|t| *t >= state.time) {
            return;
        }
        self.motion.time.0.push(state.time);
        for (k, pose) in state.poses.iter().take(self.plain).enumerate() {
            self.place(k, &pose.position, Some(&pose.directors));
        }
        let out = &mut self.motion.surface_position.0;
        let first = out.len();
        for surface in &mut self.surfaces {
            surface.push(state.poses, out);
        }
        for x in out[first..].chunks_exact(3) {
            let x = Vector3::new(x[0], x[1], x[2]).map(f64::from);
            (self.low, self.high) = (self.low.inf(&x), self.high.sup(&x));
            self.centres = [self.centres[0].inf(&x), self.centres[1].sup(&x)];
        }
        let mut body = self.plain;
        let mut first = 0;
        let model = self.model;
        for linkage in model.linkages() {
            let still = vec![0.0; linkage.freedom()];
            let given = state.coordinates.get(first..first + linkage.freedom());
            let mut ends = Vec::new();
            each_end(
                linkage,
                given.unwrap_or(&still),
                &still,
                &mut self.end,
                |_, x, _| ends.push(x),
            );
            let spec = &linkage.spec;
            for (k, end) in ends.iter().enumerate() {
                let start = spec.links[k].parent.map_or(spec.origin, |p| ends[p]);
                let turn = turns(linkage, Some(k)).then(|| along(&spec.plane, &(end - start)));
                self.place(body, end, turn.as_ref());
                body += 1;
            }
            first += linkage.freedom();
        }
    }

    /// Makes boxes that stand for inertia as large as they suit the motion: neither hiding what is
    /// around them nor too small to be seen.
    fn see_stand_ins(&mut self) {
        let spread = (self.high - self.low).norm();
        let scene = &mut self.motion.scene;
        let mut most: f64 = 0.0;
        for k in 0..scene.bodies.len() {
            let Some(shape) = scene.bodies[k].shape else {
                continue;
            };
            if !is_stand_in(scene, &scene.bodies[k]) {
                continue;
            }
            let mut mesh = scene.shapes[shape].clone();
            let reach = Vector3::from(mesh.vertex(0)).norm();
            let suits = match spread.is_finite() && spread > 1e-9 * reach {
                true => reach.clamp(STAND_IN[0] * spread, STAND_IN[1] * spread),
                false => reach,
            };
            most = most.max(suits);
            if suits != reach {
                let factor = (suits / reach) as f32;
                mesh.vertices.0.iter_mut().for_each(|x| *x *= factor);
                scene.bodies[k].shape = Some(scene.shapes.len());
                scene.shapes.push(mesh);
            }
        }
        if self.low.iter().all(|c| c.is_finite()) {
            self.low.add_scalar_mut(-most);
            self.high.add_scalar_mut(most);
        }
    }

    /// Adds what static bodies take up to the bounds: of large ones as far as it is near what moves, so
    /// that a wide floor does not make the motion small.
    fn see_still(&mut self) {
        let size = self.high - self.low;
        let moves = size.iter().all(|c| c.is_finite()) && size.amax() > 0.0;
        let room = Vector3::repeat(STILL * size.amax());
        let near = [self.low - room, self.high + room];
        for [low, high] in &self.still {
            let large = (high - low).amax() > LARGE * size.amax();
            let (low, high) = match moves && large {
                true => (low.sup(&near[0]), high.inf(&near[1])),
                false => (*low, *high),
            };
            if (high - low).iter().all(|c| *c >= 0.0) {
                self.low = self.low.inf(&low);
                self.high = self.high.sup(&high);
            }
        }
    }

    /// The motion, with bounds and view.
    pub fn finish(mut self, recorded: u64) -> Motion {
        self.motion.recorded = recorded;
        let frames = self.motion.time.0.len();
        for (view, surface) in self.motion.scene.surfaces.iter_mut().zip(&self.surfaces) {
            view.largest = surface.largest();
        }
        for frame in 0..frames {
            for (view, surface) in self.motion.scene.surfaces.iter().zip(&self.surfaces) {
                surface.pack(frame, &view.largest, &mut self.motion.surface_value.0);
            }
        }
        if self.turn > TURN_SEEN {
            self.motion.note = "Bodies turn so far between two recorded frames that the motion \
                                shown is not the real one; record more frames to see it."
                .into();
        }
        for link in &self.motion.scene.links {
            for anchor in [link.a, link.b] {
                if anchor.body.is_none() {
                    let point = Vector3::from(anchor.local);
                    self.low = self.low.inf(&point);
                    self.high = self.high.sup(&point);
                }
            }
        }
        self.see_stand_ins();
        self.see_still();
        // Nothing was placed, or nowhere that can be drawn.
        if !(self.high - self.low).iter().all(|c| c.is_finite()) {
            (self.low, self.high) = (Vector3::repeat(-1.0), Vector3::repeat(1.0));
        }
        let scene = &mut self.motion.scene;
        scene.bounds = [self.low.into(), self.high.into()];
        scene.view = view(scene, &self.centres);
        self.motion
    }
}

/// Whether a body is drawn as nothing but a box of its inertia.
fn is_stand_in(scene: &Scene, body: &BodyView) -> bool {
    let parts = body.shape.map(|shape| scene.shapes[shape].parts.len());
    body.stand_in && parts == Some(1)
}

/// The turn in a plane that brings its first axis to a direction.
fn along(plane: &[Vector3<f64>; 2], direction: &Vector3<f64>) -> Matrix3<f64> {
    let [e1, e2] = plane;
    let angle = direction.dot(e2).atan2(direction.dot(e1));
    let axis = Unit::new_normalize(e1.cross(e2));
    Rotation3::from_axis_angle(&axis, angle).into_inner()
}

/// Where to look from: across the plane of a plane motion, else from the front, above and aside.
fn view(scene: &Scene, centres: &[Vector3<f64>; 2]) -> [f64; 3] {
    let up = Vector3::from(scene.up);
    let range = centres[1] - centres[0];
    let size = Vector3::from(scene.bounds[1]) - Vector3::from(scene.bounds[0]);
    let narrow = |c: usize| !(range[c].is_finite()) || range[c] <= 0.02 * size.amax();
    // Two more directions that make a frame with up.
    let front = match up.y.abs() < 0.9 {
        true => -(Vector3::y() - up * up.y).normalize(),
        false => Vector3::z(),
    };
    let mut side = front.cross(&up);
    // Walls show their inner side.
    let facing = |side: &Vector3<f64>| {
        let normals = scene.walls.iter().map(|w| Vector3::from(w.normal));
        normals.filter(|n| n.dot(side) > 1e-6).count()
    };
    if facing(&-side) > facing(&side) {
        side = -side;
    }
    let flat = scene
        .shapes
        .iter()
        .all(|s| s.vertices.0.chunks(3).all(|v| v[2] == 0.0));
    let view = if flat && !scene.shapes.is_empty() {
        // Planar bodies live in z = const: seen from above, hardly tilted.
        Vector3::new(0.0, -0.02, 1.0)
    } else if narrow(1) && !(narrow(0) && narrow(2)) {
        front + side * 0.25 + up * 0.25
    } else if narrow(0) && !narrow(1) {
        side + front * 0.25 + up * 0.25
    } else {
        front + side * 0.7 + up * 0.55
    };
    view.normalize().into()
}
