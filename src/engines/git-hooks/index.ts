// Owns: the marked lines in a repository's git hooks.
// Knows: where git keeps hooks, and how to stand beside hooks that are already there.
// Must not know: what the called commands do.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { readTextIfThere, writeFileAtomic } from '../../base/files.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { isWithin } from '../../base/path-jail.ts';
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

export { type CommitTagSources, suggestCommitTags } from './commit-tags.ts';

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
  /** `made`: there was none. `joined`: our lines stand in theirs. `chained`: theirs is called by ours. */
  how: 'made' | 'joined' | 'chained';
}

const keptName = (hook: string) => `${hook}.sylk-kept`;

/** Where git looks for this repository's hooks. A directory that other repositories share is not ours to write. */
export function hooksDirectory(git: Git, repository: Repository): string {
  const configured = git.setting('core.hookspath');
  if (!configured || configured === '/dev/null') return join(repository.commonDirectory, 'hooks');
  const path = isAbsolute(configured) ? configured : resolve(repository.root, configured);
  if (isWithin(repository.root, path) || isWithin(repository.commonDirectory, path)) return path;
  throw new SylkError(
    'INVALID_OPERATION',
    `core.hooksPath is ${configured}, which other repositories share.`,
    {
      hint: 'Add `sylk call index_history` to the hooks there yourself, or unset core.hooksPath for this repository.',
    },
  );
}

/** Adds our lines to the hooks; what is already there still runs. Doing it again changes nothing. */
export function installHooks(directory: string, options: InstallOptions): HookChange[] {
  mkdirSync(directory, { recursive: true });
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
    writeFileAtomic(path, chainText(lines, kept), { mode: 0o755 });
    return { hook, path, how: 'chained' };
  };
  if (existsSync(join(directory, kept))) return chain();
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) {
    writeFileAtomic(path, `#!/bin/sh\n${lines}`, { mode: 0o755 });
    return { hook, path, how: 'made' };
  }
  const text = readTextIfThere(path) ?? '';
  const theirs = withoutBlock(text);
  const runs = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o100;
  // Writing through a link would change a file of the project, and a hook that is switched off must stay off.
  if (status.isSymbolicLink() || !isShellScript(theirs) || !runs) {
    renameSync(path, join(directory, kept));
    return chain();
  }
  writeFileAtomic(path, insertBlock(theirs, lines));
  return { hook, path, how: theirs.trim() === '#!/bin/sh' ? 'made' : 'joined' };
}

/** Takes our lines out again, byte for byte as it was; a hook that held nothing else goes. */
export function uninstallHooks(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const changed: string[] = [];
  for (const hook of readdirSync(directory)) {
    if (hook.endsWith('.sylk-kept')) continue;
    const path = join(directory, hook);
    const text = lstatSync(path).isFile() ? readTextIfThere(path) : undefined;
    if (text === undefined || !hasBlock(text)) continue;
    const kept = join(directory, keptName(hook));
    const rest = withoutBlock(text);
    if (lstatSync(kept, { throwIfNoEntry: false })) renameSync(kept, path);
    else if (rest === '#!/bin/sh\n') rmSync(path);
    else writeFileAtomic(path, rest);
    changed.push(path);
  }
  return changed;
}
