// Reports in a real browser: load, play, scrub, step, compare, and nothing on the console.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { changed, difference, fileOf, folder, launch, open, run, serve, thumbnail, withContacts } from "./tools.mjs";

/** Boxes that fly and turn, so many in a grid. */
const boxes = (count, steps, record = 1) => `
title = "Boxes"
[group.box]
layout = { grid = { count = [${count.join(", ")}], from = [0, 0, 0], step = [0.4, 0.4, 0.4] } }
shape = { box = [0.2, 0.15, 0.1] }
density = 500
velocity = ["0.1*sin(7*i)", "0.1*cos(5*i)", "0.1*sin(3*i)"]
angular_velocity = ["sin(i)", "cos(2*i)", 1]
[simulate]
steps = ${steps}
step = 0.002
record = { every = ${record} }
`;

const HOSTILE = `
title = "</title><script>window.attacked = 1</script><img src=x onerror='window.attacked = 2'>"
source = '"><script>window.attacked = 3</script>'
[body.one]
shape = { cube = 0.2 }
density = 100
[body.two]
shape = { cube = 0.2 }
density = 100
position = [0.5, 0, 0]
[body.three]
shape = { cube = 0.2 }
density = 100
position = [1, 0, 0]
[simulate]
steps = 20
step = 0.01
`;

/** Names that scenario files do not allow, for those who make reports in other ways. */
const NAMES = ["<img src=x onerror=window.attacked=4>", "very-long-name-".repeat(12), 'Kör-per "机器" \u202e 🎱'];

let browser;
let pendulum;
let struck;

before(async () => {
  browser = await launch();
  pendulum = run("double-pendulum", "double-pendulum", "--set", "simulate.duration=4");
  const events = Array.from({ length: 40 }, (_, k) => ({
    time: 0.05 + 0.09 * k,
    a: "upper",
    b: "lower",
    point: [0.3, 0, -0.2 + 0.01 * k],
    normal: [0, 0, 1],
    impulse: [0, 0, 1 + 0.1 * k],
  }));
  struck = withContacts(pendulum, "struck", events);
});
after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const time = (page) => page.evaluate(() => window.carom.clock.time);

