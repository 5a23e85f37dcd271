//! What touches where two bodies meet by plan: a gap as a polynomial of the coordinates, held by the
//! feature that the gap's linear program names.
//!
//! A vertex above a face is n · (x − y), n and y fixed in the body of the face; two edges are
//! det(e_a, e_b, d) over its size where it is set up.

use carom_gap::gap::{Posed, Side, centre_direction, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::avoid::gaps;
use super::ball::{self, Ball, Plane};
use super::error::OptimiseError;
use super::meeting::Meeting;
use super::poly::Poly;
use super::push::Push;
use crate::contact::{Collider, Pair};
use crate::model::{BodyId, JointKind, Model};

/// How two bodies touch.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// The two colliders; none for the limit of a joint.
    pub pair: Option<(Collider, Collider)>,
    /// The gap.
    pub gap: Poly,
    /// Where it touches, in the plane of the wall or the face; none where two edges cross, for limits, and for what is
    /// round.
    pub across: Option<[Poly; 2]>,
    /// Ways of the point of something round that touches, in the same plane.
    pub rolls: Option<[Push; 2]>,
    /// Gaps and places of further vertices, where an edge or a face lands flat.
    pub beside: Vec<(Poly, Option<[Poly; 2]>)>,
    /// What must not be negative while this is what touches: heights of all other vertices.
    pub others: Vec<Other>,
    /// In words.
    pub name: String,
}

/// A vertex beside what touches.
#[derive(Clone, Debug)]
pub(crate) struct Other {
    /// Its height over the plane of contact.
    pub height: Poly,
    /// In words.
    pub name: String,
    /// Whether an edge joins it to what touches. Where all these are above the plane, a convex body is.
    pub next: bool,
}

impl Other {
    /// Vertex `k` of a part of which others touch.
    pub fn vertex(part: &Vertices, k: usize, touching: &[usize], height: Poly, of: &str) -> Self {
        let joins = |i: &usize| {
            let list = part.neighbours(*i);
            list.is_empty() || list.contains(&(k as u32))
        };
        Self {
            height,
            name: format!("vertex {k} of {of}"),
            next: touching.iter().any(joins),
        }
    }
}

/// D l of a body.
pub(crate) fn arrow(model: &Model, body: BodyId, l: &Vector3<f64>) -> [Poly; 3] {
    let d = [0, 1, 2].map(|i| Poly::director(model, body, i));
    [0, 1, 2].map(|k| {
        let sum = |sum: Poly, i: usize| sum.plus(&d[i][k].clone().times(l[i]));
        (0..3).fold(Poly::default(), sum)
    })
}

/// Two directions across a unit normal.
pub(crate) fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let least = |a: &&Vector3<f64>, b: &&Vector3<f64>| n.dot(a).abs().total_cmp(&n.dot(b).abs());
    let axis = axes.iter().min_by(least).copied().unwrap_or(axes[0]);
    let first = (axis - n * n.dot(&axis)).normalize();
    [first, n.cross(&first)]
}

pub(crate) fn minus(a: &[Poly; 3], b: &[Poly; 3]) -> [Poly; 3] {
    [0, 1, 2].map(|k| a[k].clone().plus(&b[k].clone().times(-1.0)))
}

fn fault(what: String) -> OptimiseError {
    OptimiseError::Guess { what }
}

impl Feature {
    /// What touches, or is nearest to it, at the poses of a guess.
    pub fn find(model: &Model, meeting: &Meeting, poses: &[Pose]) -> Result<Self, OptimiseError> {
        match *meeting {
            Meeting::Wall(body, wall) => Self::on_wall(model, body, wall, poses),
            Meeting::Bodies(a, b) => Self::of_bodies(model, a, b, poses),
            Meeting::Limit {
                joint,
                coordinate,
                upper,
            } => {
                let place = model.find_joint(joint);
                let place =
                    place.ok_or_else(|| fault("a limit of a joint that closes a loop".into()))?;
                Self::at_limit(model, place, coordinate, upper)
            }
        }
    }

