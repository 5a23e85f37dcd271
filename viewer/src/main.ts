// Starts the page from the data that carom wrote into it.

import "./style.css";
import { App } from "./app";
import { element } from "./dom";
import { reportsOf } from "./payload";

declare global {
  interface Window {
    /** For tests and for the curious. */
    carom?: App;
  }
}

const root = document.getElementById("app")!;
try {
  const data = document.getElementById("carom-reports");
  const reports = reportsOf(data?.textContent ?? "[]");
  if (data) data.textContent = "";
  if (reports.length === 0) throw new Error("there is no report in this page");
  window.carom = new App(root, reports);
} catch (error) {
  root.append(element("p", { class: "error" }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
}
