// What lies over the canvas: captions of views, axes, names of bodies, small readings.

import { Vector3 } from "three";
import { element } from "./dom";
import { AXIS_COLOURS } from "./channels";
import { describe } from "./contacts";
import { readable } from "./format";
import type { ArrowScale } from "./scene/arrows";
import type { Stage } from "./scene/stage";
import { roundNumber } from "./scene/walls";
import type { Theme } from "./theme";

const MOST_LABELS = 80;

export class Overlay {
  readonly root = element("div", { class: "overlay" });
  private readonly frames: HTMLElement[];
  private readonly labels: HTMLElement[] = [];
  private readonly axes = element("canvas", { class: "axes", role: "img", "aria-label": "Directions of the axes x, y and z" });
  private readonly key = element("div", { class: "key", "aria-label": "Key to the arrows" });
  private readonly reading = element("div", { class: "reading" });
  private readonly tip = element("div", { class: "tip", role: "status" });

  constructor(
    private readonly stage: Stage,
    private readonly theme: Theme,
    private readonly scale: ArrowScale,
  ) {
    const several = stage.views.length > 1;
    this.frames = several ? stage.views.map((view) => element("div", { class: "tile" }, element("div", { class: "caption" }, view.motion.label))) : [];
    this.root.append(...this.frames, this.axes, this.key, this.reading, this.tip);
    stage.canvas.addEventListener("pointermove", (event) => this.point(event));
    stage.canvas.addEventListener("pointerleave", () => this.tip.classList.remove("on"));
  }

  /** Names what is under the pointer. */
  private point(event: PointerEvent): void {
    if (event.buttons !== 0 || event.pointerType === "touch") return;
    const box = this.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const hit = this.stage.pick(x, y);
    this.tip.classList.toggle("on", hit !== null);
    if (!hit) return;
    this.tip.textContent = this.words(hit);
    this.tip.style.transform = `translate(${Math.min(x + 12, Math.max(0, box.width - 240))}px, ${Math.max(y - 34, 0)}px)`;
  }

  private words({ view, body: index, contact, surface }: NonNullable<ReturnType<Stage["pick"]>>): string {
    const { motion, bodies } = this.stage.views[view];
    if (contact) {
      const list = contact.recorded ? motion.forces : motion.contacts;
      const { kind, pair, unit } = describe(list, contact.event);
      return `${kind}: ${pair}, ${readable(contact.size, 3)} ${contact.isForce ? "N" : unit} at t = ${readable(list.time[contact.event], 5)} s`;
    }
    if (surface) return [surface.name, surface.value].filter((text) => text !== "").join(", ");
    if (index === undefined) return "";
    const body = motion.scene.bodies[index];
    const at = bodies.positions[index];
    const place = [at.x, at.y, at.z].map((c) => readable(c, 3)).join(", ");
    const mass = body.mass === null ? "" : `, ${readable(body.mass, 3)} kg`;
    return `${body.name}${mass} at (${place}) m${body.stand_in ? "; drawn as a box of its inertia" : ""}`;
  }

  /** What the arrows mean: one of a round size for each kind, as long as there. */
  private drawKey(on: boolean): void {
    const perMetre = this.stage.pixelsPerMetre;
    const kinds: [number, string, string][] = [
      [this.scale.impulse, "N s", "impulse of an impact"],
      [this.scale.force, "N", "force of a resting contact"],
    ];
    const rows = kinds.filter(([factor]) => on && factor > 0).map(([factor, unit, title]) => {
      const value = roundNumber(45 / (factor * perMetre));
      const arrow = element("span", { class: "arrow" });
      arrow.style.width = `${Math.min(value * factor * perMetre, 120)}px`;
      return element("div", { title }, arrow, `${readable(value)} ${unit}`);
    });
    this.key.replaceChildren(...rows);
  }

