/**
 * Owns: running a command so that it writes only where it is told to and reaches no network.
 * Knows: processes, files. Must not know: what the command is for.
 */
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isWithin, person } from '../files/index.ts';
import { once } from '../once.ts';
import { childEnvironment, type RunResult, runProcess } from '../process/index.ts';

export interface Sandbox {
  kind: 'bubblewrap' | 'none';
  /** Why there is none, with the line that mends it. */
  reason?: string | undefined;
}

export interface ConfinedCommand {
  words: string[];
  /** Directory of the tree to start in, relative to it. */
  directory: string;
  /** The files to work on. They may be written. */
  tree: string;
  /** Where the command sees them. Without a sandbox it sees `tree` itself. */
  root: string;
  /** What else can be read, and where below `root` it is seen; without a sandbox the tree has links instead. */
  bring: Array<{ from: string; at: string }>;
  /** Other places that may be written: caches. */
  writable: string[];
  /** Places whose content nobody in the sandbox sees. */
  hidden: string[];
  env?: Record<string, string>;
  timeoutMs: number;
  maxMemoryBytes: number;
  signal?: AbortSignal | undefined;
}

const installHint =
  'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap)';

/** Tried once for each process: some systems have the program and refuse what it needs. */
export const findSandbox = once(async (): Promise<Sandbox> => {
  if (process.platform !== 'linux')
    return { kind: 'none', reason: `There is no sandbox for ${process.platform} yet` };
  try {
    const { code, stderr } = await runProcess(
      'bwrap',
      ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--unshare-all', 'true'],
      { timeoutMs: 5000 },
    );
    if (code === 0) return { kind: 'bubblewrap' };
    return { kind: 'none', reason: `bubblewrap can't run here: ${stderr.trim().slice(0, 200)}` };
  } catch {
    return { kind: 'none', reason: `bubblewrap is not installed. ${installHint}` };
  }
});

const fileBlocks = 8 * 1024 * 1024;

export async function runConfined(sandbox: Sandbox, command: ConfinedCommand): Promise<RunResult> {
  const { words, directory, tree, timeoutMs, maxMemoryBytes, signal } = command;
  const limited = ['sh', '-c', `ulimit -f ${fileBlocks}; ulimit -c 0; exec "$@"`, 'sh', ...words];
  const options = {
    timeoutMs,
    maxMemoryBytes,
    withChildren: true,
    maxOutputBytes: 64 * 1024 * 1024,
    env: { TMPDIR: tmpdir(), ...command.env },
    signal,
  };
  if (sandbox.kind === 'none') {
    const [program = 'sh', ...rest] = limited;
    return runProcess(program, rest, { ...options, cwd: join(tree, directory) });
  }
  return runProcess('bwrap', [...arrange(command), ...limited], options);
}

/** Later arguments cover earlier ones: all of the machine can be read, but homes are empty and nothing can be written. */
function arrange({ directory, tree, root, bring, writable, hidden }: ConfinedCommand): string[] {
  const bind = (kind: string, from: string, to = from) => [kind, from, to];
  const brought = bring.flatMap(({ from, at }) => bind('--ro-bind', from, join(root, at)));
  return [
    ...bind('--ro-bind', '/'),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', tmpdir(), '--tmpfs', '/run'],
    ...(homedir() === '/' ? [] : ['--tmpfs', homedir()]),
    ...toolchains().flatMap((path) => bind('--ro-bind', path)),
    ...secretsOfToolchains().flatMap((path) => bind('--ro-bind', '/dev/null', path)),
    ...bind('--bind', tree, root),
    ...brought,
    ...hidden.filter(person.exists).flatMap((path) => ['--tmpfs', path]),
    ...writable.flatMap((path) => bind('--bind', path)),
    ...['--unshare-all', '--die-with-parent', '--new-session', '--chdir', join(root, directory), '--'],
  ];
}

/** Folders of a home directory that programs on PATH and their packages live in. */
const toolFolders =
  '.asdf .bun .cargo .deno .dotnet .fnm .gem .gradle .hex .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/pnpm .local/share/uv .m2 .mix .npm-global .nuget .nvm .opam .pub-cache .pyenv .rbenv .rustup .rvm .sdkman .volta go';
const secretFiles =
  '.cargo/credentials .cargo/credentials.toml .gem/credentials .gradle/gradle.properties .m2/settings.xml .m2/settings-security.xml .nuget/NuGet/NuGet.Config';

const existingIn = (names: string) =>
  names
    .split(' ')
    .map((name) => join(homedir(), name))
    .filter(person.exists);

function toolchains(): string[] {
  const home = homedir();
  const onPath = [...(childEnvironment().PATH ?? '').split(':'), dirname(process.execPath)]
    .filter((path) => path !== '' && isWithin(home, path) && path !== home && person.exists(path))
    // A program needs what lies beside its bin directory.
    .map((path) => (/[/\\]s?bin$/.test(path) && dirname(path) !== home ? dirname(path) : path));
  const all = [...new Set([...existingIn(toolFolders), ...onPath])].sort();
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)));
}

const secretsOfToolchains = (): string[] => existingIn(secretFiles);
