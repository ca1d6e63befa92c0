import { type AuditRecord, beginning, digestOfRecord } from './audit-record.ts';
import type { AuditContext } from './context.ts';

export interface AuditFilter {
  name?: string | undefined;
  operation?: string | undefined;
  outcome?: AuditRecord['outcome'] | undefined;
  /** Only of these. */
  repositories?: string[] | undefined;
}

function matching({ tables }: AuditContext, { name, operation, outcome, repositories }: AuditFilter) {
  let query = tables().selectFrom('audit');
  if (name !== undefined)
    query = query.where(({ eb, or }) => or([eb('name', '=', name), eb('person', '=', name)]));
  if (operation !== undefined) query = query.where('operation', '=', operation);
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (repositories !== undefined)
    query = query.where('repository', 'in', repositories.length > 0 ? repositories : ['']);
  return query;
}

/** Newest first. */
export async function listAudit(
  context: AuditContext,
  { offset, limit, ...filter }: AuditFilter & { offset: number; limit: number },
): Promise<{ items: AuditRecord[]; total: number }> {
  const found = matching(context, filter);
  const items = await found.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
  const counted = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  return { items, total: Number(counted?.total ?? 0) };
}

/** Oldest first, after a number. */
export const exportAudit = (
  context: AuditContext,
  { after, limit, ...filter }: AuditFilter & { after: number; limit: number },
): Promise<AuditRecord[]> =>
  matching(context, filter).selectAll().where('seq', '>', after).orderBy('seq').limit(limit).execute();

const batch = 1000;

/**
 * Reads the whole chain. `expected`: a digest that was noted elsewhere, which has to be in it: whoever can rewrite the whole table can't
 * rewrite that note.
 */
export async function verifyAudit(
  context: AuditContext,
  expected?: string,
): Promise<{ records: number; head: string; problem?: string }> {
  let records = 0;
  let head = beginning;
  let wasSeen = expected === undefined || expected === beginning;
  for (;;) {
    const rows = await exportAudit(context, { after: records, limit: batch });
    for (const row of rows) {
      if (row.seq !== records + 1) return { records, head, problem: `Record ${records + 1} is missing.` };
      if (row.previous !== head || row.digest !== digestOfRecord(row))
        return { records, head, problem: `Record ${row.seq} was changed.` };
      records = row.seq;
      head = row.digest;
      wasSeen ||= head === expected;
    }
    if (rows.length < batch) break;
  }
  const end = await context.tables().selectFrom('audit_head').selectAll().executeTakeFirst();
  if ((end?.records ?? 0) !== records || (end?.digest ?? beginning) !== head)
    return { records, head, problem: `Records after ${records} are missing.` };
  if (!wasSeen) return { records, head, problem: 'The digest that you named is not in the chain.' };
  return { records, head };
}
