//! Round bodies against known motions: Euler's disc, a spinning coin, billiard balls, a ball down steps.

use carom::simulate::Simulation;
use nalgebra::Vector3;

use super::shared::{Coin, G, list, start};

/// A thin disc of radius a that touches a floor with its rim, its normal leaned by an angle about y.
fn disc(
    a: f64,
    lean: f64,
    spin: Vector3<f64>,
    velocity: Vector3<f64>,
    rolling: f64,
    step: f64,
) -> Simulation {
    start(&format!(
        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [body.disc]\nshape = {{ disc = {{ radius = {a:?} }} }}\nmass = 0.4\n\
         position = [0, 0, {:?}]\nrotation = [0, {lean:?}, 0]\nangular_velocity = {}\nvelocity = {}\n\
         [contact]\nrestitution = 0\nfriction = 1\nrolling_friction = {rolling:?}\n\
         [simulate]\nduration = 1\nstep = {step:?}\n",
        a * lean.sin(),
        list(spin),
        list(velocity)
    ))
}

/// Precession of the normal since the last look, and the lean.
struct Watch {
    last: f64,
    turned: f64,
}

impl Watch {
    fn look(&mut self, run: &Simulation) -> f64 {
        let n = run.state().poses[0].directors.column(2).into_owned();
        let now = n.y.atan2(n.x);
        let turn = std::f64::consts::TAU;
        self.turned += (now - self.last + 1.5 * turn).rem_euclid(turn) - 0.5 * turn;
        self.last = now;
        n.z.min(1.0).acos()
    }
}

#[test]
fn eulers_disc_spins_faster_as_it_falls() {
    // Steady precession with the centre at rest: Ω² sin α = 4 g/a (Moffatt 2000).
    let (a, lean) = (0.0375, 10f64.to_radians());
    let rate = |lean: f64| (4.0 * G / (a * lean.sin())).sqrt();
    let spin = |lean: f64| Vector3::new(-lean.cos(), 0.0, lean.sin()) * (rate(lean) * lean.sin());
    let steps = 500;
    let h = 5e-4;
    let mut run = disc(a, lean, spin(lean), Vector3::zeros(), 0.0, h);
    let mut watch = Watch {
        last: 0.0,
        turned: 0.0,
    };
    for _ in 0..steps {
        run.step().unwrap();
        let now = watch.look(&run);
        assert!((now - lean).abs() < 1e-4, "{now}");
    }
    let wanted = rate(lean) * h * f64::from(steps);
    assert!(
        (watch.turned - wanted).abs() < 1e-4 * wanted,
        "{} {wanted}",
        watch.turned
    );
    assert!(run.ledger().contact_energy.abs() < 1e-7);
    // Rolling friction ρ takes the power ρ m g Ω sin α cos α of the energy 3/2 m g a sin α: the lean falls as
    // α̇ = −(2/3)(ρ/a) Ω sin α, and the frequency rises.
    let rolling = 2e-4;
    let mut run = disc(a, lean, spin(lean), Vector3::zeros(), rolling, h);
    let mut watch = Watch {
        last: 0.0,
        turned: 0.0,
    };
    let (mut exact, mut turned, mut last) = (lean, 0.0, 0.0);
    for window in 1..=10 {
        let before = watch.turned;
        let mut now = 0.0;
        for _ in 0..100 {
            run.step().unwrap();
            now = watch.look(&run);
            for _ in 0..10 {
                turned += 0.1 * h * rate(exact);
                exact -= 0.1 * h * (2.0 / 3.0) * rolling / a * rate(exact) * exact.sin();
            }
        }
        let frequency = (watch.turned - before) / (100.0 * h);
        // Wobbling a little, as discs do.
        assert!(frequency > 0.98 * last, "{window} {frequency} {last}");
        last = frequency;
        assert!((now - exact).abs() < 0.02 * exact, "{window} {now} {exact}");
        assert!(
            (watch.turned - turned).abs() < 0.01 * turned,
            "{} {turned}",
            watch.turned
        );
    }
    assert!(exact < 0.87 * lean && last > 1.05 * rate(lean));
}

