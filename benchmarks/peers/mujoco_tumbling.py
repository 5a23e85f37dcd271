#!/usr/bin/env python3
"""The gallery's tumbling body in MuJoCo: how well energy and angular momentum are kept.

    pip install mujoco && python3 benchmarks/peers/mujoco_tumbling.py [STEPS [STEP]]

Prints a row per integrator: relative change of the energy and of the angular momentum (of the
vector, relative to its norm) over the run, and the time per step. The same in carom:

    carom run tumbling --set simulate.steps=STEPS --set simulate.step=STEP
"""
import sys
import time

import mujoco
import numpy as np

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
STEP = float(sys.argv[2]) if len(sys.argv) > 2 else 0.01
MODEL = """
<mujoco>
  <option timestep="{step}" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody>
    <body name="block">
      <freejoint/>
      <inertial pos="0 0 0" mass="6" diaginertia="5 4 3"/>
      <geom type="sphere" size="0.1" mass="0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
"""
INERTIA = np.array([5.0, 4.0, 3.0])


def state(data):
    """Energy and spatial angular momentum; MuJoCo's angular velocity is in the body frame."""
    omega = data.qvel[3:6]
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, data.qpos[3:7])
    return 0.5 * np.sum(INERTIA * omega**2), turn.reshape(3, 3) @ (INERTIA * omega)


print(f"MuJoCo {mujoco.__version__}, {STEPS} steps of {STEP} s")
for integrator in ("Euler", "implicitfast", "implicit", "RK4"):
    model = mujoco.MjModel.from_xml_string(MODEL.format(integrator=integrator, step=STEP))
    data = mujoco.MjData(model)
    data.qvel[3:6] = (0.01, 1.0, 0.01)
    energy, momentum = state(data)
    worst = [0.0, 0.0]
    begin = time.perf_counter()
    chunk = max(1, STEPS // 1000)
    for _ in range(STEPS // chunk):
        mujoco.mj_step(model, data, chunk)
        e, l = state(data)
        worst[0] = max(worst[0], abs(e - energy) / energy)
        worst[1] = max(worst[1], np.linalg.norm(l - momentum) / np.linalg.norm(momentum))
    each = (time.perf_counter() - begin) / STEPS
    print(f"{integrator:13} energy {worst[0]:.1e}  angular momentum {worst[1]:.1e}  {1e9 * each:.0f} ns per step")
