/** Where the view is: the point of the drawing in its middle, and how many pixels one unit of the drawing has. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Box = [left: number, right: number, bottom: number, top: number];

export const fit = ([left, right, bottom, top]: Box, { width, height }: Size, padding: number): Camera => ({
  x: (left + right) / 2,
  y: (bottom + top) / 2,
  scale: Math.min(
    (width - 2 * padding) / Math.max(right - left, 1e-6),
    (height - 2 * padding) / Math.max(top - bottom, 1e-6),
  ),
});

export const toScreen = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - camera.x) * camera.scale + size.width / 2,
  (camera.y - y) * camera.scale + size.height / 2,
];

export const toDrawing = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - size.width / 2) / camera.scale + camera.x,
  camera.y - (y - size.height / 2) / camera.scale,
];

/** Nearer or further, with the point under the pointer staying where it is. */
export function zoom(camera: Camera, size: Size, factor: number, at?: { x: number; y: number }): Camera {
  const [x, y] = at ? toDrawing(camera, size, at.x, at.y) : [camera.x, camera.y];
  return { x: x + (camera.x - x) / factor, y: y + (camera.y - y) / factor, scale: camera.scale * factor };
}
