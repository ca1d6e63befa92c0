import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { parseTime, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { asRef, looking, refInput, requireVisible } from './shared.ts';

const setExpiry = operation({
  name: 'set_expiry',
  summary:
    'Set an expiry date. After it, the item is shown as expired; 30 days later it may be archived. It is never deleted.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    ref: refInput,
    until: z.string().describe('RFC 3339, or never'),
    ...sessionInput,
  }),
  output: z.object({ ref: z.string(), expires_at: z.string().nullable() }),
  examples: [{ ref: 'file:src/auth/session.ts', until: 'never' }],
  command: { positionals: ['ref', 'until'] },
  render: ({ ref, expires_at }) => `${ref} ${expires_at ? `expires ${expires_at}` : 'does not expire'}`,
  run: async (input, context) => {
    const looker = await looking(context, input, { code: false });
    const ref = asRef(input.ref);
    await requireVisible(looker, ref);
    const at = input.until === 'never' ? null : parseTime(input.until, context.app.clock.now());
    if (at === undefined)
      throw new SylkError('VALIDATION_ERROR', `Invalid time for until: ${JSON.stringify(input.until)}`, {
        hint: 'Use RFC 3339 (2026-12-31T00:00:00Z), or never.',
      });
    await looker.knowledge.graph.describe([{ ref, expires_at: at }]);
    return { ref, expires_at: at === null ? null : new Date(at).toISOString() };
  },
});

const archiveRefs = operation({
  name: 'archive_refs',
  summary:
    'Hide items from every answer without deleting them, archive items that expired more than 30 days ago, or restore archived items.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    refs: looseList(z.string()).default([]).describe('omit to archive everything that expired'),
    restore: looseBoolean.default(false),
  }),
  output: z.object({ archived: z.array(z.string()), restored: z.number().optional() }),
  examples: [{}, { refs: ['entry:ent_0'], restore: true }],
  command: { positionals: ['refs'], rest: true },
  render: ({ archived, restored }) => {
    if (restored !== undefined) return `${restored} restored`;
    return archived.length === 0 ? 'Nothing to archive.' : `archived: ${archived.join(', ')}`;
  },
  run: async ({ refs, restore }, { app }) => {
    const { review, graph } = await app.knowledge();
    if (restore) return { archived: [], restored: await review.putAway(refs.map(asRef), false) };
    const archived = refs.length > 0 ? refs.map(asRef) : await graph.archiveExpired();
    if (archived.length > 0) await review.putAway(archived, true);
    return { archived };
  },
});

export const lifetimeOperations = [setExpiry, archiveRefs];
