import { join } from 'node:path';
import { z } from 'zod';
import type { App } from '../app.ts';
import { isoTime } from '../base/clock.ts';
import { looseBoolean } from '../base/loose-input.ts';
import { probeServer } from '../base/mcp-handshake.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import type { Finding } from '../engines/doctor/index.ts';
import { version } from '../version.ts';
import { operation } from './operation.ts';

const runDoctor = operation({
  name: 'run_doctor',
  summary:
    'Check this installation: runtime, git, databases, locks, configuration, index, clients, and a real start of the MCP server. Every problem comes with a fix. With bundle, also writes a file for bug reports: versions, sizes, findings, settings, the end of the log; no content, no secrets.',
  effect: 'derive',
  idempotent: true,
  input: z.object({
    fix: looseBoolean
      .default(false)
      .describe('also apply safe repairs; never touches what people or agents wrote'),
    bundle: looseBoolean.default(false),
  }),
  output: z.object({
    healthy: z.boolean(),
    findings: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        state: z.enum(['ok', 'note', 'problem', 'fixed']),
        detail: z.string(),
        fix: z.string().optional(),
      }),
    ),
    path: z.string().optional().describe('file for the bundle'),
    bytes: z.number().optional(),
  }),
  examples: [{}],
  render: ({ healthy, findings, path, bytes }) =>
    [
      ...(path ? [`${path} (${bytes} bytes). Read it before you share it.`, ''] : []),
      ...findings.map(findingLine),
      '',
      healthy ? 'No problems found.' : 'Problems found (✗). Each one lists its fix.',
    ].join('\n'),
  isFailure: ({ healthy, path }) => !healthy && path === undefined,
  run: async ({ fix, bundle }, { app }) => {
    const diagnosis = await diagnoseApp(app, fix);
    if (!bundle) return diagnosis;
    const { collectBundle } = await import('../engines/doctor/index.ts');
    const file = collectBundle({
      stateDirectory: app.prepareDirectory(),
      logFile: logFile(app),
      version,
      config: app.loadedConfig,
      findings: diagnosis.findings,
      now: isoTime(app.clock.now()),
    });
    return { ...diagnosis, ...file };
  },
});

const marks = { ok: '✓', note: '!', problem: '✗', fixed: '✓' } as const;

const findingLine = ({ title, state, detail, fix }: Finding): string =>
  `${marks[state]} ${title}: ${detail}${fix && state !== 'fixed' ? `\n    fix: ${fix}` : ''}`;

async function diagnoseApp(app: App, fix: boolean) {
  const { diagnose } = await import('../engines/doctor/index.ts');
  const { findLauncher } = await import('../engines/clients/index.ts');
  const clients = await app.clients();
  const { state, root } = app.repository;
  return diagnose(
    {
      repository: app.repository,
      git: app.git,
      databases: [
        {
          id: 'index',
          title: 'Index',
          path: join(state.directory, 'index.db'),
          derived: true,
          heal: () => app.healIndex(),
        },
        {
          id: 'history',
          title: 'History index',
          path: join(state.directory, 'history.db'),
          derived: true,
          heal: async () => void (await app.history()).heal(),
        },
        // A location that can't be written can't be inspected either; the stores read a copy.
        ...(state.readOnly ? [] : [{ id: 'library', title: 'Library', path: state.library, derived: false }]),
        { id: 'user-library', title: 'Your library', path: join(app.user.data, 'sylk.db'), derived: false },
      ],
      readConfig: app.rereadConfig,
      stores: {
        index: app.index,
        library: app.library,
        user: app.userLibrary,
        approvals: app.approvals,
        history: app.history,
        code: app.code,
        memory: app.memory,
        references: app.references,
        skills: app.skills,
        conventions: app.conventions,
        graph: app.graph,
        work: app.work,
        areas: app.areas,
      },
      recreated: async () => [...(await app.library()).recreated, ...(await app.userLibrary()).recreated],
      backups: async () => [(await app.library()).backupFailure, (await app.userLibrary()).backupFailure],
      freshness: () => indexStates(app),
      probe: () =>
        probeServer({ command: findLauncher(), args: ['mcp', '--repo', root, '--no-index'] }, { cwd: root }),
      clients: () => clients.list(),
      team: app.config.team.database === '' ? undefined : teamFacts(app),
    },
    fix,
  );
}

const teamFacts = (app: App) => ({
  database: async () => {
    const { waiting, oldest, holders } = await (await app.runs()).counts();
    return {
      version: await (await app.library()).version(),
      waiting,
      oldestSeconds: oldest / 1000,
      workers: holders,
    };
  },
  hub: async () => (await app.runRefs()).check(),
});

async function indexStates(app: App) {
  const indexing = await app.indexing();
  const states = await indexing.freshness();
  const failures = indexing.failures();
  return states.map(({ source, state, detail }) => ({
    name: source,
    state,
    detail,
    fresh: state === 'fresh' || state === 'empty',
    failure: failures.find((failure) => failure.source === source),
  }));
}

const readLogs = operation({
  name: 'read_logs',
  summary:
    'Latest log entries of this repository, oldest first. Secrets were removed when they were written.',
  effect: 'read',
  input: z.object({
    level: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('lowest severity to show'),
    since: z.iso.datetime({ offset: true }).optional(),
    contains: z.string().optional(),
    limit: limitInput(50, 1000),
    ...pagingInput,
  }),
  output: z.object({
    entries: z.array(z.looseObject({ time: z.string(), level: z.string(), message: z.string() })),
    unreadable: z.number(),
    file: z.string(),
    ...pagingOutput,
  }),
  examples: [{ level: 'error', limit: 5 }],
  render: ({ entries, file }) =>
    entries
      .map(({ time, level, message, ...more }) => `${time} ${level.padEnd(5)} ${message}${fieldsOf(more)}`)
      .join('\n') || `${file} has no entries.`,
  run: async ({ level, since, contains, limit, ...request }, { app }) => {
    const { readLog } = await import('../engines/doctor/index.ts');
    const file = logFile(app);
    const { entries, unreadable } = readLog(file, { level, since, contains, limit });
    const { items, total } = await pageOf(entries.toReversed(), request);
    return { entries: items.toReversed(), total, unreadable, file };
  },
});

export const operations = [runDoctor, readLogs];

const logFile = (app: App): string => join(app.repository.state.directory, 'log', 'sylk.log');

const fieldsOf = ({ pid: _pid, ...more }: Record<string, unknown>): string =>
  Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : '';
