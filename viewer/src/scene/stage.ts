// The canvas: one or several views side by side, one camera for all of them.

import { Color, PerspectiveCamera, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Mark } from "./arrows";
import type { View } from "./view";

export interface Tile {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Lays `count` views out in a box: beside each other if it is wide, else below. */
export function tiles(count: number, width: number, height: number): Tile[] {
  let best = { columns: 1, shape: -Infinity };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const aspect = width / columns / (height / rows);
    const shape = -Math.abs(Math.log(aspect / 1.25)) - 0.15 * (columns * rows - count);
    if (shape > best.shape) best = { columns, shape };
  }
  const rows = Math.ceil(count / best.columns);
  const [w, h] = [width / best.columns, height / rows];
  return Array.from({ length: count }, (_, k) => ({ x: (k % best.columns) * w, y: Math.floor(k / best.columns) * h, width: w, height: h }));
}

/** More bodies than this are many. */
const MANY = 200;

/** Whether this machine draws without a graphics card. */
function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly centre: Vector3;
  readonly radius: number;
  follow: number | null = null;
  /** Whether the camera is elsewhere than where it fits the motion. */
  moved = false;
  /** Frames drawn per second, while playing. */
  framesPerSecond = 0;
  /** Called after the camera moved. */
  onCamera: () => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly followed = new Vector3();
  private layout: Tile[] = [];
  private ratio: number;
  private readonly finest = Math.min(window.devicePixelRatio || 1, 2);
  private size = { width: 1, height: 1 };
  private drawn: number[] = [];
  private background = new Color("#ffffff");

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly views: View[],
  ) {
    // Without a graphics card, smooth edges of many bodies cost too much.
    const many = views.reduce((sum, view) => sum + view.motion.scene.bodies.length, 0) > MANY;
    this.renderer = new WebGLRenderer({ canvas, antialias: !(many && drawsInSoftware()) });
    this.ratio = this.finest;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setScissorTest(true);
    this.centre = views.reduce((sum, view) => sum.add(view.centre), new Vector3()).divideScalar(views.length);
    this.radius = Math.max(...views.map((view) => view.radius + view.centre.distanceTo(this.centre)));
    this.camera.up.set(...views[0].motion.scene.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.onCamera());
    this.controls.addEventListener("start", () => (this.moved = true));
    this.fit();
  }

  /** Looks at the whole motion from its best side, or from another direction. */
  fit(from: Vector3 = new Vector3(...this.views[0].motion.scene.view)): void {
    const aspect = this.layout.length > 0 ? this.layout[0].width / this.layout[0].height : 1.3;
    this.lookAt(this.centre, this.extent(from, aspect), from);
    this.followed.copy(this.centre);
    this.moved = false;
    if (this.follow !== null) this.track();
  }

  /** How far away the camera must be for all corners of the bounds to be in sight. */
  private extent(from: Vector3, aspect: number): number {
    const forward = from.clone().normalize();
    const right = new Vector3().crossVectors(this.camera.up, forward).normalize();
    const above = new Vector3().crossVectors(forward, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) * 0.88;
    let distance = 0;
    for (const view of this.views) {
      const [low, high] = view.motion.scene.bounds;
      for (let k = 0; k < 8; k++) {
        const corner = new Vector3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]).sub(this.centre);
        const side = Math.max(Math.abs(corner.dot(above)), Math.abs(corner.dot(right)) / aspect);
        distance = Math.max(distance, side / tangent + corner.dot(forward));
      }
    }
    return Math.max(distance, 1e-6);
  }

  /** Looks from a place at another. */
  look(from: Vector3, target: Vector3): void {
    this.lookAt(target, from.distanceTo(target), from.clone().sub(target));
    this.moved = true;
  }

  private lookAt(target: Vector3, distance: number, from: Vector3): void {
    this.camera.position.copy(target).addScaledVector(from.clone().normalize(), distance);
    this.controls.target.copy(target);
    const scale = Math.max(distance, this.radius);
    this.camera.near = scale / 500;
    this.camera.far = scale * 30;
    this.controls.update();
    this.onCamera();
  }

  /** Turns the camera about its target, in radians, and moves it nearer or farther. */
  orbit(around: number, above: number, zoom = 1): void {
    const arm = new Vector3().subVectors(this.camera.position, this.controls.target);
    arm.applyAxisAngle(this.camera.up, around);
    const right = new Vector3().crossVectors(this.camera.up, arm).normalize();
    const tilted = arm.clone().applyAxisAngle(right, -above);
    if (tilted.angleTo(this.camera.up) > 0.02 && tilted.angleTo(this.camera.up) < Math.PI - 0.02) arm.copy(tilted);
    this.moved = true;
    this.camera.position.copy(this.controls.target).addScaledVector(arm, zoom);
    this.controls.update();
    this.onCamera();
  }

  /** Looks at a body and goes with it. */
  setFollow(body: number | null): void {
    this.follow = body;
    if (body !== null) {
      this.followed.copy(this.controls.target);
      this.track();
    }
  }

  private track(): void {
    const at = this.follow === null ? undefined : this.views[0].bodies.positions[this.follow];
    if (!at) return;
    const step = new Vector3().subVectors(at, this.followed);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.followed.copy(at);
    this.controls.update();
  }

  setBackground(colour: string): void {
    this.background = new Color(colour);
  }

  resize(width: number, height: number): void {
    this.size = { width, height };
    this.renderer.setSize(width, height, false);
    this.layout = tiles(this.views.length, width, height);
  }

  get tiles(): Tile[] {
    return this.layout;
  }

  /** Draws all views. While playing, weak machines get fewer pixels rather than fewer frames. */
  draw(playing: boolean, now: number): void {
    if (!playing) this.sharpen();
    if (this.follow !== null) this.track();
    for (const [k, view] of this.views.entries()) {
      const tile = this.layout[k];
      const bottom = this.size.height - tile.y - tile.height;
      this.camera.aspect = tile.width / tile.height;
      this.camera.updateProjectionMatrix();
      this.renderer.setViewport(tile.x, bottom, tile.width, tile.height);
      this.renderer.setScissor(tile.x, bottom, tile.width, tile.height);
      this.renderer.setClearColor(this.background);
      // The light comes over the viewer's shoulder.
      const side = new Vector3().crossVectors(this.camera.up, this.camera.position.clone().sub(this.controls.target)).multiplyScalar(0.5);
      view.light.position.copy(this.camera.position).add(side).addScaledVector(this.camera.up, 0.6 * this.camera.position.distanceTo(this.controls.target));
      view.light.target.position.copy(this.controls.target);
      view.walls.face(this.camera.position);
      this.renderer.render(view.space, this.camera);
    }
    this.measure(playing, now);
  }

  /** Pixels that were saved while playing come back when it stands still. */
  private sharpen(): void {
    if (this.ratio !== this.finest) this.coarsen(this.finest);
  }

  /** So many pixels per point. */
  coarsen(ratio: number): void {
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.size.width, this.size.height, false);
  }

  private measure(playing: boolean, now: number): void {
    if (!playing) {
      this.drawn = [];
      return;
    }
    this.drawn.push(now);
    while (this.drawn.length > 2 && now - this.drawn[0] > 1000) this.drawn.shift();
    const span = now - this.drawn[0];
    if (span > 300) this.framesPerSecond = ((this.drawn.length - 1) * 1000) / span;
    if (span > 800 && this.framesPerSecond < 25 && this.ratio > 0.5) {
      this.coarsen(Math.max(0.5, this.ratio * (this.framesPerSecond < 14 ? 0.5 : 0.75)));
      this.drawn = [];
    }
  }

  /** Pixels per metre at the distance of what is looked at. */
  get pixelsPerMetre(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const height = this.layout[0]?.height ?? 1;
    return height / (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  /** What is under a point of the canvas: a contact, a body or an elastic surface, with its view. */
  pick(x: number, y: number): { view: number; body?: number; contact?: Mark; surface?: { name: string; value: string } } | null {
    const view = this.layout.findIndex((t) => x >= t.x && x < t.x + t.width && y >= t.y && y < t.y + t.height);
    if (view < 0) return null;
    const tile = this.layout[view];
    this.camera.aspect = tile.width / tile.height;
    this.camera.updateProjectionMatrix();
    const pointer = new Vector2(((x - tile.x) / tile.width) * 2 - 1, 1 - ((y - tile.y) / tile.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(pointer, this.camera);
    // Contacts show through bodies: they come first.
    for (const { mark, at } of this.views[view].contacts.group.visible ? this.views[view].contacts.shown : []) {
      const place = this.project(at, view);
      if (place && Math.hypot(place.x - x, place.y - y) < 9) return { view, contact: mark };
    }
    let best: { distance: number; body: number } | null = null;
    for (const { mesh, bodies } of this.views[view].bodies.pickable) {
      const hit = ray.intersectObject(mesh)[0];
      if (hit?.instanceId !== undefined && (best === null || hit.distance < best.distance)) {
        best = { distance: hit.distance, body: bodies[hit.instanceId] };
      }
    }
    const surface = this.views[view].surfaces.pick(ray, this.views[view].value);
    if (surface && (best === null || surface.distance < best.distance)) return { view, surface };
    return best && { view, body: best.body };
  }

  /** Where a point in space is on the canvas; null behind the camera. */
  project(point: Vector3, view: number): { x: number; y: number } | null {
    const tile = this.layout[view];
    this.camera.aspect = tile.width / tile.height;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const p = point.clone().project(this.camera);
    if (p.z > 1 || Math.abs(p.x) > 1 || Math.abs(p.y) > 1) return null;
    return { x: tile.x + ((p.x + 1) / 2) * tile.width, y: tile.y + ((1 - p.y) / 2) * tile.height };
  }
}
