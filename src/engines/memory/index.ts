// owns: what connects sessions and the chronicle over time: the only way to remember, the session of a call, briefings, completion, resuming.
// knows: stores, claims, knowledge. must not know: engines above it.
import { SylkError } from '../../base/errors.ts';
import type { EventLog } from '../../base/events.ts';
import { objectOf } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Chronicle, Entry, NewMistake, Viewer } from '../../stores/chronicle/index.ts';
import { type Messages, messageSchema } from '../../stores/messages/index.ts';
import type { Session, SessionSnapshot, Sessions } from '../../stores/sessions/index.ts';
import type { Claims } from '../claims/index.ts';
import type { Knowledge } from '../knowledge/index.ts';
import { composeBriefing, stoppedLines, type Tier } from './briefing.ts';
import { createCallerSessions, type MemoryCaller } from './caller-sessions.ts';
import { createConversations } from './conversations.ts';
import { createPersonPreferences } from './preferences.ts';
import { createRemember } from './remember.ts';
import { composeForPrompt, composeSessionStart, type StartSources } from './session-start.ts';
import { type SessionSummary, summarise } from './summaries.ts';
import { createTasks } from './tasks.ts';
import { countWaiting, exchangeWith, type TeamLibrary, teamLibrary } from './team-memory.ts';

export { authorText, isUnconfirmedImport, tiers } from './briefing.ts';
export type { MemoryCaller } from './caller-sessions.ts';
export { entryOfMessage } from './remember.ts';
export type { StartSources } from './session-start.ts';
export type { TeamLibrary } from './team-memory.ts';

export const sessionChanges = [
  'activate',
  'suspend',
  'resume',
  'complete',
  'fail',
  'close',
  'switch',
] as const;
export type SessionChange = (typeof sessionChanges)[number];

/** A session after a change, and the side effects of the change. */
export type ChangedSession = Session & {
  /** The session that a switch suspended. */
  left?: string | null;
  promoted?: string[];
  waiting?: Array<{ id: string; title: string }>;
};

export interface MemoryContext {
  library: Library;
  store: Sessions;
  /** Of this repository. */
  chronicle: Chronicle;
  /** Of the person, across repositories: preferences, and mistakes reported by them. */
  person: Chronicle;
  /** Path of the repository, the key of the person's preferences for it. */
  repository: string;
  /** Where the repository was before it was moved, latest first. */
  formerPaths: string[];
  claims: () => Promise<Claims>;
  knowledge: () => Promise<Knowledge>;
  events: EventLog;
  /** Messages that wait for a session are part of its snapshot. */
  messages: () => Promise<Messages>;
}

