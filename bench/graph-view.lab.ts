import { startDashboard } from '../tests/web/dashboard.ts';
import { giveMap, largeMap } from '../tests/web/large-map.ts';
import { fit } from '../web/src/graph/camera.ts';
import { placeWhole } from '../web/src/graph/whole.ts';
import type { BenchOptions } from './run-named.ts';

const size = 50_000;
const tooLong = 200;

/**
 * The whole map at 50,000 files in a real browser, zoomed until 5,000 to 8,000 are on the screen, then panned and
 * zoomed: counts the tasks of the page that kept it from answering for 200 ms or more. Needs the built dashboard
 * and Chromium.
 */
export default async function graphView(_: BenchOptions): Promise<void> {
  const dashboard = await startDashboard();
  try {
    const page = await dashboard.open('/');
    const map = largeMap(size);
    await giveMap(page, map);
    await page.addInitScript(`globalThis.tasks = []; globalThis.frames = 0;
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
      requestAnimationFrame(function next() { frames++; requestAnimationFrame(next); });`);
    const started = performance.now();
    await page.goto(`${dashboard.url}/graph?whole=1&every=1`);
    const drawing = page.getByRole('region', { name: 'Map of all files by folder' });
    await drawing.waitFor({ timeout: 120_000 });
    await page.waitForTimeout(3000);
    const opening = (await page.evaluate('tasks.splice(0)')) as number[];
    console.log(
      `opened after ${Math.round(performance.now() - started)} ms; longest task ${longest(opening)} ms`,
    );

    const box = (await drawing.boundingBox())!;
    await drawing.focus();
    const steps = 6;
    for (let step = 0; step < steps; step++) await page.keyboard.press('+');
    await page.waitForTimeout(500);
    await page.evaluate('tasks.length = 0; frames = 0');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const panned = performance.now();
    for (let stroke = 0; stroke < 12; stroke++) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      const turn = (stroke / 12) * 2 * Math.PI;
      for (let step = 1; step <= 20; step++)
        await page.mouse.move(x + Math.cos(turn) * step * 12, y + Math.sin(turn) * step * 8);
      await page.mouse.up();
      await page.waitForTimeout(150);
    }
    const seconds = (performance.now() - panned) / 1000;
    const moving = (await page.evaluate('tasks.splice(0)')) as number[];
    const frames = (await page.evaluate('frames')) as number;
    console.log(`${size} nodes, ${visible(map, box, 1.3 ** steps)} on the screen, 12 strokes of 20 moves`);
    console.log(
      `tasks of ${tooLong} ms or more while panning: ${moving.filter((task) => task >= tooLong).length}`,
    );
    console.log(
      `longest task while panning ${longest(moving)} ms; ${Math.round(frames / seconds)} frames a second`,
    );
    if (moving.some((task) => task >= tooLong)) process.exitCode = 1;
  } finally {
    await dashboard.close();
  }
}

const longest = (tasks: number[]): number => Math.round(Math.max(0, ...tasks));

/** How many circles lie within the view, from the same places that the page drew. */
function visible(
  map: ReturnType<typeof largeMap>,
  view: { width: number; height: number },
  nearer: number,
): number {
  const { circles, box } = placeWhole({ map, folder: '', most: Number.MAX_SAFE_INTEGER });
  const { x, y, scale } = fit(box, view, 16);
  const [across, high] = [view.width / scale / nearer, view.height / scale / nearer];
  return circles.filter((each) => Math.abs(each.x - x) < across / 2 && Math.abs(each.y - y) < high / 2)
    .length;
}
