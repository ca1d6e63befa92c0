import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin, person } from '../files/index.ts';

/** Children get what a program needs to run, never what a program could leak. */
const allowed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'SYLK_HOME',
  'SYLK_DIR',
]);

export function childEnvironment(
  extra: Record<string, string> = {},
  env: NodeJS.ProcessEnv = process.env,
  /** Where the child runs. */
  directory?: string,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    if (value !== undefined && (allowed.has(key) || key.startsWith('LC_'))) clean[key] = value;
  }
  if (clean.PATH !== undefined) clean.PATH = pathOutsideWorkTrees(clean.PATH, [env.PWD, directory]);
  return { ...clean, ...extra };
}

/**
 * Without relative entries and those within the work tree that the process or its child is in: a clone could have placed a program there,
 * such as a `git` of its own. A home directory that is a work tree is the person's own.
 */
function pathOutsideWorkTrees(path: string, directories: Array<string | undefined>): string {
  const roots = [process.cwd(), ...directories]
    .flatMap((directory) => workTreeAround(directory) ?? [])
    .filter((root) => !isWithin(root, homedir()));
  const kept = path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !roots.some((root) => isWithin(root, entry)));
  // An empty PATH means the current directory.
  return kept.length > 0 || process.platform === 'win32' ? kept.join(delimiter) : systemPath;
}

const systemPath = '/usr/bin:/bin';

const workTrees = new Map<string, string | undefined>();

function workTreeAround(directory: string | undefined): string | undefined {
  if (directory === undefined || !isAbsolute(directory)) return undefined;
  if (workTrees.has(directory)) return workTrees.get(directory);
  let root: string | undefined = directory;
  while (root !== undefined && !person.exists(join(root, '.git')))
    root = dirname(root) === root ? undefined : dirname(root);
  workTrees.set(directory, root);
  return root;
}
