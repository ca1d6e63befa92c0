// owns: what joins sessions and the chronicle over time: the one way to remember, whose session a call is, briefings, completion, resuming. knows: stores, claims, knowledge. must not know: engines above it.
import { SylkError } from '../../base/errors.ts';
import type { EventLog } from '../../base/events.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Checkpoint, Chronicle, Entry, Viewer } from '../../stores/chronicle/index.ts';
import type { Session, SessionSnapshot, Sessions } from '../../stores/sessions/index.ts';
import type { Claims } from '../claims/index.ts';
import type { Knowledge } from '../knowledge/index.ts';
import { composeBriefing, type Tier } from './briefing.ts';
import { createCallerSessions, type MemoryCaller } from './caller-sessions.ts';
import { createConversations } from './conversations.ts';
import { createPersonPreferences } from './preferences.ts';
import { createRemember } from './remember.ts';
import { type SessionSummary, summarise } from './summaries.ts';

export { authorText } from './authors.ts';
export { tiers } from './briefing.ts';
export type { MemoryCaller } from './caller-sessions.ts';
export { entryOfMessage } from './entry-of-message.ts';
export type { NewMemory } from './remember.ts';

export interface MemoryContext {
  store: Sessions;
  /** Of this repository. */
  chronicle: Chronicle;
  /** Of the person, across repositories: preferences, and mistakes told by them. */
  person: Chronicle;
  /** Path of the repository, which the person's words for it are kept under. */
  repository: string;
  claims: () => Promise<Claims>;
  knowledge: () => Promise<Knowledge>;
  events: EventLog;
  /** Messages that wait for a session: part of its snapshot. */
  messages?: () => Promise<{
    pendingOf(session: string): Promise<unknown[]>;
    restore(messages: never[]): Promise<number>;
  }>;
}

export function createMemory(context: MemoryContext) {
  const { chronicle, person, repository, claims, messages } = context;
  const sessions = { ...context.store, ...createCallerSessions(context.store) };
  const remember = createRemember(context);
  const conversations = createConversations({ sessions, chronicle, remember });
  const preferences = createPersonPreferences({ chronicle, person, repository });

  const complete = async (
    session: Session,
    summary?: string,
  ): Promise<{ session: Session; summary: SessionSummary; promoted: Entry[]; waiting: Entry[] }> => {
    const told = await summarise({ chronicle, sessions }, session);
    const ended = await sessions.transition(session.id, 'complete', { summary: summary ?? told.text });
    await remember(
      {
        session_id: session.id,
        summary_type: 'task_completion',
        title: `Session ${session.name || session.id} completed`,
        content: summary ?? told.text,
        source: 'sylk',
        source_kind: 'system',
        // A given summary is the caller's own words; a generated one was made from entries.
        derived_from: summary ? undefined : told.told,
      },
      { isGenerated: !summary },
    );
    return { session: ended, summary: told, ...(await chronicle.promotion.completeSession(session.id)) };
  };

  return {
    sessions,
    chronicle,
    person,
    preferences,
    remember,
    conversations,
    complete,
    /** Checks entries against the code as it is now. */
    verify: async (viewer: Viewer, limit: number) => {
      const { checkEntry } = await claims();
      const results = [];
      for (const entry of await chronicle.find(viewer, { limit })) results.push(await checkEntry(entry));
      return results;
    },
    /** Checks and links entries that came in as rows of another library. */
    adopt: async (ids: string[]): Promise<void> => {
      const { checkEntry } = await claims();
      const everything = { session_id: '', sees_all: true };
      for (const entry of (await chronicle.standing.several(everything, ids)).values())
        await checkEntry(entry);
      await (await context.knowledge()).entries.follow();
    },
    summarise: (session: Session) => summarise({ chronicle, sessions }, session),
    briefing: async (caller: MemoryCaller, tier: Tier, sessionId?: string) => {
      const session = await sessions.forReading(caller, sessionId);
      const count = await loadTokenCounter();
      return composeBriefing(
        { chronicle, preferences },
        {
          tier,
          viewer: sessions.viewerOf(caller, session),
          session,
          owner: sessions.ownerOf(caller),
          count,
        },
      );
    },
    /** Suspends with everything that is needed to go on elsewhere. */
    suspend: async (session: Session): Promise<Session> => {
      await sessions.snapshots.take(session.id, await snapshotParts(session));
      return sessions.transition(session.id, 'suspend');
    },
    snapshot: async (session: Session): Promise<SessionSnapshot> =>
      sessions.snapshots.take(session.id, await snapshotParts(session)),
    restore: async (id: string, caller: MemoryCaller): Promise<Session> => {
      const snapshot = await sessions.snapshots.get(id);
      await sessions.forCaller(caller, snapshot.session.id);
      const notesThen = (snapshot.archivalist_state['scratchpad'] ?? {}) as Record<string, string>;
      await chronicle.scratchpad.keepOnly(snapshot.session.id, Object.keys(notesThen));
      for (const [key, content] of Object.entries(notesThen))
        await chronicle.scratchpad.write(snapshot.session.id, key, content);
      if (messages && snapshot.pending_messages.length > 0)
        await (await messages()).restore(snapshot.pending_messages as never[]);
      return sessions.snapshots.restore(snapshot);
    },
    resumeTask: async (
      caller: MemoryCaller,
      taskId: string,
      sessionId?: string,
    ): Promise<{ checkpoint: Checkpoint; from: 'this session' | 'another session' } | undefined> => {
      const session = await sessions.forWriting(caller, sessionId);
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
    /** A use that went well or not; enough good ones share a pattern with all sessions. */
    recordUse: async (
      caller: MemoryCaller,
      entry: string,
      success: boolean,
      sessionId?: string,
    ): Promise<Entry> => {
      const session = await sessions.forWriting(caller, sessionId);
      await chronicle.get(sessions.viewerOf(caller, session), entry);
      return chronicle.promotion.recordUse(entry, session.id, success);
    },
    promote: async (caller: MemoryCaller, entry: string): Promise<Entry> => {
      if (caller.kind !== 'person')
        throw new SylkError('DENIED', 'Promotion is a decision of a person.', {
          hint: 'Ask the person to run `sylk memory promote`.',
        });
      return chronicle.promotion.promote(entry, 'person', caller.client);
    },
  };

  async function snapshotParts(session: Session) {
    return {
      archivalist_state: await archivalistState(session),
      pending_messages: messages ? await (await messages()).pendingOf(session.id) : undefined,
    };
  }

  async function archivalistState(session: Session): Promise<Record<string, unknown>> {
    const viewer = { session_id: session.id, sees_all: false };
    const own = await chronicle.find(viewer, { current_only: true, include_superseded: true, limit: 10_000 });
    const pad = await chronicle.scratchpad.all(session.id);
    return {
      session_id: session.id,
      resume_state: (await chronicle.checkpoints.latest({ session_id: session.id, owner: '' })) ?? null,
      local_entry_ids: own.map((entry) => entry.id),
      pending_writes: [],
      scratchpad: Object.fromEntries(pad.map((note) => [note.key, note.content])),
    };
  }
}

export type Memory = ReturnType<typeof createMemory>;
