// `motion.glb` of runs of different kinds against the validator of the Khronos group.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import validator from "gltf-validator";
import { folder, run } from "./tools.mjs";

after(() => fs.rmSync(folder, { recursive: true, force: true }));

const STILL = `
title = "A single state"
[body.tile]
planar = true
shape = { rectangle = [0.3, 0.2] }
density = 10
[body.table]
kind = "static"
shape = { box = [2, 2, 0.1] }
position = [0, 0, -1]
[simulate]
steps = 1
step = 0.01
`;

const scenarios = { tumbling: "tumbling", "double-pendulum": "double-pendulum", "cart-pendulum": "cart-pendulum", "bead-chain": "bead-chain", still: STILL };
for (const [name, scenario] of Object.entries(scenarios)) {
  test(`motion.glb of ${name} is valid`, async () => {
    const out = run(name, scenario, "--set", "simulate.steps=400");
    const bytes = new Uint8Array(fs.readFileSync(path.join(out, "motion.glb")));
    const { issues, info } = await validator.validateBytes(bytes);
    assert.deepEqual(issues.messages.filter((issue) => issue.severity < 2), []);
    assert.equal(info.animationCount, 1);
  });
}
