import { type Box, type Camera, toScreen } from './camera.ts';
import { faded } from './colours.ts';
import { paintLinks } from './paint-lines.ts';
import { type Look, onScreen, type Scene } from './scene.ts';
import type { Drawn, DrawnNode } from './shape.ts';
import { largestStamp } from './stamps.ts';

const font = (size: number, weight = 500) => `${weight} ${size}px system-ui, sans-serif`;
const mostNames = 140;
const ringsAtOnce = 120;

/** Rings and lines, a piece at each step: many lines take long. */
export function* paintBelow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  look: Look,
): Generator<void, void, void> {
  context.clearRect(0, 0, look.size.width, look.size.height);
  yield* paintRings(context, scene, look);
  yield* paintLinks(context, scene, look);
}

/** Circles and names. Only what is on the screen is looked at, so that panning costs the same in any repository. */
export function paintAbove(context: CanvasRenderingContext2D, scene: Scene, look: Look): void {
  context.clearRect(0, 0, look.size.width, look.size.height);
  const seen = onScreen(scene, look);
  const taken: Taken[] = [];
  paintNodes(context, scene, look, seen);
  paintRingNames(context, scene, look, taken);
  paintNames(context, scene, look, seen, taken);
}

/** Where a name stands already: from, base line, to. */
type Taken = [from: number, base: number, to: number];

const clashes = (taken: Taken[], from: number, base: number, width: number): boolean =>
  taken.some(([a, b, end]) => Math.abs(b - base) < 15 && from < end + 4 && from + width > a - 4);

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
function paintNames(
  context: CanvasRenderingContext2D,
  scene: Scene,
  look: Look,
  seen: number[],
  taken: Taken[],
): void {
  const { drawn, colours } = scene;
  if (look.moving && seen.length > 1000) return;
  const least = drawn.scaled ? 13 : 0;
  const candidates = seen
    .map((at) => drawn.nodes[at]!)
    .filter((node) => radiusOf(node, drawn.scaled, look.camera) >= least && !steppedBack(scene, look, node))
    .sort((a, b) => rank(b, look) - rank(a, look) || b.size - a.size)
    .slice(0, 4 * mostNames);
  const most = taken.length + mostNames;
  context.font = font(12.5);
  context.lineJoin = 'round';
  for (const node of candidates) {
    if (taken.length >= most) break;
    const [x, y] = toScreen(look.camera, look.size, node.x, node.y);
    const radius = radiusOf(node, drawn.scaled, look.camera);
    const width = context.measureText(node.label).width;
    const inside = drawn.scaled && width < radius * 1.8;
    const right = x + radius + 5 + width <= look.size.width - 4 || x < look.size.width / 2;
    const [from, base] = inside
      ? [x - width / 2, y + 4]
      : [right ? x + radius + 5 : x - radius - 5 - width, y + 4];
    if (rank(node, look) === 0 && clashes(taken, from, base, width)) continue;
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

/** While the view moves, small rings rest as lines do: there are many, and each is a surface to fill. */
function* paintRings(
  context: CanvasRenderingContext2D,
  scene: Scene,
  look: Look,
): Generator<void, void, void> {
  let drawn = 0;
  for (const { x, y, radius } of ringsInSight(scene, look, look.moving ? 24 : 7)) {
    if (++drawn % ringsAtOnce === 0) yield;
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fillStyle = faded(scene.colours.accent, 0.035);
    context.fill();
    context.strokeStyle = faded(scene.colours.quiet, 0.35);
    context.lineWidth = 1;
    context.stroke();
  }
}

/** Outer rings come first; the name of an inner one is left out where there is no room for it. */
function paintRingNames(context: CanvasRenderingContext2D, scene: Scene, look: Look, taken: Taken[]): void {
  context.textAlign = 'center';
  context.lineWidth = 4;
  context.strokeStyle = scene.colours.ground;
  for (const { x, y, radius, name, depth } of ringsInSight(scene, look, 26)) {
    context.font = font(depth === 1 ? 13 : 11.5, 600);
    const base = y - radius + 4;
    const width = context.measureText(name).width;
    if (clashes(taken, x - width / 2, base, width)) continue;
    taken.push([x - width / 2, base, x + width / 2]);
    context.strokeText(name, x, base);
    context.fillStyle = depth === 1 ? scene.colours.ink : scene.colours.quiet;
    context.fillText(name, x, base);
  }
  context.textAlign = 'start';
}

interface SeenRing {
  x: number;
  y: number;
  radius: number;
  name: string;
  depth: number;
}

function ringsInSight({ drawn }: Scene, { camera, size }: Look, least: number): SeenRing[] {
  return (drawn.rings ?? []).flatMap((ring) => {
    const radius = ring.radius * camera.scale;
    if (radius < least) return [];
    const [x, y] = toScreen(camera, size, ring.x, ring.y);
    const off = x + radius < 0 || y + radius < 0 || x - radius > size.width || y - radius > size.height;
    return off ? [] : [{ x, y, radius, name: ring.name, depth: ring.depth }];
  });
}

export function sceneBox(drawn: Drawn): Box {
  if (drawn.box) return drawn.box;
  const ends = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  return [...ends(drawn.nodes.map(({ x }) => x)), ...ends(drawn.nodes.map(({ y }) => y))];
}