export function createMemory(context: MemoryContext) {
  const { chronicle, person, claims, knowledge, messages } = context;
  const sessions = createCallerSessions(context.store);
  const remember = createRemember(context);
  const preferences = createPersonPreferences(context);

  /** Completes a session: its verified, undisputed entries and its links are shared. */
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
        // A given summary is the caller's own words; a generated one was derived from entries.
        derived_from: summary ? undefined : told.told,
      },
      { isGenerated: !summary },
    );
    const shared = await chronicle.promotion.completeSession(session.id);
    await (await knowledge()).graph.shareLinksOf(session.id);
    return { session: ended, summary: told, ...shared };
  };

  const snapshot = async (session: Session): Promise<SessionSnapshot> => {
    const viewer = { session_id: session.id, sees_all: false };
    const own = await chronicle.find(viewer, { current_only: true, include_superseded: true, limit: 10_000 });
    const notes = await chronicle.scratchpad.all(session.id);
    return sessions.snapshots.take(session.id, {
      archivalist_state: {
        session_id: session.id,
        resume_state: (await chronicle.checkpoints.latest({ session_id: session.id, owner: '' })) ?? null,
        local_entry_ids: own.map(({ id }) => id),
        pending_writes: [],
        scratchpad: Object.fromEntries(notes.map(({ key, content }) => [key, content])),
      },
      pending_messages: await (await messages()).pendingOf(session.id),
    });
  };

  /** Suspends with everything needed to continue elsewhere. */
  const suspend = async (session: Session): Promise<Session> => {
    const suspended = await sessions.transition(session.id, 'suspend');
    // Its waiting messages are in the library now.
    await snapshot(suspended);
    return suspended;
  };

  const changeSession = async (
    caller: MemoryCaller,
    session: Session,
    change: SessionChange,
    { reason, summary }: { reason?: string | undefined; summary?: string | undefined } = {},
  ): Promise<ChangedSession> => {
    if (change === 'suspend') return suspend(session);
    if (change === 'close') return sessions.close(session.id);
    if (change === 'switch' && session.kind === 'main') return sessions.current.switchToMain(caller);
    if (change === 'switch') {
      const { session: current, left } = await sessions.current.switchTo(caller, session.id);
      return { ...current, left: left?.id ?? null };
    }
    if (change === 'complete') {
      const { session: ended, promoted, waiting } = await complete(session, summary);
      return {
        ...ended,
        promoted: promoted.map(({ id }) => id),
        waiting: waiting.map(({ id, title }) => ({ id, title })),
      };
    }
    return sessions.transition(session.id, change, reason ? { reason } : {});
  };

  return {
    sessions,
    chronicle,
    person,
    preferences,
    remember,
    conversations: createConversations({ sessions, chronicle, remember }),
    complete,
    snapshot,
    suspend,
    changeSession,
    ...createTasks({ sessions, chronicle }),
    summarise: (session: Session) => summarise({ chronicle, sessions }, session),
    /** Checks entries against the current code. */
    verify: async (viewer: Viewer, limit: number) => {
      const { checkEntry } = await claims();
      const results = [];
      for (const entry of await chronicle.find(viewer, { limit })) results.push(await checkEntry(entry));
      return results;
    },
    /** Checks and links entries imported as rows of another library. */
    adopt: async (ids: string[]): Promise<void> => {
      const { checkEntry } = await claims();
      const everything = { session_id: '', sees_all: true };
      for (const entry of (await chronicle.standing.several(everything, ids)).values())
        await checkEntry(entry);
      await (await knowledge()).entries.follow();
    },
    /** Between the library of a laptop and that of its team. */
    team: {
      serve: (by: string) => teamLibrary(context, by),
      exchange: (team: string, remote: TeamLibrary) => exchangeWith({ ...context, team }, remote),
      waiting: (team: string) => countWaiting({ ...context, team }),
    },
    briefing: async (caller: MemoryCaller, tier: Tier, sessionId?: string) => {
      const session = await sessions.forReading(caller, sessionId);
      return composeBriefing(
        { chronicle, preferences },
        {
          tier,
          viewer: sessions.viewerOf(caller, session),
          session,
          owner: sessions.ownerOf(caller),
          count: await loadTokenCounter(),
        },
      );
    },
    /** What a new conversation is given, within its limit of tokens. */
    sessionStart: async (caller: MemoryCaller, sources: StartSources, sessionId?: string, limit?: number) => {
      const session = await sessions.forReading(caller, sessionId);
      const viewer = sessions.viewerOf(caller, session);
      const stopped = await stoppedLines(chronicle, { viewer, session, owner: sessions.ownerOf(caller) });
      const request = { viewer, stopped, count: await loadTokenCounter() };
      return composeSessionStart({ chronicle, preferences }, request, sources, limit);
    },
    /** What memory has about a prompt. */
    forPrompt: async (caller: MemoryCaller, prompt: string, sessionId?: string) => {
      const viewer = sessions.viewerOf(caller, await sessions.forReading(caller, sessionId));
      return composeForPrompt({ chronicle }, { viewer, count: await loadTokenCounter() }, prompt);
    },
    restore: async (id: string, caller: MemoryCaller): Promise<Session> => {
      const taken = await sessions.snapshots.get(id);
      await sessions.forCaller(caller, taken.session.id);
      const notes = objectOf(taken.archivalist_state['scratchpad']);
      await chronicle.scratchpad.keepOnly(taken.session.id, Object.keys(notes));
      for (const [key, content] of Object.entries(notes))
        await chronicle.scratchpad.write(taken.session.id, key, String(content));
      // The next listener takes up messages that are missing and were never processed.
      for (const message of messageSchema.array().parse(taken.pending_messages))
        await (await messages()).accept({ ...message, status: 'queued' }, '');
      return sessions.snapshots.restore(taken);
    },
    /** Warns every session at once where it was reported in the main session, else its own. */
    reportMistake: (
      session: Session,
      { scope, ...report }: Omit<NewMistake, 'session_id' | 'shared'> & { scope: 'repository' | 'person' },
    ) =>
      (scope === 'person' && report.author.kind === 'person' ? person : chronicle).mistakes.report({
        ...report,
        session_id: session.id,
        shared: session.kind === 'main',
      }),
    /** What went wrong before with something like this approach, here and in the person's other repositories. */
    checkMistakes: async (viewer: Viewer, approach: string) => [
      ...(await chronicle.mistakes.check(viewer, approach)),
      ...(await chronicle.mistakes.failures(viewer, approach)),
      ...(await person.mistakes.check({ session_id: '', sees_all: false }, approach)),
    ],
    /** Records a use; enough successful ones share a pattern with all sessions. */
    recordUse: async (viewer: Viewer, entry: string, success: boolean): Promise<Entry> => {
      await chronicle.get(viewer, entry);
      return chronicle.promotion.recordUse(entry, viewer.session_id, success);
    },
    /** Shares an entry with all sessions, by a person or an inspection, or withdraws it. */
    promote: async (
      caller: MemoryCaller,
      entry: string,
      change: 'share' | 'approve' | 'take_back',
    ): Promise<Entry> => {
      if (caller.kind !== 'person')
        throw new SylkError('DENIED', 'Only a person may share an entry.', {
          hint: 'Ask the person to run `sylk memory promote`.',
        });
      const { promotion } = chronicle;
      const by = caller.client.replace(/^person:/, '');
      if (change === 'take_back') return promotion.rollback(entry, by);
      return promotion.promote(entry, change === 'approve' ? 'inspector' : 'person', by);
    },
  };
}

export type Memory = ReturnType<typeof createMemory>;
