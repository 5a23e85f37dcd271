// Curves with a line at the present time; a click or drag goes there.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Clock } from "./clock";
import { button, element } from "./dom";
import { readable, tickLabels } from "./format";
import type { Motion, Plot } from "./payload";
import { frameAt } from "./poses";
import { CURVE_COLOURS, CURVE_COLOURS_DARK } from "./scene/colours";
import type { Theme } from "./theme";

const HEIGHT = 190;
/** Dashes that tell the motions of a comparison apart. */
const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** A curve of one of the motions. */
interface Curve {
  name: string;
  colour: number;
  dash: number[];
  time: Float64Array;
  values: Float64Array;
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
      // One dash per motion; where motions outnumber dashes, colours go on.
      const shift = Math.floor(m / DASHES.length) * 3;
      plot.series.forEach((series, k) => {
        target.curves.push({
          name: motions.length > 1 ? `${series.name} · ${motion.label}` : series.name,
          colour: k + shift,
          dash: DASHES[m % DASHES.length],
          time: plot.time,
          values: series.values,
        });
      });
    }
  });
  return merged;
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

/** The value of a curve at a time, between its points. */
export function valueAt(curve: { time: Float64Array; values: Float64Array }, t: number, steps: boolean): number {
  const { time, values } = curve;
  if (time.length === 0 || t < time[0] || t > time[time.length - 1]) return NaN;
  const k = frameAt(time, t);
  const next = Math.min(k + 1, time.length - 1);
  const span = time[next] - time[k];
  if (steps || span <= 0) return values[k];
  return values[k] + ((t - time[k]) / span) * (values[next] - values[k]);
}

/** Whether no curve of a plot says anything over time: all of them stay where they are, but for round-off. */
export function isConstant(merged: Merged): boolean {
  return merged.curves.every(({ values }) => {
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
    return !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high), merged.size));
  });
}

export class PlotCard {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private readonly hidden = new Set<number>();
  private readonly holder = element("div", { class: "chart" });
  private readonly marker = element("div", { class: "now" });
  private readonly readouts: HTMLElement[] = [];
  private readonly data: uPlot.AlignedData;
  private width = 0;
  /** The time under the pointer. */
  private hovered: number | null = null;

