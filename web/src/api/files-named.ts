import { useOperation } from './use.ts';

/** What a person types who knows a file: part of a path, nothing that means something in a pattern. */
const pathLike = /^[\w.@/-]{2,}$/;

const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** How near a name is: the whole name, its beginning, or somewhere; then the shorter path. */
function nearness(path: string, wanted: string): number {
  const name = base(path).toLowerCase();
  const place = name === wanted || name.startsWith(`${wanted}.`) ? 0 : name.startsWith(wanted) ? 1 : 2;
  return place * 10_000 + path.length;
}

/** Files whose name or path holds what was typed, the nearest first. */
export function useFilesNamed(query: string, limit: number): string[] {
  const asked = pathLike.test(query);
  const found = useOperation(
    'list_files',
    { pattern: `**/*${query}*`, max_tokens: 20_000 },
    { enabled: asked, calm: true },
  );
  if (!asked) return [];
  const wanted = base(query).toLowerCase();
  return (found.data?.files ?? [])
    .map(({ path }) => path)
    .toSorted((a, b) => nearness(a, wanted) - nearness(b, wanted))
    .slice(0, limit);
}
