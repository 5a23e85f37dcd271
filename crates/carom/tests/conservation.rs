//! What the integrator keeps, joint by joint.

mod common;

use carom::model::JointKind;
use common::*;
use nalgebra::Vector3;

#[test]
fn floating_pairs_keep_momentum() {
    for kind in KINDS {
        let mut s = simulate(pair(kind, false, Vector3::zeros()), 0.01);
        s.run(20000).unwrap();
        let l = s.ledger();
        println!(
            "{:12} energy {:.1e} (spread {:.1e}) linear {:.1e} angular {:.1e} violation {:.1e} residual {:.1e} newton {:.2}",
            kind.name(),
            l.energy.last - l.energy.initial,
            l.energy.spread(),
            l.linear_momentum.max_change / l.linear_momentum.initial.norm(),
            l.angular_momentum.max_change / l.angular_momentum.initial.norm(),
            l.constraint_violation_max,
            l.momentum_residual_max,
            l.newton_iterations as f64 / l.steps as f64
        );
        assert!(l.linear_momentum.max_change < 1e-12 * l.linear_momentum.initial.norm());
        assert!(l.angular_momentum.max_change < 1e-12 * l.angular_momentum.initial.norm());
        assert!(l.energy.spread() < 1e-3 * l.energy.initial.abs());
    }
}

#[test]
fn second_order_for_every_joint() {
    for kind in KINDS {
        for hung in [false, true] {
            let end = |h: f64| {
                let mut s = simulate(pair(kind, hung, Vector3::new(0.0, 0.0, -2.0)), h);
                s.run((1.0 / h).round() as usize).unwrap();
                s.state()
                    .poses
                    .iter()
                    .flat_map(|p| p.to_q())
                    .collect::<Vec<_>>()
            };
            let steps = [0.02, 0.01, 0.005];
            let fine = end(0.000625);
            let finer = end(0.0003125);
            // Richardson: the reference is one order better than its steps.
            let reference: Vec<f64> = fine
                .iter()
                .zip(&finer)
                .map(|(a, b)| b + (b - a) / 3.0)
                .collect();
            let errors: Vec<f64> = steps
                .iter()
                .map(|&h| {
                    end(h)
                        .iter()
                        .zip(&reference)
                        .map(|(a, b)| (a - b).powi(2))
                        .sum::<f64>()
                        .sqrt()
                })
                .collect();
            if kind == JointKind::Free && !hung && errors[0] < 1e-10 {
                continue;
            }
            let order = slope(&steps, &errors);
            println!(
                "{:12} hung {hung}: {errors:?} order {order:.3}",
                kind.name()
            );
            assert!((order - 2.0).abs() < 0.05, "{kind:?} {order}");
        }
    }
}

#[test]
fn million_steps() {
    for kind in [
        JointKind::Revolute,
        JointKind::Spherical,
        JointKind::Prismatic,
    ] {
        let mut s = simulate(pair(kind, false, Vector3::zeros()), 0.01);
        let t = std::time::Instant::now();
        s.run(1_000_000).unwrap();
        let l = s.ledger();
        println!(
            "{:12} {:.1} s energy {:.1e} (spread {:.1e}) linear {:.1e} angular {:.1e} violation {:.1e} residual {:.1e}",
            kind.name(),
            t.elapsed().as_secs_f64(),
            l.energy.last - l.energy.initial,
            l.energy.spread(),
            l.linear_momentum.max_change / l.linear_momentum.initial.norm(),
            l.angular_momentum.max_change / l.angular_momentum.initial.norm(),
            l.constraint_violation_max,
            l.momentum_residual_max,
        );
    }
}
