import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import type { Caller } from '../../src/operations/operation.ts';
import { runOperation } from '../../src/operations/run.ts';
import { launcher } from '../support/program.ts';
import { type TestRepository, testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';

const person: Caller = { kind: 'person', name: 'ada' };

function world(repository: TestRepository = testRepository(), now = Date.UTC(2025, 5, 1)) {
  const clock = fixedClock(now);
  const app = openApp({ directory: repository.path, clock });
  onTestFinished(() => app.close());
  // biome-ignore lint/suspicious/noExplicitAny: the data of every operation is looked at
  const call = async (name: string, input: object): Promise<any> => {
    const outcome = await runOperation(app, { name, input, caller: person });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code} ${outcome.error.message}`);
    return outcome.output;
  };
  const project = async () =>
    (await call('create_work_tree', { project: { name: 'Shop', summary: 's' } })).data.created[0]
      .id as string;
  const task = (title: string, summary: string) =>
    call('manage_container', {
      operation: 'create',
      containerType: 'task',
      title,
      summary,
      priority: 'LOW',
      complexity: 1,
    });
  return { repository, app, clock, call, project, task };
}

test('search_work finds by meaning what shares no word with the question, and by words what does', async () => {
  const { call, project, task } = world();
  await project();
  await task('Sign-in fails on phones', 'Users cannot log in with their password.');
  await task('Invoices as PDF', 'Print the bill of a customer.');
  await task('Colours of the header', 'The banner is too dark.');
  await call('manage_graph', {
    operation: 'create',
    entityType: 'atom',
    name: 'Login',
    paths: ['src/login/**'],
    knowledge: 'Passwords are checked before a session begins.',
  });
  const found = async (query: string) =>
    (await call('search_work', { query })).data.results.map(({ title }: { title: string }) => title);
  const meant = await found('authentication of people');
  expect(meant[0]).toMatch(/Sign-in|Login/);
  expect(meant).not.toContain('Colours of the header');
  expect((await found('banner'))[0]).toBe('Colours of the header');
});

describe('areas stand on the history store', () => {
  const moved = () => {
    const repository = testRepository();
    repository.commit('feat: pay by card', { 'src/pay/card.ts': 'export const card = 1;\n' });
    repository.commit('feat: old name', { 'lib/bill.ts': 'export const bill = [1, 2, 3, 4, 5];\n' });
    return repository;
  };

  test('a renamed file makes the area stale that owns it now, also by what happened under its old name', async () => {
    const repository = moved();
    const { call, project } = world(repository, Date.UTC(2025, 0, 1));
    await project();
    const atom = { operation: 'create', entityType: 'atom', knowledge: 'k' };
    await call('manage_graph', { ...atom, name: 'Billing', paths: ['src/billing/**'] });
    repository.git('mv', 'lib/bill.ts', 'bill-now.ts');
    repository.git('mv', 'bill-now.ts', 'lib/bill.ts');
    repository.commit('fix: round up', { 'lib/bill.ts': 'export const bill = [1, 2, 3, 4, 6];\n' });
    repository.write('src/billing/keep', '');
    repository.git('mv', 'lib/bill.ts', 'src/billing/bill.ts');
    repository.commit('refactor: billing has a folder');
    const stale = (await call('get_stale_areas', {})).data.atoms;
    expect(stale).toHaveLength(1);
    const subjects = stale[0].staleness.latest.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toContain('fix: round up');
    expect(subjects[0]).toBe('refactor: billing has a folder');
  });

  test('a new name, or a molecule that is deleted, leaves a stale area stale; new knowledge makes it fresh', async () => {
    const { call, clock, project } = world(moved(), Date.UTC(2025, 0, 1));
    await project();
    const created = await call('manage_graph', {
      ...{ operation: 'create', entityType: 'atom', knowledge: 'k' },
      ...{ name: 'Pay', paths: ['src/pay/**'] },
    });
    const { id } = created.data.atom ?? created.data;
    const stale = async () => (await call('get_stale_areas', {})).data.atoms.length;
    expect(await stale()).toBe(1);
    clock.advance(Date.now() - Date.UTC(2025, 0, 1) + 86_400_000);
    const update = { operation: 'update', entityType: 'atom', id };
    await call('manage_graph', { ...update, version: 1, name: 'Payments' });
    expect(await stale()).toBe(1);
    await call('manage_graph', {
      ...update,
      version: 2,
      knowledge: 'cards only',
      knowledgeMode: 'overwrite',
    });
    expect(await stale()).toBe(0);
  });

  test('more commits than a short look at git would read are counted', async () => {
    const repository = moved();
    for (let at = 0; at < 30; at++) repository.commit(`step ${at}`, { 'src/pay/card.ts': `// ${at}\n` });
    const { call, project } = world(repository, Date.UTC(2025, 0, 1));
    await project();
    const atom = {
      operation: 'create',
      entityType: 'atom',
      knowledge: 'k',
      name: 'Pay',
      paths: ['src/pay/**'],
    };
    await call('manage_graph', atom);
    const { staleness } = (await call('get_stale_areas', {})).data.atoms[0];
    expect(staleness).toMatchObject({ state: 'stale', commits: 31 });
    expect(staleness.latest).toHaveLength(5);
  });
});

