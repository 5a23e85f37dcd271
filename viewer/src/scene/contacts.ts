// Contact points around the present time, with arrows of the impulses and forces on both bodies.

import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3, Matrix4 } from "three";
import type { Motion } from "../payload";
import { forcesAt, marksBetween, type ArrowScale, type Mark } from "./arrows";
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
  scale: ArrowScale = { impulse: 0, force: 0 };
  arrows = true;
  /** What is marked now, and where. */
  shown: { mark: Mark; at: Vector3 }[] = [];

  constructor(
    private readonly motion: Motion,
    private readonly radius: number,
    /** Where a limit of that name is now. */
    private readonly limit: (name: string) => Vector3 | null,
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
  }

  /** Where an event was: in space, or at the limit of a joint. */
  private place({ event: k, recorded }: Mark): Vector3 {
    const { words, a, b, point } = recorded ? this.motion.forces : this.motion.contacts;
    return this.limit(`${words[a[k]]} ${words[b[k]]}`) ?? new Vector3().fromArray(point, 3 * k);
  }

  /** Shows the contacts from `from` to `to`. */
  show(from: number, to: number): void {
    const { motion, radius, scale } = this;
    const { contacts, forces } = motion;
    const tip = new Vector3();
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const colour = new Color();
    let arrows = 0;
    // What is recorded of forces says more than the moments at which they change.
    const told = marksBetween(contacts, from, to, MOST).filter((mark) => !mark.isForce || forces.count === 0);
    this.shown = [...told, ...forcesAt(motion, to, MOST - told.length)].map((mark) => ({ mark, at: this.place(mark) }));
    this.shown.forEach(({ mark, at }, k) => {
      const { words, kind } = mark.recorded ? forces : contacts;
      colour.set(CONTACT_COLOURS[words[kind[mark.event]]] ?? "#e0245e");
      placeBall(this.balls, k, at, 0.016 * radius);
      this.balls.setColorAt(k, colour);
      const vector = new Vector3(...mark.vector);
      const length = Math.min(vector.length() * (mark.isForce ? scale.force : scale.impulse), 0.8 * radius);
      if (!this.arrows || length < 0.02 * radius) return;
      for (const sign of [1, -1]) {
        const along = vector.clone().normalize().multiplyScalar(sign);
        tip.copy(at).addScaledVector(along, length);
        placeRod(this.shafts, arrows, at, tip, 0.005 * radius);
        turn.setFromUnitVectors(UP, along);
        const head = 0.045 * radius;
        this.heads.setMatrixAt(arrows, matrix.compose(tip, turn, new Vector3(0.4 * head, head, 0.4 * head)));
        this.shafts.setColorAt(arrows, colour);
        this.heads.setColorAt(arrows++, colour);
      }
    });
    this.balls.count = this.shown.length;
    this.shafts.count = arrows;
    this.heads.count = arrows;
    for (const mesh of [this.balls, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}
