//! Times of optimal control: growth with the number of steps, recorded times of CasADi with IPOPT
//! beside them, and how plans depend on their guesses.
//!
//! ```sh
//! cargo bench -p carom --bench plan               # growth and times
//! cargo bench -p carom --bench plan -- guesses    # five perturbed guesses of each example
//! ```

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use carom::optimise::{Plan, Status};
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
    let recorded = [("sphere", "0.03 + 0.2"), ("rotors", "1.0 + 2.4")];
    println!(
        "\n| example | status | objective | guess | iterations | rounds | s, file to plan | CasADi + IPOPT, solve + build |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for name in EXAMPLES {
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
    for name in EXAMPLES {
        let mut request = read(&text(name));
        request.settings.solver.max_seconds = 60.0;
        let size = match name {
            "sphere" | "rotors" => 0.1,
            "pick-and-place" | "drone-window" => 0.05,
            "satellites" => 0.005,
            _ => 0.001,
        };
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

fn main() {
    match std::env::args().any(|a| a == "guesses") {
        true => guesses(),
        false => {
            growth();
            times();
        }
    }
}
