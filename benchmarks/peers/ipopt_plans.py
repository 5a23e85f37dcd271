#!/usr/bin/env python3
"""Plans by CasADi with IPOPT and MUMPS on the discrete problems that carom solves: ms per iteration.

    pip install casadi && OMP_NUM_THREADS=1 python3 benchmarks/peers/ipopt_plans.py [PROBLEM ...]

The problems are files of crates/carom/tests/data/plans. Unknowns are those of carom: six numbers for a free body at
every node (place, and Cayley's vector of its turn away from the guess), angles of joints, controls, a time scale. The
balances of momentum are the same, so that objectives agree to all digits where both end in the same optimum. Prints a
row per problem: unknowns, rows, iterations, objective, and the median of five runs in ms per iteration: the solver's own time,
and the derivatives with it. Building the expression graph is not counted. The same in carom:
`cargo bench -p carom --bench plan -- iterations`.
"""
import statistics
import sys
import time

import casadi as ca
import numpy as np

RUNS = 5


def skew(v):
    return ca.vertcat(
        ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0)
    )


def turned(c):
    """Cayley's rotation matrix of a vector c."""
    s = skew(c)
    return ca.SX.eye(3) + 2 / (1 + ca.dot(c, c)) * (s + ca.mtimes(s, s))


def about(axis, angle):
    s = skew(ca.DM(axis))
    return ca.SX.eye(3) + ca.sin(angle) * s + (1 - ca.cos(angle)) * ca.mtimes(s, s)


def box(mass, sides):
    """Mass and Euler tensor of a box."""
    return mass, ca.diag(ca.DM([mass * a * a / 12 for a in sides]))


def bounds_of_range(value):
    return value if isinstance(value, (list, tuple)) else (value, value)


class FreeBody:
    """One body in space: thrust along its own z and torques in its own frame, or torques in the inertial one."""

    unknowns = 6

    def __init__(self, mass, tensor, gravity, start, goal, velocity, guess, controls, thrust):
        self.mass, self.tensor, self.gravity = mass, tensor, gravity
        self.start, self.goal, self.velocity = start, goal, velocity
        self.guess, self.controls, self.thrust = guess, controls, thrust

    def centre(self, s):
        return self.guess(s)

    def motion(self, u, centre):
        """Place, directors, and the null space: virtual shifts and turns."""
        place, turn = centre
        return [(u[:3], ca.mtimes(turned(u[3:6]), ca.DM(turn)))]

    def momentum(self, before, after, h):
        (x, r), (y, s) = before[0], after[0]
        return [(self.mass * (y - x) / h, ca.mtimes((s - r) / h, self.tensor))]

    def given(self):
        return [(self.mass * ca.DM(self.velocity), ca.DM.zeros(3, 3))]

    def pulled(self, motion, momenta):
        """Pᵀ p: the sum of momenta, and of moments d × p of the directors."""
        (_, r), (p, l) = motion[0], momenta[0]
        spin = sum((ca.cross(r[:, k], l[:, k]) for k in range(3)), ca.DM.zeros(3, 1))
        return ca.vertcat(p, spin)

    def forces(self, motion, tau):
        _, r = motion[0]
        weight = self.mass * ca.DM([0, 0, self.gravity])
        if self.thrust:
            return ca.vertcat(weight + ca.mtimes(r, ca.vertcat(0, 0, tau[0])), ca.mtimes(r, tau[1:4]))
        return ca.vertcat(weight, tau)

    def at(self, pose):
        place, turn = pose
        return list(place) + [0.0, 0.0, 0.0], turn


