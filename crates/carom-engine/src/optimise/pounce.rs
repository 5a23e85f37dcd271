//! The interior-point solver of `pounce-rs` behind [`NlpSolver`].

use std::cell::RefCell;
use std::rc::Rc;

use pounce_linsol::SparseSymLinearSolverInterface;
use pounce_rs::pounce_algorithm::alg_builder::{LinearBackendFactory, LinearSolverChoice};
use pounce_rs::pounce_algorithm::application::{
    Ma57Config, default_backend_factory, feral_config_from_options,
};
use pounce_rs::pounce_restoration::resto_alg_builder::RestoAlgorithmBuilder;
use pounce_rs::pounce_restoration::resto_inner_solver::{
    InnerBackendFactoryFactory, make_default_restoration_factory_provider,
};
use pounce_rs::{
    AlgorithmMode, ApplicationReturnStatus as Code, BoundsInfo, IndexStyle, IpoptApplication,
    IpoptCq, IpoptData, IterStats, NlpInfo, Solution as Found, SparsityRequest, StartingPoint,
    TNLP,
};

use super::curvature;
use super::kkt::{Condensing, Structure, Trials};
use super::near;
use super::nlp::{
    Descent, Iteration, Leaf, Multipliers, Nlp, NlpSolver, Pattern, Response, Solution,
    SolverSettings, SolverStatus, Watch,
};

/// Bounds beyond this count as none.
const INFINITE: f64 = 2e19;

/// What a restoration phase makes smaller falls at least to this part of itself where it gets anywhere.
const FALLS: f64 = 0.95;

/// Violation, as the program is scaled, up to which an iterate counts as feasible.
const FEASIBLE: f64 = 1e-6;

/// Primal-dual interior point method with a filter line search (Ipopt's algorithm).
#[derive(Clone, Copy, Debug, Default)]
pub struct InteriorPoint;

impl NlpSolver for InteriorPoint {
    fn solve(
        &self,
        program: Rc<RefCell<dyn Nlp>>,
        settings: &SolverSettings,
        watch: Option<Watch>,
    ) -> Solution {
        let start = program.borrow().start();
        let structure = structure(&*program.borrow());
        let warm = program.borrow().multipliers().is_some();
        let adapter = Rc::new(RefCell::new(Adapter {
            program,
            watch,
            seen: start.clone(),
            x: start,
            best: None,
            multipliers: Multipliers::default(),
            iterations: 0,
            trials: Trials::default(),
            patience: settings.patience,
            restoring: None,
            stuck: false,
        }));
        let systems = (structure, adapter.borrow().trials.clone());
        let mut application = IpoptApplication::new();
        let status = match set_up(&mut application, settings, warm, systems) {
            Ok(()) => {
                let problem: Rc<RefCell<dyn TNLP>> = adapter.clone();
                status_of(application.optimize_tnlp(problem))
            }
            Err(reason) => SolverStatus::Failed(reason),
        };
        let adapter = adapter.borrow();
        let status = if adapter.stuck {
            SolverStatus::Infeasible
        } else {
            status
        };
        let ended = matches!(status, SolverStatus::Solved | SolverStatus::Acceptable);
        let x = match &adapter.best {
            Some(best) if !ended => &best.x,
            _ => &adapter.x,
        };
        Solution {
            status,
            x: x.clone(),
            multipliers: adapter.multipliers.clone(),
            iterations: adapter.iterations,
        }
    }

    fn solve_near(
        &self,
        program: &Rc<RefCell<dyn Nlp>>,
        settings: &SolverSettings,
        watch: Option<Watch>,
    ) -> Result<Solution, usize> {
        let structure = structure(&*program.borrow());
        let inner = linear_solver().ok_or(0_usize)?;
        let mut solver = Condensing::new(inner, structure, Trials::default());
        near::solve(&mut *program.borrow_mut(), settings, watch, &mut solver)
    }

    fn shared(&self) -> Option<Rc<dyn NlpSolver>> {
        Some(Rc::new(*self))
    }

    fn responses(
        &self,
        program: &Rc<RefCell<dyn Nlp>>,
        x: &[f64],
        multipliers: &Multipliers,
        pushes: &[Response],
    ) -> Option<Vec<Response>> {
        let mut solver = linear_solver()?;
        curvature::responses(
            &mut *program.borrow_mut(),
            x,
            multipliers,
            pushes,
            &mut *solver,
        )
    }

    fn descent(
        &self,
        program: &Rc<RefCell<dyn Nlp>>,
        x: &[f64],
        multipliers: &Multipliers,
    ) -> Option<Descent> {
        let mut solver = linear_solver()?;
        curvature::descent(&mut *program.borrow_mut(), x, multipliers, &mut *solver)
    }
}

