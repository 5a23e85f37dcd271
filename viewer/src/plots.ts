// Curves with a line at the present time; a click or drag goes there, the pointer shows values.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Channels } from "./channels";
import type { Clock } from "./clock";
import { boundsOf, drawn, merge, ordered, paddedRange, saysNothing, valueAt, withBounds, type Curve, type Merged } from "./curves";
import { element } from "./dom";
import { readable, tickLabels } from "./format";
import type { Motion, Phase } from "./payload";
import type { Theme } from "./theme";

const HEIGHT = 190;
/** Curves named beside the pointer, at most. */
const MOST_NAMED = 8;

/** Bounds in words: nothing if there are none. */
function boundsText(bounds: Curve["bounds"]): string {
  if (!bounds || bounds.every((b) => b === null)) return "";
  const [low, high] = bounds.map((b) => (b === null ? null : readable(b)));
  if (low === null) return ` ≤ ${high}`;
  if (high === null) return ` ≥ ${low}`;
  return ` in [${low}, ${high}]`;
}

export class PlotCard {
  readonly root: HTMLElement;
  chart: uPlot | null = null;
  private readonly hidden = new Set<number>();
  private readonly holder = element("div", { class: "chart" });
  private readonly marker = element("div", { class: "now" });
  private readonly tip = element("div", { class: "plot-tip", "aria-hidden": "true" });
  private readonly readouts: HTMLElement[] = [];
  private readonly data: uPlot.AlignedData;
  private readonly bounds: { value: number; channels: string[] }[];
  private width = 0;
  /** The time under the pointer. */
  private hovered: number | null = null;

