//! Second derivatives of expressions: every operation carries value, gradient and Hessian along.
//!
//! Where a function has a kink (`abs`, `min`, `max`, `clamp`, `if`, comparisons) the derivatives are those
//! of the branch that is taken.

use super::{Binary, Compiled, Function, Op, binary, call};

/// A value with its first and second derivatives by the variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// ∂/∂xᵢ.
    pub gradient: Vec<f64>,
    /// ∂²/∂xᵢ∂xⱼ, row by row.
    pub hessian: Vec<f64>,
}

impl Jet {
    fn constant(value: f64, n: usize) -> Self {
        Self {
            value,
            gradient: vec![0.0; n],
            hessian: vec![0.0; n * n],
        }
    }

    fn variable(value: f64, k: usize, n: usize) -> Self {
        let mut out = Self::constant(value, n);
        out.gradient[k] = 1.0;
        out
    }

    /// f(a) by f, f′ and f″.
    fn of(a: &Self, [f, f1, f2]: [f64; 3]) -> Self {
        let b = Self::constant(0.0, a.gradient.len());
        Self::of_two(a, &b, f, [f1, 0.0], [f2, 0.0, 0.0])
    }

    /// f(a, b) by f, (f_a, f_b) and (f_aa, f_ab, f_bb).
    fn of_two(a: &Self, b: &Self, f: f64, [fa, fb]: [f64; 2], [faa, fab, fbb]: [f64; 3]) -> Self {
        let n = a.gradient.len();
        // What does not move has no derivative, however steep the function is there.
        let times = |x: f64, y: f64| if y == 0.0 { 0.0 } else { x * y };
        let mut out = Self::constant(f, n);
        for i in 0..n {
            let (ai, bi) = (a.gradient[i], b.gradient[i]);
            out.gradient[i] = times(fa, ai) + times(fb, bi);
            for j in 0..n {
                let (aj, bj) = (a.gradient[j], b.gradient[j]);
                let at = i * n + j;
                out.hessian[at] = times(fa, a.hessian[at])
                    + times(fb, b.hessian[at])
                    + times(faa, ai * aj)
                    + times(fab, ai * bj + bi * aj)
                    + times(fbb, bi * bj);
            }
        }
        out
    }

    fn binary(operation: Binary, a: &Self, b: &Self) -> Self {
        let (x, y) = (a.value, b.value);
        let f = binary(operation, x, y);
        match operation {
            Binary::Add => Self::of_two(a, b, f, [1.0, 1.0], [0.0; 3]),
            Binary::Subtract => Self::of_two(a, b, f, [1.0, -1.0], [0.0; 3]),
            Binary::Multiply => Self::of_two(a, b, f, [y, x], [0.0, 1.0, 0.0]),
            Binary::Divide => {
                let second = [0.0, -1.0 / (y * y), 2.0 * f / (y * y)];
                Self::of_two(a, b, f, [1.0 / y, -f / y], second)
            }
            Binary::Power => {
                let p = |e: f64| binary(Binary::Power, x, e);
                let log = x.ln();
                let first = [y * p(y - 1.0), f * log];
                let mixed = p(y - 1.0) * (1.0 + y * log);
                let twice = if y == 1.0 || y == 0.0 {
                    0.0
                } else {
                    y * (y - 1.0) * p(y - 2.0)
                };
                let first = if y == 0.0 { [0.0, first[1]] } else { first };
                Self::of_two(a, b, f, first, [twice, mixed, f * log * log])
            }
            _ => Self::constant(f, a.gradient.len()),
        }
    }

