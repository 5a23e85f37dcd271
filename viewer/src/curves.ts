// Curves of several motions on common axes: what belongs together, what comes first, which values.

import type { Motion, Plot } from "./payload";
import { frameAt } from "./poses";

/** Dashes tell the motions of a comparison apart, and nothing else. */
export const DASHES: number[][] = [[], [8, 5], [2, 3], [10, 4, 2, 4], [16, 5], [5, 2], [14, 4, 2, 4, 2, 4], [1, 6]];
/** Bounds farther away than this many spans of the curves are named, not drawn. */
const FAR = 8;

/** A curve of one of the motions. */
export interface Curve {
  name: string;
  /** What it shows, whichever motion it is of. */
  channel: string;
  dash: number[];
  time: Float64Array;
  values: Float64Array;
  bounds: [number | null, number | null] | null;
}

/** Curves with the same title in all motions. */
export interface Merged {
  plot: Plot;
  curves: Curve[];
  note: string;
  /** The largest size of all. */
  size: number;
}

/** Puts the plots of all motions together: same title, same axes. */
export function merge(motions: Motion[]): Merged[] {
  const merged: Merged[] = [];
  motions.forEach((motion, m) => {
    for (const plot of motion.plots) {
      let target = merged.find((other) => other.plot.title === plot.title);
      if (!target) merged.push((target = { plot, curves: [], note: plot.note, size: 0 }));
      target.size = Math.max(target.size, plot.size);
      for (const series of plot.series) {
        target.curves.push({
          name: motions.length > 1 ? `${series.name} · ${motion.label}` : series.name,
          channel: series.name,
          dash: DASHES[m % DASHES.length],
          time: plot.time,
          values: series.values,
          bounds: series.bounds ?? null,
        });
      }
    }
  });
  return merged;
}

/** What people look for comes first, what only says how well it was computed last. */
const ORDER = ["Controls", "Joint", "Energy", "Gaps", "", "Linear momentum", "Angular momentum", "Convergence", "Residuals", "Time step"];

function rank(title: string): number {
  const found = ORDER.findIndex((word) => word !== "" && title.startsWith(word));
  return found < 0 ? ORDER.indexOf("") : found;
}

/** In the order to look at them. */
export function ordered(all: Merged[]): Merged[] {
  return [...all].sort((a, b) => rank(a.plot.title) - rank(b.plot.title));
}

/** Values as drawn: sizes by their decimal logarithm, what is no number as a gap. */
export function drawn(values: Float64Array, scale: Plot["scale"]): (number | null)[] {
  return Array.from(values, (v) => {
    if (!Number.isFinite(v)) return null;
    if (scale !== "log") return v;
    return v === 0 ? null : Math.log10(Math.abs(v));
  });
}

/** Room around the values; round-off, also of parts of size `whole` that cancel, must not look like motion. */
export function paddedRange(low: number, high: number, whole = 0): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (whole > 0 && size <= 1e-9 * whole) return [-whole, whole];
  if (size === 0) return [-1, 1];
  if (high - low <= 1e-9 * size) return [low - 0.1 * size, high + 0.1 * size];
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

/** Bounds of all curves, each once, with the channels they hold for. */
export function boundsOf(curves: Curve[]): { value: number; channels: string[] }[] {
  const found = new Map<number, Set<string>>();
  for (const { bounds, channel } of curves) {
    for (const value of bounds ?? []) {
      if (value === null || !Number.isFinite(value)) continue;
      found.set(value, (found.get(value) ?? new Set()).add(channel));
    }
  }
  return [...found].map(([value, channels]) => ({ value, channels: [...channels] }));
}

/** A range with those bounds in it that would not flatten the curves. */
export function withBounds(low: number, high: number, bounds: number[]): [number, number] {
  // A constant counts by its size.
  const span = high - low || Math.max(Math.abs(low), Math.abs(high)) || Infinity;
  const near = bounds.filter((b) => Math.max(low - b, b - high) <= FAR * span);
  return [Math.min(low, ...near), Math.max(high, ...near)];
}

/** The value of a curve at a time, between its points. */
export function valueAt(curve: { time: Float64Array; values: Float64Array }, t: number, steps: boolean): number {
  const { time, values } = curve;
  const last = time.length - 1;
  // Sums of the same steps differ in their last digits.
  const close = last > 0 ? 1e-9 * (time[last] - time[0]) : 0;
  if (last < 0 || t < time[0] - close || t > time[last] + close) return NaN;
  const k = frameAt(time, t);
  const next = Math.min(k + 1, last);
  const span = time[next] - time[k];
  if (steps || span <= 0) return values[k];
  return values[k] + (Math.max(t - time[k], 0) / span) * (values[next] - values[k]);
}

/** Whether no curve of a plot says anything over time: all of them stay where they are, but for round-off. */
export function isConstant(merged: Merged): boolean {
  return merged.curves.every(({ values }) => {
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
    return !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high), merged.size));
  });
}

/** Sizes below this are round-off. */
const ROUND_OFF = 1e-12;

/** Whether a plot can be folded away: it is constant, or shows over time nothing but round-off. */
export function saysNothing(merged: Merged): boolean {
  const { scale, axis } = merged.plot;
  return isConstant(merged) || (scale === "log" && axis === "" && merged.curves.every(({ values }) => values.every((v) => !(Math.abs(v) > ROUND_OFF))));
}
