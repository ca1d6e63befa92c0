import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { isRef, refText } from '../../stores/graph/index.ts';
import { openMessages } from '../../stores/messages/index.ts';
import { entryId, type KnowledgeContext } from './context.ts';

/** What forgetting deletes: the item itself if it was remembered here, and everything derived from it. */
export function createForgetting(
  { graph, chronicle, library, clock, sessions, recall, cachedAnswers }: KnowledgeContext,
  { rewind }: { rewind: () => Promise<void> },
) {
  /** Entries and sources both store lineage: each may lead to the other. */
  const derivedFrom = async (start: string[]): Promise<string[]> => {
    const all = new Set(start);
    for (let size = 0; size < all.size; ) {
      size = all.size;
      for (const ref of await graph.derivedFrom([...all].filter(isRef))) all.add(ref);
      for (const id of await chronicle.standing.derivedFrom([...all])) all.add(refOf('entry', id));
    }
    return [...all].filter((ref) => !start.includes(ref));
  };

  /** Titles, ids and texts remain in cached answers, messages, sessions and the search index: all are removed. */
  const eraseCopies = async (gone: {
    refs: string[];
    titles: string[];
    messages: string[];
    session?: string | undefined;
  }): Promise<void> => {
    const { refs, titles, messages, session } = gone;
    (await cachedAnswers()).clear();
    await openMessages({ library, clock }).erase({ ids: messages, session });
    const store = await sessions();
    await store.forgetTexts({ texts: titles, ids: [...refs.map(idOf), ...messages] });
    if (session) await store.forgetSession(session);
    const entries = refs.filter((ref) => isRefOf(ref, 'entry')).map(entryId);
    if (entries.length > 0) (await recall()).erase('chronicle', entries);
  };

  const forget = async (what: string) => {
    const [kind] = (['entry', 'session'] as const).filter((each) => what.startsWith(`${each.slice(0, 3)}_`));
    const named = kind ? refOf(kind, what) : what;
    // Entries may name sources of kinds that cannot be linked.
    const start = isRef(named) ? refText(named) : named;
    const session = isRefOf(start, 'session') ? idOf(start) : undefined;
    const own = session ? (await chronicle.standing.ofSession(session)).map((id) => refOf('entry', id)) : [];
    const starts = [start, ...own];
    const derived = await derivedFrom(starts);
    const remembered = [...starts, ...derived].filter((ref) => isRefOf(ref, 'entry'));
    const traces = await chronicle.standing.traces(remembered.map(entryId));
    const counts = await chronicle.forget({
      entries: remembered.map(entryId),
      session: session || undefined,
      derived_from: start,
    });
    // The file, topic or task itself stays: only what was derived from it is deleted.
    const gone = [
      ...own,
      ...derived,
      ...(/^(?:entry|session|answer|mistake|checkpoint):/.test(start) ? [start] : []),
    ];
    const linked = await graph.removeRefs(gone);
    if (session) await graph.dropLinksOf(session);
    await graph.dropMentions(gone);
    await rewind();
    await eraseCopies({ refs: gone, ...traces, session });
    await library.eraseTraces(gone);
    return { ...counts, linked, titles: traces.titles };
  };

  return { forget, derivedFrom };
}