  /** Follows camera and time. */
  update(labels: boolean, playing: boolean, arrows: boolean): void {
    this.frames.forEach((frame, k) => {
      const { x, y, width, height } = this.stage.tiles[k];
      frame.style.transform = `translate(${x}px, ${y}px)`;
      frame.style.width = `${width}px`;
      frame.style.height = `${height}px`;
    });
    const spacing = this.stage.views[0].walls.spacing;
    const rate = playing && this.stage.framesPerSecond > 0 ? ` · ${Math.round(this.stage.framesPerSecond)} frames/s` : "";
    this.reading.textContent = `grid ${readable(spacing)} m${rate}`;
    this.drawKey(arrows);
    this.drawAxes();
    this.placeLabels(labels);
  }

  private placeLabels(on: boolean): void {
    let used = 0;
    const taken: [number, number][] = [];
    if (on) {
      this.stage.views.forEach((view, v) => {
        view.motion.scene.bodies.forEach((body, k) => {
          if (used >= MOST_LABELS || !view.bodies.visible[k]) return;
          const at = this.stage.project(view.bodies.positions[k], v);
          // Names that would lie over another are left out.
          if (!at || taken.some(([x, y]) => Math.abs(x - at.x) < 70 && Math.abs(y - at.y) < 16)) return;
          taken.push([at.x, at.y]);
          const label = (this.labels[used] ??= this.root.appendChild(element("div", { class: "label" })));
          used++;
          label.textContent = body.name;
          label.style.display = "";
          label.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -160%)`;
        });
      });
    }
    for (const label of this.labels.slice(used)) label.style.display = "none";
  }

  /** Axes, key and reading as they are, for a picture: drawn onto a canvas of `ratio` pixels per point. */
  paint(context: CanvasRenderingContext2D, height: number, width: number, ratio: number): void {
    context.drawImage(this.axes, 6 * ratio, (height - 70) * ratio, 64 * ratio, 64 * ratio);
    context.fillStyle = context.strokeStyle = this.theme.colour("--muted");
    context.font = `${12 * ratio}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.fillText(this.reading.textContent ?? "", (width - 10) * ratio, (height - 10) * ratio);
    [...this.key.children].forEach((row, k) => {
      const arrow = row.querySelector<HTMLElement>(".arrow")!;
      const long = parseFloat(arrow.style.width) * ratio;
      const y = (height - 30 - 16 * k) * ratio;
      const right = (width - 10) * ratio;
      context.fillText(row.textContent ?? "", right, y);
      const from = right - context.measureText(row.textContent ?? "").width - 6 * ratio;
      context.fillRect(from - long, y - 5 * ratio, long, 2 * ratio);
    });
    context.textAlign = "left";
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    context.fillStyle = this.theme.colour("--text");
    this.frames.forEach((frame, k) => {
      const { x, y } = this.stage.tiles[k];
      context.fillText(frame.textContent ?? "", (x + 8) * ratio, (y + 18) * ratio);
    });
  }

  private drawAxes(): void {
    const size = 64;
    const ratio = window.devicePixelRatio || 1;
    if (this.axes.width !== size * ratio) this.axes.width = this.axes.height = size * ratio;
    const context = this.axes.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size, size);
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const inverse = this.stage.camera.quaternion.clone().invert();
    const axes = ["x", "y", "z"].map((name, k) => ({
      name,
      colour: AXIS_COLOURS[k],
      tip: new Vector3().setComponent(k, 1).applyQuaternion(inverse),
    }));
    axes.sort((a, b) => a.tip.z - b.tip.z);
    for (const { name, colour, tip } of axes) {
      const [x, y] = [size / 2 + 20 * tip.x, size / 2 - 20 * tip.y];
      context.strokeStyle = context.fillStyle = colour;
      context.globalAlpha = tip.z < -0.3 ? 0.55 : 1;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(size / 2, size / 2);
      context.lineTo(x, y);
      context.stroke();
      // An axis along the line of sight has its name beside the origin.
      const flat = Math.hypot(tip.x, tip.y) < 0.3;
      context.fillText(name, flat ? size / 2 - 9 : size / 2 + 28 * tip.x, flat ? size / 2 + 9 : size / 2 - 28 * tip.y);
    }
    context.globalAlpha = 1;
    context.fillStyle = this.theme.colour("--muted");
  }
}
