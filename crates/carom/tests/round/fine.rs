//! Round bodies against equations of motion that the tests integrate themselves, or closed forms: a tippe top
//! that slides, thick coins that roll on their rims, billiard shots with side spin and draw.

use carom::simulate::Simulation;
use nalgebra::{Matrix3, Rotation3, Vector3};

use super::shared::{Coin, G, list, start};

/// A ball whose centre of mass is below its centre, sliding on a plane with friction.
///
/// With r from the centre of mass to the contact, slip u = v + ω × r, and F = N (z − μ u/|u|):
/// m v̇ = F − m g z, J ω̇ = r × F − ω × J ω, and the contact stays on the plane: d²/dt² (x + r)·z = 0.
struct Top {
    radius: f64,
    /// How far the centre of the ball is above the centre of mass, along its axis.
    above: f64,
    mass: f64,
    /// Across the axis and about it.
    inertia: [f64; 2],
    friction: f64,
    frame: Matrix3<f64>,
    place: Vector3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

impl Top {
    /// v̇ and ω̇.
    fn rates(
        &self,
        frame: &Matrix3<f64>,
        v: &Vector3<f64>,
        w: &Vector3<f64>,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let z = Vector3::z();
        let axis = frame.column(2).into_owned();
        let r = axis * self.above - z * self.radius;
        let slip = v + w.cross(&r);
        let slip = slip - z * slip.z;
        let push = z - slip / slip.norm().max(1e-12) * self.friction;
        let [across, about] = self.inertia;
        let inertia = Matrix3::identity() * across + axis * axis.transpose() * (about - across);
        let inverse =
            Matrix3::identity() / across + axis * axis.transpose() * (1.0 / about - 1.0 / across);
        // The height of the centre above the centre of mass changes by a (ω̇ × d + ω × (ω × d)).
        let free = -inverse * w.cross(&(inertia * w));
        let by_force = inverse * r.cross(&push);
        let lever = axis * self.above;
        let bent = w.cross(&w.cross(&lever)).z + free.cross(&lever).z - G;
        let force = -bent / (1.0 / self.mass + by_force.cross(&lever).z);
        (push * (force / self.mass) - z * G, free + by_force * force)
    }

