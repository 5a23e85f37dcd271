//! What touches where two bodies meet by plan, or is nearest to it: found at the poses of a guess.

use carom_gap::Pose;
use carom_gap::gap::{Posed, Side, centre_direction, gap};
use nalgebra::Vector3;

use super::avoid::gaps;
use super::ball::{self, Ball};
use super::contact_point::{ContactPoint, Surfaces, tangents};
use super::error::OptimiseError;
use super::face::face_along;
use super::feature::{Feature, Other, fault, on_edge, on_face};
use super::meeting::Meeting;
use super::poly::Poly;
use crate::contact::{Collider, Pair};
use crate::model::{BodyId, Model};

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
                pair: Some(Pair::Bodies(Collider::Bead { body }, b)),
                gap: height(&l, offset + model.body(body).radius).collected(),
                across: place(&l),
                moves: None,
                crossing: None,
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
            pair: Some(Pair::Bodies(
                Collider::Part { body, part },
                Collider::Wall { index: wall },
            )),
            gap: height(&points[vertex]),
            across: (radius == 0.0)
                .then(|| tangents(n).map(|t| Poly::dot(&x, &Poly::vector(&t)).collected())),
            moves: (radius > 0.0).then(|| {
                let surfaces = Surfaces::OnPlane {
                    centre: points[vertex],
                    radius,
                    normal: *n,
                };
                ContactPoint::frame(model, [Some(body), None], surfaces)
            }),
            crossing: None,
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
            [Some(x), Some(y)] => return Ok(ball::on_ball(model, [&x, &y], poses)),
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
        let bodies = [(a, va), (b, vb)];
        let feature = match (of[0].len(), of[1].len()) {
            (1, 2 | 3) => on_face(model, bodies, of[0][0], &of[1]),
            (2 | 3, 1) => on_face(model, [bodies[1], bodies[0]], of[1][0], &of[0]),
            (2, 2) => on_edge(model, bodies, [pa, pb], &of),
            _ => None,
        };
        // Where faces lie on faces, or edges beside each other, the program may end at what says nothing: then the nearest
        // vertex of the first on the face of the second.
        let feature = feature.or_else(|| {
            let normal = found.contact.normal();
            let ground = face_along(vb, &pb.directors.tr_mul(&normal));
            let height = |k: &usize| pa.point(&va.points()[*k]).dot(&normal);
            let lowest = (0..va.points().len()).min_by(|x, y| height(x).total_cmp(&height(y)))?;
            on_face(model, bodies, lowest, &ground[..ground.len().min(3)])
        });
        let mut out = feature.ok_or_else(|| {
            fault(format!(
                "{} and {} face no side of each other",
                names[0], names[1]
            ))
        })?;
        out.pair = Some(Pair::Bodies(
            Collider::Part { body: a, part: i },
            Collider::Part { body: b, part: j },
        ));
        Ok(out)
    }
}