  constructor(
    private readonly merged: Merged,
    private readonly clock: Clock,
    private readonly theme: Theme,
    private readonly marks: Float64Array,
  ) {
    const { plot, curves } = merged;
    const legend = element("div", { class: "legend", role: "group", "aria-label": "curves" });
    curves.forEach((curve, k) => {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.setProperty("--colour", this.colour(curve.colour));
      swatch.style.setProperty("--dash", curve.dash.length > 0 ? "dashed" : "solid");
      const readout = element("span", { class: "value" });
      const item = element(
        "button",
        { type: "button", "aria-pressed": "true", title: "Show or hide this curve", click: () => this.toggle(k, item) },
        swatch,
        element("span", { class: "name" }, curve.name),
        readout,
      );
      this.readouts.push(readout);
      legend.append(item);
    });
    const title = plot.unit ? `${plot.title} in ${plot.unit}` : plot.title;
    this.root = element("figure", { class: "plot" }, element("figcaption", {}, title), this.holder, legend);
    if (merged.note) this.root.append(element("p", { class: "note-line" }, merged.note));
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${title} over time in s`);
    const tables = curves.map((curve) => [Array.from(curve.time), drawn(curve.values, plot.scale)] as unknown as uPlot.AlignedData);
    this.data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    theme.onChange(() => this.rebuild());
  }

  private colour(k: number): string {
    const colours = this.theme.dark ? CURVE_COLOURS_DARK : CURVE_COLOURS;
    return colours[k % colours.length];
  }

  private toggle(k: number, item: HTMLElement): void {
    if (this.hidden.has(k)) this.hidden.delete(k);
    else this.hidden.add(k);
    item.setAttribute("aria-pressed", String(!this.hidden.has(k)));
    this.chart?.setSeries(k + 1, { show: !this.hidden.has(k) });
  }

  /** Fits the width of its place. */
  resize(): void {
    const width = Math.floor(this.holder.clientWidth);
    if (width === 0 || width === this.width) return;
    this.width = width;
    if (this.chart) this.chart.setSize({ width, height: HEIGHT });
    else this.rebuild();
    this.update(true);
  }

  private rebuild(): void {
    if (this.width === 0) return;
    this.chart?.destroy();
    this.chart = new uPlot(this.options(), this.data, this.holder);
    this.chart.over.append(this.marker);
    this.listen(this.chart.over);
    this.root.querySelectorAll<HTMLElement>(".swatch").forEach((swatch, k) => {
      swatch.style.setProperty("--colour", this.colour(this.merged.curves[k].colour));
    });
    this.update(true);
  }

  private options(): uPlot.Options {
    const { plot, curves } = this.merged;
    const text = this.theme.colour("--muted");
    const grid = this.theme.colour("--line");
    const log = plot.scale === "log";
    const axis = { stroke: text, font: "12px system-ui, sans-serif", grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 } };
    const labels = (splits: number[]) => (log ? splits.map((v) => (Number.isInteger(v) ? `1e${v}` : "")) : tickLabels(splits));
    return {
      width: this.width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      padding: [8, 18, 0, 0],
      scales: {
        x: { time: false, range: () => [this.clock.start, this.clock.end > this.clock.start ? this.clock.end : this.clock.start + 1] },
        y: { range: (_, low, high) => (low === null ? [-1, 1] : log ? [Math.floor(low - 0.1), Math.ceil(high + 0.1)] : paddedRange(low, high, this.merged.size)) },
      },
      axes: [
        { ...axis, label: "time in s", labelFont: "12px system-ui, sans-serif", labelSize: 18, size: 28, values: (_, splits) => tickLabels(splits) },
        {
          ...axis,
          space: 28,
          incrs: log ? [1, 2, 3, 4, 5, 10] : undefined,
          values: (_, splits) => labels(splits),
          size: (_, values) => 16 + 6.9 * Math.max(3, ...(values ?? []).map((v) => v.length)),
        },
      ],
      series: [
        {},
        ...curves.map((curve, k) => ({
          label: String(k),
          stroke: this.colour(curve.colour),
          // The first curve lies below the others: wide, so that it is seen where they coincide.
          width: k === 0 && curves.length > 1 ? 3 : 1.6,
          dash: curve.dash,
          spanGaps: true,
          show: !this.hidden.has(k),
          points: { show: curve.time.length === 1 },
          paths: plot.scale === "steps" ? uPlot.paths.stepped!({ align: 1 }) : undefined,
        })),
      ],
      hooks: { drawClear: [(chart) => this.drawMarks(chart)] },
    };
  }

  /** Ticks at contacts: one per column of pixels. */
  private drawMarks(chart: uPlot): void {
    const { ctx, bbox } = chart;
    const columns = new Set<number>();
    for (const t of this.marks) columns.add(Math.round(chart.valToPos(t, "x", true)));
    ctx.save();
    ctx.fillStyle = this.theme.colour("--contact");
    // Many of them together are no darker than a few.
    ctx.globalAlpha = Math.min(0.35, Math.max(0.04, 8 / columns.size));
    for (const x of columns) if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.fillRect(x, bbox.top, 1, bbox.height);
    ctx.restore();
  }

  private listen(over: HTMLElement): void {
    const go = (event: PointerEvent) => {
      const x = event.clientX - over.getBoundingClientRect().left;
      if (this.chart) this.clock.seek(this.chart.posToVal(x, "x"));
    };
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      go(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) go(event);
      if (!this.chart) return;
      this.hovered = this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      over.title = `t = ${readable(this.hovered)} s`;
      this.update(true);
    });
    over.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.update(true);
    });
  }

  /** Moves the line to the present time; values are written when asked for: those under the pointer, or now. */
  update(values: boolean): void {
    if (!this.chart) return;
    this.marker.style.transform = `translateX(${this.chart.valToPos(this.clock.time, "x")}px)`;
    if (!values) return;
    const time = this.hovered ?? this.clock.time;
    this.root.classList.toggle("hovered", this.hovered !== null);
    this.merged.curves.forEach((curve, k) => {
      const value = valueAt(curve, time, this.merged.plot.scale === "steps");
      this.readouts[k].textContent = Number.isFinite(value) ? readable(value) : "–";
    });
  }
}

/** All plots of a page. */
export class Plots {
  readonly root = element("div", { class: "plots" });
  readonly cards: PlotCard[];
  private shown = 0;

  constructor(motions: Motion[], clock: Clock, theme: Theme, marks: Float64Array) {
    const all = merge(motions);
    const card = (merged: Merged) => new PlotCard(merged, clock, theme, marks);
    const [telling, constant] = [all.filter((m) => !isConstant(m)).map(card), all.filter(isConstant).map(card)];
    this.cards = [...telling, ...constant];
    this.root.append(...telling.map((c) => c.root));
    if (constant.length > 0) {
      const folded = element("details", { class: "constant" }, element("summary", {}, `Constant over time (${constant.length})`));
      folded.append(...constant.map((c) => c.root));
      folded.addEventListener("toggle", () => constant.forEach((c) => c.resize()));
      this.root.append(folded);
    }
    const observer = new ResizeObserver(() => this.cards.forEach((card) => card.resize()));
    observer.observe(this.root);
    clock.onChange(() => {
      // Lines follow at every frame, numbers so that they can be read.
      const now = performance.now();
      const values = !clock.playing || now - this.shown > 150;
      if (values) this.shown = now;
      this.cards.forEach((card) => card.update(values));
    });
  }
}

/** A button that saves text as a file. */
export function saveButton(text: string, label: string, name: string, content: () => string, type: string): HTMLButtonElement {
  return button(text, label, () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([content()], { type })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
