import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, startDashboard } from './dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ empty: true });
});
afterAll(() => dashboard.close());

const nothingYet: Record<string, string> = {
  '/': 'No commits read yet',
  '/search': 'Ask in your own words',
  '/graph': 'No files are known yet',
  '/graph?whole=1': 'No files are known yet',
  '/work': 'There is no work yet',
  '/work?view=order': 'There is no work yet',
  '/areas': 'No areas yet',
  '/memory': 'Nothing is remembered yet',
  '/review': 'No contradictions',
  '/references': 'No references yet',
  '/skills': 'work-planning',
  '/activity': 'Live',
  '/approvals': 'Nothing waits for an answer',
};

test.each(Object.entries(nothingYet))(
  '%s in a repository without a commit says what to do next, and nothing fails',
  async (address, says) => {
    const page = await dashboard.open(address);
    await page.getByText(says).first().waitFor();
    await expect.poll(() => page.getByText(/^Loading /).count()).toBe(0);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    await page.context().close();
  },
);

const gone: Record<string, string> = {
  '/work?id=nope': 'There is no such item',
  '/memory?id=ent_nope': 'There is no such entry',
  '/references?id=nope': 'There is no such topic',
  '/skills?id=nope': 'There is no such skill',
  '/graph?ref=file:nope.ts': 'No links',
  '/nowhere': 'There is no such page',
};

test.each(Object.entries(gone))('%s, which is missing, is said so calmly', async (address, says) => {
  const page = await dashboard.open(address);
  await page.getByText(says).first().waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  await page.context().close();
});

test('areas: with several projects the areas of one are shown, another is chosen by name', async () => {
  const ids: string[] = [];
  for (const name of ['Shop', 'Office']) {
    const tree = { actor: 'ada', project: { ref: 'p', name, summary: name } };
    const features = [
      {
        ref: 'f',
        name: `${name} feature`,
        summary: 's',
        priority: 'HIGH',
        tasks: [{ ref: 't', title: `${name} task`, summary: 's', priority: 'HIGH', complexity: 1 }],
      },
    ];
    const made = (await dashboard.run('create_work_tree', { ...tree, features })) as {
      data: { created: Array<{ id: string; kind: string }> };
    };
    const idOf = (kind: string) => made.data.created.find((each) => each.kind === kind)!.id;
    ids.push(idOf('project'));
    await dashboard.run('manage_graph', {
      actor: 'ada',
      operation: 'create',
      entityType: 'atom',
      projectId: idOf('project'),
      createdByTaskId: idOf('task'),
      name: `${name} notes`,
      paths: ['src/**'],
      knowledge: `About the ${name}.`,
    });
  }
  const page = await dashboard.open(`/areas?project=${ids[0]}`);
  await page.getByRole('link', { name: /Shop notes/ }).waitFor();
  await page.getByRole('combobox', { name: 'Project' }).selectOption('Office');
  await page.getByRole('link', { name: /Office notes/ }).click();
  await page.getByRole('region', { name: 'Office notes' }).getByText('About the Office.').waitFor();
});
