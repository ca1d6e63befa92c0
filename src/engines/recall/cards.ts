import { redact } from '../../base/redact.ts';
import { termsOf } from '../../base/text/index.ts';
import type { FoundPassage } from './candidates.ts';
import type { RecallQuery } from './query.ts';
import type { Ranked } from './rank.ts';
import { reasonOf } from './scorer.ts';
import type { Card, RecallSource } from './source.ts';

export interface CardRequest {
  query: RecallQuery;
  source: RecallSource;
  /** How many lines of text a card may show. */
  lines: number;
  explain: boolean;
  /** How rare each word of the question is; the share of what is found weighs by it. */
  rarity: (word: string) => number;
}

export async function cardOf(ranked: Ranked, request: CardRequest): Promise<Card> {
  const { query, source } = request;
  const best = ranked.passages[0];
  const text = best || ranked.letter > 0 ? await source.text(ranked.owner) : undefined;
  const read = text === undefined ? undefined : readText(text);
  const place = read && placeIn(read, best, request);
  const relevance = relevanceOf(ranked, request, read);
  const file = source.domain === 'code';
  return {
    ref: source.ref(ranked.owner),
    domain: ranked.domain,
    title: best && best.title !== ranked.owner ? best.title : ranked.owner,
    path: file ? ranked.owner : undefined,
    lines: place ? `${place.startLine}-${place.endLine}` : undefined,
    heading: best && best.heading.length > 0 ? best.heading.join(' › ') : undefined,
    snippet: place?.snippet ? place.snippet : undefined,
    score: Math.round(ranked.score * 1000) / 1000,
    relevance: Math.round(relevance * 100) / 100,
    reason: letterReason(ranked, query) ?? reasonOf(ranked.parts),
    detail: await source.detail?.(ranked.owner),
    trust: source.trust,
    ...(await source.standing?.(ranked.owner)),
    updated: ranked.updated > 0 ? new Date(ranked.updated).toISOString().slice(0, 10) : undefined,
    parts: request.explain ? ranked.parts : undefined,
  };
}

function letterReason(ranked: Ranked, query: RecallQuery): string | undefined {
  if (ranked.letter === 0) return undefined;
  if (query.kind === 'path')
    return ranked.letter === 2 ? 'this is the path asked for' : 'its path contains what was asked for';
  if (query.kind === 'exact') return 'it contains exactly this text';
  return ranked.letter === 2 ? 'it defines this name' : 'it contains this name';
}

interface ReadText {
  lines: string[];
  /** The words of one line; a line is read once however often it is asked for. */
  termsOn(line: string): string[];
}

function readText(text: string): ReadText {
  const known = new Map<string, string[]>();
  return {
    lines: text.replace(/\r\n?/g, '\n').split('\n'),
    termsOn: (line) => {
      const terms = known.get(line) ?? [...new Set(termsOf(line))];
      known.set(line, terms);
      return terms;
    },
  };
}

/** The lines of the passage that hold most of the question's words; an exact text wins over all. */
function placeIn(
  { lines: all, termsOn }: ReadText,
  best: FoundPassage | undefined,
  { query, lines: wanted, rarity }: CardRequest,
): { startLine: number; endLine: number; snippet: string } {
  const needle = query.exact[0];
  const at = needle ? lineWith(all, needle) : -1;
  const from = at >= 0 ? Math.max(0, at - 1) : (best?.startLine ?? 1) - 1;
  const to = at >= 0 ? Math.min(all.length, at + wanted) : Math.min(all.length, best?.endLine ?? wanted);
  const asked = new Set(termsOf(query.text));
  const values = all.slice(from, to).map((line) => {
    let value = 0;
    for (const term of termsOn(line)) if (asked.has(term)) value += rarity(term);
    return value;
  });
  let bestStart = 0;
  let bestValue = -1;
  for (let start = 0; start + Math.min(wanted, values.length) <= values.length; start++) {
    let value = 0;
    for (let line = start; line < Math.min(start + wanted, values.length); line++) value += values[line] ?? 0;
    if (value > bestValue + 1e-9) {
      bestValue = value;
      bestStart = start;
    }
  }
  const shown = all.slice(from + bestStart, Math.min(from + bestStart + wanted, to));
  return {
    startLine: best ? best.startLine : from + 1,
    endLine: best ? best.endLine : to,
    snippet: trimSnippet(shown),
  };
}

const lineWith = (lines: string[], needle: string): number =>
  lines.findIndex((line) => line.includes(needle));

const longestLine = 160;

function trimSnippet(lines: string[]): string {
  const kept = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...kept.map((line) => line.length - line.trimStart().length), 40);
  return redact(kept.join('\n'))
    .split('\n')
    .map((line) => line.slice(indent).replace(/\s+$/, ''))
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line))
    .join('\n');
}

/** Similarities below the floor are noise; the ceiling is what a paraphrase of the same thing reaches. */
const floor = 0.18;
const ceiling = 0.62;

function relevanceOf(ranked: Ranked, { query, rarity }: CardRequest, text: ReadText | undefined): number {
  if (ranked.letter > 0) return 1;
  const asked = [...new Set(termsOf(query.text))];
  const total = asked.reduce((sum, word) => sum + rarity(word), 0);
  let covered = 0;
  if (text !== undefined && total > 0) {
    const best = ranked.passages[0];
    const body = best
      ? text.lines.slice(best.startLine - 1, best.endLine)
      : text.lines.join('\n').slice(0, 4000).split('\n');
    const there = new Set(termsOf(`${ranked.owner} ${best?.heading.join(' ') ?? ''}`));
    for (const line of body) for (const term of text.termsOn(line)) there.add(term);
    covered = asked.reduce((sum, word) => sum + (there.has(word) ? rarity(word) : 0), 0) / total;
  }
  const similarity = Math.max(0, ...ranked.passages.map((passage) => passage.similarity));
  return relevanceFrom(covered, similarity);
}

/** 0 … 1, from the share of the question's words that a text has and from the cosine of their meanings. */
export function relevanceFrom(covered: number, similarity: number): number {
  const meant = Math.min(1, Math.max(0, (similarity - floor) / (ceiling - floor)));
  return Math.min(1, Math.max(covered, meant, 0.6 * covered + 0.6 * meant));
}
