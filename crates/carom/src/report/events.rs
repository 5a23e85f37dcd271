//! Contact events as a report shows them, and `contacts.csv` as their source.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::document::Contacts;
use crate::record::FORCE;

/// Most events kept in a report; `contacts.csv` has all of them.
const MOST_EVENTS: usize = 20_000;

/// Something that happened between two things.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactEvent {
    /// When, in s.
    pub time: f64,
    /// impact, stick, slide, rest, release.
    pub kind: String,
    /// First of the pair.
    pub a: String,
    /// Second of the pair.
    pub b: String,
    /// Feature of the first: vertex, edge, face, bead.
    pub feature_a: String,
    /// Feature of the second.
    pub feature_b: String,
    /// Where, in m.
    pub point: [f64; 3],
    /// Unit normal, from b to a.
    pub normal: [f64; 3],
    /// Impulse on the first, in N s.
    pub impulse: [f64; 3],
    /// Size of the impulse where it has no direction in space: at a limit of a coordinate.
    pub generalised: f64,
    /// Change of energy in J.
    pub energy: f64,
}

/// All events, the first of them in full.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    /// The first events.
    pub events: Vec<ContactEvent>,
    /// How many there were.
    pub total: u64,
}

impl EventLog {
    /// A log of these events.
    pub fn new(mut events: Vec<ContactEvent>) -> Self {
        let total = events.len() as u64;
        events.truncate(MOST_EVENTS);
        Self { events, total }
    }

    /// Reads `contacts.csv`: columns are found by name, those that are missing stay empty.
    pub fn read_csv(source: &mut dyn BufRead) -> io::Result<Self> {
        let mut log = Self::default();
        let mut line = String::new();
        source.read_line(&mut line)?;
        let header = fields(line.trim_end());
        let column = |name: &str| header.iter().position(|h| h == name);
        let words = ["kind", "a", "b", "feature_a", "feature_b"].map(column);
        let vectors = ["point", "normal", "impulse"]
            .map(|v| ["x", "y", "z"].map(|c| column(&format!("{v}.{c}"))));
        let [time, energy, push] = ["time", "energy", "impulse_normal"].map(column);
        loop {
            line.clear();
            if source.read_line(&mut line)? == 0 {
                return Ok(log);
            }
            if line.trim().is_empty() {
                continue;
            }
            if log.events.len() == MOST_EVENTS && !line.contains(FORCE) {
                log.total += 1;
                continue;
            }
            let row = fields(line.trim_end_matches(['\r', '\n']));
            // Rows of forces are no events.
            if words[0]
                .and_then(|k| row.get(k))
                .is_some_and(|kind| kind == FORCE)
            {
                continue;
            }
            log.total += 1;
            if log.events.len() == MOST_EVENTS {
                continue;
            }
            let text = |k: Option<usize>| k.and_then(|k| row.get(k)).cloned().unwrap_or_default();
            let number = |k: Option<usize>| text(k).trim().parse().unwrap_or(0.0);
            let [point, normal, impulse] = vectors.map(|v| v.map(number));
            let [kind, a, b, feature_a, feature_b] = words.map(text);
            log.events.push(ContactEvent {
                time: number(time),
                energy: number(energy),
                generalised: number(push),
                kind,
                a,
                b,
                feature_a,
                feature_b,
                point,
                normal,
                impulse,
            });
        }
    }

    /// Column by column, as a report holds them.
    pub fn columns(&self) -> Contacts {
        let mut words = Vec::new();
        let mut index = HashMap::new();
        let mut word = |text: &str| {
            *index.entry(text.to_string()).or_insert_with(|| {
                words.push(text.to_string());
                words.len() as u32 - 1
            })
        };
        let mut out = Contacts {
            total: self.total,
            ..Contacts::default()
        };
        for event in &self.events {
            out.time.0.push(event.time);
            out.kind.0.push(word(&event.kind));
            out.a.0.push(word(&event.a));
            out.b.0.push(word(&event.b));
            out.feature_a.0.push(word(&event.feature_a));
            out.feature_b.0.push(word(&event.feature_b));
            for (column, values) in [
                (&mut out.point, event.point),
                (&mut out.normal, event.normal),
                (&mut out.impulse, event.impulse),
            ] {
                column.0.extend(values.map(|v| v as f32));
            }
            let size = event.impulse.iter().map(|c| c * c).sum::<f64>().sqrt();
            let size = if size > 0.0 { size } else { event.generalised };
            out.strength.0.push(size as f32);
            out.energy.0.push(event.energy as f32);
        }
        out.words = words;
        out
    }
}

