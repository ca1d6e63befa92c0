import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { newOwner } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import {
  type AnyOutcome,
  type Claim,
  type Command,
  type CommandKind,
  type FoldedState,
  isExecutedKind,
  type Runs,
  type Signal,
} from '../../stores/runs/index.ts';
import type { Executors } from './executors.ts';
import { failed, stopped } from './failures.ts';

export interface PoolOptions<State extends FoldedState> {
  runs: Runs<State>;
  clock: Clock;
  /** A kind without an executor is left to other processes. */
  executors: Executors<State>;
  /** Carries out this run and leaves the others alone. */
  run?: string | undefined;
  concurrency?: number;
  perSession?: number;
  leaseMilliseconds?: number;
  /** How often to look for commands and signals of other processes; those of this one arrive at once. */
  pollMilliseconds?: number;
  /** Told of failures that no answer can carry. */
  report?: (line: string) => void;
}

export interface Pool {
  /** Ends what is under way; commands without an answer go back for the next process. */
  stop(): Promise<void>;
  active(): number;
}

/** Why a command was aborted: a person's stop and the end of its time are answered, the other two are not. */
type AbortReason = 'stopped' | 'timed out' | 'taken over' | 'shutting down';

/** A command that is being executed. */
interface UnderWay {
  abort(reason: AbortReason): void;
  /** The last signal that it heard. */
  heard: number;
  prompts: Signal[];
}

