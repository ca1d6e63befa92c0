import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginRun, playRun, writeRun } from '../support/long-run.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { seriousFindings } from './serious-findings.ts';

const screenshots = process.env['SCREENSHOTS'];
const trouble = { handOvers: 66, loops: 20 };
let dashboard: Dashboard;
let run: string;
let ended: string;

// Sixty nodes, each handed over and sent back many times: ten thousand events of a real library.
beforeAll(async () => {
  dashboard = await startDashboard();
  run = await beginRun(dashboard.app);
  await writeRun(dashboard.app, run, { ...trouble, events: 9_000 });
  ended = await beginRun(dashboard.app);
  await writeRun(dashboard.app, ended, { ...trouble, events: Number.POSITIVE_INFINITY });
});
afterAll(() => dashboard.close());

const nodeRow = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: new RegExp(`\\b${id}\\b`) }) });

async function checked(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (screenshots)
      await page.screenshot({ path: join(screenshots, `${name}-${width}.png`), fullPage: true });
    expect(await seriousFindings(page)).toEqual([]);
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a run of sixty nodes is followed while it goes on, through cut connections, to its end after ten thousand events', async () => {
  const page = await dashboard.open(`/runs?id=${run}`);
  await page.getByText('Critical path, ').waitFor();
  await page.getByText('9000 events').waitFor();
  for (let events = 9_010; events <= 9_100; events += 10) {
    dashboard.dropStreams();
    await playRun(dashboard.app, run, { ...trouble, events });
  }
  await page.getByText('9100 events').waitFor();
  await checked(page, 'long run');
  await writeRun(dashboard.app, run, { ...trouble, events: 10_100 });
  const { number, status } = await playRun(dashboard.app, run);
  expect([status, number > 10_000]).toEqual(['completed', true]);
  await page.getByText(`${number} events`).waitFor();
  await page.getByText('completed', { exact: true }).first().waitFor();
  // Numbers are those of the run: nothing is left out and nothing stands twice.
  const list = page.getByRole('region', { name: 'Events, latest first' });
  const first = list.getByRole('listitem').first();
  expect(await first.getAttribute('aria-setsize')).toBe(String(number));
  await first.getByRole('link', { name: String(number), exact: true }).waitFor();
  expect(await list.getByRole('listitem').count()).toBeLessThan(120);
});

test('a run of ten thousand events is replayed by the slider, by keys; the address leads to the moment', async () => {
  const page = await dashboard.open(`/runs?id=${ended}`, { theme: 'dark' });
  const slider = page.getByRole('slider');
  await page.getByText(/^10\d\d\d events$/).waitFor();
  await slider.focus();
  await page.keyboard.press('Home');
  await page.getByText('As it was after event 1', { exact: true }).waitFor();
  await slider.fill('5000');
  await page.getByText('As it was after event 5000', { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('after')).toBe('5000');
  await expect.poll(() => nodeRow(page, 'module-60').last().textContent()).toContain('not begun');
  await expect.poll(() => nodeRow(page, 'module-1').last().textContent()).toMatch(/done|at work|sent back/);
  await checked(page, 'replay');
  const again = await dashboard.open(`/runs?id=${ended}&after=5000`);
  await again.getByText('As it was after event 5000', { exact: true }).waitFor();
  await again.getByRole('link', { name: 'Back to now' }).click();
  await expect.poll(() => nodeRow(again, 'module-60').last().textContent()).toContain('done');
  await again
    .getByRole('link', { name: /\bmodule-60\b/ })
    .last()
    .click();
  const own = again.getByRole('region', { name: 'What happened to module-60, latest first' });
  await own
    .getByText(/module-60: .*expected 1, got 2/)
    .first()
    .waitFor();
});
