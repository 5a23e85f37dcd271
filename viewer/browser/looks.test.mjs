// What a report shows at a glance: colours, bounds, arrows, limits, the camera, sharpness, convergence.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { carom, fileOf, folder, launch, open, run, serve } from "./tools.mjs";

/** A box that falls, and rests on a floor that is a hundred times as wide. */
const REST = `
title = "Box at rest"
gravity = [0, 0, -10]
[body.plate]
kind = "static"
shape = { box = [100, 100, 1] }
position = [0, 0, -0.5]
[body.crate]
shape = { cube = 0.2 }
mass = 3
position = [0, 0, 0.15]
color = "#aa3377"
[contact]
restitution = 0
friction = 0.5
[simulate]
law = "exact"
duration = 0.5
step = 0.005
`;

/** A motor drives an arm against the limit of its hinge; a slide hits a stop. */
const LIMITS = `
title = "Limits"
[body.arm]
shape = { box = [1, 0.05, 0.05] }
mass = 1
position = [2.5, 0, 0]
[joint.hinge]
kind = "revolute"
between = ["world", "arm"]
at = [2, 0, 0]
axis = [0, 0, 1]
limits_deg = [-30, 40]
[body.cart]
shape = { cube = 0.1 }
mass = 1
position = [0, 0, 0]
velocity = [1, 0, 0]
[joint.guide]
kind = "prismatic"
between = ["world", "cart"]
axis = [1, 0, 0]
limits = [-0.2, 0.3]
[load.motor]
joint = "hinge"
value = 2
[contact]
restitution = 0.5
[simulate]
law = "exact"
duration = 1
step = 0.005
`;

/** A cart that must be quick: its force comes near its bound. */
const BOUNDED = `
title = "Bounded"
[body.cart]
shape = { cube = 0.2 }
mass = 1
[optimise]
minimise = [{ effort = 1 }]
controls.cart = { force = { each = 3 } }
goal.cart = { position = [2, 0, 0], rest = true }
[[phase]]
steps = 20
step = 0.1
`;

/** An elastic plate with 20,700 triangles at its surface. */
const PLATE = `
[body.plate]
elastic = { box = [0.7, 0.7, 0.02], cells = [69, 69, 3], E = 1e5, nu = 0.3 }
density = 1000
angular_velocity = [3, 1, 8]
[simulate]
steps = 4
step = 2e-4
integrator = "newmark"
`;

/** An elastic block with a colour of its own. */
const SOFT = `
title = "Soft"
[body.block]
elastic = { box = [0.4, 0.2, 0.2], cells = [2, 1, 1], E = 1e5, nu = 0.3 }
density = 1000
color = "#335577"
velocity = [0.1, 0, 0]
[simulate]
law = "none"
duration = 0.01
step = 0.0002
`;

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const seek = async (page, t) => {
  await page.evaluate((time) => window.carom.clock.seek(time), t);
  // A busy machine takes its time to draw.
  await page.waitForFunction(() => !window.carom.stale);
};
/** Name, colour and dashes of every curve of every plot. */
const legends = (page) =>
  page.locator(".plot .legend button").evaluateAll((items) =>
    items.map((item) => {
      const line = item.querySelector("line");
      return { name: item.querySelector(".name").textContent, colour: line.style.stroke, dash: line.getAttribute("stroke-dasharray") };
    }),
  );

test("a colour is a channel, dashes are a run, and bodies look the same in both", async () => {
  const rest = run("colour-rest", "cart-pendulum:rest", "--set", "simulate.duration=0.5");
  const wild = run("colour-wild", "cart-pendulum:wild", "--set", "simulate.duration=0.5");
  const server = await serve(rest, wild);
  try {
    const { page, complaints, close } = await open(browser, server.address);
    const curves = await legends(page);
    const channels = new Map();
    for (const { name, colour, dash } of curves) {
      const [channel, label] = name.split(" · ");
      assert.equal(channels.get(channel)?.colour ?? colour, colour, name);
      channels.set(channel, { colour });
      assert.equal(dash === "", label === "cart-pendulum:rest", name);
    }
    // x is red wherever it is.
    assert.equal(channels.get("x").colour, "rgb(217, 72, 72)");
    const seen = await page.evaluate(() => window.carom.stage.views.map((view) => view.bodies.colours));
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(complaints, []);
    await close();
  } finally {
    server.end();
  }
});