#[test]
fn a_spinning_coin_follows_the_equations_of_a_rolling_disc() {
    let a = 0.0125;
    // Nearly upright and spinning about the vertical, wobbling; leaned and rolling; fast and flat.
    for (lean, spin) in [
        (85.0_f64, Vector3::new(0.0, 0.0, 60.0)),
        (70.0, Vector3::new(-20.0, 3.0, 10.0)),
        (30.0, Vector3::new(-25.0, 0.0, 20.0)),
    ] {
        let lean = lean.to_radians();
        let miss = |h: f64| {
            let mut exact = Coin::new(a, 0.0, lean, spin);
            // It starts above the origin.
            exact.centre = Vector3::z() * exact.centre.z;
            let (_, velocity) = exact.rates(&exact.frame, &spin);
            let mut run = disc(a, lean, spin, velocity, 0.0, h);
            let mut worst: f64 = 0.0;
            for _ in 0..(0.1 / h).round() as usize {
                run.step().unwrap();
                (0..20).for_each(|_| exact.step(h / 20.0));
                let pose = &run.state().poses[0];
                let off = (pose.position - exact.centre).norm() / a;
                worst =
                    worst.max(off.max((pose.directors.column(2) - exact.frame.column(2)).norm()));
            }
            assert_eq!(run.ledger().unsettled_count, 0);
            worst
        };
        let (coarse, fine) = (miss(4e-4), miss(1e-4));
        assert!(fine < 0.02, "{lean} {coarse} {fine}");
        assert!(fine < 0.5 * coarse || fine < 1e-4, "{lean} {coarse} {fine}");
    }
}

/// A cue ball that runs along x into a ball at rest, cut by an angle from the line of centres.
fn break_shot(cut: f64, spin: f64, e: f64, ball: f64, cloth: f64) -> Simulation {
    let r = 0.028575;
    let (sin, cos) = cut.sin_cos();
    start(&format!(
        "gravity = [0, 0, -9.81]\n[material.ball]\nfriction = {ball}\nrestitution = {e}\n[material.cloth]\n\
         [surface.table]\nbetween = [\"ball\", \"cloth\"]\nfriction = {cloth}\nrestitution = 0\n\
         [halfspace.table]\nnormal = [0, 0, 1]\nmaterial = \"cloth\"\n\
         [body.cue]\nshape = {{ sphere = {r} }}\nmass = 0.17\nposition = [{:?}, 0, {r}]\n\
         velocity = [1, 0, 0]\nangular_velocity = [0, {:?}, 0]\nmaterial = \"ball\"\n\
         [body.object]\nshape = {{ sphere = {r} }}\nmass = 0.17\nposition = [0, {:?}, {r}]\nmaterial = \"ball\"\n\
         [simulate]\nduration = 1\nstep = 0.001\n",
        -2.0 * r * cos - 0.005,
        spin / r,
        2.0 * r * sin,
    ))
}

#[test]
fn balls_are_thrown_off_the_line_of_centres() {
    // A stun shot: the tangential impulse is at most μ times the normal one m v cos φ (1 + e)/2, and at most
    // what ends the sliding, m v sin φ/7: tan θ = min(μ, 2 tan φ/(7 (1 + e))).
    for (cut, friction, e) in [
        (10.0_f64, 0.1, 1.0),
        (40.0, 0.06, 0.94),
        (15.0, 0.3, 0.9),
        (60.0, 0.05, 1.0),
    ] {
        let cut = cut.to_radians();
        let mut run = break_shot(cut, 0.0, e, friction, 0.0);
        run.run(50).unwrap();
        let v = run.twists()[1].v;
        // The line of centres is at the angle of the cut; friction pulls the ball back to the way of the cue.
        let throw = cut - v.y.atan2(v.x);
        let wanted = f64::min(friction, 2.0 * cut.tan() / (7.0 * (1.0 + e))).atan();
        assert!((throw - wanted).abs() < 1e-9, "{cut} {throw} {wanted}");
    }
}

#[test]
fn a_rolling_cue_ball_follows_at_the_known_angle() {
    // It leaves along the tangent and keeps its roll, which the cloth turns into
    // tan θ = sin φ cos φ/(sin² φ + 2/5).
    for cut in [20.0_f64, 30.0, 50.0] {
        let cut = cut.to_radians();
        let mut run = break_shot(cut, 1.0, 1.0, 0.0, 0.2);
        run.run(700).unwrap();
        let v = run.twists()[0].v;
        let (sin, cos) = cut.sin_cos();
        let wanted = (sin * cos / (sin * sin + 0.4)).atan();
        let angle = -v.y.atan2(v.x);
        assert!((angle - wanted).abs() < 1e-3, "{cut} {angle} {wanted}");
        let speed = (5.0 / 7.0 * sin * sin + 2.0 / 7.0).hypot(5.0 / 7.0 * sin * cos);
        assert!(
            (v.norm() - speed).abs() < 2e-3 * speed,
            "{} {speed}",
            v.norm()
        );
    }
}

