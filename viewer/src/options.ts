// What is shown, whom the camera follows, which bodies are visible.

import type { Channels } from "./channels";
import { button, checkbox, element } from "./dom";
import type { Stage } from "./scene/stage";
import { VALUES, type Value, scaleColour } from "./scene/surfaces";
import type { Show } from "./scene/view";
import { Color } from "three";

/** Bodies with a box of their own in the list, at most. */
const MOST_LISTED = 300;

const WORDS: { key: keyof Show; text: string; title: string; shortcut?: string }[] = [
  { key: "bodies", text: "bodies", title: "Surfaces of bodies", shortcut: "b" },
  { key: "edges", text: "edges", title: "Edges of bodies", shortcut: "e" },
  { key: "directors", text: "directors", title: "Directors d1 (red), d2 (green), d3 (blue) of rigid bodies", shortcut: "d" },
  { key: "parts", text: "convex parts", title: "A colour for every convex part", shortcut: "p" },
  { key: "contacts", text: "contacts", title: "Contact points around the present time", shortcut: "c" },
  { key: "impulses", text: "impulses, forces", title: "Arrows on both bodies: impulses of impacts, forces of resting contacts", shortcut: "i" },
  { key: "traces", text: "traces", title: "Paths of the centres of mass", shortcut: "t" },
  { key: "ghosts", text: "ghosts", title: "Time lapse: images at other times", shortcut: "g" },
  { key: "joints", text: "joints, limits", title: "Joints and their limits, rods, springs, charges", shortcut: "j" },
  { key: "walls", text: "walls, grid", title: "Half-spaces, or a grid where there are none", shortcut: "w" },
  { key: "labels", text: "names", title: "Names of bodies", shortcut: "n" },
];

export class Options {
  readonly root: HTMLElement;
  private readonly boxes = new Map<keyof Show, HTMLInputElement>();
  private readonly followSelect: HTMLSelectElement;

  constructor(
    private readonly stage: Stage,
    private readonly show: Show,
    private readonly channels: Channels,
    private readonly changed: () => void,
  ) {
    const toggles = element("div", { class: "toggles", role: "group", "aria-label": "What is shown" });
    for (const { key, text, title, shortcut } of WORDS) {
      const label = checkbox(text, show[key], (on) => this.set(key, on), shortcut ? `${title} (${shortcut})` : title);
      label.dataset.show = key;
      const box = label.querySelector("input")!;
      box.disabled = !this.available(key);
      this.boxes.set(key, box);
      toggles.append(label);
    }
    const bodies = stage.views[0].motion.scene.bodies;
    this.followSelect = element("select", { "aria-label": "Follow a body", change: () => this.follow(this.followSelect.value) });
    this.followSelect.append(element("option", { value: "" }, "no body"));
    bodies.forEach((body, k) => {
      if (body.slot !== null && k < MOST_LISTED) this.followSelect.append(element("option", { value: k }, body.name));
    });
    this.root = element(
      "div",
      { class: "options" },
      toggles,
      element(
        "div",
        { class: "camera" },
        element("label", {}, "follow ", this.followSelect),
        button("Fit", "Show the whole motion", () => stage.fit(), "r"),
        button("Other side", "Look from the next side", () => this.nextSide(), "v"),
      ),
      this.scale(),
      this.bodyList(),
    );
  }

  /** What elastic bodies are coloured by, with its scale. */
  private scale(): HTMLElement {
    const { views } = this.stage;
    const root = element("div", { class: "surface-scale" });
    if (!views.some((view) => view.surfaces.any)) return root;
    const bar = element("span", { class: "scale-bar", "aria-hidden": "true" });
    const stops = [0, 0.25, 0.5, 0.75, 1].map((part) => `#${scaleColour(part, new Color()).getHexString()}`);
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    const most = element("span", { class: "scale-most" });
    const legend = element("span", { class: "scale-legend" }, "0 ", bar, " ", most);
    legend.hidden = true;
    const select = element("select", {
      "aria-label": "Colour of elastic bodies",
      change: () => {
        const value = select.value as Value;
        for (const view of views) view.value = value;
        const word = VALUES.find(({ key }) => key === value);
        legend.hidden = !word;
        const largest = Math.max(...views.map((view) => view.surfaces.largest(value)));
        most.textContent = word ? `${largest.toPrecision(3)} ${word.unit}` : "";
        this.changed();
      },
    }) as HTMLSelectElement;
    select.append(element("option", { value: "" }, "bodies"));
    for (const { key, text } of VALUES) select.append(element("option", { value: key }, text));
    root.append(element("label", {}, "colour elastic bodies by ", select), legend);
    return root;
  }

