import { once } from 'node:events';
import { constants } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { person } from '../../../base/files/index.ts';
import {
  type ChildGroup,
  endGroup,
  spawnGroup,
  startTime,
  watchMemory,
} from '../../../base/process/index.ts';
import { redact } from '../../../base/redact.ts';
import { describeSandbox, type Outlet, openOutlet, startConfined } from '../../../base/sandbox/index.ts';
import type { FoundAgent } from './find-agents.ts';
import { prepareHome } from './home.ts';

export interface Surroundings {
  /** git's own files: read, never written. */
  commonDirectory: string;
  /** The person's checkout, and folders of installed packages in it, below it. */
  packages: { root: string; folders: string[] };
  /** State of this machine that an agent never sees. */
  hidden: string[];
  /** Homes of agents, one for each node. */
  homes: string;
  env: NodeJS.ProcessEnv;
  /** Hosts that the person allows beside those of the provider. */
  hosts: string[];
  /** The person has decided that agents run without a sandbox. */
  unconfined: boolean;
}

export interface StartedAgent {
  child: ChildGroup;
  process: { pid: number; started: string } | undefined;
  outlet: Outlet;
  /** What it wrote to standard error last, without secrets. */
  lastWords(): string;
  /** How it ended, in words; undefined while it runs. */
  ending(): string | undefined;
  ended: Promise<void>;
  /** Ends it with all that it started, and keeps of its home what a later leg needs. */
  end(): Promise<void>;
}

const limits = { memoryBytes: 8 * 1024 ** 3, processes: 1000 };

export const confinementText = async (unconfined: boolean): Promise<string> =>
  unconfined
    ? 'no sandbox, as your settings say: the agent has your files, your home directory and your network'
    : `${(await describeSandbox()).summary}; network through a proxy to its provider; a home directory that is thrown away`;

/** Starts an agent in a work place: it writes there and in a home of its own, and reaches the hosts of its provider. */
export async function startAgent(
  { agent, program }: FoundAgent & { program: string },
  surroundings: Surroundings,
  {
    directory,
    own = {},
    name,
    onRefused,
  }: {
    directory: string;
    /** Variables of this work place. */
    own?: Record<string, string> | undefined;
    name: string;
    onRefused(host: string): void;
  },
): Promise<StartedAgent> {
  const { env, hidden, packages, unconfined } = surroundings;
  const outlet = await openOutlet({ hosts: [...agent.hosts, ...surroundings.hosts], onRefused });
  const home = unconfined ? undefined : prepareHome(agent, join(surroundings.homes, name), env);
  const passed = [...agent.passes, ...(agent.login?.variables ?? [])].flatMap((variable) => {
    const value = env[variable];
    return value ? [[variable, value]] : [];
  });
  const environment = { ...own, ...Object.fromEntries(passed), ...agent.environment };
  const argv = [program, ...agent.arguments];
  const child = home
    ? await startConfined({
        argv: outlet.argv(argv),
        cwd: directory,
        writable: [directory, ...home.writable],
        readable: [
          surroundings.commonDirectory,
          ...[join(directory, '.git')].filter(person.exists),
          ...packages.folders.map((path) => ({ from: join(packages.root, path), at: join(directory, path) })),
          ...home.readable,
          ...outlet.readable,
          ...[program, ...agent.arguments.filter(isFile)].map(installationOf),
        ],
        hidden,
        environment: { ...environment, ...home.environment, ...outlet.environment },
      })
    : spawnGroup(program, agent.arguments, { cwd: directory, env: environment });
  const ended = followEnd(child);
  return {
    child,
    outlet,
    ...ended,
    process: child.pid === undefined ? undefined : { pid: child.pid, started: startTime(child.pid) ?? '0' },
    end: async () => {
      endGroup(child, 3000);
      // A group that ignores the first signal is killed after three seconds.
      await Promise.race([ended.ended, sleep(6000, undefined, { ref: false })]);
      await outlet.close();
      home?.clear();
    },
  };
}

function followEnd(child: ChildGroup) {
  let words = '';
  let ending: string | undefined;
  let over: string | undefined;
  child.stderr.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-4000);
  });
  child.stdin.on('error', () => {
    // It ended: its exit says so.
  });
  watchMemory(
    child,
    limits,
    (what) => {
      over = what === 'processes' ? 'it started too many processes' : 'it took too much memory';
      endGroup(child);
    },
    { withChildren: true },
  );
  const ended = once(child, 'exit').then(
    ([code, signal]) => {
      ending = over ?? endingText(code, signal);
    },
    (error: Error) => {
      ending = error.message;
    },
  );
  return { ended, ending: () => ending, lastWords: () => redact(words.trim()) };
}

/** The sandbox tells of a signal inside it by a code above 128, as shells do. */
function endingText(code: number | null, signal: string | null): string {
  const inside = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  const name = signal ?? inside;
  return name ? `it was ended by ${name}` : `it exited with code ${code}`;
}

/** A script that an interpreter is told to run has to be readable, too. */
const isFile = (argument: string): boolean => isAbsolute(argument) && person.exists(argument);

/** What a program needs beside itself: the packages that it was installed with, or its own directory. */
function installationOf(program: string): string {
  const at = program.indexOf('/node_modules/');
  return at < 0 ? dirname(program) : program.slice(0, at + '/node_modules'.length);
}

/** Ends a process that an earlier process of ours started and could not end, with its group. */
export function endStale({ pid, started }: { pid: number; started: string }): boolean {
  if (started === '0' || startTime(pid) !== started) return false;
  try {
    process.kill(-pid, 'SIGKILL');
    return true;
  } catch {
    // It ended meanwhile.
    return false;
  }
}
