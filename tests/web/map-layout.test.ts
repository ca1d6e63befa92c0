import { expect, test } from 'vitest';
import { fit, toDrawing, toScreen, zoom } from '../../web/src/graph/camera.ts';
import { gridOf } from '../../web/src/graph/grid.ts';
import { placeWhole } from '../../web/src/graph/whole.ts';
import { largeMap } from './large-map.ts';

const map = largeMap(3000);
const place = (most: number, folder = '') => placeWhole({ map, folder, most });

test('every file is in exactly one circle, however many folders are open', () => {
  for (const most of [1, 60, 600, Number.MAX_SAFE_INTEGER]) {
    const { circles } = place(most);
    expect(circles.reduce((sum, { files }) => sum + files, 0)).toBe(3000);
    expect(new Set(circles.map(({ id }) => id)).size).toBe(circles.length);
  }
});

test('folders open while there is room for what is in them, and not beyond', () => {
  expect(place(600).circles.length).toBeLessThanOrEqual(600);
  expect(place(600).circles.length).toBeGreaterThan(300);
  expect(place(Number.MAX_SAFE_INTEGER).circles.every(({ kind }) => kind === 'file')).toBe(true);
});

test('no two circles overlap, and all lie within the box', () => {
  const { circles, box } = place(600);
  const [left, right, bottom, top] = box;
  for (const [at, one] of circles.entries()) {
    expect(one.x - one.size >= left && one.x + one.size <= right).toBe(true);
    expect(one.y - one.size >= bottom && one.y + one.size <= top).toBe(true);
    for (const other of circles.slice(at + 1))
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.size + other.size - 1e-6);
  }
});

test('a link leads from circle to circle that is drawn, never from one to itself', () => {
  const { circles, links } = place(60);
  const drawn = new Set(circles.map(({ id }) => id));
  expect(links.length).toBeGreaterThan(0);
  for (const { source, target } of links) {
    expect(drawn.has(source) && drawn.has(target)).toBe(true);
    expect(source).not.toBe(target);
  }
});

test('an opened folder shows what is in it and nothing else', () => {
  const { circles } = place(Number.MAX_SAFE_INTEGER, 'package-3/folder-1');
  expect(circles.length).toBeGreaterThan(0);
  expect(circles.every(({ id }) => id.startsWith('file:package-3/folder-1/'))).toBe(true);
});

test('the same files lie at the same place each time', () => {
  expect(place(600)).toEqual(place(600));
});

test('a part of the drawing is found without a miss', () => {
  const { circles, box } = place(Number.MAX_SAFE_INTEGER);
  const within: [number, number, number, number] = [200, 420, -600, -300];
  const seen = new Set<number>();
  gridOf(circles, box).within(within, (at) => seen.add(at));
  circles.forEach(({ x, y }, at) => {
    if (x >= 200 && x <= 420 && y >= -600 && y <= -300) expect(seen.has(at)).toBe(true);
  });
  expect(seen.size).toBeLessThan(circles.length);
});

test('zooming keeps the point under the pointer where it is', () => {
  const size = { width: 800, height: 500 };
  const before = fit([0, 1000, -1000, 0], size, 16);
  const under = toDrawing(before, size, 130, 400);
  const [x, y] = toScreen(zoom(before, size, 1.7, { x: 130, y: 400 }), size, ...under);
  expect(x).toBeCloseTo(130);
  expect(y).toBeCloseTo(400);
});
