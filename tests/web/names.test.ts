import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, startDashboard } from './dashboard.ts';

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
  await dashboard.run('store_entry', {
    title: 'Rule \u202eyek\u202c of the \u200bteam',
    content: 'Deploy \u202eyb dnah\u202c always',
    category: 'decision',
  });
});
afterAll(() => dashboard.close());

test('names of files, subjects of commits, authors and entries are shown with what nobody would see written out', async () => {
  const shown: string[] = [];
  for (const address of ['/', '/memory', '/search?q=service', '/graph', '/work', '/areas', '/skills']) {
    const page = await dashboard.open(address);
    await expect.poll(() => page.getByText(/^Loading /).count()).toBe(0);
    if (address === '/') await page.getByText('Mal\\u{202e}ory').first().waitFor();
    if (address === '/memory') await page.getByText('\\u{202e}').first().waitFor();
    const text = (await page.locator('body').textContent()) ?? '';
    const titles = await page
      .locator('[title]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    for (const part of [text, ...titles]) expect(part ?? '', address).not.toMatch(unseen);
    shown.push(text);
    await page.context().close();
  }
  expect(shown.join('\n')).toContain('\\u{202e}yek');
  expect(shown.join('\n')).toContain('fix: \\u{202e}evil subject');
});
