import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { giveMap, largeMap } from './large-map.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const elements = (page: Page): Promise<number> => page.evaluate(`document.querySelectorAll('*').length`);

/** Jumps to the end until a row is there. What else the page loads may come between the focus and the key. */
const scrollTo = (row: Locator, list: Locator): Promise<void> =>
  expect
    .poll(
      async () => {
        await list.focus();
        await list.page().keyboard.press('End');
        return row.isVisible();
      },
      { interval: 300 },
    )
    .toBe(true);

test('graph: fifty thousand files are circles in folders; the list holds all and only the rows on the screen exist', async () => {
  const page = await dashboard.open('/');
  await giveMap(page, largeMap(50_000));
  await page.goto(`${dashboard.url}/graph?whole=1`);
  await page.getByText(/50,000 files in \d+ circles/).waitFor();
  await page.getByRole('button', { name: 'every file' }).click();
  await page.getByText('50,000 files in 50,000 circles').waitFor();
  await page.getByRole('button', { name: 'list', exact: true }).click();
  const list = page.getByRole('region', { name: 'Files and folders' });
  const row = list.getByRole('listitem').first();
  await row.waitFor();
  expect(await row.getAttribute('aria-setsize')).toBe('50000');
  expect(await list.getByRole('listitem').count()).toBeLessThan(120);
  const end = list.locator('[aria-posinset="50000"]');
  await scrollTo(end, list);
  await end.getByRole('link').click();
  await page.getByText(/^Around/).waitFor();
});

test('memory: ten thousand entries are one list that is scrolled to its end', async () => {
  const page = await dashboard.open('/');
  const entries = Array.from({ length: 10_000 }, (_, at) => ({
    id: `ent_${at}`,
    session_id: 's',
    category: 'decision',
    summary_type: null,
    title: `entry ${at}`,
    content: `what was said ${at}`,
    resolution: '',
    source: 'ada',
    source_kind: 'agent',
    tags: [],
    refs: [],
    derived_from: [],
    metadata: {},
    confidence: 0.8,
    promoted: true,
    promoted_by: '',
    superseded_by: null,
    needs_review: false,
    verification: 'none',
    uses: 0,
    score: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }));
  await page.route('**/api/search_history', (route) => {
    const { cursor = '0' } = route.request().postDataJSON() as { cursor?: string };
    const from = Number(cursor);
    const next = from + 2500 < entries.length ? { next_cursor: String(from + 2500) } : {};
    return route.fulfill({
      json: { entries: entries.slice(from, from + 2500), total: entries.length, ...next },
    });
  });
  await page.goto(`${dashboard.url}/memory`);
  const list = page.getByRole('region', { name: 'Entries, newest first' });
  await list.getByRole('link', { name: 'entry 0', exact: true }).waitFor();
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  await scrollTo(list.getByRole('link', { name: 'entry 9999', exact: true }), list);
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);
});

/** Chains of tasks that now and then wait for one of another chain, the same each time. */
function largeWork(size: number): object {
  const id = (at: number) => `task-${at}`;
  const task = { kind: 'task', status: 'NEW', priority: 'MEDIUM', featureId: null, claimedBy: null };
  const nodes = Array.from({ length: size }, (_, at) => ({
    ...task,
    id: id(at),
    name: `Task ${at} with a title of some words`,
    blocked: at >= 25,
  }));
  const edges = nodes.flatMap((_, at) =>
    [at - 25, at % 7 === 0 ? at - 26 : -1]
      .filter((before) => before >= 0)
      .map((before) => ({ from: id(before), to: id(at), type: 'BLOCKS' })),
  );
  return {
    success: true,
    message: '',
    data: { nodes, edges, total: size },
    metadata: { timestamp: '2026-01-01T00:00:00.000Z', version: '1' },
  };
}

test('work: five hundred tasks are drawn with fewer than two thousand elements, and fewer than five thousand from afar', async () => {
  const page = await dashboard.open('/');
  const projects = { success: true, message: '', data: { items: [{ id: 'p', name: 'Shop' }] } };
  await page.route('**/api/list_work', (route) => route.fulfill({ json: projects }));
  await page.route('**/api/get_work_graph', (route) => route.fulfill({ json: largeWork(500) }));
  await page.goto(`${dashboard.url}/work?view=order`);
  const drawing = page.getByRole('region', { name: 'Order of work' });
  await drawing.getByRole('link', { name: 'Task 0 with', exact: false }).first().waitFor();
  expect(await elements(page)).toBeLessThan(2000);
  await drawing.getByRole('button', { name: 'Fit View' }).click();
  await expect.poll(() => drawing.locator('.react-flow__node').count()).toBe(500);
  expect(await elements(page)).toBeLessThan(5000);
  await page.getByRole('button', { name: 'list', exact: true }).click();
  const list = page.getByRole('region', { name: 'Order of work' });
  await list.getByRole('listitem').first().waitFor();
  expect(await elements(page)).toBeLessThan(1000);
});

test('references, areas, skills and sessions: of ten thousand rows fewer than sixty exist', async () => {
  const page = await dashboard.open('/');
  const many = <Row>(row: (at: number) => Row) => Array.from({ length: 10_000 }, (_, at) => row(at));
  const at = '2026-01-01T00:00:00.000Z';
  const answers: Record<string, object> = {
    reference_topic_list: {
      topics: many((n) => ({
        topic_id: `topic-${n}`,
        title: `row ${n}`,
        status: 'active',
        is_stale: false,
        tags: [],
        source_count: 1,
        file_count: 2,
        fetched_at: at,
      })),
    },
    list_work: {
      success: true,
      message: '',
      data: { items: [{ id: 'p', name: 'Shop' }] },
    },
    list_areas: {
      success: true,
      message: '',
      data: {
        areas: many((n) => ({ id: `area-${n}`, kind: 'atom', name: `row ${n}`, paths: [`src/${n}/**`] })),
        total: 10_000,
      },
    },
    browse_skills: {
      type: 'listing',
      skills: many((n) => ({ id: `row ${n}`, name: `row ${n}`, description: 'd', source_name: 'project' })),
      total: 10_000,
    },
    list_sessions: {
      sessions: many((n) => ({ id: `ses_${n}`, name: `row ${n}`, state: 'active', last_active_at: at })),
    },
  };
  for (const [name, json] of Object.entries(answers))
    await page.route(`**/api/${name}`, (route) => route.fulfill({ json }));
  const lists: Array<[address: string, list: string]> = [
    ['/references', 'Topics'],
    ['/areas', 'Areas'],
    ['/skills', 'Skills by collection'],
    ['/memory', 'Sessions, latest first'],
  ];
  for (const [address, name] of lists) {
    await page.goto(dashboard.url + address);
    const list = page.getByRole('region', { name, exact: true }).last();
    await list.getByText('row 0', { exact: true }).waitFor();
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    await scrollTo(list.locator('[aria-posinset="10000"]'), list);
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    expect(await elements(page)).toBeLessThan(2000);
  }
});
