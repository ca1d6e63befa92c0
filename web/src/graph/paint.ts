import { type Box, type Camera, type Size, toDrawing, toScreen } from './camera.ts';
import { type Colours, faded } from './colours.ts';
import type { Grid } from './grid.ts';
import type { Drawn, DrawnNode } from './shape.ts';
import { largestStamp, type Stamp } from './stamps.ts';

export interface Scene {
  drawn: Drawn;
  grid: Grid;
  place: Map<string, number>;
  /** Positions in `drawn.links` of the links of a node. */
  linksOf: Map<string, number[]>;
  largest: number;
  colours: Colours;
  lineColour: (type: string, strength: number) => string;
  stamp: (colour: string, radius: number) => Stamp;
}

export interface Look {
  camera: Camera;
  size: Size;
  selected: string | undefined;
  hovered: string | undefined;
  /** Lines and names rest while much of it moves. */
  moving: boolean;
}

const font = (size: number, weight = 500) => `${weight} ${size}px system-ui, sans-serif`;
/** With more lines than this they rest while the view moves. */
const manyLinks = 1500;
/** No more lines than this are drawn at once: links come strongest first. */
const mostLines = 1200;
const mostNames = 140;

/** One picture. Only what is on the screen is looked at, so that panning costs the same in any repository. */
export function paint(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  const { camera, size } = look;
  context.clearRect(0, 0, size.width, size.height);
  paintRings(context, scene, look);
  const margin = scene.drawn.scaled ? scene.largest : 40 / camera.scale;
  const [left, top] = toDrawing(camera, size, 0, 0);
  const [right, bottom] = toDrawing(camera, size, size.width, size.height);
  const seen: number[] = [];
  scene.grid.within([left - margin, right + margin, bottom - margin, top + margin], (at) => seen.push(at));
  paintLinks(context, scene, look, seen);
  paintNodes(context, scene, look, seen);
  paintNames(context, scene, look, seen);
  paintRingNames(context, scene, look);
}

export const radiusOf = (node: DrawnNode, scaled: boolean, camera: Camera): number =>
  scaled ? node.size * camera.scale : node.size * Math.min(1.6, Math.max(0.7, camera.scale ** 0.25));

const steppedBack = (scene: Scene, look: Look, node: DrawnNode): boolean => {
  const { selected } = look;
  if (!selected || scene.drawn.scaled || selected === scene.drawn.nodes[0]?.id) return false;
  if (node.id === selected || !scene.place.has(selected)) return false;
  return !(scene.linksOf.get(selected) ?? []).some((at) => {
    const link = scene.drawn.links[at]!;
    return link.source === node.id || link.target === node.id;
  });
};

function paintLinks(context: CanvasRenderingContext2D, scene: Scene, look: Look, seen: number[]): void {
  const { drawn, linksOf } = scene;
  const { selected } = look;
  const focus = selected !== undefined && (drawn.scaled || selected !== drawn.nodes[0]?.id);
  const own = focus ? (linksOf.get(selected) ?? []) : [];
  if (!look.moving || drawn.links.length <= manyLinks) {
    const wanted = new Set<number>();
    for (const at of seen) for (const link of linksOf.get(drawn.nodes[at]!.id) ?? []) wanted.add(link);
    const first = wanted.size > mostLines ? [...wanted].sort((a, b) => a - b).slice(0, mostLines) : wanted;
    for (const at of first) {
      const { type, weight } = drawn.links[at]!;
      const strength = (drawn.scaled ? 0.14 + weight * 0.3 : 0.7) * (focus ? 0.3 : 1);
      context.strokeStyle = scene.lineColour(type, strength);
      context.lineWidth = drawn.scaled ? 0.5 + weight : 0.8 + weight * 2.6;
      line(context, scene, look, at);
    }
  }
  context.strokeStyle = scene.colours.accent;
  context.lineWidth = 1.6;
  for (const at of own) line(context, scene, look, at);
}

function line(context: CanvasRenderingContext2D, scene: Scene, { camera, size }: Look, at: number): void {
  const { drawn, place } = scene;
  const { source, target } = drawn.links[at]!;
  const [from, to] = [drawn.nodes[place.get(source)!]!, drawn.nodes[place.get(target)!]!];
  const [x, y] = toScreen(camera, size, from.x, from.y);
  const [toX, toY] = toScreen(camera, size, to.x, to.y);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}

/** Colours of lines in few steps, each made once. */
export function lineColours(colours: Colours): (type: string, strength: number) => string {
  const made = new Map<string, string>();
  return (type, strength) => {
    const step = Math.round(strength * 20) / 20;
    const key = `${type} ${step}`;
    let colour = made.get(key);
    if (!colour) {
      colour = faded(colours.link(type), step);
      made.set(key, colour);
    }
    return colour;
  };
}

