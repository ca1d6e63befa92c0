import type { ReferencesContext } from './context.ts';
import knownSources from './known-sources.json' with { type: 'json' };
import { topicOf } from './query.ts';
import type { TopicRow } from './tables.ts';

/** A source of material, and its rate limit. */
export interface AcademicSource {
  id: string;
  name: string;
  base_url: string;
  api_endpoint: string | null;
  /**
   * Requests allowed without a login, as far as documented (2026). A wrong rate only waits longer than needed, or
   * is refused by the host.
   */
  rate_limit_per_min: number | null;
  requires_auth: boolean;
  last_crawled_at: string | null;
}

/** Delay between two pages of a host, only for hosts with a documented rate. */
export function pauseBetween(url: string): number {
  const rate = knownSources.find(({ base_url }) => base_url === URL.parse(url)?.origin)?.rate_limit_per_min;
  return rate ? Math.ceil(60_000 / rate) : 0;
}

/** Active topics before obsolete ones, each group most recently fetched first. */
const topicRows = ({ shelf, index }: ReferencesContext): TopicRow[] =>
  shelf.exists()
    ? index().sqlite.all<TopicRow>(
        "SELECT * FROM reference_topics ORDER BY (status = 'obsolete'), fetched_at DESC",
      )
    : [];

/** Origins of the topics, most recently fetched first, and other known places. */
export function listSources(context: ReferencesContext): AcademicSource[] {
  if (!context.shelf.exists()) return [];
  const crawled = new Map<string, string>();
  for (const { sources, fetched_at } of topicRows(context).map(topicOf))
    for (const source of sources) {
      const origin = source.type === 'local' ? undefined : URL.parse(source.url)?.origin;
      if (origin && origin !== 'null' && fetched_at > (crawled.get(origin) ?? ''))
        crawled.set(origin, fetched_at);
    }
  const others = [...crawled.keys()].filter(
    (origin) => !knownSources.some(({ base_url }) => base_url === origin),
  );
  return [...knownSources, ...others.map(unknownSource)]
    .map((source) => ({ ...source, last_crawled_at: crawled.get(source.base_url) ?? null }))
    .sort(
      (a, b) =>
        (b.last_crawled_at ?? '').localeCompare(a.last_crawled_at ?? '') || (a.name < b.name ? -1 : 1),
    );
}

const unknownSource = (base_url: string) => {
  const { host } = new URL(base_url);
  return {
    id: host,
    name: host,
    base_url,
    api_endpoint: null,
    rate_limit_per_min: null,
    requires_auth: false,
  };
};

export interface LibraryDocs {
  library: string;
  topic_id: string;
  title: string;
  library_version: string;
  fetched_at: string;
}

/** The topic that documents a library: of several, the last fetched. */
export function libraryDocs(context: ReferencesContext, wanted?: string): LibraryDocs[] {
  const documented = new Map<string, LibraryDocs>();
  for (const row of topicRows(context)) {
    const { id, title, library, library_version = '', fetched_at } = topicOf(row);
    if (library && row.status !== 'obsolete' && !documented.has(library))
      documented.set(library, { library, topic_id: id, title, library_version, fetched_at });
  }
  return [...documented.values()]
    .filter(({ library }) => wanted === undefined || library === wanted)
    .sort((a, b) => (a.library < b.library ? -1 : 1));
}