class Chain:
    """Rods in a row, held by hinges with one axis: angles between them, motors in some joints."""

    def __init__(self, rods, axis, along, gravity, motors, bounds, goal):
        self.rods, self.axis, self.along = rods, axis, ca.DM(along)
        self.gravity, self.motors, self.bounds, self.goal = gravity, motors, bounds, goal
        self.unknowns = len(rods)

    def motion(self, u, centre):
        angle, place, out = 0, ca.SX.zeros(3, 1), []
        for k, (_, length, _) in enumerate(self.rods):
            angle = angle + u[k] + centre[k]
            r = about(self.axis, angle)
            half = ca.mtimes(r, self.along * length / 2)
            out.append((place + half, r, place))
            place = place + 2 * half
        return out

    def momentum(self, before, after, h):
        all_bodies = zip(self.rods, before, after)
        return [(m * (y[0] - x[0]) / h, ca.mtimes((y[1] - x[1]) / h, e)) for (m, _, e), x, y in all_bodies]

    def given(self):
        return [(ca.DM.zeros(3, 1), ca.DM.zeros(3, 3)) for _ in self.rods]

    def pulled(self, motion, momenta):
        """Pᵀ p: each joint turns all rods behind it about its own place."""
        out = []
        for j in range(self.unknowns):
            total = 0
            for k in range(j, self.unknowns):
                (x, r, _), (p, l) = motion[k], momenta[k]
                moment = ca.cross(x - motion[j][2], p)
                for c in range(3):
                    moment = moment + ca.cross(r[:, c], l[:, c])
                total = total + ca.dot(ca.DM(self.axis), moment)
            out.append(total)
        return ca.vertcat(*out)

    def forces(self, motion, tau):
        weights = [(ca.vertcat(0, 0, m * self.gravity), ca.DM.zeros(3, 3)) for m, _, _ in self.rods]
        out = self.pulled(motion, weights)
        for k, joint in enumerate(self.motors):
            out[joint] = out[joint] + tau[k]
        return out


def transcribe(system, steps, step, weights, controls, scale, guess, start, goal, tau_guess, tip=None):
    """The nonlinear program: unknowns, rows, objective and their bounds."""
    n, nc = system.unknowns, len(controls)
    u = [ca.SX.sym(f"u{k}", n) for k in range(steps + 1)]
    tau = [ca.SX.sym(f"t{k}", nc) for k in range(steps)]
    sigma = ca.SX.sym("sigma") if scale else 1.0
    h = sigma * step
    nodes = [system.motion(u[k], guess[k][1]) for k in range(steps + 1)]
    momenta = [system.momentum(nodes[k], nodes[k + 1], h) for k in range(steps)]
    rows, low, high = [], [], []

    def add(row, lower, upper):
        rows.append(row)
        low.extend([lower] * row.shape[0])
        high.extend([upper] * row.shape[0])

    for k in range(steps + 1):
        # P(q_k)ᵀ [p before − p after] + h/2 of the forces of both steps = 0; at rest after the last node.
        before = momenta[k - 1] if k > 0 else system.given()
        after = momenta[k] if k < steps else [(ca.DM.zeros(3, 1), ca.DM.zeros(3, 3)) for _ in before]
        balance = system.pulled(nodes[k], before) - system.pulled(nodes[k], after)
        for s in (k - 1, k):
            if 0 <= s < steps:
                balance = balance + h / 2 * system.forces(nodes[k], tau[s])
        add(balance, 0.0, 0.0)
    if tip is not None:
        add(tip(nodes[steps]), 0.0, 0.0)
    cost = weights[0] * sum(h * ca.dot(t, t) for t in tau) + weights[1] * steps * h
    x, x0, xl, xu = [], [], [], []
    inf = float("inf")
    for k in range(steps + 1):
        x.append(u[k])
        x0.extend(guess[k][0])
        fixed = start if k == 0 else goal if k == steps else None
        xl.extend([-inf] * n if fixed is None else fixed)
        xu.extend([inf] * n if fixed is None else fixed)
        if k < steps:
            x.append(tau[k])
            x0.extend(tau_guess)
            xl.extend([c[0] for c in controls])
            xu.extend([c[1] for c in controls])
    if scale:
        x.append(sigma)
        x0.append(1.0)
        xl.append(scale[0])
        xu.append(scale[1])
    return ca.vertcat(*x), ca.vertcat(*rows), cost, (x0, xl, xu, low, high)


def craft(body, steps, step, weights, controls, scale, tau_guess):
    guess = [body.guess(k / steps) for k in range(steps + 1)]
    points = [(list(place) + [0.0] * 3, (place, turn)) for place, turn in guess]
    return transcribe(
        body, steps, step, weights, controls, scale, points, points[0][0], points[-1][0], tau_guess
    )


def lander():
    mass, tensor = box(5, [1, 1, 1])
    line = lambda s: (np.array([4, 0, 10]) * (1 - s) + np.array([0, 0, 0.5]) * s, np.eye(3))
    body = FreeBody(mass, tensor, -1.62, None, None, [-1, 0, -1], line, None, True)
    controls = [(0, 20), (-1, 1), (-1, 1), (-1, 1)]
    return craft(body, 60, 0.1, (0.001, 1.0), controls, (0.3, 3), [8.1, 0, 0, 0])


