import { fileRef } from '../../base/ref.ts';
import type { Answer, Citation, FoundCard } from './answer.ts';
import { citationOf, conflictLine } from './compose.ts';
import { type MitigationParts, mitigate, withRecords } from './mitigate.ts';
import { segmentsOf } from './mitigations/citations.ts';
import { qualityOf } from './mitigations/quality.ts';
import { referencesByQuality } from './order.ts';
import { lineOf, type Weighed } from './sources.ts';

/** An answer that was composed elsewhere: numbered lines, and what each number stands for. */
export interface Judged {
  answer: string;
  citations: Array<
    Pick<Citation, 'n' | 'ref' | 'domain' | 'place' | 'reason'> & {
      snippet?: string;
      /** 0–1, where who found it knows. */
      relevance?: number;
      at?: number;
      updated?: string;
    }
  >;
}

/**
 * Puts trust, freshness and conflicts on what was found past recall. Where the code refutes something, the code that
 * does comes first and everything is numbered anew.
 */
export async function judge(
  parts: MitigationParts,
  found: Judged,
  viewer?: string,
): Promise<Pick<Answer, 'answer' | 'citations' | 'sources' | 'conflicts' | 'segments'>> {
  const cards = found.citations.map(cardOf);
  const { weighed, conflicts } = await mitigate(parts, cards, await parts.code(), viewer);
  const decisive = new Set(conflicts.flatMap(({ places }) => places.map(({ path }) => fileRef(path))));
  const leads = (item: Weighed, at: number) =>
    at >= cards.length || (item.card.domain === 'code' && decisive.has(item.card.ref));
  const lead = weighed.filter(leads);
  const all = [...lead, ...referencesByQuality(weighed.filter((item, at) => !leads(item, at)))];
  const told = await withRecords(parts, conflicts);
  const citations = all.map((item, at) => citationOf({ item, quality: qualityOf(item) }, at));
  /** By the number a line had: what it is now, or nothing where it moved to the front. */
  const moved = weighed
    .slice(0, cards.length)
    .map((item) => (lead.includes(item) ? undefined : citations[all.indexOf(item)]));
  const answer = [
    ...told.filter(({ resolved }) => !resolved).map(conflictLine),
    ...(lead.length > 0 ? ['── what the code says', ...citations.slice(0, lead.length).map(labelled)] : []),
    renumbered(found.answer, moved),
  ].join('\n');
  return {
    answer,
    citations,
    sources: all.map((item: Weighed, at) => lineOf(at + 1, item)),
    conflicts: told,
    segments: segmentsOf(answer, citations.length),
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
}: Judged['citations'][number]): FoundCard => ({
  ref,
  domain,
  title: place,
  reason,
  relevance,
  ...(domain === 'code' ? placeIn(place) : {}),
  ...(snippet ? { snippet } : {}),
  ...(updated ? { updated } : at ? { updated: new Date(at).toISOString() } : {}),
});

/** `src/a.ts:3-9` */
function placeIn(place: string): Pick<FoundCard, 'path' | 'lines'> {
  const [, path, lines] = /^(.*?)(?::(\d+(?:-\d+)?))?$/s.exec(place)!;
  return { path: path!, lines: lines || undefined };
}

const labelled = ({ n, place, reason, trust_name, state }: Citation): string =>
  `[${n}] ${place} — ${reason} (${trust_name}, ${state})`;

/** Lines keep their headings; under each, every line gets its new number and its label and stands by that number. */
function renumbered(answer: string, moved: Array<Citation | undefined>): string {
  const lines: Array<{ text: string; n?: number }> = [];
  for (const text of answer.split('\n')) {
    const found = /^\[(\d+)\] (.*)$/.exec(text);
    if (!found || Number(found[1]) > moved.length) lines.push({ text });
    else {
      const citation = moved[Number(found[1]) - 1];
      if (!citation) continue;
      const { n, trust_name, state } = citation;
      const line = { text: `[${n}] ${found[2]} (${trust_name}, ${state})`, n };
      const run = lines.findLastIndex((each) => each.n === undefined || each.n < n);
      lines.splice(run + 1, 0, line);
    }
  }
  return lines
    .map(({ text }) => text)
    .filter(
      (line, at, all) =>
        !(line.startsWith('── ') && (all[at + 1] === undefined || all[at + 1]!.startsWith('── '))),
    )
    .join('\n');
}
