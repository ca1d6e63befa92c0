import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { newOwner } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import type {
  AnyOutcome,
  Claim,
  Command,
  CommandKind,
  FoldedState,
  Runs,
  Signal,
} from '../../stores/runs/index.ts';

export interface ExecutionContext {
  /** Aborted by a stop, by the end of this process, or when another process has taken the command over. */
  signal: AbortSignal;
  /** What was said to the command since the last look: prompts and a wish for a hand-over. */
  news(): Promise<Signal[]>;
  epoch: number;
}

export type Execute = (command: Command, context: ExecutionContext) => Promise<AnyOutcome>;

export interface PoolOptions<State extends FoldedState> {
  runs: Runs<State>;
  clock: Clock;
  execute: Execute;
  concurrency?: number;
  perSession?: number;
  leaseMilliseconds?: number;
  /** How often to look for commands of other processes, and for signals. */
  pollMilliseconds?: number;
  /** Told of failures that no answer can carry. */
  report?: (line: string) => void;
}

export interface Pool {
  /** Looks for commands now instead of at the next poll. */
  wake(): void;
  /** Ends what is under way; commands without an answer go back for the next process. */
  stop(): Promise<void>;
  active(): number;
}

/** Why a command was aborted: a person's stop is answered, the other two are not. */
type AbortReason = 'stopped' | 'taken over' | 'shutting down';

/** Executes commands of all runs in this process: bounded, fair over sessions, each under a lease that is renewed. */
export function openPool<State extends FoldedState>(options: PoolOptions<State>): Pool {
  const { runs, clock, execute, concurrency = 4, perSession = concurrency } = options;
  const { leaseMilliseconds = 30_000, pollMilliseconds = 500, report = () => undefined } = options;
  const owner = newOwner();
  const busy = new Map<string, number>();
  const underWay = new Map<Promise<void>, AbortController>();
  const closing = new AbortController();
  let wake = (): void => undefined;

  const pause = async () => {
    const due = await runs.nextDue();
    const wait = Math.min(pollMilliseconds, Math.max(5, (due ?? Number.POSITIVE_INFINITY) - clock.now()));
    await new Promise<void>((resolve) => {
      wake = resolve;
      sleep(wait, undefined, { signal: closing.signal }).then(resolve, resolve);
    });
  };

  const startNext = async (): Promise<boolean> => {
    if (underWay.size >= concurrency) return false;
    const claim = await runs.claim({ owner, leaseMilliseconds, busy, perSession });
    if (!claim) return false;
    const abort = new AbortController();
    busy.set(claim.session, (busy.get(claim.session) ?? 0) + 1);
    const work = carryOut(claim, abort)
      .catch((error) => report(`${claim.command.kind} ${claim.command.id}: ${reportOf(error).message}`))
      .finally(() => {
        busy.set(claim.session, (busy.get(claim.session) ?? 1) - 1);
        underWay.delete(work);
        wake();
      });
    underWay.set(work, abort);
    return true;
  };

  const loop = (async () => {
    while (!closing.signal.aborted) {
      const started = await startNext().catch((error) => {
        report(`no command could be claimed: ${reportOf(error).message}`);
        return false;
      });
      if (!started && !closing.signal.aborted) await pause().catch(() => sleep(pollMilliseconds));
    }
  })();

  async function carryOut({ command, epoch }: Claim, abort: AbortController): Promise<void> {
    if (command.kind === 'wake') return answer(command, { result: 'woke' }, epoch);
    let seen = 0;
    const prompts: Signal[] = [];
    const look = async () => {
      for (const signal of await runs.signals(command.id, seen)) {
        seen = signal.id;
        if (signal.kind === 'stop') abort.abort('stopped' satisfies AbortReason);
        else prompts.push(signal);
      }
    };
    const renewal = every(leaseMilliseconds / 3, abort.signal, async () => {
      if (!(await runs.renew(command.id, owner, leaseMilliseconds)))
        abort.abort('taken over' satisfies AbortReason);
    });
    const looking = every(pollMilliseconds, abort.signal, look);
    const news = async () => {
      await look();
      return prompts.splice(0);
    };
    try {
      await look();
      const outcome = await execute(command, { signal: abort.signal, news, epoch });
      await answer(command, outcome, epoch);
    } catch (error) {
      await answerFailure(command, epoch, abort.signal, error);
    } finally {
      renewal.end();
      looking.end();
    }
  }

  async function answer(command: Command, outcome: AnyOutcome, epoch: number): Promise<void> {
    await runs.answer(command.id, outcome, epoch);
    wake();
  }

  async function answerFailure(
    command: Command,
    epoch: number,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const reason: AbortReason | undefined = signal.aborted ? signal.reason : undefined;
    if (reason === 'taken over') return;
    if (reason === 'shutting down') return runs.release(command.id, owner);
    const outcome =
      reason === 'stopped' ? stopped[command.kind] : failed(command.kind, reportOf(error).message);
    await answer(command, outcome ?? failed(command.kind, 'It was stopped.'), epoch);
  }

  return {
    wake: () => wake(),
    active: () => underWay.size,
    stop: async () => {
      closing.abort();
      for (const abort of underWay.values()) abort.abort('shutting down' satisfies AbortReason);
      await loop;
      await Promise.all(underWay.keys());
    },
  };
}

/** Calls `work` again and again until it is ended, one call after another. */
function every(milliseconds: number, signal: AbortSignal, work: () => Promise<void>): { end(): void } {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  void (async () => {
    while (!both.aborted) {
      await sleep(milliseconds, undefined, { signal: both }).catch(() => undefined);
      // A database that does not answer now may do so at the next turn; the lease decides in the end.
      if (!both.aborted) await work().catch(() => undefined);
    }
  })();
  return { end: () => ended.abort() };
}

const stopped: Partial<Record<CommandKind, AnyOutcome>> = {
  work: { result: 'stopped', cost: 0 },
  consult: { result: 'stopped', cost: 0 },
  inspect: { result: 'stopped' },
  test: { result: 'stopped' },
  inspect_all: { result: 'stopped' },
  test_all: { result: 'stopped' },
  merge: { result: 'stopped' },
  revert: { result: 'stopped' },
  land: { result: 'stopped' },
};

/** What a command that threw is answered with: a failure, never a pass. */
function failed(kind: CommandKind, message: string): AnyOutcome {
  if (kind === 'work' || kind === 'consult') return { result: 'failed', message, retryable: true, cost: 0 };
  if (kind === 'advise') return { result: 'unsure', cost: 0 };
  if (kind === 'plan' || kind === 'plan_tests' || kind === 'summarise')
    return { result: 'failed', message, cost: 0 };
  return { result: 'broken', message };
}
