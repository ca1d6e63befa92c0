import { SylkError } from '../../base/errors.ts';
import type { ModelDelta } from '../../base/model/index.ts';
import type { Role } from '../../stores/roles/index.ts';
import type { Outcome, Signal } from '../../stores/runs/index.ts';
import type { RecordedStep, Step, Transcripts } from '../../stores/transcripts/index.ts';
import type { NodeTree } from '../worktrees/index.ts';
import { foldSteps } from './conversation.ts';
import { equip } from './equip.ts';
import type { Permits } from './permits.ts';
import type { Brief, Worker, WorkResult, WorkTool } from './worker.ts';

export interface LegRequest {
  brief: Brief;
  worker: Worker;
  tree: NodeTree;
  transcripts: Transcripts;
  permits: Permits;
  tools: WorkTool[];
  role?: Role | undefined;
  budget: number | undefined;
  /** What changed in the tree is saved before the result of the call that changed it is written down: others may go on from there. */
  savesEachStep?: boolean | undefined;
  epoch: number;
  signal: AbortSignal;
  readSignals(): Promise<Signal[]>;
  /** Shows what happens. */
  onStep(step: RecordedStep): void;
  onDelta?: ((delta: ModelDelta) => void) | undefined;
}

/**
 * One leg of a node: lets a worker work in a tree of its own and answers how it ended, with the commit of its files. A leg that
 * ended in a process that could not say so any more is not begun again.
 */
export async function runLeg(request: LegRequest): Promise<Outcome<'work'>> {
  const { brief, worker, tree, transcripts, signal } = request;
  const name = { run: brief.run, node: brief.node };
  const past = await transcripts.steps(name);
  const before = foldSteps(past);
  if (before.ended?.leg === brief.leg) return outcomeOf(request, JSON.parse(before.ended.text));
  let number = past.at(-1)?.number ?? 0;
  let isTainted = before.isTainted;
  const lost = new AbortController();
  const ownSignal = AbortSignal.any([signal, lost.signal]);
  // Hooks, permissions and agents from outside write from the side: each step is written after the one before it.
  let writing: Promise<unknown> = Promise.resolve();
  const onStep = (...steps: Step[]): Promise<RecordedStep[]> => {
    const isOfCommand = steps.some((step) => step.kind === 'result' && step.name === 'run_command');
    const written = writing.then(async () => {
      const recorded = await append(steps);
      if (isOfCommand) await requireRoom();
      return recorded;
    });
    writing = written.catch(() => undefined);
    return written;
  };
  const append = async (steps: Step[]): Promise<RecordedStep[]> => {
    ownSignal.throwIfAborted();
    try {
      const isDone = request.savesEachStep && steps.some(({ kind }) => kind === 'result');
      if (isDone && (await tree.changes()).length > 0) await append([await save()]);
      const recorded = await transcripts.append(name, number, steps);
      number += recorded.length;
      for (const step of recorded) {
        isTainted ||= step.kind === 'result' && step.untrusted === true;
        request.onStep(step);
      }
      return recorded;
    } catch (error) {
      // Whoever can't write down what is done has to stop doing it.
      lost.abort(error);
      throw error;
    }
  };
  // A program may fill the disk; what it wrote is not to be kept in the repository too.
  let excess: string | undefined;
  const requireRoom = async () => {
    excess = await tree.findExcess();
    if (excess === undefined) return;
    lost.abort(new SylkError('UNAVAILABLE', excess));
    lost.signal.throwIfAborted();
  };
  const save = async (): Promise<Step> => {
    await requireRoom();
    const message = `Checkpoint of ${brief.node} in ${brief.run}\n`;
    const { commit, files } = await tree.commit(message, refOf(request));
    return { kind: 'checkpoint', commit, files: files.length };
  };
  const checkpoint = async () => void (await onStep(await save()));
  let heard = before.leg === brief.leg ? before.heard : 0;
  const news = async () => {
    const signals = await request.readSignals();
    const handOver = signals.some(({ kind }) => kind === 'hand_over');
    const spoken = signals.flatMap(({ kind, message: text }) =>
      text && (kind === 'prompt' || kind === 'query') ? [{ text, isQuestion: kind === 'query' }] : [],
    );
    // A process that goes on hears again what the one before it was told.
    const fresh = spoken.slice(Math.min(heard, spoken.length));
    heard = Math.max(0, heard - spoken.length);
    return { said: fresh, handOver };
  };
  try {
    const result = await worker.work(brief, {
      place: { directory: tree.directory, base: tree.base, environment: tree.environment },
      role: request.role,
      tools: equip(request.role, request.tools),
      budget: request.budget,
      signal: ownSignal,
      news,
      epoch: request.epoch,
      past,
      onStep,
      onDelta: request.onDelta,
      permit: (permission) =>
        request.permits.require(permission, { isTainted, signal: ownSignal, by: brief, note: onStep }),
      checkpoint,
    });
    await requireRoom();
    await onStep({ kind: 'ended', leg: brief.leg, result: result.result, text: JSON.stringify(result) });
    return await outcomeOf(request, result);
  } catch (error) {
    if (excess !== undefined) {
      const { cost } = foldSteps(await transcripts.steps(name));
      return {
        result: 'asks',
        question: `${excess}\nDelete what is not needed, or say what the engineer is to delete.`,
        cost,
      };
    }
    return stoppedOutcome(request, error, lost.signal.aborted);
  }
}

/** A person's stop is an answer with what was done so far; the end of the process and a lost lease are not. */
async function stoppedOutcome(
  request: LegRequest,
  error: unknown,
  isLost: boolean,
): Promise<Outcome<'work'>> {
  const { signal, brief, tree, transcripts } = request;
  if (isLost || signal.reason !== 'stopped') throw error;
  const { commit } = await tree.commit(`Stopped: ${brief.node} in ${brief.run}\n`, refOf(request));
  const { cost } = foldSteps(await transcripts.steps({ run: brief.run, node: brief.node }));
  return { result: 'stopped', commit, cost };
}

async function outcomeOf(request: LegRequest, result: WorkResult): Promise<Outcome<'work'>> {
  const { brief, tree } = request;
  if (result.result === 'failed') return result;
  const { commit, files } = await tree.commit(commitMessage(brief, result), refOf(request));
  if (result.result !== 'done') return { ...result, commit };
  if (files.length === 0)
    return {
      result: 'asks',
      question: `No file was changed. The worker said: ${result.output || 'nothing'}. How should it go on?`,
      commit,
      cost: result.cost,
    };
  return { ...result, commit };
}

export const refOf = ({ brief, epoch }: Pick<LegRequest, 'brief' | 'epoch'>): string =>
  `refs/sylk/${brief.run}/${brief.node}/${brief.leg}-${epoch}`;

function commitMessage({ task, run, node }: Brief, result: WorkResult): string {
  const [subject = 'Change files'] = task.trim().split('\n');
  const said = result.result === 'done' ? result.output.trim() : '';
  const title = subject.length <= 72 ? subject : `${subject.slice(0, 71)}…`;
  return [title, ...(said === '' ? [] : ['', said]), '', `Sylk-Run: ${run}`, `Sylk-Node: ${node}`, ''].join(
    '\n',
  );
}
