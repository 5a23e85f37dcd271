// Shapes as triangles and edges.

import { BufferGeometry, Color, Float32BufferAttribute, Vector3 } from "three";
import type { Mesh } from "../payload";
import { PART_COLOURS } from "./colours";

/** Edges sharper than this (in radians) are drawn. */
const SHARP = 0.3;
/** A convex part of more faces is round, and its edges are sharp above this angle, rad. */
const ROUND = 32;
const SHARP_IF_ROUND = 0.6;

const corner = (mesh: Mesh, index: number) =>
  new Vector3(mesh.vertices[3 * index], mesh.vertices[3 * index + 1], mesh.vertices[3 * index + 2]);

function faceNormal(mesh: Mesh, face: number[]): Vector3 {
  // Newell's method: sound for any planar loop.
  const normal = new Vector3();
  for (let k = 0; k < face.length; k++) {
    const a = corner(mesh, face[k]);
    const b = corner(mesh, face[(k + 1) % face.length]);
    normal.x += (a.y - b.y) * (a.z + b.z);
    normal.y += (a.z - b.z) * (a.x + b.x);
    normal.z += (a.x - b.x) * (a.y + b.y);
  }
  return normal.normalize();
}

/** Whether each face belongs to a round part. */
function roundFaces(mesh: Mesh): boolean[] {
  const round = mesh.parts.flatMap((count) => Array<boolean>(count).fill(count > ROUND));
  return mesh.faces.map((_, k) => round[k] ?? mesh.faces.length > ROUND);
}

/**
 * Normals at the corners of every face: those of the face itself, and on round bodies those of the faces
 * around a corner that are hardly turned against it.
 */
function cornerNormals(mesh: Mesh): Vector3[][] {
  const flat = mesh.faces.map((face) => (face.length > 2 ? faceNormal(mesh, face) : new Vector3()));
  const round = roundFaces(mesh);
  if (!round.includes(true)) return mesh.faces.map((face, k) => face.map(() => flat[k]));
  const around = new Map<number, number[]>();
  mesh.faces.forEach((face, k) => {
    for (const index of face) around.set(index, [...(around.get(index) ?? []), k]);
  });
  return mesh.faces.map((face, k) =>
    face.map((index) => {
      if (!round[k]) return flat[k];
      const sum = new Vector3();
      for (const other of around.get(index)!) if (flat[other].angleTo(flat[k]) < SHARP_IF_ROUND) sum.add(flat[other]);
      return sum.lengthSq() > 0 ? sum.normalize() : flat[k];
    }),
  );
}

/** Triangles with normals, and a colour for each convex part. */
export function solidGeometry(mesh: Mesh): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const colours: number[] = [];
  const triangles: number[] = [];
  let part = 0;
  let left = mesh.parts[0] ?? 0;
  const around = cornerNormals(mesh);
  for (const [n, face] of mesh.faces.entries()) {
    while (left === 0 && part + 1 < mesh.parts.length) left = mesh.parts[++part];
    left--;
    if (face.length < 3) continue;
    const colour = new Color(PART_COLOURS[part % PART_COLOURS.length]);
    const first = positions.length / 3;
    for (const [k, index] of face.entries()) {
      const v = corner(mesh, index);
      const normal = around[n][k];
      positions.push(v.x, v.y, v.z);
      normals.push(normal.x, normal.y, normal.z);
      colours.push(colour.r, colour.g, colour.b);
    }
    for (let k = 2; k < face.length; k++) triangles.push(first, first + k - 1, first + k);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  geometry.setIndex(triangles);
  return geometry;
}

/** Sharp edges as pairs of points; segments and the rims of polygons count as edges. */
export function edgeGeometry(mesh: Mesh): BufferGeometry {
  // Facets of round bodies are no edges.
  const round = roundFaces(mesh);
  const limits = new Map<string, number>();
  const seen = new Map<string, Vector3[]>();
  const ends = new Map<string, [number, number]>();
  for (const [n, face] of mesh.faces.entries()) {
    if (face.length < 2) continue;
    const normal = face.length > 2 ? faceNormal(mesh, face) : new Vector3();
    for (let k = 0; k < face.length; k++) {
      const [a, b] = [face[k], face[(k + 1) % face.length]];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      ends.set(key, [a, b]);
      limits.set(key, round[n] ? SHARP_IF_ROUND : SHARP);
      seen.set(key, [...(seen.get(key) ?? []), normal]);
    }
  }
  const positions: number[] = [];
  for (const [key, normals] of seen) {
    const flat = normals.length === 2 && normals[0].angleTo(normals[1]) < limits.get(key)! && normals[0].lengthSq() > 0;
    if (flat) continue;
    for (const index of ends.get(key)!) {
      const v = corner(mesh, index);
      positions.push(v.x, v.y, v.z);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  return geometry;
}

/** How far a shape reaches from its origin. */
export function reachOf(mesh: Mesh): number {
  let most = 0;
  for (let k = 0; k + 2 < mesh.vertices.length; k += 3) {
    most = Math.max(most, Math.hypot(mesh.vertices[k], mesh.vertices[k + 1], mesh.vertices[k + 2]));
  }
  return most;
}
