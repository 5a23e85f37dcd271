//! Times of optimal control: growth with the number of steps, recorded times of CasADi with IPOPT
//! beside them, and how plans depend on their guesses.
//!
//! ```sh
//! cargo bench -p carom --bench plan               # growth and times
//! cargo bench -p carom --bench plan -- guesses    # five perturbed guesses of each example, or of those named
//! cargo bench -p carom --bench plan -- receding   # 100 solves, each shifted by a step from the last
//! cargo bench -p carom --bench plan -- iterations # ms of CPU time per iteration beside IPOPT
//! ```

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use carom::optimise::{
    Descent, InteriorPoint, Multipliers, Nlp, NlpSolver, Plan, Solution, SolverSettings, Status,
    Watch,
};
use carom::scenario::{PlanRequest, Scenario};

const EXAMPLES: [&str; 7] = [
    "sphere",
    "rotors",
    "satellites",
    "knot-burr",
    "manipulator",
    "pick-and-place",
    "drone-window",
];

/// Plans that use contacts, and how far their guesses are moved, in m and rad.
const CONTACTS: [(&str, f64); 7] = [
    ("wall", 0.01),
    ("two-cubes", 0.01),
    ("wall-penalty", 0.01),
    ("jump", 0.05),
    ("dice", 0.01),
    ("swing-up", 0.05),
    ("bounce-to-goal", 0.05),
];

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap()
}

fn read(text: &str) -> PlanRequest {
    let scenario = Scenario::parse("bench.toml", text).unwrap();
    let model = Arc::new(scenario.build().unwrap());
    scenario.plan(&model).unwrap()
}

fn plan(request: &PlanRequest) -> Plan {
    request.solve().unwrap()
}

/// An example with N steps in the same time.
fn refined(name: &str, steps: usize, time: f64, old: usize) -> String {
    let text = text(name);
    let (head, _) = text.split_once("[[phase]]").unwrap();
    let head = head.replace(&format!("node = {old}"), &format!("node = {steps}"));
    format!(
        "{head}[[phase]]\nsteps = {steps}\nstep = {}\n",
        time / steps as f64
    )
}

fn growth() {
    println!(
        "| example | N | unknowns | Jacobian entries | iterations | s, file to plan | s per iteration |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, time, old) in [("sphere", 3.0, 30), ("rotors", 5.0, 50)] {
        for steps in [30, 60, 120, 240, 480] {
            let text = refined(name, steps, time, old);
            let mut best = f64::INFINITY;
            let mut last = None;
            for _ in 0..3 {
                let begin = Instant::now();
                let found = plan(&read(&text));
                best = best.min(begin.elapsed().as_secs_f64());
                last = Some(found);
            }
            let p = last.unwrap();
            println!(
                "| {name} | {steps} | {} | {} | {} | {best:.3} | {:.4} |",
                p.size[0],
                p.size[2],
                p.iterations,
                best / p.iterations.max(1) as f64
            );
        }
    }
}

