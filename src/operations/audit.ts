import { z } from 'zod';
import { pagingInput, pagingOutput } from '../base/paging.ts';
import { type AuditRecord, auditOutcomes, auditSchema } from '../stores/audit/index.ts';
import { type OperationContext, operation } from './operation.ts';
import { repositoryName } from './rights.ts';

const filter = {
  name: z.string().max(64).optional().describe('of this member, and of agents that work for it'),
  operation: z.string().max(64).optional(),
  outcome: z.enum(auditOutcomes).optional(),
};

/** A member reads records of the repository it is admin of; whoever is at the terminal of the server reads all. */
const placeOf = ({ app, caller }: OperationContext) => ({
  repositories: caller.access ? [repositoryName(app)] : undefined,
});

const words: Record<AuditRecord['outcome'], string> = { began: '', failed: 'failed: ', refused: 'refused: ' };

const recordLine = (record: AuditRecord): string =>
  `${record.seq}  ${record.at}  ${record.name}${record.person ? ` (for ${record.person})` : ''}  ${record.operation} in ${record.repository}  ${words[record.outcome]}${record.note || record.input.slice(0, 100)}`;

const listAudit = operation({
  name: 'list_audit',
  summary: 'Who wrote, decided, approved or was refused what in the team, newest first.',
  effect: 'read',
  input: z.object({ ...filter, limit: z.coerce.number().int().min(1).max(500).default(50), ...pagingInput }),
  output: z.object({ records: z.array(auditSchema), ...pagingOutput }),
  examples: [{}],
  render: ({ records }) => records.map(recordLine).join('\n') || 'Nothing is recorded yet.',
  run: async ({ cursor, limit, max_tokens: _, ...asked }, context) => {
    const offset = Number(cursor ?? 0) || 0;
    const audit = await context.app.audit();
    const { items, total } = await audit.list({ ...asked, ...placeOf(context), offset, limit });
    const next = offset + items.length;
    return { records: items, total, next_cursor: next < total ? String(next) : undefined };
  },
});

const exportAudit = operation({
  name: 'export_audit',
  summary:
    'Records of the audit as JSON, one a line, oldest first, each with its digest and the one before it.',
  effect: 'read',
  input: z.object({
    ...filter,
    after: z.coerce.number().int().min(0).default(0).describe('records after this number'),
    limit: z.coerce.number().int().min(1).max(100_000).default(10_000),
  }),
  output: z.object({ records: z.array(auditSchema), last: z.number() }),
  examples: [{}],
  render: ({ records }) => records.map((record) => JSON.stringify(record)).join('\n'),
  run: async (input, context) => {
    const records = await (await context.app.audit()).export({ ...input, ...placeOf(context) });
    return { records, last: records.at(-1)?.seq ?? input.after };
  },
});

const verifyAudit = operation({
  name: 'verify_audit',
  summary: 'Reads the whole audit and tells the first record that was changed or removed.',
  effect: 'read',
  input: z.object({
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('a digest that you noted earlier: it has to be in the chain'),
  }),
  output: z.object({ records: z.number(), head: z.string(), problem: z.string().optional() }),
  examples: [{}],
  command: { positionals: ['head'] },
  render: ({ records, head, problem }) =>
    problem ??
    `${records} records, none changed. Note the digest elsewhere and verify against it later:\n${head}`,
  isFailure: ({ problem }) => problem !== undefined,
  run: async ({ head }, { app }) => (await app.audit()).verify(head),
});

export const operations = [listAudit, exportAudit, verifyAudit];
