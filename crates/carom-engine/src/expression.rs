//! Arithmetic expressions in text: `"0.2*sqrt(2)"`, `"f0*sin(2*pi*t)"`.
//!
//! Grammar, loosest first; every operator groups to the left but `^`:
//!
//! ```text
//! or           a or b                        1 where one of them is not 0
//! and          a and b                       1 where neither is 0
//! comparison   a < b, <=, >, >=, ==, !=      1 where it holds, 0 where not
//! sum          a + b, a - b
//! product      a * b, a / b
//! sign         -a, +a                        -2^2 is -4
//! power        a ^ b                         2^3^2 is 2^9, 2^-1 is 0.5
//! atom         1.5e-3, name, (…), f(a, …)
//! ```
//!
//! Functions: `sqrt sin cos tan asin acos atan atan2 exp log abs min max sign floor hypot`,
//! `if(c, a, b)` (a where c is not 0), `clamp(x, low, high)`, `step(x)` (0 before 0, 1 from 0 on).
//! Angles are in radians, `log` is natural. Constants: `pi`, `e`. A variable may not carry the
//! name of a constant. Names may have parts, `body.x`.
//!
//! A text is parsed once into postfix form; evaluation walks it on a stack of fixed size and never
//! allocates. Length, nesting and stack are limited, so hostile text gives an error, not a crash.

mod jet;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

pub use jet::Jet;

/// Longest text accepted, in bytes.
const MAX_LENGTH: usize = 4096;
/// Deepest nesting of parentheses, signs and powers.
const MAX_NESTING: usize = 64;
/// Size of the evaluation stack.
const MAX_STACK: usize = 80;

/// What is wrong with an expression, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (column {column}): {fix}")]
pub struct ExpressionError {
    /// Column of the culprit, counted in characters from one.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub fix: String,
    /// The variable that has no value, where that is the trouble.
    pub unknown: Option<String>,
}

/// A parsed expression; its variables get their values at evaluation.
///
/// ```
/// use carom::expression::Expression;
/// let force = Expression::parse("f0*sin(2*pi*t)")?;
/// let value = force.eval(&|name| match name {
///     "f0" => Some(3.0),
///     "t" => Some(0.25),
///     _ => None,
/// })?;
/// assert_eq!(value, 3.0);
/// # Ok::<(), carom::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    ops: Vec<Op>,
    /// Variables in order of appearance, with the column of the first one.
    variables: Vec<(String, usize)>,
}

/// An expression bound to a list of variables: evaluation is a walk over numbers.
///
/// ```
/// use carom::expression::Expression;
/// let ramp = Expression::parse("min(t, 2)")?.compile(&["t"])?;
/// assert_eq!([ramp.eval(&[0.5]), ramp.eval(&[7.0])], [0.5, 2.0]);
/// # Ok::<(), carom::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    ops: Vec<Op>,
    inputs: usize,
}

/// One step in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Number(f64),
    /// Index into the variables.
    Variable(u16),
    Negate,
    Binary(Binary),
    /// Function and its number of arguments.
    Call(Function, u8),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Exp,
    Log,
    Abs,
    Min,
    Max,
    Sign,
    Floor,
    Hypot,
    If,
    Clamp,
    Step,
}

