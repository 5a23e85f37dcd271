//! Newton systems of bodies that act on each other or close loops.
//!
//! Unknowns are the joint velocities ν⁺ of the cluster and the multipliers λ of its loops,
//!
//! ```text
//! [ Pᵀ(q) K P(q⁺)   −Cᵀ(q) ] [ν]     [ r ]
//! [ C(q⁺)             0    ] [λ] = − [ g ],   C = G P.
//! ```
//!
//! Dense, or sparse where there are elastic bodies.

use carom_gap::Pose;
use nalgebra::{Matrix6, Vector6};

use crate::mechanics::{
    Block, Row, StepFrame, TreeSolver, joint_frame, joint_rows, point_block, row_count,
    solid_stiffnesses, wrench_vector,
};
use crate::model::{Joint, JointKind, Model};
use crate::simulate::cluster::Cluster;
use crate::simulate::sparse::Matrix;

/// Up to this many unknowns systems are dense.
pub(super) const DENSE_LIMIT: usize = 600;

/// The same of elastic bodies, whose nodes have few neighbours.
const DENSE_ELASTIC: usize = 60;

/// Unknowns of a cluster and the bodies they move.
#[derive(Debug, Default)]
struct Layout {
    /// Degrees of freedom of the model in the order of this cluster's unknowns.
    dofs: Vec<usize>,
    /// For each body of the cluster: its index, and the unknowns that move it.
    bodies: Vec<(usize, Vec<usize>)>,
    /// Position in `bodies` of a body.
    place: Vec<usize>,
}

/// Columns of P for each body of a cluster, one per unknown that moves it.
type Columns = Vec<Vec<Vector6<f64>>>;

impl Layout {
    fn new(model: &Model, cluster: &Cluster) -> Self {
        let mut dofs = Vec::new();
        let mut bodies: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut place = vec![usize::MAX; model.bodies().len()];
        for &j in &cluster.joints {
            let joint = &model.joints()[j];
            let mut moved = joint
                .parent
                .map_or(Vec::new(), |p| bodies[place[p.index()]].1.clone());
            for k in 0..model.joint_freedom(j) {
                moved.push(dofs.len());
                dofs.push(model.offsets[j] + k);
            }
            place[joint.child.index()] = bodies.len();
            bodies.push((joint.child.index(), moved));
        }
        Self {
            dofs,
            bodies,
            place,
        }
    }

    /// P at a configuration.
    fn columns(&self, model: &Model, cluster: &Cluster, poses: &[Pose], out: &mut Columns) {
        for (at, &j) in cluster.joints.iter().enumerate() {
            let joint = &model.joints()[j];
            let frame = joint_frame(model, poses, joint);
            let inherited = self.bodies[at].1.len() - frame.freedom;
            for k in 0..inherited {
                let t = out[self.place[joint.parent.map_or(0, |p| p.index())]][k];
                let w = t.fixed_rows::<3>(3).into_owned();
                let v = t.fixed_rows::<3>(0) + w.cross(&frame.lever);
                let w = if joint.kind == JointKind::Rod {
                    w * 0.0
                } else {
                    w
                };
                out[at][k] = Vector6::new(v.x, v.y, v.z, w.x, w.y, w.z);
            }
            for k in 0..frame.freedom {
                out[at][inherited + k] = frame.columns[k].vector();
            }
        }
    }

    /// A row of C = G P: each unknown that moves the bodies of a loop, and its entry.
    fn each_entry(
        &self,
        joint: &Joint,
        row: &Row,
        poses: &[Pose],
        columns: &Columns,
        mut enter: impl FnMut(usize, f64),
    ) {
        for (body, covector) in [(joint.parent, &row.parent), (Some(joint.child), &row.child)] {
            let Some(b) = body else { continue };
            let w = wrench_vector(&covector.wrench(&poses[b.index()].directors));
            let place = self.place[b.index()];
            for (column, &unknown) in columns[place].iter().zip(&self.bodies[place].1) {
                enter(unknown, column.dot(&w));
            }
        }
    }
}

/// Storage of one coupled cluster.
#[derive(Debug, Default)]
pub(super) struct Coupled {
    layout: Layout,
    /// P at q and at q⁺.
    left: Columns,
    right: Columns,
    /// Multipliers of the loops, as impulses.
    pub lambda: Vec<f64>,
    loops: Vec<f64>,
    rows: Vec<Row>,
    matrix: Matrix,
    rhs: Vec<f64>,
    /// Unknowns and degrees of freedom of gears, and their ratios.
    gears: Vec<Gear>,
}

