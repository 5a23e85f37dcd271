//! Contact problems whose answers are known: statics, friction and impacts of rigid bodies.

use std::f64::consts::PI;
use std::fmt::Write;

use crate::scenes::{G, ROLLING, Run, assert_near, run_text};
use nalgebra::{Matrix3, Vector2, Vector3};

const FLOOR: &str = "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n";
const PLANAR_FLOOR: &str = "gravity = [0, -9.81, 0]\n[halfspace.floor]\nnormal = [0, 1, 0]\n";

/// The end of a text: contact and how it is simulated.
fn ending(e: f64, mu: f64, duration: f64, step: f64, law: &str) -> String {
    format!(
        "[contact]\nrestitution = {e:?}\nfriction = {mu:?}\n\
         [simulate]\nduration = {duration:?}\nstep = {step:?}\nlaw = \"{law}\"\n"
    )
}

fn assert_stands(run: &Run) {
    run.assert_stays(1e-10);
    run.assert_slow(1e-10);
    run.assert_apart(1e-10);
}

#[test]
fn a_stack_of_ten_stands_for_a_minute_without_creep() {
    for (law, duration) in [("exact", 60.0), ("decomposition", 5.0)] {
        let mut text = FLOOR.to_string();
        text += "[group.b]\nshape = { cube = 0.2 }\ndensity = 1000\n\
                 layout = { line = { count = 10, from = [0, 0, 0.1], step = [0, 0, 0.2] } }\n";
        text += &ending(0.0, 0.5, duration, 0.01, law);
        assert_stands(&run_text(&format!("stack under {law}"), &text));
    }
}

/// Boxes on each other, every other one a little aside.
fn stack(masses: &[f64], aside: f64) -> String {
    let mut text = FLOOR.to_string();
    for (k, mass) in masses.iter().enumerate() {
        let (x, z) = (aside * (k % 2) as f64, 0.1 + 0.2 * k as f64);
        writeln!(
            text,
            "[body.b{k}]\nshape = {{ cube = 0.2 }}\nmass = {mass:?}\nposition = [{x:?}, 0, {z:?}]"
        )
        .unwrap();
    }
    text
}

/// Light boxes carry ten thousand times their mass: between heavy ones, and all below a heavy one.
#[test]
fn a_stack_of_ten_stands_whatever_its_masses() {
    let between = [[1.0, 1e4]; 5].concat();
    let below = [vec![1.0; 9], vec![1e4]].concat();
    for (masses, aside) in [(between, 0.0), (below, 0.02)] {
        let text = stack(&masses, aside) + &ending(0.0, 0.5, 5.0, 0.01, "exact");
        let run = run_text(&format!("uneven stack, aside {aside}"), &text);
        run.assert_stays(1e-10);
        // Round-off of what the heavy ones weigh moves the light ones to and fro.
        run.assert_slow(1e-9);
        run.assert_apart(1e-10);
    }
}

#[test]
fn heavy_boxes_stand_on_light_ones() {
    let text = stack(&[1.0, 1e4, 1.0, 1e4], 0.02) + &ending(0.0, 0.5, 2.0, 0.01, "exact");
    assert_stands(&run_text("mass ratio 1e4", &text));
}

#[test]
fn an_arch_of_voussoirs_stands_for_a_minute() {
    // Thicker than a tenth of its radius, a half circle stands (Heyman 1969).
    let count = 9;
    let (inner, outer) = (1.0, 1.3);
    let mut text = PLANAR_FLOOR.to_string();
    for k in 0..count {
        let at = |r: f64, k: usize| {
            let angle = PI * k as f64 / count as f64;
            // Feet stand on the floor exactly.
            let high = if k.is_multiple_of(count) {
                0.0
            } else {
                r * angle.sin()
            };
            Vector2::new(r * angle.cos(), high)
        };
        let corners = [
            at(inner, k),
            at(outer, k),
            at(outer, k + 1),
            at(inner, k + 1),
        ];
        let center = centroid(&corners);
        let points = corners
            .map(|p| format!("[{:?}, {:?}]", p.x, p.y))
            .join(", ");
        writeln!(
            text,
            "[body.v{k}]\nplanar = true\nshape = {{ polygon = [{points}] }}\ndensity = 2000\n\
             position = [{:?}, {:?}]",
            center.x, center.y
        )
        .unwrap();
    }
    text += &ending(0.0, 0.7, 60.0, 0.01, "exact");
    assert_stands(&run_text("arch", &text));
}

