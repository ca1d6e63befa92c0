import { fileRef } from '../../base/ref.ts';
import type { Citation, FoundCard, JudgedParts, Viewer } from './answer.ts';
import { citationLine, citationOf, conflictLine, warningLabel } from './compose.ts';
import type { AnswersContext } from './context.ts';
import { segmentsOf } from './mitigations/citations.ts';
import { qualityOf } from './mitigations/quality.ts';
import { referencesByQuality } from './order.ts';
import { disputedEntries, isAbout } from './remembered.ts';
import { lineOf, type Weighed, weighCards, withRecords } from './sources.ts';
import type { ComposedAnswer } from './specialists/compose.ts';

type Composed = Pick<ComposedAnswer, 'answer' | 'citations'>;

/**
 * Puts trust, freshness and conflicts on an answer that was composed without recall. Where the code refutes something, the
 * code that does comes first and everything is numbered anew. A cached answer is judged again: it may be refuted since.
 */
export async function judge(
  context: AnswersContext,
  composed: Composed,
  { text, subject }: { text: string; subject: string },
  viewer: Viewer,
): Promise<JudgedParts> {
  const answered = withDisputedLines(composed, await disputedEntries(context, text, { viewer }));
  const cards = answered.citations.map(cardOf);
  const { weighed, conflicts } = await weighCards(context, cards, viewer);
  const decisive = new Set(conflicts.flatMap(({ places }) => places.map(({ path }) => fileRef(path))));
  const leads = (item: Weighed, at: number) =>
    at >= cards.length || (item.card.domain === 'code' && decisive.has(item.card.ref));
  const lead = weighed.filter(leads);
  const all = [...lead, ...referencesByQuality(weighed.filter((item, at) => !leads(item, at)))];
  const recorded = await withRecords(context, conflicts);
  const citations = all.map((item, at) => citationOf({ item, quality: qualityOf(item) }, at));
  /** By the number a line had: its citation now, or nothing where it moved to the front. */
  const moved = weighed
    .slice(0, cards.length)
    .map((item) => (lead.includes(item) ? undefined : citations[all.indexOf(item)]));
  // A question without a subject, "what changed last", is about no dispute.
  const isAtHand = ({ left, right }: { left: string; right: string }) =>
    subject !== '' &&
    cards.some(
      ({ ref, title, snippet = '' }) =>
        (ref === left || ref === right) && isAbout(`${title} ${snippet}`, subject.replaceAll('_', ' ')),
    );
  const answer = [
    ...recorded.filter((each) => !each.resolved && isAtHand(each)).map(conflictLine),
    ...(lead.length > 0 ? ['── The code says', ...citations.slice(0, lead.length).map(citationLine)] : []),
    renumbered(answered.answer, moved),
  ].join('\n');
  return {
    answer,
    citations,
    sources: all.map((item, at) => lineOf(at + 1, item)),
    conflicts: recorded,
    segments: segmentsOf(answer, citations.length),
  };
}

/** Entries that the code refutes come last, under a heading of their own. */
function withDisputedLines(composed: Composed, disputed: FoundCard[]): Composed {
  const cited = new Set(composed.citations.map(({ ref }) => ref));
  const more = disputed
    .filter(({ ref }) => !cited.has(ref))
    .map(({ title, ...card }, at) => ({ ...card, place: title, n: composed.citations.length + at + 1 }));
  if (more.length === 0) return composed;
  const lines = more.map(({ n, place, reason }) => `[${n}] ${[place, reason].filter(Boolean).join(' — ')}`);
  return {
    answer: [composed.answer, '── Remembered about it', ...lines].join('\n'),
    citations: [...composed.citations, ...more],
  };
}

const cardOf = ({
  ref,
  domain,
  place,
  reason,
  snippet,
  at,
  updated,
  relevance = 1,
}: Composed['citations'][number]): FoundCard => ({
  ref,
  domain,
  title: place,
  reason,
  relevance,
  ...(domain === 'code' ? placeIn(place) : undefined),
  snippet,
  updated: updated || (at ? new Date(at).toISOString() : undefined),
});

/** `src/a.ts:3-9` */
function placeIn(place: string): Pick<FoundCard, 'path' | 'lines'> {
  const [, path = place, lines] = /^(.*?)(?::(\d+(?:-\d+)?))?$/s.exec(place) ?? [];
  return { path, lines: lines || undefined };
}

/** Lines keep their headings; under each, every line gets its new number and label. */
function renumbered(answer: string, moved: Array<Citation | undefined>): string {
  const lines: Array<{ text: string; n?: number }> = [];
  for (const text of answer.split('\n')) {
    const found = /^\[(\d+)\] (.*)$/.exec(text);
    if (!found || Number(found[1]) > moved.length) lines.push({ text });
    else {
      const citation = moved[Number(found[1]) - 1];
      if (!citation) continue;
      const { n, state } = citation;
      const line = { text: `[${n}] ${found[2]}${warningLabel(state)}`, n };
      const run = lines.findLastIndex((each) => each.n === undefined || each.n < n);
      lines.splice(run + 1, 0, line);
    }
  }
  return lines
    .map(({ text }) => text)
    .filter((line, at, all) => !(line.startsWith('── ') && (all[at + 1] ?? '── ').startsWith('── ')))
    .join('\n');
}
