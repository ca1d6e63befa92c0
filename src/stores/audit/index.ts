// Owns: the record of who wrote, decided, approved or was refused what, in a chain of digests that nobody changes unseen.
// Knows: base only.
// Must not know: which operations are recorded, or who may read the records.
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { AuditContext } from './context.ts';
import { recordAudit } from './ingest.ts';
import { exportAudit, listAudit, verifyAudit } from './query.ts';
import { type AuditTables, migrations } from './tables.ts';

export { type AuditRecord, auditOutcomes, auditSchema } from './audit-record.ts';

export type Audit = ReturnType<typeof openAudit>;

export function openAudit({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(migrations);
  const context: AuditContext = { library, tables: () => library.tables<AuditTables>(), clock };
  return bindAll(context, { record: recordAudit, list: listAudit, export: exportAudit, verify: verifyAudit });
}
