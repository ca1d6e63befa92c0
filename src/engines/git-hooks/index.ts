// Owns: the marked lines in a repository's git hooks.
// Knows: where git keeps hooks, and how to coexist with existing hooks.
// Must not know: what the called commands do.
import { join, resolve } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { isWithin, person, tree } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import {
  chainText,
  hasBlock,
  indexBlock,
  indexHooks,
  insertBlock,
  isShellScript,
  messageBlock,
  messageHook,
  withoutBlock,
} from './hook-text.ts';

export { suggestCommitTags } from './commit-tags.ts';

export interface InstallOptions {
  /** The program that hooks call. */
  launcher: string;
  runDirectory: string;
  /** Also write the tags: line of commit messages. */
  tagCommits: boolean;
}

export interface HookChange {
  hook: string;
  path: string;
  /** `made`: there was none. `joined`: our lines were inserted. `chained`: ours calls theirs. */
  how: 'made' | 'joined' | 'chained';
}

const keptName = (hook: string) => `${hook}.sylk-kept`;

/** Where git looks for this repository's hooks. A directory shared with other repositories is not ours to write. */
export function hooksDirectory(git: Git, repository: Repository): string {
  const configured = git.setting('core.hookspath');
  const named = configured && configured !== '/dev/null' ? configured : undefined;
  const path = named ? resolve(repository.root, named) : join(repository.commonDirectory, 'hooks');
  const root = [repository.root, repository.commonDirectory].find((one) => isWithin(one, path));
  if (root) return requireOwnDirectory(root, path);
  throw new SylkError(
    'INVALID_OPERATION',
    `core.hooksPath is ${configured}, which other repositories share.`,
    {
      hint: 'Add `sylk call index_history` to the hooks there yourself, or unset core.hooksPath for this repository.',
    },
  );
}

/** A link would put hooks into a place outside of this repository. */
function requireOwnDirectory(root: string, path: string): string {
  if (!person.exists(path) || tree.isDirectory(root, path)) return path;
  throw new SylkError(
    'INVALID_OPERATION',
    `${path} is not a directory of this repository, or is reached through a link.`,
    {
      hint: 'Replace it by a directory, or unset core.hooksPath for this repository.',
    },
  );
}

/** Adds our lines to the hooks; existing hooks keep running. Repeating it changes nothing. */
export function installHooks(directory: string, options: InstallOptions): HookChange[] {
  person.makeDirectory(directory);
  const changes = indexHooks.map((hook) =>
    install(directory, hook, indexBlock(options.launcher, options.runDirectory)),
  );
  if (options.tagCommits) changes.push(install(directory, messageHook, messageBlock(options.launcher)));
  return changes;
}

function install(directory: string, hook: string, lines: string): HookChange {
  const path = join(directory, hook);
  const kept = keptName(hook);
  const chain = (): HookChange => {
    tree.write(directory, hook, chainText(lines, kept), { mode: 0o755 });
    return { hook, path, how: 'chained' };
  };
  if (tree.entry(directory, kept)) return chain();
  const status = tree.entry(directory, hook);
  if (!status) {
    tree.write(directory, hook, `#!/bin/sh\n${lines}`, { mode: 0o755 });
    return { hook, path, how: 'made' };
  }
  const theirs = status.kind === 'file' ? withoutBlock(tree.readText(directory, hook) ?? '') : '';
  // Writing through a link would change a file of the project, and a disabled hook must stay disabled.
  if (status.kind !== 'file' || !isShellScript(theirs) || !(status.mode & 0o100)) {
    tree.rename(directory, hook, kept);
    return chain();
  }
  tree.write(directory, hook, insertBlock(theirs, lines));
  return { hook, path, how: theirs.trim() === '#!/bin/sh' ? 'made' : 'joined' };
}

/** Removes our lines and restores the original bytes; a hook that contained nothing else is deleted. */
export function uninstallHooks(directory: string): string[] {
  const changed: string[] = [];
  for (const { name: hook } of tree.list(directory, '.')) {
    if (hook.endsWith('.sylk-kept') || !tree.isFile(directory, hook)) continue;
    const path = join(directory, hook);
    const text = tree.readText(directory, hook);
    if (text === undefined || !hasBlock(text)) continue;
    const kept = keptName(hook);
    const rest = withoutBlock(text);
    if (tree.entry(directory, kept)) tree.rename(directory, kept, hook);
    else if (rest === '#!/bin/sh\n') tree.remove(directory, hook);
    else tree.write(directory, hook, rest);
    changed.push(path);
  }
  return changed;
}
