import { describe, expect, it } from "vitest";
import type { Motion } from "../src/payload";
import { Poses, firstAfter, frameAt } from "../src/poses";

const half = Math.round(32767 * Math.SQRT1_2);
/** One body that moves along x and turns a quarter about z. */
const motion = {
  slots: 1,
  time: Float64Array.of(0, 1, 3),
  position: Float32Array.of(0, 0, 0, 1, 0, 0, 5, 0, 0),
  rotation: Int16Array.of(0, 0, 0, 32767, 0, 0, half, half, 0, 0, -half, -half),
} as unknown as Motion;

describe("frames", () => {
  const time = Float64Array.of(0, 1, 1, 2);
  it("finds the last frame that has begun", () => {
    expect([-1, 0, 0.5, 1, 1.5, 2, 9].map((t) => frameAt(time, t))).toEqual([0, 0, 0, 2, 2, 3, 3]);
  });
  it("finds the first time that is later", () => {
    expect([-1, 0, 1, 2].map((t) => firstAfter(time, t))).toEqual([0, 1, 3, 4]);
  });
});

describe("poses", () => {
  it("are interpolated and of unit length", () => {
    const pose = new Poses(motion).at(0.5);
    expect(pose[0]).toBeCloseTo(0.5);
    expect(Math.hypot(...pose.slice(3))).toBeCloseTo(1);
    expect(2 * Math.atan2(pose[5], pose[6])).toBeCloseTo(Math.PI / 4, 2);
  });
  it("take the shorter way round: q and -q are one orientation", () => {
    const pose = new Poses(motion).at(2);
    expect(pose[0]).toBeCloseTo(3);
    expect(pose[5] * pose[6]).toBeCloseTo(0.5, 3);
  });
  it("stand still before the start and after the end", () => {
    expect(new Poses(motion).at(-5)[0]).toBe(0);
    expect(new Poses(motion).at(50)[0]).toBe(5);
  });
});
