import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import { createGit } from '../../base/git/index.ts';
import type { FeatureRecord, TaskRecord } from '../../stores/work/index.ts';
import { createWorkAreas } from './index.ts';

const notOpened = () => Promise.reject(new Error('files need neither history nor recall'));

function world(root = temporaryDirectory('files')) {
  const stores = openStores();
  const engine = createWorkAreas({
    ...stores,
    git: createGit(root),
    repository: { mainRoot: root, sharedDirectory: join(root, '.sylk'), gitDirectory: join(root, '.git') },
    history: notOpened,
    recall: notOpened,
    defaultProject: '',
  });
  return { ...stores, engine, root, directory: join(root, '.sylk', 'knowledge') };
}

/** A little of everything that can be exported. */
async function fill(stores: ReturnType<typeof world>) {
  const { work, areas, clock } = stores;
  const [p, f, a, b] = await work.plantTree(person, {
    project: {
      name: 'Shop',
      summary: 'The shop.',
      description: 'Sells things.\n\n---\n\nAnd more.',
      tags: ['x'],
    },
    features: [
      {
        name: 'Checkout: “fast”',
        summary: 's',
        priority: 'HIGH',
        tasks: [
          {
            ref: 'a',
            name: 'Pay',
            summary: 'multi\nline',
            priority: 'HIGH',
            complexity: 3,
            template: 'Standard Task',
          },
          {
            name: 'Ship',
            summary: 's',
            priority: 'LOW',
            complexity: 1,
            blockedBy: ['a', 'a'],
            sections: [
              {
                title: 'Notes',
                usageDescription: 'u',
                content: '<!-- sylk:section x -->\n## not a section',
                tags: ['n'],
              },
            ],
          },
        ],
      },
    ],
  });
  clock.advance(1000);
  await work.manageDependency(person, {
    operation: 'create',
    fromId: a!.id,
    toId: b!.id,
    type: 'RELATES_TO',
  });
  await work.advance(person, { kind: 'task', id: a!.id, version: 2 });
  const molecule = await areas.createMolecule(person, {
    projectId: p!.id,
    name: 'Payments',
    knowledge: 'Idempotent.',
  });
  const atom = await areas.createAtom(person, {
    projectId: p!.id,
    name: 'Webhooks',
    paths: ['src/pay/**'],
    moleculeId: molecule.id,
    knowledge: 'All extend the base.',
    relatedAtoms: [{ atomId: molecule.id, reason: 'r' }],
  });
  await areas.appendChangelog(person, {
    parentType: 'atom',
    parentId: atom.id,
    taskId: a!.id,
    summary: 'first',
  });
  return { p: p!, f: f!, a: a!, b: b!, molecule, atom };
}

function filesOf(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const folder of readdirSync(directory).sort())
    for (const name of readdirSync(join(directory, folder)).sort())
      files[`${folder}/${name}`] = readFileSync(join(directory, folder, name), 'utf8');
  return files;
}

