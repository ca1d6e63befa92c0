import type { Clock } from '../../../base/clock.ts';
import type { Answers } from '../../../stores/answers/index.ts';
import type { VersionName } from './strategies.ts';

/**
 * What things are now, in the working tree of whoever asks, read from the databases: what another process wrote counts
 * as much as what this one did.
 */
export interface CurrentState {
  /** Moves with every change of the code index. */
  generation(): string;
  /** The content of files as indexed; what is not there is missing. */
  files(paths: string[]): Map<string, string>;
  /** One mark for the names of the files in a directory. */
  directory(path: string): string;
  /** One mark for the places where something of that name is defined. */
  places(subject: string): string;
  /** What is known and said about cited things: content, verification, conflicts, successors. */
  refs(refs: string[]): Promise<Map<string, string>>;
  version(name: VersionName, viewer: { session: string; seesAll: boolean }): Promise<string>;
  /** HEAD of the working tree. */
  head(): Promise<string>;
  /** Whether a commit is HEAD or one of its ancestors. */
  reaches(commit: string): Promise<boolean>;
  /** '' for the main working tree and for one that has nothing of its own. */
  overlay(): string;
}

/** How near two questions are in meaning. `maker` tells which vectors may be compared. */
export type Embed = (text: string) => Promise<{ vector: Float32Array; maker: string } | undefined>;

export interface CacheParts {
  answers: Answers;
  current: CurrentState;
  clock: Clock;
  /** Without it nothing is found by meaning but the very same words. */
  embed?: Embed;
  /** Told once when answers cannot be kept. */
  warn?: (line: string) => void;
}