    fn on_wall(
        model: &Model,
        body: BodyId,
        wall: usize,
        poses: &[Pose],
    ) -> Result<Self, OptimiseError> {
        let side = &model.contact().walls[wall];
        let (name, wall_name) = (&model.body(body).name, &side.name);
        let (n, offset) = (side.half_space.normal(), side.half_space.offset());
        let b = Collider::Wall { index: wall };
        let height = |l: &Vector3<f64>, below: f64| {
            let x = Poly::point(model, body, l);
            Poly::dot(&x, &Poly::vector(n)).plus(&Poly::constant(-below))
        };
        let place = |l: &Vector3<f64>| {
            let x = Poly::point(model, body, l);
            Some(tangents(n).map(|t| Poly::dot(&x, &Poly::vector(&t)).collected()))
        };
        if model.is_particle(body) {
            let l = Vector3::zeros();
            return Ok(Self {
                pair: Some((Collider::Bead { body }, b)),
                gap: height(&l, offset + model.body(body).radius).collected(),
                across: place(&l),
                rolls: None,
                beside: Vec::new(),
                others: Vec::new(),
                name: format!("{name} on {wall_name}"),
            });
        }
        let Some(shape) = &model.body(body).shape else {
            return Err(fault(format!("body {name} has no shape that could touch")));
        };
        let pose = &poses[body.index()];
        let mut lowest: Option<(usize, usize, f64)> = None;
        for part in 0..shape.vertices().len() {
            let (points, radius) = ball::points(model, body, part)?;
            for (k, p) in points.points().iter().enumerate() {
                let below = pose.point(p).dot(n) - radius;
                if lowest.is_none_or(|l| below < l.2) {
                    lowest = Some((part, k, below));
                }
            }
        }
        let Some((part, vertex, _)) = lowest else {
            return Err(fault(format!("body {name} has no vertices")));
        };
        Ok(Self::vertex_on_wall(model, body, wall, part, vertex))
    }

    /// Ways along which what touches rubs.
    pub fn rubs(&self) -> Option<[Push; 2]> {
        let fixed = self
            .across
            .as_ref()
            .map(|ways| ways.clone().map(Push::from));
        fixed.or_else(|| self.rolls.clone())
    }

    /// The part of the first body that touches.
    pub fn part(&self) -> Option<usize> {
        match self.pair {
            Some((Collider::Part { part, .. }, _)) => Some(part),
            _ => None,
        }
    }

    /// A vertex of the first body on a face of the second, given by three of its vertices.
    pub fn vertex_on_face(
        model: &Model,
        bodies: [(BodyId, &Vertices); 2],
        vertex: usize,
        face: &[usize],
    ) -> Option<Self> {
        on_face(model, bodies, vertex, face)
    }

    /// A vertex of a body with a shape on a half-space, or a point of a round one. Where that touches is not fixed in
    /// the body: it has no place that could stick.
    pub fn vertex_on_wall(
        model: &Model,
        body: BodyId,
        wall: usize,
        part: usize,
        vertex: usize,
    ) -> Self {
        let side = &model.contact().walls[wall];
        let (name, wall_name) = (&model.body(body).name, &side.name);
        let (n, offset) = (side.half_space.normal(), side.half_space.offset());
        let (points, radius) = gaps::hull(model, &Collider::Part { body, part });
        let hull = points;
        let points = hull.points();
        let height = |l: &Vector3<f64>| {
            let x = Poly::point(model, body, l);
            let below = Poly::constant(-offset - radius);
            Poly::dot(&x, &Poly::vector(n)).plus(&below).collected()
        };
        let x = Poly::point(model, body, &points[vertex]);
        let others = points.iter().enumerate().filter(|(k, _)| *k != vertex);
        Self {
            pair: Some((
                Collider::Part { body, part },
                Collider::Wall { index: wall },
            )),
            gap: height(&points[vertex]),
            across: (radius == 0.0)
                .then(|| tangents(n).map(|t| Poly::dot(&x, &Poly::vector(&t)).collected())),
            rolls: (radius > 0.0).then(|| {
                let plane = Plane {
                    of: None,
                    normal: *n,
                    foot: Vector3::zeros(),
                };
                ball::rolls(model, (body, &x, radius), &plane)
            }),
            beside: Vec::new(),
            others: others
                .map(|(k, p)| Other::vertex(hull, k, &[vertex], height(p), name))
                .collect(),
            name: match points.len() {
                1 if radius > 0.0 => format!("{name} on {wall_name}"),
                _ => format!("vertex {vertex} of {name} on {wall_name}"),
            },
        }
    }

