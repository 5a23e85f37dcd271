// Light and dark: as the system wants, until a button says otherwise.

export class Theme {
  private chosen: "light" | "dark" | null = null;
  private readonly listeners: (() => void)[] = [];
  private readonly query = window.matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    this.apply();
    this.query.addEventListener("change", () => this.changed());
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === "dark" : this.query.matches;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    this.changed();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }

  private changed(): void {
    this.apply();
    for (const listener of this.listeners) listener();
  }

  /** A colour of the style sheet. */
  colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
}
