// Many copies of one geometry in a single draw call, solid or as lines.

import {
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Material,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";

const UP = new Vector3(0, 1, 0);
const matrix = new Matrix4();
const turn = new Quaternion();
const middle = new Vector3();
const along = new Vector3();
const size = new Vector3();

/** Copies of a solid. */
export function instances(geometry: BufferGeometry, material: Material, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
  mesh.count = count;
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  // Copies move; their common bounds are not worth keeping.
  mesh.frustumCulled = false;
  return mesh;
}

/**
 * Copies of line segments that share the matrices of a solid. three.js draws any object in
 * instances that says it is an instanced mesh; it has no class for lines.
 */
export function lineInstances(geometry: BufferGeometry, material: LineBasicMaterial, solid: InstancedMesh): LineSegments {
  const lines = new LineSegments(geometry, material);
  Object.assign(lines, {
    isInstancedMesh: true,
    instanceMatrix: solid.instanceMatrix as InstancedBufferAttribute,
    instanceColor: null,
    morphTexture: null,
    count: solid.count,
  });
  lines.frustumCulled = false;
  return lines;
}

/** Colours of copies. */
export function setColours(mesh: InstancedMesh, colours: string[]): void {
  const colour = new Color();
  colours.forEach((name, k) => mesh.setColorAt(k, colour.set(name)));
  if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
}

/** Places a copy of a unit cylinder (radius 1, from -1/2 to 1/2 along y) between two points. */
export function placeRod(mesh: InstancedMesh, index: number, a: Vector3, b: Vector3, radius: number): void {
  along.subVectors(b, a);
  const length = along.length();
  if (length > 0) turn.setFromUnitVectors(UP, along.divideScalar(length));
  else turn.identity();
  middle.addVectors(a, b).multiplyScalar(0.5);
  mesh.setMatrixAt(index, matrix.compose(middle, turn, size.set(radius, length, radius)));
}

/** Places a copy of a unit sphere. */
export function placeBall(mesh: InstancedMesh, index: number, at: Vector3, radius: number): void {
  mesh.setMatrixAt(index, matrix.compose(at, turn.identity(), size.set(radius, radius, radius)));
}
