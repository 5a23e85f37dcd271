// One motion in space: everything that is drawn of it at a time.

import { AmbientLight, Box3, DirectionalLight, Scene as Space, Vector3 } from "three";
import type { Channels } from "../channels";
import type { Motion } from "../payload";
import { Poses } from "../poses";
import { Bodies } from "./bodies";
import { ContactMarks } from "./contacts";
import { Links } from "./links";
import { Surfaces, type Value } from "./surfaces";
import { Directors, Traces } from "./traces";
import { Walls } from "./walls";

/** What can be shown or hidden. */
export interface Show {
  bodies: boolean;
  edges: boolean;
  directors: boolean;
  parts: boolean;
  contacts: boolean;
  impulses: boolean;
  traces: boolean;
  ghosts: boolean;
  joints: boolean;
  walls: boolean;
  labels: boolean;
}

export const SHOWN_FIRST: Show = {
  bodies: true,
  edges: true,
  directors: false,
  parts: false,
  contacts: true,
  impulses: true,
  traces: false,
  ghosts: false,
  joints: true,
  walls: true,
  labels: false,
};

const GHOSTS = 9;

export class View {
  readonly space = new Space();
  readonly bodies: Bodies;
  readonly surfaces: Surfaces;
  readonly links: Links;
  readonly walls: Walls;
  readonly light = new DirectionalLight("#ffffff", 2.2);
  readonly centre: Vector3;
  readonly radius: number;
  private readonly poses: Poses;
  readonly contacts: ContactMarks;
  private readonly directors: Directors;
  private traces: Traces | null = null;
  /** What elastic bodies are coloured by. */
  value: Value = "";
  private ghosts = false;
  private hidden = "";

  constructor(
    readonly motion: Motion,
    channels: Channels,
  ) {
    const [low, high] = motion.scene.bounds;
    const box = new Box3(new Vector3(...low), new Vector3(...high));
    this.centre = box.getCenter(new Vector3());
    this.radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
    this.poses = new Poses(motion);
    this.bodies = new Bodies(motion, this.radius, channels);
    this.surfaces = new Surfaces(motion, channels);
    this.links = new Links(motion.scene, this.bodies, this.smallest());
    this.walls = new Walls(motion.scene, this.centre, this.radius);
    this.contacts = new ContactMarks(motion, this.radius, (name) => this.links.limits.at(name));
    this.directors = new Directors(motion, this.bodies);
    this.space.add(new AmbientLight("#ffffff", 1.3), this.light, this.light.target);
    this.space.add(this.bodies.group, this.surfaces.group, this.links.group, this.walls.group, this.walls.grid, this.contacts.group, this.directors.group);
  }

  /** Radius of rods and joints: small against the scene and against the bodies. */
  private smallest(): number {
    const sizes = this.bodies.reach.filter((_, k) => this.motion.scene.bodies[k].shape !== null).sort((a, b) => a - b);
    const typical = sizes.length > 0 ? 0.12 * sizes[sizes.length >> 1] : Infinity;
    return Math.min(0.012 * this.radius, typical);
  }

  /** Brings everything to a time; contacts of the last `window` seconds are marked. */
  update(t: number, window: number, show: Show): void {
    this.bodies.place(this.poses.at(t));
    this.surfaces.place(t, this.value);
    this.surfaces.show(show.bodies, show.edges);
    this.bodies.showBodies(show.bodies);
    this.bodies.showEdges(show.edges);
    this.bodies.showParts(show.parts);
    this.links.group.visible = show.joints;
    if (show.joints) this.links.update();
    this.walls.group.visible = show.walls;
    this.walls.grid.visible = show.walls;
    this.directors.group.visible = show.directors;
    if (show.directors) this.directors.update();
    this.contacts.group.visible = show.contacts;
    this.contacts.arrows = show.impulses;
    if (show.contacts) this.contacts.show(t - window, t);
    if (show.traces && this.traces === null) {
      this.traces = new Traces(this.motion, this.bodies);
      this.space.add(this.traces.group);
    }
    if (this.traces) {
      this.traces.group.visible = show.traces;
      if (show.traces) this.traces.update(t);
    }
    // Ghosts stand still: made when asked for, and anew when other bodies are shown.
    const hidden = this.bodies.visible.join();
    if (show.ghosts !== this.ghosts || (show.ghosts && hidden !== this.hidden)) {
      this.bodies.showGhosts(show.ghosts ? this.ghostImages() : []);
      this.ghosts = show.ghosts;
      this.hidden = hidden;
    }
  }

  private ghostImages(): Float32Array[] {
    const { time, slots } = this.motion;
    if (time.length === 0) return [];
    const count = slots > 200 ? 3 : GHOSTS;
    const [from, to] = [time[0], time[time.length - 1]];
    const poses = new Poses(this.motion);
    return Array.from({ length: count }, (_, k) => poses.at(from + ((to - from) * k) / (count - 1)).slice());
  }

  setColours(lines: string, walls: string): void {
    this.bodies.setEdgeColour(lines);
    this.links.setLineColour(lines);
    this.walls.setColour(walls);
  }
}
