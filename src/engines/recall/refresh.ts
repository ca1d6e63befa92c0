import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Chunk, embeddingText } from '../../base/chunk/index.ts';
import { reportOf } from '../../base/errors.ts';
import { keyOf, type NewPassage, type Passages } from '../../stores/passages/index.ts';
import type { Meaning } from './meaning.ts';
import type { RecallSource, SourceOwner } from './source.ts';

export interface RefreshReport {
  domain: string;
  added: number;
  removed: number;
  passages: number;
  problems: Array<{ owner: string; message: string }>;
}

export interface RefreshRequest {
  passages: Passages;
  meaning: Meaning;
  source: RecallSource;
  signal?: AbortSignal;
}

/** Owners whose passages are written in one transaction; between two of them other work gets its turn. */
const ownersAtOnce = 64;

/** Brings the passages of a source up to date: what changed is cut anew, what is gone is removed. */
export async function refreshSource(request: RefreshRequest): Promise<RefreshReport> {
  const { passages, source } = request;
  const report: RefreshReport = { domain: source.domain, added: 0, removed: 0, passages: 0, problems: [] };
  const known = new Map(passages.owners(source.domain).map((each) => [each.owner, each.hash]));
  const changed: SourceOwner[] = [];
  for (const owner of await source.owners()) {
    if (known.get(owner.owner) !== owner.hash) changed.push(owner);
    known.delete(owner.owner);
  }
  passages.remove(source.domain, [...known.keys()]);
  report.removed = known.size;
  for (let from = 0; from < changed.length; from += ownersAtOnce) {
    request.signal?.throwIfAborted();
    await writeOwners(changed.slice(from, from + ownersAtOnce), request, report);
    await nextTurn();
  }
  return report;
}

async function writeOwners(
  owners: SourceOwner[],
  request: RefreshRequest,
  report: RefreshReport,
): Promise<void> {
  const { passages, meaning, source } = request;
  const cut: Array<{ owner: SourceOwner; chunks: NewPassage[] }> = [];
  for (const owner of owners) {
    try {
      const chunks = await source.chunks(owner.owner);
      if (chunks) cut.push({ owner, chunks: chunks.map(passageOf) });
    } catch (error) {
      report.problems.push({ owner: owner.owner, message: reportOf(error).message });
    }
  }
  const texts = cut.flatMap(({ chunks }) => chunks.map((chunk) => chunk.embedded));
  const vectors = await meaning.quickVectors(texts);
  passages.batch(() => {
    for (const { owner, chunks } of cut) passages.replace({ ...owner, domain: source.domain }, chunks);
    if (vectors)
      meaning
        .space(source.domain)
        .put(vectors.map((vector, at) => ({ key: keyOf(texts[at] ?? ''), vector, tier: 0 })));
  });
  report.added += cut.length;
  report.passages += texts.length;
}

const passageOf = (chunk: Chunk): NewPassage => ({
  startLine: chunk.startLine,
  endLine: chunk.endLine,
  heading: chunk.heading,
  place: `${chunk.path} ${chunk.heading.join(' ')}`,
  body: chunk.text,
  embedded: embeddingText(chunk),
});
