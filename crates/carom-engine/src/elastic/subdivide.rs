//! Simplices cut into smaller ones that fit together (Freudenthal): a simplex with ordered corners is
//! {n ≥ x₁ ≥ x₂ ≥ x₃ ≥ 0}, and every cube of that lattice is cut along its diagonal.

use std::collections::HashMap;

use nalgebra::Vector3;

/// Place of a new node: weights of the corners of the coarse mesh, in parts of n.
pub(super) type Weights = Vec<(u32, u32)>;

/// Cuts simplices of N corners (3: triangles, 4: tetrahedra) into n parts along every edge. Returns
/// the weights of all nodes, and the cells.
pub(super) fn subdivide<const N: usize>(
    cells: &[[u32; N]],
    n: usize,
) -> (Vec<Weights>, Vec<[u32; N]>) {
    let d = N - 1;
    let mut nodes: Vec<Weights> = Vec::new();
    let mut known: HashMap<Weights, u32> = HashMap::new();
    let mut out = Vec::new();
    let orders = permutations(d);
    for cell in cells {
        // Neighbours agree on the order of the corners they share.
        let mut corners = *cell;
        corners.sort_unstable();
        let flipped = !is_even(cell, &corners);
        let mut node = |x: &[usize]| {
            let mut weights: Weights = Vec::new();
            for (k, &corner) in corners.iter().enumerate() {
                let above = if k == 0 { n } else { x[k - 1] };
                let below = if k == d { 0 } else { x[k] };
                if above > below {
                    weights.push((corner, (above - below) as u32));
                }
            }
            *known.entry(weights.clone()).or_insert_with(|| {
                nodes.push(weights);
                nodes.len() as u32 - 1
            })
        };
        for base in 0..n.pow(d as u32) {
            let base: Vec<usize> = (0..d).map(|k| base / n.pow(k as u32) % n).collect();
            for (order, even) in &orders {
                let mut x = base.clone();
                let mut path = vec![x.clone()];
                for &k in order {
                    x[k] += 1;
                    path.push(x.clone());
                }
                let inside = |x: &Vec<usize>| x.windows(2).all(|w| w[0] >= w[1]);
                if path.iter().all(inside) {
                    let mut small = [0; N];
                    for (slot, x) in small.iter_mut().zip(&path) {
                        *slot = node(x);
                    }
                    // Each step of the path adds an edge: its order tells the orientation.
                    if *even == flipped {
                        small.swap(0, 1);
                    }
                    out.push(small);
                }
            }
        }
    }
    (nodes, out)
}

/// Where nodes are: weighted means of the corners.
pub(super) fn places(nodes: &[Weights], corners: &[Vector3<f64>], n: usize) -> Vec<Vector3<f64>> {
    let place = |weights: &Weights| {
        let sum: Vector3<f64> = (weights.iter())
            .map(|(corner, w)| corners[*corner as usize] * f64::from(*w))
            .sum();
        sum / n as f64
    };
    nodes.iter().map(place).collect()
}

/// All orders of 0..d, and whether each is even.
fn permutations(d: usize) -> Vec<(Vec<usize>, bool)> {
    match d {
        2 => vec![(vec![0, 1], true), (vec![1, 0], false)],
        _ => vec![
            (vec![0, 1, 2], true),
            (vec![1, 2, 0], true),
            (vec![2, 0, 1], true),
            (vec![0, 2, 1], false),
            (vec![2, 1, 0], false),
            (vec![1, 0, 2], false),
        ],
    }
}

/// Whether an even number of swaps leads from one order to the other.
fn is_even<const N: usize>(from: &[u32; N], to: &[u32; N]) -> bool {
    let mut from = *from;
    let mut even = true;
    for k in 0..N {
        let at = from.iter().position(|x| *x == to[k]).unwrap_or(k);
        if at != k {
            from.swap(at, k);
            even = !even;
        }
    }
    even
}