/// Name, least and most number of arguments.
const FUNCTIONS: [(&str, Function, usize, usize); 19] = [
    ("sqrt", Function::Sqrt, 1, 1),
    ("sin", Function::Sin, 1, 1),
    ("cos", Function::Cos, 1, 1),
    ("tan", Function::Tan, 1, 1),
    ("asin", Function::Asin, 1, 1),
    ("acos", Function::Acos, 1, 1),
    ("atan", Function::Atan, 1, 1),
    ("atan2", Function::Atan2, 2, 2),
    ("exp", Function::Exp, 1, 1),
    ("log", Function::Log, 1, 1),
    ("abs", Function::Abs, 1, 1),
    ("min", Function::Min, 1, 16),
    ("max", Function::Max, 1, 16),
    ("sign", Function::Sign, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("hypot", Function::Hypot, 1, 16),
    ("if", Function::If, 3, 3),
    ("clamp", Function::Clamp, 3, 3),
    ("step", Function::Step, 1, 1),
];

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        parse::parse(text)
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables that have no value yet, in order of appearance.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| name.as_str())
    }

    /// The value, with `vars` giving each variable's. A result that is not finite is an error.
    pub fn eval(&self, vars: &dyn Fn(&str) -> Option<f64>) -> Result<f64, ExpressionError> {
        let values = (self.variables.iter())
            .map(|(name, column)| vars(name).ok_or_else(|| unknown(name, *column)))
            .collect::<Result<Vec<_>, _>>()?;
        let value = run(&self.ops, &values);
        if value.is_finite() {
            return Ok(value);
        }
        Err(ExpressionError {
            column: 1,
            message: format!("`{}` is {value}", self.text),
            fix: "look for a division by zero, the root or logarithm of a negative number, \
                   or an overflow"
                .into(),
            unknown: None,
        })
    }

    /// The same expression with the variables that `vars` knows replaced by their values.
    pub fn bind(&self, vars: &dyn Fn(&str) -> Option<f64>) -> Self {
        let values: Vec<_> = self.variables().map(vars).collect();
        let mut variables = Vec::new();
        let kept: Vec<u16> = (values.iter().zip(&self.variables))
            .map(|(value, variable)| {
                if value.is_none() {
                    variables.push(variable.clone());
                }
                (variables.len() as u16).saturating_sub(1)
            })
            .collect();
        let bind_op = |op: &Op| match *op {
            Op::Variable(v) => match values[v as usize] {
                Some(value) => Op::Number(value),
                None => Op::Variable(kept[v as usize]),
            },
            other => other,
        };
        Self {
            text: self.text.clone(),
            ops: self.ops.iter().map(bind_op).collect(),
            variables,
        }
    }

    /// Binds the variables to places in a list of values, for repeated evaluation.
    pub fn compile(&self, names: &[&str]) -> Result<Compiled, ExpressionError> {
        let places = (self.variables.iter())
            .map(|(name, column)| {
                let place = names.iter().position(|n| n == name);
                place.ok_or_else(|| unknown(name, *column))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let place = |op: &Op| match *op {
            Op::Variable(v) => Op::Variable(places[v as usize] as u16),
            other => other,
        };
        Ok(Compiled {
            ops: self.ops.iter().map(place).collect(),
            inputs: names.len(),
        })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Compiled {
    /// A number that depends on nothing.
    pub fn constant(value: f64) -> Self {
        Self {
            ops: vec![Op::Number(value)],
            inputs: 0,
        }
    }

    /// The value at the given values of the variables, in the order of [`Expression::compile`].
    /// Allocates nothing; may be infinite or NaN.
    ///
    /// # Panics
    /// Where fewer values are given than variables were named.
    pub fn eval(&self, values: &[f64]) -> f64 {
        assert!(values.len() >= self.inputs, "a value per variable");
        run(&self.ops, values)
    }

    /// The first of its functions whose derivative jumps: `abs`, `min`, `max`, `sign`, `floor`, `if`, `clamp`, `step`, and
    /// `hypot` at zero.
    pub(crate) fn corner(&self) -> Option<&'static str> {
        use Function::{Abs, Clamp, Floor, Hypot, If, Max, Min, Sign, Step};
        let own = |op: &Op| match op {
            Op::Call(f @ (Abs | Min | Max | Sign | Floor | If | Clamp | Step | Hypot), _) => {
                Some(*f)
            }
            _ => None,
        };
        let first = self.ops.iter().find_map(own)?;
        let named = FUNCTIONS.iter().find(|(_, f, ..)| *f == first);
        named.map(|(name, ..)| *name)
    }
}

fn unknown(name: &str, column: usize) -> ExpressionError {
    ExpressionError {
        column,
        message: format!("unknown name `{name}`"),
        fix: "use a parameter, a constant (pi, e) or a function (sqrt, sin, …)".into(),
        unknown: Some(name.into()),
    }
}

/// Evaluates postfix operations; the parser guarantees that the stack suffices.
fn run(ops: &[Op], values: &[f64]) -> f64 {
    let mut stack = [0.0; MAX_STACK];
    let mut top = 0;
    for op in ops {
        let result = match *op {
            Op::Number(number) => number,
            Op::Variable(v) => values[v as usize],
            Op::Negate => {
                top -= 1;
                -stack[top]
            }
            Op::Binary(operation) => {
                top -= 2;
                binary(operation, stack[top], stack[top + 1])
            }
            Op::Call(function, count) => {
                top -= count as usize;
                call(function, &stack[top..top + count as usize])
            }
        };
        stack[top] = result;
        top += 1;
    }
    stack[0]
}

fn binary(operation: Binary, a: f64, b: f64) -> f64 {
    let truth = |holds: bool| f64::from(u8::from(holds));
    match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        // Squares and the like must not depend on the platform's pow.
        Binary::Power if b == b.trunc() && b.abs() <= 64.0 => a.powi(b as i32),
        Binary::Power => a.powf(b),
        Binary::Less => truth(a < b),
        Binary::LessEqual => truth(a <= b),
        Binary::Greater => truth(a > b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::Equal => truth(a == b),
        Binary::NotEqual => truth(a != b),
        Binary::And => truth(a != 0.0 && b != 0.0),
        Binary::Or => truth(a != 0.0 || b != 0.0),
    }
}

fn call(function: Function, x: &[f64]) -> f64 {
    match function {
        Function::Sqrt => x[0].sqrt(),
        Function::Sin => x[0].sin(),
        Function::Cos => x[0].cos(),
        Function::Tan => x[0].tan(),
        Function::Asin => x[0].asin(),
        Function::Acos => x[0].acos(),
        Function::Atan => x[0].atan(),
        Function::Atan2 => x[0].atan2(x[1]),
        Function::Exp => x[0].exp(),
        Function::Log => x[0].ln(),
        Function::Abs => x[0].abs(),
        Function::Min => x.iter().copied().fold(f64::INFINITY, f64::min),
        Function::Max => x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Function::Sign if x[0] == 0.0 => 0.0,
        Function::Sign => x[0].signum(),
        Function::Floor => x[0].floor(),
        Function::Hypot => x.iter().fold(0.0, |norm: f64, x| norm.hypot(*x)),
        Function::If if x[0] != 0.0 => x[1],
        Function::If => x[2],
        Function::Clamp => x[0].max(x[1]).min(x[2]),
        Function::Step => f64::from(u8::from(x[0] >= 0.0)),
    }
}
