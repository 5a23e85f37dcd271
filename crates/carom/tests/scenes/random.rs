//! Random scenes as scenario texts: a seed is a scene, on every machine.
//!
//! Everything is measured by a length between 1e-3 and 1e3 m and by the step, so that small and large
//! scenes are alike: a body moves by up to a tenth of its size in a step. Bodies start apart, or touch
//! where they are stacked.

use std::fmt::Write;

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;

/// A scene and what may be asked of it.
pub struct Scene {
    pub text: String,
    /// In a few words.
    pub label: String,
    /// A length that all bodies are about as large as, or smaller.
    pub length: f64,
    /// Whether overlapping is how its contacts work.
    pub soft: bool,
    /// Whether the scheme keeps its energy to round-off between contacts: no joints, springs, loads.
    pub exact_energy: bool,
    /// Whether nothing outside acts on it.
    pub isolated: bool,
    /// Size of its steps.
    step: f64,
}

/// Steps of a scene.
const STEPS: u32 = 200;

/// Number and size of the steps, as a scene says it.
fn steps(count: u32, step: f64) -> String {
    format!("steps = {count}\nstep = {step:?}\n")
}

impl Scene {
    /// The same scene in twice as many steps of half the size.
    pub fn finer(&self) -> Self {
        let (coarse, fine) = (steps(STEPS, self.step), steps(2 * STEPS, 0.5 * self.step));
        Self {
            text: self.text.replace(&coarse, &fine),
            label: self.label.clone(),
            step: 0.5 * self.step,
            ..*self
        }
    }
}

struct Made {
    name: String,
    reach: f64,
    mass: f64,
}

struct Writer {
    rng: ChaCha8Rng,
    text: String,
    planar: bool,
    gravity: bool,
    length: f64,
    step: f64,
    law: &'static str,
    bodies: Vec<Made>,
    exact_energy: bool,
    isolated: bool,
    words: Vec<String>,
}

/// The scene of a seed.
pub fn scene(seed: u64) -> Scene {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let length = 10.0_f64.powf(rng.random_range(-3.0..3.0));
    let gravity = rng.random_bool(0.75);
    let step = if gravity {
        (length / G).sqrt() * 10.0_f64.powf(rng.random_range(-2.2..-1.4))
    } else {
        10.0_f64.powf(rng.random_range(-3.0..-1.0))
    };
    let law = ["exact", "exact", "decomposition", "potential", "plastic"];
    let law = law[rng.random_range(0..law.len())];
    let mut w = Writer {
        planar: rng.random_bool(0.25),
        rng,
        text: String::new(),
        gravity,
        length,
        step,
        law,
        bodies: Vec::new(),
        exact_energy: law != "potential",
        isolated: !gravity,
        words: vec![law.into()],
    };
    w.write();
    Scene {
        text: w.text,
        label: w.words.join(" "),
        length,
        soft: law == "potential",
        exact_energy: w.exact_energy,
        isolated: w.isolated,
        step,
    }
}

impl Writer {
    fn chance(&mut self, p: f64) -> bool {
        self.rng.random_bool(p)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.rng.random_range(low..=high)
    }

    /// A size: alike for the soft law, whose stiffness suits one mass.
    fn size(&mut self) -> f64 {
        let spread = if self.law == "potential" { 0.1 } else { 0.4 };
        self.length * 0.4 * 10.0_f64.powf(self.between(-spread, spread))
    }

    fn vector(&mut self, most: f64) -> Vector3<f64> {
        let v = Vector3::from_fn(|_, _| self.between(-most, most));
        if self.planar {
            Vector3::new(v.x, v.y, 0.0)
        } else {
            v
        }
    }

    fn list(&self, v: Vector3<f64>) -> String {
        if self.planar {
            format!("[{:?}, {:?}]", v.x, v.y)
        } else {
            format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
        }
    }

