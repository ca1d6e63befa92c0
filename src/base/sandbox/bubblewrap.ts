import { tmpdir } from 'node:os';
import { person } from '../files/index.ts';
import { type ConfinedCommand, type Place, sourceOf, targetOf } from './command.ts';
import { secretsOfToolchains, toolchains } from './home.ts';
import { privatePlaces, withoutLinks } from './private-places.ts';

interface Mount {
  at: string;
  words: string[];
}

/** Where the addresses of name servers are kept on systems that link to them. */
const nameServers = ['/run/systemd/resolve', '/run/NetworkManager'];

/** Everything, to be read. Who runs as root could set the kernel through `/proc/sys`, which namespaces don't keep apart. */
const root = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['--ro-bind', '/proc/sys', '/proc/sys'],
];
/** Root keeps no right either: with one it could take away what covers places and write through what is read-only. */
const alone = ['--unshare-all', '--cap-drop', 'ALL'];

/** Whether a sandbox can be made at all. */
export const trialArguments = [...root, ...alone, 'true'];

/** The more specific place wins: a cache inside hidden state can be written, a secret inside the tree stays hidden. */
export function bubblewrapArguments(
  command: Pick<ConfinedCommand, 'cwd' | 'writable' | 'readable' | 'hidden' | 'network'>,
): string[] {
  const { cwd, writable, readable = [], hidden = [], network = 'none' } = command;
  const mounts: Mount[] = [
    ...[...new Set([tmpdir(), '/tmp', '/var/tmp', '/run', ...privatePlaces()])].map(empty),
    ...[...toolchains(), ...(network === 'open' ? nameServers.filter(person.exists) : [])].map(
      bind('--ro-bind'),
    ),
    ...secretsOfToolchains().map(empty),
    ...readable.map(bind('--ro-bind')),
    ...writable.map(bind('--bind')),
    ...hidden.filter(person.exists).map(empty),
  ];
  const depth = ({ at }: Mount) => at.split('/').filter(Boolean).length;
  return [
    ...root,
    ...mounts.sort((a, b) => depth(a) - depth(b)).flatMap(({ words }) => words),
    ...alone,
    ...(network === 'open' ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--chdir', cwd, '--'],
  ];
}

const bind =
  (kind: '--bind' | '--ro-bind') =>
  (place: Place): Mount =>
    mountAt(targetOf(place), (at) => [kind, sourceOf(place), at]);

const empty = (path: string): Mount =>
  mountAt(path, (at) =>
    ['directory', undefined].includes(person.entry(at)?.kind)
      ? ['--tmpfs', at]
      : ['--ro-bind', '/dev/null', at],
  );

function mountAt(path: string, words: (at: string) => string[]): Mount {
  const at = withoutLinks(path);
  return { at, words: words(at) };
}
