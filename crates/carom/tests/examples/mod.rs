//! The programs under `examples/` run to their end; what they claim, they assert themselves.

#[path = "../../examples/control.rs"]
mod control;
#[path = "../../examples/gap.rs"]
mod gap;
#[path = "../../examples/plan.rs"]
mod plan;
#[path = "../../examples/simulate.rs"]
mod simulate;

#[test]
fn control_runs() {
    control::main().unwrap();
}

#[test]
fn gap_runs() {
    gap::main().unwrap();
}

#[test]
fn plan_runs() {
    plan::main().unwrap();
}

#[test]
fn simulate_runs() {
    simulate::main().unwrap();
}