const edit = (directory: string, start: string, from: string, to: string) => {
  const path = Object.keys(filesOf(directory)).find((one) => one.startsWith(start))!;
  const text = readFileSync(join(directory, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(join(directory, path), text.replace(from, to));
};

test('export → import → export is byte-equal, also through another library', async () => {
  const first = world();
  await fill(first);
  const report = await first.engine.exportFiles();
  expect(report).toMatchObject({ written: 6, conflicts: [], problems: [] });
  const before = filesOf(first.directory);
  const second = world(first.root);
  const taken = await second.engine.importFiles(person, { dryRun: false });
  expect(taken).toMatchObject({ conflicts: [], problems: [], updated: [] });
  expect(taken.created).toHaveLength(6);
  expect(await second.engine.exportFiles()).toMatchObject({
    written: 0,
    unchanged: 6,
    removed: 0,
    conflicts: [],
  });
  expect(filesOf(second.directory)).toEqual(before);
  expect(await first.engine.importFiles(person, { dryRun: false })).toMatchObject({
    created: [],
    updated: [],
    unchanged: 6,
  });
});

test('the journal names who imported each piece', async () => {
  const first = world();
  const { p, f, a, b } = await fill(first);
  await first.engine.exportFiles();
  const second = world(first.root);
  await second.engine.importFiles({ actor: 'grace', person: true }, { dryRun: false });
  const imports = (await second.library.journal.newest({ limit: 50 })).filter(
    ({ action, ref }) => action === 'import' && /^(?:project|feature|task):/.test(ref),
  );
  expect(imports.map(({ actor, ref }) => `${actor} ${ref}`).sort()).toEqual(
    [`grace project:${p.id}`, `grace feature:${f.id}`, `grace task:${a.id}`, `grace task:${b.id}`].sort(),
  );
});

test('a hand edit of an exported file comes back', async () => {
  const stores = world();
  const { a, atom } = await fill(stores);
  await stores.engine.exportFiles();
  edit(
    stores.directory,
    'tasks/pay',
    'What to change, in which order, and why this way.',
    'First the form, then the API.',
  );
  edit(stores.directory, 'atoms/webhooks', 'All extend the base.', 'All extend BaseHandler.');
  const dry = await stores.engine.importFiles(person, { dryRun: true });
  expect([...dry.updated].sort()).toEqual([`atom:${atom.id}`, `task:${a.id}`]);
  expect((await stores.areas.getAtom(atom.id, { changelogLimit: 0 })).version).toBe(1);
  const report = await stores.engine.importFiles(person, { dryRun: false });
  expect(report).toMatchObject({ updated: dry.updated, unchanged: 4, conflicts: [], problems: [] });
  expect(await stores.areas.getAtom(atom.id, { changelogLimit: 5 })).toMatchObject({
    knowledge: 'All extend BaseHandler.',
    version: 2,
    changelog: [{ summary: 'first' }],
  });
  const [plan] = await stores.work.querySections({
    entityType: 'TASK',
    entityId: a.id,
    includeContent: true,
  });
  expect(plan).toMatchObject({ content: 'First the form, then the API.', version: 2 });
  expect(await stores.engine.exportFiles()).toMatchObject({ written: 2, unchanged: 4, conflicts: [] });
});

test('conflicting edits are reported by import and by export, and nothing is overwritten', async () => {
  const stores = world();
  const { atom } = await fill(stores);
  await stores.engine.exportFiles();
  edit(stores.directory, 'atoms/webhooks', 'All extend the base.', 'Edited in the file.');
  await stores.areas.updateAtom(person, {
    id: atom.id,
    version: 1,
    knowledge: 'Edited in the library.',
    knowledgeMode: 'overwrite',
  });
  const edited = filesOf(stores.directory);
  expect((await stores.engine.importFiles(person, { dryRun: false })).conflicts).toMatchObject([
    { ref: `atom:${atom.id}` },
  ]);
  expect((await stores.engine.exportFiles()).conflicts).toMatchObject([{ ref: `atom:${atom.id}` }]);
  expect(filesOf(stores.directory)).toEqual(edited);
  expect((await stores.areas.getAtom(atom.id, { changelogLimit: 0 })).knowledge).toBe(
    'Edited in the library.',
  );
});

test('where only the library moved on, import keeps it and the next export writes it', async () => {
  const stores = world();
  const { f } = await fill(stores);
  await stores.engine.exportFiles();
  const feature = (await stores.work.getContainer('feature', f.id)) as FeatureRecord;
  await stores.work.updateContainer(person, {
    kind: 'feature',
    id: f.id,
    version: feature.version,
    name: 'Renamed',
  });
  expect(await stores.engine.importFiles(person, { dryRun: false })).toMatchObject({
    kept: 1,
    updated: [],
    conflicts: [],
  });
  expect(await stores.engine.exportFiles()).toMatchObject({ written: 1, removed: 1 });
  expect(Object.keys(filesOf(stores.directory)).filter((path) => path.startsWith('features/'))).toHaveLength(
    1,
  );
});

test('what is deleted in the library loses its file, unless the file was edited', async () => {
  const stores = world();
  const { atom, b } = await fill(stores);
  await stores.engine.exportFiles();
  edit(stores.directory, 'atoms/webhooks', 'All extend the base.', 'Edited.');
  await stores.areas.deleteAtom(person, { id: atom.id, version: 1 });
  await stores.work.removeContainer(person, { kind: 'task', id: b.id, cascade: false });
  const report = await stores.engine.exportFiles();
  expect(report).toMatchObject({ removed: 1, conflicts: [{ ref: `atom:${atom.id}` }] });
});

test('one bad file is a problem with its path and stops no other', async () => {
  const stores = world();
  const { a } = await fill(stores);
  await stores.engine.exportFiles();
  writeFileSync(join(stores.directory, 'tasks', 'broken.md'), 'no front matter');
  writeFileSync(
    join(stores.directory, 'tasks', 'twin.md'),
    filesOf(stores.directory)[
      Object.keys(filesOf(stores.directory)).find((one) => one.startsWith('tasks/pay'))!
    ]!,
  );
  const other = world(stores.root);
  const report = await other.engine.importFiles(person, { dryRun: false });
  expect(report.problems.map((problem) => problem.path)).toEqual(['tasks/broken.md', 'tasks/twin.md']);
  expect(((await other.work.getContainer('task', a.id)) as TaskRecord).status).toBe('ACTIVE');
});

test('no file outside of the repository is written or read, also not through a link', async () => {
  const stores = world();
  await fill(stores);
  const outside = temporaryDirectory('outside');
  symlinkSync(outside, join(stores.root, 'link'));
  const away = await stores.engine.exportFiles('../elsewhere');
  const linked = await stores.engine.exportFiles('link');
  expect([away.written, linked.written, readdirSync(outside).length]).toEqual([0, 0, 0]);
  expect(away.problems[0]!.message).toMatch(/outside/);
});
