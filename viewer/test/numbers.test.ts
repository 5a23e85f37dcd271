import { describe, expect, it } from "vitest";
import { Clock, speeds, timeOf } from "../src/clock";
import { readable, tickLabels, timeText, typeset } from "../src/format";
import type { Motion, Plot } from "../src/payload";
import { boundsOf, DASHES, drawn, isConstant, merge, ordered, paddedRange, saysNothing, valueAt, withBounds, type Curve, type Merged } from "../src/curves";

describe("numbers", () => {
  it("are short", () => {
    expect([0, 1.23456, 1234567, 1e-9, -0.05, NaN].map((v) => readable(v))).toEqual(["0", "1.235", "1.23e6", "1.00e-9", "-0.05", "–"]);
  });
  it("of an axis have the same digits", () => {
    expect(tickLabels([0, 0.5, 1])).toEqual(["0.0", "0.5", "1.0"]);
    expect(tickLabels([0, 0.25, 0.5])).toEqual(["0.00", "0.25", "0.50"]);
    expect(tickLabels([2.00001, 2.00002])).toEqual(["2.00001", "2.00002"]);
    expect(tickLabels([-1e-7, 0, 1e-7])).toEqual(["-1e-7", "0", "1e-7"]);
    expect(tickLabels([0, 0])).toEqual(["0", "0"]);
    expect(tickLabels([])).toEqual([]);
  });
  it("of time suit the duration", () => {
    expect(timeText(1.23456, 2)).toBe("1.235");
    expect(timeText(123.456, 10000)).toBe("123");
    expect(timeText(123.456, 10000, 1)).toBe("123.5");
  });
  it("in text have a minus that holds them together", () => {
    expect(typeset("conserved to round-off (4.9e-17), by -3 J; cube-1")).toBe("conserved to round-off (4.9e\u221217), by \u22123\u00a0J; cube-1");
    expect(typeset("3 N m s and 2 N s or 5 sheep")).toBe("3\u00a0N\u00a0m\u00a0s and 2\u00a0N\u00a0s or 5 sheep");
  });
});

describe("the clock", () => {
  it("stays inside the motion, loops or stops", () => {
    const clock = new Clock(0, 2);
    clock.seek(5);
    expect(clock.time).toBe(2);
    clock.play(true);
    expect(clock.time).toBe(0);
    clock.advance(2.5);
    expect(clock.time).toBeCloseTo(0.5);
    clock.loop = false;
    clock.advance(9);
    expect([clock.time, clock.playing]).toEqual([2, false]);
  });
  it("does not play a single frame", () => {
    const clock = new Clock(1, 1);
    clock.play(true);
    expect(clock.playing).toBe(false);
  });
  it("has a usual speed that can be watched", () => {
    expect(speeds(10).usual).toBe(1);
    for (const duration of [1e-3, 0.2, 5, 100, 1e4]) {
      const seconds = duration / speeds(duration).usual;
      expect(seconds).toBeGreaterThan(0.05);
      expect(seconds).toBeLessThan(60);
    }
  });
});

