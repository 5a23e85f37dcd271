// What lies over the canvas: captions of views, axes, names of bodies, small readings.

import { Vector3 } from "three";
import { element } from "./dom";
import { readable } from "./format";
import { AXIS_COLOURS } from "./scene/colours";
import type { Stage } from "./scene/stage";
import type { Theme } from "./theme";

const MOST_LABELS = 80;

export class Overlay {
  readonly root = element("div", { class: "overlay" });
  private readonly frames: HTMLElement[];
  private readonly labels: HTMLElement[] = [];
  private readonly axes = element("canvas", { class: "axes", role: "img", "aria-label": "Directions of the axes x, y and z" });
  private readonly reading = element("div", { class: "reading" });
  private readonly tip = element("div", { class: "tip", role: "status" });

  constructor(
    private readonly stage: Stage,
    private readonly theme: Theme,
  ) {
    const several = stage.views.length > 1;
    this.frames = several ? stage.views.map((view) => element("div", { class: "tile" }, element("div", { class: "caption" }, view.motion.label))) : [];
    this.root.append(...this.frames, this.axes, this.reading, this.tip);
    stage.canvas.addEventListener("pointermove", (event) => this.point(event));
    stage.canvas.addEventListener("pointerleave", () => this.tip.classList.remove("on"));
  }

  /** Names the body under the pointer. */
  private point(event: PointerEvent): void {
    if (event.buttons !== 0 || event.pointerType === "touch") return;
    const box = this.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const hit = this.stage.pick(x, y);
    this.tip.classList.toggle("on", hit !== null);
    if (!hit) return;
    const body = this.stage.views[hit.view].motion.scene.bodies[hit.body];
    const at = this.stage.views[hit.view].bodies.positions[hit.body];
    const place = [at.x, at.y, at.z].map((c) => readable(c, 3)).join(", ");
    const mass = body.mass === null ? "" : `, ${readable(body.mass, 3)} kg`;
    this.tip.textContent = `${body.name}${mass} at (${place}) m${body.stand_in ? "; drawn as a box of its inertia" : ""}`;
    this.tip.style.transform = `translate(${Math.min(x + 12, Math.max(0, box.width - 240))}px, ${Math.max(y - 34, 0)}px)`;
  }

  /** Follows camera and time. */
  update(labels: boolean, playing: boolean): void {
    this.frames.forEach((frame, k) => {
      const { x, y, width, height } = this.stage.tiles[k];
      frame.style.transform = `translate(${x}px, ${y}px)`;
      frame.style.width = `${width}px`;
      frame.style.height = `${height}px`;
    });
    const spacing = this.stage.views[0].walls.spacing;
    const rate = playing && this.stage.framesPerSecond > 0 ? ` · ${Math.round(this.stage.framesPerSecond)} frames/s` : "";
    this.reading.textContent = `grid ${readable(spacing)} m${rate}`;
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
