//! Volumes of the hulls of voxels, slab by slab.
//!
//! A sweep along an axis takes in the voxels slab after slab and tells the volume of the hull after each:
//! all the cuts across the axis for the price of one hull. Corners of voxels are small whole numbers, so
//! that orientations and volumes are exact. Of a slab only the corners of its outline's hull count.
//!
//! A new point is never below the highest plane with points of the hull. Where it is outside, it is
//! strictly beyond a facet with a corner in that plane: else it would lie in the cones of the hull at
//! all corners there, whose common part in the plane is the hull's own. These facets are the ones made since
//! the plane was reached, and nothing else is searched. (That the facets a point is strictly beyond form a
//! disc is shown in `hull.rs`.)

/// The first voxel of each line of a slab, and the one after the last; empty lines have none.
pub(super) type Line = Option<[i32; 2]>;

/// Corners of the hull of a slab's outline, counter-clockwise; none for an empty slab.
pub(super) fn outline(lines: &[Line]) -> Vec<[i32; 2]> {
    // Corners lie between the lines: of those on either side the outermost counts.
    let ends = (0..=lines.len()).filter_map(|u| {
        let beside = [u.checked_sub(1), Some(u)].map(|k| *lines.get(k?)?);
        let [low, high] = beside
            .into_iter()
            .flatten()
            .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        Some((u as i32, low, high))
    });
    let mut below: Vec<[i32; 2]> = Vec::new();
    let mut above: Vec<[i32; 2]> = Vec::new();
    for (u, low, high) in ends {
        extend(&mut below, [u, low], 1);
        extend(&mut above, [u, high], -1);
    }
    above.reverse();
    below.extend(above);
    below
}

/// One step of a monotone chain that turns to one side.
fn extend(chain: &mut Vec<[i32; 2]>, p: [i32; 2], side: i32) {
    while let [.., a, b] = chain[..] {
        let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        if turn * side > 0 {
            break;
        }
        chain.pop();
    }
    chain.push(p);
}

#[derive(Clone, Copy)]
struct Facet {
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// Facet across the edge from corner k to corner k + 1.
    across: [u32; 3],
    normal: [i32; 3],
    offset: i32,
    alive: bool,
}

impl Facet {
    /// Six times the volume of the tetrahedron over this facet, positive where it is seen from outside.
    fn volume_to(&self, p: &[i32; 3]) -> i32 {
        let [a, b, c] = self.normal;
        a * p[0] + b * p[1] + c * p[2] - self.offset
    }
}

/// The hull of a sweep; to be used for many, one after the other.
#[derive(Default)]
pub(super) struct Sweep {
    points: Vec<[i32; 3]>,
    facets: Vec<Facet>,
    /// Six times the volume.
    volume: i64,
    /// The highest plane with points, and how many facets there were before it.
    top: i32,
    before_top: usize,
    /// Facets to look at; edges between what a point sees and the facets that stay; the new facet that
    /// starts at a point.
    seen: Vec<u32>,
    horizon: Vec<([u32; 2], u32)>,
    starts: Vec<u32>,
}

impl Sweep {
    /// Six times the volumes of the hulls of the slabs up to each one, by their outlines.
    pub(super) fn volumes(&mut self, outlines: &[Vec<[i32; 2]>]) -> Vec<i64> {
        self.points.clear();
        self.facets.clear();
        self.volume = 0;
        let slabs = (0..).zip(outlines);
        slabs
            .map(|(height, outline)| {
                self.add_slab(height, outline);
                self.volume
            })
            .collect()
    }

    /// Takes in the lower and the upper corners of a slab.
    fn add_slab(&mut self, height: i32, outline: &[[i32; 2]]) {
        let [a, b, c, ..] = *outline else { return };
        let at = |height: i32, [u, v]: [i32; 2]| [height, u, v];
        if self.facets.is_empty() {
            let apex = at(height + 1, a);
            self.start([at(height, a), at(height, b), at(height, c), apex]);
        }
        // Corners far apart first: the later ones see few facets.
        let bits = usize::BITS - outline.len().next_power_of_two().trailing_zeros();
        for height in [height, height + 1] {
            for k in 0..outline.len().next_power_of_two() {
                let k = k.reverse_bits() >> bits;
                if let Some(&p) = outline.get(k) {
                    self.add(at(height, p));
                }
            }
        }
    }

