// The list of contact events: any number of them, of which only those in sight are elements.

import type { Clock } from "./clock";
import { element } from "./dom";
import { readable, timeText } from "./format";
import type { Contacts, Motion } from "./payload";
import { firstAfter } from "./poses";
import { CONTACT_COLOURS } from "./scene/colours";

const ROW = 30;

/** What a row says. */
export function describe(contacts: Contacts, k: number): { kind: string; pair: string; features: string; impulse: number; unit: string; energy: number } {
  const word = (index: number) => contacts.words[index] ?? "";
  // A coordinate has no features but its limits.
  const features = [word(contacts.feature_a[k]), word(contacts.feature_b[k])].filter((text) => text !== "" && text !== "coordinate");
  return {
    kind: word(contacts.kind[k]),
    pair: `${word(contacts.a[k])} – ${word(contacts.b[k])}`,
    features: features.join("–"),
    impulse: contacts.strength[k],
    // At the limit of a joint it may be of an angle.
    unit: [contacts.feature_a[k]].some((f) => ["joint", "coordinate"].includes(word(f))) ? "N s or N m s" : "N s",
    energy: contacts.energy[k],
  };
}

export class ContactList {
  readonly root: HTMLElement;
  private readonly body = element("div", { class: "rows", role: "rowgroup" });
  private readonly scroller: HTMLElement;
  private rows: number[];
  private current = -1;

  constructor(
    private readonly motion: Motion,
    private readonly clock: Clock,
  ) {
    const { contacts } = motion;
    this.rows = Array.from({ length: contacts.count }, (_, k) => k);
    const kinds = [...new Set(Array.from(contacts.kind, (k) => contacts.words[k]))].sort();
    const filter = element("select", { "aria-label": "Kind of contact", change: () => this.filter(filter.value) }, element("option", { value: "" }, "all kinds"));
    for (const kind of kinds) filter.append(element("option", { value: kind }, kind));
    const heads = ["#", "time, s", "kind", "pair", "features", "impulse, N s", "energy, J"];
    const header = element("div", { class: "row head", role: "row" }, ...heads.map((head) => element("span", { role: "columnheader" }, head)));
    this.scroller = element("div", { class: "scroller", tabindex: 0, role: "table", "aria-label": "Contact events" }, header, this.body);
    this.scroller.addEventListener("scroll", () => this.draw());
    const more = contacts.total > contacts.count ? `, the first ${contacts.count} of them here, all in contacts.csv` : "";
    this.root = element(
      "div",
      { class: "contact-list" },
      element("div", { class: "list-bar" }, element("span", {}, `${contacts.total} contact events${more}`), filter),
      this.scroller,
    );
    this.scroller.style.height = `${Math.min(contacts.count + 1.2, 10) * ROW}px`;
    clock.onChange(() => this.follow());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.draw();
  }

  private filter(kind: string): void {
    const { contacts } = this.motion;
    this.rows = [];
    for (let k = 0; k < contacts.count; k++) if (kind === "" || contacts.words[contacts.kind[k]] === kind) this.rows.push(k);
    this.scroller.scrollTop = 0;
    this.draw();
  }

  /** Marks the last contact that has happened and keeps it in sight. */
  private follow(): void {
    const last = firstAfter(this.motion.contacts.time, this.clock.time + 1e-9 * this.clock.duration) - 1;
    if (last === this.current) return;
    this.current = last;
    const at = this.rows.indexOf(last);
    if (at >= 0 && !this.scroller.matches(":hover")) {
      const top = at * ROW;
      const view = this.scroller.clientHeight - ROW;
      if (top < this.scroller.scrollTop || top > this.scroller.scrollTop + view - ROW) this.scroller.scrollTop = Math.max(0, top - view / 2);
    }
    this.draw();
  }

  private draw(): void {
    const { contacts } = this.motion;
    const height = this.scroller.clientHeight || 10 * ROW;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 3);
    const last = Math.min(this.rows.length, first + Math.ceil(height / ROW) + 6);
    this.body.style.height = `${this.rows.length * ROW}px`;
    this.body.replaceChildren(
      ...this.rows.slice(first, last).map((k, n) => {
        const { kind, pair, features, impulse, energy } = describe(contacts, k);
        const dot = element("span", { class: "dot", "aria-hidden": "true" });
        dot.style.background = CONTACT_COLOURS[kind] ?? "#888";
        const row = element(
          "div",
          { class: k === this.current ? "row current" : "row", role: "row", title: `${pair} (${features})`, click: () => this.go(k) },
          element("span", { role: "cell" }, String(k + 1)),
          element("span", { role: "cell" }, timeText(contacts.time[k], this.clock.duration, 1)),
          element("span", { role: "cell" }, dot, kind),
          element("span", { role: "cell", class: "pair" }, pair),
          element("span", { role: "cell" }, features),
          element("span", { role: "cell" }, readable(impulse, 3)),
          element("span", { role: "cell" }, readable(energy, 3)),
        );
        row.style.top = `${(first + n) * ROW}px`;
        return row;
      }),
    );
  }

  private go(k: number): void {
    this.clock.play(false);
    this.clock.seek(this.motion.contacts.time[k]);
  }
}
