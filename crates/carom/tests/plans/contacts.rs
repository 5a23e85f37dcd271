//! Plans through impacts against independent solutions (CasADi with IPOPT), replayed by the exact
//! simulator: when bodies touch is found by the optimiser and by the simulator alike.

use crate::plans::{close, gallery};
use carom::optimise::{Plan, Scheme, Status, replay};
use carom::scenario::PlanRequest;

/// Solves a problem and checks that the simulator agrees: contact times to 1e-8, states to 1e-6.
fn planned(request: &PlanRequest) -> Plan {
    let plan = request.solve().unwrap();
    assert_eq!(plan.status, Status::Solved);
    let replayed = replay(&request.problem, &plan, |_, _| {}).unwrap();
    assert!(replayed.error < 1e-6, "{}", replayed.error);
    assert!(replayed.contact_error < 1e-8, "{}", replayed.contact_error);
    let impacts = replayed.contacts.len();
    assert_eq!(impacts, plan.contacts.len(), "{:?}", replayed.contacts);
    plan
}

#[test]
fn a_cube_bounces_off_a_wall_wherever_the_contact_node_is() {
    // Contact node, objective, time scales and contact time of the reference.
    let known = [
        (
            4,
            1.0246362220574257e-6,
            [2.17176277, 0.81972880],
            0.21717628,
        ),
        (
            9,
            1.0108419749869047e-6,
            [0.96607235, 1.01454042],
            0.21736628,
        ),
        (
            14,
            1.0091373676058667e-6,
            [0.62114149, 1.33150119],
            0.21739952,
        ),
    ];
    for (node, objective, scales, time) in known {
        let plan = planned(&gallery("wall", &[&format!("steps_before={node}")]));
        assert!(close(plan.objective, objective, 1e-6), "{}", plan.objective);
        for (a, b) in plan.scales.iter().zip(scales) {
            assert!(close(*a, b, 1e-5), "{:?}", plan.scales);
        }
        assert!(close(plan.contacts[0].time, time, 1e-5));
        assert_eq!(plan.contacts[0].node, node);
    }
}

#[test]
fn a_cube_hits_another_one_twice() {
    let plan = planned(&gallery("two-cubes", &[]));
    assert!(close(plan.objective, 2.544048764983251e-7, 1e-6));
    let scales = [1.06965161474576, 0.9285354793187323, 0.9967994180026264];
    for (a, b) in plan.scales.iter().zip(scales) {
        assert!(close(*a, b, 1e-5), "{:?}", plan.scales);
    }
    assert!(close(plan.contacts[0].time, 0.213930322949152, 1e-5));
    assert!(close(plan.contacts[1].time, 0.3903520640197111, 1e-5));
}

#[test]
fn a_pendulum_swings_up_by_its_limiter() {
    // Of second order in the step: the reference has 12.1571, 12.0962, 12.0810 and 12.0772.
    let of = |steps: usize| {
        let plan = planned(&gallery("swing-up", &[&format!("steps={steps}")]));
        (plan.objective, plan.contacts[0].time)
    };
    let (coarse, middle, fine) = (of(30), of(60), of(120));
    let ratio = (coarse.0 - middle.0) / (middle.0 - fine.0);
    assert!((ratio - 4.0).abs() < 0.2, "{ratio}");
    let limit = fine.0 + (fine.0 - middle.0) / 3.0;
    assert!((limit - 12.0766).abs() < 1e-3, "{limit}");
    assert!((fine.1 - 0.20022).abs() < 1e-4, "{}", fine.1);
}

/// Collision states and times in a layer of their own lead to the same plan, at every refinement.
#[test]
fn two_layers_agree_with_one() {
    for steps in [15, 30] {
        let mut request = gallery("swing-up", &[&format!("steps={steps}")]);
        let one = planned(&request);
        assert!(one.outer.is_none());
        request.problem.scheme = Scheme::TwoLayers;
        let two = planned(&request);
        assert!(
            close(two.objective, one.objective, 1e-6),
            "{}",
            two.objective
        );
        assert!(close(two.contacts[0].time, one.contacts[0].time, 1e-6));
        let outer = two.outer.unwrap();
        assert!(outer.converged && outer.residual < 1e-6, "{outer:?}");
        assert_eq!(outer.segments, 2);
        assert!(outer.rounds > 0 && outer.solves > 2 * outer.segments);
    }
}

/// Two layers need a collision, and controls that lead from state to state.
#[test]
fn two_layers_say_what_they_cannot_do() {
    let mut request = gallery("sphere", &[]);
    request.problem.scheme = Scheme::TwoLayers;
    let refused = request.solve().unwrap_err().to_string();
    assert!(refused.contains("without a collision"), "{refused}");
    let mut request = gallery("dice", &[]);
    request.problem.scheme = Scheme::TwoLayers;
    let plan = request.solve().unwrap();
    let Status::Stalled(why) = &plan.status else {
        panic!("{:?}", plan.status);
    };
    assert!(why.contains("equations for"), "{why}");
}

/// What is lost at an impact is what restitution says, and other problems than the reference's solve.
#[test]
fn restitution_below_one_is_replayed() {
    let scenario = gallery("wall", &[]);
    let mut problem = scenario.problem.clone();
    for phase in &mut problem.phases {
        if let carom::optimise::Transition::Impact(list) = &mut phase.ends {
            list[0].restitution = 0.7;
        }
    }
    let guess = carom::optimise::Guess::simulate(&problem, &[]).unwrap();
    problem.goal.motions.clear();
    let plan = planned(&PlanRequest {
        problem,
        guess,
        settings: scenario.settings,
    });
    assert!(plan.contacts[0].impulse > 0.0);
}
