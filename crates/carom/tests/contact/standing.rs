//! What stands and what rocks: motion that begins at rest, and contacts that bodies turn about.

use std::fmt::Write;

use crate::scenes::run_text;

const FLOOR: &str = "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n";

/// Logs in rows of `rows`, `rows` − 1, … 1, which touch.
fn logs(rows: usize, friction: f64, duration: f64) -> String {
    let radius = 0.1;
    let mut text = FLOOR.to_string();
    for row in 0..rows {
        let count = rows - row;
        for k in 0..count {
            let x = ((2 * k + row + 1) as f64 - rows as f64) * radius;
            let z = radius * (1.0 + row as f64 * 3.0_f64.sqrt());
            writeln!(
                text,
                "[body.log-{row}-{k}]\nshape = {{ cylinder = {{ radius = {radius}, height = 0.8 }} }}\n\
                 density = 600\nposition = [{x:?}, 0, {z:?}]\nrotation_deg = [90, 0, 0]"
            )
            .unwrap();
        }
    }
    text + &format!(
        "[contact]\nrestitution = 0.1\nfriction = {friction:?}\n\
         [simulate]\nduration = {duration:?}\nstep = 0.005\n"
    )
}

/// A pile of three, four and five rows can stand from a friction of 0.43399, 0.47296 and 0.49751 on (a linear program
/// of the forces in its plane). Coulomb's law would let it roll apart above that as well, but nothing pushes it.
#[test]
fn piles_of_logs_stand_where_friction_can_hold_them() {
    for (rows, friction) in [(2, 0.27), (3, 0.44), (4, 0.48), (5, 0.52)] {
        let run = run_text(&format!("{rows} rows of logs"), &logs(rows, friction, 0.2));
        run.assert_stays(1e-10);
        run.assert_slow(1e-9);
    }
    for (rows, friction) in [(2, 0.26), (3, 0.42), (4, 0.46)] {
        let run = run_text(
            &format!("{rows} rows of smoother logs"),
            &logs(rows, friction, 0.2),
        );
        assert!(run.drift() > 1e-3, "{rows} rows stay at {friction}");
    }
}

/// A box that rocks or tumbles turns about its contacts: the energy of its steps swings by their order, and that is no
/// gain.
#[test]
fn boxes_that_rock_and_tumble_have_nothing_unsettled() {
    let scenes = [
        ([0.02, 0.1, 0.2], [0.0, 2.5, 0.0], 0.1, 0.3, 0.004),
        ([0.02, 0.1, 0.2], [0.0, 2.5, 0.0], 0.1, 0.3, 0.01),
        ([0.02, 0.02, 0.5], [0.1, 0.2, 0.0], 0.25, 0.8, 0.005),
        ([0.02, 0.02, 0.5], [0.1, 0.2, 0.0], 0.25, 0.1, 0.005),
        ([0.1, 0.1, 0.1], [3.0, 8.0, 1.0], 0.2, 1.0, 0.005),
        ([0.1, 0.2, 0.3], [3.0, 8.0, 1.0], 0.4, 1.0, 0.01),
        ([0.1, 0.2, 0.3], [3.0, 2.0, 1.0], 0.4, 0.5, 0.01),
    ];
    for (size, spin, height, friction, step) in scenes {
        let text = format!(
            "{FLOOR}[body.box]\nshape = {{ box = {size:?} }}\ndensity = 700\nposition = [0, 0, {height:?}]\n\
             angular_velocity = {spin:?}\n[contact]\nrestitution = 0\nfriction = {friction:?}\n\
             [simulate]\nduration = 2\nstep = {step:?}\n"
        );
        let run = run_text(&format!("box {size:?} at {step} s"), &text);
        let told = &run.ledger.unsettled;
        assert!(told.is_empty(), "{}: {:?}", run.name, told.first());
    }
}
