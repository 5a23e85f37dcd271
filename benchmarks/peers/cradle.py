#!/usr/bin/env python3
"""The gallery's Newton's cradle (cradle-1) in MuJoCo and pybullet: how well the speed is passed on.

    pip install mujoco pybullet && python3 benchmarks/peers/cradle.py

One cube runs into four at rest, elastic and smooth, h = 0.01 s; in the end only the last one should
move, with the speed of the first. Prints the largest error of a velocity, relative to that speed.
The same in carom: `carom run cradle-1`. "Tuned" means the contact parameters and a step of 1e-5 s.
"""
import math

EDGE = 0.2 * math.sqrt(2)
SPEED = 0.105
DENSITY = 270.0
PLACES = [0.0, 1.5, 2.6, 3.7, 4.8]
# The last impact is after 0.9 l of way, 2.4 s; soft contacts take longer.
DURATION = 12.0


def error(velocities):
    wanted = [0.0, 0.0, 0.0, 0.0, SPEED]
    return max(abs(v - w) for v, w in zip(velocities, wanted)) / SPEED


def mujoco_error(step, solref):
    import mujoco

    half = EDGE / 2
    bodies = "".join(
        f'<body pos="{place * EDGE} 0 0"><freejoint/>'
        f'<geom type="box" size="{half} {half} {half}" density="{DENSITY}" '
        f'friction="0 0 0" condim="1" {solref}/></body>'
        for place in PLACES
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" gravity="0 0 0"/>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    data.qvel[0] = SPEED
    for _ in range(round(DURATION / step)):
        mujoco.mj_step(model, data)
    return error([data.qvel[6 * k] for k in range(5)])


def pybullet_error(step):
    import pybullet as p

    p.connect(p.DIRECT)
    p.setTimeStep(step)
    p.setGravity(0, 0, 0)
    p.setPhysicsEngineParameter(restitutionVelocityThreshold=0)
    shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=[EDGE / 2] * 3)
    cubes = []
    for place in PLACES:
        cube = p.createMultiBody(DENSITY * EDGE**3, shape, basePosition=[place * EDGE, 0, 0])
        p.changeDynamics(
            cube, -1, restitution=1, lateralFriction=0, linearDamping=0, angularDamping=0
        )
        cubes.append(cube)
    p.resetBaseVelocity(cubes[0], [SPEED, 0, 0])
    for _ in range(round(DURATION / step)):
        p.stepSimulation()
    return error([p.getBaseVelocity(c)[0][0] for c in cubes])


for name, run in [
    ("MuJoCo, its default contact", lambda: mujoco_error(0.01, "")),
    ("MuJoCo, undamped spring", lambda: mujoco_error(0.01, 'solref="-1e4 0"')),
    ("MuJoCo, tuned", lambda: mujoco_error(1e-5, 'solref="-1e6 0" solimp="0.99 0.99 1e-9"')),
    ("pybullet", lambda: pybullet_error(0.01)),
]:
    try:
        print(f"| {name} | {run():.1e} |")
    except ImportError as missing:
        print(f"| {name} | {missing} |")
