import { idOf, isRefOf } from '../base/ref.ts';
import type { AskOptions, FoundCard, Judged } from '../engines/answers/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import { wordsOf } from './own-entries.ts';

/** More would push what answers the question out of sight. */
const most = 2;
/** Below this share of the question's words a dispute is about something else. */
const leastShare = 0.5;
/** A single word that is the subject of a dispute needs less. */
const leastShareOfSubject = 0.3;

/**
 * Entries that the code refutes about the very thing that is asked for. Recall may find better places and leave them out;
 * whoever asks has to hear of them all the same, because others do without the warning.
 */
export async function disputedEntries(
  { graph, memory }: { graph: () => Promise<Graph>; memory: () => Promise<Memory> },
  text: string,
  { session = '', domains, path }: AskOptions,
): Promise<FoundCard[]> {
  if (path || (domains && !domains.includes('chronicle'))) return [];
  const open = await (await graph()).conflicts({ unresolved: true, kind: 'source_mismatch' });
  const shares = new Map<string, number>();
  for (const conflict of open) {
    if (!isRefOf(conflict.left, 'entry')) continue;
    const share = shareOf(text, conflict);
    if (share > 0) shares.set(conflict.left, Math.max(share, shares.get(conflict.left) ?? 0));
  }
  if (shares.size === 0) return [];
  const best = [...shares].sort(([, one], [, other]) => other - one);
  const { chronicle } = await memory();
  const ids = best.map(([ref]) => idOf(ref));
  const seen = await chronicle.standing.several({ session_id: session, sees_all: false }, ids);
  return best
    .flatMap(([ref]) => {
      const entry = seen.get(idOf(ref));
      return entry ? [{ entry, ref }] : [];
    })
    .slice(0, most)
    .map(({ entry, ref }) => ({
      ref,
      domain: 'chronicle',
      title: entry.title,
      snippet: entry.content.slice(0, 400),
      // It is about what is asked for: how many words they share only says which dispute is nearer.
      relevance: 1,
      reason: `${entry.category} about this that the code refutes`,
      updated: entry.updated_at,
    }));
}

/** Those that recall found stay in their places, and count for as much as the question is about them. */
export function withDisputed(cards: FoundCard[], disputed: FoundCard[]): FoundCard[] {
  const about = new Map(disputed.map((card) => [card.ref, card]));
  const found = cards.map((card) => ({
    ...card,
    relevance: Math.max(card.relevance, about.get(card.ref)?.relevance ?? 0),
  }));
  const known = new Set(cards.map(({ ref }) => ref));
  return [...found, ...disputed.filter(({ ref }) => !known.has(ref))];
}

/** The same for an answer that was composed elsewhere. */
export function toldDisputed(found: Judged, disputed: FoundCard[]): Judged {
  const known = new Set(found.citations.map(({ ref }) => ref));
  const more = disputed
    .filter(({ ref }) => !known.has(ref))
    .map(({ title, ...card }, at) => ({ ...card, place: title, n: found.citations.length + at + 1 }));
  if (more.length === 0) return found;
  const lines = more.map(({ n, place, reason }) => `[${n}] ${place} — ${reason}`);
  return {
    answer: [found.answer, '── what is remembered about it', ...lines].join('\n'),
    citations: [...found.citations, ...more],
  };
}

/** A dispute about something else that mentions the thing comes after those about it. */
const onlyMentioned = 0.9;

/** 1 where the question names what is disputed, less where it only shares words with it, 0 where it is about something else. */
function shareOf(text: string, { subject, detail }: { subject: string; detail: string }): number {
  const tokens = [...text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?:[.-][\p{L}\p{N}_$]+)*/gu)];
  const told = new Set(detail.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const names = tokens.filter(({ 0: token, index }) => isName(token, index)).map(([token]) => token);
  // Who names a thing asks about that thing: what else has its words in a path is another matter.
  if (names.some((name) => subject === name.toLowerCase())) return 1;
  if (names.length > 0) return names.some((name) => told.has(name)) ? onlyMentioned : 0;
  const asked = wordsOf(text);
  if (asked.size === 0) return 0;
  const there = wordsOf(detail.replace(/\S*\/\S*/g, ' '));
  const share = [...asked].filter((word) => there.has(word)).length / asked.size;
  const isSubject = tokens.some(([token]) => token.toLowerCase() === subject);
  return share >= (isSubject ? leastShareOfSubject : leastShare) ? share : 0;
}

/** Written like a name of the code: `parse_url`, `parseUrl`, `Timeout` within a sentence. */
const isName = (token: string, at: number): boolean =>
  /[_$\d]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}/u.test(token) || (at > 0 && /^\p{Lu}/u.test(token));
