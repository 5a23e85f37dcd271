//! Sweeps over the points: each made right in turn, with the others as they are.

use super::laws::shorten;
use super::{Grip, Point, Scale};
use crate::contact::mass::Entry;
use crate::contact::rows::Rows;

/// Degrees of freedom of a body.
const BODY: usize = 6;

/// The rows of points that push one or two whole bodies, side by side.
#[derive(Debug, Default)]
pub(super) struct Stencils {
    /// Of each point; none if it pushes anything else.
    all: Vec<Option<Place>>,
    lines: Vec<Line>,
}

/// Where the rows of a point act.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// First degree of freedom of each body.
    starts: [usize; 2],
    bodies: usize,
    /// The first of its lines.
    first: usize,
}

/// g and M⁻¹g of a row, over the degrees of freedom of both bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    gradient: [f64; 2 * BODY],
    response: [f64; 2 * BODY],
}

/// The rows of one point.
#[derive(Clone, Copy)]
pub(super) struct Stencil<'a> {
    place: &'a Place,
    lines: &'a [Line],
}

impl Stencils {
    /// Takes over the rows of some points.
    pub fn set(&mut self, points: &[Point], rows: &Rows) {
        self.all.clear();
        self.lines.clear();
        for p in points {
            let place = self.add(p, rows);
            self.all.push(place);
        }
    }

    /// The rows of a point, if they push whole bodies.
    #[inline]
    pub fn of(&self, point: usize) -> Option<Stencil<'_>> {
        let place = self.all[point].as_ref()?;
        let lines = &self.lines[place.first..];
        Some(Stencil { place, lines })
    }

    fn add(&mut self, p: &Point, rows: &Rows) -> Option<Place> {
        let first = rows.entries(p.first);
        let bodies = first.len() / BODY;
        if !first.len().is_multiple_of(BODY) || !(1..=2).contains(&bodies) {
            return None;
        }
        let whole = |part: &[Entry]| {
            let start = part[0].freedom;
            part.iter().enumerate().all(|(k, e)| e.freedom == start + k)
        };
        let place = Place {
            starts: [first[0].freedom, first[(bodies - 1) * BODY].freedom],
            bodies,
            first: self.lines.len(),
        };
        if bodies == 2 && place.starts[0] == place.starts[1] {
            return None;
        }
        let fits = |row: usize| {
            let entries = rows.entries(row);
            entries.len() == first.len() && entries.chunks_exact(BODY).all(whole)
        };
        let own = p.first..p.first + p.rows;
        if !own.clone().all(fits) {
            return None;
        }
        for row in own {
            let mut line = Line::default();
            for (at, e) in rows.entries(row).iter().enumerate() {
                line.gradient[at] = e.gradient;
                line.response[at] = e.response;
            }
            self.lines.push(line);
        }
        Some(place)
    }
}

impl Stencil<'_> {
    /// Impulses and rates of the point.
    #[inline]
    pub fn values(&self, p: &Point, rows: &Rows, nu: &[f64]) -> ([f64; 3], [f64; 3]) {
        let v = self.load(nu);
        let (mut lambda, mut w) = ([0.0; 3], [0.0; 3]);
        for k in 0..p.rows {
            lambda[k] = rows.lambda[p.first + k];
            w[k] = self.rate(k, &v) + p.bias[k];
        }
        (lambda, w)
    }

    /// Velocities of the bodies.
    #[inline]
    fn load(&self, nu: &[f64]) -> [f64; 2 * BODY] {
        let [a, b] = self.place.starts;
        let mut v = [0.0; 2 * BODY];
        v[..BODY].copy_from_slice(&nu[a..a + BODY]);
        if self.place.bodies == 2 {
            v[BODY..].copy_from_slice(&nu[b..b + BODY]);
        }
        v
    }

    #[inline]
    fn store(&self, v: &[f64; 2 * BODY], nu: &mut [f64]) {
        let [a, b] = self.place.starts;
        nu[a..a + BODY].copy_from_slice(&v[..BODY]);
        if self.place.bodies == 2 {
            nu[b..b + BODY].copy_from_slice(&v[BODY..]);
        }
    }

    /// ⟨g, ν⟩ of a row, in two halves that are summed side by side.
    #[inline]
    fn rate(&self, k: usize, v: &[f64; 2 * BODY]) -> f64 {
        let g = &self.lines[k].gradient;
        let mut sums = [0.0; 4];
        for i in 0..3 {
            for (j, sum) in sums.iter_mut().enumerate() {
                *sum += g[4 * i + j] * v[4 * i + j];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline]
    fn push(&self, k: usize, change: f64, v: &mut [f64; 2 * BODY]) {
        for (x, r) in v.iter_mut().zip(&self.lines[k].response) {
            *x += change * r;
        }
    }
}

/// What a sweep goes over: points with their scales and their rows on whole bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<'a> {
    pub points: &'a [Point],
    pub scales: &'a [Scale],
    pub stencils: &'a Stencils,
}

