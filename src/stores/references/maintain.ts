import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import type { ReferencesContext } from './context.ts';
import { forgetTopic } from './forget.ts';
import { gatherPlan } from './gather.ts';
import { type IndexReport, indexTopic, syncIndex } from './ingest.ts';
import { planFetch } from './plan.ts';
import { findRow, unknownTopic } from './query.ts';
import type { ShelvedTopic } from './shelf.ts';
import type { SourceProblem, TopicDraft } from './topic.ts';

/** The current shelf entry of a topic, by any of its names. */
export function takeTopic(context: ReferencesContext, name: string): ShelvedTopic {
  const row = findRow(context, name);
  const found = row && context.shelf.list().items.find(({ topic }) => topic.id === row.id);
  if (!found) throw unknownTopic(context, name);
  return found;
}

export interface TopicPatch {
  topic_id: string;
  status?: 'active' | 'obsolete' | undefined;
  max_age_days?: number | undefined;
  body?: string | undefined;
  tags?: string[] | undefined;
}

/** Never fetches. Omitted fields stay unchanged. */
export async function updateTopic(
  context: ReferencesContext,
  { topic_id, ...patch }: TopicPatch,
): Promise<ShelvedTopic> {
  await syncIndex(context);
  const { topic } = takeTopic(context, topic_id);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const shelved = context.shelf.write({ ...topic, ...given });
  await indexTopic(context, shelved);
  return shelved;
}

export interface RefreshReport extends IndexReport {
  topic_id: string;
  problems: SourceProblem[];
}

export interface RefreshOptions {
  signal?: AbortSignal | undefined;
  progress?(event: { done: number; total?: number; message: string }): void;
}

/** Fetches the tracked sources again and indexes the changes. The old version answers until the new one is complete. */
export async function refreshTopic(
  context: ReferencesContext,
  name: string,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  await syncIndex(context);
  const { topic } = takeTopic(context, name);
  const stage = context.shelf.stage();
  const outside = { ...context.outside, signal: options.signal ?? context.outside.signal };
  const progress = options.progress ?? (() => {});
  try {
    progress({ done: 0, message: 'inspecting the sources' });
    const sources = topic.sources.map((source) =>
      source.type === 'git' ? { ...source, commit: undefined } : source,
    );
    const draft: TopicDraft = { ...topic, sources };
    const plan = await planFetch(draft, {
      scratch: stage.scratch,
      outside,
      counts: false,
      budget: context.budget,
    });
    const { problems, ...found } = await gatherPlan(context, stage, plan, { outside, progress });
    const failed = problems.filter(({ source }) =>
      topic.sources.some((each) => ('url' in each ? each.url : each.path) === source),
    );
    refuseLoss(plan.problems, failed.length, topic.sources.length);
    const fresh = { ...topic, ...found, fetched_at: isoTime(context.clock.now()) };
    const shelved = context.shelf.replace(stage.topic, fresh);
    const report = await indexTopic(context, shelved, {
      signal: options.signal,
      progress: (done, total) => progress({ done, total, message: 'indexing files' }),
    });
    return { topic_id: topic.id, ...(report ?? unread(found.files.length)), problems };
  } finally {
    stage.discard();
  }
}

/** An unreachable source must not lose its files. */
function refuseLoss(unreachable: SourceProblem[], failed: number, total: number): void {
  if (unreachable.length === 0) return;
  throw new SylkError(
    'UNAVAILABLE',
    `${failed} of ${total} sources could not be reached; the topic is unchanged.`,
    {
      hint: unreachable
        .map(({ source, message }) => `${source}: ${message}`)
        .join(' · ')
        .slice(0, 800),
      data: { reason: 'source_unreachable', problems: unreachable },
    },
  );
}

/** Another process is indexing it. */
const unread = (files: number): IndexReport => ({
  file_count: files,
  chunk_count: 0,
  added: 0,
  changed: 0,
  removed: 0,
});

/** The topic, its files and all indexed data. */
export async function deleteTopic(
  context: ReferencesContext,
  name: string,
): Promise<{ topic_id: string; files: number }> {
  await syncIndex(context);
  const { folder, topic } = takeTopic(context, name);
  context.shelf.remove(folder);
  forgetTopic(context.index(), topic.id);
  return { topic_id: topic.id, files: topic.files.length };
}
