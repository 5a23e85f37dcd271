//! Reads tables field by field: types, lengths, ranges, and keys that nothing asks for.

use std::cell::RefCell;

use carom_engine::random::Stream;
use nalgebra::{Matrix3, Vector3};

use super::error::{Fault, key_suggestion, suggestion};
use super::scope::Scope;
use super::source::Place;
use super::tree::{Node, Table, Value};
use crate::words::counted;

pub(crate) type Read<T> = Result<T, Box<Fault>>;

/// A table being read. [`Fields::finish`] complains about keys that were not asked for.
pub(crate) struct Fields<'a> {
    pub table: &'a Table,
    pub path: String,
    pub place: Place,
    pub scope: &'a Scope,
    asked: RefCell<Vec<&'static str>>,
}

/// A value being read.
#[derive(Clone)]
pub(crate) struct Item<'a> {
    pub node: &'a Node,
    pub path: String,
    pub scope: &'a Scope,
}

impl<'a> Fields<'a> {
    pub fn new(table: &'a Table, path: impl Into<String>, place: Place, scope: &'a Scope) -> Self {
        Self {
            table,
            path: path.into(),
            place,
            scope,
            asked: RefCell::default(),
        }
    }

    /// The value of a key, if given.
    pub fn get(&self, key: &'static str) -> Option<Item<'a>> {
        self.asked.borrow_mut().push(key);
        self.table.get(key).map(|entry| Item {
            node: &entry.node,
            path: join(&self.path, key),
            scope: self.scope,
        })
    }

    /// The value of a key that must be there. Where a key much like it is, that one is the culprit.
    pub fn need(&self, key: &'static str, fix: &str) -> Read<Item<'a>> {
        self.get(key).ok_or_else(|| {
            let typo = (self.table.iter()).find(|(k, _)| {
                *k != key && strsim::damerau_levenshtein(k, key) <= 1 + key.len() / 4
            });
            match typo {
                Some((k, entry)) => Box::new(Fault::new(
                    entry.key,
                    &self.path,
                    format!("unknown key `{k}`"),
                    format!("did you mean `{key}`?"),
                )),
                None => self.fault(format!("`{key}` is missing"), fix),
            }
        })
    }

    /// Complains about the first key that is none of `keys`.
    pub fn only(&self, keys: &[&'static str]) -> Read<()> {
        self.asked.borrow_mut().extend(keys);
        self.finish()
    }

    /// A fault of the table as a whole.
    pub fn fault(&self, message: impl Into<String>, fix: impl Into<String>) -> Box<Fault> {
        Box::new(Fault::new(self.place, &self.path, message, fix))
    }

    /// The one key of several that is given, with its value.
    pub fn one_of(&self, keys: &[&'static str]) -> Read<Option<(&'static str, Item<'a>)>> {
        let mut found = None;
        for key in keys {
            if let Some(item) = self.get(key) {
                if let Some((other, _)) = &found {
                    return Err(item.fault(
                        format!("`{key}` and `{other}` exclude each other"),
                        "keep one of them",
                    ));
                }
                found = Some((*key, item));
            }
        }
        Ok(found)
    }

    /// Complains about the first key that was not asked for.
    pub fn finish(&self) -> Read<()> {
        let asked = self.asked.borrow();
        match self
            .table
            .iter()
            .find(|(k, _)| !asked.contains(&k.as_str()))
        {
            None => Ok(()),
            Some((key, entry)) => Err(Box::new(Fault::new(
                entry.key,
                &self.path,
                format!("unknown key `{key}`"),
                key_suggestion(key, asked.iter().copied()),
            ))),
        }
    }
}

impl<'a> Item<'a> {
    pub fn fault(&self, message: impl Into<String>, fix: impl Into<String>) -> Box<Fault> {
        Box::new(Fault::new(self.node.place, &self.path, message, fix))
    }

    fn wanted(&self, what: &str, fix: &str) -> Box<Fault> {
        self.fault(format!("{} where {what} is wanted", self.node.kind()), fix)
    }

    /// A number, an expression, or `{ random = { seed, from, to } }`.
    pub fn number(&self) -> Read<f64> {
        if let Value::Table(table) = &self.node.value {
            return self.random_number(table);
        }
        let expression = self.scope.parse(self.node, &self.path)?;
        (self.scope.eval(&expression))
            .map_err(|error| self.scope.expression_fault(self.node, &self.path, &error))
    }

    pub fn positive(&self) -> Read<f64> {
        let value = self.number()?;
        match value > 0.0 {
            true => Ok(value),
            false => Err(self.fault(format!("is {value}"), "it must be greater than zero")),
        }
    }

    pub fn non_negative(&self) -> Read<f64> {
        let value = self.number()?;
        match value >= 0.0 {
            true => Ok(value),
            false => Err(self.fault(format!("is {value}"), "it must not be negative")),
        }
    }

    /// A whole number in a range.
    pub fn count(&self, least: u64, most: u64) -> Read<u64> {
        let value = self.number()?;
        if value.fract() != 0.0 || value < least as f64 || value > most as f64 {
            return Err(self.fault(
                format!("is {value}"),
                format!("write a whole number from {least} to {most}"),
            ));
        }
        Ok(value as u64)
    }

    pub fn boolean(&self) -> Read<bool> {
        match self.node.value {
            Value::Boolean(boolean) => Ok(boolean),
            _ => Err(self.wanted("true or false", "write true or false, without quotes")),
        }
    }

    pub fn text(&self) -> Read<&'a str> {
        match &self.node.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wanted("a text", "put it in \"quotes\"")),
        }
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, choices: &[(&'static str, T)]) -> Read<T> {
        let text = self.text()?;
        let found = choices.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            self.fault(
                format!("`{text}` is not known here"),
                suggestion(text, choices.iter().map(|(word, _)| *word)),
            )
        })
    }

    /// The name of something, with `{expression}` parts evaluated to whole numbers.
    pub fn reference(&self) -> Read<String> {
        let text = self.text()?;
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, after)) = after.split_once('}') else {
                return Err(self.fault("this brace is never closed", "add `}`"));
            };
            let value = crate::expression::Expression::parse(inside)
                .and_then(|e| self.scope.eval(&e))
                .map_err(|e| self.fault(format!("{} in `{{{inside}}}`", e.message), e.fix))?;
            if value.fract() != 0.0 || value.abs() > 1e9 {
                return Err(self.fault(
                    format!("`{{{inside}}}` is {value}"),
                    "braces in names must give whole numbers",
                ));
            }
            out += before;
            out += &format!("{}", value as i64);
            rest = after;
        }
        Ok(out + rest)
    }

    pub fn list(&self) -> Read<Vec<Item<'a>>> {
        match &self.node.value {
            Value::List(items) => Ok((items.iter().enumerate())
                .map(|(k, node)| Item {
                    node,
                    path: format!("{}[{k}]", self.path),
                    scope: self.scope,
                })
                .collect()),
            _ => Err(self.wanted("a list", "write it as [a, b, …]")),
        }
    }

    pub fn fields(&self) -> Read<Fields<'a>> {
        match &self.node.value {
            Value::Table(table) => Ok(Fields::new(table, &self.path, self.node.place, self.scope)),
            _ => Err(self.wanted("a table", "write it as { key = value }")),
        }
    }

    pub fn numbers(&self, count: usize) -> Read<Vec<f64>> {
        let items = self.list()?;
        if items.len() != count {
            return Err(self.fault(
                format!("has {}", counted(items.len(), "number")),
                format!("write {}", counted(count, "number")),
            ));
        }
        items.iter().map(Item::number).collect()
    }

    /// Three numbers, or `{ random = … }`.
    pub fn vector(&self) -> Read<Vector3<f64>> {
        if let Value::Table(table) = &self.node.value {
            return self.random_vector(table, 3);
        }
        Ok(Vector3::from_vec(self.numbers(3)?))
    }

    /// Two numbers in the plane z = 0, or three.
    pub fn planar_vector(&self) -> Read<Vector3<f64>> {
        match &self.node.value {
            Value::Table(table) => self.random_vector(table, 2),
            Value::List(items) if items.len() == 2 => {
                let v = self.numbers(2)?;
                Ok(Vector3::new(v[0], v[1], 0.0))
            }
            _ => self.vector(),
        }
    }

    /// A turn: a vector, or one number for a turn about z; either may be random.
    pub fn turn(&self) -> Read<Vector3<f64>> {
        let vector = match &self.node.value {
            Value::List(_) => true,
            Value::Table(table) => {
                let random = table.get("random").and_then(|entry| entry.node.table());
                let from = random.and_then(|random| random.get("from"));
                from.is_none_or(|from| matches!(from.node.value, Value::List(_)))
            }
            _ => false,
        };
        match vector {
            true => self.vector(),
            false => Ok(Vector3::z() * self.number()?),
        }
    }

    /// A vector that is not zero, made a unit vector.
    pub fn direction(&self) -> Read<Vector3<f64>> {
        self.direction_of(self.vector()?)
    }

    /// The direction of a vector that was read here.
    pub fn direction_of(&self, v: Vector3<f64>) -> Read<Vector3<f64>> {
        match v.norm() > 0.0 && v.norm().is_finite() {
            true => Ok(v.normalize()),
            false => Err(self.fault("is zero", "a direction must not be zero")),
        }
    }

    /// Two numbers that rise.
    pub fn range(&self) -> Read<[f64; 2]> {
        let v = self.numbers(2)?;
        match v[0] < v[1] {
            true => Ok([v[0], v[1]]),
            false => Err(self.fault(
                format!("[{}, {}] does not rise", v[0], v[1]),
                "write [least, largest]",
            )),
        }
    }

    /// Three diagonal entries, or three rows of three.
    pub fn symmetric(&self) -> Read<Matrix3<f64>> {
        let items = self.list()?;
        if items
            .iter()
            .all(|item| !matches!(item.node.value, Value::List(_)))
        {
            return Ok(Matrix3::from_diagonal(&self.vector()?));
        }
        if items.len() != 3 {
            return Err(self.fault(
                format!("has {}", counted(items.len(), "row")),
                "write three numbers, or three rows of three numbers",
            ));
        }
        let rows = (items.iter()).map(Item::vector).collect::<Read<Vec<_>>>()?;
        let matrix = Matrix3::from_columns(&rows);
        match (matrix - matrix.transpose()).norm() <= 1e-9 * matrix.norm() {
            true => Ok(0.5 * (matrix + matrix.transpose())),
            false => Err(self.fault(
                "is not symmetric",
                "entries [i][j] and [j][i] must be equal",
            )),
        }
    }

    fn random(&self, table: &'a Table) -> Read<(Fields<'a>, Stream)> {
        let outer = Fields::new(table, &self.path, self.node.place, self.scope);
        let random = outer.need("random", "write a value, or { random = { seed = 1, … } }")?;
        outer.finish()?;
        let fields = random.fields()?;
        let seed = fields
            .need("seed", "random numbers need a seed, such as seed = 1")?
            .count(0, 1 << 53)?;
        let name = self.path.rsplit('.').next().unwrap_or_default();
        Ok((fields, Stream::new(seed, self.scope.member, name)))
    }

    fn random_number(&self, table: &'a Table) -> Read<f64> {
        let (fields, mut stream) = self.random(table)?;
        let from = fields.need("from", "write from = …, to = …")?.number()?;
        let to = fields.need("to", "write from = …, to = …")?.number()?;
        fields.finish()?;
        Ok(stream.between(from, to))
    }

    fn random_vector(&self, table: &'a Table, dimension: usize) -> Read<Vector3<f64>> {
        let (fields, mut stream) = self.random(table)?;
        let vector = |item: Item<'a>| item.planar_vector();
        let about = fields.get("about").map(vector).transpose()?;
        let fix = "write from and to (a box), radius (a ball) or deviation (normal)";
        let kind = fields.one_of(&["from", "radius", "deviation"])?;
        let value = match kind.ok_or_else(|| fields.fault("what range?", fix))? {
            ("radius", item) => item.non_negative()? * Vector3::from(stream.ball(dimension)),
            ("deviation", item) => {
                let deviation = item.non_negative()?;
                let mut v = Vector3::zeros();
                (v.iter_mut().take(dimension)).for_each(|x| *x = deviation * stream.normal());
                v
            }
            (_, item) => {
                let from = item.planar_vector()?;
                let to = fields
                    .need("to", "write from = […], to = […]")?
                    .planar_vector()?;
                from.zip_map(&to, |low, high| stream.between(low, high))
            }
        };
        fields.finish()?;
        Ok(value + about.unwrap_or_default())
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    match path.is_empty() {
        true => key.into(),
        false => format!("{path}.{key}"),
    }
}
