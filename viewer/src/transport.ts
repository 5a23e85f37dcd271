// Play, pause, speed, scrub, step from contact to contact.

import { speeds, type Clock } from "./clock";
import { button, checkbox, element } from "./dom";
import { timeText } from "./format";
import { firstAfter, frameAt } from "./poses";
import type { Theme } from "./theme";

const STEPS = 10_000;

export class Transport {
  readonly root: HTMLElement;
  private readonly scrub: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly readout: HTMLOutputElement;
  private readonly ticks = element("canvas", { class: "ticks", "aria-hidden": "true" });

  constructor(
    private readonly clock: Clock,
    private readonly frames: Float64Array,
    private readonly contacts: Float64Array,
    private readonly theme: Theme,
  ) {
    const { values, usual } = speeds(clock.duration);
    clock.speed = usual;
    this.playButton = button("▶", "Play", () => clock.play(!clock.playing), "space");
    this.playButton.className = "play";
    this.scrub = element("input", { type: "range", min: 0, max: STEPS, step: 1, value: 0, "aria-label": "Time" });
    this.scrub.addEventListener("input", () => {
      // Pausing writes the present time into the slider: read it before.
      const share = Number(this.scrub.value) / STEPS;
      clock.play(false);
      clock.seek(clock.start + clock.duration * share);
    });
    this.readout = element("output", { class: "time", "aria-live": "off" });
    const speed = element("select", { "aria-label": "Speed", title: "Speed", change: () => (clock.speed = Number(speed.value)) });
    for (const value of values) {
      const option = element("option", { value }, `${value}×`);
      option.selected = value === usual;
      speed.append(option);
    }
    const none = contacts.length === 0;
    const before = button("⇤", "Contact before", () => this.toContact(-1), "[");
    const after = button("⇥", "Next contact", () => this.toContact(1), "]");
    before.disabled = after.disabled = none;
    before.dataset.role = "contact-before";
    after.dataset.role = "contact-next";
    const loop = checkbox("loop", clock.loop, (on) => (clock.loop = on), "Begin again at the end");
    this.root = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Playback" },
      element("div", { class: "scrub" }, this.ticks, this.scrub),
      element(
        "div",
        { class: "buttons" },
        this.playButton,
        button("◂", "Frame before", () => this.step(-1), "←"),
        button("▸", "Next frame", () => this.step(1), "→"),
        before,
        after,
        speed,
        loop,
        this.readout,
      ),
    );
    clock.onChange(() => this.update());
    theme.onChange(() => this.drawTicks());
    new ResizeObserver(() => this.drawTicks()).observe(this.ticks);
    this.update();
  }

  /** Goes some frames on or back. */
  step(count: number): void {
    const { clock, frames } = this;
    if (frames.length === 0) return;
    clock.play(false);
    let k = frameAt(frames, clock.time + 1e-12 * clock.duration);
    // Between two frames, back means the one just passed.
    if (count < 0 && clock.time > frames[k] + 1e-9 * clock.duration) k++;
    clock.seek(frames[Math.min(Math.max(k + count, 0), frames.length - 1)]);
  }

  /** Goes to the contact before or after the present time. */
  toContact(direction: number): void {
    const { clock, contacts } = this;
    if (contacts.length === 0) return;
    clock.play(false);
    const hair = 1e-9 * Math.max(clock.duration, 1e-9);
    const k = direction > 0 ? firstAfter(contacts, clock.time + hair) : firstAfter(contacts, clock.time - hair) - 1;
    if (k >= 0 && k < contacts.length) clock.seek(contacts[k]);
  }

  private update(): void {
    const { clock } = this;
    const share = clock.duration > 0 ? (clock.time - clock.start) / clock.duration : 0;
    this.scrub.value = String(Math.round(share * STEPS));
    const text = `${timeText(clock.time, clock.duration)} s of ${timeText(clock.end, clock.duration)} s`;
    this.readout.textContent = text;
    this.scrub.setAttribute("aria-valuetext", text);
    this.playButton.textContent = clock.playing ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
  }

  /** Contacts as ticks above the slider. */
  private drawTicks(): void {
    const { ticks, clock } = this;
    const ratio = window.devicePixelRatio || 1;
    ticks.width = Math.max(1, Math.round(ticks.clientWidth * ratio));
    ticks.height = Math.max(1, Math.round(ticks.clientHeight * ratio));
    const context = ticks.getContext("2d");
    if (!context || clock.duration <= 0) return;
    context.fillStyle = this.theme.colour("--contact");
    // The slider's knob keeps half its width from both ends.
    const knob = 8 * ratio;
    for (const t of this.contacts) {
      const x = knob + ((t - clock.start) / clock.duration) * (ticks.width - 2 * knob);
      context.fillRect(Math.round(x), 0, Math.max(1, ratio), ticks.height);
    }
  }
}
