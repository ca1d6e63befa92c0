import { type Kysely, sql } from 'kysely';

/** One line of what happened in the library: who did what to which ref. Written in the transaction of the change. */
export interface Change {
  seq: number;
  at: string;
  actor: string;
  action: string;
  ref: string;
  /** The project that the ref belongs to; '' when it has none. */
  project: string;
  detail: Record<string, unknown>;
}

export interface Journal {
  record(change: Omit<Change, 'seq'>): Promise<void>;
  since(request: { after: number; project?: string | undefined; limit: number }): Promise<Change[]>;
  /** The newest changes, oldest first. */
  newest(request: { project?: string | undefined; limit: number }): Promise<Change[]>;
  latest(): Promise<number>;
}

export interface JournalTables {
  _journal: {
    seq: number;
    at: string;
    actor: string;
    action: string;
    ref: string;
    project: string;
    detail: string;
  };
}

export function createJournal(tables: () => Kysely<JournalTables>): Journal {
  const read = (row: JournalTables['_journal']): Change => ({ ...row, detail: JSON.parse(row.detail) });
  const rows = (project: string | undefined) => {
    const query = tables().selectFrom('_journal').selectAll();
    return project === undefined ? query : query.where('project', '=', project);
  };
  return {
    record: async (change) => {
      const { at, actor, action, ref, project, detail } = change;
      // Written with every change: building it from parts takes longer than running it.
      await sql`INSERT INTO _journal (at, actor, action, ref, project, detail)
        VALUES (${at}, ${actor}, ${action}, ${ref}, ${project}, ${JSON.stringify(detail)})`.execute(tables());
    },
    since: async ({ after, project, limit }) =>
      (await rows(project).where('seq', '>', after).orderBy('seq').limit(limit).execute()).map(read),
    newest: async ({ project, limit }) =>
      (await rows(project).orderBy('seq', 'desc').limit(limit).execute()).map(read).reverse(),
    latest: async () =>
      Number(
        (
          await tables()
            .selectFrom('_journal')
            .select(({ fn }) => fn.max('seq').as('seq'))
            .executeTakeFirst()
        )?.seq ?? 0,
      ),
  };
}
