// The page: motion on one side, numbers on the other, one clock for both.

import { Channels } from "./channels";
import { Clock, timeOf } from "./clock";
import { ContactList } from "./contacts";
import { button, element } from "./dom";
import { timeText } from "./format";
import { helpDialog } from "./help";
import { Options } from "./options";
import { Overlay } from "./overlay";
import { ledgerPanel, scenarioPanel, tablePanels, verdictBadge } from "./panels";
import type { Motion, Report } from "./payload";
import { Plots } from "./plots";
import { arrowScale } from "./scene/arrows";
import { Stage } from "./scene/stage";
import { SHOWN_FIRST, View, type Show } from "./scene/view";
import { hashOf, lookAs, shareMenu } from "./share";
import { Theme } from "./theme";
import { Transport } from "./transport";

/** A contact stays marked for so many seconds of watching; at a standstill only those of the moment. */
const MARKED = 0.25;
const MARKED_AT_REST = 0.01;

/** All times of several lists, sorted, none twice. */
export function union(lists: Float64Array[]): Float64Array {
  if (lists.length === 1) return lists[0];
  const all = lists.flatMap((list) => Array.from(list)).sort((a, b) => a - b);
  return Float64Array.from(all.filter((t, k) => k === 0 || t !== all[k - 1]));
}

/** From the first to the last moment of all motions and curves. */
export function span(motions: Motion[]): [number, number] {
  const times = motions.flatMap((motion) => [motion.time, ...motion.plots.filter((plot) => plot.axis === "").map((plot) => plot.time)]).filter((time) => time.length > 0);
  if (times.length === 0) return [0, 0];
  return [Math.min(...times.map((time) => time[0])), Math.max(...times.map((time) => time[time.length - 1]))];
}

export class App {
  readonly clock: Clock;
  readonly theme = new Theme();
  readonly show: Show = { ...SHOWN_FIRST };
  readonly stage: Stage | null;
  readonly transport: Transport;
  readonly plots: Plots;
  /** Milliseconds from the start of loading to the first picture. */
  opened = 0;
  private readonly options: Options | null = null;
  private readonly overlay: Overlay | null = null;
  private readonly help = helpDialog();
  private readonly holder = element("div", { class: "canvas-holder" });
  private stale = true;
  private before = 0;

