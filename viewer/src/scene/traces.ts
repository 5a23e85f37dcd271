// Paths of the centres of bodies, and their directors.

import { BufferAttribute, BufferGeometry, Color, Float32BufferAttribute, Group, Line, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { AXIS_COLOURS } from "../channels";
import type { Motion } from "../payload";
import { frameAt } from "../poses";
import type { Bodies } from "./bodies";

/** Bodies with a path, at most. */
const MOST_PATHS = 60;
/** Points of all paths together, at most. */
const MOST_POINTS = 240_000;

export class Traces {
  readonly group = new Group();
  private readonly every: number;
  private readonly lines: { body: number; line: Line }[] = [];

  constructor(
    private readonly motion: Motion,
    private readonly bodies: Bodies,
  ) {
    const moving = motion.scene.bodies.flatMap((body, k) => (body.slot === null ? [] : [{ body: k, slot: body.slot }]));
    const chosen = moving.filter((_, k) => k % Math.ceil(moving.length / MOST_PATHS) === 0);
    const frames = motion.time.length;
    this.every = Math.max(1, Math.ceil((frames * chosen.length) / MOST_POINTS));
    for (const { body, slot } of chosen) {
      const points: number[] = [];
      for (let f = 0; f < frames; f += this.every) {
        const at = 3 * (f * motion.slots + slot);
        points.push(motion.position[at], motion.position[at + 1], motion.position[at + 2]);
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: bodies.colours[body] }));
      line.frustumCulled = false;
      this.lines.push({ body, line });
      this.group.add(line);
    }
  }

  /** Shows the paths up to a time. */
  update(t: number): void {
    const shown = Math.floor(frameAt(this.motion.time, t) / this.every) + 1;
    for (const { body, line } of this.lines) {
      line.geometry.setDrawRange(0, shown);
      line.visible = this.bodies.visible[body];
    }
  }
}

export class Directors {
  readonly group: LineSegments;
  private readonly rigid: number[];

  constructor(
    motion: Motion,
    private readonly bodies: Bodies,
  ) {
    this.rigid = motion.scene.bodies.flatMap((body, k) => (body.kind === "rigid" ? [k] : []));
    const geometry = new BufferGeometry();
    const count = 6 * this.rigid.length;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    const colours = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) new Color(AXIS_COLOURS[(k >> 1) % 3]).toArray(colours, 3 * k);
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.group = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.group.frustumCulled = false;
    this.group.renderOrder = 3;
  }

  update(): void {
    const positions = this.group.geometry.getAttribute("position") as BufferAttribute;
    const tip = new Vector3();
    let n = 0;
    for (const k of this.rigid) {
      const at = this.bodies.positions[k];
      const length = this.bodies.visible[k] ? 1.25 * this.bodies.reach[k] : 0;
      for (let axis = 0; axis < 3; axis++) {
        tip.set(0, 0, 0).setComponent(axis, length).applyQuaternion(this.bodies.rotations[k]).add(at);
        positions.setXYZ(n++, at.x, at.y, at.z);
        positions.setXYZ(n++, tip.x, tip.y, tip.z);
      }
    }
    positions.needsUpdate = true;
  }
}