def flip():
    mass, tensor = box(1, [0.4, 0.4, 0.08])

    def round_once(s):
        a = 2 * np.pi * s
        return np.zeros(3), np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])

    body = FreeBody(mass, tensor, -9.81, None, None, [0, 0, 0], round_once, None, True)
    # About x and z nothing turns it.
    controls = [(0, 25), (0, 0), (-1, 1), (0, 0)]
    return craft(body, 60, 0.025, (0.01, 1.0), controls, (0.3, 3), [9.81, 0, 0, 0])


def slew():
    mass, inertia = 4, np.array([0.03, 0.03, 0.007])
    tensor = ca.diag(ca.DM(0.5 * inertia.sum() - inertia))

    def quarter(s):
        a = np.pi / 2 * s
        return np.zeros(3), np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

    body = FreeBody(mass, tensor, 0.0, None, None, [0, 0, 0], quarter, None, False)
    return craft(body, 100, 6, (1.0, 0.0), [(-np.inf, np.inf)] * 3, None, [0, 0, 0])


def arm():
    rods = [(1, 0.5, box(1, [0.5, 0.05, 0.05])[1])] * 2
    chain = Chain(rods, [0, 0, 1], [1, 0, 0], 0.0, [0, 1], None, None)
    steps = 40
    points = [([0.0, 0.0], np.array([1.2, 0.3]) * k / steps) for k in range(steps + 1)]
    tip = lambda motion: motion[1][0][:2] - ca.DM([0.2, 0.5])
    free = [(-np.inf, np.inf)] * 2
    x, rows, cost, (x0, xl, xu, low, high) = transcribe(
        chain, steps, 0.05, (1.0, 0.0), free, None, points, [0.0, 0.0], None, [0, 0], tip
    )
    return x, rows, cost, (x0, xl, xu, low, high)


def acrobot():
    rods = [(1, 1.0, box(1, [0.05, 0.05, 1])[1])] * 2
    chain = Chain(rods, [0, 1, 0], [0, 0, -1], -9.81, [1], None, None)
    steps = 240
    points = [([0.0, 0.0], np.array([np.pi, 0.0]) * k / steps) for k in range(steps + 1)]
    return transcribe(
        chain, steps, 0.0166666666666667, (1.0, 0.0), [(-20, 20)], None, points, [0.0, 0.0], [0.0, 0.0], [0.0]
    )


PROBLEMS = {
    "26-lander": lander,
    "06-quad-flip": flip,
    "20-cubesat-slew": slew,
    "22-arm2-ee-goal": arm,
    "05b-acrobot-fine": acrobot,
}


def main():
    asked = sys.argv[1:] or list(PROBLEMS)
    print(f"CasADi {ca.__version__}")
    print("| problem | unknowns | rows | iterations | objective | ms per iteration | of which derivatives | status |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for name in asked:
        x, rows, cost, (x0, xl, xu, low, high) = PROBLEMS[name]()
        options = {
            "print_time": False,
            "ipopt": {"print_level": 0, "sb": "yes", "linear_solver": "mumps", "max_iter": 1000, "tol": 1e-9},
        }
        solver = ca.nlpsol("solver", "ipopt", {"x": x, "g": rows, "f": cost}, options)
        each, inner = [], []
        for _ in range(RUNS):
            begin = time.process_time()
            found = solver(x0=x0, lbx=xl, ubx=xu, lbg=low, ubg=high)
            seconds = time.process_time() - begin
            stats = solver.stats()
            count = max(stats["iter_count"], 1)
            derivatives = sum(v for k, v in stats.items() if k.startswith("t_proc_nlp_"))
            each.append(1e3 * seconds / count)
            inner.append(1e3 * derivatives / count)
        free = sum(a < b for a, b in zip(xl, xu))
        print(
            f"| {name} | {free} | {len(low)} | {stats['iter_count']} | {float(found['f']):.9g} "
            f"| {statistics.median(each):.2f} | {statistics.median(inner):.2f} | {stats['return_status']} |"
        )


if __name__ == "__main__":
    main()
