//! Contact laws: the ways through a collision, as data.

use super::Touching;

/// How a pair passes through a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Law {
    /// Not at all: bodies pass through each other.
    #[default]
    None,
    /// A potential V_A = ½ C min(0, gap)² holds bodies apart (thesis 3.3); they overlap a little.
    Potential {
        /// C in N/m.
        stiffness: f64,
        /// Coefficient of the drag on the normal velocity while overlapping, in N s/m.
        drag: f64,
    },
    /// The step is cut at the contact, momentum jumps there (thesis 3.4).
    Exact {
        /// Energy condition of an impact.
        condition: EnergyCondition,
        /// How the jump is solved for.
        form: JumpForm,
    },
    /// All impacts of a step at its end: closest-point projection, then reflection (thesis 3.5).
    Decomposition {
        /// Whether the projection weighs the change of potential energy too, (3.83) for (3.82).
        potential_term: bool,
        /// Pairs within this multiple of the largest overlap join its group.
        buffer: f64,
        /// Whether overlaps are projected even where forces act, as in the thesis. A projection lifts
        /// bodies against their weight; without this, what overlaps then is caught by impulses.
        projected: bool,
    },
    /// The contact closes and holds as a joint until it would pull (monopedal jumping, section 6.2).
    Plastic {
        /// As which joint it holds.
        hold: Hold,
        /// How its release is timed.
        release: Release,
    },
}

impl Law {
    /// Impacts at their exact times, then rest: the law to begin with.
    pub fn exact() -> Self {
        Law::Exact {
            condition: EnergyCondition::Hamiltonian,
            form: JumpForm::default(),
        }
    }

    /// The exact law with its usual choices.
    pub const EXACT: Law = Law::Exact {
        condition: EnergyCondition::Hamiltonian,
        form: JumpForm::Multiplier,
    };
    /// The decomposition law with its usual choices.
    pub const DECOMPOSITION: Law = Law::Decomposition {
        potential_term: false,
        buffer: 3.0,
        projected: false,
    };
    /// The plastic law with its usual choices.
    pub const PLASTIC: Law = Law::Plastic {
        hold: Hold::Stick,
        release: Release::Plain,
    };

    /// Name in files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Law::None => "none",
            Law::Potential { .. } => "potential",
            Law::Exact { .. } => "exact",
            Law::Decomposition { .. } => "decomposition",
            Law::Plastic { .. } => "plastic",
        }
    }
}

/// Something that a law cannot do between two materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refusal {
    /// The choice that cannot do it, as files write it: the key and its value.
    pub choice: [&'static str; 2],
    /// What is the matter: `restitution` or `friction`.
    pub property: &'static str,
    /// The value it needs.
    pub needs: f64,
    /// The value it has.
    pub value: f64,
    /// What to write instead.
    pub fix: &'static str,
}

impl Law {
    /// What this law cannot do where something touches: no law ignores what it is told.
    pub fn refuses(self, touching: &Touching) -> Option<Refusal> {
        let (choice, fixes) = match self {
            Law::Exact {
                condition: EnergyCondition::Discrete,
                ..
            } => (
                ["energy", "discrete"],
                [
                    "write energy = \"hamiltonian\", or restitution = 1",
                    "write energy = \"hamiltonian\", or friction = 0",
                ],
            ),
            Law::Potential { .. } => (
                ["law", "potential"],
                [
                    "write restitution = 1, and beside stiffness a drag in N s/m for losses; or law = \"exact\"",
                    "write friction = 0, or law = \"exact\"",
                ],
            ),
            _ => return None,
        };
        let refusal = |property, needs, value, fix| Refusal {
            choice,
            property,
            needs,
            value,
            fix,
        };
        if touching.restitution != 1.0 {
            Some(refusal("restitution", 1.0, touching.restitution, fixes[0]))
        } else if touching.friction != 0.0 {
            Some(refusal("friction", 0.0, touching.friction, fixes[1]))
        } else {
            None
        }
    }
}

/// Energy condition of an elastic impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergyCondition {
    /// H_d of the projected momentum (3.73): an explicit reflection; restitution below one is
    /// allowed.
    #[default]
    Hamiltonian,
    /// E_d of the parts of the step before and after (3.76b).
    Discrete,
}

/// How the jump of an impact is solved for: the same jump, other unknowns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpForm {
    /// The multiplier of the gap's gradient.
    #[default]
    Multiplier,
    /// The multiplier eliminated by the contact null space P_c, "Variational collision
    /// integrators" (14)–(15).
    NullSpace,
}

/// As which joint a plastic contact holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// The point of contact sticks: a spherical joint.
    #[default]
    Stick,
    /// The point of contact stays in the plane of contact and slips in it.
    Slip,
    /// All vertices of the shared patch stick: an edge or a face holds as such.
    Patch,
}

/// How the release of a plastic contact is timed when the step shows that it would pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Release {
    /// The time at which the multiplier vanishes, on the step as it is.
    #[default]
    Plain,
    /// The step is halved until that time is a time ahead.
    Bisection,
    /// The step is cut into 2, 3, 4, … equal parts until that time is a time ahead.
    Subintervals,
}