/// A fresh solver of symmetric linear systems that knows their inertia.
fn linear_solver() -> Option<Box<dyn SparseSymLinearSolverInterface>> {
    let mut application = IpoptApplication::new();
    application.initialize().ok()?;
    let backend = feral_config_from_options(application.options());
    let mut factory = default_backend_factory(backend, Ma57Config::default());
    Some(factory(LinearSolverChoice::Feral))
}

fn set_up(
    application: &mut IpoptApplication,
    settings: &SolverSettings,
    warm: bool,
    (structure, trials): (Structure, Trials),
) -> Result<(), String> {
    let options = application.options_mut();
    // Products of slacks and multipliers end at the barrier parameter.
    let products = settings.tolerance.max(3.0 * settings.least_barrier);
    let words = [
        ("sb", "yes"),
        ("nlp_scaling_method", "none"),
        // Near a solution the barrier parameter must not grow again.
        (
            "mu_strategy",
            if warm || !settings.adaptive {
                "monotone"
            } else {
                "adaptive"
            },
        ),
        (
            "perturb_always_cd",
            if settings.dependent { "yes" } else { "no" },
        ),
        ("warm_start_init_point", if warm { "yes" } else { "no" }),
        // Systems are nearly banded by nodes: the simplest ordering is as good as others and cheaper.
        ("feral_ordering", "amd"),
    ];
    // Two further steps from within the tolerance: Newton's method then ends at round-off.
    let end = if settings.exact { 1e-4 } else { 0.1 };
    let numbers = [
        ("tol", (end * settings.tolerance).max(1e-15)),
        (
            "acceptable_tol",
            products.max(settings.flat * settings.tolerance),
        ),
        ("acceptable_constr_viol_tol", settings.tolerance),
        (
            "acceptable_dual_inf_tol",
            settings.flat * settings.tolerance,
        ),
        ("acceptable_compl_inf_tol", products),
        ("bound_relax_factor", 1e-11),
        (
            "mu_superlinear_decrease_power",
            if warm { settings.warm_fall } else { 1.5 },
        ),
        ("max_wall_time", settings.max_seconds),
        ("mu_init", settings.barrier),
        ("mu_target", settings.least_barrier),
        ("mu_min", settings.least_barrier.max(1e-14)),
        ("bound_push", settings.push),
        ("bound_frac", settings.push),
        ("slack_bound_push", settings.push),
        ("slack_bound_frac", settings.push),
        ("warm_start_bound_push", settings.warm_push),
        ("warm_start_bound_frac", settings.warm_push),
        ("warm_start_slack_bound_push", settings.warm_push),
        ("warm_start_slack_bound_frac", settings.warm_push),
        ("warm_start_mult_bound_push", settings.warm_push),
        (
            "jacobian_regularization_value",
            if settings.dependent { 1e-9 } else { 1e-8 },
        ),
    ];
    let most = i32::try_from(settings.max_iterations).unwrap_or(i32::MAX);
    let set = || -> Result<(), Box<dyn std::error::Error>> {
        for (key, value) in words {
            options
                .set_string_value(key, value, true, true)
                .map_err(|e| format!("{key}: {e:?}"))?;
        }
        for (key, value) in numbers {
            options
                .set_numeric_value(key, value, true, true)
                .map_err(|e| format!("{key}: {e:?}"))?;
        }
        for (key, value) in [
            ("print_level", 0),
            ("max_iter", most),
            ("acceptable_iter", if settings.exact { 2 } else { 1 }),
            // Where rows depend on each other its look for negative curvature at the end finds nothing but singular
            // systems, thirty of them. Saddles are looked for afterwards in any case.
            ("neg_curv_escapes", i32::from(!settings.dependent)),
            // The interior-point method corrects its steps itself, on the whole system: one correction of what is
            // left of it is enough.
            ("feral_refine_steps", 1),
            (
                "watchdog_shortened_iter_trigger",
                if settings.daring { 1 } else { 10 },
            ),
            (
                "watchdog_trial_iter_max",
                if settings.daring { 6 } else { 3 },
            ),
        ] {
            options
                .set_integer_value(key, value, true, true)
                .map_err(|e| format!("{key}: {e:?}"))?;
        }
        Ok(())
    };
    let mut set = set;
    set().map_err(|e| e.to_string())?;
    application.initialize().map_err(|e| format!("{e:?}"))?;
    // Without this there is no restoration phase at all.
    let backend = feral_config_from_options(application.options());
    let condensing = move || -> LinearBackendFactory {
        let mut inner = default_backend_factory(backend.clone(), Ma57Config::default());
        let (structure, trials) = (structure.clone(), trials.clone());
        Box::new(move |choice| {
            let (structure, trials) = (structure.clone(), trials.clone());
            Box::new(Condensing::new(inner(choice), structure, trials))
        })
    };
    application.set_linear_backend_factory(condensing());
    let mint = move || -> InnerBackendFactoryFactory { Box::new(condensing.clone()) };
    let restoration = make_default_restoration_factory_provider(
        RestoAlgorithmBuilder::new(),
        application.algorithm_builder_from_options(),
        mint,
    );
    application.set_restoration_factory_provider(restoration);
    Ok(())
}

