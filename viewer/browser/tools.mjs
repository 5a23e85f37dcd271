// What the browser tests share: runs of carom, a Chromium, pages that complain about everything.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
/** The binary under test. */
export const carom = path.resolve(root, process.env.CAROM ?? "target/debug/carom");
/** A folder for all runs, removed at the end. */
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "carom-browser-"));

/** Debian's Chromium, or what CHROMIUM names. */
function browserPath() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["chromium", "chromium-browser", "google-chrome"];
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one, then.
    }
  }
  throw new Error("there is no Chromium: install the package chromium, or set CHROMIUM");
}

/** A browser that draws without a graphics card. */
export function launch() {
  return chromium.launch({
    executablePath: browserPath(),
    headless: true,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}

/** Runs a scenario (an example, or text) and returns its folder. */
export function run(name, scenario, ...more) {
  const out = path.join(folder, name);
  let argument = scenario;
  if (scenario.includes("\n")) {
    argument = path.join(folder, `${name}.toml`);
    fs.writeFileSync(argument, scenario);
  }
  execFileSync(carom, ["run", argument, "--out", out, ...more], { stdio: ["ignore", "ignore", "inherit"] });
  return out;
}

/** A page whose every complaint and every request is noted. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader|software WebGL/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  await page.waitForFunction(() => window.carom?.opened > 0, null, { timeout: 30_000 });
  return { page, complaints, requests, close: () => context.close() };
}

/** The address of a run's report as a file. */
export const fileOf = (out) => `file://${path.join(out, "report.html")}`;

/** Starts `carom view` and returns its address and how to end it. */
export async function serve(...folders) {
  const child = spawn(carom, ["view", "--no-open", ...folders], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.trim());
    });
    child.on("exit", () => reject(new Error("carom view ended")));
  });
  return { address, end: () => child.kill() };
}

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");

/** A copy of a run's report in which `change` was at work. */
export function changed(out, name, change) {
  const html = fs.readFileSync(path.join(out, "report.html"), "utf8");
  const found = /(<script type="application\/json" id="carom-reports">)([^<]*)(<\/script>)/.exec(html);
  const reports = JSON.parse(found[2]);
  change(reports[0]);
  const data = JSON.stringify(reports).replaceAll("<", "\\u003c");
  const target = path.join(folder, name);
  fs.mkdirSync(target, { recursive: true });
  const [before, after] = [html.slice(0, found.index), html.slice(found.index + found[0].length)];
  fs.writeFileSync(path.join(target, "report.html"), before + found[1] + data + found[3] + after);
  return target;
}

/** A copy of a run's report with contact events of our own making. */
export function withContacts(out, name, events) {
  const words = ["impact", "rest", "", ...new Set(events.flatMap((e) => [e.a, e.b]))];
  const three = (key) => base64(Float32Array.from(events.flatMap((e) => e[key])));
  const contacts = {
    total: events.length,
    words,
    time: base64(Float64Array.from(events.map((e) => e.time))),
    kind: base64(Uint32Array.from(events.map((_, k) => k % 2))),
    a: base64(Uint32Array.from(events.map((e) => words.indexOf(e.a)))),
    b: base64(Uint32Array.from(events.map((e) => words.indexOf(e.b)))),
    feature_a: base64(Uint32Array.from(events.map(() => 2))),
    feature_b: base64(Uint32Array.from(events.map(() => 2))),
    point: three("point"),
    normal: three("normal"),
    impulse: three("impulse"),
    energy: base64(Float32Array.from(events.map(() => -0.5))),
  };
  return changed(out, name, (report) => (report.motions[0].contacts = contacts));
}

/** What the canvas shows, as 32 × 24 grey values: enough to see that the right things are there. */
export async function thumbnail(page) {
  const png = await page.locator(".canvas-holder > canvas").screenshot();
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const canvas = new OffscreenCanvas(32, 24);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, 32, 24);
    const { data: pixels } = context.getImageData(0, 0, 32, 24);
    return Array.from({ length: 32 * 24 }, (_, k) => Math.round((pixels[4 * k] + pixels[4 * k + 1] + pixels[4 * k + 2]) / 3));
  }, png.toString("base64"));
}

const REFERENCES = path.join(here, "references.json");

/** Mean difference of grey values to the picture of that name; UPDATE=1 takes a new one. */
export function difference(name, picture) {
  const references = fs.existsSync(REFERENCES) ? JSON.parse(fs.readFileSync(REFERENCES, "utf8")) : {};
  if (process.env.UPDATE) {
    references[name] = picture;
    const sorted = Object.fromEntries(Object.entries(references).sort());
    const lines = Object.entries(sorted).map(([key, values]) => `  ${JSON.stringify(key)}: [${values.join(",")}]`);
    fs.writeFileSync(REFERENCES, `{\n${lines.join(",\n")}\n}\n`);
  }
  const reference = references[name];
  if (!reference) throw new Error(`there is no picture of ${name}: run once with UPDATE=1`);
  return picture.reduce((sum, v, k) => sum + Math.abs(v - reference[k]), 0) / picture.length;
}
