import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import type { App } from '../app.ts';
import { codeOf, SylkError } from '../base/errors.ts';
import { person } from '../base/files/index.ts';
import { looseBoolean } from '../base/loose-input.ts';
import type { Adoptable } from '../engines/library-copies/index.ts';
import { authorOf } from './memory/shared.ts';
import { operation } from './operation.ts';

const target = z
  .string()
  .optional()
  .describe('target file; default: the backups folder of the state directory');
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
  name: 'backup_library',
  summary: 'Back up the library (memory, sessions, work) while it is in use, and verify the copy.',
  effect: 'setup',
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

const copyLibrary = operation({
  name: 'copy_library',
  summary:
    'Copy everything of the library to an empty one: from this machine to the PostgreSQL of a team, or back to a file. Both are compared row by row.',
  effect: 'setup',
  input: z.object({ to: z.string().min(1).describe('postgres://HOST/NAME?schema=NAME, or a new file') }),
  output: z.object({
    to: z.string(),
    rows: z.number(),
    tables: z.array(z.object({ table: z.string(), rows: z.number() })),
  }),
  examples: [{ to: 'postgres://localhost/team?schema=No' }],
  command: { positionals: ['to'] },
  render: ({ to, rows, tables }) => `${rows} rows of ${tables.length} tables are in ${to}, equal row by row.`,
  run: async ({ to }, { app }) => {
    await openEveryStore(app);
    const url = /^postgres(ql)?:/.test(to) ? to : resolve(app.repository.root, to);
    const { openLibrary } = await import('../base/library/index.ts');
    const target = openLibrary({ url });
    try {
      const copied = await (await engine()).copyLibrary(await app.library(), target);
      return { ...copied, to: url.replace(/\/\/[^@/]*@/, '//') };
    } finally {
      await target.close();
    }
  },
});

/** Each makes its tables known to the library. */
async function openEveryStore(app: App): Promise<void> {
  await app.memory();
  await Promise.all([
    app.work(),
    app.areas(),
    app.runs(),
    app.transcripts(),
    app.knowledge(),
    app.conventions(),
  ]);
  await Promise.all([(await app.guide()).bus(), app.ledger(), app.approvals(), app.questions()]);
}

const tableChange = z.object({
  table: z.string(),
  now: z.number(),
  copied: z.number(),
  removed: z.number(),
  added: z.number(),
});

const changeLines = (changes: Array<z.output<typeof tableChange>>): string =>
  changes.length === 0
    ? 'No rows would change.'
    : changes
        .map(
          ({ table, now, copied, removed, added }) =>
            `  ${table}: ${now} rows now, ${copied} in the copy; ${removed} would be removed, ${added} would be restored`,
        )
        .join('\n');

const restoreLibrary = operation({
  name: 'restore_library',
  summary: 'Replace the library with a backup; the replaced one is saved. Without a name, lists the backups.',
  effect: 'decide',
  destructive: true,
  input: z.object({
    path: z.string().optional().describe('name of a backup, or a file'),
    list: z.boolean().optional().describe('list the backups'),
  }),
  output: z.object({
    backups: z
      .array(z.object({ name: z.string(), at: z.string(), reason: z.string(), bytes: z.number() }))
      .optional(),
    from: z.string().optional(),
    before: z.string().optional(),
    rows: z.number().optional(),
  }),
  examples: [{ list: true }],
  command: { positionals: ['path'] },
  consent: async ({ path, list }, app) => {
    if (list || path === undefined) return { shown: '', allowed: true };
    const { compareBackup, findBackup } = await engine();
    const library = await app.library();
    const source = findBackup(library, path);
    return { shown: `${source}\n${changeLines(compareBackup(library, source))}`, allowed: false };
  },
  render: ({ backups, from, before, rows }) => {
    if (!backups)
      return `${rows} rows restored from ${from}.${before ? ` The previous library is saved as ${before}.` : ''}`;
    if (backups.length === 0) return 'No backups yet. Run `sylk backup` to create one.';
    return [
      ...backups.map(
        ({ name, at, reason, bytes }) => `${name}  ${at}  ${reason}  ${Math.ceil(bytes / 1024)} KB`,
      ),
      'Run `sylk library restore NAME` to see what a backup would change, and to restore it.',
    ].join('\n');
  },
  run: async ({ path, list }, { app }) => {
    await app.memory();
    const copies = await engine();
    const library = await app.library();
    if (!list && path !== undefined) return copies.restoreLibrary(library, copies.findBackup(library, path));
    const backups = copies.backupsOf(library).map(({ path: file, at, label, bytes }) => ({
      name: basename(file),
      at: timeOf(at),
      reason: label,
      bytes,
    }));
    return { backups };
  },
});

