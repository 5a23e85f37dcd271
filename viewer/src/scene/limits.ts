// Limits of joints where they act: rays with the range between them, stops across rails.

import { BufferGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group, InstancedMesh, Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { Anchor, Link } from "../payload";
import { LIMIT_COLOUR } from "./colours";
import { instances, placeRod } from "./instances";

/** The range reaches so far along its rays. */
const SHARE = 0.75;

/** The part of a disc from a ray about an axis, at the origin. */
export function fan(ray: Vector3, axis: Vector3, sweep: number): BufferGeometry {
  const parts = Math.max(2, Math.ceil(Math.abs(sweep) / 0.1));
  const positions: number[] = [];
  const at = (k: number) => ray.clone().applyAxisAngle(axis, (sweep * k) / parts);
  for (let k = 0; k < parts; k++) {
    const [a, b] = [at(k), at(k + 1)];
    positions.push(0, 0, 0, a.x, a.y, a.z, b.x, b.y, b.z);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  return geometry;
}

export class Limits {
  readonly group = new Group();
  private readonly links: Link[];
  private readonly rods: InstancedMesh;
  private readonly fans: { link: Link; mesh: Mesh }[] = [];
  private readonly a = new Vector3();
  private readonly b = new Vector3();

  constructor(
    links: Link[],
    private readonly size: number,
    private readonly point: (anchor: Anchor, out: Vector3) => Vector3,
    private readonly turn: (body: number) => Quaternion,
  ) {
    this.links = links.filter((link) => link.kind === "limit");
    this.rods = instances(new CylinderGeometry(1, 1, 1, 8), new MeshLambertMaterial({ color: LIMIT_COLOUR }), this.links.length);
    this.group.add(this.rods);
    const material = new MeshBasicMaterial({ color: LIMIT_COLOUR, transparent: true, opacity: 0.12, side: DoubleSide, depthWrite: false });
    for (const link of this.links) {
      if (!link.axis || !link.sweep) continue;
      const ray = new Vector3(...link.b.local).sub(new Vector3(...link.a.local)).multiplyScalar(SHARE);
      const mesh = new Mesh(fan(ray, new Vector3(...link.axis).normalize(), link.sweep), material);
      mesh.frustumCulled = false;
      this.fans.push({ link, mesh });
      this.group.add(mesh);
    }
  }

  /** Where the limit of a name is now; null if there is none. */
  at(name: string): Vector3 | null {
    const link = this.links.find((other) => other.name === name);
    if (!link) return null;
    return this.point(link.a, new Vector3()).lerp(this.point(link.b, new Vector3()), 0.5);
  }

  /** Follows the bodies. */
  update(): void {
    this.links.forEach((link, k) => placeRod(this.rods, k, this.point(link.a, this.a), this.point(link.b, this.b), 0.3 * this.size));
    this.rods.instanceMatrix.needsUpdate = true;
    for (const { link, mesh } of this.fans) {
      this.point(link.a, mesh.position);
      if (link.a.body === null) mesh.quaternion.identity();
      else mesh.quaternion.copy(this.turn(link.a.body));
    }
  }
}
