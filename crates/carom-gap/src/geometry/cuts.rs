//! Cuts of voxels into nearly convex pieces, as in V-HACD (K. Mamou, "Volumetric hierarchical approximate
//! convex decomposition", Game Engine Gems 3, 2016).
//!
//! A piece whose hull holds much more than its voxels is cut in two by the plane across an axis that leaves
//! the least hollows, and so on with both halves. Every plane between voxels is considered, by the exact
//! volumes of the hulls on both sides.

use super::voxel_hull::{Line, Sweep, outline};

/// Weights of unequal halves, and of cuts across an axis of symmetry, against the hollows that a cut leaves: rings,
/// bowls and wavy balls got the fewest parts and the least errors with these. Without the latter rings are sliced.
const BALANCE: f64 = 0.1;
const SYMMETRY: f64 = 0.02;
/// Whether a piece is convex is told by every so many voxels of its surface: the hull of all is larger by
/// the stairs of slanted faces, which are no hollows.
const SAMPLING: usize = 4;

/// A voxel.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) at: [i32; 3],
    /// Whether it is at the border of its piece.
    pub(super) surface: bool,
}

/// The first and the last voxel of a piece along each axis.
pub(super) type Bounds = [[i32; 3]; 2];

/// A cut across an axis, above a layer of voxels, and what it costs.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    after: i32,
    cost: f64,
}

/// The bounds of the pieces after so many rounds of cuts; those with hollows of at most `concavity` of the
/// whole hull are not cut.
pub(super) fn cut(cells: Vec<Cell>, concavity: f64, rounds: u32) -> Vec<Bounds> {
    let mut sweep = Sweep::default();
    let mut whole = None;
    let mut done = Vec::new();
    let mut pieces = vec![cells];
    for _ in 0..rounds {
        for piece in std::mem::take(&mut pieces) {
            let Some(bounds) = bounds_of(&piece) else {
                continue;
            };
            let surface = piece.iter().filter(|c| c.surface).step_by(SAMPLING);
            let hull = volume(sweep.volumes(&outlines(surface, 0, &bounds)).last());
            let whole = *whole.get_or_insert(hull);
            let hollow = (hull - piece.len() as f64).abs() / whole;
            let cut = match hollow > concavity {
                true => best_cut(&piece, &bounds, hollow, whole, &mut sweep),
                false => None,
            };
            match cut {
                Some(cut) => pieces.extend(halves(&piece, &cut)),
                None => done.push(bounds),
            }
        }
    }
    done.extend(pieces.iter().filter_map(|piece| bounds_of(piece)));
    done
}

fn bounds_of(cells: &[Cell]) -> Option<Bounds> {
    let both = cells.iter().map(|c| [c.at, c.at]);
    both.reduce(|[low, high], [c, _]| {
        [
            std::array::from_fn(|k| low[k].min(c[k])),
            std::array::from_fn(|k| high[k].max(c[k])),
        ]
    })
}

/// The outlines of the layers across an axis.
fn outlines<'a>(
    cells: impl Iterator<Item = &'a Cell>,
    axis: usize,
    [low, high]: &Bounds,
) -> Vec<Vec<[i32; 2]>> {
    let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
    let [layers, width, _] = axes.map(|k| (high[k] - low[k] + 1) as usize);
    let mut lines: Vec<Line> = vec![None; layers * width];
    for c in cells {
        let [layer, u, v] = axes.map(|k| c.at[k] - low[k]);
        let line = &mut lines[layer as usize * width + u as usize];
        let [first, end] = line.unwrap_or([v, v + 1]);
        *line = Some([first.min(v), end.max(v + 1)]);
    }
    lines.chunks(width).map(outline).collect()
}

/// A volume in voxels, from six times as much.
fn volume(sixfold: Option<&i64>) -> f64 {
    sixfold.map_or(0.0, |&v| v as f64 / 6.0)
}

/// The cheapest of all cuts, the first of several; none for a single voxel.
fn best_cut(
    cells: &[Cell],
    bounds: &Bounds,
    hollow: f64,
    whole: f64,
    sweep: &mut Sweep,
) -> Option<Cut> {
    let mut best: Option<Cut> = None;
    let (across, likeness) = symmetry(cells);
    for axis in 0..3 {
        let mut outlines = outlines(cells.iter(), axis, bounds);
        let mut counts = vec![0u32; outlines.len()];
        for c in cells {
            counts[(c.at[axis] - bounds[0][axis]) as usize] += 1;
        }
        let below = sweep.volumes(&outlines);
        outlines.reverse();
        let mut above = sweep.volumes(&outlines);
        above.reverse();

        let mut lower = 0;
        for k in 1..outlines.len() {
            lower += counts[k - 1];
            let voxels = [f64::from(lower), cells.len() as f64 - f64::from(lower)];
            let hulls = [volume(below.get(k - 1)), volume(above.get(k))];
            // Hollows that are left; the rest counts the less the more convex the piece is.
            let left = (hulls[0] - voxels[0] + hulls[1] - voxels[1]) / whole;
            let balance = BALANCE * (voxels[0] - voxels[1]).abs() / whole;
            let symmetry = if axis == across {
                SYMMETRY * likeness
            } else {
                0.0
            };
            let cost = left + hollow * (balance + symmetry);
            if best.is_none_or(|b| cost < b.cost) {
                let after = bounds[0][axis] + k as i32 - 1;
                best = Some(Cut { axis, after, cost });
            }
        }
    }
    best
}

/// The axis about which a piece is most like a body of revolution, and how much, up to 1. Cuts across it keep
/// the hollows of a ring or a bowl: its halves have as much as the whole.
fn symmetry(cells: &[Cell]) -> (usize, f64) {
    // Variances along the axes.
    let mean = |of: &dyn Fn(&Cell) -> f64| cells.iter().map(of).sum::<f64>() / cells.len() as f64;
    let spread: [f64; 3] = std::array::from_fn(|k| {
        let center = mean(&|c| f64::from(c.at[k]));
        mean(&|c| (f64::from(c.at[k]) - center).powi(2))
    });
    let others = |axis: usize| [spread[(axis + 1) % 3], spread[(axis + 2) % 3]];
    let unlike = |axis: usize| others(axis).into_iter().reduce(|a, b| (a - b).powi(2));
    let unlike: [f64; 3] = std::array::from_fn(|axis| unlike(axis).unwrap_or(0.0));
    let axis = (0..3).min_by(|&a, &b| unlike[a].total_cmp(&unlike[b]));
    let axis = axis.unwrap_or(0);
    let size: f64 = others(axis).iter().map(|x| x * x).sum();
    let likeness = if size > 0.0 {
        1.0 - unlike[axis] / size
    } else {
        0.0
    };
    (axis, likeness)
}

/// The voxels below and above a cut; those along it are surface then.
fn halves(cells: &[Cell], &Cut { axis, after, .. }: &Cut) -> [Vec<Cell>; 2] {
    let marked = cells.iter().map(|c| Cell {
        surface: c.surface || (after..=after + 1).contains(&c.at[axis]),
        ..*c
    });
    let (below, above) = marked.partition(|c| c.at[axis] <= after);
    [below, above]
}