    /// Unit vector upwards.
    fn up(&self) -> Vector3<f64> {
        if self.planar {
            Vector3::y()
        } else {
            Vector3::z()
        }
    }

    /// Acceleration of what acts: that of gravity, or one that moves a body by its length in a hundred steps.
    fn pull(&self) -> f64 {
        if self.gravity {
            G
        } else {
            self.length / (100.0 * self.step).powi(2)
        }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn write(&mut self) {
        if self.planar {
            self.words.push("planar".into());
        }
        if self.gravity {
            let g = self.up() * -G;
            self.line(format!("gravity = [{:?}, {:?}, {:?}]", g.x, g.y, g.z));
        }
        self.surfaces();
        let kind = self.between(0.0, 1.0);
        // Faces on faces are kinks of a soft contact, where Newton's method seldom converges.
        let stacked = if self.law == "potential" { 0.05 } else { 0.25 };
        let top = match kind {
            k if k < stacked => self.stack(),
            k if k < 0.5 && !self.planar => self.chain(),
            _ => 0.0,
        };
        let more = if top > 0.0 {
            self.rng.random_range(0..4)
        } else {
            self.rng.random_range(1..13)
        };
        let width = self.scatter(more, top);
        self.walls(width, top);
        self.forces();
        self.simulate();
        self.words.push(format!("{} bodies", self.bodies.len()));
    }

    fn surfaces(&mut self) {
        let e = match self.rng.random_range(0..4) {
            0 => 0.0,
            1 => 1.0,
            _ => self.between(0.0, 1.0),
        };
        let mu = match self.rng.random_range(0..3) {
            0 => 0.0,
            _ => self.between(0.0, 1.0),
        };
        // The contact potential knows neither.
        let soft = self.law == "potential";
        let (e, mu) = if soft { (1.0, 0.0) } else { (e, mu) };
        self.words.push(format!("e {e:.2} mu {mu:.2}"));
        self.line(format!("[contact]\nrestitution = {e:?}\nfriction = {mu:?}"));
        let (e, mu) = (self.between(0.0, 1.0), self.between(0.0, 1.0));
        let (e, mu) = if soft { (1.0, 0.0) } else { (e, mu) };
        self.line(format!(
            "[material.other]\nrestitution = {e:?}\nfriction = {mu:?}"
        ));
    }

    /// Boxes on each other; how high they are.
    fn stack(&mut self) -> f64 {
        self.words.push("stack".into());
        let count = self.rng.random_range(1..7);
        let side = self.length * 0.5;
        let mut height = 0.0;
        for k in 0..count {
            let tall = self.between(0.2, 1.0) * side;
            let aside = self.vector(0.1 * side);
            let at = aside - self.up() * aside.dot(&self.up()) + self.up() * (height + 0.5 * tall);
            height += tall;
            let name = format!("stack-{k}");
            let (shape, mass, turn) = if self.planar {
                let shape = format!("{{ rectangle = [{side:?}, {tall:?}] }}");
                (shape, DENSITY * side * tall, "0".to_string())
            } else {
                let shape = format!("{{ box = [{side:?}, {side:?}, {tall:?}] }}");
                let turn = self.between(-0.5, 0.5);
                (
                    shape,
                    DENSITY * side * side * tall,
                    format!("[0, 0, {turn:?}]"),
                )
            };
            let at = self.list(at);
            self.body(&name, &shape, &at, &turn, "", side.hypot(side), mass);
        }
        height
    }

    /// Links that hang together, at rest; how high they are.
    fn chain(&mut self) -> f64 {
        let count = self.rng.random_range(2..7);
        let link = self.length * 0.6;
        let high = self.between(0.5, 3.0) * self.length;
        let kind = ["revolute", "spherical", "revolute"][self.rng.random_range(0..3)];
        self.words.push(format!("chain of {kind}"));
        let thin = 0.2 * link;
        for k in 0..count {
            let shape = format!("{{ box = [{link:?}, {thin:?}, {thin:?}] }}");
            let at = format!("[{:?}, 0, {high:?}]", (f64::from(k) + 0.5) * link);
            let mass = DENSITY * link * thin * thin;
            let name = format!("link-{k}");
            self.body(&name, &shape, &at, "[0, 0, 0]", "", 0.6 * link, mass);
        }
        for k in 0..count {
            let hung = k == 0 && self.chance(0.5);
            let slides = hung && self.chance(0.3);
            if k == 0 && !hung {
                continue;
            }
            let parent = if k == 0 {
                "world".into()
            } else {
                format!("link-{}", k - 1)
            };
            let kind = if slides { "prismatic" } else { kind };
            self.line(format!(
                "[joint.j-{k}]\nkind = \"{kind}\"\nbetween = [\"{parent}\", \"link-{k}\"]"
            ));
            self.line(format!("at = [{:?}, 0, {high:?}]", f64::from(k) * link));
            if kind != "spherical" {
                let axis = if self.chance(0.5) {
                    "[0, 1, 0]"
                } else {
                    "[0, 0, 1]"
                };
                self.line(format!("axis = {axis}"));
                if self.chance(0.5) {
                    let far = self.between(5.0, 90.0);
                    if kind == "revolute" {
                        self.line(format!("limits_deg = [{:?}, {far:?}]", -0.7 * far));
                    } else {
                        let far = far / 50.0 * link;
                        self.line(format!("limits = [{:?}, {far:?}]", -0.7 * far));
                    }
                }
            }
            self.isolated &= !hung;
        }
        if self.chance(0.3) {
            let torque = self.between(-1.0, 1.0) * DENSITY * link.powi(4) * 0.04 * self.pull();
            if kind == "revolute" {
                self.line(format!("[load.motor]\njoint = \"j-1\"\nvalue = {torque:?}"));
            }
        }
        self.exact_energy = false;
        high + 0.2 * link
    }

    /// Bodies here and there above `base`; the width of the region they are in.
    fn scatter(&mut self, count: usize, base: f64) -> f64 {
        let mut width = 1.5 * self.length * (count as f64).cbrt().max(1.0) + base;
        let mut taken: Vec<(Vector3<f64>, f64)> = Vec::new();
        let still = self.chance(0.4);
        for k in 0..count {
            let reach = self.size();
            let at = loop {
                let aside = self.vector(0.5 * width);
                let up = self.up();
                let above = aside.dot(&up) + 0.5 * width + base + 1.01 * reach;
                let at = aside - up * aside.dot(&up) + up * above;
                let free = |(q, r): &(Vector3<f64>, f64)| (at - q).norm() > 1.01 * (r + reach);
                if taken.iter().all(free) {
                    break at;
                }
                width *= 1.02;
            };
            taken.push((at, reach));
            self.scattered(k, at, reach, still);
        }
        width
    }

    fn scattered(&mut self, k: usize, at: Vector3<f64>, reach: f64, still: bool) {
        let name = format!("body-{k}");
        let quick = if still {
            0.0
        } else {
            self.length / self.step * 10.0_f64.powf(self.between(-3.0, -1.0))
        };
        let velocity = self.vector(quick);
        let at = self.list(at);
        let mut rest = format!("velocity = {}\n", self.list(velocity));
        if self.chance(0.3) {
            rest.push_str("material = \"other\"\n");
        }
        if !self.planar && self.chance(0.25) {
            let mass = DENSITY * reach.powi(3);
            let text = format!(
                "[body.{name}]\nkind = \"particle\"\nmass = {mass:?}\nradius = {reach:?}\nposition = {at}\n{rest}"
            );
            self.line(text);
            self.bodies.push(Made { name, reach, mass });
            return;
        }
        let spin = if still { 0.0 } else { 0.1 / self.step };
        if self.planar {
            let _ = writeln!(
                rest,
                "angular_velocity = {:?}",
                self.between(-1.0, 1.0) * spin
            );
        } else {
            let spin = self.vector(spin);
            let _ = writeln!(rest, "angular_velocity = {}", self.list(spin));
        }
        let (shape, mass) = if self.planar {
            self.flat_shape(reach)
        } else {
            self.shape(reach)
        };
        let turn = if self.planar {
            format!("{:?}", self.between(-3.0, 3.0))
        } else {
            let turn = self.vector(2.0);
            self.list(turn)
        };
        self.body(&name, &shape, &at, &turn, &rest, reach, mass);
    }

    /// A solid whose corners are `reach` away from its middle, and its mass.
    fn shape(&mut self, reach: f64) -> (String, f64) {
        let regular = |name: &str, circumradius: f64, volume: f64| {
            let edge = reach / circumradius;
            (
                format!("{{ {name} = {edge:?} }}"),
                DENSITY * volume * edge.powi(3),
            )
        };
        match self.rng.random_range(0..6) {
            0 => regular("tetrahedron", 0.612_372_4, 0.117_851_1),
            1 => regular("dodecahedron", 1.401_258_5, 7.663_118_9),
            2 => regular("cube", 0.866_025_4, 1.0),
            3 => regular("octahedron", std::f64::consts::FRAC_1_SQRT_2, 0.471_404_5),
            _ => {
                let sides = Vector3::from_fn(|_, _| self.between(0.1, 1.0));
                let s = sides * (2.0 * reach / sides.norm());
                let text = format!("{{ box = [{:?}, {:?}, {:?}] }}", s.x, s.y, s.z);
                (text, DENSITY * s.x * s.y * s.z)
            }
        }
    }

    fn flat_shape(&mut self, reach: f64) -> (String, f64) {
        match self.rng.random_range(0..3) {
            0 => {
                let (a, b) = (self.between(0.1, 1.0), self.between(0.1, 1.0));
                let scale = 2.0 * reach / a.hypot(b);
                let (a, b) = (a * scale, b * scale);
                (format!("{{ rectangle = [{a:?}, {b:?}] }}"), DENSITY * a * b)
            }
            1 => {
                let n = self.rng.random_range(3..9);
                let text = format!("{{ regular = {{ sides = {n}, radius = {reach:?} }} }}");
                (text, DENSITY * 2.0 * reach * reach)
            }
            _ => {
                // A triangle around its middle, whatever its corners.
                let points: Vec<String> = (0..3)
                    .map(|k| {
                        let angle = 2.1 * f64::from(k) + self.between(-0.5, 0.5);
                        let r = 0.6 * reach;
                        format!("[{:?}, {:?}]", r * angle.cos(), r * angle.sin())
                    })
                    .collect();
                let text = format!("{{ polygon = [{}] }}", points.join(", "));
                (text, DENSITY * 0.4 * reach * reach)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn body(
        &mut self,
        name: &str,
        shape: &str,
        at: &str,
        turn: &str,
        rest: &str,
        reach: f64,
        mass: f64,
    ) {
        let planar = if self.planar { "planar = true\n" } else { "" };
        self.line(format!(
            "[body.{name}]\n{planar}shape = {shape}\ndensity = {DENSITY}\nposition = {at}\nrotation = {turn}\n{rest}"
        ));
        self.bodies.push(Made {
            name: name.into(),
            reach,
            mass,
        });
    }

    /// A floor, and now and then walls around everything.
    fn walls(&mut self, width: f64, top: f64) {
        let up = self.up();
        if self.gravity || top > 0.0 || self.chance(0.5) {
            self.line(format!(
                "[halfspace.floor]\nnormal = [{:?}, {:?}, {:?}]",
                up.x, up.y, up.z
            ));
            if self.chance(0.3) {
                self.line("material = \"other\"");
            }
            self.isolated = false;
        }
        if !self.chance(0.4) {
            return;
        }
        self.words.push("walls".into());
        self.isolated = false;
        let far = self.bodies.iter().map(|b| b.reach).fold(0.0, f64::max);
        // Chains reach out to six links.
        let far = 0.5 * width + 1.1 * far + 4.0 * self.length;
        let sides = if self.planar {
            vec![Vector3::x()]
        } else {
            vec![Vector3::x(), Vector3::y()]
        };
        for (k, n) in sides.iter().enumerate() {
            for sign in [1.0, -1.0] {
                let (normal, point) = (n * sign, n * (-sign * far));
                let name = if sign > 0.0 { "low" } else { "high" };
                self.line(format!(
                    "[halfspace.{name}-{k}]\nnormal = [{:?}, {:?}, {:?}]\npoint = [{:?}, {:?}, {:?}]",
                    normal.x, normal.y, normal.z, point.x, point.y, point.z
                ));
            }
        }
    }

    fn forces(&mut self) {
        let any = |w: &mut Self| {
            let k = w.rng.random_range(0..w.bodies.len());
            (w.bodies[k].name.clone(), w.bodies[k].mass)
        };
        let pull = self.pull();
        if self.chance(0.3) {
            let (body, mass) = any(self);
            let f = self.vector(2.0 * mass * pull);
            let turns = self.chance(0.5);
            let beat = 0.1 / self.step;
            let part = |x: f64| match turns {
                true => format!("\"({x:?})*sin({beat:?}*t)\""),
                false => format!("{x:?}"),
            };
            let force = format!("[{}, {}, {}]", part(f.x), part(f.y), part(f.z));
            self.line(format!("[load.push]\nbody = \"{body}\"\nforce = {force}"));
            self.words.push("load".into());
            self.isolated = false;
            self.exact_energy = false;
        }
        if self.chance(0.3) {
            let (body, mass) = any(self);
            let stiffness = mass * (self.between(0.01, 0.1) / self.step).powi(2);
            let (other, light) = any(self);
            let stiffness = stiffness.min(light * (0.1 / self.step).powi(2));
            if other == body || self.chance(0.5) {
                let at = self.vector(3.0 * self.length);
                self.line(format!(
                    "[spring.s]\nbetween = [\"{body}\", [{:?}, {:?}, {:?}]]\nstiffness = {stiffness:?}",
                    at.x, at.y, at.z
                ));
                self.isolated = false;
            } else {
                self.line(format!(
                    "[spring.s]\nbetween = [\"{body}\", \"{other}\"]\nstiffness = {stiffness:?}"
                ));
            }
            if self.chance(0.5) {
                self.line(format!("rest_length = {:?}", self.length));
            }
            self.words.push("spring".into());
            self.exact_energy = false;
        }
        if self.chance(0.15) {
            let (body, mass) = any(self);
            let drag = mass * 0.01 / self.step;
            self.line(format!("[drag.d]\nbody = \"{body}\"\nlinear = {drag:?}"));
            self.words.push("drag".into());
            self.isolated = false;
            self.exact_energy = false;
        }
    }

    fn simulate(&mut self) {
        let law = self.law;
        self.line(format!(
            "[simulate]\n{}law = \"{law}\"",
            steps(STEPS, self.step)
        ));
        match law {
            "potential" => {
                let light = self
                    .bodies
                    .iter()
                    .map(|b| b.mass)
                    .fold(f64::INFINITY, f64::min);
                let stiffness = light * (0.1 / self.step).powi(2);
                self.line(format!("stiffness = {stiffness:?}"));
            }
            "plastic" => {
                let hold = ["stick", "slip", "patch"][self.rng.random_range(0..3)];
                self.line(format!("hold = \"{hold}\""));
            }
            "exact" if self.chance(0.2) => self.line("jump = \"null-space\""),
            _ => {}
        }
        if self.chance(0.2) {
            self.line("simultaneous = \"sequential\"");
        }
    }
}
