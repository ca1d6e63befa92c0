import { toScreen } from './camera.ts';
import { type Colours, faded } from './colours.ts';
import { type Look, onScreen, type Scene } from './scene.ts';

/** With more lines than this they rest while the view moves. */
const manyLinks = 1500;
/** No more lines than this are drawn. */
const mostLines = 1200;
const linesAtOnce = 120;

/** Lines, a few at each step. */
export function* paintLinks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  look: Look,
): Generator<void, void, void> {
  const { drawn, linksOf } = scene;
  const { selected } = look;
  const middle = drawn.nodes[0]?.id;
  const focus = selected !== undefined && (drawn.scaled || selected !== middle);
  const own = focus ? (linksOf.get(selected) ?? []) : [];
  const all = !look.moving || drawn.links.length <= manyLinks ? linksInSight(scene, look) : [];
  for (const [count, at] of all.entries()) {
    if (count % linesAtOnce === linesAtOnce - 1) yield;
    const { type, weight, source, target } = drawn.links[at]!;
    const side = !drawn.scaled && source !== middle && target !== middle;
    const strength = (drawn.scaled ? 0.14 + weight * 0.3 : side ? 0.25 : 0.7) * (focus ? 0.3 : 1);
    context.strokeStyle = scene.lineColour(type, strength);
    context.lineWidth = drawn.scaled ? 0.5 + weight : side ? 0.8 : 0.8 + weight * 2.6;
    line(context, scene, look, at);
  }
  context.strokeStyle = scene.colours.accent;
  context.lineWidth = 1.6;
  for (const at of own) line(context, scene, look, at);
}

/** The strongest links of what is on the screen: links come strongest first. */
function linksInSight(scene: Scene, look: Look): number[] {
  const wanted = new Set<number>();
  for (const at of onScreen(scene, look))
    for (const link of scene.linksOf.get(scene.drawn.nodes[at]!.id) ?? []) wanted.add(link);
  return [...wanted].sort((a, b) => a - b).slice(0, mostLines);
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
