// Joints, rods, springs and charges.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  MeshLambertMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { Anchor, Link, Scene } from "../payload";
import type { Bodies } from "./bodies";
import { instances, placeBall, placeRod, setColours } from "./instances";
import { Limits } from "./limits";

const RODS = ["rod", "arm", "rail", "slide", "prismatic", "cylindrical"];
/** Against the usual thickness. */
const THIN: Record<string, number> = { rail: 0.35, slide: 0.35 };
const WINDINGS = 12;
/** Half the length of a drawn axis, against the usual thickness. */
const PIN = 3;
const JOINT_COLOURS: Record<string, string> = {
  revolute: "#b5651d",
  spherical: "#6a4fb0",
  prismatic: "#2f7f7f",
  cylindrical: "#2f7f7f",
  fixed: "#555555",
  planar: "#7f7f2f",
};

export class Links {
  readonly group = new Group();
  private readonly rods: InstancedMesh;
  private readonly rodLinks: Link[];
  private readonly joints: InstancedMesh;
  private readonly jointLinks: Link[];
  private readonly springs: LineSegments;
  private readonly springLinks: Link[];
  /** Axes of joints that turn or slide along one. */
  private readonly pins: InstancedMesh;
  private readonly pinLinks: Link[];
  private readonly charges: InstancedMesh;
  readonly limits: Limits;
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly c = new Vector3();

  constructor(
    private readonly scene: Scene,
    private readonly bodies: Bodies,
    private readonly size: number,
  ) {
    const grey = () => new MeshLambertMaterial();
    this.rodLinks = scene.links.filter((link) => RODS.includes(link.kind));
    this.rods = instances(new CylinderGeometry(1, 1, 1, 12), new MeshLambertMaterial({ color: "#8a8f98" }), this.rodLinks.length);
    // A guide in the world has no place of its own.
    const guide = (link: Link) => (link.kind === "prismatic" || link.kind === "cylindrical") && link.a.body === null;
    this.jointLinks = scene.links.filter((link) => link.kind in JOINT_COLOURS && !guide(link));
    this.joints = instances(new SphereGeometry(1, 16, 12), grey(), this.jointLinks.length);
    setColours(this.joints, this.jointLinks.map((link) => JOINT_COLOURS[link.kind]));
    this.pinLinks = this.jointLinks.filter((link) => link.axis !== null);
    this.pins = instances(new CylinderGeometry(1, 1, 1, 12), grey(), this.pinLinks.length);
    setColours(this.pins, this.pinLinks.map((link) => JOINT_COLOURS[link.kind]));
    this.limits = new Limits(scene.links, size, (anchor, out) => this.point(anchor, out), (body) => bodies.rotations[body]);
    this.springLinks = scene.links.filter((link) => link.kind === "spring" || link.kind === "damper");
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.springLinks.length * WINDINGS * 6), 3));
    this.springs = new LineSegments(geometry, new LineBasicMaterial({ color: "#3aa687" }));
    this.springs.frustumCulled = false;
    this.charges = instances(new SphereGeometry(1, 10, 8), grey(), scene.charges.length);
    setColours(this.charges, scene.charges.map((charge) => (charge.amount >= 0 ? "#d93a3a" : "#2f5fd0")));
    this.group.add(this.rods, this.joints, this.pins, this.springs, this.charges, this.limits.group);
  }

  /** Whether there is anything to show. */
  get any(): boolean {
    return this.scene.links.length > 0 || this.scene.charges.length > 0;
  }

  private point(anchor: Anchor, out: Vector3): Vector3 {
    out.fromArray(anchor.local);
    if (anchor.body === null) return out;
    return out.applyQuaternion(this.bodies.rotations[anchor.body]).add(this.bodies.positions[anchor.body]);
  }

  /** Follows the bodies. */
  update(): void {
    const { a, b, size } = this;
    this.rodLinks.forEach((link, k) => {
      placeRod(this.rods, k, this.point(link.a, a), this.point(link.b, b), (THIN[link.kind] ?? 0.6) * size);
    });
    this.jointLinks.forEach((link, k) => placeBall(this.joints, k, this.point(link.b, a), 1.1 * size));
    this.scene.charges.forEach((charge, k) => placeBall(this.charges, k, this.point(charge.at, a), 1.1 * size));
    this.pinLinks.forEach((link, k) => {
      this.point(link.b, a);
      this.c.fromArray(link.axis!).normalize();
      if (link.a.body !== null) this.c.applyQuaternion(this.bodies.rotations[link.a.body]);
      placeRod(this.pins, k, b.copy(a).addScaledVector(this.c, -PIN * size), a.addScaledVector(this.c, PIN * size), 0.55 * size);
    });
    for (const mesh of [this.rods, this.joints, this.pins, this.charges]) mesh.instanceMatrix.needsUpdate = true;
    this.limits.update();
    this.updateSprings();
  }

  /** Springs as zigzags, dampers as straight lines. */
  private updateSprings(): void {
    const { a, b, c } = this;
    const positions = this.springs.geometry.getAttribute("position") as BufferAttribute;
    let n = 0;
    for (const link of this.springLinks) {
      this.point(link.a, a);
      this.point(link.b, b);
      const across = new Vector3().subVectors(b, a).cross(new Vector3(0.31, 0.53, 0.79)).setLength(link.kind === "spring" ? 1.6 * this.size : 0);
      const before = a.clone();
      for (let k = 1; k <= WINDINGS; k++) {
        const sign = k === WINDINGS ? 0 : k % 2 === 0 ? 1 : -1;
        c.lerpVectors(a, b, k / WINDINGS).addScaledVector(across, sign);
        positions.setXYZ(n++, before.x, before.y, before.z);
        positions.setXYZ(n++, c.x, c.y, c.z);
        before.copy(c);
      }
    }
    positions.needsUpdate = true;
  }

  setLineColour(colour: string): void {
    (this.springs.material as LineBasicMaterial).color = new Color(colour);
  }
}
