import { z } from 'zod';
import type { Viewer } from '../../stores/chronicle/index.ts';
import {
  groundEdges,
  parseRef,
  type Source,
  type SourceType,
  sourceTypes,
} from '../../stores/graph/index.ts';
import { type Card, type Cards, cardSchema } from './cards.ts';
import { graphViewer, type KnowledgeContext, type Seeing } from './context.ts';

export const sourceSchema = z.object({
  n: z.number(),
  /** Number of steps from the requested item: 1 is a direct source. */
  depth: z.number(),
  /** What is based on it. */
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

/** The chain of sources of something, each numbered once. */
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

const typeOfRef = (ref: string): SourceType => typeBySide[parseRef(ref).side];

/** Existing code is its own proof; everything else needs a check or a person. */
const isVerified = ({ type, verified_at }: Source, card: Card | undefined): boolean => {
  if (type === 'code' || type === 'academic') return card?.state !== 'lost';
  return verified_at != null || card?.kind === 'commit' || (card?.verification ?? 'none') !== 'none';
};

interface SourceState {
  verified: boolean;
  now: number;
}

const unverified = '⚠️ UNVERIFIED';
const kindStates: Record<string, string> = { rfc: '(authoritative)', documentation: '(official docs)' };

function codeLine({ line, end_line, path }: Source, card: Card | undefined): string {
  const from = line ?? card?.line;
  const to = end_line ?? card?.end_line ?? from;
  const was = card?.was?.replace(/^[a-z]+:/, '') ?? '';
  const states = { lost: '(deleted; last seen here)', moved: `(verified, current; was ${was})` };
  const state = card && card.state !== 'current' ? states[card.state] : '(verified, current)';
  return `Code: ${card?.path ?? path ?? card?.title ?? ''}${from ? `:${from}-${to}` : ''} ${state}`;
}

function historyLine(card: Card | undefined, { verified, now }: SourceState): string {
  const title = card ? ` ${card.title}` : '';
  if (!card?.at) return `History: undated${title} ${verified ? '(undated)' : unverified}`;
  const days = Math.floor((now - Date.parse(card.at)) / 86_400_000);
  const age = days > 30 ? `(${days} days old)` : '(recent)';
  return `History: ${new Date(card.at).toISOString().slice(0, 10)}${title} ${verified ? age : unverified}`;
}

function academicLine({ url }: Source, card: Card | undefined, { verified }: SourceState): string {
  const place = card?.url ?? url;
  const state = verified ? (kindStates[card?.kind ?? ''] ?? '(external)') : unverified;
  return `Academic: ${card?.title ?? url ?? 'unknown'}${place && card ? ` (${place})` : ''} ${state}`;
}

function toldLine({ type, path, url }: Source, card: Card | undefined, { verified }: SourceState): string {
  const name = type === 'llm_inference' ? 'Inference' : 'User';
  const state = verified || type === 'user_provided' ? '(told)' : unverified;
  return `${name}: ${card?.title ?? path ?? url ?? 'no further source'} ${state}`;
}

const lines: Record<SourceType, (source: Source, card: Card | undefined, state: SourceState) => string> = {
  code: codeLine,
  history: (_source, card, state) => historyLine(card, state),
  academic: academicLine,
  llm_inference: toldLine,
  user_provided: toldLine,
};

const describeSource = (source: Source, card: Card | undefined, state: SourceState): string =>
  `${lines[source.type](source, card, state)} via ${via[source.type]}`;
