// What a report holds: the mirror image of `report/document.rs`, with arrays unpacked.

export type Vec3 = [number, number, number];
export type Verdict = "good" | "plain" | "note";

export interface Anchor {
  body: number | null;
  local: Vec3;
}

export interface Link {
  name: string;
  kind: string;
  a: Anchor;
  b: Anchor;
  axis: Vec3 | null;
  /** Of a lower limit of an angle: how far it is to the upper one about `axis`, rad. */
  sweep?: number | null;
}

export interface Body {
  name: string;
  kind: "rigid" | "particle" | "static" | "point";
  shape: number | null;
  stand_in: boolean;
  radius: number;
  slot: number | null;
  pose: number[] | null;
  mass: number | null;
  /** Colour that the scenario gives it. */
  color?: string | null;
}

export interface Mesh {
  vertices: Float32Array;
  /** Loops of vertex indices. */
  faces: number[][];
  /** Number of faces of each convex part. */
  parts: number[];
}

export interface Wall {
  name: string;
  normal: Vec3;
  point: Vec3;
}

/** The surface of an elastic body. */
export interface Surface {
  name: string;
  vertices: number;
  triangles: Uint32Array;
  /** Largest displacement, strain energy density and von Mises stress. */
  largest: number[];
  mass: number;
  color?: string | null;
}

export interface Scene {
  shapes: Mesh[];
  bodies: Body[];
  surfaces: Surface[];
  links: Link[];
  charges: { at: Anchor; amount: number }[];
  walls: Wall[];
  up: Vec3;
  view: Vec3;
  bounds: [Vec3, Vec3];
}

export interface Contacts {
  total: number;
  /** Length of a step in s; zero if unknown. */
  step: number;
  count: number;
  words: string[];
  time: Float64Array;
  kind: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
  feature_a: Uint32Array;
  feature_b: Uint32Array;
  point: Float32Array;
  normal: Float32Array;
  impulse: Float32Array;
  /** Size of each impulse, also where it has no direction in space. */
  strength: Float32Array;
  energy: Float32Array;
}

export interface Plot {
  title: string;
  unit: string;
  note: string;
  scale: "linear" | "steps" | "log";
  /** How large values would be if their parts did not cancel; zero if unknown. */
  size: number;
  /** What it is drawn over; empty for time in s. */
  axis: string;
  time: Float64Array;
  series: { name: string; values: Float64Array; bounds?: [number | null, number | null] | null }[];
}

export interface Motion {
  /** Report and motion, as shown above a view. */
  label: string;
  name: string;
  note: string;
  scene: Scene;
  recorded: number;
  slots: number;
  time: Float64Array;
  position: Float32Array;
  rotation: Int16Array;
  /** Vertices of all surfaces, frame by frame. */
  surfacePosition: Float32Array;
  /** What colours them, frame by frame, surface by surface, field by field. */
  surfaceValue: Int16Array;
  contacts: Contacts;
  /** Forces of contacts, means over the time up to a frame: `impulse` holds N. */
  forces: Contacts;
  plots: Plot[];
  /** Phases of a plan, where there are several. */
  phases: Phase[];
}

export interface Phase {
  name: string;
  span: [number, number];
}

/** Rows and columns for people. */
export interface Table {
  title: string;
  note: string;
  columns: string[];
  rows: string[][];
}

export interface Line {
  what: string;
  value: string;
  remark: string;
  /** What that means, for people who see it for the first time. */
  meaning?: string;
  verdict: Verdict;
}

export interface Report {
  format: number;
  title: string;
  name: string;
  source: string;
  status: string;
  error: string | null;
  verdict: [Verdict, string];
  facts: [string, string][];
  ledger: Line[];
  scenario: string;
  motions: Motion[];
  tables: Table[];
}

/** The version of the data this viewer reads. */
export const FORMAT = 1;

export function bytesOf(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes.buffer;
}

const f64 = (text: string) => new Float64Array(bytesOf(text));
const f32 = (text: string) => new Float32Array(bytesOf(text));
const u32 = (text: string) => new Uint32Array(bytesOf(text));
const i16 = (text: string) => new Int16Array(bytesOf(text));

/** Faces of the packed form: a count, then as many indices, again and again. */
export function unpackFaces(packed: Uint32Array): number[][] {
  const faces: number[][] = [];
  for (let at = 0; at < packed.length; at += 1 + packed[at]) {
    faces.push(Array.from(packed.subarray(at + 1, at + 1 + packed[at])));
  }
  return faces;
}

// The data comes from carom itself; only its version is doubted.
/* eslint-disable @typescript-eslint/no-explicit-any */
function contactsOf(raw: any): Contacts {
  const contacts: Contacts = {
    total: raw.total ?? 0,
    step: raw.step ?? 0,
    count: 0,
    words: raw.words ?? [],
    time: f64(raw.time ?? ""),
    kind: u32(raw.kind ?? ""),
    a: u32(raw.a ?? ""),
    b: u32(raw.b ?? ""),
    feature_a: u32(raw.feature_a ?? ""),
    feature_b: u32(raw.feature_b ?? ""),
    point: f32(raw.point ?? ""),
    normal: f32(raw.normal ?? ""),
    impulse: f32(raw.impulse ?? ""),
    strength: f32(raw.strength ?? ""),
    energy: f32(raw.energy ?? ""),
  };
  contacts.count = contacts.time.length;
  if (contacts.strength.length < contacts.count) {
    contacts.strength = Float32Array.from(contacts.time, (_, k) => Math.hypot(...contacts.impulse.subarray(3 * k, 3 * k + 3)));
  }
  return contacts;
}

function motionOf(raw: any, label: string): Motion {
  const scene: Scene = {
    ...raw.scene,
    shapes: raw.scene.shapes.map((shape: any) => ({
      vertices: f32(shape.vertices),
      faces: unpackFaces(u32(shape.faces)),
      parts: shape.parts,
    })),
    surfaces: (raw.scene.surfaces ?? []).map((surface: any) => ({ ...surface, triangles: u32(surface.triangles) })),
  };
  return {
    label,
    name: raw.name,
    note: raw.note,
    scene,
    recorded: raw.recorded,
    slots: scene.bodies.filter((body) => body.slot !== null).length,
    time: f64(raw.time),
    position: f32(raw.position),
    rotation: i16(raw.rotation),
    surfacePosition: f32(raw.surface_position ?? ""),
    surfaceValue: i16(raw.surface_value ?? ""),
    contacts: contactsOf(raw.contacts),
    forces: contactsOf(raw.forces ?? {}),
    phases: raw.phases ?? [],
    plots: raw.plots.map((plot: any) => ({
      ...plot,
      size: plot.size ?? 0,
      axis: plot.axis ?? "",
      time: f64(plot.time),
      series: plot.series.map((s: any) => ({ name: s.name, values: f64(s.values), bounds: s.bounds ?? null })),
    })),
  };
}

/** Reports from their JSON text. */
export function reportsOf(text: string): Report[] {
  const raw: any[] = JSON.parse(text);
  const several = raw.length > 1;
  return raw.map((report) => {
    if (report.format !== FORMAT) throw new Error(`this page reads format ${FORMAT}, the report has ${report.format}`);
    const motions = report.motions.map((motion: any) => {
      const names = [several || !motion.name ? report.name : "", motion.name].filter((name) => name !== "");
      return motionOf(motion, names.join(" · "));
    });
    return { ...report, motions, tables: report.tables ?? [] };
  });
}