#[test]
fn a_ball_jumps_down_steps() {
    let (depth, rise, r, e, speed, count) = (0.4, 0.1, 0.03, 0.8, 1.0, 6);
    let treads: String = (0..count)
        .map(|k| {
            format!(
                "[body.tread-{k}]\nkind = \"static\"\nshape = {{ box = [{depth}, 1, 1] }}\nposition = [{:?}, 0, {:?}]\n",
                depth * (f64::from(k) + 0.5),
                -0.5 - rise * f64::from(k)
            )
        })
        .collect();
    let mut run = start(&format!(
        "gravity = [0, 0, -9.81]\n[body.ball]\nshape = {{ sphere = {r} }}\nmass = 1\n\
         position = [0.02, 0, 0.13]\nvelocity = [{speed}, 0, 0]\n{treads}[contact]\nrestitution = {e}\n\
         [simulate]\nduration = 2\nstep = 0.002\n"
    ));
    // Fall by fall: frictionless, so that only heights change.
    let (mut t, mut x, mut z, mut w) = (0.0_f64, 0.02_f64, 0.13 - r, 0.0_f64);
    let mut bounces = Vec::new();
    while t < 1.9 {
        // The step it comes down on is the first whose tread it reaches before its end.
        let mut step = (x / depth).floor().max(0.0);
        let fall = loop {
            let floor = -rise * step;
            let fall = (w + (w * w + 2.0 * G * (z - floor)).sqrt()) / G;
            if x + speed * fall <= depth * (step + 1.0) {
                break fall;
            }
            step += 1.0;
        };
        (t, x, z) = (t + fall, x + speed * fall, -rise * step);
        w = e * (G * fall - w);
        bounces.push((t, x, w));
    }
    let mut seen = Vec::new();
    for _ in 0..1000 {
        let before = run.twists()[0].v.z;
        run.step().unwrap();
        if run.twists()[0].v.z > before + 0.1 {
            seen.push(run.time());
        }
    }
    assert!(bounces.len() > 4);
    for ((t, x, _), at) in bounces.iter().zip(&seen) {
        assert!(*at >= t - 1e-9 && at - t < 0.002 + 1e-9, "{t} {at} at {x}");
    }
    let mut past = bounces.iter().filter(|(t, ..)| *t <= run.time());
    let (t, x, w) = past.next_back().copied().unwrap();
    let position = run.state().poses[0].position;
    let after = run.time() - t;
    let wanted = x + speed * after;
    assert!(
        (position.x - wanted).abs() < 1e-9,
        "{position} {wanted} {bounces:?} {seen:?}"
    );
    assert!((run.twists()[0].v.z - (w - G * after)).abs() < 1e-8);
}

/// What slides over the rim of a round table without friction stays level until its centre is out.
#[test]
fn a_round_table_carries_to_its_rim() {
    for puck in [
        "cylinder = { radius = 0.03, height = 0.02 }",
        "box = [0.05, 0.05, 0.02]",
    ] {
        let mut run = start(&format!(
            "gravity = [0, 0, -9.81]\n[body.table]\nkind = \"static\"\n\
             shape = {{ cylinder = {{ radius = 0.5, height = 0.1 }} }}\nposition = [0, 0, -0.05]\n\
             [body.puck]\nshape = {{ {puck} }}\ndensity = 400\nvelocity = [1.1, 0.5, 0]\n\
             position = [0.38, 0.1, 0.01]\n[contact]\nrestitution = 0\nfriction = 0\n\
             [simulate]\nduration = 1\nstep = 0.002\n"
        ));
        let mut carried = 0;
        loop {
            run.step().unwrap();
            let place = run.state().poses[1].position;
            if place.xy().norm() > 0.5 {
                break;
            }
            carried += 1;
            assert!((place.z - 0.01).abs() < 1e-9, "{puck}: {place}");
            let spin = run.twists()[1].w;
            assert!(spin.norm() < 1e-6, "{puck}: {spin}");
        }
        assert!(carried > 40, "{puck}: {carried}");
        // Then it tips.
        run.step().unwrap();
        run.step().unwrap();
        assert!(run.twists()[1].w.norm() > 0.05, "{puck}");
    }
}