  constructor(
    private readonly merged: Merged,
    private readonly clock: Clock,
    private readonly theme: Theme,
    private readonly channels: Channels,
    private readonly marks: Float64Array,
    private readonly phases: Phase[],
  ) {
    const { plot, curves } = merged;
    this.bounds = boundsOf(curves);
    const legend = element("div", { class: "legend", role: "group", "aria-label": "curves" });
    curves.forEach((curve, k) => {
      const readout = element("span", { class: "value" });
      const item = element(
        "button",
        { type: "button", "aria-pressed": "true", title: "Show or hide this curve", click: () => this.toggle(k, item) },
        this.swatch(curve),
        element("span", { class: "name" }, curve.name),
        // Once per channel.
        ...(curves.findIndex((other) => other.channel === curve.channel) === k ? [element("span", { class: "bounds" }, boundsText(curve.bounds))] : []),
        readout,
      );
      this.readouts.push(readout);
      legend.append(item);
    });
    const title = plot.unit ? `${plot.title} in ${plot.unit}` : plot.title;
    this.root = element("figure", { class: "plot" }, element("figcaption", {}, title), this.holder, legend);
    const notes = [merged.note, this.bounds.length > 0 ? "Horizontal lines are bounds." : ""].filter((text) => text !== "");
    if (notes.length > 0) this.root.append(element("p", { class: "note-line" }, notes.join(" ")));
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${title} over ${this.timed ? "time in s" : plot.axis}`);
    const tables = curves.map((curve) => [Array.from(curve.time), drawn(curve.values, plot.scale)] as unknown as uPlot.AlignedData);
    this.data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    theme.onChange(() => this.rebuild());
  }

  /** Whether it is drawn over time; else it has an axis of its own. */
  private get timed(): boolean {
    return this.merged.plot.axis === "";
  }

  private colour(curve: Curve): string {
    return this.channels.colour(curve.channel, this.theme.dark);
  }

  /** A piece of a curve: its colour and its dashes. */
  private swatch(curve: Curve): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "swatch");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("viewBox", "0 0 28 6");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({ x1: 0, y1: 3, x2: 28, y2: 3, "stroke-width": 3, "stroke-dasharray": curve.dash.join(" ") })) {
      line.setAttribute(name, String(value));
    }
    line.style.stroke = this.colour(curve);
    svg.append(line);
    return svg;
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
    if (this.timed) this.chart.over.append(this.marker);
    this.holder.append(this.tip);
    this.listen(this.chart.over);
    this.root.querySelectorAll<SVGLineElement>(".legend .swatch line").forEach((line, k) => {
      line.style.stroke = this.colour(this.merged.curves[k]);
    });
    this.update(true);
  }

  private options(): uPlot.Options {
    const { plot, curves, size } = this.merged;
    const text = this.theme.colour("--muted");
    const grid = this.theme.colour("--line");
    const log = plot.scale === "log";
    const axis = { stroke: text, font: "12px system-ui, sans-serif", grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 } };
    const labels = (splits: number[]) => (log ? splits.map((v) => (Number.isInteger(v) ? `1e${v}` : "")) : tickLabels(splits));
    const across = (low: number | null, high: number | null): [number, number] => {
      const [from, to] = this.timed ? [this.clock.start, this.clock.end] : [low ?? 0, high ?? 1];
      return [from, to > from ? to : from + 1];
    };
    const along = (low: number | null, high: number | null): [number, number] => {
      if (low === null || high === null) return [-1, 1];
      if (log) return [Math.floor(low - 0.1), Math.ceil(high + 0.1)];
      return paddedRange(...withBounds(low, high, this.bounds.map((b) => b.value)), size);
    };
    return {
      width: this.width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      // Names of phases stand above the curves.
      padding: [this.timed && this.phases.length > 0 ? 18 : 8, 18, 0, 0],
      scales: {
        x: { time: false, range: (_, low, high) => across(low, high) },
        y: { range: (_, low, high) => along(low, high) },
      },
      axes: [
        { ...axis, label: this.timed ? "time in s" : plot.axis, labelFont: "12px system-ui, sans-serif", labelSize: 18, size: 28, values: (_, splits) => tickLabels(splits) },
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
          stroke: this.colour(curve),
          // The first curve lies below the others: wide, so that it is seen where they coincide.
          width: k === 0 && curves.length > 1 ? 3 : 1.6,
          dash: curve.dash,
          spanGaps: true,
          show: !this.hidden.has(k),
          points: { show: curve.time.length === 1 },
          paths: plot.scale === "steps" ? uPlot.paths.stepped!({ align: 1 }) : undefined,
        })),
      ],
      hooks: { drawClear: [(chart) => this.drawPhases(chart), (chart) => this.drawMarks(chart)], drawAxes: [(chart) => this.drawBounds(chart)], draw: [() => this.moveLine()] },
    };
  }

  /** Every other phase is shaded; those with room for it bear their names. */
  private drawPhases(chart: uPlot): void {
    if (!this.timed || this.phases.length === 0) return;
    const { ctx, bbox } = chart;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textBaseline = "bottom";
    this.phases.forEach(({ name, span }, k) => {
      const [from, to] = span.map((t) => Math.min(Math.max(chart.valToPos(t, "x", true), bbox.left), bbox.left + bbox.width));
      ctx.fillStyle = this.theme.colour("--muted");
      ctx.globalAlpha = 0.08;
      if (k % 2 === 1) ctx.fillRect(from, bbox.top, to - from, bbox.height);
      ctx.globalAlpha = 0.9;
      if (ctx.measureText(name).width + 8 * ratio < to - from) ctx.fillText(name, from + 4 * ratio, bbox.top - 3 * ratio);
    });
    ctx.restore();
  }

  /** Ticks at contacts, one per column of pixels. */
  private drawMarks(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    if (this.timed) {
      const columns = new Set<number>();
      for (const t of this.marks) columns.add(Math.round(chart.valToPos(t, "x", true)));
      ctx.fillStyle = this.theme.colour("--contact");
      // Many of them together are no darker than a few.
      ctx.globalAlpha = Math.min(0.35, Math.max(0.04, 8 / columns.size));
      for (const x of columns) if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.fillRect(x, bbox.top, 1, bbox.height);
    }
    ctx.restore();
  }

  /** Bounds as fine lines; what lies beyond all of them is shaded. */
  private drawBounds(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    const thick = 1.5 * (window.devicePixelRatio || 1);
    const all = new Set(this.merged.curves.map((curve) => curve.channel)).size;
    const limit = this.theme.colour("--limit");
    const place = (value: number) => Math.min(Math.max(chart.valToPos(value, "y", true), bbox.top), bbox.top + bbox.height);
    for (const { value, channels } of this.bounds) {
      const y = chart.valToPos(value, "y", true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      // A bound of one channel among several has its colour.
      ctx.fillStyle = channels.length === 1 && all > 1 ? this.channels.colour(channels[0], this.theme.dark) : limit;
      ctx.globalAlpha = 0.9;
      ctx.fillRect(bbox.left, Math.round(y - thick / 2), bbox.width, thick);
    }
    const sides = this.merged.curves.map((curve) => curve.bounds ?? [null, null]);
    const [lows, highs] = [0, 1].map((side) => sides.map((bounds) => bounds[side]));
    ctx.globalAlpha = 0.07;
    ctx.fillStyle = limit;
    if (highs.every((b) => b !== null)) ctx.fillRect(bbox.left, bbox.top, bbox.width, place(Math.max(...(highs as number[]))) - bbox.top);
    if (lows.every((b) => b !== null)) {
      const y = place(Math.min(...(lows as number[])));
      ctx.fillRect(bbox.left, y, bbox.width, bbox.top + bbox.height - y);
    }
    ctx.restore();
  }

  private listen(over: HTMLElement): void {
    const at = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left;
    const go = (event: PointerEvent) => {
      if (this.chart && this.timed) this.clock.seek(this.chart.posToVal(at(event), "x"));
    };
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      go(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) go(event);
      if (!this.chart) return;
      this.hovered = this.chart.posToVal(at(event), "x");
      this.update(true);
      this.showTip(event);
    });
    over.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.tip.classList.remove("on");
      this.update(true);
    });
  }

  /** Values beside the pointer: of many curves those nearest to it. */
  private showTip(event: PointerEvent): void {
    const { chart, hovered } = this;
    if (!chart || hovered === null) return;
    const { plot, curves } = this.merged;
    const over = chart.over.getBoundingClientRect();
    const height = chart.posToVal(event.clientY - over.top, "y");
    const shown = curves.flatMap((curve, k) => {
      const value = valueAt(curve, hovered, plot.scale === "steps");
      if (this.hidden.has(k) || !Number.isFinite(value)) return [];
      const level = plot.scale === "log" ? Math.log10(Math.abs(value)) : value;
      return [{ k, curve, value, away: Math.abs(level - height) }];
    });
    const near = [...shown].sort((a, b) => a.away - b.away).slice(0, MOST_NAMED).sort((a, b) => a.k - b.k);
    const head = this.timed ? `t = ${readable(hovered)} s` : `${plot.axis} ${readable(Math.round(hovered))}`;
    const rows = near.map(({ curve, value }) =>
      element("div", {}, this.swatch(curve), element("span", { class: "name" }, curve.name), element("span", { class: "value" }, `${readable(value)} ${plot.unit}`.trim())),
    );
    this.tip.replaceChildren(element("div", { class: "tip-head" }, head), ...rows);
    this.tip.classList.add("on");
    // On the side where there is more room.
    const box = this.holder.getBoundingClientRect();
    const x = event.clientX - box.left;
    const left = x < box.width / 2 ? x + 14 : x - 14 - this.tip.offsetWidth;
    this.tip.style.transform = `translate(${Math.max(0, Math.min(left, box.width - this.tip.offsetWidth))}px, 10px)`;
  }

  /** The line at the present time; a chart knows its places only once it is drawn. */
  private moveLine(): void {
    if (this.chart && this.timed) this.marker.style.transform = `translateX(${this.chart.valToPos(this.clock.time, "x")}px)`;
  }

  /** Moves the line to the present time; values are written when asked for: those under the pointer, or now. */
  update(values: boolean): void {
    if (!this.chart) return;
    this.moveLine();
    if (!values) return;
    const { plot, curves } = this.merged;
    const time = this.hovered ?? (this.timed ? this.clock.time : Infinity);
    this.root.classList.toggle("hovered", this.hovered !== null);
    curves.forEach((curve, k) => {
      // What has an axis of its own shows its last value.
      const last = curve.values[curve.values.length - 1];
      const value = time === Infinity ? last : valueAt(curve, time, plot.scale === "steps");
      this.readouts[k].textContent = Number.isFinite(value) ? readable(value) : "–";
    });
  }
}

/** All plots of a page. */
export class Plots {
  readonly root = element("div", { class: "plots" });
  readonly cards: PlotCard[];
  private shown = 0;

  constructor(motions: Motion[], clock: Clock, theme: Theme, channels: Channels, marks: Float64Array) {
    const all = ordered(merge(motions));
    const phases = motions.find((motion) => motion.phases.length > 0)?.phases ?? [];
    const card = (merged: Merged) => new PlotCard(merged, clock, theme, channels, marks, phases);
    const [telling, constant] = [all.filter((m) => !saysNothing(m)).map(card), all.filter(saysNothing).map(card)];
    this.cards = [...telling, ...constant];
    this.root.append(...telling.map((c) => c.root));
    if (constant.length > 0) {
      const names = all.filter(saysNothing).map(({ plot }) => plot.title.toLowerCase());
      const folded = element("details", { class: "constant" }, element("summary", {}, `Constant or round-off: ${names.join(", ")}`));
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
