import { isBuiltin } from 'node:module';
import { once } from '../../../base/once.ts';
import { languageTables } from '../tools/languages.ts';

export type ImportGroup = 'react' | 'builtin' | 'external' | 'internal' | 'relative' | 'styles';

const pythonStandard = once(() => new Set(languageTables().standard_modules.python.split(/\s+/)));

/** The group of an import. `own` are the names under which the project imports itself. */
export const groupOf = (from: string, language: string, own: Set<string>): ImportGroup =>
  (byLanguage[language] ?? scriptGroup)(from, own);

const byLanguage: Record<string, (from: string, own: Set<string>) => ImportGroup> = {
  python: (from, own) => {
    if (from.startsWith('.')) return 'relative';
    const top = from.replace(/\..*/s, '');
    if (own.has(top)) return 'internal';
    return pythonStandard().has(top) ? 'builtin' : 'external';
  },
  go: (from, own) => {
    if ([...own].some((module) => from === module || from.startsWith(`${module}/`))) return 'internal';
    return /^[^/]*\./.test(from) ? 'external' : 'builtin';
  },
  rust: (from) => {
    if (/^(std|core|alloc)(::|$)/.test(from)) return 'builtin';
    return /^(crate|self|super)(::|$)/.test(from) ? 'internal' : 'external';
  },
};

function scriptGroup(from: string, own: Set<string>): ImportGroup {
  if (/\.(css|scss|sass|less)$/.test(from)) return 'styles';
  if (from.startsWith('.')) return 'relative';
  if (/^react(-dom|-native)?(\/|$)/.test(from)) return 'react';
  if (from.startsWith('node:') || isBuiltin(from)) return 'builtin';
  const name = /^(?:@[^/]*\/)?[^/]*/.exec(from)?.[0] ?? from;
  return /^(@\/|~\/|#|src\/)/.test(from) || own.has(name) ? 'internal' : 'external';
}

/** Pairs `a<b`: group a comes before group b in this file. */
export function orderPairs(groups: ImportGroup[]): string[] {
  const places = new Map<ImportGroup, number[]>();
  for (const [at, group] of groups.entries()) places.set(group, [...(places.get(group) ?? []), at]);
  const mean = (list: number[]) => list.reduce((sum, at) => sum + at, 0) / list.length;
  const pairs: string[] = [];
  for (const [a, left] of places)
    for (const [b, right] of places) if (a !== b && mean(left) < mean(right)) pairs.push(`${a}<${b}`);
  return pairs;
}

/** The order of most files: a group moves up for every file in which it comes before another. */
export function mergedOrder(pairs: Record<string, number>): ImportGroup[] {
  const groups = [...new Set(Object.keys(pairs).flatMap((pair) => pair.split('<')))] as ImportGroup[];
  const before = (a: string, b: string) => (pairs[`${a}<${b}`] ?? 0) - (pairs[`${b}<${a}`] ?? 0);
  const usual = ['react', 'builtin', 'external', 'internal', 'relative', 'styles'];
  const wins = (group: string) =>
    groups.filter((other) => other !== group && before(group, other) > 0).length;
  return groups.sort((a, b) => wins(b) - wins(a) || before(b, a) || usual.indexOf(a) - usual.indexOf(b));
}
