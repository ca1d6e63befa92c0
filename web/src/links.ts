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
  work: (id: string) => `/work?${query({ id })}`,
  area: (id: string) => `/areas?${query({ id })}`,
  topic: (id: string) => `/references?${query({ id })}`,
  skill: (id: string) => `/skills?${query({ id })}`,
  entry: (id: string) => `/memory?${query({ id })}`,
  session: (session: string) => `/memory?${query({ session })}`,
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