fn centroid(corners: &[Vector2<f64>]) -> Vector2<f64> {
    let (mut area, mut sum) = (0.0, Vector2::zeros());
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        let cross = p.x * q.y - q.x * p.y;
        area += cross;
        sum += (p + q) * cross;
    }
    sum / (3.0 * area)
}

#[test]
fn a_wedge_rests_in_a_steep_groove() {
    // Walls ten degrees from the vertical carry three times the weight each.
    let steep = 10.0_f64.to_radians();
    let (high, low) = (0.1 + 0.2 * steep.tan(), 0.1);
    for mu in [0.0, 0.3] {
        let (c, s) = (steep.cos(), steep.sin());
        let mut text = format!(
            "gravity = [0, -9.81, 0]\n\
             [halfspace.left]\nnormal = [{c:?}, {s:?}, 0]\npoint = [{:?}, 0, 0]\n\
             [halfspace.right]\nnormal = [{:?}, {s:?}, 0]\npoint = [{low:?}, 0, 0]\n",
            -low, -c
        );
        let corners = [
            Vector2::new(-low, 0.0),
            Vector2::new(low, 0.0),
            Vector2::new(high, 0.2),
            Vector2::new(-high, 0.2),
        ];
        let points = corners
            .map(|p| format!("[{:?}, {:?}]", p.x, p.y))
            .join(", ");
        let y = centroid(&corners).y;
        writeln!(
            text,
            "[body.wedge]\nplanar = true\nshape = {{ polygon = [{points}] }}\ndensity = 1000\n\
             position = [0, {y:?}]"
        )
        .unwrap();
        text += &ending(0.0, mu, 2.0, 0.01, "exact");
        assert_stands(&run_text(&format!("wedge, mu = {mu}"), &text));
    }
}

/// A block of 0.3 × 0.2 × 0.1 m on a floor, gravity tilted by the slope.
fn incline(mu: f64, slope: f64, law: &str) -> Run {
    let (x, z) = (G * slope.sin(), -G * slope.cos());
    let text = format!(
        "gravity = [{x:?}, 0, {z:?}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [body.b]\nshape = {{ box = [0.3, 0.2, 0.1] }}\ndensity = 1000\nposition = [0, 0, 0.05]\n{}",
        ending(0.0, mu, 1.0, 0.01, law)
    );
    run_text(&format!("incline under {law}"), &text)
}

#[test]
fn a_block_sticks_or_slides_to_one_part_in_a_million() {
    let mu: f64 = 0.4;
    for law in ["exact", "decomposition"] {
        let sticks = incline(mu * (1.0 + 1e-6), mu.atan(), law);
        assert_stands(&sticks);
        let slides = incline(mu * (1.0 - 1e-6), mu.atan(), law);
        let acceleration = 1e-6 * G * mu.atan().sin();
        let way = slides.position("b").x;
        assert_near(way / (0.5 * acceleration), 1.0, 0.03);
        slides.assert_apart(1e-10);
    }
}

