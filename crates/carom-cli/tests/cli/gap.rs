//! `carom gap` as a process: answers, exit statuses and messages.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// `carom gap -`, started and waiting for its input.
fn start() -> Child {
    let mut command = carom();
    command.args(["gap", "-"]).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs `carom gap -` on `input`.
fn gap(input: &[u8]) -> Output {
    let mut child = start();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn answer(input: &Value) -> Value {
    let output = gap(input.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts exit status 2, nothing on standard output, and a message that holds all `parts`.
fn refused(input: &[u8], parts: &[&str]) {
    let output = gap(input);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty());
    assert!(message.starts_with("error: <stdin>"), "{message}");
    assert!(message.contains("help: "), "{message}");
    for part in parts {
        assert!(message.contains(part), "no {part:?} in: {message}");
    }
}

fn gallery() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../gallery/gap"))
}

fn cube(x: f64, y: f64, z: f64) -> Value {
    let corners: Vec<[f64; 3]> = (0..8u8)
        .map(|k| {
            [
                x + f64::from(k >> 2),
                y + f64::from((k >> 1) & 1),
                z + f64::from(k & 1),
            ]
        })
        .collect();
    json!(corners)
}

#[test]
fn stacked_cubes_share_their_patch_evenly() {
    let a = answer(&json!({"a": cube(0.0, 0.0, 1.25), "b": cube(0.0, 0.0, 0.0)}));
    assert_eq!(a["status"], "bounded");
    assert_eq!(a["gap"], 0.25);
    assert_eq!(a["distance"], 0.25);
    assert_eq!(a["alpha"], json!([0.0, 0.0, 1.0]));
    let share = |k: usize, z: usize| if k & 1 == z { 0.25 } else { 0.0 };
    for (key, z) in [("weights_a", 0), ("weights_b", 1)] {
        let weights: Vec<f64> = serde_json::from_value(a[key].clone()).unwrap();
        assert_eq!(weights.len(), 8);
        for (k, w) in weights.iter().enumerate() {
            assert!((w - share(k, z)).abs() < 1e-14, "{key}: {weights:?}");
        }
    }
    for (key, z) in [("point_a", 1.25), ("point_b", 1.0)] {
        let point: [f64; 3] = serde_json::from_value(a[key].clone()).unwrap();
        let error = [point[0] - 0.5, point[1] - 0.5, point[2] - z].map(f64::abs);
        assert!(error.iter().all(|e| *e < 1e-14), "{key}: {point:?}");
    }
    assert_eq!(a["features"], json!(["face", "face"]));
}

/// Coordinates with few digits give answers with few digits.
#[test]
fn small_integers_are_exact() {
    let a = answer(&json!({"a": [[0, 2], [1, 3], [-1, 3]], "b": [[0, 1], [1, 0], [-1, 0]]}));
    assert_eq!(a["gap"], 1.0);
    assert_eq!(a["distance"], 1.0);
    assert_eq!(a["weights_a"], json!([1.0, 0.0, 0.0]));
    assert_eq!(a["point_b"], json!([0.0, 1.0]));
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let output = gap(br#"{"a": [[0, 1]], "b": [[0, 0]], "name": "dots", "id": 7}"#);
    let text = String::from_utf8(output.stdout).unwrap();
    let keys: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
        .collect();
    let expected = "id name status gap alpha weights_a weights_b point_a point_b features distance";
    assert_eq!(keys.join(" "), expected);
    assert!(text.contains("\"name\": \"dots\"") && text.contains("\"id\": 7"));
}

#[test]
fn object_for_object_and_list_for_list() {
    let query = json!({"a": [[0, 1]], "b": [[0, 0]], "beta": null});
    let one = answer(&query);
    assert!(one.is_object());
    assert_eq!(one["alpha"].as_array().unwrap().len(), 2);
    assert_eq!(answer(&json!([query, query])), json!([one, one]));
    assert_eq!(answer(&json!([])), json!([]));
}

#[test]
fn unbounded_has_null_but_for_the_distance() {
    let a = answer(&json!({
        "a": cube(3.0, 0.0, 0.5), "b": cube(0.0, 0.0, -1.0), "beta": [0, 0, 1]
    }));
    assert_eq!(a["status"], "unbounded");
    for key in [
        "gap",
        "alpha",
        "weights_a",
        "weights_b",
        "point_a",
        "point_b",
        "features",
    ] {
        assert!(a[key].is_null(), "{key}");
    }
    assert!(a["distance"].is_number());
}

#[test]
fn numbers_survive_the_round_trip() {
    // Halfway cases that a sloppy parser misses by one unit in the last place.
    for text in [
        "0.1234567890123456789",
        "9007199254740993.0",
        "2.2250738585072011e-308",
    ] {
        let input = format!(r#"{{"a": [[{text}, 0]], "b": [[{text}, -1]], "beta": [0, 1]}}"#);
        let output = gap(input.as_bytes());
        let a: Value = serde_json::from_slice(&output.stdout).unwrap();
        let printed = a["point_a"][0].to_string();
        assert_eq!(
            printed.parse::<f64>().unwrap(),
            text.parse::<f64>().unwrap()
        );
    }
}

#[test]
fn every_gallery_file_is_answered() {
    let mut files = 0;
    for entry in std::fs::read_dir(gallery()).unwrap() {
        let path = entry.unwrap().path();
        let output = carom().arg("gap").arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap();
        files += 1;
    }
    assert!(files >= 5);
}

#[test]
fn broken_json_is_refused_with_line_and_column() {
    refused(b"{", &["<stdin>:1:1", "not valid JSON", "ends too early"]);
    refused(b" \n", &["<stdin>: not valid JSON: there is no text"]);
    refused(
        b"[\n{\"a\": [[0, 1],], \"b\": [[0, 0]]}]",
        &["<stdin>:2:15", "not valid JSON"],
    );
    refused(b"{\"a\": [[0, NaN]], \"b\": [[0, 0]]}", &["no NaN"]);
    refused(b"{} {}", &["trailing characters"]);
    refused(b"\xff\xfe{}", &["UTF-8"]);
}

#[test]
fn wrong_shapes_are_refused_at_their_place() {
    let refused = |input: &str, parts: &[&str]| refused(input.as_bytes(), parts);
    refused("3", &["a query was expected, found a number"]);
    refused("[3]", &["cases[0]", "found a number"]);
    refused(r#"{"b": [[0, 0]]}"#, &["\"a\" is missing"]);
    refused(r#"{"a": [[0, 0]]}"#, &["\"b\" is missing"]);
    refused(
        r#"{"a": [], "b": [[0, 0]]}"#,
        &[": a: a body without points"],
    );
    refused(r#"{"a": 1, "b": [[0, 0]]}"#, &[": a: a list of points"]);
    refused(
        r#"{"a": [1], "b": [[0, 0]]}"#,
        &["a[0]: a list of coordinates"],
    );
    refused(
        r#"{"a": [["x", 0]], "b": [[0, 0]]}"#,
        &["a[0][0]", "found text"],
    );
    refused(r#"{"a": [[0]], "b": [[0]]}"#, &["a[0]: 1 coordinate"]);
    refused(
        r#"{"a": [[0, 0, 0, 0]], "b": [[0, 0]]}"#,
        &["a[0]: 4 coordinates"],
    );
    refused(
        "[{\"a\": [[0, 0]], \"b\": [[0, 1]]},\n {\"a\": [[0, 0], [1, 1], [0, 0, 0]], \"b\": [[0, 1]]}]",
        &[
            "<stdin>:2:25",
            "cases[1].a[2]: 3 coordinates",
            "began with 2",
        ],
    );
    refused(
        r#"{"a": [[0, 0]], "b": [[0, 0, 0]]}"#,
        &["b[0]: 3 coordinates"],
    );
}

#[test]
fn bad_numbers_and_directions_are_refused() {
    let with_beta = |beta: &str| format!(r#"{{"a": [[0, 1]], "b": [[0, 0]], "beta": {beta}}}"#);
    let refused = |input: &str, parts: &[&str]| refused(input.as_bytes(), parts);
    refused(
        r#"{"a": [[0, 1e999]], "b": [[0, 0]]}"#,
        &["a[0][1]: 1e999 is not a finite number"],
    );
    refused(&with_beta("[0, 0]"), &["beta: a zero vector"]);
    refused(&with_beta("[0, -0.0]"), &["beta: a zero vector"]);
    refused(&with_beta("[0, 0, 1]"), &["beta: 3 coordinates"]);
    refused(&with_beta("[1e999, 0]"), &["beta[0]: 1e999"]);
    refused(&with_beta("\"up\""), &["beta: a list of coordinates"]);
}

#[test]
fn unknown_and_repeated_keys_are_refused() {
    let with = |field: &str| format!(r#"{{"a": [[0, 1]], "b": [[0, 0]], {field}}}"#);
    let refused = |input: &str, parts: &[&str]| refused(input.as_bytes(), parts);
    refused(
        &with(r#""bta": 1"#),
        &["unknown key \"bta\"", "did you mean \"beta\"?"],
    );
    refused(&with(r#""A": 1"#), &["did you mean \"a\"?"]);
    refused(&with(r#""colour": 1"#), &["knows the keys"]);
    refused(&with(r#""b": [[1, 1]]"#), &["given twice"]);
    refused(&with(r#""name": []"#), &["text or a number"]);
}

#[test]
fn deep_nesting_does_not_blow_the_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = open.repeat(200_000) + "0" + &close.repeat(200_000);
        assert_eq!(gap(deep.as_bytes()).status.code(), Some(2));
        assert_eq!(gap(open.repeat(200_000).as_bytes()).status.code(), Some(2));
    }
}

#[test]
fn missing_file_is_named() {
    let output = carom().args(["gap", "no-such.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error: no-such.json: cannot be read"));
}

#[test]
fn arguments_help_and_version() {
    let code = |arguments: &[&str]| carom().args(arguments).output().unwrap().status.code();
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["gap"]), Some(2));
    assert_eq!(code(&["fly"]), Some(2));
    let output = carom().arg("--version").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim(),
        concat!("carom ", env!("CARGO_PKG_VERSION"))
    );
    let output = carom().args(["gap", "--help"]).output().unwrap();
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("Examples:")
    );
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_failure() {
    let query = json!({"a": cube(0.0, 0.0, 2.0), "b": cube(0.0, 0.0, 0.0)});
    let input = json!(vec![query; 2_000]).to_string();
    let mut child = start();
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stderr.is_empty());
}

/// SplitMix64: small, seeded, good enough to choose mutations.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Changes valid text in one to four places: bytes, digits, tokens, cuts and copies.
fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    const TOKENS: [&str; 20] = [
        "null", "true", "NaN", "-", "1e999", "-1e308", "1e-320", "0", "[", "]", "{", "}", ",", ":",
        "\"", "\"a\"", "\\ud800", "[]", "[[0,0]]", "1e300",
    ];
    let mut text = seed.to_vec();
    for _ in 0..=random.below(4) {
        if text.is_empty() {
            break;
        }
        let at = random.below(text.len());
        let end = (at + 1 + random.below(8)).min(text.len());
        match random.below(6) {
            0 => text[at] = random.next() as u8,
            1 => text[at] = b'0' + random.below(10) as u8,
            2 => {
                text.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes());
            }
            3 => {
                text.splice(at..end, TOKENS[random.below(TOKENS.len())].bytes());
            }
            4 => {
                text.drain(at..end);
            }
            _ => {
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
        }
    }
    text
}

#[test]
fn mutated_input_never_panics() {
    let seeds: Vec<Vec<u8>> = std::fs::read_dir(gallery())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect::<std::collections::BTreeSet<_>>()
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let mut random = Random(20_130_827);
    let mut answered = 0;
    for round in 0..2_000 {
        let text = mutate(&seeds[round % seeds.len()], &mut random);
        let output = gap(&text);
        match output.status.code() {
            Some(0) => answered += 1,
            Some(2) => assert!(stderr(&output).starts_with("error: <stdin>")),
            code => panic!(
                "round {round} ended with {code:?}: {}\n{}",
                stderr(&output),
                String::from_utf8_lossy(&text)
            ),
        }
    }
    // Mutations that all break the syntax would test the parser alone.
    assert!(answered > 100, "only {answered} of 2000 were answered");
}
