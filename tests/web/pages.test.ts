import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dashboard, furnish, startDashboard } from './dashboard.ts';
import { seriousFindings } from './serious-findings.ts';

/** Where pictures of every page are put, to be looked at. */
const screenshots = process.env['SCREENSHOTS'];
const task = 'a1000000-0000-4000-8000-000000000003';
const pages: Record<string, [address: string, shows: string]> = {
  home: ['/', 'Add rate limiting'],
  search: ['/search?q=rate+limiting', 'src/auth/rate-limit.ts'],
  artifact: ['/artifact?path=src/auth/session.ts&line=9', 'too many attempts'],
  'hostile file': ['/artifact?path=src/hostile.ts', 'globalThis.pwned'],
  'huge file': ['/artifact?path=src/huge.ts', 'export const big'],
  'hostile name': ['/artifact?path=docs%2F%3Cimg+src%3Dx+onerror%3Dalert(1)%3E.md', 'far.example'],
  work: ['/work', 'Document the limits'],
  task: [`/work?id=${task}`, 'Requests beyond the quota'],
  runs: ['/runs', 'All runs'],
  checks: ['/checks', 'Last check'],
  areas: ['/areas', 'src/auth/**'],
  memory: ['/memory', 'one process'],
  graph: ['/graph', 'Start from anything'],
  'graph around': ['/graph?ref=file:src/auth/session.ts&depth=2', 'neighbours'],
  'graph list': ['/graph?ref=file:src/auth/session.ts&view=list', 'where sessions live'],
  'graph whole': ['/graph?whole=1', 'circles'],
  'work order': ['/work?view=order', 'Document the limits'],
  'run of sixty nodes': ['/runs?id=RUN', 'Critical path, 20 of 60 nodes'],
  area: ['/areas?id=AREA', 'Version 1'],
  references: ['/references?id=topic-shop-handbook', 'How the shop is started'],
  skills: ['/skills', 'All skills'],
  activity: ['/activity', 'reading'],
  'activity of the guide': ['/activity?type=guide', 'Dead letters'],
  review: ['/review', 'Everybody may log in.'],
  approvals: ['/approvals', 'far.example/Second-opinion'],
  handbook: ['/handbook', 'The ten questions'],
  'page of the handbook': ['/handbook?page=handbook%2Fquestions', 'What calls it'],
  'document with a table': ['/handbook?page=trust', 'Seven mitigations'],
};

let dashboard: Dashboard;
let area: string;
let run: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  ({ area } = await furnish(dashboard));
  run = await approvedPlan(dashboard, 60);
});
afterAll(() => dashboard.close());

/** An approved plan in three chains, which nobody works on. */
async function approvedPlan({ run: call }: Dashboard, count: number): Promise<string> {
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `node-${at}`,
    agent: 'engineer',
    prompt: `Do ${at}`,
    depends_on: at < 3 ? [] : [`node-${at - 3}`],
  }));
  const plan = JSON.stringify({ prompt: `${count} things`, nodes });
  const made = (await call('propose_run', { plan })) as { run: string };
  await call('approve_run', { run: made.run, start: false }, 'person');
  return made.run;
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(Object.entries(pages))(
    '%s shows its content, inert, within the screen, without a serious finding',
    async (name, [address, shows]) => {
      const page = await dashboard.open(address.replace('AREA', area).replace('RUN', run), { theme });
      await page.getByText(shows).first().waitFor();
      await expect.poll(() => page.getByText(/^Loading /).count()).toBe(0);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${theme}-${width}.png`) });
        expect(await seriousFindings(page)).toEqual([]);
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'))
          .toBeLessThanOrEqual(0);
      }
      expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
      expect(await page.locator('main script, main iframe, main img').count()).toBe(0);
      expect(dashboard.escaped).toEqual([]);
      await page.context().close();
    },
  );
});

test('a plan is edited on the page of its run: a wrong one is refused with the reason, a right one waits for approval', async () => {
  const page = await dashboard.open(`/runs?id=${await approvedPlan(dashboard, 2)}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const text = page.getByLabel(/^The plan: JSON/);
  await text.waitFor();
  const plan = JSON.parse(await text.inputValue());
  const first = { ...plan.nodes[0], agent: 'enginer' };
  await text.fill(JSON.stringify({ ...plan, nodes: [first, ...plan.nodes.slice(1)] }));
  await page.getByRole('button', { name: 'Propose this plan' }).click();
  await page.getByText('Did you mean "engineer"?').waitFor();
  await text.fill(
    JSON.stringify({
      ...plan,
      nodes: [{ ...plan.nodes[0], prompt: 'Do it well' }, plan.nodes[1]],
    }),
  );
  await page.getByRole('button', { name: 'Propose this plan' }).click();
  await page.getByText('A changed plan waits for you').first().waitFor();
  await page.close();
});

