import { homedir, tmpdir } from 'node:os';
import { person } from '../files/index.ts';
import { type ConfinedCommand, sourceOf } from './command.ts';
import { secretsOfToolchains, toolchains } from './home.ts';
import { privatePlaces } from './private-places.ts';

/**
 * A profile for macOS's sandbox-exec, written from the documentation of its language and of public profiles; it has never
 * been run on a Mac. The last rule that matches wins. Paths are what the system calls them: /tmp is /private/tmp.
 */
export function seatbeltProfile({
  writable,
  readable = [],
  hidden = [],
  network = 'none',
}: ConfinedCommand): string {
  const subpaths = (paths: string[]) => paths.map((path) => `(subpath ${quoted(realPath(path))})`).join(' ');
  const rule = (effect: string, paths: string[]) =>
    paths.length === 0 ? [] : [`(${effect} ${subpaths(paths)})`];
  const writes = [...writable.map(sourceOf), tmpdir()];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read mach-host* ipc-posix-sem ipc-posix-shm pseudo-tty)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/tty") (literal "/dev/ptmx"))',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (literal "/dev/dtracehelper"))',
    '(allow file-read*)',
    ...rule('deny file-read* file-write*', privatePlaces()),
    `(allow file-read-metadata (subpath ${quoted(realPath(homedir()))}))`,
    ...rule('allow file-read*', [...toolchains(), ...readable.map(sourceOf)]),
    ...rule('allow file-read* file-write*', writes),
    ...rule('deny file-read* file-write*', [...secretsOfToolchains(), ...hidden]),
    // A cache may lie inside hidden state.
    ...rule(
      'allow file-read* file-write*',
      writes.filter((path) => hidden.some((outer) => path.startsWith(`${outer}/`))),
    ),
    network === 'open'
      ? '(allow network* system-socket) (allow mach-lookup (global-name "com.apple.dnssd.service") (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd.agent"))'
      : '(deny network*)',
  ].join('\n');
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;

const realPath = (path: string): string => (person.exists(path) ? person.realPath(path) : path);
