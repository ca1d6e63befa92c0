import type { Sqlite } from '../../base/sqlite/index.ts';
import { topicOf } from './query.ts';
import type { TopicRow } from './tables.ts';

/** A place that material comes from, and how it wants to be asked. */
export interface AcademicSource {
  id: string;
  name: string;
  base_url: string;
  api_endpoint: string | null;
  rate_limit_per_min: number | null;
  requires_auth: boolean;
  last_crawled_at: string | null;
}

type Known = Omit<AcademicSource, 'last_crawled_at'>;

/** How often these places may be asked without a login, as far as is known (2026); a wrong rate only waits longer than needed or is refused by the place. */
export const knownSources: Known[] = [
  known('arxiv', 'arXiv', 'https://arxiv.org', 'https://export.arxiv.org/api/query', 20),
  known('github', 'GitHub', 'https://github.com', 'https://api.github.com', 60),
  known('rfc-editor', 'RFC Editor', 'https://www.rfc-editor.org', null, 60),
  known(
    'stack-overflow',
    'Stack Overflow',
    'https://stackoverflow.com',
    'https://api.stackexchange.com/2.3',
    30,
  ),
  known(
    'semantic-scholar',
    'Semantic Scholar',
    'https://www.semanticscholar.org',
    'https://api.semanticscholar.org/graph/v1',
    60,
  ),
  known('crossref', 'Crossref', 'https://www.crossref.org', 'https://api.crossref.org/works', 60),
  known(
    'ieee',
    'IEEE Xplore',
    'https://ieeexplore.ieee.org',
    'https://ieeexploreapi.ieee.org/api/v1',
    10,
    true,
  ),
];

function known(
  id: string,
  name: string,
  base_url: string,
  api_endpoint: string | null,
  rate_limit_per_min: number,
  requires_auth = false,
): Known {
  return { id, name, base_url, api_endpoint, rate_limit_per_min, requires_auth };
}

/** How long to wait between two pages of a host: only places that name a rate ask for one. */
export function pauseBetween(url: string): number {
  const rate = knownSources.find(({ base_url }) => base_url === URL.parse(url)?.origin)?.rate_limit_per_min;
  return rate ? Math.ceil(60_000 / rate) : 0;
}

/** Where the topics came from and which libraries they document, made anew from the topics themselves. */
export function writeCatalogue(sqlite: Sqlite): void {
  const topics = sqlite.all<TopicRow>(
    "SELECT * FROM reference_topics ORDER BY (status = 'obsolete'), fetched_at DESC",
  );
  const crawled = new Map<string, string>();
  const libraries = new Map<string, string>();
  for (const row of topics) {
    const topic = topicOf(row);
    for (const source of topic.sources) {
      const origin = source.type === 'local' ? undefined : URL.parse(source.url)?.origin;
      if (!origin || origin === 'null') continue;
      if (topic.fetched_at > (crawled.get(origin) ?? '')) crawled.set(origin, topic.fetched_at);
    }
    if (topic.library && row.status !== 'obsolete' && !libraries.has(topic.library))
      libraries.set(topic.library, row.id);
  }
  sqlite.write(() => {
    sqlite.exec('DELETE FROM academic_sources; DELETE FROM library_docs;');
    const others = [...crawled.keys()].filter(
      (origin) => !knownSources.some(({ base_url }) => base_url === origin),
    );
    for (const each of [...knownSources, ...others.map(unknownSource)])
      sqlite.run(
        'INSERT INTO academic_sources VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[each.id, each.name, each.base_url, each.api_endpoint, each.rate_limit_per_min],
        ...[each.requires_auth ? 1 : 0, crawled.get(each.base_url) ?? null],
      );
    for (const [library, topic] of libraries)
      sqlite.run('INSERT INTO library_docs VALUES (?, ?)', library, topic);
  });
}

const unknownSource = (base_url: string): Known => ({
  id: new URL(base_url).host,
  name: new URL(base_url).host,
  base_url,
  api_endpoint: null,
  rate_limit_per_min: null,
  requires_auth: false,
});

export const listSources = (sqlite: Sqlite): AcademicSource[] =>
  sqlite
    .all<Omit<AcademicSource, 'requires_auth'> & { requires_auth: number }>(
      'SELECT * FROM academic_sources ORDER BY last_crawled_at IS NULL, last_crawled_at DESC, name',
    )
    .map((row) => ({ ...row, requires_auth: row.requires_auth === 1 }));

export interface LibraryDocs {
  library: string;
  topic_id: string;
  title: string;
  library_version: string;
  fetched_at: string;
}

/** Which topic documents a library: of several the one that was fetched last. */
export const libraryDocs = (sqlite: Sqlite, library?: string): LibraryDocs[] =>
  sqlite
    .all<TopicRow & { library_path: string }>(
      `SELECT t.*, d.library_path FROM library_docs AS d JOIN reference_topics AS t ON t.id = d.doc_topic
       WHERE ?1 IS NULL OR d.library_path = ?1 ORDER BY d.library_path`,
      library ?? null,
    )
    .map((row) => ({
      library: row.library_path,
      topic_id: row.id,
      title: row.title,
      library_version: topicOf(row).library_version ?? '',
      fetched_at: row.fetched_at,
    }));
