import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Mesh } from "../src/payload";
import { edgeGeometry, reachOf, solidGeometry } from "../src/scene/geometry";
import { tiles } from "../src/scene/stage";
import { clip, roundNumber } from "../src/scene/walls";

/** Two unit squares that share an edge: a flat roof and a wall. */
const mesh: Mesh = {
  vertices: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, -1, 0, 0, -1),
  faces: [[0, 1, 2, 3], [1, 0, 5, 4]],
  parts: [1, 1],
};

describe("shapes", () => {
  it("become triangles with outward normals", () => {
    const geometry = solidGeometry(mesh);
    expect(geometry.getAttribute("position").count).toBe(8);
    expect(geometry.getIndex()!.count).toBe(12);
    expect(Array.from(geometry.getAttribute("normal").array.slice(0, 3))).toEqual([0, 0, 1]);
    expect(Array.from(geometry.getAttribute("normal").array.slice(-3))).toEqual([0, -1, 0]);
  });
  it("have each edge once", () => {
    expect(edgeGeometry(mesh).getAttribute("position").count).toBe(2 * 7);
  });
  it("reach as far as their farthest vertex", () => {
    expect(reachOf(mesh)).toBeCloseTo(Math.SQRT2);
  });
  it("of points and segments have no triangles", () => {
    const wire: Mesh = { vertices: Float32Array.of(0, 0, 0, 1, 0, 0), faces: [[0, 1], [0]], parts: [1, 1] };
    expect(solidGeometry(wire).getAttribute("position").count).toBe(0);
    expect(edgeGeometry(wire).getAttribute("position").count).toBe(2);
  });
});

describe("walls", () => {
  it("are cut where another begins", () => {
    const square = [new Vector3(-1, -1, 0), new Vector3(1, -1, 0), new Vector3(1, 1, 0), new Vector3(-1, 1, 0)];
    const cut = clip(square, { normal: new Vector3(1, 0, 0), point: new Vector3(0.5, 0, 0) });
    expect(Math.min(...cut.map((p) => p.x))).toBeCloseTo(0.5);
    expect(clip(square, { normal: new Vector3(1, 0, 0), point: new Vector3(3, 0, 0) })).toEqual([]);
  });
  it("have a round grid", () => {
    expect([0.13, 0.24, 4.1, 80].map(roundNumber)).toEqual([0.1, 0.2, 5, 100]);
  });
});

describe("views", () => {
  it("lie beside each other in a wide box and below in a high one", () => {
    expect(tiles(2, 1000, 400).map((tile) => tile.x)).toEqual([0, 500]);
    expect(tiles(2, 400, 1000).map((tile) => tile.y)).toEqual([0, 500]);
  });
  it("fill the box without overlap", () => {
    for (let count = 1; count < 8; count++) {
      const all = tiles(count, 900, 600);
      expect(all.length).toBe(count);
      for (const t of all) {
        expect(t.x + t.width).toBeLessThanOrEqual(900.001);
        expect(t.y + t.height).toBeLessThanOrEqual(600.001);
      }
    }
  });
});
