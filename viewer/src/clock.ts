// The one time that all views, curves and lists follow.

export class Clock {
  time: number;
  playing = false;
  speed = 1;
  loop = true;
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
  }

  get duration(): number {
    return this.end - this.start;
  }

  /** Calls `listener` whenever the time or the play state changes. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Goes to a time inside the motion. */
  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.changed();
  }

  play(on: boolean): void {
    if (on && this.time >= this.end) this.time = this.start;
    this.playing = on && this.duration > 0;
    this.changed();
  }

  /** Goes on by real seconds. */
  advance(seconds: number): void {
    if (!this.playing) return;
    let time = this.time + seconds * this.speed;
    if (time >= this.end) {
      if (this.loop) time = this.start + ((time - this.start) % this.duration);
      else {
        time = this.end;
        this.playing = false;
      }
    }
    this.seek(time);
  }
}

/** The time that the end of an address asks for: `#t=1.25`. */
export function timeOf(hash: string): number | null {
  const text = new URLSearchParams(hash.slice(1)).get("t");
  const time = text ? Number(text) : NaN;
  return Number.isFinite(time) ? time : null;
}

/** Speeds to choose from, so that a motion of `duration` seconds can be watched. */
export function speeds(duration: number): { values: number[]; usual: number } {
  const values = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];
  // At its own speed if that takes between 4 and 40 seconds, else so that it does.
  const fits = (speed: number) => duration / speed <= 40 && duration / speed >= 3;
  const byCloseness = [...values].sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)));
  return { values, usual: byCloseness.find(fits) ?? (duration > 40 ? 1000 : 0.01) };
}
