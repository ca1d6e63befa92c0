import { z } from 'zod';
import { fileRef, refOf } from '../../base/ref.ts';
import { type Card, cardSchema, type Related } from '../../engines/knowledge/index.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { edgeTypes, isRef } from '../../stores/graph/index.ts';
import { memoryCaller, sessionIdOf } from '../memory/shared.ts';
import { openCode } from '../open-index.ts';
import type { OperationContext } from '../operation.ts';

export const shape = {
  toolset: 'knowledge',
} as const;

export const refInput = z.string().min(1).max(1000).describe('kind:id, such as file:src/a.ts or entry:ent_…');

type SessionNamed = { session?: string | undefined; session_id?: string | undefined };

/** Who looks, with the stores that an answer needs in step. */
export async function looking(
  context: OperationContext,
  input: SessionNamed,
  { code = true } = {},
): Promise<{ viewer: Viewer; knowledge: Awaited<ReturnType<OperationContext['app']['knowledge']>> }> {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  const session = await memory.sessions.forReading(caller, sessionIdOf(input));
  if (code) await openCode(context).catch(() => context.signal.throwIfAborted());
  return {
    viewer: memory.sessions.viewerOf(caller, session, true),
    knowledge: await context.app.knowledge(),
  };
}

/** A path or an entry's id is as good as its ref. */
export const asRef = (text: string): string => {
  if (isRef(text)) return text;
  if (text.startsWith('ent_')) return refOf('entry', text);
  if (text.startsWith('ses_')) return refOf('session', text);
  if (text.startsWith('topic-')) return refOf('topic', text);
  if (!text.includes(':') && /[/.]/.test(text))
    return text.includes('#') ? refOf('symbol', text) : fileRef(text.replace(/^\.\//, ''));
  return text;
};

export const relatedOutput = z.object({
  type: z.enum(edgeTypes),
  direction: z.enum(['out', 'in']),
  weight: z.number(),
  about: z.string(),
  card: cardSchema,
});

export const relatedAnswer = ({ card, type, direction, weight, about }: Related) => ({
  type,
  direction,
  weight,
  about,
  card,
});

const marks = (card: Card): string =>
  [
    card.state === 'moved' && card.was ? `was ${card.was}` : '',
    card.state === 'lost' ? 'gone, last seen here' : '',
    card.superseded_by ? `superseded by ${card.superseded_by}` : '',
    card.needs_review ? '⚠️ UNVERIFIED, disputed' : card.verification === 'none' ? 'unverified' : '',
    card.expired ? 'expired' : '',
  ]
    .filter(Boolean)
    .join(', ');

/** One line for a thing of any store. */
export const cardLine = (card: Card): string => {
  const place = card.path
    ? `${card.path}${card.line ? `:${card.line}-${card.end_line ?? card.line}` : ''}`
    : '';
  const title = card.title === card.path ? '' : card.title;
  const marked = marks(card);
  return [card.at?.slice(0, 10), card.kind, place, title, card.url, `(${card.ref})`, marked && `[${marked}]`]
    .filter(Boolean)
    .join('  ');
};
