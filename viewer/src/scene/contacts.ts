// Contact points around the present time, with arrows of the impulses on both bodies.

import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3, Matrix4 } from "three";
import type { Contacts } from "../payload";
import { firstAfter } from "../poses";
import { CONTACT_COLOURS } from "./colours";
import { instances, placeBall, placeRod } from "./instances";

/** Most contacts shown at once. */
const MOST = 64;
const UP = new Vector3(0, 1, 0);

export class ContactMarks {
  readonly group = new Group();
  private readonly balls: InstancedMesh;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  /** Length of an arrow per N s. */
  private readonly factor: number;
  arrows = true;

  constructor(
    private readonly contacts: Contacts,
    private readonly radius: number,
  ) {
    // Where faces meet, the contact lies inside: it shows through.
    const material = () => new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 });
    this.balls = instances(new SphereGeometry(1, 12, 8), material(), MOST);
    this.shafts = instances(new CylinderGeometry(1, 1, 1, 8), material(), 2 * MOST);
    this.heads = instances(new ConeGeometry(1, 1, 12), material(), 2 * MOST);
    for (const mesh of [this.shafts, this.heads, this.balls]) {
      mesh.renderOrder = 4;
      this.group.add(mesh);
    }
    const sizes: number[] = [];
    for (let k = 0; k < contacts.count; k++) sizes.push(Math.hypot(...contacts.impulse.subarray(3 * k, 3 * k + 3)));
    sizes.sort((a, b) => a - b);
    // Nearly all arrows fit; the few strongest may stick out.
    const typical = sizes[Math.floor(0.95 * (sizes.length - 1))] ?? 0;
    this.factor = typical > 0 ? (0.4 * radius) / typical : 0;
  }

  /** Shows the contacts from `from` to `to`. */
  show(from: number, to: number): void {
    const { contacts, radius } = this;
    // Of many, the latest.
    const end = firstAfter(contacts.time, to);
    let k = Math.max(firstAfter(contacts.time, from - 1e-12 * Math.max(1, Math.abs(from))), end - MOST);
    const point = new Vector3();
    const tip = new Vector3();
    const impulse = new Vector3();
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const colour = new Color();
    let balls = 0;
    let arrows = 0;
    for (; k < end; k++) {
      point.fromArray(contacts.point, 3 * k);
      colour.set(CONTACT_COLOURS[contacts.words[contacts.kind[k]]] ?? "#e0245e");
      placeBall(this.balls, balls, point, 0.016 * radius);
      this.balls.setColorAt(balls++, colour);
      impulse.fromArray(contacts.impulse, 3 * k);
      const length = Math.min(impulse.length() * this.factor, 0.8 * radius);
      if (!this.arrows || length < 0.02 * radius) continue;
      for (const sign of [1, -1]) {
        const along = impulse.clone().normalize().multiplyScalar(sign);
        tip.copy(point).addScaledVector(along, length);
        placeRod(this.shafts, arrows, point, tip, 0.005 * radius);
        turn.setFromUnitVectors(UP, along);
        const head = 0.045 * radius;
        this.heads.setMatrixAt(arrows, matrix.compose(tip, turn, new Vector3(0.4 * head, head, 0.4 * head)));
        this.shafts.setColorAt(arrows, colour);
        this.heads.setColorAt(arrows++, colour);
      }
    }
    this.balls.count = balls;
    this.shafts.count = arrows;
    this.heads.count = arrows;
    for (const mesh of [this.balls, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}