test("the camera fits what moves, not what lies around", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("wide", REST)));
  const [radius, height] = await page.evaluate(() => {
    const { stage } = window.carom;
    return [stage.radius, (0.2 * stage.pixelsPerMetre) / stage.canvas.clientHeight];
  });
  assert.ok(radius < 0.6, `${radius}`);
  assert.ok(height > 0.2, `the box takes up ${height} of the height`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a resting contact shows its force, with a key, and its name under the pointer", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("rest-force", REST)));
  const events = await page.evaluate(() => {
    const { contacts } = window.carom.stage.views[0].motion;
    return Array.from(contacts.time, (t, k) => [t, contacts.words[contacts.kind[k]]]);
  });
  const [time] = events.findLast(([, kind]) => kind === "rest" || kind === "stick");
  await seek(page, time);
  const forces = await page.evaluate(() => window.carom.stage.views[0].contacts.shown.filter(({ mark }) => mark.isForce).map(({ mark }) => mark.size));
  assert.equal(forces.length, 1);
  // Its weight: 3 kg at 10 m/s².
  assert.ok(Math.abs(forces[0] - 30) < 3, `${forces}`);
  const key = await page.locator(".key > div").allTextContents();
  assert.ok(key.length >= 1 && key.every((text) => /^[0-9.e-]+ N( s)?$/.test(text)), `${key}`);
  assert.ok(key.some((text) => text.endsWith(" N")), `${key}`);
  const at = await page.evaluate(() => {
    const { stage } = window.carom;
    return stage.project(stage.views[0].contacts.shown[0].at, 0);
  });
  const box = await page.locator(".canvas-holder > canvas").boundingBox();
  await page.mouse.move(box.x + at.x, box.y + at.y);
  assert.match(await page.locator(".tip.on").textContent(), /plate|crate/);
  assert.deepEqual(complaints, []);
  await close();
});

test("recorded forces are shown at all times", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("forces", REST.replace("[simulate]", "[simulate]\nforces = true"))));
  // Long after the last event.
  await seek(page, 0.4);
  const forces = await page.evaluate(() => window.carom.stage.views[0].contacts.shown.map(({ mark }) => [mark.recorded, mark.size]));
  assert.equal(forces.length, 1, `${forces}`);
  assert.ok(forces[0][0] && Math.abs(forces[0][1] - 30) < 1e-3, `${forces}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a sweep is coloured by any value, says it under the pointer, and leaves out empty columns", async () => {
  const file = path.join(folder, "sweep.toml");
  fs.writeFileSync(file, `${REST.replace("restitution = 0\n", 'restitution = "bounce"\n').replace("0.15]", '"h"]')}\n[parameters]\nbounce = 0\nh = 0.2\n[measure]\npeak = { largest = "crate.vz" }\n[sweep.vary]\nh = [0.15, 0.2]\nbounce = [0, 0.5]\n`);
  const out = path.join(folder, "sweep");
  execFileSync(carom, ["sweep", file, "--out", out], { stdio: ["ignore", "ignore", "inherit"] });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`file://${path.join(out, "sweep.html")}`);
  await page.locator("#pc").selectOption({ label: "bounce" });
  const fills = await page.locator("#cloud circle").evaluateAll((dots) => dots.map((dot) => dot.getAttribute("fill")));
  assert.equal(fills.length, 4);
  assert.equal(new Set(fills).size, 2);
  assert.match(await page.locator("#cloud circle title").first().textContent(), /^run 0\nh = /);
  assert.ok(!(await page.locator("#table th").allTextContents()).some((name) => name.startsWith("reason")));
  const [wide, window_width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= window_width, `${wide}`);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("arrows have one scale in compared runs", async () => {
  const light = run("light", REST);
  const heavy = run("heavy", REST.replace("mass = 3", "mass = 30"));
  const server = await serve(light, heavy);
  try {
    const { page, close } = await open(browser, server.address);
    const scales = await page.evaluate(() => window.carom.stage.views.map((view) => view.contacts.scale));
    assert.deepEqual(scales[0], scales[1]);
    assert.ok(scales[0].force > 0);
    await close();
  } finally {
    server.end();
  }
});

test("limits and joints are drawn where they act", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("limits", LIMITS)));
  const links = await page.evaluate(() => window.carom.stage.views[0].motion.scene.links.map((link) => [link.kind, link.name]));
  for (const name of ["hinge lower limit", "hinge upper limit", "guide lower limit", "guide upper limit"]) {
    assert.ok(links.some(([kind, other]) => kind === "limit" && other === name), `${name}: ${links}`);
  }
  // A hit is marked at the limit: on the ray at 40°, at the stop 0.3 m along the guide.
  const hits = await page.evaluate(() => {
    const { contacts } = window.carom.stage.views[0].motion;
    return Array.from(contacts.time, (t, k) => [t, contacts.words[contacts.a[k]]]);
  });
  const placed = async (name) => {
    await seek(page, hits.find(([, a]) => a === name)[0]);
    return page.evaluate(() => window.carom.stage.views[0].contacts.shown.map(({ at }) => at.toArray()));
  };
  const [guide] = await placed("guide");
  assert.ok(Math.abs(guide[0] - 0.3) < 1e-6 && Math.abs(guide[1]) < 1e-6, `${guide}`);
  const [hinge] = await placed("hinge");
  const angle = (Math.atan2(hinge[1], hinge[0] - 2) * 180) / Math.PI;
  assert.ok(Math.abs(angle - 40) < 1e-3, `${angle}`);
  // The curve of the angle keeps between the same limits.
  const curve = page.locator(".plot", { hasText: "Joint angles" });
  assert.match(await curve.locator(".legend .bounds").textContent(), /in \[-0.5236, 0.6981\]/);
  assert.deepEqual(complaints, []);
  await close();
});

