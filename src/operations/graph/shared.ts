import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import type { Card } from '../../engines/knowledge/index.ts';
import { doubtAbout } from '../../stores/chronicle/index.ts';
import { isRef } from '../../stores/graph/index.ts';
import { reading } from '../memory/shared.ts';
import { openCode } from '../open-index.ts';
import type { OperationContext } from '../operation.ts';

export const refInput = z.string().min(1).max(1000).describe('kind:id, such as file:src/a.ts or entry:ent_…');

/** The caller's view, with the stores that an answer needs up to date. */
export async function looking(
  context: OperationContext,
  input: { session?: string | undefined },
  { code = true } = {},
) {
  const { viewer } = await reading(context, input);
  if (code) await openCode(context).catch(() => context.signal.throwIfAborted());
  return { viewer, knowledge: await context.app.knowledge() };
}

/** A path or an entry id also works as a ref. */
export const asRef = (text: string): string => {
  if (isRef(text)) return text;
  if (text.startsWith('ent_')) return refOf('entry', text);
  if (text.startsWith('ses_')) return refOf('session', text);
  if (text.startsWith('topic-')) return refOf('topic', text);
  if (!text.includes(':') && /[/.]/.test(text))
    return text.includes('#') ? refOf('symbol', text) : fileRef(text.replace(/^\.\//, ''));
  return text;
};

/** Treats a ref of another session as if it did not exist. */
export async function requireVisible(
  { viewer, knowledge }: Awaited<ReturnType<typeof looking>>,
  ...refs: string[]
): Promise<void> {
  for (const ref of await knowledge.seeing.hidden(viewer, refs))
    throw new SylkError('NOT_FOUND', `${ref} does not exist.`, {
      hint: 'Run `sylk memory search` to find entries.',
    });
}

const marks = (card: Card): string =>
  [
    card.state === 'moved' && card.was ? `was ${card.was}` : '',
    card.state === 'lost' ? 'deleted; last seen here' : '',
    card.superseded_by ? `superseded by ${card.superseded_by}` : '',
    doubtAbout(card),
    card.expired ? 'expired' : '',
  ]
    .filter(Boolean)
    .join(', ');

/** One line for an item of any store. */
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
