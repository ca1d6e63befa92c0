import { basename, join } from 'node:path';
import { z } from 'zod';
import { tree } from '../base/files/index.ts';
import { looseBoolean } from '../base/loose-input.ts';
import { version } from '../version.ts';
import { operation } from './operation.ts';

const initRepository = operation({
  name: 'init_repository',
  summary:
    'Set up a repository: .sylk with a commented config.yaml, and a first project for tasks and areas. Writes nothing else unless asked.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    agents_md: looseBoolean
      .default(false)
      .describe(
        'also write a marked, removable block into AGENTS.md or CLAUDE.md that says when to use which tool',
      ),
  }),
  output: z.object({
    directory: z.string(),
    made: z.array(z.string()),
    notes: z.array(z.object({ path: z.string(), change: z.string() })),
    found: z.array(z.object({ path: z.string(), use: z.string() })),
    clients: z.array(z.string()),
    project: z
      .object({ id: z.string(), name: z.string(), made: z.boolean() })
      .optional()
      .describe('default project for tasks and areas'),
  }),
  examples: [{}],
  render: ({ directory, made, notes, found, clients, project }) =>
    [
      made.length > 0 ? `Made ${made.join(', ')}` : `${directory} is already set up.`,
      ...(project?.made ? [`Created the project ${JSON.stringify(project.name)} for tasks and areas`] : []),
      ...notes.map(({ path, change }) => `${path}: block ${change}`),
      ...found.map(({ path, use }) => `Found ${path}: ${use}`),
      ...clients.map((id) => `Client detected. Run: sylk mcp install ${id}`),
      'Next: sylk up',
    ].join('\n'),
  run: async ({ agents_md }, { app, caller }) => {
    const { initialiseDirectory, writeAgentsBlock } = await import('../engines/clients/index.ts');
    const directory = app.repository.sharedDirectory;
    const { made, found } = initialiseDirectory(directory, app.repository.root);
    const clients = (await app.clients())
      .list()
      .filter((state) => state.detected && state.installed.length === 0);
    const project = await (await app.workAreas()).firstProject(
      { actor: caller.name, person: true },
      basename(app.repository.mainRoot),
    );
    return {
      directory,
      made,
      found,
      project,
      notes: agents_md ? writeAgentsBlock(app.repository.root) : [],
      clients: clients.map((state) => state.id),
    };
  },
});

const uninstallSylk = operation({
  name: 'uninstall_sylk',
  summary:
    'Remove Sylk from this repository: hooks, client entries, the block in agent notes, .sylk and the state in the git directory.',
  effect: 'decide',
  destructive: true,
  idempotent: true,
  input: z.object({
    keep_library: looseBoolean
      .default(false)
      .describe('keep what people and agents wrote; delete derived data only'),
    backup: looseBoolean
      .default(true)
      .describe('first back up what people and agents wrote to your own Sylk directory'),
  }),
  output: z.object({
    removed: z.array(z.string()),
    backup: z.string().optional(),
    problems: z.array(z.string()),
  }),
  examples: [{ keep_library: true }],
  render: ({ removed, backup, problems }) =>
    [
      ...removed.map((path) => `removed ${path}`),
      ...(backup ? [`The library was backed up to ${backup}`] : []),
      ...problems.map((problem) => `✗ ${problem}`),
    ].join('\n') || 'Sylk was not installed here.',
  run: async ({ keep_library, backup }, { app }) => {
    const { uninstallRepository } = await import('../engines/clients/index.ts');
    const { hooksDirectory, uninstallHooks } = await import('../engines/git-hooks/index.ts');
    return uninstallRepository({
      root: app.repository.root,
      sharedDirectory: app.repository.sharedDirectory,
      state: app.repository.state,
      clients: await app.clients(),
      keepLibrary: keep_library,
      backupDirectory: backup ? join(app.user.data, 'removed') : undefined,
      release: () => app.close(),
      removeHooks: async () => uninstallHooks(hooksDirectory(app.git, app.repository)),
    });
  },
});

const makePackaging = operation({
  name: 'make_packaging',
  summary: 'Files that package Sylk as a plugin, an extension, a shared .mcp.json or a registry entry.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    target: z.enum(['team', 'claude-plugin', 'codex-plugin', 'gemini-extension', 'registry']),
    namespace: z.string().optional().describe('for the registry: a reversed domain name'),
    directory: z
      .string()
      .optional()
      .describe('write the files to this directory of the repository; shown only when omitted'),
  }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), content: z.string() })),
    written: z.boolean(),
  }),
  examples: [{ target: 'claude-plugin' }, { target: 'team' }],
  command: { positionals: ['target'] },
  render: ({ files, written }) =>
    files.map(({ path, content }) => (written ? `wrote ${path}` : `--- ${path}\n${content}`)).join('\n'),
  run: async ({ target, namespace, directory }, { app }) => {
    const { packagingFiles } = await import('../engines/clients/index.ts');
    const files = Object.entries(packagingFiles(target, { version, namespace: namespace || undefined })).map(
      ([path, content]) => ({ path: directory ? join(directory, path) : path, content }),
    );
    if (directory) for (const { path, content } of files) tree.write(app.repository.root, path, content);
    return { files, written: directory !== undefined };
  },
});

export const operations = [initRepository, uninstallSylk, makePackaging];
