// Poses between frames: positions linearly, orientations along the shorter arc.

import type { Motion } from "./payload";

/** The last frame not later than `t`; 0 before the first. */
export function frameAt(time: Float64Array, t: number): number {
  let low = 0;
  let high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first index whose time is later than `t`. */
export function firstAfter(time: Float64Array, t: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position and quaternion of every slot at one time: seven numbers each, used again. */
export class Poses {
  readonly values: Float32Array;

  constructor(private readonly motion: Motion) {
    this.values = new Float32Array(7 * motion.slots);
  }

  /** Computes all poses at time `t`; before the start and after the end the motion stands still. */
  at(t: number): Float32Array {
    const { motion, values } = this;
    const { time, position, rotation, slots } = motion;
    if (time.length === 0) return values;
    const k = frameAt(time, t);
    const next = Math.min(k + 1, time.length - 1);
    const span = time[next] - time[k];
    const s = span > 0 ? Math.min(Math.max((t - time[k]) / span, 0), 1) : 0;
    for (let slot = 0; slot < slots; slot++) {
      const a = 3 * (k * slots + slot);
      const b = 3 * (next * slots + slot);
      const out = 7 * slot;
      for (let c = 0; c < 3; c++) values[out + c] = position[a + c] + s * (position[b + c] - position[a + c]);
      const qa = 4 * (k * slots + slot);
      const qb = 4 * (next * slots + slot);
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += rotation[qa + c] * rotation[qb + c];
      const sign = dot < 0 ? -1 : 1;
      let size = 0;
      for (let c = 0; c < 4; c++) {
        const v = (1 - s) * rotation[qa + c] + s * sign * rotation[qb + c];
        values[out + 3 + c] = v;
        size += v * v;
      }
      size = Math.sqrt(size) || 1;
      for (let c = 0; c < 4; c++) values[out + 3 + c] /= size;
    }
    return values;
  }
}
