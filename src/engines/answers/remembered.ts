import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { isStopWord, searchWords, splitWords } from '../../base/text/index.ts';
import { type Entry, textOfEntry } from '../../stores/chronicle/index.ts';
import { type FoundCard, sightOf, type Viewer } from './answer.ts';
import type { AnswersContext } from './context.ts';

/** Entries that a question adds to what recall found; more would push the answer out of sight. */
const mostOwn = 3;
const mostDisputed = 2;
/** An entry that shares fewer of the question's words is about something else. */
const leastShare = 0.5;
/** A question of one word that is the subject of a dispute needs less. */
const leastShareOfSubject = 0.3;
/** A dispute about something else that mentions the thing ranks below those about it. */
const mentionedOnly = 0.9;

interface Scope {
  viewer: Viewer;
  domains?: string[];
  path?: string;
}

const excludesEntries = ({ domains, path }: Scope): boolean =>
  path !== undefined || (domains !== undefined && !domains.includes('chronicle'));

const cardOf = (entry: Entry, relevance: number, reason: string): FoundCard => ({
  ref: refOf('entry', entry.id),
  domain: 'chronicle',
  title: entry.title,
  snippet: entry.content.slice(0, 400),
  relevance,
  reason: `${entry.category} ${reason}`,
  updated: entry.updated_at,
});

/** Entries of the asking session, and for a person those of every session. They are not shared, so recall does not have them. */
export async function ownEntries(
  { memory }: AnswersContext,
  text: string,
  scope: Scope,
): Promise<FoundCard[]> {
  const { session_id, sees_all } = sightOf(scope.viewer);
  const asked = wordsOf(text);
  if (asked.size === 0 || excludesEntries(scope)) return [];
  const { chronicle } = await memory();
  const entries = await chronicle.find({ session_id, sees_all }, { text, limit: mostOwn * 2 });
  return entries
    .filter((entry) => !entry.promoted && (sees_all || entry.session_id === session_id))
    .map((entry) => ({ entry, share: shareIn(textOfEntry(entry), asked) }))
    .filter(({ share }) => share >= leastShare)
    .slice(0, mostOwn)
    .map(({ entry, share }) =>
      cardOf(entry, share, entry.session_id === session_id ? 'of this session' : 'of another session'),
    );
}

/**
 * Entries about the subject of the question that the code refutes. Recall may rank other places above them; the answer
 * has to show them all the same, because elsewhere they appear without the warning.
 */
export async function disputedEntries(
  { graph, memory }: AnswersContext,
  text: string,
  scope: Scope,
): Promise<FoundCard[]> {
  if (excludesEntries(scope)) return [];
  const open = await (await graph()).conflicts({ unresolved: true, kind: 'source_mismatch' });
  const shares = new Map<string, number>();
  for (const conflict of open) {
    if (!isRefOf(conflict.left, 'entry')) continue;
    const share = disputeShare(text, conflict);
    if (share > 0) shares.set(conflict.left, Math.max(share, shares.get(conflict.left) ?? 0));
  }
  if (shares.size === 0) return [];
  const ids = [...shares].sort(([, one], [, other]) => other - one).map(([ref]) => idOf(ref));
  const { chronicle } = await memory();
  const visible = await chronicle.standing.several(sightOf(scope.viewer), ids);
  return ids
    .flatMap((id) => visible.get(id) ?? [])
    .slice(0, mostDisputed)
    .map((entry) => cardOf(entry, 1, 'about this that the code refutes'));
}

/** Cards that recall found keep their places, with the relevance of the dispute; the others come last. */
export function withDisputed(cards: FoundCard[], disputed: FoundCard[]): FoundCard[] {
  const disputedByRef = new Map(disputed.map((card) => [card.ref, card]));
  const refs = new Set(cards.map(({ ref }) => ref));
  return [
    ...cards.map((card) => ({
      ...card,
      relevance: Math.max(card.relevance, disputedByRef.get(card.ref)?.relevance ?? 0),
    })),
    ...disputed.filter(({ ref }) => !refs.has(ref)),
  ];
}

/** 1 where the question names what is disputed, less where it shares words with it, 0 where it is about something else. */
function disputeShare(text: string, { subject, detail }: { subject: string; detail: string }): number {
  const tokens = [...text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?:[.-][\p{L}\p{N}_$]+)*/gu)];
  const names = tokens.filter(({ 0: token, index }) => isName(token, index)).map(([token]) => token);
  // A question that names a thing is about that thing, not about others that have its words in a path.
  if (names.some((name) => subject === name.toLowerCase())) return 1;
  const detailNames = new Set(detail.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  if (names.length > 0) return names.some((name) => detailNames.has(name)) ? mentionedOnly : 0;
  const asked = wordsOf(text);
  if (asked.size === 0) return 0;
  const share = shareIn(detail.replace(/\S*\/\S*/g, ' '), asked);
  const isSubject = tokens.some(([token]) => token.toLowerCase() === subject);
  return share >= (isSubject ? leastShareOfSubject : leastShare) ? share : 0;
}

/** Written like a name of the code: `parse_url`, `parseUrl`, `Timeout` within a sentence. */
const isName = (token: string, at: number): boolean =>
  /[_$\d]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}/u.test(token) || (at > 0 && /^\p{Lu}/u.test(token));

/** Whether a text has a word of the subject. Every text is about no subject. */
export function isAbout(text: string, subject: string): boolean {
  const words = wordsOf(subject);
  return words.size === 0 || shareIn(text, words) > 0;
}

/** Whether a text has every word of the subject. */
export function hasAll(text: string, subject: string): boolean {
  const words = wordsOf(subject);
  return words.size > 0 && shareIn(text, words) === 1;
}

function shareIn(text: string, asked: ReadonlySet<string>): number {
  const words = wordsOf(text);
  return [...asked].filter((word) => words.has(word)).length / asked.size;
}

/** The words of a text that say what it is about. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    searchWords(
      splitWords(text)
        .filter((word) => !isStopWord(word))
        .join(' '),
    ),
  );
