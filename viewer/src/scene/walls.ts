// Half-spaces as finite plates with a grid, cut where others end them; and a grid without walls.

import {
  BufferGeometry,
  Color,
  FrontSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from "three";
import type { Scene } from "../payload";

interface Plane {
  normal: Vector3;
  point: Vector3;
}

/** A round number near `value`: 1, 2 or 5 times a power of ten. */
export function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

/** The part of a convex loop on the free side of a plane. */
export function clip(loop: Vector3[], plane: Plane): Vector3[] {
  const height = (v: Vector3) => new Vector3().subVectors(v, plane.point).dot(plane.normal);
  const out: Vector3[] = [];
  loop.forEach((a, k) => {
    const b = loop[(k + 1) % loop.length];
    const [ha, hb] = [height(a), height(b)];
    if (ha >= 0) out.push(a);
    if (ha >= 0 !== hb >= 0) out.push(new Vector3().lerpVectors(a, b, ha / (ha - hb)));
  });
  return out;
}

/** Two unit vectors in a plane. */
function across(normal: Vector3): [Vector3, Vector3] {
  const seed = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const u = seed.addScaledVector(normal, -seed.dot(normal)).normalize();
  return [u, new Vector3().crossVectors(normal, u)];
}

export class Walls {
  readonly group = new Group();
  readonly grid = new Group();
  /** Distance of grid lines in m. */
  readonly spacing: number;
  private readonly plate = new MeshBasicMaterial({ transparent: true, opacity: 0.16, side: FrontSide, depthWrite: false });
  private readonly line = new LineBasicMaterial({ transparent: true, opacity: 0.35 });

  constructor(scene: Scene, centre: Vector3, radius: number) {
    this.spacing = roundNumber(radius / 5);
    const planes = scene.walls.map((wall) => ({
      normal: new Vector3(...wall.normal),
      point: new Vector3(...wall.point),
    }));
    planes.forEach((plane, k) => {
      const others = planes.filter((_, j) => j !== k);
      this.addPlate(plane, others, centre, 1.6 * radius, this.group, true);
    });
    if (planes.length === 0) {
      // A grid below everything, for a sense of place.
      const up = new Vector3(...scene.up);
      const corners = [0, 1].flatMap((i) => [0, 1].flatMap((j) => [0, 1].map((k) => new Vector3(scene.bounds[i][0], scene.bounds[j][1], scene.bounds[k][2]))));
      const lowest = Math.min(...corners.map((corner) => corner.dot(up)));
      const plane = { normal: up, point: up.clone().multiplyScalar(lowest - 0.02 * radius) };
      this.addPlate(plane, [], centre, 1.3 * radius, this.grid, false);
    }
  }

  private addPlate(plane: Plane, others: Plane[], centre: Vector3, half: number, group: Group, filled: boolean): void {
    const [u, v] = across(plane.normal);
    const middle = centre.clone().addScaledVector(plane.normal, plane.point.clone().sub(centre).dot(plane.normal));
    const at = (x: number, y: number) => middle.clone().addScaledVector(u, x).addScaledVector(v, y);
    let loop = [at(-half, -half), at(half, -half), at(half, half), at(-half, half)];
    for (const other of others) {
      if (Math.abs(other.normal.dot(plane.normal)) < 0.999) loop = clip(loop, other);
    }
    if (loop.length < 3) return;
    const positions: number[] = [];
    for (let k = 2; k < loop.length; k++) for (const p of [loop[0], loop[k - 1], loop[k]]) positions.push(p.x, p.y, p.z);
    if (filled) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
      group.add(new Mesh(geometry, this.plate));
    }
    const lines: number[] = [];
    const add = (a: Vector3, b: Vector3) => lines.push(a.x, a.y, a.z, b.x, b.y, b.z);
    loop.forEach((p, k) => add(p, loop[(k + 1) % loop.length]));
    for (const [along, other] of [[u, v], [v, u]] as const) {
      const offsets = loop.map((p) => p.dot(along));
      const first = Math.ceil(Math.min(...offsets) / this.spacing);
      const last = Math.floor(Math.max(...offsets) / this.spacing);
      for (let k = first; k <= last && last - first < 200; k++) {
        // Where the line k · spacing crosses the loop.
        const hits: Vector3[] = [];
        loop.forEach((a, i) => {
          const b = loop[(i + 1) % loop.length];
          const [da, db] = [a.dot(along) - k * this.spacing, b.dot(along) - k * this.spacing];
          if (da < 0 !== db < 0) hits.push(new Vector3().lerpVectors(a, b, da / (da - db)));
        });
        if (hits.length === 2 && hits[0].clone().sub(hits[1]).dot(other) !== 0) add(hits[0], hits[1]);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(lines, 3));
    const segments = new LineSegments(geometry, this.line);
    segments.userData.normal = plane.normal;
    segments.userData.point = plane.point;
    segments.userData.wall = filled;
    group.add(segments);
  }

  /** Hides the lines of walls that are seen from behind. */
  face(camera: Vector3): void {
    for (const child of this.group.children) {
      const { normal, point, wall } = child.userData;
      if (wall) child.visible = new Vector3().subVectors(camera, point).dot(normal) > 0;
    }
  }

  setColour(colour: string): void {
    this.plate.color = new Color(colour);
    this.line.color = new Color(colour);
  }
}