describe("curves", () => {
  it("leave gaps where there is no number; sizes are drawn by their logarithm", () => {
    expect(drawn(Float64Array.of(1, NaN, -2), "linear")).toEqual([1, null, -2]);
    expect(drawn(Float64Array.of(100, 0, -10), "log")).toEqual([2, null, 1]);
  });
  it("do not make round-off look like motion", () => {
    const [low, high] = paddedRange(2, 2 + 1e-15);
    expect(high - low).toBeGreaterThan(1e-9);
    expect(paddedRange(0, 0)).toEqual([-1, 1]);
    expect(paddedRange(NaN, NaN)).toEqual([-1, 1]);
    // Parts of size 3 that cancel leave a line at zero.
    expect(paddedRange(-1e-16, 2e-16, 3)).toEqual([-3, 3]);
    expect(paddedRange(-1, 2, 3)[1]).toBeLessThan(2.5);
  });
  it("have values between their points, or hold them", () => {
    const curve = { time: Float64Array.of(0, 1), values: Float64Array.of(0, 10) };
    expect(valueAt(curve, 0.25, false)).toBe(2.5);
    expect(valueAt(curve, 0.25, true)).toBe(0);
    expect(valueAt(curve, 2, false)).toBeNaN();
    // The end of another motion of the same length differs by round-off.
    expect(valueAt(curve, curve.time[curve.time.length - 1] * (1 + 1e-15), false)).toBe(curve.values[curve.values.length - 1]);
  });
  it("of several motions share axes by title", () => {
    const plot = (title: string): Plot => ({ title, unit: "J", note: "", scale: "linear", size: 0, axis: "", time: Float64Array.of(0), series: [{ name: "total", values: Float64Array.of(1) }] });
    const motion = (label: string, titles: string[]) => ({ label, plots: titles.map(plot) }) as unknown as Motion;
    const merged = merge([motion("a", ["Energy"]), motion("b", ["Energy", "Gaps"])]);
    expect(merged.map((m) => m.curves.map((c) => c.name))).toEqual([["total · a", "total · b"], ["total · b"]]);
    expect(merged[0].curves[0].dash).not.toEqual(merged[0].curves[1].dash);
  });
});

describe("moments and plots", () => {
  it("reads a moment from an address", () => {
    expect(["#t=1.25", "#t=-2e-3", "#a=1&t=3", "#t=3&view=1", "", "#t=", "#time=3", "#t=x"].map(timeOf)).toEqual([1.25, -2e-3, 3, 3, null, null, null, null]);
  });
  it("tells constant plots from others", () => {
    const merged = (values: number[], size = 0) => ({ curves: [{ values: Float64Array.from(values) }], size }) as unknown as Merged;
    expect(isConstant(merged([2, 2, 2 + 1e-12]))).toBe(true);
    expect(isConstant(merged([2, 2.1]))).toBe(false);
    expect(isConstant(merged([0, 0]))).toBe(true);
    expect(isConstant(merged([1e-15, -1e-15], 3))).toBe(true);
    expect(isConstant(merged([NaN, 1, NaN]))).toBe(true);
    const sizes = (values: number[], axis = "") => ({ ...merged(values), plot: { scale: "log", axis } }) as unknown as Merged;
    expect(saysNothing(sizes([1e-16, 3e-15]))).toBe(true);
    expect(saysNothing(sizes([1e-16, 3e-15], "iteration"))).toBe(false);
    expect(saysNothing(sizes([1e-16, 3e-9]))).toBe(false);
  });
});

describe("bounds of curves", () => {
  const curve = (channel: string, bounds: Curve["bounds"]) => ({ channel, bounds }) as Curve;
  it("are gathered, each value once", () => {
    expect(boundsOf([curve("a", [-1, 1]), curve("b", [null, 1]), curve("c", null)])).toEqual([
      { value: -1, channels: ["a"] },
      { value: 1, channels: ["a", "b"] },
    ]);
  });
  it("are in sight unless they would flatten the curves", () => {
    expect(withBounds(0, 1, [-2, 3])).toEqual([-2, 3]);
    expect(withBounds(0, 1, [-200, 3])).toEqual([0, 3]);
  });
});

describe("the order of plots", () => {
  const merged = (title: string) => ({ plot: { title } }) as Merged;
  it("puts what was asked for first and how well it was computed last", () => {
    const titles = ["Time step", "Residuals", "Energy", "Linear momentum", "Gaps", "Controls and loads: forces", "Forces of contacts", "Convergence: objective"];
    expect(ordered(titles.map(merged)).map((m) => m.plot.title)).toEqual(["Controls and loads: forces", "Energy", "Gaps", "Forces of contacts", "Linear momentum", "Convergence: objective", "Residuals", "Time step"]);
  });
  it("dashes tell eight runs apart", () => {
    expect(new Set(DASHES.map((dash) => dash.join())).size).toBe(8);
  });
});
