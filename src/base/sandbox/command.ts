import type { RunResult } from '../process/index.ts';

/** A directory or file of this machine; `at` is where the command sees it, which only some sandboxes can change. */
export type Place = string | { from: string; at: string };

export interface ConfinedCommand {
  /** A program and its arguments: nothing is interpreted. Or `shell`, a line for `sh -c`. */
  argv?: string[] | undefined;
  shell?: string | undefined;
  /** Where it starts, as the command sees it. */
  cwd: string;
  /** All that it may change. A scratch `/tmp` of its own comes with it where the sandbox can give one. */
  writable: Place[];
  /** What it may read besides the system and its toolchains: home directories are empty otherwise. */
  readable?: Place[] | undefined;
  /** What it sees as empty, also where that is inside a place that it may read or write. */
  hidden?: string[] | undefined;
  /** `none` by default. `open` is every host that this machine reaches. */
  network?: 'none' | 'open' | undefined;
  /** Added to the allow-list of `childEnvironment`: no key and no token gets in by itself. */
  environment?: Record<string, string> | undefined;
  input?: string | undefined;
  limits: Limits;
  signal?: AbortSignal | undefined;
  /** Output as it comes. */
  onOutput?: ((chunk: Buffer, stream: 'stdout' | 'stderr') => void) | undefined;
  /** Runs it as it is. Only a person may decide that. */
  unconfined?: boolean | undefined;
}

export interface Limits {
  seconds: number;
  /** Of stdout. The command is ended when it prints more, and what it printed so far is kept. */
  outputBytes?: number | undefined;
  /** Of the command and all that it starts. Looked at every second, on Linux only. */
  memoryBytes?: number | undefined;
  /** That exist at once. Looked at every second, on Linux only. */
  processes?: number | undefined;
}

export type ConfinedResult = RunResult;

export const sourceOf = (place: Place): string => (typeof place === 'string' ? place : place.from);
export const targetOf = (place: Place): string => (typeof place === 'string' ? place : place.at);
