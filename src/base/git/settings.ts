import { spawnSync } from 'node:child_process';
import { codeOf, SylkError } from '../errors.ts';
import { once } from '../once.ts';
import { childEnvironment } from '../process/index.ts';

export type Settings = Array<[key: string, value: string]>;

/** Nothing of the machine or the person is read by git itself: what counts is written into a configuration of ours. */
export const noSettings = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
};

/** What the person and the machine set for git, and the files that say so; asked once, outside of every repository. */
export const personSettings = once((): { settings: Settings; files: string[] } => {
  const { status, stdout } = spawnSync('git', ['config', '--list', '--show-origin', '-z'], {
    env: childEnvironment({ GIT_DIR: '/dev/null' }),
    encoding: 'utf8',
    timeout: 5000,
    killSignal: 'SIGKILL',
    maxBuffer: 16 * 1024 * 1024,
  });
  const fields = status === 0 ? stdout.split('\0') : [];
  const settings = parse(fields.filter((_, at) => at % 2 === 1));
  const files = fields
    .filter((field, at) => at % 2 === 0 && field !== '')
    .map((origin) => origin.replace(/^file:/, ''));
  // A file that is included may be missing, or say nothing, today.
  const included = settings.filter(([key]) => /^include(?:if)?\./.test(key)).map(([key]) => key);
  return { settings, files: [...new Set([...files, ...included])] };
});

/** What the text of a file said last: git is a process, and settings are asked for with every commit. */
const lastRead = new Map<string, { text: string; settings: Settings }>();

/** The settings of one configuration file, read by git's own parser: no include is followed, nothing runs. */
export function fileSettings(path: string, text: string): Settings {
  const last = lastRead.get(path);
  if (last?.text === text) return last.settings;
  const settings = parseFile(path, text);
  lastRead.set(path, { text, settings });
  return settings;
}

function parseFile(path: string, text: string): Settings {
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['config', '--no-includes', '--file', '-', '--list', '-z'],
    {
      env: childEnvironment({ GIT_DIR: '/dev/null', ...noSettings }),
      input: text,
      encoding: 'utf8',
      timeout: 5000,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status === 0) return parse(stdout.split('\0'));
  if (codeOf(error) === 'ENOENT')
    throw new SylkError('UNAVAILABLE', 'The program git was not found.', {
      hint: 'Install git and make sure that it is on PATH.',
    });
  const cause = stderr?.trim().replace('standard input', path) || (error?.message ?? 'git could not read it');
  throw new SylkError('UNAVAILABLE', `${path} is not a valid git configuration: ${cause}`, {
    hint: `Fix it: git config --file ${path} --edit`,
  });
}

function parse(entries: string[]): Settings {
  return entries.filter(Boolean).map((entry) => {
    const at = entry.indexOf('\n');
    return at < 0 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)];
  });
}

/**
 * Settings that change how objects and files are read or written, and that can name no program, no other file and no
 * address. `partialClone` is left out: git would fetch what is missing. `worktreeConfig` is: git would read more files.
 */
const harmless =
  /^(?:core\.(?:repositoryformatversion|filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol|safecrlf|sharedrepository|checkstat|trustctime)|user\.(?:name|email)|merge\.(?:ff|renames|renamelimit|directoryrenames)|extensions\.(?!partialclone$|worktreeconfig$)[a-z0-9]+)$/;

export const isHarmless = ([key]: Settings[number]): boolean => harmless.test(key);

/** Text of a configuration file; keys have no middle part. */
export function configurationText(settings: Settings): string {
  return settings
    .map(([key, value]) => {
      const [section, name] = key.split('.');
      const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
      return `[${section}]\n\t${name} = "${escaped}"\n`;
    })
    .join('');
}

const configurationLines = /\[([a-z0-9]+)\]\n\t([a-z0-9]+) = "((?:[^"\\\n\t]|\\[\\"nt])*)"\n/y;

/** The settings of a text that `configurationText` wrote; undefined where anything else is in it. */
export function readConfiguration(text: string): Settings | undefined {
  const settings: Settings = [];
  configurationLines.lastIndex = 0;
  for (let at = 0; at < text.length; at = configurationLines.lastIndex) {
    const [, section, name, value] = configurationLines.exec(text) ?? [];
    if (section === undefined || name === undefined || value === undefined) return undefined;
    settings.push([`${section}.${name}`, value]);
  }
  return settings;
}