/// θ₁ − ratio θ₂ = 0.
#[derive(Clone, Copy, Debug)]
struct Gear {
    /// Unknown, degree of freedom and factor of both.
    sides: [(usize, usize, f64); 2],
}

impl Coupled {
    pub fn new(model: &Model, cluster: &Cluster) -> Self {
        let layout = Layout::new(model, cluster);
        let closures = cluster.closures.iter();
        let loops: usize = closures.map(|&c| row_count(model.closures()[c].kind)).sum();
        let bodies = layout.bodies.iter();
        let storage: Columns = bodies
            .map(|(_, moved)| vec![Vector6::zeros(); moved.len()])
            .collect();
        let loops = loops + cluster.couplings.len();
        let n = layout.dofs.len() + loops;
        let gears = cluster.couplings.iter().map(|&c| {
            let coupling = &model.couplings()[c];
            let unknown = |f: usize| layout.dofs.iter().position(|d| *d == f).unwrap_or(0);
            let [a, b] = coupling.freedoms;
            Gear {
                sides: [(unknown(a), a, 1.0), (unknown(b), b, -coupling.ratio)],
            }
        });
        Self {
            gears: gears.collect(),
            layout,
            left: storage.clone(),
            right: storage,
            lambda: vec![0.0; loops],
            loops: vec![0.0; loops],
            rows: Vec::with_capacity(loops),
            matrix: match cluster.share.solids.is_empty() || n <= DENSE_ELASTIC {
                true => Matrix::dense(n),
                false => Matrix::default(),
            },
            rhs: vec![0.0; n],
        }
    }

    pub fn unknowns(&self) -> usize {
        self.rhs.len()
    }

    /// Before a step.
    pub fn reset(&mut self) {
        self.lambda.fill(0.0);
        self.matrix.forget();
    }

    /// Whether a matrix of this step is factorised already.
    pub fn has_factors(&self) -> bool {
        self.matrix.has_factors()
    }

    /// Adds −Cᵀ(q) λ to the residual and returns the size of the loops' gaps (scaled alike); joint
    /// coordinates move by u.
    pub fn add_loops(
        &mut self,
        model: &Model,
        cluster: &Cluster,
        (poses, next): (&[Pose], &[Pose]),
        u: &[f64],
        residual: &mut [f64],
    ) -> f64 {
        let layout = &self.layout;
        layout.columns(model, cluster, poses, &mut self.left);
        self.rows.clear();
        for &c in &cluster.closures {
            joint_rows(&model.closures()[c], next, &mut self.rows);
        }
        for (g, row) in self.loops.iter_mut().zip(&self.rows) {
            *g = row.value;
        }
        let mut at = 0;
        for &c in &cluster.closures {
            let joint = &model.closures()[c];
            self.rows.clear();
            joint_rows(joint, poses, &mut self.rows);
            for row in &self.rows {
                let lambda = self.lambda[at];
                at += 1;
                layout.each_entry(joint, row, poses, &self.left, |unknown, entry| {
                    residual[layout.dofs[unknown]] -= lambda * entry;
                });
            }
        }
        for gear in &self.gears {
            self.loops[at] = gear.sides.iter().map(|(_, f, factor)| factor * u[*f]).sum();
            for (_, f, factor) in gear.sides {
                residual[f] -= self.lambda[at] * factor;
            }
            at += 1;
        }
        self.loops.iter().fold(0.0, |m: f64, g| m.max(g.abs()))
    }

    /// Solves for ν (into the residual) and updates λ. The tree holds the bodies' own blocks.
    pub fn solve(
        &mut self,
        model: &Model,
        cluster: &Cluster,
        tree: &mut TreeSolver,
        blocks: &[Block],
        frame: &StepFrame,
        residual: &mut [f64],
    ) -> bool {
        let (poses, next) = (frame.poses, frame.next);
        self.layout.columns(model, cluster, poses, &mut self.left);
        self.layout.columns(model, cluster, next, &mut self.right);
        let n = self.unknowns();
        let m = self.layout.dofs.len();
        self.matrix.clear();
        for at in 0..self.layout.bodies.len() {
            let own = *tree.block(self.layout.bodies[at].0);
            self.add_block(at, at, &own);
        }
        for b in blocks.iter().filter(|b| b.row != b.column) {
            let place = &self.layout.place;
            let (row, column) = (place[b.row.index()], place[b.column.index()]);
            if row != usize::MAX && column != usize::MAX {
                self.add_block(row, column, &b.matrix);
            }
        }
        self.add_solids(model, cluster, frame);
        for (k, &d) in self.layout.dofs.iter().enumerate() {
            self.rhs[k] = residual[d];
            self.matrix.add(k, k, tree.stiff()[d]);
        }
        self.add_loop_rows(model, cluster, poses, next);
        self.rhs[m..].copy_from_slice(&self.loops);
        // Loops are often closed by more rows than needed (a planar four-bar in space). A little
        // compliance picks the least multipliers; the residual is exact, so loops still close.
        let stiffest = match &self.matrix {
            Matrix::Dense { entries, .. } => (0..m)
                .map(|k| entries[k * n + k].abs())
                .fold(f64::MIN_POSITIVE, f64::max),
            Matrix::Sparse(_) => (self.layout.bodies.iter())
                .map(|(k, _)| tree.block(*k).amax())
                .fold(f64::MIN_POSITIVE, f64::max),
        };
        for k in m..n {
            self.matrix.add(k, k, 1e-9 / stiffest);
        }
        self.matrix.solve(&mut self.rhs) && self.hand_out(residual)
    }

