//! `motion` of a static body or a set of nodes: where it is over time.

use std::sync::Arc;

use super::actuators::tables;
use super::error::Fault;
use super::fields::{Fields, Item, Read};
use super::tree::Value;
use crate::model::{BodySpec, Course, GivenMotion};

/// `{ position = [x, y, z] }` or `{ displacement = […] }`, and `rotation = { axis, angle, center }`: numbers,
/// expressions of t, or tables.
pub(crate) fn motion(item: &Item, mut spec: BodySpec) -> Read<BodySpec> {
    let fields = item.fields()?;
    let mut motion = GivenMotion::default();
    match fields.one_of(&["position", "displacement"])? {
        Some(("position", item)) => {
            let places = courses(&item)?;
            // It starts where it is at t = 0, and moves from there.
            let start = places.each_ref().map(|course| course.at(0.0)[0]);
            spec = spec.position(start.into());
            for ((out, course), start) in motion.displacement.iter_mut().zip(places).zip(start) {
                *out = less(course, start);
            }
        }
        Some((_, item)) => motion.displacement = courses(&item)?,
        None if fields.get("rotation").is_none() => return Err(nothing(item)),
        None => {}
    }
    turn(&fields, &mut motion)?;
    fields.finish()?;
    Ok(spec.motion(motion))
}

/// The same of nodes, which start where their mesh is: `displacement` and `rotation`.
pub(crate) fn of_nodes(item: &Item) -> Read<GivenMotion> {
    let fields = item.fields()?;
    let mut motion = GivenMotion::default();
    if let Some(place) = fields.get("position") {
        return Err(place.fault(
            "is where one point is, and these are many",
            "give how far they are moved: displacement = [x, y, z]",
        ));
    }
    match fields.get("displacement") {
        Some(item) => motion.displacement = courses(&item)?,
        None if fields.get("rotation").is_none() => return Err(nothing(item)),
        None => {}
    }
    turn(&fields, &mut motion)?;
    fields.finish()?;
    Ok(motion)
}

fn nothing(item: &Item) -> Box<Fault> {
    item.fault(
        "moves nothing",
        "give displacement = [\"0.1*sin(20*t)\", 0, 0], or rotation = { axis = [0, 0, 1], angle = \"2*t\" }",
    )
}

/// `rotation = { axis, angle, center }`.
fn turn(fields: &Fields, motion: &mut GivenMotion) -> Read<()> {
    let Some(turn) = fields.get("rotation") else {
        return Ok(());
    };
    let inner = turn.fields()?;
    let axis = inner.need("axis", "give its direction: axis = [0, 0, 1]")?;
    motion.axis = axis.direction()?;
    let angle = inner.one_of(&["angle", "angle_deg"])?;
    let Some((key, angle)) = angle else {
        return Err(turn.fault("has no angle", "give it over time: angle = \"2*t\" (rad)"));
    };
    motion.angle = course(&angle)?;
    if key == "angle_deg" {
        let angle = std::mem::replace(&mut motion.angle, Course::Constant(0.0));
        motion.angle = times(angle, 1f64.to_radians());
    }
    motion.center = inner.get("center").map(|item| item.vector()).transpose()?;
    inner.finish()
}

/// Three of them: a list of numbers and expressions, or a table with values of three.
fn courses(item: &Item) -> Read<[Course; 3]> {
    let wrong = |count: usize| {
        item.fault(
            format!("has {count} components"),
            "write three: numbers, expressions of t or tables",
        )
    };
    let list = match &item.node.value {
        Value::Table(_) => tables(item, 3)?.into_iter().map(Course::Table).collect(),
        _ => (item.list()?.iter())
            .map(course)
            .collect::<Read<Vec<_>>>()?,
    };
    let count = list.len();
    <[Course; 3]>::try_from(list).map_err(|_| wrong(count))
}

/// A number, an expression of t with its exact rate, or a table.
fn course(item: &Item) -> Read<Course> {
    if matches!(item.node.value, Value::Table(_)) {
        return Ok(Course::Table(tables(item, 1)?.remove(0)));
    }
    let fault = |error| item.scope.expression_fault(item.node, &item.path, &error);
    let expression = item.scope.parse(item.node, &item.path)?;
    if !expression.variables().any(|v| v == "t") {
        return item.number().map(Course::Constant);
    }
    let bound = expression.bind(&|name| item.scope.value(name));
    let compiled = bound.compile(&["t"]).map_err(fault)?;
    Ok(Course::Function(Arc::new(move |t| {
        let jet = compiled.jet(&[t]);
        [jet.value, jet.gradient[0], jet.hessian[0]]
    })))
}

fn less(course: Course, amount: f64) -> Course {
    match course {
        Course::Constant(v) => Course::Constant(v - amount),
        Course::Table(rows) => Course::Table(rows.iter().map(|[t, v]| [*t, v - amount]).collect()),
        Course::Function(f) => Course::Function(Arc::new(move |t| {
            let [v, rate, bend] = f(t);
            [v - amount, rate, bend]
        })),
    }
}

fn times(course: Course, factor: f64) -> Course {
    match course {
        Course::Constant(v) => Course::Constant(v * factor),
        Course::Table(rows) => Course::Table(rows.iter().map(|[t, v]| [*t, v * factor]).collect()),
        Course::Function(f) => Course::Function(Arc::new(move |t| f(t).map(|x| x * factor))),
    }
}
