// Surfaces of elastic bodies: triangles that move vertex by vertex, coloured by what they feel.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, type Raycaster } from "three";
import type { Channels } from "../channels";
import { readable } from "../format";
import type { Motion } from "../payload";
import { frameAt } from "../poses";

/** What a surface can be coloured by. */
export const VALUES = [
  { key: "displacement", text: "displacement", unit: "m" },
  { key: "energy", text: "strain energy density", unit: "J/m³" },
  { key: "stress", text: "von Mises stress", unit: "Pa" },
] as const;

/** "" for the colour of the body. */
export type Value = "" | (typeof VALUES)[number]["key"];

/** Blue over green to yellow, for parts from 0 to 1: light enough everywhere to see edges on it. */
const STOPS = ["#5560c8", "#3392bd", "#45bf85", "#fde725"].map((c) => new Color(c));

/** The colour of a part of the scale. */
export function scaleColour(part: number, out: Color): Color {
  const at = Math.min(Math.max(part, 0), 1) * (STOPS.length - 1);
  const k = Math.min(Math.floor(at), STOPS.length - 2);
  return out.copy(STOPS[k]).lerp(STOPS[k + 1], at - k);
}

/** Faces lie a little behind their edges. */
const BEHIND_EDGES = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

interface Shown {
  mesh: Mesh;
  lit: MeshLambertMaterial;
  edges: LineSegments;
  geometry: BufferGeometry;
  name: string;
  vertices: number;
  /** First vertex among those of a frame. */
  first: number;
  largest: number[];
  colour: Color;
}

const colour = new Color();

export class Surfaces {
  readonly group = new Group();
  readonly any: boolean;
  readonly visible: boolean[];
  private readonly shown: Shown[] = [];
  private readonly total: number;
  /** Values are drawn without light and shade, so that colours are those of the scale. */
  private readonly plain = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, ...BEHIND_EDGES });
  private readonly lines = new LineBasicMaterial({ color: "#000000", transparent: true, opacity: 0.25 });
  private last = "";
  private frame = 0;

  constructor(
    private readonly motion: Motion,
    channels: Channels,
  ) {
    const { surfaces } = motion.scene;
    let first = 0;
    surfaces.forEach((surface) => {
      const geometry = new BufferGeometry();
      const positions = new BufferAttribute(new Float32Array(3 * surface.vertices), 3);
      geometry.setAttribute("position", positions);
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * surface.vertices), 3));
      geometry.setIndex(new BufferAttribute(surface.triangles, 1));
      const material = new MeshLambertMaterial({
        vertexColors: true,
        side: DoubleSide,
        flatShading: true,
        ...BEHIND_EDGES,
      });
      const mesh = new Mesh(geometry, material);
      const outline = new BufferGeometry();
      outline.setAttribute("position", positions);
      outline.setIndex(new BufferAttribute(edgesOf(surface.triangles), 1));
      const edges = new LineSegments(outline, this.lines);
      // Bounds change with every frame.
      mesh.frustumCulled = edges.frustumCulled = false;
      this.group.add(mesh, edges);
      this.shown.push({
        mesh,
        lit: material,
        edges,
        geometry,
        name: surface.name,
        vertices: surface.vertices,
        first,
        largest: surface.largest,
        colour: new Color(channels.body(surface.name)),
      });
      first += surface.vertices;
    });
    this.total = first;
    this.visible = surfaces.map(() => true);
    this.any = first > 0;
  }

  /** The largest value of all surfaces: the upper end of the scale. */
  largest(value: Value): number {
    const k = VALUES.findIndex(({ key }) => key === value);
    return k < 0 ? 0 : Math.max(0, ...this.shown.map(({ largest }) => largest[k]));
  }

  /** Brings all surfaces to a time. */
  place(t: number, value: Value): void {
    const { time, surfacePosition, surfaceValue } = this.motion;
    if (!this.any || time.length === 0) return;
    const k = frameAt(time, t);
    const next = Math.min(k + 1, time.length - 1);
    const span = time[next] - time[k];
    const s = span > 0 ? Math.min(Math.max((t - time[k]) / span, 0), 1) : 0;
    const now = `${k} ${s} ${value}`;
    if (now === this.last) return;
    this.last = now;
    this.frame = k;
    const which = VALUES.findIndex(({ key }) => key === value);
    const top = this.largest(value) || 1;
    for (const { mesh, lit, geometry, vertices, first, largest, colour: own } of this.shown) {
      mesh.material = which < 0 ? lit : this.plain;
      const positions = geometry.getAttribute("position") as BufferAttribute;
      const colours = geometry.getAttribute("color") as BufferAttribute;
      const [x, c] = [positions.array as Float32Array, colours.array as Float32Array];
      const [a, b] = [k, next].map((frame) => 3 * (frame * this.total + first));
      for (let i = 0; i < 3 * vertices; i++) {
        x[i] = surfacePosition[a + i] + s * (surfacePosition[b + i] - surfacePosition[a + i]);
      }
      // Values of a frame stand field by field.
      const scale = which < 0 ? 0 : largest[which] / (32767 * top);
      const [u, v] = [a, b].map((at) => at + which * vertices);
      for (let i = 0; i < vertices; i++) {
        if (which < 0) colour.copy(own);
        else scaleColour(scale * ((1 - s) * surfaceValue[u + i] + s * surfaceValue[v + i]), colour);
        colour.toArray(c, 3 * i);
      }
      positions.needsUpdate = colours.needsUpdate = true;
    }
  }

  /** The surface that a ray meets first: its name, and the value it is coloured by there. */
  pick(ray: Raycaster, value: Value): { distance: number; name: string; value: string } | null {
    let best: { distance: number; name: string; value: string } | null = null;
    for (const { mesh, geometry, name, vertices, first, largest } of this.shown) {
      if (!mesh.visible) continue;
      geometry.computeBoundingSphere();
      const hit = ray.intersectObject(mesh)[0];
      if (!hit?.face || (best && best.distance < hit.distance)) continue;
      const which = VALUES.findIndex(({ key }) => key === value);
      let text = "";
      if (which >= 0) {
        const at = 3 * (this.frame * this.total + first) + which * vertices + hit.face.a;
        text = `${VALUES[which].text} ${readable((this.motion.surfaceValue[at] / 32767) * largest[which], 3)} ${VALUES[which].unit}`;
      }
      best = { distance: hit.distance, name, value: text };
    }
    return best;
  }

  show(bodies: boolean, edges: boolean): void {
    this.shown.forEach(({ mesh, edges: lines }, k) => {
      mesh.visible = bodies && this.visible[k];
      lines.visible = edges && this.visible[k];
    });
  }
}

/** Every edge of triangles once. */
export function edgesOf(triangles: Uint32Array): Uint32Array {
  const edges: number[] = [];
  const seen = new Set<number>();
  const most = triangles.reduce((m, k) => Math.max(m, k), 0) + 1;
  for (let at = 0; at + 2 < triangles.length; at += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[at + k], triangles[at + ((k + 1) % 3)]];
      const key = Math.min(a, b) * most + Math.max(a, b);
      if (!seen.has(key)) {
        seen.add(key);
        edges.push(a, b);
      }
    }
  }
  return new Uint32Array(edges);
}
