import { SylkError } from '../errors.ts';

/**
 * Put before every git command. A repository's own configuration may name programs (hooks, fsmonitor, pagers,
 * external diffs, signature checks); none of them runs for us, and nothing is fetched behind our back.
 */
export const safeArguments = [
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.pager=cat',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.askPass=',
  '-c',
  'diff.external=',
  '-c',
  'log.showSignature=false',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'submodule.recurse=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

export function safeEnvironment(protocols = 'https:ssh'): Record<string, string> {
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
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

/** A revision, branch or tag that came from outside: never an option, never a range trick, never a control character. */
export function requireRevision(text: string): string {
  if (
    text === '' ||
    text.startsWith('-') ||
    /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(text.replace(/[~^]\d*$/g, ''))
  ) {
    throw new SylkError('VALIDATION_ERROR', `Not a revision: ${JSON.stringify(text.slice(0, 120))}`, {
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
    throw new SylkError(
      'DENIED',
      `Not an allowed git address: ${JSON.stringify(url.slice(0, 200))} (${why})`,
      {
        hint: 'Use https:// or ssh:// (or user@host:path).',
      },
    );
  };
  if (url.startsWith('-') || /[\x00-\x20\x7f]/.test(url)) refuse('malformed');
  if (/^[A-Za-z0-9_.-]+@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^-]/.test(url)) return url;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*:)\/\//.exec(url)?.[1]?.toLowerCase();
  if (!scheme) refuse('no scheme');
  if (!schemes.has(scheme!) && !allow.includes(scheme!.slice(0, -1))) refuse(`scheme ${scheme}`);
  const host = /^[a-z+.-]+:\/\/(?:[^@/]*@)?([^/:]*)/i.exec(url)?.[1] ?? '';
  if (host.startsWith('-')) refuse('host');
  return url;
}
