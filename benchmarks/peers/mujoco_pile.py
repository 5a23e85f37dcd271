#!/usr/bin/env python3
"""Piles of boxes with friction in MuJoCo: time, overlap, and what is left of the motion.

    pip install mujoco && python3 benchmarks/peers/mujoco_pile.py [BOXES ...]

Boxes of 0.2 x 0.15 x 0.1 m on a grid, turned at random, fall on a floor and come to rest, mu = 0.5,
h = 0.005 s, 400 steps, one thread. Prints a row per pile: seconds, steps per second, deepest overlap
at the end, the fastest corner at the end, and the energy that single steps added, relative to that at
the start. MuJoCo's contacts have no restitution; its other settings are its own. The same in carom
and Rapier, with e = 0.3: `cargo bench -p carom-benchmarks --bench contact -- piles`.
"""
import sys
import time

import mujoco
import numpy as np

SIZE = np.array([0.2, 0.15, 0.1])
DENSITY = 500.0
FRICTION = 0.5
GRAVITY = 9.81
STEP = 0.005
STEPS = 400
GRIDS = {64: (4, 4, 4), 300: (10, 10, 3), 1000: (10, 10, 10)}


def rotation(generator):
    """Rotation vector in a ball of radius 0.5 as a quaternion."""
    while True:
        v = generator.uniform(-0.5, 0.5, 3)
        angle = np.linalg.norm(v)
        if 0 < angle <= 0.5:
            return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * v / angle])


def pile(count):
    nx, ny, nz = GRIDS.get(count, (count, 1, 1))
    generator = np.random.default_rng(1)
    half = " ".join(map(str, SIZE / 2))
    bodies = []
    for k in range(nx * ny * nz):
        at = [0.3 * (k % nx), 0.3 * (k // nx % ny), 0.3 + 0.3 * (k // nx // ny)]
        turn = rotation(generator)
        bodies.append(
            f'<body pos="{at[0]} {at[1]} {at[2]}" quat="{turn[0]} {turn[1]} {turn[2]} {turn[3]}">'
            f'<freejoint/><geom type="box" size="{half}" density="{DENSITY}" '
            f'friction="{FRICTION} 0 0" condim="3"/></body>'
        )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="2G"/><option timestep="{STEP}" gravity="0 0 -{GRAVITY}"/>'
        f'<worldbody><geom type="plane" size="0 0 1" friction="{FRICTION} 0 0" condim="3"/>'
        f'{"".join(bodies)}</worldbody></mujoco>'
    )


def energy(model, data):
    """Kinetic and potential energy; angular velocities are in the body frame, whose axes are the
    principal ones of a box."""
    v = data.qvel.reshape(-1, 6)
    mass, inertia = model.body_mass[1:], model.body_inertia[1:]
    # Axes of inertia are sorted by MuJoCo: turn the spin into them.
    spin = np.empty((len(v), 3))
    for k in range(len(v)):
        mujoco.mju_rotVecQuat(
            spin[k], v[k, 3:], model.body_iquat[k + 1] * np.array([1, -1, -1, -1])
        )
    kinetic = 0.5 * np.sum(mass * np.sum(v[:, :3] ** 2, 1)) + 0.5 * np.sum(inertia * spin**2)
    return kinetic + GRAVITY * np.sum(mass * data.qpos.reshape(-1, 7)[:, 2])


def overlap(centers, axes):
    """Deepest overlap by the fifteen separating axes of two boxes, and of boxes and the floor."""
    half = SIZE / 2
    deepest = max(0.0, np.max(np.abs(axes[:, 2, :]) @ half - centers[:, 2]))
    for a in range(len(centers)):
        near = np.linalg.norm(centers[a + 1 :] - centers[a], axis=1) < 2 * np.linalg.norm(half)
        for b in a + 1 + np.flatnonzero(near):
            between = centers[b] - centers[a]
            normals = list(axes[a].T) + list(axes[b].T)
            for i in range(3):
                for j in range(3):
                    n = np.cross(axes[a][:, i], axes[b][:, j])
                    if np.linalg.norm(n) > 1e-9:
                        normals.append(n / np.linalg.norm(n))
            n = np.array(normals)
            widths = (np.abs(n @ axes[a]) + np.abs(n @ axes[b])) @ half
            deepest = max(deepest, np.min(widths - np.abs(n @ between)))
    return deepest


def run(count):
    model = pile(count)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    first = last = energy(model, data)
    seconds, gained = 0.0, 0.0
    for _ in range(STEPS):
        begin = time.perf_counter()
        mujoco.mj_step(model, data)
        seconds += time.perf_counter() - begin
        now = energy(model, data)
        gained += max(0.0, now - last)
        last = now
    mujoco.mj_forward(model, data)
    v = data.qvel.reshape(-1, 6)
    reach = np.linalg.norm(SIZE) / 2
    fastest = np.max(np.linalg.norm(v[:, :3], axis=1) + reach * np.linalg.norm(v[:, 3:], axis=1))
    depth = overlap(data.xpos[1:].copy(), data.xmat[1:].reshape(-1, 3, 3).copy())
    print(
        f"| {count} | MuJoCo {mujoco.__version__} | {seconds:.2f} | {STEPS / seconds:.0f} "
        f"| {1e3 * depth:.1e} | {fastest:.1e} | {gained / first:.1e} |",
        flush=True,
    )


for boxes in [int(a) for a in sys.argv[1:]] or sorted(GRIDS):
    run(boxes)