#[test]
fn a_sliding_block_stops_where_friction_has_taken_its_energy() {
    let (mu, v, h) = (0.3, 1.0, 1e-3);
    let mut text = FLOOR.to_string();
    text += "[body.b]\nshape = { box = [0.3, 0.2, 0.1] }\ndensity = 1000\n\
             position = [0, 0, 0.05]\nvelocity = [1, 0, 0]\n";
    text += &ending(0.0, mu, 0.5, h, "exact");
    let run = run_text("sliding block", &text);
    assert_near(
        run.position("b").x,
        v * v / (2.0 * mu * G),
        4.0 * mu * G * h * h,
    );
    assert_near(run.position("b").z, 0.05, 1e-10);
    assert!(run.position("b").y.abs() < 1e-10);
    run.assert_slow(1e-10);
    run.assert_no_gain(1e-12);
}

/// A tall block of unit mass, 0.2 × 0.2 × 0.4 m, pushed along x at a height.
fn pushed(mu: f64, force: f64, height: f64) -> Run {
    let text = format!(
        "{FLOOR}[body.b]\nshape = {{ box = [0.2, 0.2, 0.4] }}\nmass = 1\nposition = [0, 0, 0.2]\n\
         [load.push]\nbody = \"b\"\npoint = [0, 0, {:?}]\nforce = [{force:?}, 0, 0]\n{}",
        height - 0.2,
        ending(0.0, mu, 0.1, 1e-3, "exact")
    );
    run_text("pushed block", &text)
}

#[test]
fn a_block_pushed_low_slides() {
    let (mu, push) = (0.3, 0.35);
    let run = pushed(mu, push * G, 0.1);
    let t = run.end().time;
    assert_near(run.velocity("b").x, (push - mu) * G * t, 1e-3 * G * t);
    assert!(run.spin("b").norm() < 1e-9);
    assert_near(run.position("b").z, 0.2, 1e-10);
    run.assert_no_gain(1e-9);
}

#[test]
fn a_block_pushed_high_tips() {
    let run = pushed(0.8, 0.35 * G, 0.4);
    // About its lower edge: J = m (b² + h²)/3.
    let inertia = (0.2_f64.powi(2) + 0.4_f64.powi(2)) / 3.0;
    let acceleration = G * (0.35 * 0.4 - 0.1) / inertia;
    let (t, spin) = (run.end().time, run.spin("b").y);
    // While it tips, the push rises above the edge and the weight comes nearer to it.
    assert!(
        spin > acceleration * t && spin < 1.1 * acceleration * t,
        "{spin}"
    );
    let tilt = run.end().poses[run.index("b")].directors[(0, 2)].asin();
    let (c, s) = (tilt.cos(), tilt.sin());
    let work = 0.35 * G * (0.4 * s + 0.1 * (1.0 - c));
    let lift = G * (0.2 * (c - 1.0) + 0.1 * s);
    assert_near(
        0.5 * inertia * spin * spin,
        work - lift,
        1e-3 * (work - lift),
    );
    let pose = &run.end().poses[run.index("b")];
    let edge = pose.point(&Vector3::new(0.1, 0.0, -0.2));
    assert!(
        (edge - Vector3::new(0.1, 0.0, 0.0)).norm() < 1e-6,
        "the edge moved to {edge}"
    );
    run.assert_apart(1e-9);
}

#[test]
fn a_block_pushed_too_weakly_stays() {
    assert_stands(&pushed(0.8, 0.35 * G, 0.25));
    assert_stands(&pushed(0.36, 0.35 * G, 0.1));
}

/// A thin ladder of a metre at a rough floor (mu = 0.5) and a smooth wall.
fn ladder(degrees: f64) -> Run {
    let angle = degrees.to_radians();
    let (x, y) = (-0.5 * angle.cos(), 0.5 * angle.sin());
    let text = format!(
        "{PLANAR_FLOOR}[material.ice]\nfriction = 0\nrestitution = 0\n\
         [halfspace.wall]\nnormal = [-1, 0, 0]\nmaterial = \"ice\"\n\
         [body.ladder]\nplanar = true\n\
         shape = {{ polygon = [[-0.5, 0], [0, -0.01], [0.5, 0], [0, 0.01]] }}\nmass = 1\n\
         inertia = 0.08333333333333333\nposition = [{x:?}, {y:?}]\nrotation = {angle:?}\n{}",
        ending(0.0, 0.5, 0.5, 0.005, "exact").replace(
            "[simulate]",
            "combine = { friction = \"product\" }\n[surface.rough]\n\
             between = [\"default\", \"default\"]\nfriction = 0.5\n[simulate]"
        )
    );
    run_text("ladder", &text)
}

