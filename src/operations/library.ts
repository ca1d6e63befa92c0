import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { person } from '../base/files/index.ts';
import { operation } from './operation.ts';

const shared = { toolset: 'setup', scope: 'person', tier: 'specialised', domain: 'system' } as const;
const target = z
  .string()
  .optional()
  .describe('file to write; in backups of the state directory when left out');
const engine = () => import('../engines/library-copies/index.ts');

const fileFor = (app: App, given: string | undefined, stem: string, ending: string): string =>
  given
    ? resolve(given)
    : join(
        app.prepareDirectory(),
        'backups',
        `${stem}-${new Date(app.clock.now()).toISOString().replace(/[:.]/g, '-')}${ending}`,
      );

const backupLibrary = operation({
  ...shared,
  name: 'backup_library',
  summary: 'Copies the library (memory, sessions, work) while it is in use, and checks the copy.',
  effect: 'setup',
  keywords: ['backup', 'copy', 'library'],
  input: z.object({ path: target }),
  output: z.object({ path: z.string(), rows: z.number() }),
  examples: [{}],
  command: { positionals: ['path'] },
  render: ({ path, rows }) => `${path}: ${rows} rows, sound.`,
  run: async ({ path }, { app }) => {
    await app.memory();
    return (await engine()).writeBackup(await app.library(), fileFor(app, path, 'library', '.db'));
  },
});

const restoreLibrary = operation({
  ...shared,
  name: 'restore_library',
  summary: 'Puts a copy of the library in place of the present one, checked; the present one is kept first.',
  effect: 'setup',
  destructive: true,
  keywords: ['restore', 'backup', 'library'],
  input: z.object({ path: z.string() }),
  output: z.object({ from: z.string(), before: z.string().optional(), rows: z.number() }),
  examples: [{ path: 'library.db' }],
  command: { positionals: ['path'] },
  render: ({ from, before, rows }) =>
    `${rows} rows from ${from}.${before ? ` What was there is in ${before}.` : ''}`,
  run: async ({ path }, { app }) => {
    await app.memory();
    return (await engine()).restoreLibrary(await app.library(), resolve(path));
  },
});

const exportMemory = operation({
  ...shared,
  name: 'export_memory',
  summary:
    'Writes sessions and everything remembered as JSON, without secrets, to read or to move elsewhere.',
  effect: 'setup',
  keywords: ['export', 'memory', 'json'],
  input: z.object({ path: target }),
  output: z.object({ path: z.string(), rows: z.record(z.string(), z.number()) }),
  examples: [{}],
  command: { positionals: ['path'] },
  run: async ({ path }, { app }) => {
    await Promise.all([app.memory(), app.graph()]);
    const file = fileFor(app, path, 'memory', '.json');
    const data = (await engine()).exportMemory(await app.library());
    person.write(file, `${JSON.stringify(data, null, 1)}\n`, { mode: 0o600 });
    const rows = Object.entries(data.tables).map(([table, list]) => [table, list.length]);
    return { path: file, rows: Object.fromEntries(rows) };
  },
});

const importMemory = operation({
  ...shared,
  name: 'import_memory',
  summary: 'Adds the sessions and memories of an export that are not here yet. What is here stays as it is.',
  effect: 'setup',
  idempotent: true,
  keywords: ['import', 'memory', 'json'],
  input: z.object({ path: z.string() }),
  output: z.object({ added: z.record(z.string(), z.number()), known: z.number() }),
  examples: [{ path: 'memory.json' }],
  command: { positionals: ['path'] },
  run: async ({ path }, { app }) => {
    const [{ chronicle }] = await Promise.all([app.memory(), app.graph()]);
    return (await engine()).importMemory(
      { library: await app.library(), chronicle, check: app.checkEntry },
      readJson(resolve(path)),
    );
  },
});

function readJson(path: string): unknown {
  try {
    return JSON.parse(person.read(path, { limit: 2 ** 30 }).toString('utf8'));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new SylkError(
      missing ? 'NOT_FOUND' : 'VALIDATION_ERROR',
      missing ? `There is no file ${path}.` : `${path} cannot be read as JSON.`,
      { hint: 'Give a file that `sylk export` wrote.' },
    );
  }
}

export const operations = [backupLibrary, restoreLibrary, exportMemory, importMemory];
