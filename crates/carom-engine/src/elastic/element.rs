//! One element: a tetrahedron, or a triangle in plane strain, with linear interpolation.
//!
//! With the gradients g_a = ∇N_a of the shape functions at rest, F = Σ x_a g_aᵀ is constant in the
//! element, its energy is V W(F), and the force on node a is −V P g_a. A triangle is the same with
//! g_a in its plane and e_z e_zᵀ added to F. Forces sum to zero as the gradients do, and so do their
//! moments as P Fᵀ is symmetric: both momenta are kept to round-off.

use nalgebra::{Matrix3, Vector3};

use super::{Damping, MeshError, NeoHookean};

/// Places (or forces, or velocities) of the corners of an element; of a triangle the last counts
/// for nothing.
pub type Corners = [Vector3<f64>; 4];

/// An element at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Its nodes; a triangle repeats its first.
    pub nodes: [u32; 4],
    /// ∇N_1, ∇N_2, ∇N_3; ∇N_0 is minus their sum.
    gradients: [Vector3<f64>; 3],
    /// Volume at rest; of a triangle area times thickness.
    pub volume: f64,
    /// What is added to F: e_z e_zᵀ for triangles.
    across: f64,
}

impl Element {
    /// A tetrahedron with its first three corners counter-clockwise seen from outside the fourth: a
    /// positive volume. `number` names it in errors.
    pub fn tetrahedron(nodes: [u32; 4], at: &Corners, number: usize) -> Result<Self, MeshError> {
        let edges = Matrix3::from_columns(&[at[1] - at[0], at[2] - at[0], at[3] - at[0]]);
        let six = edges.determinant();
        let longest = (0..4)
            .flat_map(|i| (0..i).map(move |j| (at[i] - at[j]).norm()))
            .fold(0.0, f64::max);
        check(six, longest.powi(3), number)?;
        let inverse = edges.try_inverse().ok_or(MeshError::Flat { number })?;
        let row = |k: usize| inverse.row(k).transpose();
        Ok(Self {
            nodes,
            gradients: [row(0), row(1), row(2)],
            volume: six / 6.0,
            across: 0.0,
        })
    }

    /// A triangle in a plane of constant z, counter-clockwise seen from above.
    pub fn triangle(
        nodes: [u32; 3],
        at: &[Vector3<f64>; 3],
        thickness: f64,
        number: usize,
    ) -> Result<Self, MeshError> {
        let (a, b) = (at[1] - at[0], at[2] - at[0]);
        let twice = a.x * b.y - a.y * b.x;
        let longest = a.norm().max(b.norm()).max((a - b).norm());
        check(twice, longest * longest, number)?;
        let gradient = |x: f64, y: f64| Vector3::new(x / twice, y / twice, 0.0);
        Ok(Self {
            nodes: [nodes[0], nodes[1], nodes[2], nodes[0]],
            gradients: [gradient(b.y, -b.x), gradient(-a.y, a.x), Vector3::zeros()],
            volume: 0.5 * twice * thickness,
            across: 1.0,
        })
    }

    /// Whether it is a triangle.
    pub fn is_planar(&self) -> bool {
        self.across != 0.0
    }

    /// How many corners it has.
    pub fn corners(&self) -> usize {
        if self.is_planar() { 3 } else { 4 }
    }

    /// ∇N of all corners.
    fn all_gradients(&self) -> Corners {
        let [b, c, d] = self.gradients;
        [-(b + c + d), b, c, d]
    }

    /// Σ x_a g_aᵀ, from differences: a body far away is as exact as one at the origin.
    #[inline]
    fn spread(&self, x: &Corners) -> Matrix3<f64> {
        let [b, c, d] = &self.gradients;
        let mut f = (x[1] - x[0]) * b.transpose() + (x[2] - x[0]) * c.transpose();
        if self.across == 0.0 {
            f += (x[3] - x[0]) * d.transpose();
        }
        f
    }

    /// Deformation gradient F.
    #[inline]
    pub fn deformation(&self, x: &Corners) -> Matrix3<f64> {
        let mut f = self.spread(x);
        f[(2, 2)] += self.across;
        f
    }

    /// −V P g_a at all corners.
    #[inline]
    fn pull(&self, stress: &Matrix3<f64>, factor: f64) -> Corners {
        let p = stress * (-self.volume * factor);
        let [b, c, d] = &self.gradients;
        let (b, c, d) = (p * b, p * c, p * d);
        [-(b + c + d), b, c, d]
    }

