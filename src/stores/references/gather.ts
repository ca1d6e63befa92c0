import { basename } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import type { ReferencesContext } from './context.ts';
import { slugOf } from './names.ts';
import { allFailed, type FetchPlan, type PlannedSource, problemOf } from './plan.ts';
import type { FetchBudget } from './settings.ts';
import { crawl } from './sources/crawl-source.ts';
import { repositoryName } from './sources/git-remote.ts';
import { fetchGit } from './sources/git-source.ts';
import { type Harvest, openHarvest } from './sources/harvest.ts';
import { fetchLocal } from './sources/local-source.ts';
import type { Outside } from './sources/outside.ts';
import { readPage, storePage } from './sources/web-source.ts';
import type { SourceProblem, TopicSource } from './topic.ts';

interface Gathered {
  files: string[];
  problems: SourceProblem[];
  /** As given, with the fetched commit. */
  sources: TopicSource[];
}

interface GatherOptions {
  directory: string;
  scratch: string;
  budget: FetchBudget;
  outside: Outside;
  progress(message: string): void;
}

/** Fetches what a plan names, within the time limit. */
export async function gatherPlan(
  { budget }: Pick<ReferencesContext, 'budget'>,
  stage: { topic: string; scratch: string },
  plan: FetchPlan,
  options: { outside: Outside; progress(event: { done: number; message: string }): void },
): Promise<Gathered> {
  const deadline = AbortSignal.timeout(budget.timeoutMs);
  const { signal } = options.outside;
  const { problems, ...found } = await gather(plan.sources, {
    directory: stage.topic,
    scratch: stage.scratch,
    budget,
    outside: { ...options.outside, signal: signal ? AbortSignal.any([signal, deadline]) : deadline },
    progress: (message) => options.progress({ done: 0, message }),
  });
  return { ...found, problems: [...plan.problems, ...problems] };
}

/** Fetches every source into one directory. A failed source is a problem; all failing, or an empty result, is an error. */
async function gather(planned: PlannedSource[], options: GatherOptions): Promise<Gathered> {
  const { directory, budget, outside, progress } = options;
  const harvest = openHarvest(directory, budget);
  const sources: TopicSource[] = [];
  const failures: unknown[] = [];
  const trees = planned.filter(({ source }) => source.type === 'git' || source.type === 'local').length;
  for (const { source, git } of planned) {
    const prefix = trees > 1 ? `${prefixOf(source)}/` : '';
    try {
      outside.signal?.throwIfAborted();
      progress(`fetching ${source.type === 'local' ? source.path : source.url}`);
      sources.push(await fetchSource({ source, git }, prefix, harvest, options));
    } catch (error) {
      if (outside.signal?.aborted || isOver(error)) throw error;
      failures.push(error);
      const { source: name, reason, message } = problemOf(source, error);
      harvest.problem(name, reason, message);
      sources.push(source);
    }
  }
  if (failures.length === planned.length) throw allFailed(harvest.problems, failures);
  if (harvest.files.length === 0) throw nothingFetched();
  return { files: harvest.files.sort(), problems: harvest.problems, sources };
}

/** Returns the source as fetched. */
async function fetchSource(
  { source, git }: PlannedSource,
  prefix: string,
  harvest: Harvest,
  { scratch, budget, outside, progress }: GatherOptions,
): Promise<TopicSource> {
  if (source.type === 'git') {
    const commit = git?.commit ?? '';
    await fetchGit({ source, commit, prefix }, harvest, scratch, budget, outside);
    return { ...source, commit };
  }
  if (source.type === 'local') fetchLocal(source, prefix, harvest, budget);
  else if (source.type === 'web') storePage(await readPage(source.url, outside), source.url, harvest);
  else {
    const { pages, problems } = await crawl(source, outside, (done) =>
      progress(`${done} pages of ${source.url}`),
    );
    for (const { url, reason, message } of problems) harvest.problem(url, reason, message);
    if (pages.length === 0) throw nothingFetched();
    for (const page of pages) storePage(page, source.url, harvest);
  }
  return source;
}

/** Exceeding the budget fails the whole topic: half of it would look complete. */
const isOver = (error: unknown): boolean =>
  error instanceof SylkError &&
  error.code === 'BUDGET_EXCEEDED' &&
  error.message.startsWith('The sources hold');

const prefixOf = (source: TopicSource): string =>
  source.type === 'local' ? slugOf(basename(source.path), 60) : slugOf(repositoryName(source.url), 80);

const nothingFetched = (): SylkError =>
  new SylkError('NOT_FOUND', 'Nothing was fetched: the sources contain no text.', {
    hint: 'Check the URLs and `paths`.',
    data: { reason: 'nothing_fetched' },
  });
