import { z } from 'zod';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import type { Entry, Viewer } from '../../stores/chronicle/index.ts';
import { parseRef } from '../../stores/graph/index.ts';
import { commitRecord, findCommit } from '../../stores/history/index.ts';
import { entryId, type KnowledgeContext } from './context.ts';
import { type Places, splitCodeRef } from './places.ts';

/** An item of any store, for display. */
export const cardSchema = z.object({
  ref: z.string(),
  side: z.enum(['code', 'history', 'knowledge']),
  kind: z.string(),
  title: z.string(),
  text: z.string().optional(),
  path: z.string().optional(),
  line: z.number().optional(),
  end_line: z.number().optional(),
  url: z.string().optional(),
  author: z.string().optional(),
  at: z.string().optional(),
  /** moved: the code has another name now. lost: it was deleted, this is its last place. */
  state: z.enum(['current', 'moved', 'lost']),
  /** The ref it was linked under, if it has another now. */
  was: z.string().optional(),
  superseded_by: z.string().optional(),
  verification: z.string().optional(),
  needs_review: z.boolean().optional(),
  resolved: z.boolean().optional(),
  expired: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
});
export type Card = z.output<typeof cardSchema>;

const shortText = 280;

export function createCards(context: KnowledgeContext, places: Places) {
  /** Cards of refs, by the requested ref. Hidden items have none. */
  const of = async (viewer: Viewer, refs: string[]): Promise<Map<string, Card>> => {
    const asked = [...new Set(refs)];
    const by = (pattern: RegExp) => asked.filter((ref) => pattern.test(ref));
    const cards = new Map<string, Card>([
      ...(await codeCards(by(/^(?:file|symbol):/))),
      ...(await entryCards(viewer, by(/^entry:/))),
      ...(await commitCards(by(/^commit:/))),
      ...(await topicCards(by(/^(?:topic|library):/))),
      ...(await taskCards(by(/^(?:task|feature|project):/))),
    ]);
    const rest = asked.filter(
      (ref) => !/^(?:file|symbol|entry|commit|topic|library|task|feature|project):/.test(ref),
    );
    const stored = await context.graph.nodesOf(rest);
    for (const ref of rest) {
      if (isRefOf(ref, 'session') && !viewer.sees_all && ref !== refOf('session', viewer.session_id))
        continue;
      const { side, kind, id } = parseRef(ref);
      const node = stored.get(ref);
      cards.set(ref, {
        ref,
        side,
        kind: node?.kind ?? kind,
        title: node?.place.name ?? id,
        state: 'current',
      });
    }
    const now = context.clock.now();
    for (const [ref, { expires_at }] of await context.graph.nodesOf([...cards.keys()]))
      if (expires_at && Date.parse(expires_at) < now) cards.set(ref, { ...cards.get(ref)!, expired: true });
    const newer = await context.graph.supersededBy([...cards.keys()]);
    for (const [ref, by] of newer) cards.set(ref, { ...cards.get(ref)!, superseded_by: by });
    return cards;
  };

  const codeCards = async (refs: string[]): Promise<Array<[string, Card]>> => {
    const standings = await places.now(refs);
    return refs.map((ref): [string, Card] => {
      const { state, path, name, kind, line, end_line, ...standing } = standings.get(ref)!;
      const card: Card = {
        ref: standing.ref,
        side: 'code',
        kind: kind ?? (isRefOf(ref, 'file') ? 'file' : 'symbol'),
        title: name ?? splitCodeRef(ref).path,
        path,
        line,
        end_line,
        state,
        was: standing.ref === ref ? undefined : ref,
      };
      return [ref, card];
    });
  };

  const entryCards = async (viewer: Viewer, refs: string[]): Promise<Array<[string, Card]>> => {
    const entries = await context.chronicle.standing.several(viewer, refs.map(entryId));
    return refs.flatMap((ref): Array<[string, Card]> => {
      const entry = entries.get(entryId(ref));
      return entry ? [[ref, entryCard(entry)]] : [];
    });
  };

  const commitCards = async (refs: string[]): Promise<Array<[string, Card]>> => {
    const model = refs.length > 0 ? await places.historyView() : undefined;
    return refs.map((ref): [string, Card] => {
      const plain: Card = {
        ref,
        side: 'history',
        kind: 'commit',
        title: idOf(ref),
        state: 'lost',
      };
      if (!model) return [ref, plain];
      try {
        const { message, author, timestamp } = commitRecord(model, findCommit(model, ref));
        const [title = '', ...rest] = message.split('\n');
        const text = rest.join('\n').trim().slice(0, shortText);
        const at = new Date(timestamp * 1000).toISOString();
        return [ref, { ...plain, title, text: text || undefined, author, at, state: 'current' }];
      } catch {
        return [ref, plain];
      }
    });
  };

  const topicCards = async (refs: string[]): Promise<Array<[string, Card]>> => {
    if (refs.length === 0) return [];
    const references = await context.references();
    const topics = new Map(
      (await references.list({ obsolete: true })).map((topic) => [topic.topic_id, topic]),
    );
    return Promise.all(
      refs.map(async (ref): Promise<[string, Card]> => {
        const id = parseRef(ref).id;
        const known =
          topics.get(id) ??
          [...topics.values()].find(
            ({ library }) => library !== undefined && ref === refOf('library', library),
          );
        if (!known)
          return [ref, { ref, side: 'knowledge', kind: parseRef(ref).kind, title: id, state: 'lost' }];
        const { topic } = await references.show(known.topic_id);
        const [source] = topic.sources;
        const url = source && 'url' in source ? source.url : undefined;
        const text = topic.body.replace(/\s+/g, ' ').trim().slice(0, shortText);
        const card: Card = {
          ref,
          side: 'knowledge',
          kind: known.kind,
          title: known.title,
          text: text || undefined,
          url: url || undefined,
          at: topic.published_at ?? known.fetched_at,
          tags: known.tags,
          state: 'current',
        };
        return [ref, card];
      }),
    );
  };

  const taskCards = async (refs: string[]): Promise<Array<[string, Card]>> => {
    const work = refs.length > 0 ? await context.work() : undefined;
    return Promise.all(
      refs.map(async (ref): Promise<[string, Card]> => {
        const { kind, id } = parseRef(ref);
        const found = await work!.findContainer(id, kind as 'task').catch(() => undefined);
        return [
          ref,
          { ref, side: 'history', kind, title: found?.name ?? id, state: found ? 'current' : 'lost' },
        ];
      }),
    );
  };

  return { of };
}

export type Cards = ReturnType<typeof createCards>;

export const entryCard = (entry: Entry): Card => ({
  ref: refOf('entry', entry.id),
  side: 'history',
  kind: entry.summary_type ?? entry.category,
  title: entry.title,
  text: entry.content.replace(/\s+/g, ' ').slice(0, shortText),
  author: entry.source,
  at: entry.created_at,
  tags: entry.tags,
  state: 'current',
  verification: entry.verification,
  needs_review: entry.needs_review,
  resolved: entry.resolution !== '' || entry.summary_type === 'bug_fix',
  superseded_by: entry.superseded_by ? refOf('entry', entry.superseded_by) : undefined,
});
