// Bodies: one draw call for all that share a shape, another for their edges.

import {
  Color,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { Channels } from "../channels";
import type { Motion } from "../payload";
import { edgeGeometry, reachOf, solidGeometry } from "./geometry";
import { instances, lineInstances, setColours } from "./instances";

interface Batch {
  bodies: number[];
  mesh: InstancedMesh;
  edges: LineSegments | null;
  material: MeshLambertMaterial;
  scales: number[];
  hasParts: boolean;
}

const matrix = new Matrix4();
const position = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();

export class Bodies {
  readonly group = new Group();
  /** Current position of every body, world coordinates. */
  readonly positions: Vector3[];
  readonly rotations: Quaternion[];
  /** How far each body reaches from its centre. */
  readonly reach: number[];
  readonly visible: boolean[];
  readonly colours: string[];
  private readonly batches: Batch[] = [];
  private readonly edgeMaterial = new LineBasicMaterial({ color: "#000000", transparent: true, opacity: 0.5 });
  private ghosts: InstancedMesh[] = [];
  private parts = false;

  constructor(
    private readonly motion: Motion,
    radius: number,
    channels: Channels,
  ) {
    const pointRadius = 0.02 * radius;
    const { bodies, shapes } = motion.scene;
    this.visible = bodies.map(() => true);
    this.colours = bodies.map((body) => channels.body(body.name));
    this.reach = bodies.map((body) => (body.shape === null ? body.radius || pointRadius : reachOf(shapes[body.shape])));
    this.positions = bodies.map((body) => (body.pose ? new Vector3(...body.pose.slice(0, 3)) : new Vector3()));
    this.rotations = bodies.map((body) => (body.pose ? new Quaternion(...body.pose.slice(3, 7)) : new Quaternion()));
    // Edges of small bodies would hide their colour.
    const sizes = this.reach.filter((_, k) => bodies[k].shape !== null).sort((a, b) => a - b);
    this.edgeMaterial.opacity = Math.min(0.6, Math.max(0.08, (6 * (sizes[sizes.length >> 1] ?? radius)) / radius));
    const byShape = new Map<number | null, number[]>();
    bodies.forEach((body, k) => byShape.set(body.shape, [...(byShape.get(body.shape) ?? []), k]));
    for (const [shape, members] of byShape) {
      const mesh = shape === null ? null : shapes[shape];
      const flat = mesh !== null && mesh.faces.length <= mesh.parts.length;
      const material = new MeshLambertMaterial({
        side: flat ? DoubleSide : FrontSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      });
      const few = members.length < 200;
      const geometry = mesh === null ? new SphereGeometry(1, few ? 24 : 12, few ? 16 : 8) : solidGeometry(mesh);
      const solid = instances(geometry, material, members.length);
      setColours(solid, members.map((k) => this.colours[k]));
      const edges = mesh === null ? null : lineInstances(edgeGeometry(mesh), this.edgeMaterial, solid);
      this.group.add(solid);
      if (edges) this.group.add(edges);
      const scales = members.map((k) => (shape === null ? this.reach[k] : 1));
      this.batches.push({ bodies: members, mesh: solid, edges, material, scales, hasParts: (mesh?.parts.length ?? 0) > 1 });
    }
  }

  /** Whether any body has more than one convex part. */
  get hasParts(): boolean {
    return this.batches.some((batch) => batch.hasParts);
  }

  /** Moves all bodies to poses of seven numbers per slot. */
  place(poses: Float32Array): void {
    this.motion.scene.bodies.forEach((body, k) => {
      if (body.slot === null) return;
      const at = 7 * body.slot;
      this.positions[k].fromArray(poses, at);
      this.rotations[k].fromArray(poses, at + 3);
    });
    for (const { bodies, mesh, scales } of this.batches) {
      bodies.forEach((body, k) => {
        const size = this.visible[body] ? scales[k] : 0;
        mesh.setMatrixAt(k, matrix.compose(this.positions[body], this.rotations[body], scale.set(size, size, size)));
      });
      mesh.instanceMatrix.needsUpdate = true;
      // Bounds for picking follow the motion.
      mesh.boundingSphere = null;
    }
  }

  /** Colours the convex parts, or the bodies. */
  showParts(on: boolean): void {
    if (on === this.parts) return;
    this.parts = on;
    for (const { material, mesh, bodies, hasParts } of this.batches) {
      if (!hasParts) continue;
      material.vertexColors = on;
      material.needsUpdate = true;
      setColours(mesh, bodies.map((k) => (on ? "#ffffff" : this.colours[k])));
    }
  }

  showBodies(on: boolean): void {
    for (const { mesh } of this.batches) mesh.visible = on;
  }

  showEdges(on: boolean): void {
    for (const { edges } of this.batches) if (edges) edges.visible = on;
  }

  setEdgeColour(colour: string): void {
    this.edgeMaterial.color = new Color(colour);
  }

  /** Images of the bodies at other times, or none. */
  showGhosts(images: Float32Array[]): void {
    for (const ghost of this.ghosts) {
      this.group.remove(ghost);
      (ghost.material as MeshLambertMaterial).dispose();
      ghost.dispose();
    }
    this.ghosts = [];
    if (images.length === 0) return;
    for (const batch of this.batches) {
      const moving = batch.bodies.filter((k) => this.motion.scene.bodies[k].slot !== null && this.visible[k]);
      const material = new MeshLambertMaterial({
        transparent: true,
        opacity: 0.22,
        depthWrite: false,
        side: batch.material.side,
      });
      const ghost = instances(batch.mesh.geometry, material, moving.length * images.length);
      const colours: string[] = [];
      let n = 0;
      for (const image of images) {
        for (const k of moving) {
          const at = 7 * this.motion.scene.bodies[k].slot!;
          const size = batch.scales[batch.bodies.indexOf(k)];
          position.fromArray(image, at);
          turn.fromArray(image, at + 3);
          ghost.setMatrixAt(n++, matrix.compose(position, turn, scale.set(size, size, size)));
          colours.push(this.colours[k]);
        }
      }
      setColours(ghost, colours);
      ghost.renderOrder = 1;
      this.ghosts.push(ghost);
      this.group.add(ghost);
    }
  }

  /** The solid copies with the bodies they show, for picking. */
  get pickable(): { mesh: InstancedMesh; bodies: number[] }[] {
    return this.batches;
  }
}
