import { describe, expect, it } from "vitest";
import { describe as describeContact } from "../src/contacts";
import { reportsOf, unpackFaces } from "../src/payload";

const pack = (array: { buffer: ArrayBufferLike }) => Buffer.from(array.buffer).toString("base64");

/** The smallest report there is. */
function report(name: string, format = 1) {
  const none = "";
  const contacts = {
    total: 1,
    words: ["impact", "<b>", "wall", "vertex", ""],
    time: pack(Float64Array.of(0.5)),
    kind: pack(Uint32Array.of(0)),
    a: pack(Uint32Array.of(1)),
    b: pack(Uint32Array.of(2)),
    feature_a: pack(Uint32Array.of(3)),
    feature_b: pack(Uint32Array.of(4)),
    point: pack(Float32Array.of(1, 2, 3)),
    normal: pack(Float32Array.of(0, 0, 1)),
    impulse: pack(Float32Array.of(0, 3, 4)),
    energy: pack(Float32Array.of(-1)),
  };
  const scene = { shapes: [], bodies: [], links: [], charges: [], walls: [], up: [0, 0, 1], view: [0, -1, 0], bounds: [[0, 0, 0], [1, 1, 1]] };
  const motion = { name: "", note: "", scene, recorded: 2, time: pack(Float64Array.of(0, 1)), position: none, rotation: none, contacts, plots: [] };
  return { format, title: "T", name, source: "", status: "done", error: null, verdict: ["good", "fine"], facts: [], ledger: [], scenario: "", motions: [motion] };
}

describe("reports", () => {
  it("are unpacked", () => {
    const [one] = reportsOf(JSON.stringify([report("a")]));
    expect(Array.from(one.motions[0].time)).toEqual([0, 1]);
    expect(one.motions[0].contacts.count).toBe(1);
    expect(one.motions[0].label).toBe("a");
  });
  it("of several runs are told apart by their names", () => {
    const two = reportsOf(JSON.stringify([report("a"), report("b")]));
    expect(two.map((r) => r.motions[0].label)).toEqual(["a", "b"]);
  });
  it("of another format are refused", () => {
    expect(() => reportsOf(JSON.stringify([report("a", 2)]))).toThrow(/format/);
  });
  it("describe their contacts in words", () => {
    const [one] = reportsOf(JSON.stringify([report("a")]));
    expect(describeContact(one.motions[0].contacts, 0)).toEqual({ kind: "impact", pair: "<b> – wall", features: "vertex", impulse: 5, unit: "N s", energy: -1 });
  });
});

describe("faces", () => {
  it("are loops one after the other", () => {
    expect(unpackFaces(Uint32Array.of(3, 0, 1, 2, 2, 4, 5, 1, 7))).toEqual([[0, 1, 2], [4, 5], [7]]);
    expect(unpackFaces(new Uint32Array())).toEqual([]);
  });
});
