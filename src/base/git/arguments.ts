import { SylkError } from '../errors.ts';

/**
 * Put before every git command, for repositories of our own making too: no program of a hook, a monitor, a pager or a
 * difference runs, and nothing is tidied up behind our back.
 */
export const safeArguments = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  // Damaged ones end git or hide commits, and a commit graph can claim anything; the objects have all that is in them.
  'core.multiPackIndex=false',
  'core.commitGraph=false',
  'core.askPass=',
  'diff.external=',
  'log.showSignature=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'diff.ignoreSubmodules=dirty',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

export function safeEnvironment(protocols: string): Record<string, string> {
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_EXTERNAL_DIFF: '',
    LC_ALL: 'C.UTF-8',
  };
}

/** Verbs that print differences: attributes could name programs for that. */
const comparing = new Set(['log', 'show', 'diff', 'blame', 'annotate', 'whatchanged', 'format-patch']);

/**
 * `status` would ask git in every submodule, which reads that submodule's own configuration; any comparison would read
 * `.gitmodules` where a submodule changed, and end if that file is damaged.
 */
const recursing = new Set(
  'status diff diff-files diff-index diff-tree log show whatchanged format-patch'.split(' '),
);

/** Switches external diffs, text conversions and a look into submodules off, whatever the caller asked for otherwise. */
export function harmlessArguments([verb = '', ...rest]: string[]): string[] {
  return [
    verb,
    ...(comparing.has(verb) ? ['--no-ext-diff', '--no-textconv'] : []),
    ...(recursing.has(verb) ? ['--ignore-submodules=dirty'] : []),
    ...rest,
  ];
}

/** A revision, branch or tag that came from outside: never an option, never a range trick, never a control character. */
export function requireRevision(text: string): string {
  if (
    text === '' ||
    text.startsWith('-') ||
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(text.replace(/[~^]\d*$/g, ''))
  ) {
    throw new SylkError('VALIDATION_ERROR', `Invalid revision: ${JSON.stringify(text.slice(0, 120))}`, {
      hint: 'Give a commit, a branch or a tag.',
    });
  }
  return text;
}

const schemes = new Map([
  ['https:', 'https'],
  ['ssh:', 'ssh'],
]);

/** A remote that came from outside. `allow` adds schemes (`http`, `file`) that a person's own settings permit. */
export function requireRemote(url: string, allow: string[] = []): string {
  const refuse = (why: string): never => {
    throw new SylkError('DENIED', `Not an allowed git URL: ${JSON.stringify(url.slice(0, 200))} (${why})`, {
      hint: 'Use https:// or ssh:// (or user@host:path).',
    });
  };
  if (url.startsWith('-') || /[\x00-\x20\x7f]/.test(url)) refuse('malformed');
  if (/^[A-Za-z0-9_.-]+@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^-]/.test(url)) return url;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*:)\/\//.exec(url)?.[1]?.toLowerCase();
  if (!scheme) return refuse('no scheme');
  if (!schemes.has(scheme) && !allow.includes(scheme.slice(0, -1))) refuse(`scheme ${scheme}`);
  const host = /^[a-z+.-]+:\/\/(?:[^@/]*@)?([^/:]*)/i.exec(url)?.[1] ?? '';
  if (host.startsWith('-')) refuse('host');
  return url;
}
