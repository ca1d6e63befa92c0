import { links, resultLink } from '../links.ts';
import type { Output } from './client.ts';
import { useOperation } from './use.ts';

type Group = Output<'search_all'>['results'][number];

/** One thing of each kind, as people call it. */
export const kindOfDomain: Record<string, string> = {
  ...{ code: 'file', commits: 'commit', chronicle: 'memory', references: 'reference' },
  ...{ work: 'task', areas: 'area', skills: 'skill' },
};

export interface Hit {
  key: string;
  ref: string;
  domain: string;
  title: string;
  lines: string;
  snippet: string;
  relevance: number;
  reason: string;
  /** What to be warned of; empty where nothing is. */
  warning: string;
  to: string;
}

const hitsOf = (group: Group): Hit[] =>
  group.results.map((result) => ({
    key: result.ref + (result.lines ?? ''),
    ref: result.ref,
    domain: group.domain,
    title: result.title,
    lines: result.lines ?? '',
    snippet: result.snippet ?? '',
    relevance: result.relevance,
    reason: result.reason,
    warning: result.warning ?? '',
    to: resultLink(result),
  }));

/**
 * Everything that is kept in this repository, the shelf of references, which belongs to the person, and the memory of
 * every session, which only the person sees whole.
 */
export function useEverywhere(query: string, limit: number, within = '') {
  const asked = query !== '';
  const own = useOperation(
    'search_all',
    { query, limit_per_domain: limit, ...(within ? { domains: [within] } : {}) },
    { enabled: asked && within !== 'references' && within !== 'chronicle' },
  );
  const shelf = useOperation(
    'reference_search',
    { question: query, limit: Math.min(limit, 20) },
    { enabled: asked && (within === '' || within === 'references') },
  );
  const memory = useOperation(
    'search_history',
    { query, cross_session: true, limit },
    { enabled: asked && (within === '' || within === 'chronicle') },
  );
  const groups = (own.data?.results ?? [])
    .filter(({ domain }) => domain !== 'references' && domain !== 'chronicle')
    .map((group) => ({ domain: group.domain, total: group.total, hits: hitsOf(group) }));
  const remembered = (memory.data?.entries ?? []).map(
    (entry): Hit => ({
      key: entry.id,
      ref: `entry:${entry.id}`,
      domain: 'chronicle',
      title: entry.title || entry.content.slice(0, 80),
      lines: '',
      snippet: entry.content,
      relevance: Math.min(1, entry.score),
      reason: `${entry.category.replaceAll('_', ' ')}, ${Math.round(entry.confidence * 100)} % sure, from ${entry.source || entry.source_kind}`,
      warning: entry.needs_review ? 'unverified, needs review' : '',
      to: links.entry(entry.id),
    }),
  );
  const read = (shelf.data?.results ?? []).map(
    (hit): Hit => ({
      key: `${hit.topic_id}/${hit.file}:${hit.start_line}`,
      ref: `topic:${hit.topic_id}`,
      domain: 'references',
      title: hit.heading ? `${hit.topic}: ${hit.heading}` : hit.topic,
      lines: '',
      snippet: hit.text,
      relevance: Math.min(1, hit.score),
      reason: `${hit.file}:${hit.start_line}, trust ${hit.trust}`,
      warning: hit.stale_since ? 'stale' : '',
      to: links.topic(hit.topic_id),
    }),
  );
  return {
    groups: [
      { domain: 'chronicle', total: memory.data?.total ?? 0, hits: remembered },
      ...groups,
      { domain: 'references', total: read.length, hits: read },
    ].filter(({ hits }) => hits.length > 0),
    notes: [own.data?.hint ?? [], own.data?.notes ?? []].flat(),
    error: own.error ?? shelf.error ?? memory.error,
    loading: own.isLoading || shelf.isLoading || memory.isLoading,
    fetching: own.isFetching || shelf.isFetching || memory.isFetching,
  };
}