test("a report opens, plays, pauses and asks the network for nothing", async () => {
  const { page, complaints, requests, close } = await open(browser, fileOf(pendulum));
  assert.equal(await page.locator("h1").textContent(), "Double pendulum");
  assert.equal(await time(page), 0);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.carom.clock.time > 0.1);
  await page.getByRole("button", { name: "Pause" }).click();
  const stopped = await time(page);
  await page.waitForTimeout(150);
  assert.equal(await time(page), stopped);
  assert.deepEqual(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("the slider, the plots and the keys go to a time", async () => {
  const { page, complaints, close } = await open(browser, fileOf(pendulum));
  await page.getByRole("slider", { name: "Time" }).fill("5000");
  assert.ok(Math.abs((await time(page)) - 2) < 0.01);
  const plot = page.locator(".u-over").first();
  const box = await plot.boundingBox();
  await plot.click({ position: { x: 0.75 * box.width, y: 0.5 * box.height } });
  assert.ok(Math.abs((await time(page)) - 3) < 0.05);
  await page.locator("h1").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const step = await time(page);
  assert.ok(step > 0 && step < 0.05, `${step}`);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await time(page), 0);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await time(page)) - 4) < 1e-9);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => window.carom.clock.playing);
  // The line of every plot stands where the motion is.
  await page.keyboard.press(" ");
  await page.evaluate(() => window.carom.clock.seek(2));
  const places = await page.locator(".now").evaluateAll((lines) => lines.map((line) => new DOMMatrix(getComputedStyle(line).transform).e / line.parentElement.clientWidth));
  assert.ok(places.length >= 4 && places.every((share) => Math.abs(share - 0.5) < 0.02), `${places}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("contacts are stepped through, listed and marked", async () => {
  const { page, complaints, close } = await open(browser, fileOf(struck));
  await page.locator("h1").click();
  await page.keyboard.press("]");
  assert.ok(Math.abs((await time(page)) - 0.05) < 1e-12);
  await page.keyboard.press("]");
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  assert.ok(Math.abs((await time(page)) - 0.14) < 1e-12);
  assert.equal(await page.locator(".row.current").getAttribute("title"), "upper – lower ()");
  await page.getByRole("button", { name: "Next contact" }).click();
  assert.ok(Math.abs((await time(page)) - 0.23) < 1e-12);
  // Only rows in sight are elements, and a click on one goes there.
  assert.ok((await page.locator(".rows .row").count()) < 40);
  await page.locator(".rows .row").nth(4).click();
  assert.ok(Math.abs((await time(page)) - 0.41) < 1e-12);
  await page.getByLabel("Kind of contact").selectOption("rest");
  assert.equal(await page.locator(".rows .row").first().locator("span").nth(1).textContent(), "0.1400");
  assert.deepEqual(complaints, []);
  await close();
});

test("everything can be shown and hidden, followed and looked at from all sides", async () => {
  const { page, complaints, close } = await open(browser, fileOf(struck));
  await page.evaluate(() => window.carom.clock.seek(2.03));
  await page.locator("h1").click();
  const shot = async () => (await page.waitForTimeout(120), thumbnail(page));
  const plain = await shot();
  for (const key of ["g", "d", "t", "n", "p", "e"]) await page.keyboard.press(key);
  const full = await shot();
  assert.notDeepEqual(plain, full);
  for (const key of ["b", "w", "j", "c", "i", "f", ",", "u", "+", "v", "v", "v", "r", "f", "f"]) await page.keyboard.press(key);
  await shot();
  await page.keyboard.press("?");
  assert.ok(await page.getByRole("dialog").isVisible());
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator(".body-list summary").click();
  await page.getByRole("button", { name: "Hide all bodies" }).click();
  await page.getByRole("checkbox", { name: "upper" }).check();
  assert.deepEqual(await page.evaluate(() => window.carom.stage.views[0].bodies.visible), [true, false]);
  assert.deepEqual(complaints, []);
  await close();
});

test("pictures look as they did, in light and dark", async () => {
  const examples = { "double-pendulum": pendulum, "four-bar": run("four-bar", "four-bar", "--set", "simulate.duration=1"), "cart-pendulum": run("cart-pendulum", "cart-pendulum", "--set", "simulate.duration=1") };
  for (const [name, out] of Object.entries(examples)) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, complaints, close } = await open(browser, fileOf(out), { colorScheme });
      await page.evaluate(() => window.carom.clock.seek(0.5));
      await page.waitForTimeout(150);
      const distance = difference(`${name} ${colorScheme}`, await thumbnail(page));
      assert.ok(distance < 6, `${name} ${colorScheme}: pixels differ by ${distance.toFixed(1)} of 255 on average`);
      assert.deepEqual(complaints, []);
      await close();
    }
  }
});

test("several runs are shown side by side, in step, with common curves", async () => {
  const rest = run("rest", "cart-pendulum:rest", "--set", "simulate.duration=1");
  const wild = run("wild", "cart-pendulum:wild", "--set", "simulate.duration=1.5");
  const server = await serve(rest, wild);
  try {
    const { page, complaints, requests, close } = await open(browser, server.address);
    assert.equal(await page.locator("h1").textContent(), "cart-pendulum:rest | cart-pendulum:wild");
    assert.deepEqual(await page.locator(".caption").allTextContents(), ["cart-pendulum:rest", "cart-pendulum:wild"]);
    const legend = await page.locator(".plot").first().locator(".legend .name").allTextContents();
    assert.equal(legend.length, 6);
    assert.ok(legend.includes("total · cart-pendulum:wild"));
    assert.equal(await page.evaluate(() => window.carom.clock.end), 1.5);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => window.carom.clock.time > 0.2);
    await page.waitForTimeout(50);
    const moved = await page.evaluate(() => window.carom.stage.views.map((view) => view.bodies.positions[1].toArray()));
    assert.notDeepEqual(moved[0], moved[1]);
    assert.ok(requests.every((url) => url.startsWith(server.address) || url.startsWith("data:")), `${requests}`);
    const answer = await page.request.get(`${server.address}run/1/summary.json`);
    assert.equal((await answer.json()).variant, "wild");
    assert.deepEqual(complaints, []);
    await close();
  } finally {
    server.end();
  }
});

test("a plan is shown beside its guess, judged, with all its curves", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("sphere", "sphere")));
  assert.deepEqual(await page.locator(".caption").allTextContents(), ["plan", "guess"]);
  const titles = await page.locator(".plot figcaption").allTextContents();
  for (const title of ["Controls and loads: forces in N", "Energy in J", "Residuals"]) assert.ok(titles.includes(title), `${titles}`);
  // Stationarity, feasibility, complementarity, rows, momentum and replay.
  assert.equal(await page.locator(".ledger td.good").count(), 6);
  assert.equal(await page.locator(".ledger tr", { hasText: "stationarity" }).count(), 1);
  assert.match(await page.locator(".ledger tr", { hasText: "objective" }).first().textContent(), /533\.57665/);
  assert.deepEqual(complaints, []);
  await close();
});

test("phases, planned contacts and time scales of a plan are read and marked in its curves", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("wall", "wall")));
  const rows = (title) => page.locator(`section[aria-label="${title}"] tbody tr`);
  assert.equal(await rows("Phases").count(), 2);
  assert.match(await rows("Phases").first().innerText(), /0\.96\d+[\s\S]*impact: vertex \d of cube on wall/);
  assert.equal(await rows("Planned contacts").count(), 1);
  assert.match(await rows("Planned contacts").first().innerText(), /^0\.2173\d+[\s\S]*0\.0129/);
  assert.deepEqual(complaints, []);
  await close();
});

test("hostile names are shown as text", async () => {
  const { page, complaints, close } = await open(
    browser,
    fileOf(
      changed(run("hostile", HOSTILE), "renamed", (report) => {
        report.motions[0].scene.bodies.forEach((body, k) => (body.name = NAMES[k]));
        report.motions[0].plots[0].series[0].name = NAMES[0];
        report.ledger[0].remark = NAMES[0];
      }),
    ),
  );
  assert.match(await page.locator("h1").textContent(), /<script>window.attacked = 1/);
  await page.locator("h1").click();
  await page.keyboard.press("n");
  await page.locator(".body-list summary").click();
  await page.waitForTimeout(150);
  assert.equal(await page.evaluate(() => window.attacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok(await page.getByRole("checkbox", { name: "<img src=x onerror=window.attacked=4>" }).isVisible());
  assert.deepEqual(complaints, []);
  await close();
});

test("a phone shows everything in its width", async () => {
  const { page, complaints, close } = await open(browser, fileOf(struck), { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const [page_width, window_width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(page_width <= window_width, `${page_width} > ${window_width}`);
  await page.getByRole("button", { name: "Play" }).tap();
  await page.waitForFunction(() => window.carom.clock.time > 0.05);
  assert.deepEqual(complaints, []);
  await close();
});

test("10,000 frames of 10 bodies open in under 2 s", async (t) => {
  const out = run("frames", boxes([10, 1, 1], 9_999));
  const size = fs.statSync(path.join(out, "report.html")).size;
  const times = [];
  // A busy machine gets a second and a third chance.
  for (let k = 0; k < 3 && !(times.at(-1) < 2000); k++) {
    const { page, close } = await open(browser, fileOf(out));
    assert.equal(await page.evaluate(() => window.carom.stage.views[0].motion.time.length), 10_000);
    times.push(await page.evaluate(() => window.carom.opened));
    await close();
  }
  t.diagnostic(`opened in ${times.map((ms) => Math.round(ms)).join(", ")} ms, ${(size / 1e6).toFixed(1)} MB`);
  assert.ok(times.at(-1) < 2000, `${times}`);
});

test("1,000 bodies play at more than 20 frames per second", async (t) => {
  const { page, complaints, close } = await open(browser, fileOf(run("thousand", boxes([10, 10, 10], 300))));
  assert.equal(await page.evaluate(() => window.carom.stage.views[0].motion.scene.bodies.length), 1000);
  const bare = await page.evaluate(bareTriangles);
  await page.getByRole("button", { name: "Play" }).click();
  let best = 0;
  for (let k = 0; k < 8 && best <= 20; k++) {
    await page.waitForTimeout(1000);
    best = Math.max(best, await page.evaluate(() => window.carom.stage.framesPerSecond));
  }
  const figures = `${best.toFixed(0)} frames/s with 1,000 bodies, ${bare.toFixed(0)} with as many bare triangles`;
  t.diagnostic(figures);
  assert.deepEqual(complaints, []);
  await close();
  // Twice the work of bare triangles is fair; where even they are slow, the machine is.
  if (best <= 20 && bare < 40) t.skip(`this machine cannot draw 12,000 triangles 40 times a second: ${figures}`);
  else assert.ok(best > 20, figures);
});

/** Frames per second of 12,000 triangles on the place of the motion, by the plainest means. */
function bareTriangles() {
  const canvas = document.createElement("canvas");
  canvas.width = 333;
  canvas.height = 300;
  canvas.style.cssText = "position: absolute; inset: 0; width: 100%; height: 100%";
  document.querySelector(".canvas-holder").append(canvas);
  const gl = canvas.getContext("webgl2", { antialias: false });
  const program = gl.createProgram();
  const sources = [
    [gl.VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"],
    [gl.FRAGMENT_SHADER, "precision mediump float; void main() { gl_FragColor = vec4(1.0); }"],
  ];
  for (const [kind, source] of sources) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const corners = new Float32Array(12_000 * 6);
  for (let k = 0; k < corners.length; k += 6) {
    const [x, y] = [Math.sin(k), Math.cos(7 * k)];
    corners.set([x, y, x + 0.05, y, x, y + 0.05], k);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return new Promise((resolve) => {
    let frames = 0;
    const begin = performance.now();
    const tick = (now) => {
      if (now - begin > 2000) {
        canvas.remove();
        return resolve((frames * 1000) / (now - begin));
      }
      gl.drawArrays(gl.TRIANGLES, 0, 36_000);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      frames++;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}

test("a moment can be linked to, a picture saved, values read under the pointer", async () => {
  const { page, complaints, close } = await open(browser, `${fileOf(pendulum)}#t=1.25`);
  assert.equal(await time(page), 1.25);
  await page.evaluate(() => window.carom.clock.seek(2.5));
  await page.locator("summary", { hasText: "Share" }).click();
  await page.getByRole("button", { name: "Copy a link to this moment" }).click();
  assert.equal(await page.evaluate(() => location.hash), "#t=2.5");
  await page.evaluate(() => (location.hash = "#t=0.5"));
  await page.waitForFunction(() => window.carom.clock.time === 0.5);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save this picture as PNG" }).click();
  const picture = fs.readFileSync(await (await saved).path());
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  assert.ok(picture.length > 5_000, "the picture is not empty");
  const over = page.locator(".plot .u-over").first();
  const value = page.locator(".plot .legend .value").nth(1);
  const now = await value.textContent();
  await over.hover({ position: { x: 200, y: 40 } });
  assert.notEqual(await value.textContent(), now);
  await page.mouse.move(5, 5);
  await page.waitForFunction((text) => document.querySelectorAll(".plot .legend .value")[1].textContent === text, now);
  assert.deepEqual(complaints, []);
  await close();
});

test("constant curves are folded away, verdicts are explained, bodies have the colours of their file", async () => {
  const out = run(
    "coloured",
    `
title = "Coloured"
[body.one]
shape = { cube = 0.2 }
density = 100
color = "#123456"
velocity = [1, 0, 0]
[body.ball]
shape = { sphere = { radius = 0.2, divisions = 12 } }
density = 100
position = [0, 1, 0]
[simulate]
steps = 20
step = 0.01
`,
  );
  const { page, complaints, close } = await open(browser, fileOf(out));
  assert.equal(await page.evaluate(() => window.carom.stage.views[0].bodies.colours[0]), "#123456");
  const folded = page.locator("details.constant");
  assert.equal(await folded.getAttribute("open"), null);
  assert.ok((await folded.locator(".plot").count()) >= 2);
  assert.ok((await page.locator(".ledger .meaning").count()) >= 3);
  // Facets of a ball are no edges.
  const edges = await page.evaluate(() => window.carom.stage.views[0].bodies.batches.map((batch) => batch.edges?.geometry.getAttribute("position").count ?? 0));
  assert.deepEqual([...edges].sort((a, b) => a - b), [0, 24]);
  assert.deepEqual(complaints, []);
  await close();
});