fn times() {
    // Recorded on a comparable machine: solve, and build of the expression graph.
    let recorded = [
        ("sphere", "0.03 + 0.2"),
        ("rotors", "1.0 + 2.4"),
        ("wall", "0.05 + 0.33"),
        ("two-cubes", "18 with avoidance"),
    ];
    println!(
        "\n| example | status | objective | guess | iterations | rounds | s, file to plan | CasADi + IPOPT, solve + build |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let contacts = CONTACTS.iter().map(|c| c.0);
    for name in EXAMPLES.into_iter().chain(contacts) {
        let begin = Instant::now();
        let p = plan(&read(&text(name)));
        let seconds = begin.elapsed().as_secs_f64();
        let peer = recorded.iter().find(|r| r.0 == name).map_or("", |r| r.1);
        println!(
            "| {name} | {} | {:.9e} | {:.4e} | {} | {} | {seconds:.2} | {peer} |",
            p.status.name(),
            p.objective,
            p.objective_guess,
            p.iterations,
            p.rounds
        );
    }
}

/// Seeded numbers in [−1, 1].
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn guesses() {
    println!("| example | perturbation | solved | objectives |");
    println!("| --- | ---: | ---: | --- |");
    let free = EXAMPLES.map(|name| {
        let size = match name {
            "sphere" | "rotors" => 0.1,
            "pick-and-place" | "drone-window" => 0.05,
            "satellites" => 0.005,
            _ => 0.001,
        };
        (name, size)
    });
    let asked: Vec<String> = std::env::args().collect();
    let named = |name: &str| asked.iter().any(|a| a == name);
    let all: Vec<(&str, f64)> = free.into_iter().chain(CONTACTS).collect();
    let some = all.iter().any(|(name, _)| named(name));
    for (name, size) in all.into_iter().filter(|(n, _)| !some || named(n)) {
        let mut request = read(&text(name));
        request.settings.solver.max_seconds = 60.0;
        if request.problem.sequences.is_some() {
            // The sequence that is chosen, from its plan.
            let chosen = plan(&request);
            request.problem = request.problem.chosen(&chosen);
            request.guess = chosen.to_guess();
            request.guess.known = None;
        }
        let mut found = Vec::new();
        let mut solved = 0;
        for seed in 1..=5 {
            let mut own = request.clone();
            own.guess = request
                .guess
                .perturbed(&request.problem, size, random(seed));
            let p = plan(&own);
            if p.status == Status::Solved {
                solved += 1;
                found.push(format!("{:.6e}", p.objective));
            } else {
                found.push(p.status.name().into());
            }
        }
        println!("| {name} | {size} | {solved} of 5 | {} |", found.join(", "));
    }
}

/// A cart with a pole on a receding horizon: pushed aside at every step, solved again from the shifted plan.
const POLE: &str = r#"
    gravity = [0, 0, -9.81]
    [body.cart]
    shape = { box = [0.4, 0.2, 0.1] }
    mass = 2
    [body.pole]
    shape = { box = [0.05, 0.05, 1] }
    mass = 0.5
    position = [0, 0, 0.5]
    [joint.rail]
    kind = "prismatic"
    between = ["world", "cart"]
    at = [0, 0, 0]
    axis = [1, 0, 0]
    [joint.pin]
    kind = "revolute"
    between = ["cart", "pole"]
    at = [0, 0, 0]
    axis = [0, 1, 0]
    [actuator.motor]
    joint = "rail"
    bounds = [[-30, 30]]
    [optimise]
    minimise = [{ effort = 0.001 }, { running = "rail.q^2 + 10*pin.q^2 + 0.1*rail.rate^2 + pin.rate^2" }]
    goal = {}
    [[phase]]
    steps = 40
    step = 0.025
"#;

fn receding() {
    let mut request = read(POLE);
    let mut push = random(3);
    let mut seconds = Vec::new();
    let mut iterations = 0;
    let first = Instant::now();
    let mut plan = request.solve().unwrap();
    let cold = (first.elapsed().as_secs_f64(), plan.iterations);
    for _ in 0..100 {
        // What the plan did not know of.
        let rates: Vec<f64> = plan.rates[1].iter().map(|r| r + 0.05 * push()).collect();
        request.problem = request.problem.begun(&plan.poses[1], &rates);
        request.guess = plan.to_guess().shifted(1);
        let begin = Instant::now();
        plan = request.solve().unwrap();
        seconds.push(begin.elapsed().as_secs_f64());
        iterations += plan.iterations;
        assert_eq!(plan.status, Status::Solved);
    }
    seconds.sort_by(f64::total_cmp);
    println!("| receding horizon of 40 steps | iterations | ms |");
    println!("| --- | ---: | ---: |");
    println!("| first solve | {} | {:.1} |", cold.1, 1e3 * cold.0);
    println!(
        "| 100 shifted solves, each | {:.2} | {:.1} (median), {:.1} (most) |",
        iterations as f64 / 100.0,
        1e3 * seconds[50],
        1e3 * seconds[99]
    );
}

/// Problems that CasADi with IPOPT and MUMPS solves, too (`benchmarks/peers/ipopt_plans.py`): iterations there, and ms of
/// CPU time for each, on the machine and with the load that docs/plans.md names.
const RECORDED: [(&str, usize, f64); 5] = [
    ("26-lander", 199, 2.8),
    ("06-quad-flip", 28, 2.6),
    ("20-cubesat-slew", 2, 4.2),
    ("22-arm2-ee-goal", 7, 0.8),
    ("05b-acrobot-fine", 42, 3.0),
];

/// CPU time of all threads so far in s, where Linux tells; else what a clock on the wall says.
fn cpu(begin: Instant) -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let of = |thread: std::io::Result<std::fs::DirEntry>| -> Option<f64> {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        Some(1e-9 * told.split_whitespace().next()?.parse::<f64>().ok()?)
    };
    let sum: f64 = threads.filter_map(of).sum();
    if sum > 0.0 {
        sum
    } else {
        begin.elapsed().as_secs_f64()
    }
}

/// The interior-point method, with the CPU time it took and its iterations.
#[derive(Default)]
struct Timed(Mutex<(f64, usize)>);

impl NlpSolver for Timed {
    fn solve(
        &self,
        program: Rc<RefCell<dyn Nlp>>,
        settings: &SolverSettings,
        watch: Option<Watch>,
    ) -> Solution {
        let begin = Instant::now();
        let before = cpu(begin);
        let solution = InteriorPoint.solve(program, settings, watch);
        let mut spent = self.0.lock().unwrap();
        spent.0 += cpu(begin) - before;
        spent.1 += solution.iterations;
        solution
    }

    fn descent(
        &self,
        program: &Rc<RefCell<dyn Nlp>>,
        x: &[f64],
        m: &Multipliers,
    ) -> Option<Descent> {
        InteriorPoint.descent(program, x, m)
    }
}

fn iterations() {
    println!(
        "| problem | iterations | ms per iteration | ms in all | IPOPT: iterations | ms per iteration | ms in all |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/plans");
    for (name, count, peer) in RECORDED {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        // Medians of five, in CPU time of all threads: of an iteration of the solver, and of all from text to plan.
        let mut runs: Vec<[f64; 3]> = (0..5)
            .map(|_| {
                let begin = Instant::now();
                let before = cpu(begin);
                let request = read(&text);
                let solver = Timed::default();
                let PlanRequest {
                    problem,
                    guess,
                    settings,
                    ..
                } = &request;
                let p = carom::optimise::solve(problem, guess, settings, &solver, None).unwrap();
                assert_eq!(p.status, Status::Solved, "{name}");
                let (seconds, iterations) = *solver.0.lock().unwrap();
                let each = 1e3 * seconds / iterations.max(1) as f64;
                [each, 1e3 * (cpu(begin) - before), iterations as f64]
            })
            .collect();
        let mut median = |k: usize| {
            runs.sort_by(|a, b| a[k].total_cmp(&b[k]));
            runs[2][k]
        };
        println!(
            "| {name} | {} | {:.2} | {:.0} | {count} | {peer:.1} | {:.0} |",
            median(2),
            median(0),
            median(1),
            peer * count as f64
        );
    }
}

fn main() {
    let asked = |word: &str| std::env::args().any(|a| a == word);
    if asked("guesses") {
        return guesses();
    }
    if asked("receding") {
        return receding();
    }
    if asked("iterations") {
        return iterations();
    }
    growth();
    times();
}