  /** Whether there is anything of a kind in any of the motions. */
  private available(key: keyof Show): boolean {
    const { views } = this.stage;
    switch (key) {
      case "directors":
        return views.some((view) => view.motion.scene.bodies.some((body) => body.kind === "rigid"));
      case "parts":
        return views.some((view) => view.bodies.hasParts);
      case "contacts":
      case "impulses":
        return views.some((view) => view.motion.contacts.count > 0);
      case "joints":
        return views.some((view) => view.links.any);
      default:
        return true;
    }
  }

  set(key: keyof Show, on: boolean): void {
    this.show[key] = on;
    this.boxes.get(key)!.checked = on;
    this.changed();
  }

  /** Handles the shortcut of a box; false if it is none. */
  press(key: string): boolean {
    const word = WORDS.find(({ shortcut }) => shortcut === key);
    if (!word) return false;
    this.set(word.key, !this.show[word.key]);
    return true;
  }

  private follow(value: string): void {
    this.stage.setFollow(value === "" ? null : Number(value));
    this.changed();
  }

  /** Follows the next body of the list. */
  followNext(): void {
    const count = this.followSelect.options.length;
    this.followSelect.selectedIndex = (this.followSelect.selectedIndex + 1) % count;
    this.follow(this.followSelect.value);
  }

  private side = 0;
  /** Looks along the next axis. */
  nextSide(): void {
    const up = this.stage.camera.up.clone();
    const best = this.stage.camera.position.clone().set(...this.stage.views[0].motion.scene.view);
    const front = best.clone().addScaledVector(up, -best.dot(up));
    if (front.lengthSq() < 1e-4) front.set(1, 0, 0).addScaledVector(up, -up.x);
    front.normalize();
    const right = up.clone().cross(front);
    const sides = [front.clone(), right.clone(), up.clone().addScaledVector(front, 0.02), front.clone().addScaledVector(right, 0.8).addScaledVector(up, 0.6), best];
    this.stage.fit(sides[this.side++ % sides.length]);
  }

  private bodyList(): HTMLElement {
    const views = this.stage.views;
    const { bodies, surfaces } = views[0].motion.scene;
    const names = [...bodies.map((body) => body.name), ...surfaces.map((surface) => surface.name)];
    const list = element("div", { class: "bodies", role: "group", "aria-label": "Bodies" });
    const boxes: HTMLInputElement[] = [];
    const setVisible = (name: string, on: boolean) => {
      for (const view of views) {
        view.motion.scene.bodies.forEach((body, k) => {
          if (body.name === name) view.bodies.visible[k] = on;
        });
        view.motion.scene.surfaces.forEach((surface, k) => {
          if (surface.name === name) view.surfaces.visible[k] = on;
        });
      }
    };
    for (const name of names.slice(0, MOST_LISTED)) {
      const label = checkbox(name, true, (on) => {
        setVisible(name, on);
        this.changed();
      });
      const dot = element("span", { class: "dot", "aria-hidden": "true" });
      dot.style.background = this.channels.body(name);
      label.insertBefore(dot, label.lastChild);
      boxes.push(label.querySelector("input")!);
      list.append(label);
    }
    const all = (on: boolean) => {
      for (const view of views) {
        view.bodies.visible.fill(on);
        view.surfaces.visible.fill(on);
      }
      for (const box of boxes) box.checked = on;
      this.changed();
    };
    const rest = names.length > MOST_LISTED ? ` (the first ${MOST_LISTED} are listed)` : "";
    return element(
      "details",
      { class: "body-list" },
      element("summary", {}, `Bodies: ${names.length}${rest}`),
      element("div", { class: "camera" }, button("All", "Show all bodies", () => all(true)), button("None", "Hide all bodies", () => all(false))),
      list,
    );
  }
}