#[test]
fn a_ladder_slips_below_its_angle() {
    // It stands where tan θ > 1/(2 μ) = 1.
    assert_stands(&ladder(45.01));
    let slips = ladder(44.9);
    let turned = slips.drift();
    assert!(turned > 1e-3 && turned < 2e-2, "moved by {turned}");
    slips.assert_apart(1e-9);
    slips.assert_no_gain(ROLLING);
}

#[test]
fn a_rod_that_jams_stops_without_gaining() {
    // Painlevé: with μ > (1 + 3 cos² θ)/(3 sin θ cos θ) no finite force keeps the leading end from
    // sinking; slip stops by an impulse.
    let angle = 2.0_f64.atan();
    let (x, y) = (-0.5 * angle.cos(), 0.5 * angle.sin());
    for mu in [1.0, 1.4, 2.0, 5.0] {
        let text = format!(
            "{PLANAR_FLOOR}[body.rod]\nplanar = true\n\
             shape = {{ polygon = [[-0.5, 0], [0, -0.01], [0.5, 0], [0, 0.01]] }}\nmass = 1\n\
             inertia = 0.08333333333333333\nposition = [{x:?}, {y:?}]\nrotation = {:?}\n\
             velocity = [1, 0]\n{}",
            -angle,
            ending(0.0, mu, 0.2, 0.001, "exact")
        );
        let run = run_text(&format!("rod, mu = {mu}"), &text);
        run.assert_finite();
        run.assert_apart(1e-9);
        run.assert_no_gain(ROLLING);
        let contact = |k: usize| {
            let f = &run.frames[k];
            let arm = f.poses[0].vector(&Vector3::new(0.5, 0.0, 0.0));
            f.twists[0].v + f.twists[0].w.cross(&arm)
        };
        if mu > 4.0 / 3.0 {
            assert!(
                contact(2).x.abs() < 1e-6,
                "mu = {mu}: slips at {}",
                contact(2)
            );
        } else {
            assert!(contact(2).x > 0.5, "mu = {mu}: slips at {}", contact(2));
        }
    }
}

#[test]
fn a_cradle_passes_the_speed_on() {
    for (shape, size) in [
        ("kind = \"particle\"\nradius = 0.05\n", 0.1),
        ("shape = { cube = 0.1 }\n", 0.1),
    ] {
        let mut text = String::new();
        for k in 0..5 {
            let (x, v) = if k == 0 {
                (-0.3, 1.0)
            } else {
                (k as f64 * (size + 1e-6), 0.0)
            };
            writeln!(
                text,
                "[body.b{k}]\n{shape}mass = 0.3\nposition = [{x:?}, 0, 0]\nvelocity = [{v:?}, 0, 0]"
            )
            .unwrap();
        }
        text += &ending(1.0, 0.0, 0.5, 0.01, "exact");
        let run = run_text("cradle", &text);
        assert_eq!(run.impacts().count(), 4);
        for k in 0..5 {
            let wanted = if k == 4 { 1.0 } else { 0.0 };
            let v = run.velocity(&format!("b{k}"));
            assert!((v - Vector3::x() * wanted).norm() < 1e-12, "b{k}: {v}");
        }
    }
}

