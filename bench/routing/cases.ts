import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchWords } from '../../src/base/text/index.ts';

/** The first messages, written and split before the router. All of them are development material by now. */
export const splits = ['train', 'dev', 'held-out'] as const;
/**
 * `practice` is what was written later to learn from, `strangers` judged once and are learned from since; `fresh` is what
 * judges, and nobody who works on the router reads it.
 */
export type CaseFile = (typeof splits)[number] | 'practice' | 'strangers' | 'fresh';

export interface RoutingCase {
  target: string;
  intent: string;
  verb: string;
  /** Rewritten from a public question, written for this purpose, or the voice or address of a later one. */
  source: string;
  text: string;
}

export interface SeedCase {
  target: string;
  intent: string;
  verb: string;
  subject: string;
  time_scope: string;
  phase: string;
  text: string;
}

const directory = join(import.meta.dirname, '..', '..', 'fixtures', 'routing');

function readTable<T>(name: string): T[] {
  const [head = '', ...rows] = readFileSync(join(directory, `${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n');
  const columns = head.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) as T;
  });
}

export const readCases = (file: CaseFile): RoutingCase[] => readTable<RoutingCase>(file);

/** The examples that the design document itself gives. */
export const readSeedCases = (): SeedCase[] => readTable<SeedCase>('seed');

/** A question is told apart by its intent, everything else by its verb. */
export const laneOf = ({ target, intent, verb }: Pick<RoutingCase, 'target' | 'intent' | 'verb'>): string =>
  target === 'archivalist' && verb !== 'recall' ? `${target} ${verb}` : `${target} ${intent}`;

export interface Repeat {
  left: string;
  right: string;
  likeness: number;
}

/** Pairs that say the same: equal but for case and punctuation, or nearly all stems shared. Within one list, or across two. */
export function repeats(cases: Array<{ text: string }>, others?: Array<{ text: string }>): Repeat[] {
  const read = ({ text }: { text: string }) => ({
    text,
    plain: plain(text),
    stems: new Set(searchWords(text)),
  });
  const right = others?.map(read);
  return cases.map(read).flatMap((left, at, all) =>
    (right ?? all.slice(at + 1))
      .map((other) => ({
        left: left.text,
        right: other.text,
        likeness: left.plain === other.plain ? 1 : overlap(left.stems, other.stems),
      }))
      .filter(({ likeness }) => likeness >= 0.8),
  );
}

const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

function overlap(left: Set<string>, right: Set<string>): number {
  if (left.size < 3 || right.size < 3) return 0;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared);
}
