import type { Checkpoint, Chronicle } from '../../stores/chronicle/index.ts';
import type { Session } from '../../stores/sessions/index.ts';
import type { CallerSessions, MemoryCaller } from './caller-sessions.ts';

type FileOperation = 'read' | 'modified' | 'created' | 'deleted';
export interface FileNote {
  path: string;
  operation: FileOperation;
  summary?: string | undefined;
  changes?: string[] | undefined;
}

export type NewCheckpoint = Pick<Checkpoint, 'status' | 'next_steps'> & {
  summary: string;
  completed: string[];
  decisions?: Checkpoint['decisions'] | undefined;
  context?: Checkpoint['context'] | undefined;
  /** Read in this conversation, besides those that were recorded. */
  files_read?: string[] | undefined;
};

const contextField = {
  read: 'read_files',
  created: 'created_files',
  modified: 'modified_files',
  deleted: 'modified_files',
} as const;

/** The state of a session's work: files, and checkpoints that another conversation can resume from. */
export function createTasks({ sessions, chronicle }: { sessions: CallerSessions; chronicle: Chronicle }) {
  return {
    recordFile: async (session: Session, file: FileNote, at: string): Promise<void> => {
      const { path, operation, summary, changes } = file;
      await chronicle.files.record(session.id, {
        path,
        operation,
        summary: summary ?? '',
        changes: changes ?? [],
      });
      const field = contextField[operation];
      await sessions.change(session.id, ({ context }) => ({
        context: { ...context, [field]: { ...context[field], [path]: { summary, changes, at } } },
      }));
    },
    saveCheckpoint: async (caller: MemoryCaller, session: Session, given: NewCheckpoint) => {
      const { summary, completed, next_steps, status } = given;
      const files = await chronicle.files.of(session.id, 1000);
      const paths = (isRead: boolean) => [
        ...new Set(files.filter((file) => (file.operation === 'read') === isRead).map(({ path }) => path)),
      ];
      const notes = await chronicle.scratchpad.all(session.id);
      const saved = await chronicle.checkpoints.save({
        session_id: session.id,
        owner: sessions.ownerOf(caller),
        description: summary,
        status,
        body: {
          progress: completed,
          next_steps,
          context: given.context ?? {},
          decisions: given.decisions ?? [],
          files_read: [...new Set([...paths(true), ...(given.files_read ?? [])])],
          files_modified: paths(false),
          scratchpad: Object.fromEntries(notes.map(({ key, content }) => [key, content])),
        },
      });
      await sessions.updateContext(session.id, {
        current_task: summary,
        completed_steps: completed,
        next_steps,
      });
      return saved;
    },
    /** Restores notes and context of a checkpoint; of the newest one for `latest`. */
    resumeTask: async (
      caller: MemoryCaller,
      session: Session,
      taskId: string,
    ): Promise<{ checkpoint: Checkpoint; from: 'this session' | 'another session' } | undefined> => {
      const viewer = {
        session_id: session.id,
        owner: sessions.ownerOf(caller),
        sees_all: caller.kind === 'person',
      };
      const checkpoint =
        taskId === 'latest'
          ? await chronicle.checkpoints.latest(viewer)
          : await chronicle.checkpoints.get(taskId, viewer);
      if (!checkpoint) return undefined;
      for (const [key, content] of Object.entries(checkpoint.scratchpad))
        await chronicle.scratchpad.write(session.id, key, content);
      await sessions.updateContext(session.id, {
        current_task: checkpoint.description,
        completed_steps: checkpoint.progress,
        next_steps: checkpoint.next_steps,
      });
      return { checkpoint, from: checkpoint.session_id === session.id ? 'this session' : 'another session' };
    },
  };
}
