import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { seriousFindings } from './serious-findings.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ besides: { bakery: 'bake bread on Sundays' } });
});
afterAll(() => dashboard.close());

test('one server shows several repositories: another is chosen by name, and stays chosen', async () => {
  const page = await dashboard.open('/memory');
  await page.getByLabel('What to remember').fill('The shop opens at nine.');
  await page.getByRole('button', { name: 'Remember' }).click();
  // Stored: the text alone stands in the form too.
  await page.getByText('1 entry', { exact: true }).waitFor();
  const choice = page.getByRole('combobox', { name: 'Repository' });
  expect(await choice.inputValue()).toBe('shop');
  await choice.selectOption('bakery');
  await page.waitForURL(`${dashboard.url}/`);
  await page.goto(`${dashboard.url}/memory`);
  await page.getByText('Nothing is remembered yet').waitFor();
  expect(await choice.inputValue()).toBe('bakery');
  expect(await seriousFindings(page)).toEqual([]);
  await choice.selectOption('shop');
  await page.waitForURL(`${dashboard.url}/`);
  await page.goto(`${dashboard.url}/memory`);
  await page.getByText('1 entry', { exact: true }).waitFor();
});
