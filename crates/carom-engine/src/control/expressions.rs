//! A controller written as expressions of measured quantities.

use std::fmt;
use std::sync::Arc;

use super::controller::{Controller, Quantity, View};
use crate::expression::Compiled;

/// Makes more quantities of the measured ones, at the end of the list.
pub type Derive = Arc<dyn Fn(&[f64], &mut Vec<f64>) + Send + Sync>;

/// A quantity that is integrated over time.
#[derive(Clone, Debug)]
pub struct Integrated {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its rate; of measured quantities, states and named ones.
    pub rate: Compiled,
}

/// Outputs as expressions. Values are known in this order: measured quantities, derived ones, states, and named
/// ones, each of which may use those before it.
#[derive(Clone)]
pub struct Expressions {
    /// Quantities that follow from measured ones.
    pub derive: Derive,
    /// Quantities that are integrated.
    pub states: Vec<Integrated>,
    /// Quantities with a name of their own.
    pub named: Vec<(String, Compiled)>,
    /// One for each output.
    pub outputs: Vec<Compiled>,
}

impl fmt::Debug for Expressions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expressions")
            .field("states", &self.states)
            .field("named", &self.named)
            .field("outputs", &self.outputs)
            .finish()
    }
}

impl Controller for Expressions {
    fn quantities(&self) -> Vec<Quantity> {
        let states = self.states.iter().map(|s| s.name.clone());
        let named = self.named.iter().map(|(name, _)| name.clone());
        let one = |name: String| Quantity::new(name.clone(), "1", format!("`{name}`"));
        states.chain(named).map(one).collect()
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        let mut values = now.measured().to_vec();
        (self.derive)(now.measured(), &mut values);
        let first = values.len();
        values.extend(self.states.iter().map(|s| s.value));
        for (_, expression) in &self.named {
            values.push(expression.eval(&values));
        }
        inner.copy_from_slice(&values[first..]);
        for (slot, expression) in output.iter_mut().zip(&self.outputs) {
            *slot = expression.eval(&values);
        }
        for state in &mut self.states {
            state.value += state.rate.eval(&values) * now.interval();
        }
    }

    fn state(&self) -> Vec<f64> {
        self.states.iter().map(|s| s.value).collect()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        (self.states.iter_mut().zip(state)).for_each(|(own, new)| own.value = *new);
        state.len() == self.states.len()
    }
}
