// Ledger, facts and scenario: what can be read beside the motion.

import { button, element } from "./dom";
import { typeset } from "./format";
import type { Report, Verdict } from "./payload";

const SIGNS: Record<Verdict, string> = { good: "✓", plain: "", note: "!" };

/** A verdict in words, with a sign that does not need colour. */
export function verdictBadge([verdict, text]: [Verdict, string]): HTMLElement {
  return element("p", { class: `verdict ${verdict}` }, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]), text);
}

function ledgerTable(report: Report): HTMLElement {
  const rows = report.ledger.map((line) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, line.what),
      element("td", { class: "number" }, typeset(line.value)),
      element(
        "td",
        { class: line.verdict },
        typeset(`${SIGNS[line.verdict]} ${line.remark}`.trim()),
        ...(line.meaning ? [element("span", { class: "meaning" }, line.meaning)] : []),
      ),
    ),
  );
  const head = element("tr", {}, ...["quantity", "at the end", "verdict"].map((text) => element("th", { scope: "col" }, text)));
  return element("div", { class: "wide" }, element("table", { class: "ledger single" }, element("thead", {}, head), element("tbody", {}, ...rows)));
}

/** What a line means, where all runs mean the same. */
function meaningOf(reports: Report[], what: string): HTMLElement[] {
  const all = reports.flatMap((report) => report.ledger.filter((line) => line.what === what).map((line) => line.meaning ?? ""));
  const [first] = all;
  return first && all.every((text) => text === first) ? [element("span", { class: "meaning" }, first)] : [];
}

/** Several runs: a column each. */
function ledgerComparison(reports: Report[]): HTMLElement {
  const whats = [...new Set(reports.flatMap((report) => report.ledger.map((line) => line.what)))];
  const head = element("tr", {}, element("th", { scope: "col" }, "quantity"), ...reports.map((report) => element("th", { scope: "col" }, report.name)));
  const rows = whats.map((what) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, what, ...meaningOf(reports, what)),
      ...reports.map((report) => {
        const line = report.ledger.find((other) => other.what === what);
        if (!line) return element("td", {}, "–");
        return element("td", { class: line.verdict }, element("span", { class: "number" }, typeset(line.value)), element("br"), typeset(`${SIGNS[line.verdict]} ${line.remark}`.trim()));
      }),
    ),
  );
  return element("div", { class: "wide" }, element("table", { class: "ledger" }, element("thead", {}, head), element("tbody", {}, ...rows)));
}

function facts(report: Report): HTMLElement {
  const list = element("dl", { class: "facts" });
  for (const [name, value] of report.facts) list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return list;
}

/** Where `carom view` serves the files of run number `index`; nothing in a page opened as a file. */
function files(report: Report, index: number): HTMLElement[] {
  if (!location.protocol.startsWith("http")) return [];
  const names = ["summary.json", "scenario.toml", "trajectory.csv", "trajectory.npy", "contacts.csv", "motion.glb", "report.html"];
  if (report.motions.some((motion) => motion.name === "plan")) names.push("controls.csv", "guess.csv", "plan.json");
  const links = names.flatMap((name) => [element("a", { href: `/run/${index}/${name}`, download: name }, name), " "]);
  return [element("p", { class: "files" }, "Files: ", ...links)];
}

/** What to think of the run. */
export function ledgerPanel(reports: Report[]): HTMLElement {
  const panel = element("section", { class: "panel", "aria-label": "Ledger" }, element("h2", {}, "Ledger"));
  if (reports.length > 1) {
    reports.forEach((report, k) => {
      panel.append(element("h3", {}, report.name), verdictBadge(report.verdict), ...files(report, k));
    });
    panel.append(ledgerComparison(reports));
    return panel;
  }
  const [report] = reports;
  if (report.error) panel.append(element("p", { class: "error" }, report.error));
  panel.append(facts(report), ledgerTable(report), ...files(report, 0));
  return panel;
}

/** Tables of a report, a panel each; `named` says whose they are. */
export function tablePanels(report: Report, named: boolean): HTMLElement[] {
  return report.tables.map(({ title, note, columns, rows }) => {
    const heading = named ? `${title}: ${report.name}` : title;
    const head = element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)));
    const body = rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, typeset(text)))));
    const table = element("table", { class: "ledger" }, element("thead", {}, head), element("tbody", {}, ...body));
    const panel = element("section", { class: "panel", "aria-label": heading }, element("h2", {}, heading), element("div", { class: "wide" }, table));
    if (note) panel.append(element("p", { class: "note-line" }, note));
    return panel;
  });
}

/** The scenario as run, to read or copy. */
export function scenarioPanel(report: Report, named: boolean): HTMLElement {
  const text = element("pre", { tabindex: 0 }, element("code", {}, report.scenario));
  const copy = button("Copy", "Copy the scenario", () => {
    void navigator.clipboard?.writeText(report.scenario).then(() => {
      copy.textContent = "Copied";
    });
  });
  const title = named ? `Scenario as run: ${report.name}` : "Scenario as run";
  return element("details", { class: "panel scenario" }, element("summary", {}, title), copy, text);
}
