import type { Transaction } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Approval, Standing } from './approval.ts';
import type { ApprovalsContext } from './context.ts';
import type { ApprovalTables, StandingRow } from './tables.ts';

type NewStanding = Pick<StandingRow, 'repository' | 'tool' | 'command' | 'path' | 'exact' | 'approval_id'>;

/** What "always" means for a request: exactly what it offered, or commands that begin with some of its words. */
export function standingOf({ id, always, repository }: Approval, begins?: string): NewStanding[] {
  const refuse = (why: string, hint: string): never => {
    throw new SylkError('VALIDATION_ERROR', why, { hint, data: { approval_id: id } });
  };
  if (always.length === 0)
    refuse(
      `${id} can't be answered for always.`,
      'Answer for this once. A rule in your config file can allow more.',
    );
  const rows = always.map(({ tool, command = null, path = null }) => ({
    repository,
    tool,
    command,
    path,
    exact: 1,
    approval_id: id,
  }));
  if (begins === undefined) return rows;
  const beginning = begins.trim().replaceAll(/\s+/g, ' ');
  const [only] = rows;
  const isBeginning =
    rows.length === 1 && beginning !== '' && `${only?.command} `.startsWith(`${beginning} `);
  if (!only || !isBeginning)
    return refuse(
      `${JSON.stringify(begins)} is not how the command of ${id} begins.`,
      'Give the first words of the one command that was asked for.',
    );
  return [{ ...only, command: beginning, exact: 0 }];
}

export async function keepStanding(
  tables: Transaction<ApprovalTables>,
  rows: NewStanding[],
  { at, by, decision }: { at: string; by: string; decision: StandingRow['decision'] },
): Promise<void> {
  for (const row of rows)
    await tables
      .insertInto('standing_permissions')
      .values({ id: newId('perm'), given_at: at, given_by: by, decision, ...row })
      .execute();
}

/** What is allowed or refused always in a repository, or in all; oldest first. */
export async function listStanding({ tables }: ApprovalsContext, repository?: string): Promise<Standing[]> {
  let query = tables.selectFrom('standing_permissions').selectAll().orderBy('given_at').orderBy('id');
  if (repository !== undefined) query = query.where('repository', '=', repository);
  return (await query.execute()).map((row) => ({ ...row, exact: Number(row.exact) === 1 }));
}

/** From now on it is asked for again. */
export async function endStanding({ tables }: ApprovalsContext, id: string): Promise<void> {
  const { numDeletedRows } = await tables
    .deleteFrom('standing_permissions')
    .where('id', '=', id)
    .executeTakeFirst();
  if (Number(numDeletedRows) === 0)
    throw new SylkError(
      'NOT_FOUND',
      `Nothing is allowed or refused always as ${JSON.stringify(id.slice(0, 80))}.`,
      {
        hint: '`sylk approvals always` lists what is.',
      },
    );
}
