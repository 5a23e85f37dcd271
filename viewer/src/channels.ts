// One colour for one thing: a body keeps its colour in space and in curves, a channel in all plots.
// Figures and glTF files follow the same rules (`report/colours.rs`).

import type { Motion } from "./payload";

/** Colours that people with colour blindness can tell apart (Okabe and Ito), softened for surfaces. */
export const BODY_COLOURS = ["#4a90c4", "#e6a23c", "#3aa687", "#cf86b3", "#7cc4ec", "#d9713a", "#c9bd45", "#8d83c9"];
export const STATIC_COLOUR = "#9a9a9a";
const CURVES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56a0d3", "#7a5fb5", "#8b5a2b"];
/** The same, on a dark page. */
const CURVES_DARK = ["#58a6e8", "#f08a4b", "#3fc79a", "#e39cc5", "#e0b54a", "#8cc8f0", "#ab95e6", "#c99f75"];
/** Red, green and blue of the directors d1, d2, d3, and of the axes x, y, z. */
export const AXIS_COLOURS = ["#d94848", "#3fa34d", "#3f6fd9"];
const AXIS_COLOURS_DARK = ["#f07070", "#62c370", "#7fa2f5"];

interface Pair {
  light: string;
  dark: string;
}

const curve = (k: number): Pair => ({ light: CURVES[k], dark: CURVES_DARK[k] });
const axis = (k: number): Pair => ({ light: AXIS_COLOURS[k], dark: AXIS_COLOURS_DARK[k] });
/** Channels that look the same in every report. */
const KNOWN: [string, Pair][] = [
  ["x", axis(0)],
  ["y", axis(1)],
  ["z", axis(2)],
  ["total", curve(0)],
  ["kinetic", curve(1)],
  ["potential", curve(2)],
];

/** Colour of the body at a place in the list: its own, if the scenario gives it one. */
function bodyColour(index: number, kind: string, own?: string | null): string {
  if (own && /^#[0-9a-f]{6}$/i.test(own)) return own;
  return kind === "static" ? STATIC_COLOUR : BODY_COLOURS[index % BODY_COLOURS.length];
}

export class Channels {
  private readonly bodies = new Map<string, string>();
  private readonly names = new Map<string, Pair>();

  constructor(motions: Motion[]) {
    for (const { scene } of motions) {
      const { bodies, surfaces } = scene;
      bodies.forEach((body, k) => this.addBody(body.name, bodyColour(k, body.kind, body.color)));
      surfaces.forEach((surface, k) => this.addBody(surface.name, bodyColour(bodies.length + k, "elastic", surface.color)));
    }
    for (const [name, pair] of KNOWN) this.names.set(name, pair);
    // The others: of those that the plot has not used yet, the one used least.
    const used = CURVES.map(() => 0);
    for (const plot of motions.flatMap((motion) => motion.plots)) {
      const taken = new Set(plot.series.flatMap(({ name }) => this.names.get(name)?.light ?? []));
      for (const { name } of plot.series) {
        if (this.names.has(name)) continue;
        const cost = (k: number) => (taken.has(CURVES[k]) ? 1e6 : 0) + used[k];
        let best = 0;
        for (let k = 1; k < CURVES.length; k++) if (cost(k) < cost(best)) best = k;
        used[best]++;
        taken.add(CURVES[best]);
        this.names.set(name, curve(best));
      }
    }
  }

  /** The first run that has a body says its colour. */
  private addBody(name: string, colour: string): void {
    if (this.bodies.has(name)) return;
    this.bodies.set(name, colour);
    this.names.set(name, { light: colour, dark: colour });
  }

  body(name: string): string {
    return this.bodies.get(name) ?? STATIC_COLOUR;
  }

  /** The colour of a curve. */
  colour(name: string, dark: boolean): string {
    const pair = this.names.get(name) ?? curve(0);
    return dark ? pair.dark : pair.light;
  }
}
