import { z } from 'zod';
import type { Chronicle } from '../../stores/chronicle/index.ts';
import type { Session, Sessions } from '../../stores/sessions/index.ts';
import type { MemoryCaller } from './caller-sessions.ts';
import type { Remember } from './remember.ts';
import { summarise } from './summaries.ts';

/** Conversations whose first prompt was answered are remembered so far back. */
const mostConversations = 50;

/** What happens to sessions when a client says that a conversation begins, pauses or ends. */
export function createConversations({
  sessions,
  chronicle,
  remember,
}: {
  sessions: Sessions;
  chronicle: Chronicle;
  remember: Remember;
}) {
  /**
   * The session that a conversation continues: its own, otherwise that of the client in this worktree,
   * otherwise the latest of the client here. Without it, a new conversation would lack the previous context.
   */
  const sessionOf = async (caller: MemoryCaller, names: string[]): Promise<Session | undefined> => {
    for (const conversation of [caller.conversation, undefined])
      for (const client of names) {
        const known = await sessions.current.peek({ ...caller, client, conversation });
        if (known) return known;
      }
    return (await sessions.list()).find(
      (session) =>
        names.includes(`${session.metadata['client']}`) && sessions.current.isInWorktree(caller, session),
    );
  };

  /** Maintains one timeline entry per session with what it did so far. Writes nothing if nothing was done. */
  const record = async (session: Session, source: string): Promise<string | undefined> => {
    const { text, counts, files_modified, told } = await summarise({ chronicle, sessions }, session);
    const before = `${session.metadata['timeline_entry'] ?? ''}`;
    const written = Object.values(counts).reduce((sum, count) => sum + count, 0) - (before ? 1 : 0);
    if (written + files_modified.length === 0 || session.metadata['timeline_text'] === text) return undefined;
    const { entry } = await remember(
      {
        session_id: session.id,
        summary_type: 'task_completion',
        title: `Session ${session.name || session.id}`,
        content: text,
        source,
        source_kind: 'system',
        derived_from: told,
        supersedes: before || undefined,
      },
      { isGenerated: true },
    );
    const fresh = await summarise({ chronicle, sessions }, session);
    await sessions.change(session.id, ({ metadata }) => ({
      metadata: { ...metadata, timeline_entry: entry.id, timeline_text: fresh.text },
    }));
    return entry.id;
  };

  /** True once for each conversation; a client that names none asks with every prompt. */
  const isFirstPrompt = async (caller: MemoryCaller): Promise<boolean> => {
    const { conversation } = caller;
    if (!conversation) return true;
    const session = await sessions.current.mainOf(caller);
    const known = z.array(z.string()).catch([]).parse(session.metadata['prompted']);
    if (known.includes(conversation)) return false;
    await sessions.change(session.id, ({ metadata }) => ({
      metadata: { ...metadata, prompted: [...known, conversation].slice(-mostConversations) },
    }));
    return true;
  };

  return { sessionOf, record, isFirstPrompt };
}
