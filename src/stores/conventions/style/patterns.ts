import { once } from '../../../base/once.ts';
import type { Facts } from '../../../base/syntax/index.ts';
import { table } from '../data.ts';
import { lineOf } from '../places.ts';
import { count, type Tally } from './tally.ts';

export type CodePatterns = Record<string, Array<[aspect: string, value: string, pattern: string]>>;

const codePatterns = table<CodePatterns>('code-patterns');
const compiled = once(
  () =>
    new Map(
      Object.entries(codePatterns()).map(([language, rows]) => [
        language,
        rows.map(([aspect, value, pattern]) => ({ aspect, value, pattern: new RegExp(pattern, 'gm') })),
      ]),
    ),
);

/** JavaScript is searched for the same patterns as TypeScript. */
const patternsOf = (language: string) =>
  compiled().get(language === 'tsx' || language === 'javascript' ? 'typescript' : language) ?? [];

export function tallyPatterns(text: string, language: string, facts: Facts, tally: Tally): void {
  for (const { aspect, value, pattern } of patternsOf(language)) {
    const matches = [...text.matchAll(pattern)];
    const [first] = matches;
    if (!first) continue;
    const start = first.index + first[0].length - first[0].trimStart().length;
    count(tally, `patterns.${aspect}`, value, lineOf(text, start), matches.length);
  }
  if (language !== 'tsx' && language !== 'javascript') return;
  for (const definition of facts.definitions) {
    if (definition.parent !== -1 || !/^[A-Z][a-z]/.test(definition.name)) continue;
    const body = text.slice(definition.start, definition.end);
    if (definition.kind === 'class' && /extends\s+(React\.)?(Pure)?Component\b/.test(body)) {
      count(tally, 'patterns.component_style', 'class', definition.line);
      count(tally, 'naming.components', 'PascalCase', definition.line);
    } else if (definition.kind === 'function' && /<[A-Za-z>]/.test(body)) {
      count(tally, 'patterns.component_style', 'functional', definition.line);
      count(tally, 'naming.components', 'PascalCase', definition.line);
    }
  }
}
