import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { testRepository } from '../support/repository.ts';
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

test('another repository of this machine is chosen by the person; an agent of the server does not reach it', async () => {
  const orchard = testRepository();
  orchard.commit('plant apple trees', { 'README.md': '# orchard\n' });
  const elsewhere = openApp({ directory: orchard.path, env: process.env });
  elsewhere.prepareDirectory();
  await elsewhere.library();
  await elsewhere.close();
  const page = await dashboard.open('/');
  const choice = page.getByRole('combobox', { name: 'Repository' });
  await choice.selectOption({ value: orchard.path });
  await page.getByText('plant apple trees').first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const file = join(dashboard.app.repository.state.directory, 'run', 'http.json');
  const { token } = JSON.parse(readFileSync(file, 'utf8'));
  const asAgent = (path: string) =>
    fetch(`${dashboard.url}${path}`, {
      method: path.startsWith('/api/repositories') ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  expect(await (await asAgent('/api/repositories')).json()).toMatchObject({ others: [] });
  const address = `/api/get_status?repository=${encodeURIComponent(orchard.path)}`;
  expect((await asAgent(address)).status).toBe(404);
  expect((await asAgent('/api/get_status?repository=bakery')).status).toBe(200);
});
