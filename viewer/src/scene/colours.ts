// Colours that people with colour blindness can tell apart (Okabe and Ito), softened for surfaces.

export const BODY_COLOURS = ["#4a90c4", "#e6a23c", "#3aa687", "#cf86b3", "#7cc4ec", "#d9713a", "#c9bd45", "#8d83c9"];
export const PART_COLOURS = ["#4a90c4", "#e6a23c", "#3aa687", "#cf86b3", "#d9713a", "#c9bd45", "#8d83c9", "#7cc4ec", "#a5785a"];
export const STATIC_COLOUR = "#9a9a9a";
export const CURVE_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56a0d3", "#7a5fb5", "#8b5a2b"];
export const CURVE_COLOURS_DARK = ["#58a6e8", "#f08a4b", "#3fc79a", "#e39cc5", "#e0b54a", "#8cc8f0", "#ab95e6", "#c99f75"];
/** Red, green and blue of the directors d1, d2, d3, and of the axes x, y, z. */
export const AXIS_COLOURS = ["#d94848", "#3fa34d", "#3f6fd9"];
export const CONTACT_COLOURS: Record<string, string> = {
  impact: "#e0245e",
  stick: "#8a4fff",
  slide: "#ff8c1a",
  rest: "#2a9d8f",
  release: "#7f8c8d",
};

/** Colour of the body at a place in the list: its own, if the scenario gives it one. */
export function bodyColour(index: number, kind: string, own?: string | null): string {
  if (own && /^#[0-9a-f]{6}$/i.test(own)) return own;
  return kind === "static" ? STATIC_COLOUR : BODY_COLOURS[index % BODY_COLOURS.length];
}