/// What the linear systems of a program look like.
fn structure(program: &dyn Nlp) -> Structure {
    // Numbers among the unknowns that are not fixed, and among the equalities.
    let count = |list: Vec<[f64; 2]>, equal: bool| -> (usize, Vec<Option<usize>>) {
        let mut next = 0;
        let numbers = list.iter().map(|[low, high]| {
            let counts = (low == high) == equal;
            next += usize::from(counts);
            counts.then(|| next - 1)
        });
        let numbers = numbers.collect();
        (next, numbers)
    };
    let rows = program.ranges().len();
    let nodes = program.nodes().into_iter().zip(program.bounds());
    let nodes = nodes.filter(|(_, [low, high])| low != high);
    let (_, free) = count(program.bounds(), false);
    let (equalities, equal) = count(program.ranges(), true);
    let leaf = |leaf: Leaf| {
        Some(Leaf {
            unknowns: leaf
                .unknowns
                .iter()
                .map(|&k| free[k])
                .collect::<Option<_>>()?,
            equalities: leaf
                .equalities
                .iter()
                .map(|&r| equal[r])
                .collect::<Option<_>>()?,
        })
    };
    Structure {
        equalities,
        inequalities: rows - equalities,
        leaves: program.leaves().into_iter().filter_map(leaf).collect(),
        nodes: nodes.map(|(node, _)| node).collect(),
    }
}

fn status_of(code: Code) -> SolverStatus {
    match code {
        Code::SolveSucceeded | Code::SolvedToAcceptableLevel => SolverStatus::Solved,
        Code::SearchDirectionBecomesTooSmall | Code::FeasiblePointFound => SolverStatus::Acceptable,
        Code::InfeasibleProblemDetected => SolverStatus::Infeasible,
        Code::MaximumIterationsExceeded => SolverStatus::IterationLimit,
        Code::MaximumCpuTimeExceeded | Code::MaximumWallTimeExceeded => SolverStatus::TimeLimit,
        Code::UserRequestedStop => SolverStatus::Stopped,
        Code::NotEnoughDegreesOfFreedom => SolverStatus::Failed(
            "there are more equations than unknowns: free a condition at an end or add a control"
                .into(),
        ),
        Code::DivergingIterates => SolverStatus::Failed(
            "the objective falls without end: bound the controls or the time".into(),
        ),
        Code::InvalidNumberDetected => {
            SolverStatus::Failed("numbers became too large: bound the controls or the time".into())
        }
        _ => SolverStatus::Failed("the solver could not go on".into()),
    }
}

struct Adapter {
    program: Rc<RefCell<dyn Nlp>>,
    watch: Option<Watch>,
    x: Vec<f64>,
    multipliers: Multipliers,
    iterations: usize,
    /// Where derivatives were last asked for: the present iterate.
    seen: Vec<f64>,
    best: Option<Best>,
    /// Linear systems of the present step.
    trials: Trials,
    patience: Option<usize>,
    /// Iterations in the restoration phase since what it makes smaller fell, and its value then.
    restoring: Option<(usize, f64)>,
    /// Whether the restoration phase got nowhere.
    stuck: bool,
}

impl Adapter {
    /// Whether a restoration phase has got nowhere for as long as it may.
    fn gets_nowhere(&mut self, s: &IterStats) -> bool {
        let Some(patience) = self
            .patience
            .filter(|_| s.mode != AlgorithmMode::RegularMode)
        else {
            self.restoring = None;
            return false;
        };
        self.restoring = match self.restoring {
            Some((count, value)) if s.obj_value > FALLS * value => Some((count + 1, value)),
            _ => Some((0, s.obj_value)),
        };
        self.restoring.is_some_and(|(count, _)| count >= patience)
    }
}

/// The best iterate so far: what is kept when the solver is stopped before its end.
struct Best {
    x: Vec<f64>,
    objective: f64,
    violation: f64,
}

impl Best {
    /// Whether an iterate is better: feasible with less to pay, or less infeasible.
    fn is_worse_than(&self, i: &Iteration) -> bool {
        match [i.violation, self.violation].map(|v| v <= FEASIBLE) {
            [true, true] => i.objective < self.objective,
            [false, false] => i.violation < self.violation,
            [feasible, _] => feasible,
        }
    }
}

