import { spawnSync } from 'node:child_process';

/** Verbs that print differences: a repository's attributes could name programs for that. */
const comparing = new Set(['log', 'show', 'diff', 'blame', 'annotate', 'whatchanged', 'format-patch']);

/** Verbs that read or write files of the working tree: a repository's attributes could name filters for that. */
const filtering = new Set([
  'add',
  'apply',
  'archive',
  'blame',
  'checkout',
  'checkout-index',
  'cherry-pick',
  'clone',
  'commit',
  'diff',
  'diff-files',
  'diff-index',
  'grep',
  'hash-object',
  'ls-files',
  'merge',
  'read-tree',
  'rebase',
  'reset',
  'restore',
  'sparse-checkout',
  'stash',
  'status',
  'switch',
  'update-index',
  'worktree',
]);

/** Switches external diffs and text conversions off, whatever the caller asked for otherwise. */
export function harmlessArguments([verb = '', ...rest]: string[]): string[] {
  return comparing.has(verb) ? [verb, '--no-ext-diff', '--no-textconv', ...rest] : [verb, ...rest];
}

/**
 * Filters have names of their own choosing, so they can only be emptied one by one: the names are read once (reading runs
 * nothing) and each gets no program. Answered as environment, which takes any name as it is.
 */
export function createFilterGuard(list: () => string) {
  let known: Record<string, string> | undefined;
  return (verb: string): Record<string, string> => {
    if (!filtering.has(verb)) return {};
    known ??= emptied(list());
    return known;
  };
}

function emptied(listing: string): Record<string, string> {
  const names = new Set<string>();
  for (const key of listing.split('\0')) {
    const found =
      /^(filter|merge|diff)\.([\s\S]+)\.(?:clean|smudge|process|required|driver|command|textconv)$/.exec(key);
    if (found) names.add(`${found[1]}.${found[2]}`);
  }
  const settings = [...names].flatMap((name): Array<[string, string]> => {
    if (name.startsWith('merge.')) return [[`${name}.driver`, 'false']];
    if (name.startsWith('diff.'))
      return [
        [`${name}.textconv`, ''],
        [`${name}.command`, ''],
      ];
    return [
      [`${name}.clean`, ''],
      [`${name}.smudge`, ''],
      [`${name}.process`, ''],
      [`${name}.required`, 'false'],
    ];
  });
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return env;
}

/** The names of all settings, NUL-separated; nothing where git cannot be asked. */
export function listSettings(lead: string[], cwd: string, env: Record<string, string>): string {
  const result = spawnSync('git', [...lead, 'config', '--list', '--name-only', '-z'], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 10_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return result.status === 0 ? result.stdout : '';
}
