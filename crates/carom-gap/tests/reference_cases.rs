//! The SSH LP against cases solved in exact rational arithmetic (`tests/data/gap_cases.json`).

use carom_gap::gap::{Posed, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;
use serde_json::Value;

fn vector(v: &Value) -> Vector3<f64> {
    let v: Vec<f64> = v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    Vector3::new(v[0], v[1], *v.get(2).unwrap_or(&0.0))
}

#[test]
fn gaps() {
    let text = include_str!("data/gap_cases.json");
    let all: Value = serde_json::from_str(text).unwrap();
    for case in all["cases"].as_array().unwrap() {
        let points = |k: &str| -> Vec<_> { case[k].as_array().unwrap().iter().map(vector).collect() };
        let make = |p: &[Vector3<f64>]| if case["dim"] == 2 { Vertices::planar(p) } else { Vertices::new(p) };
        let (a, b) = (make(&points("a")), make(&points("b")));
        let beta = vector(&case["beta"]);
        let pose = Pose::identity();
        let g = gap(Posed { vertices: &a, pose: &pose }, Posed { vertices: &b, pose: &pose }, beta, &mut None);
        let bounded = case["status"] == "bounded";
        if g.bounded != bounded { println!("{} {}: bounded {} wanted {}", case["id"], case["category"], g.bounded, bounded); continue; }
        if bounded {
            let want = case["gap"].as_f64().unwrap();
            if (g.gap - want).abs() > 1e-12 * (g.alpha.norm() * (a.reach()+b.reach())).max(1.0) { println!("{} {} dim {} gap {} want {} pivots {}", case["id"], case["category"], case["dim"], g.gap, want, g.pivots); }
        }
    }
}
