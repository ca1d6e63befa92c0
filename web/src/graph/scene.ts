import { type Camera, type Size, toDrawing } from './camera.ts';
import type { Colours } from './colours.ts';
import type { Grid } from './grid.ts';
import type { Drawn } from './shape.ts';
import type { Stamp } from './stamps.ts';

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

/** Positions in `drawn.nodes` of what can be seen, or nearly. */
export function onScreen({ drawn, grid, largest }: Scene, { camera, size }: Look): number[] {
  const margin = drawn.scaled ? largest : 40 / camera.scale;
  const [left, top] = toDrawing(camera, size, 0, 0);
  const [right, bottom] = toDrawing(camera, size, size.width, size.height);
  const seen: number[] = [];
  grid.within([left - margin, right + margin, bottom - margin, top + margin], (at) => seen.push(at));
  return seen;
}