#[test]
fn two_bodies_meet_head_on() {
    for law in ["exact", "decomposition"] {
        for shape in [
            "kind = \"particle\"\nradius = 0.05\n",
            "shape = { cube = 0.1 }\n",
        ] {
            for e in [0.0, 0.5, 1.0] {
                for (m, n) in [(1.0, 1.0), (1.0, 3.0), (1e6, 1.0)] {
                    let (u, v) = (1.0, -0.5);
                    let text = format!(
                        "[body.a]\n{shape}mass = {m:?}\nvelocity = [{u:?}, 0, 0]\n\
                         [body.b]\n{shape}mass = {n:?}\nposition = [0.5, 0, 0]\n\
                         velocity = [{v:?}, 0, 0]\n{}",
                        ending(e, 0.3, 0.4, 0.01, law)
                    );
                    let run = run_text(&format!("head-on, e = {e}, {law}"), &text);
                    let middle = (m * u + n * v) / (m + n);
                    let wanted = [
                        middle - e * n / (m + n) * (u - v),
                        middle + e * m / (m + n) * (u - v),
                    ];
                    for (body, wanted) in ["a", "b"].iter().zip(wanted) {
                        let off = run.velocity(body) - Vector3::x() * wanted;
                        assert!(off.norm() < 1e-9, "{}: {body} off by {off}", run.name);
                        assert!(run.spin(body).norm() < 1e-6, "{}", run.name);
                    }
                    run.assert_apart(1e-10);
                }
            }
        }
    }
}

/// Inertia per mass of a box.
fn box_inertia(size: Vector3<f64>) -> Matrix3<f64> {
    let s = size.component_mul(&size) / 12.0;
    Matrix3::from_diagonal(&Vector3::new(s.y + s.z, s.x + s.z, s.x + s.y))
}

#[test]
fn a_box_drops_on_its_face_its_edge_and_its_corner() {
    let size = Vector3::new(0.3, 0.2, 0.1);
    for turn in [[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.3, 0.4, 0.2]] {
        for e in [0.0, 0.5, 1.0] {
            let text = format!(
                "[halfspace.floor]\nnormal = [0, 0, 1]\n\
                 [body.b]\nshape = {{ box = [0.3, 0.2, 0.1] }}\nmass = 2\nposition = [0, 0, 0.3]\n\
                 rotation = {turn:?}\nvelocity = [0, 0, -1]\n{}",
                ending(e, 0.0, 0.3, 0.001, "exact")
            );
            let run = run_text(&format!("box turned by {turn:?}, e = {e}"), &text);
            // Where it touches: the mean of the lowest corners.
            let pose = &run.start().poses[0];
            let corner = |k: usize| {
                let sign = |bit: usize| if k & bit == 0 { -0.5 } else { 0.5 };
                pose.vector(&size.component_mul(&Vector3::new(sign(1), sign(2), sign(4))))
            };
            let corners: Vec<Vector3<f64>> = (0..8).map(corner).collect();
            let lowest = corners.iter().map(|c| c.z).fold(f64::INFINITY, f64::min);
            let touch: Vec<&Vector3<f64>> =
                corners.iter().filter(|c| c.z < lowest + 1e-9).collect();
            let r = touch.iter().fold(Vector3::zeros(), |s, c| s + *c) / touch.len() as f64;
            // P = (1 + e) v/(1/m + (r × n) J⁻¹ (r × n))
            let inertia = pose.directors * box_inertia(size) * pose.directors.transpose() * 2.0;
            let arm = r.cross(&Vector3::z());
            let yields = 0.5 + arm.dot(&(inertia.try_inverse().unwrap() * arm));
            let impulse = (1.0 + e) / yields;
            // Momentum after the impact, before anything else touches.
            let k = run
                .frames
                .iter()
                .position(|f| f.totals.linear.z > -2.0 + 1e-6);
            let f = &run.frames[k.expect("it meets the floor")];
            assert_near(f.totals.linear.z, impulse - 2.0, 1e-9);
            let wanted = arm * impulse;
            let off = f.totals.angular - f.poses[0].position.cross(&f.totals.linear) - wanted;
            assert!(off.norm() < 1e-9, "{}: spin off by {off}", run.name);
            run.assert_apart(1e-9);
            run.assert_no_gain(1e-11);
            if e == 1.0 {
                run.assert_energy_kept(1e-11);
            }
        }
    }
}