function paintNodes(context: CanvasRenderingContext2D, scene: Scene, look: Look, seen: number[]): void {
  const { drawn, colours } = scene;
  for (const at of seen) {
    const node = drawn.nodes[at]!;
    const [x, y] = toScreen(look.camera, look.size, node.x, node.y);
    const radius = radiusOf(node, drawn.scaled, look.camera);
    context.fillStyle = steppedBack(scene, look, node)
      ? colours.faint
      : node.shade === undefined
        ? colours.of(node.kind)
        : colours.shade(node.shade);
    if (radius < 2.2) {
      context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      continue;
    }
    const stamp = radius < largestStamp ? scene.stamp(String(context.fillStyle), radius) : undefined;
    if (stamp)
      context.drawImage(stamp.canvas, x - stamp.half, y - stamp.half, 2 * stamp.half, 2 * stamp.half);
    else {
      context.beginPath();
      context.arc(x, y, radius, 0, Math.PI * 2);
      context.fill();
    }
    if (node.id !== look.selected && node.id !== look.hovered) continue;
    context.beginPath();
    context.arc(x, y, radius + 3.5, 0, Math.PI * 2);
    context.strokeStyle = colours.accent;
    context.lineWidth = 2.5;
    context.stroke();
  }
}

/** Larger things first; a name is left out where another stands already. */
function paintNames(context: CanvasRenderingContext2D, scene: Scene, look: Look, seen: number[]): void {
  const { drawn, colours } = scene;
  if (look.moving && seen.length > 1000) return;
  const taken: Array<[number, number, number]> = [];
  const least = drawn.scaled ? 9 : 0;
  const candidates = seen
    .map((at) => drawn.nodes[at]!)
    .filter((node) => radiusOf(node, drawn.scaled, look.camera) >= least && !steppedBack(scene, look, node))
    .sort((a, b) => rank(b, look) - rank(a, look) || b.size - a.size)
    .slice(0, 4 * mostNames);
  context.font = font(12.5);
  context.lineJoin = 'round';
  for (const node of candidates) {
    if (taken.length >= mostNames) break;
    const [x, y] = toScreen(look.camera, look.size, node.x, node.y);
    const radius = radiusOf(node, drawn.scaled, look.camera);
    const width = context.measureText(node.label).width;
    const inside = drawn.scaled && width < radius * 1.8;
    const [from, base] = inside ? [x - width / 2, y + 4] : [x + radius + 5, y + 4];
    const clash = taken.some(
      ([a, b, end]) => Math.abs(b - base) < 15 && from < end + 4 && from + width > a - 4,
    );
    if (clash && rank(node, look) === 0) continue;
    taken.push([from, base, from + width]);
    context.lineWidth = 3.5;
    context.strokeStyle = colours.ground;
    if (!inside) context.strokeText(node.label, from, base);
    context.fillStyle = inside ? colours.ground : colours.ink;
    context.fillText(node.label, from, base);
  }
}

const rank = (node: DrawnNode, look: Look): number =>
  node.id === look.hovered ? 2 : node.id === look.selected ? 1 : 0;

function paintRings(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  eachRing(scene, look, 7, (x, y, radius) => {
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fillStyle = faded(scene.colours.accent, 0.035);
    context.fill();
    context.strokeStyle = faded(scene.colours.quiet, 0.35);
    context.lineWidth = 1;
    context.stroke();
  });
}

function paintRingNames(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  context.textAlign = 'center';
  context.lineWidth = 4;
  context.strokeStyle = scene.colours.ground;
  eachRing(scene, look, 26, (x, y, radius, { name, depth }) => {
    context.font = font(depth === 1 ? 13 : 11.5, 600);
    context.strokeText(name, x, y - radius + 4);
    context.fillStyle = depth === 1 ? scene.colours.ink : scene.colours.quiet;
    context.fillText(name, x, y - radius + 4);
  });
  context.textAlign = 'start';
}

function eachRing(
  { drawn }: Scene,
  { camera, size }: Look,
  least: number,
  see: (x: number, y: number, radius: number, ring: NonNullable<Drawn['rings']>[number]) => void,
): void {
  for (const ring of drawn.rings ?? []) {
    const radius = ring.radius * camera.scale;
    if (radius < least) continue;
    const [x, y] = toScreen(camera, size, ring.x, ring.y);
    if (x + radius < 0 || y + radius < 0 || x - radius > size.width || y - radius > size.height) continue;
    see(x, y, radius, ring);
  }
}

export function sceneBox(drawn: Drawn): Box {
  if (drawn.box) return drawn.box;
  const ends = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  return [...ends(drawn.nodes.map(({ x }) => x)), ...ends(drawn.nodes.map(({ y }) => y))];
}