    /// Energy V W(F).
    #[inline]
    pub fn energy(&self, material: &NeoHookean, x: &Corners) -> f64 {
        self.volume * material.energy(&self.deformation(x))
    }

    /// Forces on the corners.
    #[inline]
    pub fn forces(&self, material: &NeoHookean, x: &Corners) -> Corners {
        self.pull(&material.stress(&self.deformation(x)), 1.0)
    }

    /// Energy, and forces on the corners: the same numbers as one by one.
    #[inline]
    pub fn energy_and_forces(&self, material: &NeoHookean, x: &Corners) -> (f64, Corners) {
        let (energy, stress) = material.energy_and_stress(&self.deformation(x));
        (self.volume * energy, self.pull(&stress, 1.0))
    }

    /// Calls `each` with corners a, b and ∂²E/∂x_a ∂x_b.
    pub fn stiffness(
        &self,
        material: &NeoHookean,
        x: &Corners,
        mut each: impl FnMut(usize, usize, &Matrix3<f64>),
    ) {
        let (inverse, rest) = material.linearised(&self.deformation(x));
        let g = self.all_gradients();
        let n = self.corners();
        let turned = g.map(|g| inverse * g);
        for a in 0..n {
            for b in 0..n {
                // V [ μ g_a·g_b I + (μ − λ ln J) ĝ_b ĝ_aᵀ + λ ĝ_a ĝ_bᵀ ] with ĝ = F⁻ᵀ g
                let mut k = turned[b] * turned[a].transpose() * rest
                    + turned[a] * turned[b].transpose() * material.lambda;
                k += Matrix3::identity() * (material.mu * g[a].dot(&g[b]));
                k *= self.volume;
                if self.across != 0.0 {
                    // Nothing acts across the plane.
                    k.row_mut(2).fill(0.0);
                    k.column_mut(2).fill(0.0);
                }
                each(a, b, &k);
            }
        }
    }

    /// Viscous forces β at a configuration and velocities of the corners: stress F S with
    /// S = β (λ tr Ė I + 2 μ Ė), Ė = sym(Fᵀ Ḟ).
    #[inline]
    pub fn damping(
        &self,
        material: &NeoHookean,
        damping: &Damping,
        x: &Corners,
        v: &Corners,
    ) -> Corners {
        let (f, rate) = (self.deformation(x), self.spread(v));
        let strain = symmetric(&f.tr_mul(&rate));
        self.pull(&(f * material.hooke(&strain)), damping.stiffness)
    }

    /// Calls `each` with corners a, b and the change of the viscous force on a where v_b changes by
    /// dx and x_b by `moves` dx.
    pub fn damping_change(
        &self,
        material: &NeoHookean,
        damping: &Damping,
        [x, v]: [&Corners; 2],
        moves: f64,
        mut each: impl FnMut(usize, usize, &Matrix3<f64>),
    ) {
        let (f, rate) = (self.deformation(x), self.spread(v));
        let stress = material.hooke(&symmetric(&f.tr_mul(&rate)));
        let g = self.all_gradients();
        let n = self.corners();
        let dims = if self.is_planar() { 2 } else { 3 };
        for b in 0..n {
            let mut columns = [[Vector3::zeros(); 3]; 4];
            for i in 0..dims {
                // dF = moves e_i g_bᵀ and dḞ = e_i g_bᵀ
                let mut one = Matrix3::zeros();
                one.set_row(i, &g[b].transpose());
                let strain = symmetric(&(f.tr_mul(&one) + (one * moves).tr_mul(&rate)));
                let change = one * moves * stress + f * material.hooke(&strain);
                let pulled = self.pull(&change, damping.stiffness);
                for a in 0..n {
                    columns[a][i] = pulled[a];
                }
            }
            for (a, columns) in columns.iter().enumerate().take(n) {
                each(a, b, &Matrix3::from_columns(columns));
            }
        }
    }

