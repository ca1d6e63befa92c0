import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, furnish, startDashboard } from './dashboard.ts';

let dashboard: Dashboard;
let area: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  ({ area } = await furnish(dashboard));
});
afterAll(() => dashboard.close());

test('graph: find what changes with a file, by keyboard alone, and see where that comes from', async () => {
  const page = await dashboard.open('/graph');
  await page.getByRole('searchbox', { name: 'Find a start' }).focus();
  await page.keyboard.type('rate limit');
  await page
    .getByRole('list', { name: 'Found' })
    .getByRole('link', { name: 'src/auth/rate-limit.ts' })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'list', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /src\/auth\/session\.ts/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'src/auth/session.ts', exact: true });
  await panel.getByText('trust 100').waitFor();
  await panel.getByText(/Ada in [0-9a-f]{10}: fix\(auth\): forget attempts/).waitFor();
  await panel
    .getByRole('list', { name: /Links of/ })
    .getByText('changes with')
    .first()
    .waitFor();
  expect(page.url()).toContain('view=list');
});

test('graph: see why something was decided from the file that it is about', async () => {
  const page = await dashboard.open('/graph?ref=file:src/auth/session.ts&view=list');
  await page
    .getByRole('button', { name: /where sessions live/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'where sessions live' });
  await panel.getByText('written by ada').waitFor();
  await panel.getByRole('link', { name: 'Open it' }).click();
  await page.getByRole('region', { name: 'Entry' }).getByText('because the shop has one process').waitFor();
});

test('graph: what is trusted less, and kinds that are not wanted, leave the view; the address keeps the choice', async () => {
  const page = await dashboard.open('/graph?ref=file:src/auth/session.ts&view=list');
  const neighbours = page.getByRole('list', { name: 'Neighbours' });
  const named = (name: RegExp) => neighbours.getByRole('button', { name });
  await named(/where sessions live/).waitFor();
  await page.getByRole('combobox', { name: 'Trust' }).selectOption('60');
  await named(/where sessions live/).waitFor({ state: 'detached' });
  await named(/Sessions/).waitFor();
  await page.getByRole('button', { name: 'Areas' }).click();
  await named(/Sessions/).waitFor({ state: 'detached' });
  await named(/rate-limit/).waitFor();
  await page.reload();
  await named(/rate-limit/).waitFor();
  expect(await named(/Sessions|where sessions/).count()).toBe(0);
});

/** Points of the drawing at which something lies, found as a pointer finds them. */
const findThings = `(() => {
  const drawing = document.querySelector('.drawing');
  const { left, top, width, height } = drawing.getBoundingClientRect();
  const found = [];
  for (let y = 6; y < height; y += 10)
    for (let x = 6; x < width; x += 10) {
      const at = { clientX: left + x, clientY: top + y };
      drawing.dispatchEvent(new PointerEvent('pointermove', at));
      const near = found.some((one) => Math.hypot(one.x - at.clientX, one.y - at.clientY) < 90);
      if (drawing.classList.contains('pointing') && !near) found.push({ x: at.clientX, y: at.clientY });
    }
  return found;
})()`;

test('graph: a thing that is pointed at in the drawing is explained beside it', async () => {
  const page = await dashboard.open('/graph?ref=file:src/auth/session.ts&kinds=file&types=imports');
  await page.getByRole('region', { name: /What is around/ }).waitFor();
  let things: Array<{ x: number; y: number }> = [];
  // The drawing has come to rest when all three are there and none has moved since the last look.
  const areAtRest = async () => {
    const before = JSON.stringify(things);
    things = (await page.evaluate(findThings)) as typeof things;
    return things.length === 3 && JSON.stringify(things) === before;
  };
  await expect.poll(areAtRest, { interval: 100 }).toBe(true);
  const explained = new Set<string>();
  for (const { x, y } of things) {
    await page.mouse.click(x, y);
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    explained.add((await page.getByRole('list', { name: /Links of/ }).getAttribute('aria-label')) ?? '');
  }
  expect([...explained].sort()).toEqual([
    'Links of src/auth/rate-limit.ts',
    'Links of src/auth/session.ts',
    'Links of src/index.ts',
  ]);
});

