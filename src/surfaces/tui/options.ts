import type { Calls } from './calls.ts';
import type { KeptFile } from './kept.ts';

export interface OpenOptions {
  directory: string;
  env: NodeJS.ProcessEnv;
  flags: string[];
  isPlain: boolean;
  isPrompting: boolean;
  out(text: string): void;
  /** Commands of `sylk`, for completion. */
  verbs: Array<{ verb: string; about: string }>;
  /** Commands of the command line itself, which need a shell. */
  shellCommands?: string[];
  verbOf(words: string[]): string | undefined;
}

export interface Opened {
  calls: Calls;
  root: string;
  kept: KeptFile;
  told: string[];
  onTold(work: (line: string) => void): void;
}
