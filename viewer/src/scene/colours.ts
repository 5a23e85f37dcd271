// Colours of what is no body and no channel.

export const PART_COLOURS = ["#4a90c4", "#e6a23c", "#3aa687", "#cf86b3", "#d9713a", "#c9bd45", "#8d83c9", "#7cc4ec", "#a5785a"];
export const CONTACT_COLOURS: Record<string, string> = {
  impact: "#e0245e",
  stick: "#8a4fff",
  slide: "#ff8c1a",
  rest: "#2a9d8f",
  release: "#7f8c8d",
  force: "#2a9d8f",
};
/** Of limits of joints. */
export const LIMIT_COLOUR = "#c0392b";
