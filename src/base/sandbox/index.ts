/**
 * Owns: running a command so that it changes, reads and reaches only what it is given.
 * Knows: processes, files. Must not know: what the command is for.
 */
import { SylkError } from '../errors.ts';
import { person } from '../files/index.ts';
import { once } from '../once.ts';
import { runProcess, spawnGroup } from '../process/index.ts';
import { bubblewrapArguments, trialArguments } from './bubblewrap.ts';
import type { ConfinedCommand, ConfinedResult } from './command.ts';
import type { OutletOptions } from './outlet.ts';
import { seatbeltProfile } from './seatbelt.ts';

export type { ConfinedCommand, ConfinedResult, Place } from './command.ts';
export type { Outlet } from './outlet.ts';

export interface Sandbox {
  kind: 'bubblewrap' | 'seatbelt' | 'none';
  /** What it holds a command to, in one sentence; without one, why there is none. */
  summary: string;
  /** How to get one. */
  hint?: string | undefined;
  /** Whether a place can be seen elsewhere than where it is. */
  movesPlaces: boolean;
}

const seatbelt = '/usr/bin/sandbox-exec';

/** The sandbox of this machine. Tried once for each process: some systems have the program and refuse what it needs. */
export const describeSandbox = once(async (): Promise<Sandbox> => {
  const none = (summary: string, hint?: string): Sandbox => ({
    kind: 'none',
    summary,
    hint,
    movesPlaces: false,
  });
  if (process.platform === 'darwin')
    return person.exists(seatbelt)
      ? {
          kind: 'seatbelt',
          summary:
            'sandbox-exec: writes, reads of home directories and network are refused (not tried on a Mac yet)',
          movesPlaces: false,
        }
      : none('This Mac has no sandbox-exec');
  if (process.platform !== 'linux') return none(`There is no sandbox for ${process.platform}`);
  try {
    const { code, stderr } = await runProcess('bwrap', trialArguments, { timeoutMs: 5000 });
    if (code !== 0) return none(`bubblewrap can't run here: ${stderr.trim().slice(0, 200)}`);
    return {
      kind: 'bubblewrap',
      summary:
        'bubblewrap: own processes, empty home directories, no writes and no network but what is given',
      movesPlaces: true,
    };
  } catch {
    return none(
      'bubblewrap is not installed',
      'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap).',
    );
  }
});

const fileBlocks = 8 * 1024 * 1024;
const defaultOutputBytes = 64 * 1024 * 1024;
const defaultMemoryBytes = 6 * 1024 ** 3;

/**
 * Runs a command in the sandbox of this machine, and not at all where there is none. Whatever it starts ends with it, at
 * its limits, at the signal, and, on Linux, when this process ends in any way.
 */
export async function runConfined(command: ConfinedCommand): Promise<ConfinedResult> {
  const { argv, shell, cwd, limits, environment, input, signal, onOutput } = command;
  const words = argv ?? ['sh', '-c', shell ?? ''];
  const processes = limits.processes ?? 2000;
  // Shells name the limit of processes differently; where neither name works, the watcher alone counts them.
  const setLimits = `ulimit -f ${fileBlocks}; ulimit -c 0; ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null; exec "$@"`;
  const limited = ['sh', '-c', setLimits, 'sh', ...words];
  const options = {
    timeoutMs: limits.seconds * 1000,
    maxMemoryBytes: limits.memoryBytes ?? defaultMemoryBytes,
    maxProcesses: processes,
    withChildren: true,
    maxOutputBytes: limits.outputBytes ?? defaultOutputBytes,
    env: environment,
    input,
    signal,
    onOutput,
  };
  const { kind } = command.unconfined ? { kind: 'none' as const } : await requireSandbox();
  if (kind === 'bubblewrap')
    return runProcess('bwrap', [...bubblewrapArguments(command), ...limited], options);
  if (kind === 'seatbelt')
    return runProcess(seatbelt, ['-p', seatbeltProfile(command), ...limited], { ...options, cwd });
  return runProcess('sh', limited.slice(1), { ...options, cwd });
}

/**
 * Starts a program that talks over standard input and output, in the sandbox of this machine. Whatever it starts ends with it, and
 * it ends with this process. Only bubblewrap can show it another home directory, so others are refused.
 */
export async function startConfined(
  program: Pick<ConfinedCommand, 'cwd' | 'writable' | 'readable' | 'hidden' | 'environment'> & {
    argv: string[];
  },
) {
  const { kind } = await requireSandbox();
  if (kind !== 'bubblewrap')
    throw new SylkError('UNAVAILABLE', `${kind} can't give a program a home directory of its own.`);
  const words = [...bubblewrapArguments(program), ...program.argv];
  return spawnGroup('bwrap', words, { env: program.environment });
}

/** The ways out of a sandbox. Loaded when needed: whatever imports the module of HTTP pays for all of it. */
export const openOutlet = async (options: OutletOptions) => (await import('./outlet.ts')).openOutlet(options);

async function requireSandbox(): Promise<Sandbox> {
  const sandbox = await describeSandbox();
  if (sandbox.kind !== 'none') return sandbox;
  throw new SylkError('UNAVAILABLE', `Nothing here confines commands of a project: ${sandbox.summary}.`, {
    hint: sandbox.hint,
  });
}
