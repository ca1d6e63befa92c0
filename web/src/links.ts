const query = (values: Record<string, string | number | undefined>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();

/** Paths go into the query: an address that ends in `.js` would be asked for as a file of the dashboard. */
export const links = {
  artifact: (path: string, at: { line?: number | undefined; ref?: string | undefined } = {}) =>
    `/artifact?${query({ path, ...at })}`,
  commit: (sha: string) => `/commit?${query({ sha })}`,
  run: (id: string, node?: string, after?: number) => `/runs?${query({ id, node, after })}`,
  work: (id: string) => `/work?${query({ id })}`,
  area: (id: string, project?: string) => `/areas?${query({ id, project })}`,
  topic: (id: string) => `/references?${query({ id })}`,
  skill: (id: string) => `/skills?${query({ id })}`,
  entry: (id: string) => `/memory?${query({ id })}`,
  session: (session: string) => `/memory?${query({ session })}`,
  graph: (ref: string) => `/graph?${query({ ref })}`,
  whole: (at: { folder: string; every?: boolean; list?: boolean }) =>
    `/graph?${query({ whole: '1', folder: at.folder, every: at.every ? 1 : undefined, view: at.list ? 'list' : undefined })}`,
  ask: (q: string) => `/ask?${query({ q })}`,
  search: (q: string, within?: string) => `/search?${query({ q, in: within })}`,
};

/** Where a search result leads: `path:line` for code, else the page of its kind. */
export function resultLink(result: { ref: string; domain: string; path?: string; lines?: string }): string {
  const id = result.ref.slice(result.ref.indexOf(':') + 1);
  switch (result.domain) {
    case 'commits':
      return links.commit(id);
    case 'chronicle':
      return links.entry(id);
    case 'work':
      return links.work(id);
    case 'areas':
      return links.area(id);
    case 'skills':
      return links.skill(id);
    case 'references':
      return links.topic(id.split('/')[0] ?? id);
    default:
      return links.artifact(result.path ?? id, {
        line: Number.parseInt(result.lines ?? '', 10) || undefined,
      });
  }
}

/** A path as refs write it: what cannot stand in one line is escaped. */
const pathIn = (id: string): string =>
  id.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

/** The page of anything that has a ref. */
export function refLink(ref: string): string {
  const kind = ref.slice(0, Math.max(0, ref.indexOf(':')));
  const id = ref.slice(ref.indexOf(':') + 1);
  switch (kind) {
    case 'file':
      return links.artifact(pathIn(id));
    case 'symbol':
      return links.artifact(pathIn(id.split('#')[0] ?? id));
    case 'commit':
      return links.commit(id);
    case 'atom':
    case 'molecule':
      return links.area(id);
    case 'entry':
      return links.entry(id);
    case 'task':
    case 'feature':
    case 'project':
      return links.work(id);
    case 'topic':
      return links.topic(id);
    case 'skill':
      return links.skill(id);
    default:
      return links.search(id);
  }
}