test('find anything is one key away: typed, chosen and opened by keyboard alone', async () => {
  const page = await dashboard.open('/work');
  await page.getByText('Document the limits').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Find code/ }).waitFor();
  await page.keyboard.type('rate limiting');
  await page.getByRole('option', { name: /src\/auth\/rate-limit\.ts/ }).waitFor();
  await page.getByRole('option', { name: 'All results for “rate limiting”' }).waitFor();
  await page.getByText(/^\d+ found$/).waitFor();
  // What is found last may still move the rest: the choice is looked at before each step, not counted beforehand.
  const results = page.getByRole('listbox', { name: 'Results' });
  const chosen = results.getByRole('option', { selected: true });
  for (let step = 0; step < 40 && !(await chosen.textContent())?.includes('src/auth/rate-limit.ts'); step++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'rate-limit.ts' }).waitFor();
});

test('find anything finds a file by a part of its name', async () => {
  const page = await dashboard.open('/memory');
  await page.getByText('one process').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Find code/ }).waitFor();
  await page.keyboard.type('rate-lim');
  const first = page.getByRole('listbox', { name: 'Results' }).getByRole('option').first();
  await expect.poll(() => first.textContent()).toBe('src/auth/rate-limit.tsfile');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'rate-limit.ts' }).waitFor();
});