#[test]
fn friction_turns_backspin_into_speed() {
    // A body whose lowest corner is below its centre is a ball to an impact: the normal and the
    // tangential impulse do not mix.
    let r = 0.1;
    let octagon: Vec<String> = (0..8)
        .map(|k| {
            let angle = PI * (f64::from(k) / 4.0 - 0.5);
            // The lowest corner is below the centre exactly.
            let x = if k == 0 { 0.0 } else { r * angle.cos() };
            format!("[{x:?}, {:?}]", r * angle.sin())
        })
        .collect();
    let (mass, inertia) = (2.0, 0.01);
    for (e, mu) in [(0.0, 0.1), (0.5, 0.1), (0.5, 0.9), (1.0, 0.2), (1.0, 1.0)] {
        for (v, w) in [(1.0, 0.0), (1.0, 20.0), (0.5, -30.0), (0.0, 10.0)] {
            let text = format!(
                "[halfspace.floor]\nnormal = [0, 1, 0]\n[body.b]\nplanar = true\n\
                 shape = {{ polygon = [{}] }}\nmass = {mass:?}\ninertia = {inertia:?}\n\
                 position = [0, {r:?}]\nvelocity = [{v:?}, -2]\nangular_velocity = {w:?}\n{}",
                octagon.join(", "),
                ending(e, mu, 0.002, 0.001, "exact")
            );
            let run = run_text(&format!("backspin {v} {w}, e = {e}, mu = {mu}"), &text);
            let slip = v + w * r;
            let normal = (1.0 + e) * mass * 2.0;
            let stick = slip.abs() / (1.0 / mass + r * r / inertia);
            let tangent = -slip.signum() * stick.min(mu * normal);
            let (found, spin) = (run.velocity("b"), run.spin("b").z);
            let name = &run.name;
            assert!(
                (found.y - 2.0 * e).abs() < 1e-9,
                "{name}: rises at {}",
                found.y
            );
            let speed = v + tangent / mass;
            assert!(
                (found.x - speed).abs() < 1e-9,
                "{name}: {} not {speed}",
                found.x
            );
            let turns = w + r * tangent / inertia;
            assert!((spin - turns).abs() < 1e-8, "{name}: {spin} not {turns}");
            run.assert_no_gain(1e-12);
        }
    }
}

#[test]
fn friction_acts_against_the_slip_in_space() {
    // An octahedron on its corner: as before, with slip in any direction.
    let edge = 0.2;
    let (r, inertia) = (edge / 2.0_f64.sqrt(), edge * edge / 10.0);
    for mu in [0.05, 0.8] {
        for e in [0.0, 0.6] {
            let text = format!(
                "[halfspace.floor]\nnormal = [0, 0, 1]\n[body.b]\nshape = {{ octahedron = {edge:?} }}\n\
                 mass = 1\nposition = [0, 0, {r:?}]\nvelocity = [0.3, 0.4, -1]\n\
                 angular_velocity = [1, 2, 0]\n{}",
                ending(e, mu, 0.002, 0.001, "exact")
            );
            let run = run_text(&format!("octahedron, e = {e}, mu = {mu}"), &text);
            let down = Vector3::new(0.0, 0.0, -r);
            let (v, w) = (Vector3::new(0.3, 0.4, 0.0), Vector3::new(1.0, 2.0, 0.0));
            let slip = v + w.cross(&down);
            let stick = slip.norm() / (1.0 + r * r / inertia);
            let tangent = slip.normalize() * -stick.min(mu * (1.0 + e));
            let off = run.velocity("b") - (v + tangent + Vector3::z() * e);
            assert!(off.norm() < 1e-9, "{}: velocity off by {off}", run.name);
            let off = run.spin("b") - (w + down.cross(&tangent) / inertia);
            assert!(off.norm() < 1e-7, "{}: spin off by {off}", run.name);
        }
    }
}