/** File names must not contain colons. */
const timeOf = (at: string): string => at.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d+)Z/, 'T$1:$2:$3Z');

const exportMemory = operation({
  name: 'export_memory',
  summary: 'Export sessions and everything remembered as JSON, without secrets.',
  effect: 'setup',
  input: z.object({ path: target }),
  output: z.object({ path: z.string(), rows: z.record(z.string(), z.number()) }),
  examples: [{}],
  command: { positionals: ['path'] },
  render: ({ path, rows }) =>
    `${path}: ${rows['sessions'] ?? 0} sessions, ${rows['entries'] ?? 0} entries, without secrets.`,
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
  name: 'import_memory',
  summary:
    'Adds the sessions and memories of an export that are not here yet, labeled as imported. What is here stays as it is.',
  effect: 'decide',
  idempotent: true,
  input: z.object({
    path: z.string(),
    keep_authors: looseBoolean
      .default(false)
      .describe('believe the file about who said what: a person confirms it at the terminal'),
    digest: z.string().optional().describe('SHA-256 of the file that a person confirmed'),
  }),
  output: z.object({ added: z.record(z.string(), z.number()), known: z.number() }),
  examples: [{ path: 'memory.json' }],
  command: { positionals: ['path'] },
  // Only who said what is decided: labeled rows claim nothing.
  consent: async ({ path, keep_authors }) => {
    if (!keep_authors) return { shown: '', allowed: true };
    const { claimedAuthors, requireExport } = await engine();
    const { value, digest } = readJson(resolve(path));
    return {
      shown: `${path} is believed about who said what.\n${claimedAuthors(requireExport(value))}`,
      allowed: false,
      input: { digest },
    };
  },
  run: async ({ path, keep_authors, digest }, context) => {
    const { app } = context;
    const [memory] = await Promise.all([app.memory(), app.graph()]);
    const { importMemory } = await engine();
    const file = readJson(resolve(path));
    if (digest !== undefined && digest !== file.digest)
      throw new SylkError('CONFLICT', `${path} changed while you read what it claims.`, {
        hint: 'Nothing was imported. Run the same command again.',
      });
    const { entries, ...result } = await importMemory(
      { library: await app.library(), chronicle: memory.chronicle },
      file.value,
      { by: authorOf(context).name, from: resolve(path), now: app.clock.now(), keepsAuthors: keep_authors },
    );
    await memory.adopt(entries);
    return result;
  },
});

/** Runs `work` on the library that waits for adoption, and deletes its temporary copy afterwards. */
async function withAdoptable<T>(app: App, work: (found: Adoptable) => Promise<T>): Promise<T> {
  const found = await (await engine()).findAdoptable(app.repository, app.git);
  try {
    return await work(found);
  } finally {
    found.discard();
  }
}

const adoptLibrary = operation({
  name: 'adopt_library',
  summary:
    'Adopt a library that was created for another clone or machine, or that an older Sylk left in .sylk. It replaces the current one, which is saved.',
  effect: 'decide',
  destructive: true,
  input: z.object({}),
  output: z.object({
    from: z.string(),
    rows: z.number(),
    before: z.string().optional(),
    kept: z.string().describe('new location of the original'),
  }),
  examples: [{}],
  render: ({ from, rows, before, kept }) =>
    `${rows} rows adopted from ${from}, which is now ${kept}.${before ? ` The previous library is saved as ${before}.` : ''}`,
  consent: (_input, app) =>
    withAdoptable(app, async ({ path, rows }) => {
      const filled = Object.entries(rows).filter(([table, count]) => count > 0 && !table.startsWith('_'));
      const lines = filled.map(([table, count]) => `  ${table}: ${count} rows`);
      return { shown: [path, ...lines].join('\n'), allowed: false };
    }),
  run: (_input, { app }) =>
    withAdoptable(app, async (found) => {
      await Promise.all([app.memory(), app.graph(), app.areas()]);
      return (await engine()).adoptLibrary(await app.library(), found, app.repository);
    }),
});

function readJson(path: string): { value: unknown; digest: string } {
  try {
    const bytes = person.read(path, { limit: 2 ** 30 });
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { value: JSON.parse(bytes.toString('utf8')), digest };
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    throw new SylkError(
      missing ? 'NOT_FOUND' : 'VALIDATION_ERROR',
      missing ? `File not found: ${path}` : `${path} is not valid JSON.`,
      { hint: 'Give a file that `sylk export` wrote.' },
    );
  }
}

export const operations = [
  backupLibrary,
  copyLibrary,
  restoreLibrary,
  exportMemory,
  importMemory,
  adoptLibrary,
];
