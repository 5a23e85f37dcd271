// Numbers as people read them.

/** A number with about `digits` digits; with an exponent where that is shorter. */
export function readable(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(Math.max(digits - 2, 0)).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** Labels of an axis: all with the same number of digits, as many as their distance asks for. */
export function tickLabels(values: number[]): string[] {
  const finite = values.filter((v) => Number.isFinite(v));
  const size = Math.max(...finite.map(Math.abs), 0);
  if (size === 0) return values.map((v) => (Number.isFinite(v) ? "0" : ""));
  let step = Infinity;
  for (let k = 1; k < finite.length; k++) step = Math.min(step, Math.abs(finite[k] - finite[k - 1]) || Infinity);
  if (!Number.isFinite(step)) step = size;
  if (size >= 1e5 || size < 1e-3) {
    const digits = Math.min(Math.max(Math.ceil(Math.log10(size / step) - 1e-9), 0), 10);
    const noise = step * 1e-6;
    return values.map((v) => (Math.abs(v) < noise ? "0" : v.toExponential(digits).replace("e+", "e")));
  }
  // As many decimals as it takes to write the step: 0.25 needs two.
  let digits = Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 12);
  while (digits < 12 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-3 * step * 10 ** digits) digits++;
  return values.map((v) => v.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1"));
}

/** Time with as many decimals as the whole duration asks for, and some more. */
export function timeText(t: number, duration: number, more = 0): string {
  const digits = duration > 0 ? Math.min(Math.max(3 - Math.floor(Math.log10(duration)), 0) + more, 9) : 3;
  return t.toFixed(digits);
}

/** A number's last digit and its unit. */
const UNIT = /\d (N m s|N m|N s|N|m\/s|m|s|J|kg|rad|Pa)(?![\w/])/g;

/** Text whose numbers have a real minus and keep their unit on their line. */
export function typeset(text: string): string {
  return text.replace(/(^|[\s(,]|\de)-(?=\d)/g, "$1\u2212").replace(UNIT, (all) => all.replace(/ /g, "\u00a0"));
}