    /// The same with the matrix of an iteration before.
    pub fn solve_again(&mut self, residual: &mut [f64]) -> bool {
        let m = self.layout.dofs.len();
        for (r, &d) in self.rhs.iter_mut().zip(&self.layout.dofs) {
            *r = residual[d];
        }
        self.rhs[m..].copy_from_slice(&self.loops);
        self.matrix.solve_again(&mut self.rhs) && self.hand_out(residual)
    }

    /// ν goes to the residual, λ is updated.
    fn hand_out(&mut self, residual: &mut [f64]) -> bool {
        let (nu, lambda) = self.rhs.split_at(self.layout.dofs.len());
        for (nu, &d) in nu.iter().zip(&self.layout.dofs) {
            residual[d] = *nu;
        }
        for (l, d) in self.lambda.iter_mut().zip(lambda) {
            *l -= d;
        }
        true
    }

    /// Puts C(q⁺) and −Cᵀ(q) into the matrix.
    fn add_loop_rows(&mut self, model: &Model, cluster: &Cluster, poses: &[Pose], next: &[Pose]) {
        let (layout, matrix) = (&self.layout, &mut self.matrix);
        let mut first = layout.dofs.len();
        for &c in &cluster.closures {
            let joint = &model.closures()[c];
            self.rows.clear();
            joint_rows(joint, next, &mut self.rows);
            for (i, row) in (first..).zip(&self.rows) {
                layout.each_entry(joint, row, next, &self.right, |unknown, entry| {
                    matrix.add(i, unknown, entry);
                });
            }
            self.rows.clear();
            joint_rows(joint, poses, &mut self.rows);
            for (i, row) in (first..).zip(&self.rows) {
                layout.each_entry(joint, row, poses, &self.left, |unknown, entry| {
                    matrix.add(unknown, i, -entry);
                });
            }
            first += self.rows.len();
        }
        for (i, gear) in (first..).zip(&self.gears) {
            for (unknown, _, factor) in gear.sides {
                matrix.add(i, unknown, factor);
                matrix.add(unknown, i, -factor);
            }
        }
    }

    /// Puts the stiffness of elements into the matrix.
    fn add_solids(&mut self, model: &Model, cluster: &Cluster, frame: &StepFrame) {
        if cluster.share.solids.is_empty() {
            return;
        }
        solid_stiffnesses(model, &cluster.share, frame, |a, b, k| {
            let (Some(p), Some(q)) = (a.body, b.body) else {
                return;
            };
            let (row, column) = (self.layout.place[p.index()], self.layout.place[q.index()]);
            if model.is_particle(p) && model.is_particle(q) {
                let rows = &self.layout.bodies[row].1;
                for (j, &c) in self.layout.bodies[column].1.iter().enumerate() {
                    for (i, &r) in rows.iter().enumerate() {
                        self.matrix.add(r, c, k[(i, j)]);
                    }
                }
            } else {
                let r = frame.poses[p.index()].directors * a.local;
                let r_next = frame.next[q.index()].directors * b.local;
                self.add_block(row, column, &point_block(&r, k, &r_next));
            }
        });
    }

    /// matrix += Lᵀ B R for the bodies at two places.
    fn add_block(&mut self, row: usize, column: usize, block: &Matrix6<f64>) {
        for (k, &j) in self.layout.bodies[column].1.iter().enumerate() {
            let pushed = block * self.right[column][k];
            for (l, &i) in self.layout.bodies[row].1.iter().enumerate() {
                self.matrix.add(i, j, self.left[row][l].dot(&pushed));
            }
        }
    }
}