test('areas: a text is edited; where somebody else was faster both versions are shown and nothing is lost', async () => {
  const page = await dashboard.open(`/areas?id=${area}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const text = page.getByRole('textbox', { name: /based on version 1/ });
  await text.fill((await text.inputValue()).replace('as long as the process', 'ten minutes'));
  await dashboard.run('manage_graph', {
    actor: 'eve',
    operation: 'update',
    entityType: 'atom',
    id: area,
    version: 1,
    knowledge: 'A session lives in the database.',
  });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert', { name: 'Version conflict' });
  await conflict.getByText('A session lives in the database.').waitFor();
  await conflict.getByRole('button', { name: 'Keep my text, on top of version 2' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Sessions' }).getByText('ten minutes').waitFor();
  await page.getByText('Version 3').waitFor();
});

test('areas: how much of the tree is known, folder by folder', async () => {
  const page = await dashboard.open('/areas');
  const coverage = page.getByRole('region', { name: 'Coverage of the tree' });
  await coverage.getByRole('button', { name: 'src/' }).click();
  await coverage.getByRole('list', { name: 'Folders of src' }).getByText('2 of 2 known').waitFor();
});

test('work: the order of work is drawn and listed; a feature and its tasks are one click away', async () => {
  const page = await dashboard.open('/work');
  await page.getByRole('button', { name: 'order' }).click();
  const drawing = page.getByRole('region', { name: 'Order of work' });
  await drawing.getByRole('link', { name: 'Document the limits' }).waitFor();
  await page.getByRole('button', { name: 'list' }).click();
  const waits = page
    .getByRole('list', { name: 'Order of work' })
    .getByRole('link', { name: /^Document the limits/ });
  await waits.getByText('waits for Add rate limiting').waitFor();
  await waits.click();
  await page.getByRole('heading', { level: 1, name: 'Document the limits' }).waitFor();
});

test('references: a topic is found by a question, shows its sources and age, and is refreshed', async () => {
  const page = await dashboard.open('/search');
  await page.getByRole('searchbox', { name: 'Search for' }).fill('how is it installed');
  await page.getByRole('button', { name: 'references' }).click();
  await page
    .getByRole('region', { name: 'references' })
    .getByRole('link', { name: /Shop handbook/ })
    .first()
    .click();
  const topic = page.getByRole('region', { name: 'Shop handbook' });
  await topic.getByText('How the shop is started').waitFor();
  await topic.getByText('folder', { exact: true }).waitFor();
  await topic.getByRole('button', { name: 'Refresh' }).click();
  await topic.getByRole('button', { name: 'Refresh', exact: true }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('skills: collections open and close; a skill says where it comes from, whether it is trusted, and who has its plain id', async () => {
  const page = await dashboard.open('/skills');
  const all = page.getByRole('region', { name: 'All skills' });
  await all.getByText('repo:work-planning, plain id in built in').waitFor();
  await all.getByText('not trusted').first().waitFor();
  const email = all.getByRole('link', { name: /^email/ });
  await email.waitFor();
  await all.getByRole('button', { name: /extraction/ }).click();
  await email.waitFor({ state: 'detached' });
  await all.getByRole('button', { name: /extraction/ }).click();
  await email.click();
  const shown = page.getByRole('region', { name: 'email' });
  await shown.getByText('project', { exact: true }).waitFor();
  await shown.getByText('Do it.').waitFor();
  await page
    .getByRole('region', { name: /Sources/ })
    .getByText('2 skills')
    .waitFor();
});

test('file: what is remembered about it stands beside its commits', async () => {
  const page = await dashboard.open('/artifact?path=src/auth/session.ts');
  const remembered = page.getByRole('region', { name: 'Remembered about it' });
  await remembered.getByRole('link', { name: 'where sessions live' }).click();
  await page.getByRole('region', { name: 'Entry' }).getByText('one process').waitFor();
});

test('file: who uses a symbol, and which commit wrote the chosen line', async () => {
  const page = await dashboard.open('/artifact?path=src/auth/session.ts&line=9');
  await page.getByRole('region', { name: 'Line 9' }).getByRole('link').first().waitFor();
  const symbols = page.getByRole('region', { name: 'Symbols' });
  await symbols.getByText(/^Uses/).first().click();
  await symbols
    .getByText(/No use was found|\.ts:\d+/)
    .first()
    .waitFor();
});

test('runs: a task is proposed; its plan waits for approval, on the page of the run and at home', async () => {
  const page = await dashboard.open('/runs');
  await page.getByRole('textbox', { name: 'What should be done' }).fill('Limit the log-ins of each user');
  await page.getByRole('button', { name: 'Propose' }).click();
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs.getByText('The plan waits for you: work').waitFor();
  expect(await needs.getByRole('button', { name: 'reject' }).isDisabled()).toBe(true);
  await needs.getByRole('link', { name: 'Limit the log-ins of each user' }).click();
  await page.getByRole('heading', { level: 1, name: 'Limit the log-ins of each user' }).waitFor();
  await page.getByRole('region', { name: 'Story' }).getByRole('link', { name: '1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'approve' }).click();
  await page.getByRole('alert').getByText(/model/).first().waitFor();
  const home = await dashboard.open('/');
  await home.getByRole('region', { name: 'Waiting for you' }).waitFor();
});

test('runs: a plan is sent back with words, and its budget is set and raised, on the page of the run', async () => {
  const { run } = (await dashboard.run('propose_run', { task: 'Count failed log-ins' })) as { run: string };
  const page = await dashboard.open(`/runs?id=${run}`);
  // What is approved can be read, by whom it is done too.
  await page
    .getByRole('region', { name: 'Plan' })
    .getByText(/\(engineer\) Count failed log-ins/)
    .waitFor();
  const budget = page.getByLabel('Budget in US dollars');
  const set = page.getByRole('button', { name: 'Set the budget' });
  for (const [dollars, shown] of [
    ['2', 'budget $2.00'],
    ['7.5', 'budget $7.50'],
  ] as const) {
    await budget.fill(dollars);
    await set.click();
    await page.getByText(shown).waitFor();
  }
  await page.getByText('The budget was set to 7.5.').waitFor();
  await page.getByLabel('Your remarks on the plan').fill('Count them for each address');
  await page.getByRole('button', { name: 'reject' }).click();
  await page
    .getByText(/Count them for each address/)
    .first()
    .waitFor();
});

test('memory: a decision, a preference and a task are written by hand, and stand in their lists', async () => {
  const page = await dashboard.open('/memory');
  const form = page.getByRole('region', { name: 'Remember something' });
  await form.getByRole('textbox', { name: 'Title' }).fill('no cookies');
  await form.getByRole('textbox', { name: 'What to remember' }).fill('Sessions are kept without cookies.');
  await form.getByText('Every agent of this repository sees it.').waitFor();
  await form.getByRole('button', { name: 'Remember' }).click();
  await page.getByRole('region', { name: 'Entries' }).getByRole('link', { name: 'no cookies' }).waitFor();
  const entries = page.getByRole('region', { name: 'Entries' });
  await entries.getByRole('button', { name: 'Edit no cookies' }).click();
  await entries
    .getByRole('textbox', { name: 'New text of no cookies' })
    .fill('Sessions are kept in a cookie after all.');
  await entries.getByRole('button', { name: 'Save' }).click();
  const opened = page.getByRole('region', { name: 'Entry', exact: true });
  await opened.getByText('in a cookie after all').waitFor();
  await opened.getByRole('button', { name: 'Delete no cookies' }).click();
  await opened.getByRole('button', { name: 'Delete for good' }).click();
  await entries.getByText('in a cookie after all').waitFor({ state: 'detached' });
  const preferences = page.getByRole('region', { name: 'Preferences' });
  await preferences.getByRole('textbox', { name: 'About what' }).fill('commits');
  await preferences.getByRole('textbox', { name: 'What you prefer' }).fill('small ones');
  await preferences.getByRole('button', { name: 'Add preference' }).click();
  await preferences.getByRole('button', { name: 'Remove commits' }).click();
  await preferences.getByText('small ones').waitFor({ state: 'detached' });
  await page.goto(new URL('/work', page.url()).href);
  await page.getByRole('textbox', { name: 'A new task' }).fill('Write the handbook');
  await page.getByRole('button', { name: 'Add task' }).click();
  await page
    .getByRole('region', { name: 'Board' })
    .getByRole('link', { name: 'Write the handbook' })
    .waitFor();
});

test('review: what contradicts each other is settled with a reason, what is unverified is confirmed', async () => {
  const page = await dashboard.open('/review');
  const dispute = page.getByRole('region', { name: 'Disputed: how long attempts count' });
  await dispute.getByRole('region', { name: 'Left' }).getByText('after a minute').waitFor();
  await dispute.getByRole('region', { name: 'Right' }).getByText('never forgotten').waitFor();
  expect(await dispute.getByRole('button', { name: 'Keep left' }).isDisabled()).toBe(true);
  await dispute.getByRole('textbox', { name: /Reason/ }).fill('the code forgets them');
  await dispute.getByRole('button', { name: 'Keep left' }).click();
  await dispute.waitFor({ state: 'detached' });
  const unverified = page.getByRole('region', { name: 'Unverified: who may log in' });
  await unverified.getByText('login() refuses after ten attempts').waitFor();
  await unverified.getByRole('button', { name: 'It is true' }).click();
  await unverified.waitFor({ state: 'detached' });
});

test('activity: what happens is told while it happens, with its raw form on demand', async () => {
  const page = await dashboard.open('/activity?type=guide');
  const hop = { seq: 1, at: new Date().toISOString(), message_id: 'm', session_id: 's', type: 'ASK' };
  dashboard.publish('guide', {
    hops: [
      {
        ...hop,
        source: 'user',
        target: 'librarian',
        status: 'done',
        attempt: 1,
        waited_ms: 2,
        ran_ms: 5,
        tier: 'rules',
      },
    ],
    left_out: 0,
  });
  await page.getByText('User asked librarian a question · decided by rules').click();
  await page.getByText('"message_id": "m"').waitFor();
});

test('a stream that is cut fifty times loses nothing and repeats nothing', async () => {
  const page = await dashboard.open('/activity?type=probe');
  await page.getByText('Nothing happened yet').waitFor();
  let told = 0;
  for (let cut = 0; cut < 50; cut++) {
    for (let each = 0; each < 5; each++) dashboard.publish('probe', { number: ++told });
    dashboard.dropStreams();
    for (let each = 0; each < 5; each++) dashboard.publish('probe', { number: ++told });
    await page.getByRole('status').getByText(`${told} events`).waitFor();
  }
  const list = page.getByRole('region', { name: 'Events, latest first' });
  await list.getByText('number 500', { exact: true }).waitFor();
  await list.focus();
  // Rows are measured as they come into view, so the end can move away once it was reached.
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return list.getByText('number 1', { exact: true }).isVisible();
    })
    .toBe(true);
}, 600_000);