    /// The largest ω² of the element on its own at rest, its mass shared by its corners: no mode of
    /// the body has a larger one.
    pub fn stiffest(&self, material: &NeoHookean, density: f64) -> f64 {
        // Non-zero eigenvalues of M⁻¹ Bᵀ C B are those of C^½ (B M⁻¹ Bᵀ) C^½, in Kelvin's notation
        // of strains (√2 on shears), where C has √(2 μ) and √(3 λ + 2 μ) on its eigenspaces.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let g = self.all_gradients();
        let n = self.corners();
        let mut b = nalgebra::SMatrix::<f64, 6, 12>::zeros();
        for (a, g) in g.iter().enumerate().take(n) {
            for i in 0..3 {
                b[(i, 3 * a + i)] = g[i];
            }
            for (row, (i, j)) in [(0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
                b[(3 + row, 3 * a + i)] = half * g[j];
                b[(3 + row, 3 * a + j)] = half * g[i];
            }
        }
        let mut root = nalgebra::SMatrix::<f64, 6, 6>::identity() * (2.0 * material.mu).sqrt();
        let bulk = (3.0 * material.lambda + 2.0 * material.mu).max(0.0).sqrt();
        let more = (bulk - (2.0 * material.mu).sqrt()) / 3.0;
        for i in 0..3 {
            for j in 0..3 {
                root[(i, j)] += more;
            }
        }
        let weighed = root * b;
        let all = (weighed * weighed.transpose()).symmetric_eigenvalues();
        all.max() * n as f64 / density
    }
}

#[inline]
fn symmetric(m: &Matrix3<f64>) -> Matrix3<f64> {
    (m + m.transpose()) * 0.5
}

/// Volumes must be positive, and no less than 1e-9 of the longest edge to its power.
fn check(volume: f64, size: f64, number: usize) -> Result<(), MeshError> {
    if !volume.is_finite() {
        return Err(MeshError::NotFinite { number });
    }
    if volume.abs() <= 1e-9 * size {
        return Err(MeshError::Flat { number });
    }
    if volume < 0.0 {
        return Err(MeshError::Inverted { number });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATERIAL: NeoHookean = NeoHookean {
        lambda: 5.0,
        mu: 3.0,
    };
    const DAMPING: Damping = Damping {
        mass: 0.0,
        stiffness: 0.7,
    };

    /// A tetrahedron and a triangle, with deformed corners and velocities.
    fn samples() -> Vec<(Element, Corners, Corners)> {
        let rest = [
            Vector3::new(0.1, 0.0, 0.2),
            Vector3::new(1.0, 0.1, 0.0),
            Vector3::new(0.2, 1.1, -0.1),
            Vector3::new(0.0, 0.3, 1.2),
        ];
        let moved = [
            Vector3::new(0.2, 0.1, 0.1),
            Vector3::new(1.3, 0.0, 0.2),
            Vector3::new(0.1, 1.0, 0.2),
            Vector3::new(0.2, 0.4, 1.0),
        ];
        let speeds = [
            Vector3::new(0.3, -0.4, 0.1),
            Vector3::new(-0.2, 0.5, 0.7),
            Vector3::new(0.1, 0.2, -0.6),
            Vector3::new(0.9, -0.3, 0.2),
        ];
        let flat = |x: &Corners| x.map(|v| Vector3::new(v.x, v.y, 0.5));
        let still = |x: &Corners| x.map(|v| Vector3::new(v.x, v.y, 0.0));
        let three = [flat(&rest)[0], flat(&rest)[1], flat(&rest)[2]];
        vec![
            (
                Element::tetrahedron([0, 1, 2, 3], &rest, 0).unwrap(),
                moved,
                speeds,
            ),
            (
                Element::triangle([0, 1, 2], &three, 0.3, 0).unwrap(),
                flat(&moved),
                still(&speeds),
            ),
        ]
    }

    #[test]
    fn forces_and_stiffness_are_derivatives_of_the_energy() {
        let e = 1e-6;
        for (element, x, _) in samples() {
            let forces = element.forces(&MATERIAL, &x);
            let mut stiffness = [[Matrix3::zeros(); 4]; 4];
            element.stiffness(&MATERIAL, &x, |a, b, k| stiffness[a][b] = *k);
            let dims = if element.is_planar() { 2 } else { 3 };
            for b in 0..element.corners() {
                for i in 0..dims {
                    let nudged = |by: f64| {
                        let mut x = x;
                        x[b][i] += by;
                        x
                    };
                    let (up, down) = (nudged(e), nudged(-e));
                    let slope = (element.energy(&MATERIAL, &up) - element.energy(&MATERIAL, &down))
                        / (2.0 * e);
                    assert!((slope + forces[b][i]).abs() < 1e-8);
                    let (up, down) = (
                        element.forces(&MATERIAL, &up),
                        element.forces(&MATERIAL, &down),
                    );
                    for a in 0..element.corners() {
                        let numeric = (down[a] - up[a]) / (2.0 * e);
                        let exact = stiffness[a][b].column(i);
                        assert!((numeric - exact).norm() < 1e-7, "{a} {b} {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn viscous_forces_keep_momenta_take_energy_and_have_exact_derivatives() {
        let e = 1e-6;
        for (element, x, v) in samples() {
            let n = element.corners();
            let forces = element.damping(&MATERIAL, &DAMPING, &x, &v);
            let sum: Vector3<f64> = forces[..n].iter().sum();
            let moment: Vector3<f64> = (0..n).map(|a| x[a].cross(&forces[a])).sum();
            let power: f64 = (0..n).map(|a| v[a].dot(&forces[a])).sum();
            assert!(sum.norm() < 1e-14 && moment.norm() < 1e-14 && power < -1e-3);
            // A turn as a whole is felt by none.
            let turn = Vector3::new(0.0, 0.0, 0.8);
            let turning = x.map(|x| turn.cross(&x));
            let felt = element.damping(&MATERIAL, &DAMPING, &x, &turning);
            assert!(felt.iter().all(|f| f.norm() < 1e-14));
            for moves in [0.0, 0.5] {
                let mut exact = [[Matrix3::zeros(); 4]; 4];
                element.damping_change(&MATERIAL, &DAMPING, [&x, &v], moves, |a, b, k| {
                    exact[a][b] = *k
                });
                let dims = if element.is_planar() { 2 } else { 3 };
                for b in 0..n {
                    for i in 0..dims {
                        let nudged = |by: f64| {
                            let (mut x, mut v) = (x, v);
                            x[b][i] += moves * by;
                            v[b][i] += by;
                            element.damping(&MATERIAL, &DAMPING, &x, &v)
                        };
                        let (up, down) = (nudged(e), nudged(-e));
                        for a in 0..n {
                            let numeric = (up[a] - down[a]) / (2.0 * e);
                            assert!((numeric - exact[a][b].column(i)).norm() < 1e-7);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_stiffest_mode_is_that_of_stiffness_and_mass() {
        for (element, _, _) in samples() {
            let rest = rest_of(&element);
            let n = 3 * element.corners();
            let mut k = nalgebra::DMatrix::zeros(n, n);
            element.stiffness(&MATERIAL, &rest, |a, b, block| {
                k.view_mut((3 * a, 3 * b), (3, 3)).copy_from(block);
            });
            let mass = element.volume * 2.0 / element.corners() as f64;
            let largest = (k / mass).symmetric_eigenvalues().max();
            let found = element.stiffest(&MATERIAL, 2.0);
            assert!(
                (found - largest).abs() < 1e-9 * largest,
                "{found} {largest}"
            );
        }
    }

    /// Corners at rest, up to a shift: F = I.
    fn rest_of(element: &Element) -> Corners {
        let g = Matrix3::from_rows(&element.gradients.map(|g| g.transpose()));
        let mut g = g;
        if element.is_planar() {
            g[(2, 2)] = 1.0;
        }
        let edges = g.try_inverse().unwrap();
        let corner = |k: usize| edges.column(k).into_owned();
        let last = if element.is_planar() {
            Vector3::zeros()
        } else {
            corner(2)
        };
        [Vector3::zeros(), corner(0), corner(1), last]
    }

    #[test]
    fn flat_and_inverted_elements_are_refused_by_number() {
        let mut at = [
            Vector3::zeros(),
            Vector3::x(),
            Vector3::y(),
            Vector3::new(0.3, 0.3, 0.0),
        ];
        let made = |at: &Corners| Element::tetrahedron([0, 1, 2, 3], at, 7);
        assert_eq!(made(&at), Err(MeshError::Flat { number: 7 }));
        at[3].z = -1.0;
        assert_eq!(made(&at), Err(MeshError::Inverted { number: 7 }));
        at[3].z = f64::NAN;
        assert_eq!(made(&at), Err(MeshError::NotFinite { number: 7 }));
        at[3].z = 1.0;
        assert!((made(&at).unwrap().volume - 1.0 / 6.0).abs() < 1e-15);
    }
}