    /// The tetrahedron of four points, of which the last is above the plane of the others.
    fn start(&mut self, points: [[i32; 3]; 4]) {
        self.points.extend(points);
        let base = self.facet([0, 1, 2], [0; 3]);
        let volume = base.volume_to(&points[3]);
        let [b, c] = if volume > 0 { [2, 1] } else { [1, 2] };
        self.volume = i64::from(volume.abs());
        // Edges: 0–b, b–c, c–0, and to the apex.
        for (corners, across) in [
            ([0, b, c], [1, 2, 3]),
            ([b, 0, 3], [0, 3, 2]),
            ([c, b, 3], [0, 1, 3]),
            ([0, c, 3], [0, 2, 1]),
        ] {
            let facet = self.facet(corners, across);
            self.facets.push(facet);
        }
        self.top = points[3][0];
        self.before_top = 0;
    }

    fn facet(&self, corners: [u32; 3], across: [u32; 3]) -> Facet {
        let [a, b, c] = corners.map(|k| self.points[k as usize]);
        let [p, q]: [[i32; 3]; 2] = [b, c].map(|x| std::array::from_fn(|k| x[k] - a[k]));
        let normal = [
            p[1] * q[2] - p[2] * q[1],
            p[2] * q[0] - p[0] * q[2],
            p[0] * q[1] - p[1] * q[0],
        ];
        Facet {
            corners,
            across,
            normal,
            offset: normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2],
            alive: true,
        }
    }

    /// Takes in a point that is not below the top.
    fn add(&mut self, p: [i32; 3]) {
        let sees = |f: &Facet| f.alive && f.volume_to(&p) > 0;
        let Some(first) = self.facets[self.before_top..].iter().rposition(sees) else {
            return;
        };
        let first = self.before_top + first;
        if p[0] > self.top {
            self.top = p[0];
            self.before_top = self.facets.len();
        }

        // Facets that the point sees go; what was between them and the point is the volume gained.
        self.horizon.clear();
        self.seen.clear();
        self.seen.push(first as u32);
        self.facets[first].alive = false;
        while let Some(gone) = self.seen.pop() {
            let gone = self.facets[gone as usize];
            self.volume += i64::from(gone.volume_to(&p));
            for k in 0..3 {
                let next = &mut self.facets[gone.across[k] as usize];
                if !next.alive {
                    continue;
                }
                if next.volume_to(&p) > 0 {
                    next.alive = false;
                    self.seen.push(gone.across[k]);
                } else {
                    let edge = [gone.corners[k], gone.corners[(k + 1) % 3]];
                    self.horizon.push((edge, gone.across[k]));
                }
            }
        }

        // New facets from the horizon to the point.
        let apex = self.points.len() as u32;
        self.points.push(p);
        self.starts
            .resize(self.points.len().max(self.starts.len()), 0);
        let base = self.facets.len() as u32;
        for (id, &([from, to], kept)) in (base..).zip(&self.horizon) {
            let facet = self.facet([from, to, apex], [kept, 0, 0]);
            self.facets.push(facet);
            self.starts[from as usize] = id;
            let kept = &mut self.facets[kept as usize];
            let side = kept.corners.iter().position(|&c| c == to);
            kept.across[side.unwrap_or(0)] = id;
        }
        for (id, &([_, to], _)) in (base..).zip(&self.horizon) {
            let next = self.starts[to as usize];
            self.facets[id as usize].across[1] = next;
            self.facets[next as usize].across[2] = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Polytope;
    use nalgebra::Vector3;

    #[test]
    fn volumes_are_those_of_the_hulls() {
        // Lines of voxels here and there, some slabs empty.
        let mut seed = 1u32;
        let mut next = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        let mut sweep = Sweep::default();
        for _ in 0..40 {
            let slabs: Vec<Vec<Line>> = (0..12)
                .map(|_| {
                    let rare = 1 + next(12);
                    (0..9)
                        .map(|_| {
                            let [from, many] = [next(9), 1 + next(5)].map(|x| x as i32);
                            (next(rare) == 0 && rare < 9).then_some([from, from + many])
                        })
                        .collect()
                })
                .collect();
            let outlines: Vec<_> = slabs.iter().map(|lines| outline(lines)).collect();
            let found = sweep.volumes(&outlines);
            let mut points = Vec::new();
            for (height, (lines, sixfold)) in slabs.iter().zip(found).enumerate() {
                for (u, [from, to]) in
                    (lines.iter().enumerate()).filter_map(|(u, l)| Some((u, (*l)?)))
                {
                    points.extend((0..8).map(|k| {
                        let v = [from, to][k / 4];
                        Vector3::new((height + k % 2) as f64, (u + k / 2 % 2) as f64, v as f64)
                    }));
                }
                let expected = match points.is_empty() {
                    true => 0.0,
                    false => Polytope::hull(&points).unwrap().mass_properties().volume,
                };
                let found = sixfold as f64 / 6.0;
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}
