//! The parser: precedence climbing straight into postfix form.

use super::{
    Binary, Expression, ExpressionError, FUNCTIONS, MAX_LENGTH, MAX_NESTING, MAX_STACK, Op,
};

/// Binding strength of the operators; a sign stands between products and powers.
const OR: u8 = 1;
const AND: u8 = 2;
const COMPARISON: u8 = 3;
const SUM: u8 = 4;
const PRODUCT: u8 = 5;
const SIGN: u8 = 6;
const POWER: u8 = 7;

pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let mut parser = Parser {
        text,
        at: 0,
        nesting: 0,
        ops: Vec::new(),
        depth: 0,
        variables: Vec::new(),
    };
    if text.len() > MAX_LENGTH {
        return Err(parser.error(0, "the expression is too long", "split it into parameters"));
    }
    parser.expression(OR)?;
    if let Some(next) = parser.peek() {
        let fix = match next {
            ')' => "remove this parenthesis or open it earlier",
            ',' => "write decimals with a point; a comma separates arguments",
            c if c.is_alphabetic() => {
                "an operator (+ - * / ^) is missing before it; numbers are in SI units, and the \
                 unit is not written"
            }
            _ => "an operator (+ - * / ^) is missing before it",
        };
        return Err(parser.error(parser.at, &format!("`{next}` is not expected here"), fix));
    }
    Ok(Expression {
        text: text.into(),
        ops: parser.ops,
        variables: parser.variables,
    })
}

struct Parser<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    nesting: usize,
    ops: Vec<Op>,
    /// Height of the evaluation stack after the operations so far.
    depth: usize,
    variables: Vec<(String, usize)>,
}

