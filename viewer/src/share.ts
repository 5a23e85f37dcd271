// What can be given to others: a picture of the present moment, a link to it.

import { Vector3 } from "three";
import { button, element } from "./dom";
import type { Stage } from "./scene/stage";

/** What a link says of the camera: where it is and what it looks at. */
export function cameraOf(hash: string): number[] | null {
  const numbers = (new URLSearchParams(hash.slice(1)).get("view") ?? "").split(",").map(Number);
  return numbers.length === 6 && numbers.every(Number.isFinite) ? numbers : null;
}

/** The end of an address that leads to a time, and to a camera that was moved. */
export function hashOf(time: number, stage: Stage | null): string {
  const short = (x: number) => String(Number(x.toPrecision(5)));
  const view = stage?.moved ? [...stage.camera.position.toArray(), ...stage.controls.target.toArray()].map(short).join(",") : "";
  return `#t=${Number(time.toPrecision(9))}${view ? `&view=${view}` : ""}`;
}

/** Looks as a link says. */
export function lookAs(hash: string, stage: Stage | null): void {
  const numbers = cameraOf(hash);
  if (stage && numbers) stage.look(new Vector3(...numbers.slice(0, 3)), new Vector3(...numbers.slice(3)));
}

/** A button with a short list below it. */
export function shareMenu(save: () => void, copy: () => Promise<boolean>): HTMLElement {
  const said = element("p", { class: "said", role: "status" });
  const menu = element(
    "details",
    { class: "share" },
    element("summary", { "aria-label": "Share", title: "Save a picture, copy a link" }, "Share"),
    element(
      "div",
      { class: "share-list" },
      button("Save picture (PNG)", "Save this picture as PNG", () => {
        save();
        menu.open = false;
      }),
      button("Copy link to this moment", "Copy a link to this moment", () => {
        void copy().then((copied) => {
          said.textContent = copied ? "Copied." : "The link is in the address bar.";
        });
      }),
      said,
    ),
  );
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary")!.focus();
  });
  menu.addEventListener("toggle", () => (said.textContent = ""));
  return menu;
}