/** Executes commands of all runs in this process: bounded, fair over sessions, each under a lease that is renewed. */
export function openPool<State extends FoldedState>(options: PoolOptions<State>): Pool {
  const { runs, clock, executors, run, concurrency = 4, perSession = concurrency } = options;
  const { leaseMilliseconds = 30_000, pollMilliseconds = 500, report = () => undefined } = options;
  const owner = newOwner();
  const kinds: CommandKind[] = ['wake', ...Object.keys(executors).filter(isExecutedKind)];
  const busy = new Map<string, number>();
  const lastServed = new Map<string, number>();
  let served = 0;
  /** Until then it is known that no other command waits: what follows from an answer may be taken with it. */
  let aloneUntil = 0;
  const executions = new Map<string, UnderWay>();
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  let isWoken = false;
  let endPause = (): void => undefined;
  const wake = () => {
    isWoken = true;
    endPause();
  };

  /** Until a command falls due, or somebody wakes the pool. What is due already waits for room, which wakes it too. */
  const pause = async () => {
    const isFull = underWay.size >= concurrency;
    const due = isFull ? 0 : ((await runs.nextDue()) ?? 0);
    const now = clock.now();
    const wait = due > now ? Math.min(pollMilliseconds, due - now) : pollMilliseconds;
    if (isWoken) return;
    await new Promise<void>((resolve) => {
      endPause = resolve;
      sleep(wait, undefined, { signal: closing.signal }).then(resolve, resolve);
    });
  };

  const startNext = async (): Promise<boolean> => {
    if (underWay.size >= concurrency) return false;
    const claim = await runs.claim({ owner, kinds, leaseMilliseconds, busy, lastServed, perSession, run });
    aloneUntil = claim?.othersWait ? 0 : clock.now() + pollMilliseconds;
    if (!claim) return false;
    const { session, command } = claim;
    busy.set(session, (busy.get(session) ?? 0) + 1);
    const work = carryOutAll(claim)
      .catch((error) => report(`${command.kind} ${command.id}: ${reportOf(error).message}`))
      .finally(() => {
        const left = (busy.get(session) ?? 1) - 1;
        if (left > 0) busy.set(session, left);
        else busy.delete(session);
        underWay.delete(work);
        wake();
      });
    underWay.add(work);
    return true;
  };

  /** A command, and those that follow from it for as long as nothing else waits: each comes with the answer before it. */
  const carryOutAll = async (first: Claim): Promise<void> => {
    let claim: Claim | undefined = first;
    while (claim) {
      const { run, session }: Claim = claim;
      lastServed.set(session, ++served);
      const next: Command | undefined = await carryOut(claim);
      claim = next && { command: next, run, session, epoch: 1, othersWait: false };
    }
  };
  const taking = () => {
    const now = clock.now();
    if (closing.signal.aborted || now >= aloneUntil) return undefined;
    return { owner, until: now + leaseMilliseconds, kinds };
  };

  const unsubscribe = runs.onEvent(({ commands, signals, taken }) => {
    if (commands.length > (taken ? 1 : 0)) {
      aloneUntil = 0;
      wake();
    }
    if (signals.length > 0) void look().catch(() => undefined);
  });

  const loop = (async () => {
    while (!closing.signal.aborted) {
      isWoken = false;
      const started = await startNext().catch((error) => {
        report(`no command could be claimed: ${reportOf(error).message}`);
        return false;
      });
      if (!started && !closing.signal.aborted) await pause().catch(() => sleep(pollMilliseconds));
    }
  })();

  /** One question for all commands under way, however many there are. */
  const look = async () => {
    if (executions.size === 0) return;
    for (const signal of await runs.signals(owner)) {
      const execution = executions.get(signal.command);
      if (!execution || signal.id <= execution.heard) continue;
      execution.heard = signal.id;
      if (signal.kind === 'stop') execution.abort('stopped');
      else execution.prompts.push(signal);
    }
  };
  const renew = async () => {
    const begun = [...executions];
    if (begun.length === 0) return;
    const held = await runs.renew(owner, leaseMilliseconds);
    for (const [id, execution] of begun) if (!held.has(id)) execution.abort('taken over');
  };
  const looking = every(pollMilliseconds, closing.signal, look);
  const renewing = every(leaseMilliseconds / 3, closing.signal, renew);

  async function carryOut({ command, run, session, epoch }: Claim): Promise<Command | undefined> {
    const { id, kind, timeout_ms } = command;
    // Claimed while the pool was being stopped: nobody would tell it to end.
    if (closing.signal.aborted) return release(id);
    if (kind === 'wake') return answer(command, { result: 'woke' }, epoch);
    const execute = isExecutedKind(kind) ? executors[kind] : undefined;
    if (!execute) return release(id);
    const controller = new AbortController();
    const { signal } = controller;
    const underWay: UnderWay = { abort: (reason) => controller.abort(reason), heard: 0, prompts: [] };
    executions.set(id, underWay);
    const timer =
      timeout_ms === undefined ? undefined : setTimeout(() => underWay.abort('timed out'), timeout_ms);
    const readSignals = async () => {
      await look();
      return underWay.prompts.splice(0);
    };
    const readState = () => runs.state(run);
    try {
      // One that was begun before may have been told to stop.
      if (epoch > 1) await look();
      const execution = { run, session, epoch, signal, readSignals, readState };
      return await answer(command, await execute(command, execution), epoch);
    } catch (error) {
      return await answerFailure(command, epoch, signal, error);
    } finally {
      clearTimeout(timer);
      executions.delete(id);
    }
  }

  async function release(id: string): Promise<undefined> {
    await runs.release(id, owner);
  }

  async function answer(command: Command, outcome: AnyOutcome, epoch: number): Promise<Command | undefined> {
    const answered = await runs.answer(command.id, outcome, { epoch, take: taking() });
    return answered?.taken;
  }

  async function answerFailure(
    command: Command,
    epoch: number,
    signal: AbortSignal,
    error: unknown,
  ): Promise<Command | undefined> {
    const reason: AbortReason | undefined = signal.aborted ? signal.reason : undefined;
    if (reason === 'taken over') return undefined;
    if (reason === 'shutting down') return release(command.id);
    const message =
      reason === 'timed out'
        ? `It took longer than ${command.timeout_ms} ms.`
        : reason === 'stopped'
          ? 'It was stopped.'
          : reportOf(error).message;
    const outcome = reason === 'stopped' ? stopped[command.kind] : undefined;
    return answer(command, outcome ?? failed(command.kind, message), epoch);
  }

  return {
    active: () => underWay.size,
    stop: async () => {
      closing.abort();
      unsubscribe();
      for (const execution of executions.values()) execution.abort('shutting down');
      await loop;
      await Promise.all([...underWay, looking, renewing]);
    },
  };
}

/** Calls `work` again and again until the signal, one call after another. */
async function every(milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    // A database that does not answer now may do so at the next turn; the lease decides in the end.
    if (!signal.aborted) await work().catch(() => undefined);
  }
}