impl Course<'_> {
    /// One sweep, forwards or backwards; returns the largest change of a rate.
    pub fn sweep(&self, rows: &mut Rows, nu: &mut [f64], backwards: bool) -> f64 {
        let count = self.points.len();
        let mut largest: f64 = 0.0;
        for at in 0..count {
            let k = if backwards { count - 1 - at } else { at };
            let (p, s) = (&self.points[k], &self.scales[k]);
            let first = p.first;
            let moved = match self.stencils.of(k) {
                Some(stencil) => {
                    let v = stencil.load(nu);
                    let mut bodies = Bodies { stencil, first, v };
                    let moved = relax(p, s, rows, &mut bodies);
                    if moved > 0.0 {
                        stencil.store(&bodies.v, nu);
                    }
                    moved
                }
                None => relax(p, s, rows, nu),
            };
            largest = largest.max(moved);
        }
        largest
    }
}

/// The velocities that the rows of a point see and change.
trait Velocities {
    /// ⟨g, ν⟩ of a row.
    fn rate(&self, rows: &Rows, row: usize) -> f64;
    /// ν += δ M⁻¹g, and the multiplier with it.
    fn add(&mut self, rows: &mut Rows, row: usize, delta: f64);
}

/// Those of one or two bodies, at hand.
struct Bodies<'a> {
    stencil: Stencil<'a>,
    first: usize,
    v: [f64; 2 * BODY],
}

impl Velocities for Bodies<'_> {
    #[inline]
    fn rate(&self, _: &Rows, row: usize) -> f64 {
        self.stencil.rate(row - self.first, &self.v)
    }

    #[inline]
    fn add(&mut self, rows: &mut Rows, row: usize, delta: f64) {
        rows.lambda[row] += delta;
        self.stencil.push(row - self.first, delta, &mut self.v);
    }
}

/// Those of the whole model.
impl Velocities for [f64] {
    #[inline]
    fn rate(&self, rows: &Rows, row: usize) -> f64 {
        rows.rate(row, self)
    }

    #[inline]
    fn add(&mut self, rows: &mut Rows, row: usize, delta: f64) {
        rows.add(row, delta, self);
    }
}

/// λ ← proj(λ − ρ w), the normal first, then across with the new normal.
#[inline(always)]
fn relax(p: &Point, s: &Scale, rows: &mut Rows, v: &mut (impl Velocities + ?Sized)) -> f64 {
    let mut moved: f64 = 0.0;
    match p.grip {
        Grip::Cone { friction } => {
            if s.rho[0] == 0.0 {
                return 0.0;
            }
            let normal = step(p, s, rows, v, 0, s.rho[0]).max(0.0);
            put(p, rows, v, 0, normal, &mut moved);
            if p.rows == 3 && s.rho[1] > 0.0 {
                let y = [
                    step(p, s, rows, v, 1, s.rho[1]),
                    step(p, s, rows, v, 2, s.rho[1]),
                ];
                let [a, b] = shorten(y, friction * normal);
                put(p, rows, v, 1, a, &mut moved);
                put(p, rows, v, 2, b, &mut moved);
            }
        }
        Grip::Disc { limit } => {
            if s.rho[1] > 0.0 {
                let y = [
                    step(p, s, rows, v, 0, s.rho[1]),
                    step(p, s, rows, v, 1, s.rho[1]),
                ];
                let [a, b] = shorten(y, limit);
                put(p, rows, v, 0, a, &mut moved);
                put(p, rows, v, 1, b, &mut moved);
            }
        }
        Grip::Held => {
            for k in 0..p.rows {
                let weight = rows.weight(p.first + k);
                if weight > 0.0 {
                    let y = step(p, s, rows, v, k, 1.0 / weight);
                    put(p, rows, v, k, y, &mut moved);
                }
            }
        }
        Grip::Resists { limit } => {
            if s.rho[0] > 0.0 {
                let y = step(p, s, rows, v, 0, s.rho[0]);
                put(p, rows, v, 0, y.clamp(-limit, limit), &mut moved);
            }
        }
    }
    moved
}

/// λ − ρ (w + c λ) of a row.
#[inline(always)]
fn step(
    p: &Point,
    s: &Scale,
    rows: &Rows,
    v: &(impl Velocities + ?Sized),
    k: usize,
    rho: f64,
) -> f64 {
    let row = p.first + k;
    let lambda = rows.lambda[row];
    lambda - rho * (v.rate(rows, row) + p.bias[k] + s.give * lambda)
}

/// Gives a row its impulse; keeps the largest change of a rate.
#[inline(always)]
fn put(
    p: &Point,
    rows: &mut Rows,
    v: &mut (impl Velocities + ?Sized),
    k: usize,
    value: f64,
    moved: &mut f64,
) {
    let row = p.first + k;
    let change = value - rows.lambda[row];
    if change != 0.0 {
        v.add(rows, row, change);
        *moved = moved.max(change.abs() * rows.weight(row));
    }
}
