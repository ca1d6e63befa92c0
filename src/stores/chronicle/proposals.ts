import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type ChronicleContext, clean } from './context.ts';
import { type Author, authorSchema } from './entry.ts';
import type { ChronicleTables } from './tables.ts';

export const proposalSchema = z.object({
  id: z.string(),
  category: z.string(),
  preference: z.string(),
  author: authorSchema,
  status: z.enum(['waiting', 'confirmed', 'rejected']),
  proposed_at: z.string(),
  decided_at: z.string().nullable(),
  decided_by: z.string(),
});
export type PreferenceProposal = z.output<typeof proposalSchema>;

const maxWaiting = 50;

/** Preferences that others proposed for the person: they apply only after the person confirms them. */
export function createProposals({ db, clock }: ChronicleContext) {
  const find = async (id: string): Promise<PreferenceProposal | undefined> => {
    const row = await db
      .selectFrom('preference_proposals')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && proposalOf(row);
  };
  return {
    find,
    list: async (): Promise<PreferenceProposal[]> => {
      const rows = await db.selectFrom('preference_proposals').selectAll().orderBy('proposed_at').execute();
      return rows.map(proposalOf);
    },
    /** The same words of the same author are proposed once, whatever the answer was. */
    add: async (given: { category: string; preference: string; author: Author }): Promise<string> => {
      const { category, preference, author } = clean(given);
      const before = await db
        .selectFrom('preference_proposals')
        .select('id')
        .where('category', '=', category)
        .where('value', '=', preference)
        .where('author_kind', '=', author.kind)
        .where('author', '=', author.name)
        .executeTakeFirst();
      if (before) return before.id;
      const waiting = await db
        .selectFrom('preference_proposals')
        .select('id')
        .where('status', '=', 'waiting')
        .execute();
      if (waiting.length >= maxWaiting)
        throw new SylkError(
          'BUDGET_EXCEEDED',
          `${maxWaiting} proposed preferences are waiting for an answer.`,
          {
            hint: 'Ask the person to answer some: sylk preferences',
          },
        );
      const row = {
        id: newId('prp', clock.now()),
        category,
        value: preference,
        author_kind: author.kind,
        author: author.name,
        status: 'waiting' as const,
        proposed_at: clock.now(),
        decided_at: null,
        decided_by: '',
      };
      await db.insertInto('preference_proposals').values(row).execute();
      return row.id;
    },
    /** An answer is final. */
    decide: async (id: string, status: 'confirmed' | 'rejected', by: string): Promise<PreferenceProposal> => {
      const { numUpdatedRows } = await db
        .updateTable('preference_proposals')
        .set({ status, decided_at: clock.now(), decided_by: clean(by) })
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      const proposal = await find(id);
      if (proposal && Number(numUpdatedRows) === 1) return proposal;
      if (proposal)
        throw new SylkError('CONFLICT', `Proposal ${id} was already ${proposal.status}.`, {
          hint: 'State it yourself: sylk preferences set CATEGORY PREFERENCE',
        });
      throw new SylkError('NOT_FOUND', `Unknown proposal ${JSON.stringify(id.slice(0, 80))}.`, {
        hint: 'Run `sylk preferences` to list them.',
      });
    },
  };
}

const proposalOf = ({
  value,
  author_kind,
  author,
  ...row
}: ChronicleTables['preference_proposals']): PreferenceProposal => ({
  ...row,
  preference: value,
  author: { kind: author_kind, name: author },
  proposed_at: isoTime(row.proposed_at),
  decided_at: row.decided_at === null ? null : isoTime(row.decided_at),
});
