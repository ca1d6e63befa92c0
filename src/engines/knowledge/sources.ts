import { z } from 'zod';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { groundEdges, type Source, type SourceType, sourceTypes } from '../../stores/graph/index.ts';
import { type Card, type Cards, cardSchema } from './cards.ts';
import { graphViewer, type KnowledgeContext } from './context.ts';
import type { Seeing } from './seeing.ts';

export const sourceSchema = z.object({
  n: z.number(),
  /** How many steps from what was asked about: 1 is what it was made from itself. */
  depth: z.number(),
  /** What was made from it. */
  of: z.string(),
  type: z.enum(sourceTypes),
  confidence: z.number(),
  verified: z.boolean(),
  line: z.string(),
  card: cardSchema.optional(),
});
export type NumberedSource = z.output<typeof sourceSchema>;

const via: Record<SourceType, string> = {
  code: 'code analysis',
  history: 'history lookup',
  academic: 'external reference',
  llm_inference: 'inference',
  user_provided: 'user input',
};
const typeBySide = { code: 'code', history: 'history', knowledge: 'academic' } as const;
const maxSources = 200;

/** The chain of what something was made from: its sources, their sources, and so on, each numbered once. */
export function createSources(
  context: KnowledgeContext,
  { cards, seeing }: { cards: Cards; seeing: Seeing },
) {
  const { graph, clock } = context;

  const directly = async (viewer: Viewer, ref: string): Promise<Source[]> => {
    const recorded = await graph.sourcesOf(ref);
    const named = new Set(recorded.map((source) => source.ref));
    const edges = await graph.edgesOf(ref, {
      direction: 'out',
      types: groundEdges,
      viewer: graphViewer(viewer),
    });
    const linked = edges
      .filter(({ target }) => !named.has(target))
      .map(({ target, weight }): Source => ({ type: typeOfRef(target), ref: target, confidence: weight }));
    return [...recorded, ...linked];
  };

  return async (viewer: Viewer, ref: string, depth: number): Promise<NumberedSource[]> => {
    const found: NumberedSource[] = [];
    const seen = new Set([ref]);
    let level = [ref];
    for (let step = 1; step <= depth && level.length > 0; step++) {
      const next: string[] = [];
      for (const of of level) {
        for (const source of await directly(viewer, of)) {
          const key =
            source.ref ?? `${source.path ?? ''}:${source.line ?? ''}${source.url ?? ''}${source.type}`;
          if (seen.has(key) || found.length >= maxSources) continue;
          if (source.ref && (await seeing.hidden(viewer, [source.ref])).size > 0) continue;
          seen.add(key);
          if (source.ref) next.push(source.ref);
          const card = source.ref ? (await cards.of(viewer, [source.ref])).get(source.ref) : undefined;
          const verified = isVerified(source, card);
          const n = found.length + 1;
          found.push({
            n,
            depth: step,
            of,
            type: source.type,
            confidence: source.confidence,
            verified,
            line: `[${n}] ${describeSource(source, card, { verified, now: clock.now() })}`,
            card,
          });
        }
      }
      level = next;
    }
    return found;
  };
}

const typeOfRef = (ref: string): SourceType =>
  typeBySide[
    /^(?:file|symbol|package):/.test(ref)
      ? 'code'
      : /^(?:topic|library|atom|molecule|skill):/.test(ref)
        ? 'knowledge'
        : 'history'
  ];

/** Code that is there is its own proof; everything else needs a check or a person. */
const isVerified = (source: Source, card: Card | undefined): boolean =>
  source.type === 'code'
    ? card === undefined || card.state !== 'lost'
    : source.type === 'academic'
      ? card === undefined || card.state !== 'lost'
      : source.verified_at != null ||
        card?.kind === 'commit' ||
        (card?.verification !== undefined && card.verification !== 'none');

function describeSource(
  source: Source,
  card: Card | undefined,
  { verified, now }: { verified: boolean; now: number },
): string {
  const how = `via ${via[source.type]}`;
  const unverified = '⚠️ UNVERIFIED';
  if (source.type === 'code') {
    const from = source.line ?? card?.line;
    const to = source.end_line ?? card?.end_line;
    const place = `${card?.path ?? source.path ?? card?.title ?? ''}${from ? `:${from}-${to ?? from}` : ''}`;
    const state =
      card?.state === 'lost'
        ? '(gone, last seen here)'
        : card?.state === 'moved'
          ? `(verified, current; was ${card.was?.replace(/^[a-z]+:/, '') ?? ''})`
          : '(verified, current)';
    return `Code: ${place} ${state} ${how}`;
  }
  if (source.type === 'history') {
    const at = card?.at ? Date.parse(card.at) : undefined;
    const days = at === undefined ? undefined : Math.floor((now - at) / 86_400_000);
    const age = days === undefined ? '(undated)' : days > 30 ? `(${days} days old)` : '(recent)';
    const title = card ? ` ${card.title}` : '';
    return `History: ${at === undefined ? 'undated' : new Date(at).toISOString().slice(0, 10)}${title} ${verified ? age : unverified} ${how}`;
  }
  if (source.type === 'academic') {
    const standing =
      card?.kind === 'rfc'
        ? '(authoritative)'
        : card?.kind === 'documentation'
          ? '(official docs)'
          : '(external)';
    const url = card?.url ?? source.url;
    return `Academic: ${card?.title ?? source.url ?? 'unknown'}${url && card ? ` (${url})` : ''} ${verified ? standing : unverified} ${how}`;
  }
  const name = source.type === 'llm_inference' ? 'Inference' : 'User';
  return `${name}: ${card?.title ?? source.path ?? source.url ?? 'no further source'} ${verified || source.type === 'user_provided' ? '(told)' : unverified} ${how}`;
}