impl<'a> Parser<'a> {
    fn error(&self, at: usize, message: &str, fix: &str) -> ExpressionError {
        let before = self.text.get(..at).unwrap_or(self.text);
        ExpressionError {
            column: before.chars().count() + 1,
            message: message.into(),
            fix: fix.into(),
            unknown: None,
        }
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn push(&mut self, op: Op) -> Result<(), ExpressionError> {
        self.depth += 1;
        match op {
            Op::Number(_) | Op::Variable(_) => {}
            Op::Negate => self.depth -= 1,
            Op::Binary(_) => self.depth -= 2,
            Op::Call(_, count) => self.depth -= count as usize,
        }
        if self.depth >= MAX_STACK {
            return Err(self.too_deep());
        }
        self.ops.push(op);
        Ok(())
    }

    fn too_deep(&self) -> ExpressionError {
        self.error(
            self.at,
            "the expression is nested too deeply",
            "split it into parameters",
        )
    }

    /// An expression whose operators bind at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Result<(), ExpressionError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep());
        }
        self.operand()?;
        while let Some((operation, strength, length)) = self.operator() {
            if strength < least {
                break;
            }
            self.at += length;
            if strength == POWER {
                // To the right: 2^3^2 = 2^(3^2), and a sign may follow: 2^-1.
                self.expression(SIGN)?;
            } else {
                self.expression(strength + 1)?;
            }
            self.push(Op::Binary(operation))?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn operator(&mut self) -> Option<(Binary, u8, usize)> {
        self.peek()?;
        let rest = &self.text.as_bytes()[self.at..];
        // Words end where a name would end.
        let word = |word: &str| {
            let after = self.text[self.at..].strip_prefix(word);
            after.is_some_and(|a| !a.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if word("and") {
            return Some((Binary::And, AND, 3));
        }
        if word("or") {
            return Some((Binary::Or, OR, 2));
        }
        Some(match (rest[0], rest.get(1)) {
            (b'<', Some(b'=')) => (Binary::LessEqual, COMPARISON, 2),
            (b'<', _) => (Binary::Less, COMPARISON, 1),
            (b'>', Some(b'=')) => (Binary::GreaterEqual, COMPARISON, 2),
            (b'>', _) => (Binary::Greater, COMPARISON, 1),
            (b'=', Some(b'=')) => (Binary::Equal, COMPARISON, 2),
            (b'!', Some(b'=')) => (Binary::NotEqual, COMPARISON, 2),
            (b'+', _) => (Binary::Add, SUM, 1),
            (b'-', _) => (Binary::Subtract, SUM, 1),
            (b'*', Some(b'*')) => (Binary::Power, POWER, 2),
            (b'*', _) => (Binary::Multiply, PRODUCT, 1),
            (b'/', _) => (Binary::Divide, PRODUCT, 1),
            (b'^', _) => (Binary::Power, POWER, 1),
            _ => return None,
        })
    }

    /// A signed number, name, call or parenthesis.
    fn operand(&mut self) -> Result<(), ExpressionError> {
        let start = self.at;
        match self.peek() {
            None if self.text.trim().is_empty() => {
                Err(self.error(0, "the expression is empty", "write a number"))
            }
            None => Err(self.error(
                start,
                "the expression ends too early",
                "an operand is missing",
            )),
            Some('-') => {
                self.at += 1;
                self.expression(SIGN)?;
                self.push(Op::Negate)
            }
            Some('+') => {
                self.at += 1;
                self.expression(SIGN)
            }
            Some('(') => {
                let open = self.at;
                self.at += 1;
                self.expression(OR)?;
                self.close(open)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.error(
                self.at,
                &format!("`{c}` is not expected here"),
                "expressions hold numbers, names, + - * / ^ and parentheses",
            )),
        }
    }

    fn close(&mut self, open: usize) -> Result<(), ExpressionError> {
        if self.peek() != Some(')') {
            return Err(self.error(open, "this parenthesis is never closed", "add `)`"));
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> Result<(), ExpressionError> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let mut end = digits(start);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        // An exponent only where digits follow: `2e` is no number.
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let last = digits(end + 1 + sign);
            if last > end + 1 + sign {
                end = last;
            }
        }
        let number: Option<f64> = self.text[start..end].parse().ok();
        match number.filter(|n| n.is_finite()) {
            Some(number) => {
                self.at = end;
                self.push(Op::Number(number))
            }
            None => Err(self.error(
                start,
                &format!("`{}` is not a finite number", &self.text[start..end]),
                "write numbers like 1.5e-3",
            )),
        }
    }

    fn name(&mut self) -> Result<(), ExpressionError> {
        let start = self.at;
        let rest = &self.text[start..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        // Parts are joined by points: `body.x`.
        let mut end = end;
        while let Some(part) = rest[end..].strip_prefix('.')
            && part.starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            let length = part
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(part.len());
            end += 1 + length;
        }
        let name = &rest[..end];
        self.at += end;
        if self.peek() == Some('(') {
            return self.call(name, start);
        }
        match name {
            "pi" => return self.push(Op::Number(std::f64::consts::PI)),
            "e" => return self.push(Op::Number(std::f64::consts::E)),
            _ => {}
        }
        let index = match self.variables.iter().position(|(v, _)| v == name) {
            Some(index) => index,
            None => {
                let column = self.error(start, "", "").column;
                self.variables.push((name.into(), column));
                self.variables.len() - 1
            }
        };
        self.push(Op::Variable(index as u16))
    }

    fn call(&mut self, name: &str, start: usize) -> Result<(), ExpressionError> {
        let found = FUNCTIONS.iter().find(|f| f.0 == name);
        let Some(&(_, function, least, most)) = found else {
            let known: Vec<_> = FUNCTIONS.iter().map(|f| f.0).collect();
            return Err(self.error(
                start,
                &format!("unknown function `{name}`"),
                &format!("functions are {}", known.join(", ")),
            ));
        };
        let open = self.at;
        self.at += 1;
        let mut count = 0;
        if self.peek() != Some(')') {
            loop {
                self.expression(OR)?;
                count += 1;
                if self.peek() != Some(',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.close(open)?;
        if !(least..=most).contains(&count) {
            let wanted = match most {
                _ if least == most => format!("{least}"),
                _ => format!("{least} to {most}"),
            };
            return Err(self.error(
                start,
                &format!("`{name}` has {count} arguments"),
                &format!("it takes {wanted}"),
            ));
        }
        self.push(Op::Call(function, count as u8))
    }
}
