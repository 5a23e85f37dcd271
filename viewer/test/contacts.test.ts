import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Channels } from "../src/channels";
import type { Contacts, Motion } from "../src/payload";
import { arrowScale, forcesAt, marksBetween } from "../src/scene/arrows";
import { fan } from "../src/scene/limits";
import { cameraOf } from "../src/share";

function contacts(step: number, rows: [number, string, number][]): Contacts {
  const words = [...new Set(rows.map((row) => row[1])), "box", "floor"];
  const column = (values: number[]) => Uint32Array.from(values);
  return {
    total: rows.length,
    count: rows.length,
    step,
    words,
    time: Float64Array.from(rows.map((row) => row[0])),
    kind: column(rows.map((row) => words.indexOf(row[1]))),
    a: column(rows.map(() => words.indexOf("box"))),
    b: column(rows.map(() => words.indexOf("floor"))),
    feature_a: column(rows.map(() => 0)),
    feature_b: column(rows.map(() => 0)),
    point: new Float32Array(3 * rows.length),
    normal: new Float32Array(3 * rows.length),
    impulse: Float32Array.from(rows.flatMap((row) => [0, 0, row[2]])),
    strength: Float32Array.from(rows.map((row) => row[2])),
    energy: new Float32Array(rows.length),
  };
}

describe("arrows at contacts", () => {
  it("sum the impulses of a resting contact into a force", () => {
    const list = contacts(0.01, [[0.1, "impact", 3], [0.2, "rest", 0.5], [0.2, "stick", 0.5], [0.21, "slide", 0.75]]);
    const marks = marksBetween(list, 0.05, 0.3, 64);
    expect(marks.map((m) => [m.isForce, m.event])).toEqual([[false, 0], [true, 3]]);
    // Two steps of 0.5 and 0.75 N s: 62.5 N on average.
    expect(marks[1].size).toBeCloseTo(62.5);
    expect(marks[1].vector[2]).toBeCloseTo(62.5);
    expect(marksBetween(list, 0.15, 0.19, 64)).toEqual([]);
  });
  it("have one scale in all runs", () => {
    const none = contacts(0, []);
    const motion = (size: number) => ({ contacts: contacts(0.01, [[0, "impact", size], [1, "rest", size]]), forces: none }) as Motion;
    const scale = arrowScale([motion(1), motion(9)], 10);
    expect(scale.impulse).toBeCloseTo(4);
    expect(scale.force).toBeCloseTo(0.04);
    expect(arrowScale([{ contacts: none, forces: none } as unknown as Motion], 10)).toEqual({ impulse: 0, force: 0 });
  });
});

describe("recorded forces", () => {
  it("are those of the frame around a time, but for pairs that meet in it", () => {
    const motion = {
      contacts: contacts(0.01, [[0.15, "impact", 5], [0.25, "rest", 5]]),
      forces: contacts(0, [[0.1, "force", 7], [0.2, "force", 8], [0.3, "force", 9]]),
    } as Motion;
    expect(forcesAt(motion, 0.1, 9).map((m) => m.size)).toEqual([7]);
    expect(forcesAt(motion, 0.16, 9)).toEqual([]);
    expect(forcesAt(motion, 0.28, 9).map((m) => [m.size, m.isForce])).toEqual([[9, true]]);
    expect(forcesAt(motion, 0.4, 9)).toEqual([]);
  });
});

describe("colours", () => {
  const motion = (bodies: string[], plots: string[][]) =>
    ({ scene: { bodies: bodies.map((name) => ({ name, kind: "rigid" })), surfaces: [] }, plots: plots.map((names) => ({ series: names.map((name) => ({ name })) })) }) as unknown as Motion;
  it("stay with a body and a channel in all runs and plots", () => {
    const channels = new Channels([motion(["ball", "box"], [["x", "thrust", "fuel"], ["fuel", "drag", "box"]]), motion(["box"], [["fuel", "thrust"]])]);
    const colour = (name: string) => channels.colour(name, false);
    expect(channels.body("box")).toBe("#e6a23c");
    expect(colour("box")).toBe(channels.body("box"));
    expect(colour("x")).toBe("#d94848");
    expect([colour("thrust"), colour("fuel"), colour("drag")]).toEqual(["#0072b2", "#d55e00", "#009e73"]);
    expect(channels.colour("thrust", true)).not.toBe(colour("thrust"));
  });
});

describe("limits and links", () => {
  it("span the range of an angle", () => {
    const positions = fan(new Vector3(1, 0, 0), new Vector3(0, 0, 1), Math.PI / 2).getAttribute("position");
    const last = positions.count - 1;
    expect(positions.getX(last)).toBeCloseTo(0);
    expect(positions.getY(last)).toBeCloseTo(1);
  });
  it("carry a camera in an address", () => {
    expect(cameraOf("#t=1&view=1,2,3,4,5,6")).toEqual([1, 2, 3, 4, 5, 6]);
    expect(["#t=1", "#view=1,2", "#view=a,2,3,4,5,6"].map(cameraOf)).toEqual([null, null, null]);
  });
});