  constructor(root: HTMLElement, reports: Report[]) {
    const motions = reports.flatMap((report) => report.motions);
    this.clock = new Clock(...span(motions));
    // Edges of very many bodies are mere clutter; a key shows them.
    if (motions.some((motion) => motion.scene.bodies.length > 400)) this.show.edges = false;
    const marks = union(motions.map((motion) => motion.contacts.time));
    this.transport = new Transport(this.clock, union(motions.map((motion) => motion.time)), marks, this.theme);
    const channels = new Channels(motions);
    this.plots = new Plots(motions, this.clock, this.theme, channels, marks);

    const canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": "The motion in space; drag to turn" });
    this.holder.append(canvas);
    const left = element("section", { class: "stage", "aria-label": "Motion" }, this.holder, this.transport.root);
    let stage: Stage | null = null;
    try {
      stage = new Stage(canvas, motions.map((motion) => new View(motion, channels)));
    } catch (error) {
      // Curves and numbers are worth showing without the motion.
      this.holder.replaceChildren(element("p", { class: "error" }, `This browser cannot draw the motion: ${String(error)}`));
    }
    this.stage = stage;
    for (const note of new Set(motions.map((motion) => motion.note))) {
      if (note) left.append(element("p", { class: "note-line" }, note));
    }
    if (stage) {
      const scale = arrowScale(motions, stage.radius);
      for (const view of stage.views) view.contacts.scale = scale;
      this.overlay = new Overlay(stage, this.theme, scale);
      this.holder.append(this.overlay.root);
      stage.onCamera = () => this.touch();
      this.options = new Options(stage, this.show, channels, () => this.touch());
      left.append(this.options.root);
    }

    const right = element("div", { class: "numbers" }, ledgerPanel(reports));
    for (const report of reports) right.append(...tablePanels(report, reports.length > 1));
    right.append(element("section", { class: "panel", "aria-label": "Curves" }, element("h2", {}, "Curves"), this.plots.root));
    motions.forEach((motion) => {
      if (motion.contacts.count === 0) return;
      const title = motions.length > 1 ? `Contacts: ${motion.label}` : "Contacts";
      right.append(element("section", { class: "panel", "aria-label": title }, element("h2", {}, title), new ContactList(motion, this.clock).root));
    });
    for (const report of reports.filter(({ scenario }) => scenario !== "")) right.append(scenarioPanel(report, reports.length > 1));

    root.append(this.header(reports), element("main", {}, left, right), this.help);
    this.clock.onChange(() => this.touch());
    this.theme.onChange(() => this.recolour());
    document.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.resize()).observe(this.holder);
    this.recolour();
    this.resize();
    const go = () => {
      const time = timeOf(location.hash);
      if (time === null) return;
      this.clock.play(false);
      this.clock.seek(time);
      lookAs(location.hash, this.stage);
    };
    window.addEventListener("hashchange", go);
    go();
    requestAnimationFrame((now) => this.frame(now));
  }

  /** The present picture as a file: motion, axes, key, title and time. */
  savePicture(): void {
    const { stage } = this;
    if (!stage) return;
    // What was drawn is gone after a frame: draw and read in one go.
    stage.draw(false, performance.now());
    const [{ width }, ratio] = [stage.canvas, stage.canvas.width / Math.max(stage.canvas.clientWidth, 1)];
    const foot = 30;
    const picture = element("canvas", { width, height: stage.canvas.height + foot * ratio });
    const context = picture.getContext("2d");
    if (!context) return;
    context.fillStyle = this.theme.colour("--page");
    context.fillRect(0, 0, picture.width, picture.height);
    context.drawImage(stage.canvas, 0, 0);
    this.overlay?.paint(context, stage.canvas.clientHeight, stage.canvas.clientWidth, ratio);
    context.fillStyle = this.theme.colour("--text");
    context.font = `${14 * ratio}px system-ui, sans-serif`;
    const below = stage.canvas.height + 20 * ratio;
    const time = `t = ${timeText(this.clock.time, this.clock.duration)} s`;
    context.fillText(time, width - context.measureText(time).width - 10 * ratio, below);
    context.fillText(document.title, 10 * ratio, below, width - context.measureText(time).width - 30 * ratio);
    picture.toBlob((blob) => {
      if (!blob) return;
      const link = element("a", { href: URL.createObjectURL(blob), download: `${document.title || "carom"} t=${this.clock.time.toPrecision(6)}.png` });
      link.click();
      URL.revokeObjectURL(link.href);
    }, "image/png");
  }

  /** Puts the present moment into the address and copies it; tells whether that could be done. */
  copyLink(): Promise<boolean> {
    history.replaceState(null, "", hashOf(this.clock.time, this.stage));
    const copied = navigator.clipboard?.writeText(location.href);
    return copied ? copied.then(() => true).catch(() => false) : Promise.resolve(false);
  }

  private header(reports: Report[]): HTMLElement {
    const several = reports.length > 1;
    const title = several ? reports.map((report) => report.name).join(" | ") : reports[0].title;
    const below = several ? "Runs side by side" : [reports[0].name, reports[0].source].filter((text) => text !== "").join(" · ");
    const words = element("div", { class: "titles" }, element("h1", {}, title), element("p", { class: "source" }, below));
    const bar = element("header", {}, words);
    if (!several) bar.append(verdictBadge(reports[0].verdict));
    bar.append(
      element(
        "div",
        { class: "tools" },
        shareMenu(() => this.savePicture(), () => this.copyLink()),
        button("◐", "Light or dark", () => this.theme.toggle()), button("?", "Keys", () => this.help.showModal(), "?"),
      ),
    );
    return bar;
  }

  /** Something changed: draw again at the next frame. */
  touch(): void {
    this.stale = true;
  }

  private recolour(): void {
    if (!this.stage) return;
    this.stage.setBackground(this.theme.colour("--stage"));
    for (const view of this.stage.views) view.setColours(this.theme.colour("--edge"), this.theme.colour("--wall"));
    this.touch();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.holder;
    if (!this.stage || clientWidth === 0 || clientHeight === 0) return;
    const first = this.stage.tiles.length === 0;
    this.stage.resize(clientWidth, clientHeight);
    if (first) this.stage.fit();
    this.touch();
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min((now - this.before) / 1000, 0.25);
    this.before = now;
    this.clock.advance(seconds);
    if (!this.stale || !this.stage || this.stage.tiles.length === 0) return;
    this.stale = false;
    const { clock } = this;
    const window = Math.max((clock.playing ? MARKED : MARKED_AT_REST) * clock.speed, 1e-9 * clock.duration);
    for (const view of this.stage.views) view.update(clock.time, window, this.show);
    this.stage.draw(clock.playing, now);
    this.overlay?.update(this.show.labels, clock.playing, this.show.contacts && this.show.impulses);
    if (this.opened === 0) this.opened = performance.now();
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || typing || this.help.open) return;
    if (this.act(event.key, event.shiftKey, target)) event.preventDefault();
  }

  private act(key: string, shift: boolean, target: HTMLElement): boolean {
    const { clock, transport, stage, options } = this;
    switch (key) {
      case " ":
        // Space presses the button that has the focus.
        if (target.matches("button, summary, input")) return false;
        clock.play(!clock.playing);
        return true;
      case "ArrowLeft":
      case "ArrowRight":
        transport.step((key === "ArrowLeft" ? -1 : 1) * (shift ? 10 : 1));
        return true;
      case "[":
      case "]":
        transport.toContact(key === "[" ? -1 : 1);
        return true;
      case "Home":
      case "End":
        clock.seek(key === "Home" ? clock.start : clock.end);
        return true;
      case "?":
        this.help.showModal();
        return true;
    }
    if (!stage || !options) return false;
    switch (key) {
      case "f":
        options.followNext();
        return true;
      case "r":
        stage.fit();
        return true;
      case "v":
        options.nextSide();
        return true;
      case ",":
      case ".":
        stage.orbit(key === "," ? -0.15 : 0.15, 0);
        return true;
      case "u":
      case "m":
        stage.orbit(0, key === "u" ? 0.12 : -0.12);
        return true;
      case "+":
      case "=":
      case "-":
        stage.orbit(0, 0, key === "-" ? 1.15 : 1 / 1.15);
        return true;
    }
    return options.press(key);
  }
}