    fn call(function: Function, x: &[Self]) -> Self {
        let values: Vec<f64> = x.iter().map(|j| j.value).collect();
        let f = call(function, &values);
        let a = &x[0];
        let v = a.value;
        let n = a.gradient.len();
        let pick = |wanted: f64| {
            let found = x.iter().find(|j| j.value == wanted);
            found.cloned().unwrap_or_else(|| Self::constant(f, n))
        };
        match function {
            Function::Sqrt => Self::of(a, [f, 0.5 / f, -0.25 / (f * v)]),
            Function::Sin => Self::of(a, [f, v.cos(), -f]),
            Function::Cos => Self::of(a, [f, -v.sin(), -f]),
            Function::Tan => {
                let s = 1.0 + f * f;
                Self::of(a, [f, s, 2.0 * f * s])
            }
            Function::Asin | Function::Acos => {
                let sign = if function == Function::Asin {
                    1.0
                } else {
                    -1.0
                };
                let r = 1.0 - v * v;
                Self::of(a, [f, sign / r.sqrt(), sign * v / (r * r.sqrt())])
            }
            Function::Atan => {
                let r = 1.0 + v * v;
                Self::of(a, [f, 1.0 / r, -2.0 * v / (r * r)])
            }
            Function::Atan2 => {
                let (y, x2) = (v, x[1].value);
                let r = y * y + x2 * x2;
                let cross = 2.0 * x2 * y / (r * r);
                let mixed = (y * y - x2 * x2) / (r * r);
                Self::of_two(a, &x[1], f, [x2 / r, -y / r], [-cross, mixed, cross])
            }
            Function::Exp => Self::of(a, [f, f, f]),
            Function::Log => Self::of(a, [f, 1.0 / v, -1.0 / (v * v)]),
            Function::Abs => {
                let sign = if v < 0.0 { -1.0 } else { 1.0 };
                Self::of(a, [f, sign, 0.0])
            }
            Function::Min | Function::Max => pick(f),
            Function::Clamp if f == v => a.clone(),
            Function::Clamp => {
                let bounds = [x[1].clone(), x[2].clone()];
                let found = bounds.into_iter().find(|b| b.value == f);
                found.unwrap_or_else(|| Self::constant(f, n))
            }
            Function::If if v != 0.0 => x[1].clone(),
            Function::If => x[2].clone(),
            Function::Hypot => {
                let square = |j: &Self| Self::binary(Binary::Multiply, j, j);
                let sum = x.iter().fold(Self::constant(0.0, n), |sum, j| {
                    Self::binary(Binary::Add, &sum, &square(j))
                });
                Self::call(Function::Sqrt, &[sum])
            }
            Function::Sign | Function::Floor | Function::Step => Self::constant(f, n),
        }
    }
}

impl Compiled {
    /// Value, gradient and Hessian by all variables named to [`Expression::compile`].
    ///
    /// ```
    /// use carom::expression::Expression;
    /// let f = Expression::parse("x^2*y")?.compile(&["x", "y"])?;
    /// let jet = f.jet(&[3.0, 5.0]);
    /// assert_eq!(jet.value, 45.0);
    /// assert_eq!(jet.gradient, [30.0, 9.0]);
    /// assert_eq!(jet.hessian, [10.0, 6.0, 6.0, 0.0]);
    /// # Ok::<(), carom::expression::ExpressionError>(())
    /// ```
    ///
    /// [`Expression::compile`]: super::Expression::compile
    pub fn jet(&self, values: &[f64]) -> Jet {
        let n = self.inputs;
        let mut stack: Vec<Jet> = Vec::new();
        for op in &self.ops {
            let result = match *op {
                Op::Number(number) => Jet::constant(number, n),
                Op::Variable(v) => Jet::variable(values[v as usize], v as usize, n),
                Op::Negate => {
                    let a = stack.pop();
                    let a = a.unwrap_or_else(|| Jet::constant(0.0, n));
                    Jet::of(&a, [-a.value, -1.0, 0.0])
                }
                Op::Binary(operation) => {
                    let from = stack.len() - 2;
                    let result = Jet::binary(operation, &stack[from], &stack[from + 1]);
                    stack.truncate(from);
                    result
                }
                Op::Call(function, count) => {
                    let from = stack.len() - count as usize;
                    let result = Jet::call(function, &stack[from..]);
                    stack.truncate(from);
                    result
                }
            };
            stack.push(result);
        }
        stack.pop().unwrap_or_else(|| Jet::constant(0.0, n))
    }
}