test('init makes one project, named after the repository, and never a second one', async () => {
  const { call, repository } = world();
  const first = await call('init_repository', {});
  expect(first.project).toEqual({
    id: expect.any(String),
    name: repository.path.split('/').at(-1),
    made: true,
  });
  expect((await call('init_repository', {})).project).toEqual({ ...first.project, made: false });
  expect((await call('list_areas', {})).data.total).toBe(0);
});

describe('areas edit', () => {
  const opened = async () => {
    const parts = world();
    await parts.project();
    await parts.call('manage_graph', {
      operation: 'create',
      entityType: 'atom',
      name: 'Entry',
      paths: ['a.ts'],
      knowledge: 'Old words.',
    });
    const text = async () =>
      (await parts.call('read_area_text', { id: 'Entry' })).data as { text: string; version: number };
    const edit = (script: string, more: string[] = []) =>
      sylk(parts.repository.path, ['areas', 'edit', 'Entry', ...more], {
        env: { EDITOR: script, VISUAL: '' },
      });
    return { ...parts, text, edit };
  };

  test('opens the editor of the person and saves what it left', async () => {
    const { text, edit } = await opened();
    expect(edit("sed -i 's/Old words/New words/'")).toMatchObject({
      code: 0,
      out: expect.stringContaining('version 2'),
    });
    expect(await text()).toMatchObject({ text: expect.stringContaining('New words.'), version: 2 });
    expect(edit('true')).toMatchObject({ code: 0, out: 'No changes.\n' });
  });

  test('a conflict is shown, nothing is overwritten, and the typed text is kept and can be gone on with', async () => {
    const { repository, text, edit } = await opened();
    const script = join(repository.path, 'editor.sh');
    const other = `sh ${launcher()} areas edit Entry`;
    writeFileSync(
      script,
      `sed -i 's/Old words/My words/' "$1"\nEDITOR="sed -i 's/Old words/Their words/'" ${other} >/dev/null\n`,
    );
    const lost = edit(`sh ${script}`);
    expect(lost.code).not.toBe(0);
    expect(lost.err).toContain('changed in the meantime');
    expect((await text()).text).toContain('Their words.');
    const draft = /Your text is saved: (\S+)/.exec(lost.err)![1]!;
    expect(lost.err).toContain(`diff `);
    expect(edit('true', ['--file', draft]).code).toBe(0);
    expect((await text()).text).toContain('My words.');
  });

  test('a text that cannot be read is refused, kept, and named with its problem', async () => {
    const { text, edit } = await opened();
    const refused = edit("sed -i '1d'");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/Your text is saved: /);
    expect(await text()).toMatchObject({ version: 1 });
  });
});
