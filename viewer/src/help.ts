// The list of keys.

import { button, element } from "./dom";

const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one frame back or on; with shift, ten"],
  ["[ ]", "previous or next contact"],
  ["Home End", "start or end of the motion"],
  ["f", "follow the next body"],
  ["r", "show the whole motion"],
  ["v", "look from the next side"],
  [", .", "turn the camera left or right"],
  ["u m", "tilt the camera up or down"],
  ["+ −", "nearer or farther"],
  ["b e d p", "bodies, edges, directors, convex parts"],
  ["c i", "contacts, impulses"],
  ["t g", "traces, ghosts"],
  ["j w n", "joints, walls and grid, names"],
  ["?", "this list"],
];

export function helpDialog(): HTMLDialogElement {
  const rows = KEYS.map(([key, what]) => element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, key)), element("td", {}, what)));
  const dialog = element(
    "dialog",
    { "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element("table", {}, element("tbody", {}, ...rows)),
    element("p", {}, "Drag turns the camera, the wheel moves it, a drag with the right button shifts it. A click or drag in a plot goes to that time."),
  );
  dialog.append(button("Close", "Close", () => dialog.close()));
  return dialog;
}