test("pictures are sharp again when paused", async () => {
  const { page, close } = await open(browser, fileOf(run("sharp", REST)), { deviceScaleFactor: 2 });
  const share = () => page.evaluate(() => window.carom.stage.canvas.width / window.carom.stage.canvas.clientWidth);
  await page.evaluate(() => {
    window.carom.clock.play(true);
    window.carom.stage.coarsen(0.5);
  });
  assert.ok((await share()) <= 0.75);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForFunction(() => Math.abs(window.carom.stage.canvas.width / window.carom.stage.canvas.clientWidth - 2) < 0.01);
  await close();
});

test("bounds of controls are drawn, what tells most comes first, the search is shown", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("bounded", BOUNDED)));
  const titles = await page.locator(".plot figcaption").allTextContents();
  assert.match(titles[0], /^Controls/);
  const first = page.locator(".plot").first();
  assert.match(await first.locator(".legend .bounds").first().textContent(), /in \[-3, 3\]/);
  // The line of the bound is there across the whole plot.
  const painted = await page.evaluate(() => {
    const { chart } = window.carom.plots.cards[0];
    const y = Math.round(chart.valToPos(3, "y", true));
    const { left, width } = chart.bbox;
    const { data } = chart.ctx.getImageData(left, y, width, 1);
    let seen = 0;
    for (let k = 3; k < data.length; k += 4) if (data[k] > 100) seen++;
    return seen / width;
  });
  assert.ok(painted > 0.95, `${painted}`);
  // Iterations are no seconds.
  assert.ok(Math.abs((await page.evaluate(() => window.carom.clock.end)) - 2) < 1e-9);
  const search = page.locator(".plot", { hasText: "Convergence: largest violated constraint" });
  assert.equal(await search.count(), 1);
  assert.equal(await search.locator(".now").count(), 0);
  const over = search.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  await over.hover({ position: { x: 80, y: 40 } });
  assert.match(await search.locator(".tip-head").textContent(), /^iteration \d+$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("curves have values to their very end, and torques that are round-off are folded away", async () => {
  const arm = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../docs/tutorial/5-plan.toml");
  const { page, complaints, close } = await open(browser, fileOf(run("arm", arm)));
  await seek(page, await page.evaluate(() => window.carom.clock.end));
  const values = await page.locator(".plot .legend .value").allTextContents();
  assert.ok(values.length > 20 && !values.includes("–"), `${values}`);
  // Hinges of a planar arm carry forces and no torques.
  const folded = page.locator(".constant .plot", { hasText: "Torques in joints" });
  assert.equal(await folded.count(), 1);
  assert.equal(await page.locator(".constant .plot", { hasText: "Forces in joints" }).count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("the pointer over a curve shows time and values beside it", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("hover", REST)));
  const over = page.locator(".plot .u-over").first();
  await over.hover({ position: { x: 150, y: 40 } });
  const tip = page.locator(".plot-tip.on");
  assert.match(await tip.locator(".tip-head").textContent(), /^t = .* s$/);
  assert.match(await tip.textContent(), /total.*J/);
  await page.mouse.move(5, 5);
  assert.equal(await page.locator(".plot-tip.on").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("elastic bodies have the colour of their file and values under the pointer", async () => {
  const { page, complaints, close } = await open(browser, fileOf(run("soft", SOFT)));
  const colour = await page.evaluate(() => window.carom.stage.views[0].surfaces.shown[0].colour.getHexString());
  assert.equal(colour, "335577");
  await page.locator(".body-list summary").click();
  await page.getByRole("checkbox", { name: "block" }).uncheck();
  await page.waitForFunction(() => !window.carom.stage.views[0].surfaces.shown[0].mesh.visible);
  await page.getByRole("checkbox", { name: "block" }).check();
  await page.getByLabel("Colour of elastic bodies").selectOption("stress");
  const box = await page.locator(".canvas-holder > canvas").boundingBox();
  // It is found under the pointer once it is drawn again.
  await page.waitForFunction(() => window.carom.stage.views[0].surfaces.shown[0].mesh.visible);
  const tip = page.locator(".tip.on");
  for (let n = 0; n < 50 && (await tip.count()) === 0; n++) {
    await page.mouse.move(box.x + box.width / 2 + (n % 2), box.y + box.height / 2);
    await page.waitForTimeout(100);
  }
  assert.match(await tip.textContent(), /^block, von Mises stress .* Pa$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("20,000 moving triangles are placed in buffers that stay, each sent once a frame", async () => {
  const out = run("plate", PLATE);
  const { page, complaints, close } = await open(browser, fileOf(out));
  await page.getByLabel("Colour of elastic bodies").selectOption("stress");
  const seen = await page.evaluate(() => {
    const { stage, clock, show } = window.carom;
    const [view] = stage.views;
    const [{ geometry }] = view.surfaces.shown;
    const look = () => {
      const { position, color } = geometry.attributes;
      return { position, color, x: position.array, sent: [position.version, color.version, geometry.index.version], made: stage.renderer.info.memory.geometries };
    };
    const go = (part) => {
      view.update(clock.start + part * clock.duration, 0, show);
      stage.draw(true, performance.now());
    };
    go(0.05);
    const first = look();
    const corner = [...first.x.slice(0, 3)];
    for (let k = 0; k < 20; k++) go(0.1 + 0.04 * k);
    const last = look();
    // The same moment again costs nothing.
    go(0.86);
    const again = look();
    return {
      triangles: geometry.index.count / 3,
      same: first.position === last.position && first.color === last.color && first.x === last.x,
      moved: corner.some((value, i) => value !== last.x[i]),
      sent: last.sent.map((version, i) => version - first.sent[i]),
      made: last.made - first.made,
      again: again.sent.map((version, i) => version - last.sent[i]),
    };
  });
  assert.ok(seen.triangles >= 20_000, `${seen.triangles}`);
  assert.deepEqual(seen, { ...seen, same: true, moved: true, sent: [20, 20, 0], made: 0, again: [0, 0, 0] });
  assert.deepEqual(complaints, []);
  await close();
});

test("a moment is shared with its camera", async () => {
  const out = run("share", REST);
  const { page, complaints, close } = await open(browser, fileOf(out), { permissions: ["clipboard-read", "clipboard-write"] });
  await seek(page, 0.25);
  await page.locator("h1").click();
  await page.keyboard.press(".");
  await page.locator("summary", { hasText: "Share" }).click();
  await page.getByRole("button", { name: "Copy a link to this moment" }).click();
  const address = page.url();
  assert.match(address, /#t=0\.25&view=/);
  const camera = (other) => other.evaluate(() => window.carom.stage.camera.position.toArray());
  const here = await camera(page);
  const second = await open(browser, address);
  const there = await camera(second.page);
  assert.ok(here.every((c, k) => Math.abs(c - there[k]) < 1e-3), `${here} ${there}`);
  assert.deepEqual([...complaints, ...second.complaints], []);
  await second.close();
  await close();
});
