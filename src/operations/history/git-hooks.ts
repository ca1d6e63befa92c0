import { join } from 'node:path';
import { z } from 'zod';
import { state } from '../../base/files/index.ts';
import { findLauncher } from '../../base/launcher.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { readManifest } from '../../stores/history/index.ts';
import { type OperationContext, operation } from '../operation.ts';

const install = operation({
  name: 'install_git_hooks',
  summary:
    'Update the history index from git hooks (commit, merge, checkout, rewrite). Existing hooks keep running. With remove, deletes only the lines of Sylk.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    tag_commits: looseBoolean
      .default(false)
      .describe('also write the tags: line of commit messages, from components and the current task'),
    remove: looseBoolean.default(false),
  }),
  output: z.object({
    directory: z.string(),
    hooks: z.array(
      z.object({ hook: z.string(), path: z.string(), how: z.enum(['made', 'joined', 'chained']) }),
    ),
    changed: z.array(z.string()).optional().describe('with remove'),
  }),
  examples: [{}],
  render: ({ hooks, changed }) =>
    changed
      ? changed.join('\n') || 'No Sylk hooks were installed.'
      : hooks.map(({ path, how }) => `${how.padEnd(8)}${path}`).join('\n'),
  run: async ({ tag_commits, remove }, { app }) => {
    const { hooksDirectory, installHooks, uninstallHooks } = await import('../../engines/git-hooks/index.ts');
    const directory = hooksDirectory(app.git, app.repository);
    if (remove) return { directory, hooks: [], changed: uninstallHooks(directory) };
    const runDirectory = join(app.prepareDirectory(), 'run');
    const options = { launcher: findLauncher(), runDirectory, tagCommits: tag_commits };
    return { directory, hooks: installHooks(directory, options) };
  },
});

const commitTags = operation({
  name: 'suggest_commit_tags',
  summary:
    'The tags: line for a commit of these files (default: staged files), from components and the current task.',
  effect: 'read',
  input: z.object({ paths: looseList(z.string()).optional().describe('default: staged files') }),
  output: z.object({ tags: z.array(z.string()), line: z.string() }),
  examples: [{ paths: ['README.md'] }],
  render: ({ line }) => line,
  run: async ({ paths }, context) => {
    const { suggestCommitTags } = await import('../../engines/git-hooks/index.ts');
    const tags = await suggestCommitTags(paths ?? (await stagedFiles(context)), {
      manifest: () => readManifest(context.app.repository.root),
      areas: (files) => areasOf(context, files),
      task: () => currentTaskTags(context),
    });
    return { tags, line: tags.join(', ') };
  },
});

/** Without a library there are no areas or tasks, and a commit must not create a library. */
const hasLibrary = ({ app }: OperationContext) => state.exists(app.repository.state.library);

async function areasOf(context: OperationContext, paths: string[]): Promise<string[]> {
  if (!hasLibrary(context) || paths.length === 0) return [];
  const engine = await context.app.workAreas();
  const project = await engine.projectOrDefault(undefined).catch(() => undefined);
  if (!project) return [];
  const found = await engine.context({ projectId: project, paths: paths.slice(0, 100), changelogLimit: 0 });
  const molecules = found.molecules.flatMap(({ name, atoms }) => [name, ...atoms.map((atom) => atom.name)]);
  return [...molecules, ...found.orphanAtoms.map((atom) => atom.name)];
}

/** The current task, when there is exactly one candidate. */
async function currentTaskTags(context: OperationContext): Promise<string[]> {
  if (!hasLibrary(context)) return [];
  const work = await context.app.work();
  const { items } = await work.searchContainers({ kind: 'task', status: ['ACTIVE'], limit: 2, offset: 0 });
  return items.length === 1 ? items[0]!.tags : [];
}

/** A hook runs with the git index of the commit in progress; `git commit -a` uses a separate one. */
async function stagedFiles({ app }: OperationContext): Promise<string[]> {
  const index = app.env.GIT_INDEX_FILE;
  return app.git.list(['diff', '--cached', '--name-only', '-z', '--no-ext-diff'], {
    env: index ? { GIT_INDEX_FILE: index } : undefined,
  });
}

export const operations = [install, commitTags];