    /// One step of the classical Runge–Kutta method.
    fn step(&mut self, h: f64) {
        let turned = |by: Vector3<f64>| Rotation3::new(by).into_inner() * self.frame;
        let (v, w) = (self.velocity, self.spin);
        let (a1, b1) = self.rates(&self.frame, &v, &w);
        let (v2, w2) = (v + a1 * (0.5 * h), w + b1 * (0.5 * h));
        let (a2, b2) = self.rates(&turned(w * (0.5 * h)), &v2, &w2);
        let (v3, w3) = (v + a2 * (0.5 * h), w + b2 * (0.5 * h));
        let (a3, b3) = self.rates(&turned(w2 * (0.5 * h)), &v3, &w3);
        let (v4, w4) = (v + a3 * h, w + b3 * h);
        let (a4, b4) = self.rates(&turned(w3 * h), &v4, &w4);
        self.frame = turned((w + w2 * 2.0 + w3 * 2.0 + w4) * (h / 6.0));
        self.place += (v + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
        self.velocity += (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
        self.spin += (b1 + b2 * 2.0 + b3 * 2.0 + b4) * (h / 6.0);
    }
}

#[test]
fn a_tippe_top_follows_the_equations_of_a_sliding_ball() {
    for (radius, weight, friction, spin, lean) in [
        (0.02, 9000.0, 0.3, 200.0, 12.0_f64),
        (0.03, 5000.0, 0.15, 150.0, 25.0),
    ] {
        let miss = |h: f64| {
            let (shell, small): (f64, f64) = (700.0, 0.4 * radius);
            let volume = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
            let (big, heavy) = (shell * volume(radius), weight * volume(small));
            let mass = big + heavy;
            let above = 0.5 * radius * heavy / mass;
            let about = 0.4 * (big * radius * radius + heavy * small * small);
            let off = big * above * above + heavy * (0.5 * radius - above).powi(2);
            let mut run = start(&format!(
                "gravity = [0, 0, -{G}]\n[halfspace.table]\nnormal = [0, 0, 1]\n[body.top]\nparts = [\
                 {{ shape = {{ sphere = {radius} }}, density = {shell:?} }},\
                 {{ shape = {{ sphere = {small:?} }}, position = [0, 0, {:?}], density = {weight:?} }}]\n\
                 position = [0, 0, {:?}]\nrotation_deg = [{lean:?}, 0, 0]\n\
                 angular_velocity = [0, 0, {spin:?}]\n[contact]\nrestitution = 0\nfriction = {friction}\n\
                 [simulate]\nduration = 1\nstep = {h:?}\nlaw = \"exact\"\n",
                -0.5 * radius,
                radius - above * lean.to_radians().cos()
            ));
            let twist = run.twists()[0];
            let pose = run.state().poses[0];
            let mut exact = Top {
                radius,
                above,
                mass,
                inertia: [about + off, about],
                friction,
                frame: Rotation3::new(Vector3::x() * lean.to_radians()).into_inner(),
                place: pose.position,
                velocity: twist.v,
                spin: twist.w,
            };
            assert!((exact.place.z + above * exact.frame[(2, 2)] - radius).abs() < 1e-12);
            let mut worst: f64 = 0.0;
            for _ in 0..(0.4 / h).round() as usize {
                run.step().unwrap();
                (0..10).for_each(|_| exact.step(0.1 * h));
                let up = run.state().poses[0].directors[(2, 2)] - exact.frame[(2, 2)];
                let off = (run.state().poses[0].position - exact.place).norm() / radius;
                worst = worst.max(up.abs()).max(off);
            }
            assert_eq!(run.ledger().unsettled_count, 0);
            // It has begun to turn over.
            let risen = lean.to_radians().cos() - exact.frame[(2, 2)];
            (worst, risen)
        };
        let ((coarse, _), (fine, risen)) = (miss(2e-4), miss(5e-5));
        assert!(risen > 0.05, "{radius} {risen}");
        assert!(
            fine < 0.02 * risen.max(1.0),
            "{radius} {coarse} {fine} {risen}"
        );
        assert!(fine < 0.5 * coarse, "{radius} {coarse} {fine}");
    }
}

#[test]
fn thick_coins_roll_on_their_rims_as_their_equations_say() {
    for (a, b, lean, spin) in [
        // None of them comes to stand upright, where both of its rims touch.
        (0.03, 0.003, 60.0_f64, Vector3::new(-12.0, 2.0, 8.0)),
        (0.05, 0.01, 50.0, Vector3::new(-9.0, 1.0, 6.0)),
        (0.012, 0.001, 80.0, Vector3::new(0.0, 2.0, 60.0)),
    ] {
        let lean = lean.to_radians();
        let miss = |h: f64| {
            let mut exact = Coin::new(a, b, lean, spin);
            let mut run = exact.scene(lean, h);
            let mut worst: f64 = 0.0;
            for _ in 0..(0.1 / h).round() as usize {
                run.step().unwrap();
                (0..20).for_each(|_| exact.step(h / 20.0));
                let pose = &run.state().poses[0];
                let off = (pose.position - exact.centre).norm() / a;
                let leaned = (pose.directors.column(2) - exact.frame.column(2)).norm();
                worst = worst.max(off).max(leaned);
            }
            assert_eq!(run.ledger().unsettled_count, 0);
            worst
        };
        let (coarse, fine) = (miss(4e-4), miss(1e-4));
        assert!(fine < 0.02, "{a} {coarse} {fine}");
        assert!(fine < 0.5 * coarse || fine < 1e-4, "{a} {coarse} {fine}");
    }
}

#[test]
fn eulers_coin_precesses_at_the_rate_of_its_lean() {
    for (a, b, lean) in [
        (0.0375, 0.0064, 15.0_f64),
        (0.02, 0.0005, 6.0),
        (0.06, 0.01, 35.0),
    ] {
        let lean = lean.to_radians();
        // The centre is at rest, so that ω lies along the line to the contact; the torque of the weight turns
        // the angular momentum about the vertical: Ω z × L = r × m g z.
        let still = Coin::new(a, b, lean, Vector3::zeros());
        let n = still.frame.column(2).into_owned();
        let r = still.arm(&n);
        let [across, about] = still.inertia();
        let inertia = Matrix3::identity() * across + n * n.transpose() * (about - across);
        // ω = w r/|r| turns the axis about the vertical at Ω: ω × n = Ω z × n.
        let along = r.normalize();
        let per_spin = along.cross(&n).y / Vector3::z().cross(&n).y;
        let kept = Vector3::z().cross(&(inertia * along)).y * per_spin;
        let square = r.cross(&(Vector3::z() * G)).y / kept;
        assert!(square > 0.0);
        let spin = along * square.sqrt();
        let rate = per_spin * square.sqrt();
        let miss = |h: f64| {
            let mut run = Coin::new(a, b, lean, spin).scene(lean, h);
            let steps = (0.2 / h).round() as usize;
            let (mut last, mut turned) = (0.0, 0.0);
            for _ in 0..steps {
                run.step().unwrap();
                let n = run.state().poses[0].directors.column(2).into_owned();
                let now = n.y.atan2(n.x);
                let turn = std::f64::consts::TAU;
                turned += (now - last + 1.5 * turn).rem_euclid(turn) - 0.5 * turn;
                last = now;
                assert!(
                    (n.z.acos() - lean).abs() < 0.01 * lean,
                    "{a} {}",
                    n.z.acos()
                );
            }
            assert_eq!(run.ledger().unsettled_count, 0);
            (turned - rate * h * steps as f64).abs() / (rate * h * steps as f64).abs()
        };
        let (coarse, fine) = (miss(4e-4), miss(1e-4));
        assert!(fine < 2e-3, "{a} {coarse} {fine}");
        assert!(fine < 0.5 * coarse || fine < 1e-5, "{a} {coarse} {fine}");
    }
}

/// A cue ball that runs along x at 1.5 m/s into a ball at rest, cut by an angle from the line of centres.
fn shot(cut: f64, spin: Vector3<f64>, e: f64, ball: f64, cloth: f64, r: f64) -> Simulation {
    let (sin, cos) = cut.sin_cos();
    start(&format!(
        "gravity = [0, 0, -{G}]\n[material.ball]\nfriction = {ball}\nrestitution = {e}\n[material.cloth]\n\
         [surface.table]\nbetween = [\"ball\", \"cloth\"]\nfriction = {cloth}\nrestitution = 0\n\
         [halfspace.table]\nnormal = [0, 0, 1]\nmaterial = \"cloth\"\n\
         [body.cue]\nshape = {{ sphere = {r} }}\nmass = 0.2\nposition = [{:?}, 0, {r}]\n\
         velocity = [1.5, 0, 0]\nangular_velocity = {}\nmaterial = \"ball\"\n\
         [body.object]\nshape = {{ sphere = {r} }}\nmass = 0.2\nposition = [0, {:?}, {r}]\nmaterial = \"ball\"\n\
         [simulate]\nduration = 1\nstep = 0.001\n",
        -2.0 * r * cos - 0.0012,
        list(spin),
        2.0 * r * sin,
    ))
}

#[test]
fn side_spin_throws_by_the_slip_of_the_surfaces() {
    let (v, r) = (1.5, 0.03);
    for (cut, spin, friction, e) in [
        (0.0_f64, 30.0, 0.06, 0.95),
        (25.0, -40.0, 0.1, 0.9),
        (35.0, 20.0, 0.04, 1.0),
        (20.0, 10.0, 0.5, 0.8),
    ] {
        let cut = cut.to_radians();
        let mut run = shot(cut, Vector3::z() * spin, e, friction, 0.0, r);
        run.run(40).unwrap();
        let out = run.twists()[1].v;
        // Along the line of centres m v cos φ (1 + e)/2; across it Coulomb's part of that, at most what ends the
        // slip u = −v sin φ + ω r of the surfaces, m u/7.
        let along = 0.5 * (1.0 + e) * v * cut.cos();
        let slip = -v * cut.sin() + spin * r;
        let across = (slip.abs() / 7.0).min(friction * along).copysign(slip);
        let line = Vector3::new(cut.cos(), cut.sin(), 0.0);
        let side = Vector3::new(-cut.sin(), cut.cos(), 0.0);
        let wanted = line * along + side * across;
        assert!((out - wanted).norm() < 1e-9, "{cut} {spin}: {out} {wanted}");
    }
}

#[test]
fn the_cloth_turns_spin_into_the_last_rolling_of_the_cue_ball() {
    let (v, r) = (1.5, 0.03);
    for (cut, roll, e, cloth) in [
        (0.0_f64, 2.0, 0.95, 0.25),
        (0.0, -1.5, 0.9, 0.3),
        (35.0, -1.0, 1.0, 0.2),
        (60.0, 1.0, 0.92, 0.25),
        (15.0, 0.5, 0.85, 0.3),
    ] {
        let cut = cut.to_radians();
        let spin = Vector3::y() * (roll * v / r);
        // Without friction of the cloth up to the impact, which comes within the first step or two.
        let mut run = shot(cut, spin, e, 0.0, cloth, r);
        // What the cloth does before: friction μ g along the slip for the time of the approach.
        let time = 0.0012 / v;
        let slip = Vector3::x() * (v - roll * v);
        let push = -slip.try_normalize(1e-12).unwrap_or_default() * (cloth * G * time);
        let before = Vector3::x() * v + push;
        let spun = spin + Vector3::z().cross(&push) * (-2.5 / r);
        run.run(900).unwrap();
        let line = Vector3::new(cut.cos(), cut.sin(), 0.0);
        let after = before - line * (0.5 * (1.0 + e) * before.dot(&line));
        // Rolling is v = ω × r z; friction conserves m r v + J ω about the contact.
        let wanted = after * (5.0 / 7.0) + spun.cross(&(Vector3::z() * r)) * (2.0 / 7.0);
        let out = run.twists()[0].v;
        assert!(
            (out - wanted).norm() < 2e-3 * v,
            "{cut} {roll}: {out} {wanted}"
        );
    }
}
