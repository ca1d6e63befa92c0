import type { Box } from './camera.ts';

/** Finds the things in a part of the drawing without looking at all of them. */
export interface Grid {
  within(box: Box, see: (at: number) => void): void;
}

export function gridOf(points: Array<{ x: number; y: number }>, box: Box): Grid {
  const side = Math.max(1, Math.ceil(Math.sqrt(points.length / 8)));
  const [left, right, bottom, top] = box;
  const [across, high] = [Math.max(right - left, 1e-6) / side, Math.max(top - bottom, 1e-6) / side];
  const column = (x: number) => Math.min(side - 1, Math.max(0, Math.floor((x - left) / across)));
  const row = (y: number) => Math.min(side - 1, Math.max(0, Math.floor((y - bottom) / high)));
  const cells = Array.from({ length: side * side }, (): number[] => []);
  for (const [at, { x, y }] of points.entries()) cells[row(y) * side + column(x)]!.push(at);
  return {
    within: ([from, to, low, up], see) => {
      for (let y = row(low); y <= row(up); y++)
        for (let x = column(from); x <= column(to); x++) for (const at of cells[y * side + x]!) see(at);
    },
  };
}
