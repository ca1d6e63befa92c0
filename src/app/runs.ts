import type { Clock } from '../base/clock.ts';
import type { EventLog } from '../base/events.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Answers } from '../engines/answers/index.ts';
import type { Guide } from '../engines/guide/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { Board, RunState } from '../engines/orchestrator/index.ts';
import type { Runs } from '../stores/runs/index.ts';
import type { Transcripts } from '../stores/transcripts/index.ts';
import type { WorkAccessors } from './work.ts';

export interface RunAccessors {
  /** Plans that are being carried out. */
  runs(): Promise<Runs<RunState>>;
  /** Claims and moves of tasks, of runs too. */
  board(): Promise<Board>;
  /** Sends messages to who answers them. */
  guide(): Promise<Guide>;
}

export function runAccessors(
  parts: Pick<WorkAccessors, 'work' | 'workAreas'> & {
    library: () => Promise<Library>;
    memory: () => Promise<Memory>;
    answers: () => Promise<Answers>;
    transcripts: () => Promise<Transcripts>;
    repository: Repository;
    git: Git;
    clock: Clock;
    events: EventLog;
    onClose(work: () => void | Promise<void>): void;
  },
): RunAccessors {
  const { library, git, clock, events } = parts;
  const runs = once(async () => {
    const [{ openRuns }, { copyEvents, decide, writeBoard }] = await Promise.all([
      import('../stores/runs/index.ts'),
      import('../engines/orchestrator/index.ts'),
    ]);
    const work = await parts.work();
    const { projectOrDefault } = await parts.workAreas();
    // A plan can stand on the board without a project.
    const findProject = () => projectOrDefault(undefined).catch(() => undefined);
    const opened = openRuns<RunState>({
      library: await library(),
      clock,
      decide,
      alongside: ({ before, state }) => writeBoard(work, before, state, findProject),
    });
    copyEvents(opened, { events, bus: async () => (await guide()).bus() });
    return opened;
  });
  const guide = once(async () => {
    const { createGuide } = await import('../engines/guide/index.ts');
    const listeners = async () => {
      const { taskListener } = await import('../engines/orchestrator/index.ts');
      return [taskListener(runs, parts.transcripts)];
    };
    return createGuide({ ...parts, listeners });
  });
  return {
    runs,
    guide,
    board: once(async () => {
      const { createBoard } = await import('../engines/orchestrator/index.ts');
      return createBoard({ library: await library(), work: await parts.work(), runs, git });
    }),
  };
}
