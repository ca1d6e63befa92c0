import { isoTime } from '../../base/clock.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { embedTopic } from './embed.ts';
import { gather } from './gather.ts';
import { type IndexReport, indexTopic } from './ingest.ts';
import { topicIdOf } from './names.ts';
import { planFetch, sourceName } from './plan.ts';
import { listTopics, topicOf } from './query.ts';
import type { ShelvedTopic } from './shelf.ts';
import type { Stand } from './stand.ts';
import { syncIndex } from './sync.ts';
import type { TopicRow } from './tables.ts';
import type { SourceProblem, Topic, TopicDraft } from './topic.ts';

/** The right to fetch, from whoever keeps approvals. Throws what the caller should hear if there is none. */
export type Permit = (asked: {
  title: string;
  summary: string;
  targets: Array<{ kind: string; target: string; resolved?: string; note?: string }>;
  digest: string;
  files?: number;
  bytes?: number;
}) => Promise<{ done(): Promise<void>; release(why: string): Promise<void> }>;

export interface CreateCall {
  draft: TopicDraft;
  permit: Permit;
  /** There is an answer already: nothing needs to be counted again. */
  answered: boolean;
  author: { agent: string; model: string };
  allowDuplicate?: boolean | undefined;
  /** Also wait for the model's vectors. */
  waitForVectors?: boolean | undefined;
  signal?: AbortSignal | undefined;
  progress?(event: { done: number; total?: number; message: string }): void;
}

export interface CreateReport extends IndexReport {
  topic_id: string;
  problems: SourceProblem[];
  embedded: { static: number; model: number; of: number };
}

/** Looks, asks, fetches, shelves, indexes. When it answers, searching works. */
export async function createTopic(stand: Stand, call: CreateCall): Promise<CreateReport> {
  const { draft, permit, progress = () => {} } = call;
  const stage = stand.shelf.stage();
  const outside = { ...stand.outside, ...(call.signal ? { signal: call.signal } : {}) };
  try {
    await syncIndex(stand);
    if (!call.allowDuplicate) refuseDuplicate(stand, draft);
    progress({ done: 0, message: 'looking at the sources' });
    const plan = await planFetch(draft, {
      scratch: stage.scratch,
      outside,
      counts: !call.answered,
      budget: stand.budget,
    });
    const right = await permit({ ...plan, title: draft.title });
    let shelved: ShelvedTopic;
    let problems: SourceProblem[];
    try {
      const gathered = await gather(plan.sources, {
        directory: stage.topic,
        scratch: stage.scratch,
        budget: stand.budget,
        outside: withDeadline(outside, stand.budget.timeoutMs),
        progress: (message) => progress({ done: 0, message }),
      });
      problems = [...plan.problems, ...gathered.problems];
      shelved = stand.shelf.publish(stage.topic, {
        ...newTopic(stand, call),
        files: gathered.files,
        sources: gathered.sources,
      });
    } catch (error) {
      await right.release(messageOf(error));
      throw error;
    }
    await right.done();
    const report = await index(stand, shelved, call);
    const embedded = await embedTopic(stand, shelved.topic.id, {
      ...call,
      run: call.waitForVectors ?? false,
    });
    return { topic_id: shelved.topic.id, ...report, problems, embedded };
  } finally {
    stage.discard();
  }
}

async function index(
  stand: Stand,
  shelved: ShelvedTopic,
  { signal, progress }: CreateCall,
): Promise<IndexReport> {
  const report = await indexTopic(stand, shelved, {
    signal,
    progress: (done, total) => progress?.({ done, total, message: 'indexing files' }),
  });
  if (report) return report;
  throw new SylkError('CONFLICT', `${shelved.topic.id} is being indexed by another process.`, {
    hint: 'It is on the shelf; search it in a moment.',
    data: { topic_id: shelved.topic.id },
  });
}

function newTopic(stand: Stand, { draft, author }: CreateCall): Topic {
  const now = isoTime(stand.clock.now());
  const { sources, body, ...fields } = draft;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    ...(given as Omit<TopicDraft, 'sources' | 'body'>),
    id: topicIdOf(draft.title),
    created_at: now,
    fetched_at: now,
    status: 'active',
    files: [],
    created_by: author,
    sources,
    body,
  };
}

/** The same title, or the same sources, is the same topic: it is refreshed, not made twice. */
function refuseDuplicate(stand: Stand, draft: TopicDraft): void {
  const title = draft.title.trim().toLowerCase();
  const wanted = addresses(draft);
  for (const { topic_id } of listTopics(stand)) {
    const row = stand.index().sqlite.get<TopicRow>('SELECT * FROM reference_topics WHERE id = ?', topic_id)!;
    const same =
      row.title.trim().toLowerCase() === title
        ? 'title'
        : addresses(topicOf(row)) === wanted
          ? 'sources'
          : undefined;
    if (!same) continue;
    throw new SylkError('CONFLICT', `${topic_id} has the same ${same} already.`, {
      hint: 'Search it; update it with reference_topic_update; a person refreshes it with `sylk ref refresh`. To have both, set allow_duplicate.',
      data: { topic_id, same },
    });
  }
}

const addresses = ({ sources }: Pick<TopicDraft, 'sources'>): string =>
  sources
    .map(
      (source) =>
        `${sourceName(source)
          .replace(/\.git$|\/+$/g, '')
          .toLowerCase()}${'paths' in source ? (source.paths ?? []).join() : ''}`,
    )
    .sort()
    .join(' ');

export function withDeadline<T extends { signal?: AbortSignal }>(outside: T, timeoutMs: number): T {
  const deadline = AbortSignal.timeout(timeoutMs);
  return { ...outside, signal: outside.signal ? AbortSignal.any([outside.signal, deadline]) : deadline };
}
