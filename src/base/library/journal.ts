import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

/** One line of what happened in the library: who did what to which ref. Written in the transaction of the change. */
export const changeSchema = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  ref: z.string(),
  project: z.string().describe('that the ref belongs to; empty when it has none'),
  detail: z.record(z.string(), z.unknown()),
});
export type Change = z.output<typeof changeSchema>;

export type Journal = ReturnType<typeof createJournal>;

export interface JournalTables {
  _journal: Omit<Change, 'detail'> & { detail: string };
}

interface ChangesRequest {
  project?: string | undefined;
  limit: number;
}

export function createJournal(tables: () => Kysely<JournalTables>) {
  const read = (row: JournalTables['_journal']): Change => ({ ...row, detail: JSON.parse(row.detail) });
  const rows = (project: string | undefined) => {
    const query = tables().selectFrom('_journal').selectAll();
    return project === undefined ? query : query.where('project', '=', project);
  };
  return {
    record: async ({ at, actor, action, ref, project, detail }: Omit<Change, 'seq'>): Promise<void> => {
      // Written with every change: building it from parts takes longer than running it.
      await sql`INSERT INTO _journal (at, actor, action, ref, project, detail)
        VALUES (${at}, ${actor}, ${action}, ${ref}, ${project}, ${JSON.stringify(detail)})`.execute(tables());
    },
    since: async ({ after, project, limit }: ChangesRequest & { after: number }) =>
      (await rows(project).where('seq', '>', after).orderBy('seq').limit(limit).execute()).map(read),
    /** The newest changes, oldest first. */
    newest: async ({ project, limit }: ChangesRequest) =>
      (await rows(project).orderBy('seq', 'desc').limit(limit).execute()).map(read).reverse(),
    latest: async (): Promise<number> => {
      const newest = tables()
        .selectFrom('_journal')
        .select(({ fn }) => fn.max('seq').as('seq'));
      return Number((await newest.executeTakeFirst())?.seq ?? 0);
    },
  };
}