test('home: a question is asked, and what waits for a person is one click away', async () => {
  const page = await dashboard.open('/');
  await page
    .getByRole('region', { name: 'Recent changes' })
    .getByRole('link', { name: 'fix(auth): forget attempts' })
    .waitFor();
  await page
    .getByRole('region', { name: 'Waiting for you' })
    .getByRole('link', { name: /Rate limits in practice/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('searchbox', { name: 'Ask about this repository' }).fill('how does login work');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page
    .getByRole('region', { name: 'Answer' })
    .getByRole('link', { name: /auth\/session\.ts/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'session.ts' }).waitFor();
});

test('ask: a question about code is answered with a source that opens at its line', async () => {
  const page = await dashboard.open('/ask?q=where%20is%20login%20defined');
  await page
    .getByRole('region', { name: 'Answer' })
    .getByRole('link', { name: /session\.ts:\d+/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'session.ts' }).waitFor();
  expect(new URL(page.url()).searchParams.get('line')).toMatch(/^\d+$/);
});

test('commit: its reason and its files, and from a file back to the file', async () => {
  const page = await dashboard.open('/');
  await page
    .getByRole('region', { name: 'Recent changes' })
    .getByRole('link', { name: 'fix(auth): forget attempts' })
    .click();
  await page.getByRole('region', { name: 'Why' }).getByText('still locked out').waitFor();
  await page.getByRole('region', { name: 'Changed lines' }).getByText(/^\+/).first().waitFor();
  await page
    .getByRole('region', { name: 'Files' })
    .getByRole('link', { name: /rate-limit\.ts/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'rate-limit.ts' }).waitFor();
});

test('memory: what was written in a session, in its order', async () => {
  const page = await dashboard.open('/memory');
  await page
    .getByRole('list', { name: 'Sessions, latest first' })
    .getByRole('link', { name: 'first look' })
    .click();
  await page
    .getByRole('region', { name: 'Session: first look' })
    .getByRole('link', { name: 'where sessions live' })
    .waitFor();
});

test('find anything leads to every page by its name', async () => {
  const page = await dashboard.open('/');
  await page.getByText('Add rate limiting').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Find code/ }).waitFor();
  await page.keyboard.type('graph');
  await page.getByRole('option', { name: 'Go to Graph' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Graph' }).waitFor();
});

test('search: a result says why it matched and leads to the file; the filter is in the address', async () => {
  const page = await dashboard.open('/search');
  await page.getByRole('searchbox', { name: 'Search for' }).fill('forget attempts');
  await page.getByRole('button', { name: 'commits' }).click();
  const commits = page.getByRole('region', { name: 'commits' });
  await commits
    .getByText(/relevant/)
    .first()
    .waitFor();
  expect(page.url()).toContain('in=commits');
  await commits.getByRole('link', { name: /forget attempts/ }).click();
  await page.getByText('A user who waited was still locked out.').waitFor();
});

test('artifact: find what changes with a file, and why it is as it is', async () => {
  const page = await dashboard.open('/artifact?path=src/auth/session.ts');
  await page
    .getByRole('region', { name: 'Usually changes with it' })
    .getByRole('link', { name: 'src/auth/rate-limit.ts', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'rate-limit.ts' }).waitFor();
  const story = page.getByRole('region', { name: 'History' });
  await story.getByRole('link', { name: 'feat(auth): add rate limiting' }).click();
  await page.getByText('a script tried').waitFor();
});

test('direction and control characters in a file are shown by name', async () => {
  const page = await dashboard.open('/artifact?path=src/hostile.ts');
  await page.getByText('⟨U+202E⟩reversed').waitFor();
  await page.getByText('⟨U+001B⟩[31mred').waitFor();
});

test('work: a blocked task says what it waits for', async () => {
  const page = await dashboard.open('/work');
  await page.getByRole('link', { name: 'Document the limits' }).click();
  await page
    .getByRole('region', { name: /Depends on/ })
    .getByRole('link', { name: 'Add rate limiting' })
    .waitFor();
});

test('areas: what is known about an area is one click away', async () => {
  const page = await dashboard.open('/areas');
  await page
    .getByRole('region', { name: 'All areas' })
    .getByRole('link', { name: /Sessions/ })
    .click();
  await page.getByRole('region', { name: 'Sessions' }).getByText('as long as the process').waitFor();
});

test('memory: see why something was decided, and promote it', async () => {
  const page = await dashboard.open('/memory');
  await page.getByRole('searchbox', { name: 'Search entries' }).fill('sessions memory');
  await page.getByRole('button', { name: /Promote where sessions live/ }).click();
  await page.getByText('promoted', { exact: true }).waitFor();
});

test('poison on the dashboard: an entry that the code refutes carries its label in memory, in search and in review', async () => {
  const lie = { content: 'The function `login` is defined in src/login.ts.', title: 'where login is' };
  await dashboard.run('store_entry', { ...lie, category: 'insight' });
  const memory = await dashboard.open('/memory');
  await memory.getByRole('searchbox', { name: 'Search entries' }).fill('where login is');
  const entry = memory.locator('.entry').filter({ hasText: 'src/login.ts' }).first();
  await entry.getByText('unverified, needs review').waitFor();
  const search = await dashboard.open('/search?q=where+login+is&in=chronicle');
  const hit = search.getByRole('listitem').filter({ hasText: 'src/login.ts' }).first();
  await hit.getByText('unverified, needs review').waitFor();
  const review = await dashboard.open('/review');
  await review
    .getByText(/login is defined in src\/auth\/session\.ts/)
    .first()
    .waitFor();
});

test('what another surface writes appears without a reload', async () => {
  const page = await dashboard.open('/memory');
  await page.getByText('one process').waitFor();
  await dashboard.run('store_entry', {
    content: 'Limits are per user.',
    category: 'decision',
    title: 'whose limit',
  });
  await page.getByRole('link', { name: 'whose limit' }).waitFor();
});

test('approvals: how many wait stands in the title of the tab, and changes while it is open', async () => {
  const page = await dashboard.open('/work');
  await expect.poll(() => page.title()).toBe('(2) Work · Sylk');
  await dashboard.run('reference_topic_create', {
    title: 'Third opinion',
    body: 'One more.',
    sources: [{ type: 'web', url: 'https://far.example/third' }],
  });
  await expect.poll(() => page.title()).toBe('(3) Work · Sylk');
  await page.getByRole('link', { name: 'Approvals 3 waiting' }).click();
  const third = page.getByRole('region', { name: /asked by ada/ }).filter({ hasText: 'far.example/third' });
  await third.getByText('Allow this kind always, by a rule').click();
  await third.getByText('targets: ["https://far.example"]').waitFor();
  await third.getByRole('button', { name: 'Deny' }).click();
  await expect.poll(() => page.title()).toBe('(2) Approvals · Sylk');
});

test('approvals: the exact action is shown; one is approved, one denied with a reason', async () => {
  const page = await dashboard.open('/approvals');
  const first = page
    .getByRole('region', { name: /asked by ada/ })
    .filter({ hasText: 'far.example/Rate-limits-in-practice' });
  await first.getByRole('button', { name: 'Approve once' }).click();
  await first.waitFor({ state: 'detached' });
  const second = page
    .getByRole('region', { name: /asked by ada/ })
    .filter({ hasText: 'far.example/Second-opinion' });
  await second.getByRole('textbox', { name: /Reason/ }).fill('one source is enough');
  await second.getByRole('button', { name: 'Deny' }).click();
  const answered = page.getByRole('region', { name: 'Answered' });
  await answered.getByText('one source is enough').waitFor();
  const { approvals } = (await dashboard.run('list_approvals', { status: 'all' })) as {
    approvals: Array<{ status: string; answered_by: string; note: string | null }>;
  };
  expect(approvals.map(({ status }) => status).sort()).toEqual(['approved', 'denied', 'denied', 'used']);
});

test('a preference that an agent proposed is confirmed or rejected by a click, and the session outlives a reload', async () => {
  for (const category of ['quotes', 'tabs'])
    await dashboard.run('set_preference', { category, preference: 'as proposed' });
  const page = await dashboard.open('/approvals');
  const proposed = page.getByRole('region', { name: 'Proposed preferences' });
  await proposed.getByText('proposed by agent ada').first().waitFor();
  await proposed.getByRole('button', { name: 'Confirm here quotes' }).click();
  await proposed.getByText('quotes: as proposed').waitFor({ state: 'detached' });
  await page.reload();
  await proposed.getByRole('button', { name: 'Reject tabs' }).click();
  await proposed.getByText('None.').waitFor();
  expect(await dashboard.run('get_preferences', {})).toMatchObject({ explicit: { quotes: 'as proposed' } });
});

test('a session that is ended on the dashboard shows no more data', async () => {
  const [page, other] = [await dashboard.open('/approvals'), await dashboard.open('/')];
  const browsers = page.getByRole('region', { name: 'Signed-in browsers' });
  await browsers.getByText('This browser').waitFor();
  await page.reload();
  await browsers.getByRole('button', { name: /^End/ }).last().click();
  await expect
    .poll(async () => {
      await other.reload();
      await other.reload();
      return other.getByText('Open Sylk from your terminal').count();
    })
    .toBe(1);
});

test('the theme that is chosen stays', async () => {
  const page = await dashboard.open('/');
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  await page.reload();
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
});

test('the code of the link leaves the address, and without the link no data is shown', async () => {
  const page = await dashboard.open('/');
  expect(page.url()).toBe(`${dashboard.url}/`);
  await page.evaluate('sessionStorage.clear()');
  await page.reload();
  await page.getByText('Open Sylk from your terminal').waitFor();
});

test('the first load is below 300 KB of compressed script', () => {
  const built = join(import.meta.dirname, '../../web/dist');
  const named = [...readFileSync(join(built, 'index.html'), 'utf8').matchAll(/assets\/[\w.-]+\.js/g)].map(
    ([file]) => file,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(readdirSync(join(built, 'assets')).length).toBeGreaterThan(named.length);
  const size = named.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0);
  expect(size).toBeLessThan(300 * 1024);
});

test('a server that went away is said so', async () => {
  const page = await dashboard.open('/work');
  await page.getByText('Document the limits').waitFor();
  await dashboard.stopServer();
  await page.getByText('Not connected.').waitFor();
});
