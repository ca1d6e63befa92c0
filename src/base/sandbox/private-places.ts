import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { isWithin, person } from '../files/index.ts';

/** Where systems keep the homes of people. The last is where one system shows those of another. */
const homeFolders = ['/home', '/root', '/Users', '/var/home', '/usr/home', '/export/home'];
const otherSystem = '/mnt';

/** Variables that name what a person keeps for themselves; the value may be a list of paths. */
const variables =
  'XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK GNUPGHOME PASSWORD_STORE_DIR AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AZURE_CONFIG_DIR CLOUDSDK_CONFIG GOOGLE_APPLICATION_CREDENTIALS KUBECONFIG DOCKER_CONFIG GH_CONFIG_DIR GLAB_CONFIG_DIR NETRC NPM_CONFIG_USERCONFIG npm_config_userconfig PIP_CONFIG_FILE PGPASSFILE PGSERVICEFILE HISTFILE XAUTHORITY CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME OPENCODE_CONFIG_DIR';

/** Of the system: only root could read them, and may be who runs this. */
const secretsOfSystem = ['/etc/shadow', '/etc/gshadow', '/etc/ssl/private', '/etc/sudoers', '/etc/sudoers.d'];

/** Never emptied as a whole, whoever has one of them for a home: programs live there. */
const systemFolders =
  '/bin /sbin /lib /lib64 /etc /opt /srv /usr/bin /usr/sbin /usr/lib /usr/share /usr/local /var/lib'.split(
    ' ',
  );
const ofKernel = ['/dev', '/proc', '/sys'];
const firstHumanId = 1000;

/** The homes of the person who runs this: HOME may lead elsewhere than the account does. */
export function ownHomes(): string[] {
  return [...new Set([homedir(), accountHome()])].filter((path) => isAbsolute(path) && path !== '/');
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A container may run with a number that belongs to no account.
    return '';
  }
}

/** Everything of people that a command has no business with, without links. Sorted, and none within another. */
export function privatePlaces(env: NodeJS.ProcessEnv = process.env): string[] {
  const homes = [...ownHomes(), ...homeFolders, ...homesOfOthers(), ...homesOfOtherSystem()];
  const named = variables.split(' ').flatMap((name) => (env[name] ?? '').split(':'));
  const folders = [...homes, ...named, ...linkedFrom(ownHomes())].filter(isAbsolute).flatMap(realOf);
  const all = [...new Set([...folders.filter(mayBeEmptied), ...secretsOfSystem.flatMap(realOf)])].sort();
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)));
}

function mayBeEmptied(path: string): boolean {
  if (path === '/' || ofKernel.some((folder) => isWithin(folder, path))) return false;
  return person.entry(path)?.kind !== 'directory' || !systemFolders.some((folder) => isWithin(path, folder));
}

const realOf = (path: string): string[] => {
  try {
    return [person.realPath(path)];
  } catch {
    // Not there, or not for us to read, and then not for the command either.
    return [];
  }
};

/** Of people, by their number; services have theirs among the system's folders. */
function homesOfOthers(): string[] {
  return (person.readText('/etc/passwd') ?? '').split('\n').flatMap((line) => {
    const [, , id, , , home = ''] = line.split(':');
    return Number(id) >= firstHumanId && Number(id) < 65_000 ? [home] : [];
  });
}

/** Windows, as its subsystem for Linux shows it. */
const homesOfOtherSystem = (): string[] =>
  namesIn(otherSystem)
    .filter((name) => name.length === 1)
    .map((name) => join(otherSystem, name, 'Users'));

/** People keep their dotfiles elsewhere and link to them. */
const linkedFrom = (homes: string[]): string[] =>
  homes
    .flatMap((home) => [home, join(home, '.config')])
    .flatMap((folder) =>
      namesIn(folder, 'link')
        .filter((name) => name.startsWith('.') || folder.endsWith('.config'))
        .map((name) => join(folder, name)),
    );

function namesIn(folder: string, kind?: 'link'): string[] {
  try {
    return person
      .list(folder)
      .filter((entry) => kind === undefined || entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch {
    // It can't be read: neither by a command.
    return [];
  }
}

/** A path whose folders are no links: a mount on a link misses the place that it leads to. */
export function withoutLinks(path: string): string {
  const [real] = realOf(path);
  if (real !== undefined) return real;
  return dirname(path) === path ? path : join(withoutLinks(dirname(path)), path.slice(dirname(path).length));
}