    fn of_bodies(
        model: &Model,
        a: BodyId,
        b: BodyId,
        poses: &[Pose],
    ) -> Result<Self, OptimiseError> {
        let names = [a, b].map(|id| model.body(id).name.clone());
        match [a, b].map(|id| Ball::of(model, id)) {
            [Some(x), Some(y)] => return Ok(ball::on_ball(model, &x, &y)),
            [Some(x), None] => return ball::on_face(model, &x, b, poses),
            [None, Some(y)] => return ball::on_face(model, &y, a, poses),
            [None, None] => {}
        }
        if let Some(k) = [a, b].iter().position(|id| ball::has_round(model, *id)) {
            return Err(OptimiseError::Unsupported {
                what: format!(
                    "a planned contact of {} and {}: {} is round",
                    names[0], names[1], names[k]
                ),
                fix: "let a ball meet a half-space, a face of a polytope or another ball".into(),
            });
        }
        let shapes = [a, b].map(|id| model.body(id).shape.as_ref());
        let [Some(sa), Some(sb)] = shapes else {
            return Err(OptimiseError::Unsupported {
                what: format!("a planned impact of {} and {}", names[0], names[1]),
                fix: "both bodies need a shape, or must be beads".into(),
            });
        };
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..sa.vertices().len() {
            for j in 0..sb.vertices().len() {
                let pair = Pair::Bodies(
                    Collider::Part { body: a, part: i },
                    Collider::Part { body: b, part: j },
                );
                let value = gaps::evaluate(model, &pair, poses, &mut None).value;
                if best.is_none_or(|(least, ..)| value < least) {
                    best = Some((value, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else {
            return Err(fault(format!("{} has no vertices", names[0])));
        };
        let (va, vb) = (&sa.vertices()[i], &sb.vertices()[j]);
        let (pa, pb) = (&poses[a.index()], &poses[b.index()]);
        let planar = va.is_planar() && vb.is_planar();
        let beta = centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar);
        let found = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, &mut None);
        let mut of = [Vec::new(), Vec::new()];
        for (side, index) in found.spanning() {
            of[usize::from(side == Side::B)].push(index as usize);
        }
        let pair = Some((
            Collider::Part { body: a, part: i },
            Collider::Part { body: b, part: j },
        ));
        let lost = || {
            fault(format!(
                "{} and {} face no side of each other",
                names[0], names[1]
            ))
        };
        match (of[0].len(), of[1].len()) {
            (1, 2 | 3) => {
                let mut out =
                    on_face(model, [(a, va), (b, vb)], of[0][0], &of[1]).ok_or_else(lost)?;
                out.pair = pair;
                Ok(out)
            }
            (2 | 3, 1) => {
                let mut out =
                    on_face(model, [(b, vb), (a, va)], of[1][0], &of[0]).ok_or_else(lost)?;
                out.pair = pair;
                Ok(out)
            }
            (2, 2) => {
                let mut out = on_edge(model, [(a, va), (b, vb)], [pa, pb], &of).ok_or_else(lost)?;
                out.pair = pair;
                Ok(out)
            }
            _ => Err(lost()),
        }
    }

    /// sin(α − limit) of a hinge, or the way to the limit of a slide.
    fn at_limit(
        model: &Model,
        place: usize,
        coordinate: usize,
        upper: bool,
    ) -> Result<Self, OptimiseError> {
        let joint = &model.joints()[place];
        let limits = joint.limits.get(coordinate).copied().flatten();
        let Some(limits) = limits else {
            return Err(OptimiseError::Invalid {
                what: format!("joint {} has no limit to hit", joint.name),
                fix: "give it limits = [least, largest]".into(),
            });
        };
        let (limit, sign) = if upper {
            (limits[1], -1.0)
        } else {
            (limits[0], 1.0)
        };
        let turned = |v: &Vector3<f64>| match joint.parent {
            Some(p) => arrow(model, p, v),
            None => Poly::vector(v),
        };
        let [t1, t2] = &joint.across;
        let gap = match joint.kind {
            JointKind::Revolute => {
                let inner = joint.relative.tr_mul(t1);
                let ahead = t2 * limit.cos() - t1 * limit.sin();
                Poly::dot(&arrow(model, joint.child, &inner), &turned(&ahead))
            }
            JointKind::Prismatic => {
                let to = Poly::point(model, joint.child, &joint.anchor_child);
                let from = match joint.parent {
                    Some(p) => Poly::point(model, p, &joint.anchor_parent),
                    None => Poly::vector(&joint.anchor_parent),
                };
                let way = Poly::dot(&minus(&to, &from), &turned(&joint.axis));
                way.plus(&Poly::constant(-limit))
            }
            _ => {
                return Err(OptimiseError::Unsupported {
                    what: format!("a planned impact at the limit of joint {}", joint.name),
                    fix: "plan impacts at limits of revolute and prismatic joints".into(),
                });
            }
        };
        let word = if upper { "upper" } else { "lower" };
        Ok(Self {
            pair: None,
            gap: gap.times(sign).collected(),
            across: None,
            rolls: None,
            beside: Vec::new(),
            others: Vec::new(),
            name: format!("the {word} limit of joint {}", joint.name),
        })
    }
}

/// A vertex of the first body on a face (or an edge of a flat one) of the second.
fn on_face(
    model: &Model,
    [(a, va), (b, vb)]: [(BodyId, &Vertices); 2],
    vertex: usize,
    face: &[usize],
) -> Option<Feature> {
    let p = vb.points();
    let base = p[face[0]];
    let normal = match face {
        [_, i, j] => (p[*i] - base).cross(&(p[*j] - base)),
        [_, i] => (p[*i] - base).cross(&Vector3::z()),
        _ => return None,
    };
    if normal.norm() <= 1e-12 {
        return None;
    }
    // The body lies below its face.
    let below = (vb.mean() - base).dot(&normal);
    let normal = normal.normalize() * -below.signum();
    let n = arrow(model, b, &normal);
    let foot = Poly::point(model, b, &base);
    let over = |k: usize| minus(&Poly::point(model, a, &va.points()[k]), &foot);
    let others = (0..va.points().len()).filter(|k| *k != vertex);
    let d = over(vertex);
    let [name_a, name_b] = [a, b].map(|id| &model.body(id).name);
    // All of the face, whichever three of its vertices the program found.
    let flat = |k: &usize| (p[*k] - base).dot(&normal).abs() <= 1e-9 * vb.reach();
    let list: Vec<usize> = (0..p.len()).filter(flat).collect();
    Some(Feature {
        pair: None,
        gap: Poly::dot(&n, &d).collected(),
        across: Some(tangents(&normal).map(|t| Poly::dot(&arrow(model, b, &t), &d).collected())),
        rolls: None,
        beside: Vec::new(),
        others: others
            .map(|k| {
                let height = Poly::dot(&n, &over(k)).collected();
                Other::vertex(va, k, &[vertex], height, name_a)
            })
            .collect(),
        name: format!("vertex {vertex} of {name_a} on the face of {name_b} with vertices {list:?}"),
    })
}

/// An edge of each body.
fn on_edge(
    model: &Model,
    [(a, va), (b, vb)]: [(BodyId, &Vertices); 2],
    poses: [&Pose; 2],
    of: &[Vec<usize>; 2],
) -> Option<Feature> {
    let (pa, pb) = (va.points(), vb.points());
    let (ea, eb) = (pa[of[0][1]] - pa[of[0][0]], pb[of[1][1]] - pb[of[1][0]]);
    let normal = (poses[0].directors * ea).cross(&(poses[1].directors * eb));
    let size = normal.norm();
    if size <= 1e-9 * ea.norm() * eb.norm() {
        return None;
    }
    let apart = poses[0].point(va.mean()) - poses[1].point(vb.mean());
    let factor = normal.dot(&apart).signum() / size;
    let n = Poly::cross(&arrow(model, a, &ea), &arrow(model, b, &eb));
    let (xa, xb) = (
        Poly::point(model, a, &pa[of[0][0]]),
        Poly::point(model, b, &pb[of[1][0]]),
    );
    let above = |x: &[Poly; 3], from: &[Poly; 3], f: f64| {
        Poly::dot(&n, &minus(x, from)).times(f * factor).collected()
    };
    let [name_a, name_b] = [a, b].map(|id| &model.body(id).name);
    let mut others = Vec::new();
    for k in (0..pa.len()).filter(|k| !of[0].contains(k)) {
        let height = above(&Poly::point(model, a, &pa[k]), &xb, 1.0);
        others.push(Other::vertex(va, k, &of[0], height, name_a));
    }
    for k in (0..pb.len()).filter(|k| !of[1].contains(k)) {
        let height = above(&Poly::point(model, b, &pb[k]), &xa, -1.0);
        others.push(Other::vertex(vb, k, &of[1], height, name_b));
    }
    let sorted = of.clone().map(|mut list| {
        list.sort_unstable();
        list
    });
    Some(Feature {
        pair: None,
        gap: above(&xa, &xb, 1.0),
        across: None,
        rolls: None,
        beside: Vec::new(),
        others,
        name: format!(
            "edge {:?} of {name_a} on edge {:?} of {name_b}",
            sorted[0], sorted[1]
        ),
    })
}
