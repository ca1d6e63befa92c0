import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { withDeadline } from './create.ts';
import { forgetTopic } from './forget.ts';
import { gather } from './gather.ts';
import { type IndexReport, indexTopic } from './ingest.ts';
import { planFetch } from './plan.ts';
import { findRow, unknownTopic } from './query.ts';
import type { ShelvedTopic } from './shelf.ts';
import type { Stand } from './stand.ts';
import { syncIndex } from './sync.ts';
import type { SourceProblem, TopicDraft } from './topic.ts';

/** What a topic is on the shelf right now, by any of its names. */
export function takeTopic(stand: Stand, name: string): ShelvedTopic {
  const row = findRow(stand, name);
  const found = row && stand.shelf.list().items.find(({ topic }) => topic.id === row.id);
  if (!found) throw unknownTopic(stand, name);
  return found;
}

export interface TopicPatch {
  topic_id: string;
  status?: 'active' | 'obsolete' | undefined;
  max_age_days?: number | undefined;
  body?: string | undefined;
  tags?: string[] | undefined;
}

/** Never fetches. Fields that are not given stay as they are. */
export async function updateTopic(stand: Stand, { topic_id, ...patch }: TopicPatch): Promise<ShelvedTopic> {
  await syncIndex(stand);
  const { topic } = takeTopic(stand, topic_id);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const shelved = stand.shelf.write({ ...topic, ...given });
  await indexTopic(stand, shelved);
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

/** Fetches the tracked sources again and indexes what changed. The old version answers until the new one is whole. */
export async function refreshTopic(
  stand: Stand,
  name: string,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  await syncIndex(stand);
  const { topic } = takeTopic(stand, name);
  const stage = stand.shelf.stage();
  const outside = { ...stand.outside, ...(options.signal ? { signal: options.signal } : {}) };
  try {
    options.progress?.({ done: 0, message: 'looking at the sources' });
    const sources = topic.sources.map((source) =>
      source.type === 'git' ? { ...source, commit: undefined } : source,
    );
    const draft: TopicDraft = { ...topic, sources };
    const plan = await planFetch(draft, {
      scratch: stage.scratch,
      outside,
      counts: false,
      budget: stand.budget,
    });
    const gathered = await gather(plan.sources, {
      directory: stage.topic,
      scratch: stage.scratch,
      budget: stand.budget,
      outside: withDeadline(outside, stand.budget.timeoutMs),
      progress: (message) => options.progress?.({ done: 0, message }),
    });
    const problems = [...plan.problems, ...gathered.problems];
    const failed = problems.filter(({ source }) =>
      topic.sources.some((each) => ('url' in each ? each.url : each.path) === source),
    );
    refuseLoss(plan.problems, failed.length, topic.sources.length);
    const fresh = {
      ...topic,
      files: gathered.files,
      sources: gathered.sources,
      fetched_at: isoTime(stand.clock.now()),
    };
    const shelved = stand.shelf.replace(stage.topic, fresh);
    const report = await indexTopic(stand, shelved, {
      signal: options.signal,
      progress: (done, total) => options.progress?.({ done, total, message: 'indexing files' }),
    });
    return { topic_id: topic.id, ...(report ?? emptyReport(gathered.files.length)), problems };
  } finally {
    stage.discard();
  }
}

/** A source that cannot be reached today must not take its files away. */
function refuseLoss(unreachable: SourceProblem[], failed: number, total: number): void {
  if (unreachable.length === 0) return;
  throw new SylkError(
    'UNAVAILABLE',
    `${failed} of ${total} sources could not be reached; the topic stays as it was.`,
    {
      hint: unreachable
        .map(({ source, message }) => `${source}: ${message}`)
        .join(' · ')
        .slice(0, 800),
      data: { reason: 'source_unreachable', problems: unreachable },
    },
  );
}

const emptyReport = (files: number): IndexReport => ({
  file_count: files,
  chunk_count: 0,
  added: 0,
  changed: 0,
  removed: 0,
});

/** The topic, its files and all indexed data. */
export async function deleteTopic(stand: Stand, name: string): Promise<{ topic_id: string; files: number }> {
  await syncIndex(stand);
  const { folder, topic } = takeTopic(stand, name);
  stand.shelf.remove(folder);
  forgetTopic(stand.index(), topic.id);
  return { topic_id: topic.id, files: topic.files.length };
}
