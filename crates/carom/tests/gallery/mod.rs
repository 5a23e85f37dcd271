//! Runs an example of the gallery and reads back what the run wrote.
#![allow(dead_code)]

mod chains;
mod cubes;
mod docking;
mod elastic;
mod hexagons;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use carom::record::{Folder, Status};
use carom::run::{self, Observer};
use carom::scenario::{Options, Scenario};
use serde_json::Value;

/// What a run left in its folder.
pub struct Record {
    pub summary: Value,
    pub contacts: Vec<Contact>,
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

/// A row of `contacts.csv`.
#[derive(Clone, Debug)]
pub struct Contact {
    pub time: f64,
    pub kind: String,
    pub pair: [String; 2],
    pub impulse: [f64; 3],
    pub impulse_normal: f64,
    pub impulse_tangent: f64,
    pub normal: [f64; 3],
    pub speed_before: f64,
    pub speed_after: f64,
    pub energy: f64,
}

/// First, last, least and largest value.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub initial: f64,
    pub last: f64,
    pub min: f64,
    pub max: f64,
}

impl Range {
    pub fn spread(&self) -> f64 {
        self.max - self.min
    }

    /// Largest deviation from the start.
    pub fn deviation(&self) -> f64 {
        (self.max - self.initial).max(self.initial - self.min)
    }
}

/// An example, `NAME` or `NAME:VARIANT`, with overrides.
pub fn scenario(example: &str, set: &[&str]) -> Scenario {
    let (name, variant) = match example.split_once(':') {
        Some((name, variant)) => (name, Some(variant.to_string())),
        None => (example, None),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let options = Options {
        variant,
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    Scenario::read(&folder.join(format!("{name}.toml")), &options)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn path(folder: &str) -> PathBuf {
    let all = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    all.join(folder)
}

/// Runs an example into a folder of its own; how it ended.
pub fn end_of(folder: &str, example: &str, set: &[&str]) -> Status {
    let path = path(folder);
    let _ = std::fs::remove_dir_all(&path);
    let mut out = Folder::open(&path, false).unwrap();
    let mut observer = Observer {
        progress: &mut |_| {},
        stop: &AtomicBool::new(false),
    };
    let outcome = run::run(&scenario(example, set), &mut out, false, &mut observer);
    outcome.unwrap().status
}

/// Runs an example to its end. Tests that run the same example name themselves in `folder`.
pub fn run_in(folder: &str, example: &str, set: &[&str]) -> Record {
    assert_eq!(end_of(folder, example, set), Status::Done, "{example}");
    Record::read(&path(folder))
}

/// Runs an example to its end.
pub fn run(example: &str, set: &[&str]) -> Record {
    run_in(&example.replace(':', "-"), example, set)
}

impl Record {
    fn read(path: &Path) -> Self {
        let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
        let trajectory = read("trajectory.csv");
        let mut lines = trajectory.lines();
        let columns = lines.next().unwrap().split(',').map(String::from);
        let columns = columns.collect();
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        Self {
            summary: serde_json::from_str(&read("summary.json")).unwrap(),
            contacts: read("contacts.csv")
                .lines()
                .skip(1)
                .map(Contact::read)
                .collect(),
            columns,
            rows: lines.map(|l| l.split(',').map(number).collect()).collect(),
        }
    }

    /// A number of the summary.
    pub fn number(&self, key: &str) -> f64 {
        self.summary[key].as_f64().unwrap()
    }

    /// `energy` or `energy_discrete`.
    pub fn range(&self, key: &str) -> Range {
        let value = |k: &str| self.summary[key][k].as_f64().unwrap();
        Range {
            initial: value("initial"),
            last: value("final"),
            min: value("min"),
            max: value("max"),
        }
    }

    /// Something of a body at the end, such as its velocity.
    pub fn body(&self, name: &str, key: &str) -> Vec<f64> {
        numbers(&self.summary["bodies"][name][key])
    }

    /// `linear_momentum` or `angular_momentum` at the start and at the end.
    pub fn momentum(&self, key: &str) -> [Vec<f64>; 2] {
        let value = &self.summary[key];
        [numbers(&value["initial"]), numbers(&value["final"])]
    }

    /// Largest change of a momentum.
    pub fn momentum_change(&self, key: &str) -> f64 {
        self.summary[key]["max_change"].as_f64().unwrap()
    }

    /// Columns of the nodes of an elastic body, such as all `NAME.12.x`.
    pub fn nodes(&self, body: &str, axis: &str) -> Vec<Vec<f64>> {
        let is_node = |name: &str| {
            let rest = name.strip_prefix(body).and_then(|r| r.strip_prefix('.'));
            let parts = rest.and_then(|r| r.split_once('.'));
            parts.is_some_and(|(node, of)| of == axis && node.parse::<u32>().is_ok())
        };
        let names = self.columns.iter().filter(|name| is_node(name));
        names.map(|name| self.column(name)).collect()
    }

    /// A column of the trajectory.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let k = self.columns.iter().position(|c| c == name);
        let k = k.unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[k]).collect()
    }

    /// The frame nearest to a time.
    pub fn frame(&self, time: f64) -> usize {
        let times = self.column("time");
        let apart = |k: &usize| (times[*k] - time).abs();
        (0..times.len())
            .min_by(|a, b| apart(a).total_cmp(&apart(b)))
            .unwrap()
    }

    /// Contacts of a kind.
    pub fn of_kind(&self, kind: &str) -> Vec<&Contact> {
        self.contacts.iter().filter(|c| c.kind == kind).collect()
    }

    /// Impacts keep energy, reverse the gap's rate and push along the normal, to a tolerance
    /// relative to what they change.
    pub fn assert_elastic_jumps(&self, tolerance: f64) {
        for c in self.of_kind("impact") {
            let speed = c.speed_before.abs();
            let exchanged = 0.5 * c.impulse_normal * speed;
            assert!(
                (c.speed_after + c.speed_before).abs() < tolerance * speed,
                "{c:?}"
            );
            assert!(c.energy.abs() < tolerance * exchanged, "{c:?}");
            for k in 0..3 {
                let off = c.impulse[k] - c.impulse_normal * c.normal[k];
                assert!(off.abs() < tolerance * c.impulse_normal, "{c:?}");
            }
            assert!(c.impulse_tangent < tolerance * c.impulse_normal, "{c:?}");
        }
    }
}

impl Contact {
    fn read(line: &str) -> Self {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().unwrap();
        Self {
            time: number(0),
            kind: cells[1].into(),
            pair: [cells[2].into(), cells[3].into()],
            impulse: [number(6), number(7), number(8)],
            impulse_normal: number(9),
            impulse_tangent: number(10),
            normal: [number(14), number(15), number(16)],
            speed_before: number(17),
            speed_after: number(18),
            energy: number(19),
        }
    }

    /// Whether it is between these two.
    pub fn is_between(&self, a: &str, b: &str) -> bool {
        let [x, y] = &self.pair;
        (x == a && y == b) || (x == b && y == a)
    }
}

/// The numbers of a list.
pub fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Reference data.
pub fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Largest difference of two lists.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f64::max)
}

/// Length of a vector.
pub fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Mean of some numbers.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
