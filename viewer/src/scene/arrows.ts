// What the arrows at contacts show: impulses of impacts in N s, forces of resting contacts in N, on
// one scale for all views.

import type { Contacts, Motion } from "../payload";
import { firstAfter } from "../poses";

/** Length of an arrow in m, per N s and per N. */
export interface ArrowScale {
  impulse: number;
  force: number;
}

/** A contact to be marked. */
export interface Mark {
  /** The latest of its events. */
  event: number;
  /** On the first of the pair: impulse in N s, or force in N. */
  vector: [number, number, number];
  /** Its size, also where it has no direction in space. */
  size: number;
  isForce: boolean;
  /** Whether `event` counts among recorded forces instead of events. */
  recorded?: boolean;
}

/** Contacts that carry force from step to step. */
const STANDING = new Set(["rest", "stick", "slide"]);

export const isStanding = (contacts: Contacts, k: number) => contacts.step > 0 && STANDING.has(contacts.words[contacts.kind[k]]);

/**
 * Contacts from `from` to `to`, at most `most`, of many the latest. The impulses of a resting contact
 * are those of single steps: summed up over the steps they are told of, they are a force.
 */
export function marksBetween(contacts: Contacts, from: number, to: number, most: number): Mark[] {
  const end = firstAfter(contacts.time, to);
  const begin = Math.max(firstAfter(contacts.time, from - 1e-12 * Math.max(1, Math.abs(from))), end - 4 * most);
  const marks: Mark[] = [];
  const standing = new Map<string, { mark: Mark; steps: Set<number> }>();
  for (let k = begin; k < end; k++) {
    const vector = Array.from(contacts.impulse.subarray(3 * k, 3 * k + 3)) as Mark["vector"];
    if (!isStanding(contacts, k)) {
      marks.push({ event: k, vector, size: contacts.strength[k], isForce: false });
      continue;
    }
    const pair = `${contacts.a[k]} ${contacts.b[k]}`;
    let sum = standing.get(pair);
    if (!sum) {
      standing.set(pair, (sum = { mark: { event: k, vector: [0, 0, 0], size: 0, isForce: true }, steps: new Set() }));
      marks.push(sum.mark);
    }
    sum.mark.event = k;
    // That it rests and that it sticks is told of the same step: one impulse.
    if (sum.steps.has(contacts.time[k])) continue;
    sum.steps.add(contacts.time[k]);
    for (let c = 0; c < 3; c++) sum.mark.vector[c] += vector[c];
    sum.mark.size += contacts.strength[k];
  }
  for (const { mark, steps } of standing.values()) {
    const duration = steps.size * contacts.step;
    mark.vector = mark.vector.map((v) => v / duration) as Mark["vector"];
    mark.size /= duration;
  }
  return marks.slice(-most);
}

/** Forces recorded for the time around `t`, but for pairs that meet in it: their mean says little. */
export function forcesAt({ contacts, forces }: Motion, t: number, most: number): Mark[] {
  const begin = firstAfter(forces.time, t - 1e-12 * Math.max(1, Math.abs(t)));
  const frame = forces.time[begin];
  if (frame === undefined) return [];
  let before = begin - 1;
  while (before >= 0 && forces.time[before] >= frame) before--;
  const since = before >= 0 ? forces.time[before] : -Infinity;
  const pair = (list: Contacts, k: number) => `${list.words[list.a[k]]} – ${list.words[list.b[k]]}`;
  const meet = new Set<string>();
  for (let k = firstAfter(contacts.time, since); k < contacts.count && contacts.time[k] <= frame; k++) if (!isStanding(contacts, k)) meet.add(pair(contacts, k));
  const marks: Mark[] = [];
  for (let k = begin; k < forces.count && forces.time[k] === frame && marks.length < most; k++) {
    if (meet.has(pair(forces, k))) continue;
    marks.push({ event: k, vector: Array.from(forces.impulse.subarray(3 * k, 3 * k + 3)) as Mark["vector"], size: forces.strength[k], isForce: true, recorded: true });
  }
  return marks;
}

/** Impulses in N s and forces in N below this are round-off: contacts that just let go give nothing. */
const NOTHING = 1e-13;

/** One scale for all motions: nearly all arrows fit; the few strongest may stick out. */
export function arrowScale(motions: Motion[], radius: number): ArrowScale {
  // What has no direction in space has no arrow.
  const size = (contacts: Contacts, k: number) => Math.hypot(...contacts.impulse.subarray(3 * k, 3 * k + 3));
  const sizes = (standing: boolean) => {
    const list: number[] = [];
    for (const { contacts, forces } of motions) {
      if (standing) for (let k = 0; k < forces.count; k++) list.push(size(forces, k));
      for (let k = 0; k < contacts.count; k++) {
        if (isStanding(contacts, k) === standing) list.push(size(contacts, k) / (standing ? contacts.step : 1));
      }
    }
    return list.filter((s) => s > NOTHING).sort((a, b) => a - b);
  };
  const scale = (list: number[]) => {
    const typical = list[Math.floor(0.95 * (list.length - 1))] ?? 0;
    return typical > 0 ? (0.4 * radius) / typical : 0;
  };
  return { impulse: scale(sizes(false)), force: scale(sizes(true)) };
}
