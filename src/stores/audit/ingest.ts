import { isoTime } from '../../base/clock.ts';
import { type AuditRecord, beginning, digestOfRecord } from './audit-record.ts';
import type { AuditContext } from './context.ts';

export type NewAuditRecord = Omit<AuditRecord, 'seq' | 'at' | 'previous' | 'digest'>;

/** In one transaction with the end of the chain: writers wait for each other, so that no two records follow the same one. */
export async function recordAudit(
  { library, tables, clock }: AuditContext,
  given: NewAuditRecord,
): Promise<AuditRecord> {
  return library.write(async () => {
    const head = await tables().selectFrom('audit_head').select(['records', 'digest']).executeTakeFirst();
    const unsigned = {
      ...given,
      seq: (head?.records ?? 0) + 1,
      at: isoTime(clock.now()),
      previous: head?.digest ?? beginning,
      digest: '',
    };
    const record = { ...unsigned, digest: digestOfRecord(unsigned) };
    const end = { records: record.seq, digest: record.digest };
    await library.post(tables().insertInto('audit').values(record));
    await library.post(
      tables()
        .insertInto('audit_head')
        .values({ id: 1, ...end })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(end)),
    );
    return record;
  });
}
