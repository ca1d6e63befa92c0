import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseList } from '../../base/loose-input.ts';
import { parseTime, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { asRef, looking, refInput, shape } from './shared.ts';

const setExpiry = operation({
  name: 'set_expiry',
  summary:
    'Say until when something holds. After that it is answered as expired, and 30 days later it may be archived. Never lost.',
  effect: 'write',
  idempotent: true,
  ...shape,
  input: z.object({
    ref: refInput,
    until: z.string().describe('RFC 3339, or never'),
    ...sessionInput,
  }),
  output: z.object({ ref: z.string(), expires_at: z.string().nullable() }),
  examples: [{ ref: 'file:src/auth/session.ts', until: 'never' }],
  command: { positionals: ['ref', 'until'] },
  render: ({ ref, expires_at }) => `${ref} ${expires_at ? `holds until ${expires_at}` : 'does not expire'}`,
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input, { code: false });
    const ref = asRef(input.ref);
    if ((await knowledge.seeing.hidden(viewer, [ref])).size > 0)
      throw new SylkError('NOT_FOUND', `There is no ${ref} for you.`, {
        hint: 'search_history finds entries.',
      });
    const at = input.until === 'never' ? null : parseTime(input.until, context.app.clock.now());
    if (at === undefined)
      throw new SylkError('VALIDATION_ERROR', `until is not a time: ${JSON.stringify(input.until)}`, {
        hint: 'Use RFC 3339 (2026-12-31T00:00:00Z), or never.',
      });
    await knowledge.graph.describe([{ ref, expires_at: at }]);
    return { ref, expires_at: at === null ? null : new Date(at).toISOString() };
  },
});

const away = operation({
  name: 'archive_refs',
  summary:
    'Take things out of every answer without losing them, or archive what expired more than 30 days ago.',
  effect: 'setup',
  idempotent: true,
  ...shape,
  input: z.object({ refs: looseList(z.string()).default([]).describe('none: whatever expired') }),
  output: z.object({ archived: z.array(z.string()) }),
  examples: [{}],
  command: { positionals: ['refs'], rest: true },
  render: ({ archived }) =>
    archived.length === 0 ? 'Nothing to archive.' : `archived: ${archived.join(', ')}`,
  run: async ({ refs }, { app }) => {
    const { review, graph } = await app.knowledge();
    const given = refs.length > 0 ? refs.map(asRef) : await graph.archiveExpired();
    if (given.length > 0) await review.putAway(given, true);
    return { archived: given };
  },
});

const back = operation({
  name: 'restore_refs',
  summary: 'Bring archived things back into answers.',
  effect: 'setup',
  idempotent: true,
  ...shape,
  input: z.object({ refs: looseList(z.string()) }),
  output: z.object({ restored: z.number() }),
  examples: [{ refs: ['entry:ent_0'] }],
  command: { positionals: ['refs'], rest: true },
  render: ({ restored }) => `${restored} restored`,
  run: async ({ refs }, context) => {
    const { review } = await context.app.knowledge();
    return { restored: await review.putAway(refs.map(asRef), false) };
  },
});

export const lifetimeOperations = [setExpiry, away, back];
