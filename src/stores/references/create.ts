import { isoTime } from '../../base/clock.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import type { ReferencesContext } from './context.ts';
import { embedTopic } from './embed.ts';
import { gatherPlan } from './gather.ts';
import { type IndexReport, indexTopic, syncIndex } from './ingest.ts';
import { topicIdOf } from './names.ts';
import { planFetch } from './plan.ts';
import { topicOf } from './query.ts';
import type { TopicRow } from './tables.ts';
import { type SourceProblem, sourceName, type Topic, type TopicDraft } from './topic.ts';

/** Permission to fetch. Throws the error for the caller if there is none. */
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
  /** Already answered: nothing needs to be counted again. */
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

/** Inspects, asks, fetches, shelves, indexes. When it returns, the topic is searchable. */
export async function createTopic(context: ReferencesContext, call: CreateCall): Promise<CreateReport> {
  const { draft, permit, progress = () => {} } = call;
  const stage = context.shelf.stage();
  const outside = { ...context.outside, signal: call.signal ?? context.outside.signal };
  try {
    await syncIndex(context);
    if (!call.allowDuplicate) refuseDuplicate(context, draft);
    progress({ done: 0, message: 'inspecting the sources' });
    const plan = await planFetch(draft, {
      scratch: stage.scratch,
      outside,
      counts: !call.answered,
      budget: context.budget,
    });
    const right = await permit({ ...plan, title: draft.title });
    const fetched = await gatherPlan(context, stage, plan, { outside, progress })
      .then(({ problems, ...found }) => ({
        problems,
        shelved: context.shelf.publish(stage.topic, { ...newTopic(context, call), ...found }),
      }))
      .catch(async (error: unknown) => {
        await right.release(messageOf(error));
        throw error;
      });
    const { shelved, problems } = fetched;
    await right.done();
    const report = await indexTopic(context, shelved, {
      signal: call.signal,
      progress: (done, total) => progress({ done, total, message: 'indexing files' }),
    });
    if (!report)
      throw new SylkError('CONFLICT', `Another process is indexing ${shelved.topic.id}.`, {
        hint: 'It is on the shelf; search it in a moment.',
        data: { topic_id: shelved.topic.id },
      });
    const embedded = await embedTopic(context, shelved.topic.id, {
      ...call,
      run: call.waitForVectors ?? false,
    });
    return { topic_id: shelved.topic.id, ...report, problems, embedded };
  } finally {
    stage.discard();
  }
}

function newTopic(context: ReferencesContext, { draft, author }: CreateCall): Topic {
  const now = isoTime(context.clock.now());
  const id = topicIdOf(draft.title);
  return { ...draft, id, created_at: now, fetched_at: now, status: 'active', files: [], created_by: author };
}

/** The same title, or the same sources, is the same topic: it is refreshed, not duplicated. */
function refuseDuplicate(context: ReferencesContext, draft: TopicDraft): void {
  const title = draft.title.trim().toLowerCase();
  const wanted = addresses(draft);
  const rows = context
    .index()
    .sqlite.all<TopicRow>(
      "SELECT * FROM reference_topics WHERE status <> 'obsolete' ORDER BY fetched_at DESC, id",
    );
  for (const row of rows) {
    const topic_id = row.id;
    const sameTitle = row.title.trim().toLowerCase() === title;
    if (!sameTitle && addresses(topicOf(row)) !== wanted) continue;
    const same = sameTitle ? 'title' : 'sources';
    throw new SylkError('CONFLICT', `${topic_id} already has the same ${same}.`, {
      hint: 'Search it; update it with `sylk ref update`; a person refreshes it with `sylk ref refresh`. To have both, set allow_duplicate.',
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