/// Most forces kept in a report: those of every so many frames.
const MOST_FORCES: usize = 40_000;

/// The forces of contacts that `contacts.csv` holds in rows of the kind `force`, means over the time
/// up to a frame: with the force in N in place of the impulse.
pub(super) fn read_forces(path: &Path) -> io::Result<Contacts> {
    let rows = |each: &mut dyn FnMut(&[String], &[String])| -> io::Result<()> {
        let mut lines = BufReader::new(File::open(path)?).lines();
        let Some(header) = lines.next().transpose()? else {
            return Ok(());
        };
        let header = fields(header.trim_end());
        let Some(kind) = header.iter().position(|h| h == "kind") else {
            return Ok(());
        };
        for line in lines {
            let line = line?;
            // Most rows are told apart without being taken apart.
            if !line.contains(",force,") {
                continue;
            }
            let row = fields(line.trim_end());
            if row.get(kind).is_some_and(|word| word == "force") {
                each(&header, &row);
            }
        }
        Ok(())
    };
    let mut count = 0;
    rows(&mut |_, _| count += 1)?;
    let every = (count / MOST_FORCES).max(1) + usize::from(count > MOST_FORCES);
    let mut log = EventLog::default();
    let (mut frame, mut last) = (0, f64::NAN);
    rows(&mut |header, row| {
        let text = |name: &str| {
            let at = header.iter().position(|h| h == name);
            at.and_then(|k| row.get(k)).cloned().unwrap_or_default()
        };
        let number = |name: &str| text(name).trim().parse().unwrap_or(0.0);
        let vector = |name: &str| ["x", "y", "z"].map(|c| number(&format!("{name}.{c}")));
        let time: f64 = number("time");
        if time != last {
            (frame, last) = (frame + 1, time);
        }
        if !(frame - 1_usize).is_multiple_of(every) {
            return;
        }
        log.events.push(ContactEvent {
            time,
            kind: "force".into(),
            a: text("a"),
            b: text("b"),
            point: vector("point"),
            normal: vector("normal"),
            impulse: vector("force"),
            generalised: number("force_normal"),
            ..ContactEvent::default()
        });
    })?;
    log.total = count as u64;
    Ok(log.columns())
}

/// Fields of a line of CSV; a quoted field may hold commas and doubled quotes.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = out.last_mut().expect("there is always a field");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => field.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_may_be_missing() {
        let text = "kind,time,b,a,impulse.z,new\nimpact,0.5,\"x, \"\"y\"\"\",left,2,?\n\nrest,1,wall,left,,\n";
        let log = EventLog::read_csv(&mut text.as_bytes()).unwrap();
        assert_eq!(log.total, 2);
        assert_eq!(log.events[0].b, "x, \"y\"");
        assert_eq!(log.events[0].impulse, [0.0, 0.0, 2.0]);
        assert_eq!((log.events[1].time, log.events[1].energy), (1.0, 0.0));
        let columns = log.columns();
        assert_eq!(columns.kind.0.len(), 2);
        assert_eq!(columns.words[columns.a.0[1] as usize], "left");
    }

    #[test]
    fn forces_are_read_from_their_rows_alone() {
        let path = std::env::temp_dir().join(format!("carom-forces-{}.csv", std::process::id()));
        let text = "time,kind,a,b,point.z,force.x,force.y,force.z\n\
                    0.1,impact,box,floor,0,NaN,NaN,NaN\n\
                    0.2,force,box,floor,0.5,0,3,4\n0.3,force,box,floor,0.5,0,6,8\n";
        std::fs::write(&path, text).unwrap();
        let forces = read_forces(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(forces.time.0, [0.2, 0.3]);
        assert_eq!(forces.strength.0, [5.0, 10.0]);
        assert_eq!(forces.point.0[2], 0.5);
        assert_eq!(forces.words[forces.b.0[1] as usize], "floor");
    }

    #[test]
    fn an_empty_file_has_no_events() {
        let log = EventLog::read_csv(&mut "".as_bytes()).unwrap();
        assert_eq!((log.total, log.events.len()), (0, 0));
    }
}