fn fill(pattern: &Pattern, rows: &mut [i32], columns: &mut [i32]) {
    for (to, from) in rows.iter_mut().zip(&pattern.rows) {
        *to = *from as i32;
    }
    for (to, from) in columns.iter_mut().zip(&pattern.columns) {
        *to = *from as i32;
    }
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|v| v.is_finite())
}

impl TNLP for Adapter {
    fn get_nlp_info(&mut self) -> Option<NlpInfo> {
        let program = self.program.borrow();
        Some(NlpInfo {
            n: program.bounds().len() as i32,
            m: program.ranges().len() as i32,
            nnz_jac_g: program.jacobian_pattern().rows.len() as i32,
            nnz_h_lag: program.hessian_pattern().rows.len() as i32,
            index_style: IndexStyle::C,
        })
    }

    fn get_bounds_info(&mut self, b: BoundsInfo<'_>) -> bool {
        let program = self.program.borrow();
        let limit = |v: f64| v.clamp(-INFINITE, INFINITE);
        for (k, [low, high]) in program.bounds().into_iter().enumerate() {
            (b.x_l[k], b.x_u[k]) = (limit(low), limit(high));
        }
        for (k, [low, high]) in program.ranges().into_iter().enumerate() {
            (b.g_l[k], b.g_u[k]) = (limit(low), limit(high));
        }
        true
    }

    fn get_starting_point(&mut self, sp: StartingPoint<'_>) -> bool {
        let program = self.program.borrow();
        sp.x.copy_from_slice(&program.start());
        if let Some(m) = program.multipliers() {
            sp.lambda.copy_from_slice(&m.rows);
            sp.z_l.copy_from_slice(&m.bounds[0]);
            sp.z_u.copy_from_slice(&m.bounds[1]);
        }
        true
    }

    fn eval_f(&mut self, x: &[f64], _new: bool) -> Option<f64> {
        let f = self.program.borrow_mut().objective(x);
        f.is_finite().then_some(f)
    }

    fn eval_grad_f(&mut self, x: &[f64], _new: bool, gradient: &mut [f64]) -> bool {
        self.program.borrow_mut().gradient(x, gradient);
        finite(gradient)
    }

    fn eval_g(&mut self, x: &[f64], _new: bool, g: &mut [f64]) -> bool {
        self.program.borrow_mut().values(x, g);
        finite(g)
    }

    fn eval_jac_g(&mut self, x: Option<&[f64]>, _new: bool, mode: SparsityRequest<'_>) -> bool {
        let mut program = self.program.borrow_mut();
        match mode {
            SparsityRequest::Structure { irow, jcol } => {
                fill(program.jacobian_pattern(), irow, jcol);
                true
            }
            SparsityRequest::Values { values } => x.is_some_and(|x| {
                self.seen.copy_from_slice(x);
                program.jacobian(x, values);
                finite(values)
            }),
        }
    }

    fn eval_h(
        &mut self,
        x: Option<&[f64]>,
        _new: bool,
        factor: f64,
        lambda: Option<&[f64]>,
        _new_lambda: bool,
        mode: SparsityRequest<'_>,
    ) -> bool {
        let mut program = self.program.borrow_mut();
        match mode {
            SparsityRequest::Structure { irow, jcol } => {
                fill(program.hessian_pattern(), irow, jcol);
                true
            }
            SparsityRequest::Values { values } => match (x, lambda) {
                (Some(x), Some(lambda)) => {
                    self.trials.restart();
                    program.hessian(x, factor, lambda, values);
                    finite(values)
                }
                _ => false,
            },
        }
    }

    fn intermediate_callback(&mut self, s: IterStats, _d: &IpoptData, _q: &IpoptCq) -> bool {
        self.iterations = self.iterations.max(s.iter.max(0) as usize);
        let iteration = Iteration {
            number: s.iter.max(0) as usize,
            objective: s.obj_value,
            violation: s.inf_pr,
        };
        if self.gets_nowhere(&s) {
            self.stuck = true;
            return false;
        }
        // In the restoration phase the numbers are those of another problem.
        let regular = s.mode == AlgorithmMode::RegularMode;
        if regular
            && self
                .best
                .as_ref()
                .is_none_or(|b| b.is_worse_than(&iteration))
        {
            self.best = Some(Best {
                x: self.seen.clone(),
                objective: iteration.objective,
                violation: iteration.violation,
            });
        }
        match &self.watch {
            Some(watch) => (watch.borrow_mut())(&iteration),
            None => true,
        }
    }

    fn finalize_solution(&mut self, found: Found<'_>, _d: &IpoptData, _q: &IpoptCq) {
        self.x.copy_from_slice(found.x);
        self.multipliers = Multipliers {
            rows: found.lambda.to_vec(),
            bounds: [found.z_l.to_vec(), found.z_u.to_vec()],
        };
    }
}
