import { setTimeout as sleep } from 'node:timers/promises';
import { newOwner } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import { isUnreachable } from '../../base/library/index.ts';
import {
  type AnyOutcome,
  type Claim,
  type Command,
  type CommandKind,
  type FoldedState,
  isExecutedKind,
  type Runs,
  type Signal,
  type Take,
} from '../../stores/runs/index.ts';
import type { Executors } from './executors.ts';
import { failed, stopped } from './failures.ts';

const mostTries = 30;

/** Why a command was aborted: a person's stop and the end of its time are answered, the other two are not. */
type AbortReason = 'stopped' | 'timed out' | 'taken over' | 'shutting down';

/** A command that is being executed. */
interface UnderWay {
  abort(reason: AbortReason): void;
  /** The last signal that it heard. */
  heard: number;
  prompts: Signal[];
}

/** Carries out commands that were claimed, each under a lease that is renewed, and records how each ended. */
export function createCarrier<State extends FoldedState>(options: {
  runs: Runs<State>;
  executors: Executors<State>;
  leaseMilliseconds: number;
  pollMilliseconds: number;
  /** With which lease to take a command that follows from an answer; undefined to leave it to others. */
  taking(owner: string, kinds: CommandKind[]): Take | undefined;
}) {
  const { runs, executors, leaseMilliseconds, pollMilliseconds } = options;
  const owner = newOwner();
  const kinds: CommandKind[] = ['wake', ...Object.keys(executors).filter(isExecutedKind)];
  const executions = new Map<string, UnderWay>();
  const closing = new AbortController();

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
  const beating = [
    every(pollMilliseconds, closing.signal, look),
    every(leaseMilliseconds / 3, closing.signal, renew),
  ];

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
      const outcome = await execute(command, execution).catch((error) => outcomeOf(command, signal, error));
      if (outcome === 'given back') return await release(id);
      return outcome && (await answer(command, outcome, epoch));
    } finally {
      clearTimeout(timer);
      executions.delete(id);
    }
  }

  async function release(id: string): Promise<undefined> {
    await runs.release(id, owner);
  }

  /** What was done is paid for: where the database does not answer, it is told again for as long as the lease may hold. */
  async function answer(command: Command, outcome: AnyOutcome, epoch: number): Promise<Command | undefined> {
    for (let tries = 0; ; tries++) {
      const take = closing.signal.aborted ? undefined : options.taking(owner, kinds);
      try {
        return (await runs.answer(command.id, outcome, { epoch, take }))?.taken;
      } catch (error) {
        if (!isUnreachable(error) || tries >= mostTries) throw error;
        await sleep(Math.min(100 * 2 ** tries, 2000));
      }
    }
  }

  /** How a command that threw is answered; undefined where somebody else has it by now. */
  function outcomeOf(command: Command, signal: AbortSignal, error: unknown) {
    const reason: AbortReason | undefined = signal.aborted ? signal.reason : undefined;
    if (reason === 'taken over') return undefined;
    if (reason === 'shutting down') return 'given back' as const;
    if (reason === 'stopped' && stopped[command.kind]) return stopped[command.kind];
    const isLate = reason === 'timed out';
    const message = isLate ? `It took longer than ${command.timeout_ms} ms.` : reportOf(error).message;
    return failed(command.kind, reason === 'stopped' ? 'It was stopped.' : message);
  }

  return {
    owner,
    kinds,
    closing: closing.signal,
    carryOut,
    look,
    /** Ends what is under way; commands without an answer go back for the next process. */
    close: async (): Promise<void> => {
      closing.abort();
      for (const execution of executions.values()) execution.abort('shutting down');
      await Promise.all(beating);
    },
  };
}

/** Calls `work` again and again until the signal, one call after another. */
export async function every(
  milliseconds: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    // A database that does not answer now may do so at the next turn; the lease decides in the end.
    if (!signal.aborted) await work().catch(() => undefined);
  }
}
