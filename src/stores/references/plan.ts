import { contentItem } from '../../base/content-item.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { vetHost } from '../../base/fetch/index.ts';
import type { FetchBudget } from './settings.ts';
import type { GitMetadata } from './sources/git-remote.ts';
import { currentCommit, inspectGit } from './sources/git-source.ts';
import { inspectLocal, type LocalMetadata } from './sources/local-source.ts';
import type { Outside } from './sources/outside.ts';
import { type SourceProblem, sourceName, type TopicDraft, type TopicSource } from './topic.ts';

/** A plan of what would be fetched, made without fetching. */
export interface FetchPlan {
  sources: PlannedSource[];
  problems: SourceProblem[];
  /** "DioxusLabs/dioxus: 1,247 files, ~98 MB, Rust + 1 web page" */
  summary: string;
  targets: Array<{ kind: string; target: string; resolved?: string; note?: string }>;
  /** Digest of the whole request and everything it resolved to. */
  digest: string;
  files?: number;
  bytes?: number;
}

export interface PlannedSource {
  source: TopicSource;
  git?: Pick<GitMetadata, 'commit'> & Partial<GitMetadata>;
  local?: LocalMetadata;
}

export interface PlanOptions {
  scratch: string;
  outside: Outside;
  counts: boolean;
  /** The text where a size cannot be known in advance. */
  budget: Pick<FetchBudget, 'maxBytes'>;
}

/** `counts: false` computes only what the digest needs: enough to compare a request with its approval. */
export async function planFetch(
  draft: TopicDraft,
  { scratch, outside, counts, budget }: PlanOptions,
): Promise<FetchPlan> {
  const sources: PlannedSource[] = [];
  const problems: SourceProblem[] = [];
  const failures: unknown[] = [];
  for (const source of draft.sources) {
    try {
      sources.push(await look(source, scratch, outside, counts));
    } catch (error) {
      if (outside.signal?.aborted) throw error;
      failures.push(error);
      problems.push(problemOf(source, error));
    }
  }
  if (sources.length === 0) throw allFailed(problems, failures);
  const files = total(sources, 'files');
  const bytes = total(sources, 'bytes');
  return {
    sources,
    problems,
    summary: summarise(sources, problems, budget.maxBytes),
    targets: sources.map(targetOf),
    digest: digestOf(draft, sources),
    files,
    bytes,
  };
}

async function look(
  source: TopicSource,
  scratch: string,
  outside: Outside,
  counts: boolean,
): Promise<PlannedSource> {
  if (source.type === 'git') {
    if (counts) return { source, git: await inspectGit(source, scratch, outside) };
    return { source, git: { commit: await currentCommit(source, scratch, outside) } };
  }
  if (source.type === 'local') return { source, local: inspectLocal(source) };
  const url = URL.parse(source.url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SylkError('VALIDATION_ERROR', `Not a web URL: ${JSON.stringify(source.url.slice(0, 200))}`, {
      hint: 'Give an http:// or https:// URL.',
      data: { reason: 'bad_url' },
    });
  }
  // Nothing is fetched yet, but nobody is asked about an address that would be refused. A name may resolve later.
  await vetHost(url, outside).catch((error: unknown) => {
    if (!(error instanceof SylkError) || error.data?.['reason'] !== 'unknown_host') throw error;
  });
  return { source };
}

export function problemOf(source: TopicSource, error: unknown): SourceProblem {
  const reason =
    error instanceof SylkError ? String(error.data?.['reason'] ?? error.code.toLowerCase()) : 'unreadable';
  const hint = error instanceof SylkError && error.hint ? ` ${error.hint}` : '';
  return {
    source: sourceName(source),
    reason,
    message: `${messageOf(error)}${hint}`,
  };
}

/** One failure is reported as it is; several are reported together. */
export function allFailed(problems: SourceProblem[], failures: unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  return new SylkError('UNAVAILABLE', `None of the ${problems.length} sources could be reached.`, {
    hint: problems
      .map(({ source, message }) => `${source}: ${message}`)
      .join(' · ')
      .slice(0, 1000),
    data: { reason: 'all_sources_failed', problems },
  });
}

function total(sources: PlannedSource[], what: 'files' | 'bytes'): number | undefined {
  let sum = 0;
  for (const { source, git, local } of sources) {
    const count = git?.[what] ?? local?.[what];
    if (count === undefined && (git || local)) return undefined;
    const pages = source.type === 'crawl' ? source.max_pages : 1;
    sum += count ?? (what === 'files' ? pages : 0);
  }
  return sum;
}

function summarise(sources: PlannedSource[], problems: SourceProblem[], most: number): string {
  const parts: string[] = [];
  for (const { git, local } of sources) {
    if (git?.name) parts.push(describeGit(git as GitMetadata, most));
    else if (local) parts.push(`${local.path}: ${number(local.files)} files, ${size(local.bytes)}`);
  }
  const pages = sources.filter(({ source }) => source.type === 'web').length;
  if (pages > 0) parts.push(`${pages} web page${pages === 1 ? '' : 's'}`);
  for (const { source } of sources) {
    if (source.type === 'crawl') parts.push(`up to ${source.max_pages} pages of ${new URL(source.url).host}`);
  }
  const unmatched = sources.flatMap(({ git, local }) => git?.unmatched ?? local?.unmatched ?? []);
  const missing = unmatched.length > 0 ? `; no file matches ${unmatched.join(', ')}` : '';
  const failed =
    problems.length > 0
      ? `; ${problems.length} unreachable: ${problems.map(({ source, message }) => `${source} (${message})`).join(', ')}`
      : '';
  return `${parts.join(' + ')}${missing}${failed}`;
}

function describeGit(git: GitMetadata, most: number): string {
  const counted = git.files === undefined ? 'unknown number of files' : `${number(git.files)} files`;
  const large =
    git.bytes === undefined ? `size unknown until fetched (at most ${size(most)})` : `~${size(git.bytes)}`;
  const about = `${counted}, ${large}`;
  if (git.filtered) return `${about} (filtered from ${git.name})`;
  return `${git.name}: ${[about, git.language].filter(Boolean).join(', ')}`;
}

const number = (count: number): string => count.toLocaleString('en-US');
const size = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${number(Math.round(bytes / 1_000_000))} MB`;

function targetOf({ source, git, local }: PlannedSource): FetchPlan['targets'][number] {
  if (source.type === 'git') {
    const note = source.paths?.length ? `paths: ${source.paths.join(', ')}` : 'the entire repository';
    return { kind: 'git', target: source.url, resolved: git?.commit, note };
  }
  if (source.type === 'local')
    return { kind: 'local', target: local?.path ?? source.path, resolved: local?.fingerprint };
  if (source.type === 'web') return { kind: 'web', target: source.url };
  return {
    kind: 'crawl',
    target: source.url,
    note: `depth ${source.depth}, up to ${source.max_pages} pages`,
  };
}

const digestOf = (draft: TopicDraft, sources: PlannedSource[]): string => {
  const resolved = sources.map(({ source, git, local }) => [
    source,
    git?.commit ?? local?.fingerprint ?? null,
  ]);
  return contentItem('', { ...draft, sources: resolved }).digest;
};
