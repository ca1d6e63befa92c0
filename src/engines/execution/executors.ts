import {
  type Command,
  type CommandKind,
  commandKinds,
  type ExecutedKind,
  type FoldedState,
  isExecutedKind,
  type Outcome,
  type Signal,
} from '../../stores/runs/index.ts';

/** One command under way, as its executor sees it. */
export interface Execution<State extends FoldedState> {
  run: string;
  session: string;
  /** Grows with every take-over: an executor that stores something names it by the epoch, so that an older one overwrites nothing. */
  epoch: number;
  /** Aborted by a person's stop, by `timeout_ms`, by the end of this process, or when another process has taken the command over. */
  signal: AbortSignal;
  /** Prompts and hand-over requests that came since the last call, oldest first. Call it at each step. */
  readSignals(): Promise<Signal[]>;
  /** The run as it is now: the task of the node, what its dependencies answered, the limits. */
  readState(): Promise<State>;
}

/**
 * What carries out each kind of command. An executor answers with one outcome. One that throws has failed; one that throws after
 * `signal` was aborted was stopped, and goes to the next process where this one is ending.
 */
export type Executors<State extends FoldedState> = {
  [Kind in ExecutedKind]?: (command: Command, execution: Execution<State>) => Promise<Outcome<Kind>>;
};

/** Executors that are opened by the first command of each run; of these kinds, or of all. */
export function executorsByRun<State extends FoldedState>(
  open: (run: string) => Promise<Executors<State>>,
  kinds: readonly CommandKind[] = commandKinds,
): Executors<State> {
  const executorOf =
    <Kind extends ExecutedKind>(kind: Kind) =>
    async (command: Command, execution: Execution<State>): Promise<Outcome<Kind>> => {
      const execute = (await open(execution.run))[kind];
      if (!execute) throw new Error(`Nothing carries out ${kind}.`);
      return execute(command, execution);
    };
  return Object.fromEntries(kinds.filter(isExecutedKind).map((kind) => [kind, executorOf(kind)]));
}
