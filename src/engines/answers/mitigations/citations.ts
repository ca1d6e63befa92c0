import { searchWords } from '../../../base/text/index.ts';
import type { SourceKind, TrustLevel } from '../../recall/index.ts';
import { ageInWords, type Freshness } from './freshness.ts';

/** What a citation is made from. */
export interface CitedSource {
  ref: string;
  domain: string;
  kind: SourceKind;
  /** File with lines, or a title. */
  place: string;
  title: string;
  url?: string;
  /** ISO date, or empty. */
  date: string;
  verified: boolean;
  /** How it came to be known: the type of its first recorded source. */
  via?: 'code' | 'history' | 'academic' | 'llm_inference' | 'user_provided';
  freshness: Freshness;
  trust: TrustLevel;
}

const ways: Record<NonNullable<CitedSource['via']>, string> = {
  code: 'code analysis',
  history: 'history lookup',
  academic: 'external reference',
  llm_inference: 'inference',
  user_provided: 'user input',
};

const kinds: Record<string, string> = {
  code: 'Code',
  commits: 'Commit',
  chronicle: 'History',
  references: 'Academic',
  areas: 'Area',
  work: 'Task',
  skills: 'Skill',
};

/** `[1] Code: src/a.ts:3-9 (verified, current) via code analysis`. */
export function sourceLine(n: number, source: CitedSource): string {
  const name = source.kind === 'repository_text' ? 'Text' : (kinds[source.domain] ?? source.domain);
  const dated = source.domain === 'chronicle' || source.domain === 'commits';
  const title = dated && source.date ? `${source.date} ${source.title}` : source.title;
  const what = source.domain === 'code' ? source.place : title;
  const url = source.url ? ` (${source.url})` : '';
  const via = source.via ? ` via ${ways[source.via]}` : '';
  return `[${n}] ${name}: ${what}${url} (${stateOf(source)})${via}`;
}

const outside: Partial<Record<SourceKind, string>> = { rfc: 'authoritative', documentation: 'official docs' };

/** One short word or two on how far it can be relied on now. */
export function stateOf(source: Pick<CitedSource, 'domain' | 'kind' | 'verified' | 'freshness'>): string {
  const { freshness, domain, kind, verified } = source;
  if (freshness.supersededBy) return '⚠️ SUPERSEDED';
  if (freshness.expired) return '⚠️ EXPIRED';
  if (freshness.stale) return '⚠️ STALE';
  if (freshness.otherVersion) return '⚠️ OTHER VERSION';
  if (domain === 'code' && freshness.score < 1) return '⚠️ changed since it was indexed';
  if (kind === 'repository_text') return 'not verified';
  if (domain === 'code') return 'verified, current';
  if (!verified) return '⚠️ UNVERIFIED';
  if (domain === 'references') return outside[kind] ?? 'external';
  return freshness.age > 30 ? ageInWords(freshness.age) : 'recent';
}

/** A stretch of an answer and the source it rests on. Offsets are UTF-16 units of the answer. */
export interface Segment {
  text: string;
  start: number;
  end: number;
  /** `[n]`. */
  reference: string;
}

/** Marks `[n]` bind the words before them back to the last mark or line; what cites nothing has no segment. */
export function segmentsOf(answer: string, sources: number): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const mark of answer.matchAll(/(?:\[\d+\](?:\s*,?\s*(?=\[))?)+/g)) {
    const lineStart = answer.lastIndexOf('\n', mark.index - 1) + 1;
    const leading = answer.slice(lineStart, mark.index).trim() === '';
    const end = mark.index + mark[0].length;
    const lineEnd = answer.indexOf('\n', end) === -1 ? answer.length : answer.indexOf('\n', end);
    // A mark at the start of a line belongs to the line, any other to what stands before it.
    const start = leading ? end : Math.max(from, lineStart);
    const stop = leading ? lineEnd : mark.index;
    for (const [, digits] of mark[0].matchAll(/\[(\d+)\]/g)) {
      if (Number(digits) < 1 || Number(digits) > sources) continue;
      const trimmed = trim(answer, start, stop);
      if (trimmed) segments.push({ ...trimmed, reference: `[${digits}]` });
    }
    from = leading ? lineEnd : end;
  }
  return segments;
}

function trim(text: string, start: number, end: number): Pick<Segment, 'text' | 'start' | 'end'> | undefined {
  const inside = text.slice(start, end);
  const lead = inside.length - inside.trimStart().length;
  const body = inside.trim();
  return body === '' ? undefined : { text: body, start: start + lead, end: start + lead + body.length };
}

/** Where an answer uses words of a source without a mark: the longest run of them, one for each source. */
export function unmarkedSegments(answer: string, sources: Array<{ n: number; text: string }>): Segment[] {
  const taken = new Set(segmentsOf(answer, sources.length).map(({ reference }) => reference));
  return sources.flatMap(({ n, text }) => {
    if (taken.has(`[${n}]`)) return [];
    const rare = searchWords(text).filter((word) => word.length > 5);
    for (const word of new Set(rare)) {
      const at = answer.toLowerCase().indexOf(word);
      if (at >= 0)
        return [
          { text: answer.slice(at, at + word.length), start: at, end: at + word.length, reference: `[${n}]` },
        ];
    }
    return [];
  });
}

const codeName =
  /`([^`\n]+)`|\b(\p{Ll}+(?:\p{Lu}[\p{L}\p{N}]*)+|[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+|[\w.-]+\/[\w./-]+\.\w{1,5})\b/gu;

/** Names of code that a sentence rests on a source for, and that none of its sources has. */
export function unsupportedNames(
  segments: Segment[],
  sources: Array<{ n: number; text: string }>,
): Array<{ reference: string; name: string }> {
  const textOf = new Map(sources.map(({ n, text }) => [`[${n}]`, text.toLowerCase()]));
  return [...Map.groupBy(segments, ({ start }) => start).values()].flatMap((group) => {
    const known = group.map(({ reference }) => textOf.get(reference) ?? '').join('\n');
    const names = [...(group[0]?.text.matchAll(codeName) ?? [])].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    );
    const reference = group.map((each) => each.reference).join(', ');
    return [...new Set(names)]
      .filter((name) => name !== '' && !known.includes(bareName(name)))
      .map((name) => ({ reference, name }));
  });
}

/** `login()` is mentioned where `login` is. */
const bareName = (name: string): string => name.toLowerCase().replace(/\(.*$/, '').trim();
