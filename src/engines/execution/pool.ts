import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { reportOf } from '../../base/errors.ts';
import type { Claim, Command, FoldedState, Runs } from '../../stores/runs/index.ts';
import { createCarrier } from './carrier.ts';
import type { Executors } from './executors.ts';

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

/** Executes commands of all runs in this process: bounded, fair over sessions, each under a lease that is renewed. */
export function openPool<State extends FoldedState>(options: PoolOptions<State>): Pool {
  const { runs, clock, executors, run, concurrency = 4, perSession = concurrency } = options;
  const { leaseMilliseconds = 30_000, pollMilliseconds = 500, report = () => undefined } = options;
  const busy = new Map<string, number>();
  const lastServed = new Map<string, number>();
  let served = 0;
  /** Until then it is known that no other command waits: what follows from an answer may be taken with it. */
  let aloneUntil = 0;
  const underWay = new Set<Promise<void>>();
  const carrier = createCarrier({
    runs,
    executors,
    leaseMilliseconds,
    pollMilliseconds,
    taking: (owner, kinds) => {
      const now = clock.now();
      return now < aloneUntil ? { owner, until: now + leaseMilliseconds, kinds } : undefined;
    },
  });
  const { owner, kinds, closing } = carrier;
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
      sleep(wait, undefined, { signal: closing }).then(resolve, resolve);
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
      const next: Command | undefined = await carrier.carryOut(claim);
      claim = next && { command: next, run, session, epoch: 1, othersWait: false };
    }
  };

  const unsubscribe = runs.onEvent(({ commands, signals, taken }) => {
    if (commands.length > (taken ? 1 : 0)) {
      aloneUntil = 0;
      wake();
    }
    if (signals.length > 0) void carrier.look().catch(() => undefined);
  });

  const loop = (async () => {
    while (!closing.aborted) {
      isWoken = false;
      const started = await startNext().catch((error) => {
        report(`no command could be claimed: ${reportOf(error).message}`);
        return false;
      });
      if (!started && !closing.aborted) await pause().catch(() => sleep(pollMilliseconds));
    }
  })();

  return {
    active: () => underWay.size,
    stop: async () => {
      unsubscribe();
      const closed = carrier.close();
      await loop;
      await Promise.all([...underWay, closed]);
    },
  };
}
