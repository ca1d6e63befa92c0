import { createHash } from 'node:crypto';
import { z } from 'zod';

/** `began`: it was allowed, and was written down before it ran. `failed` follows where it did not succeed. */
export const auditOutcomes = ['began', 'failed', 'refused'] as const;

export const auditSchema = z.object({
  seq: z.number(),
  at: z.string(),
  name: z.string().describe('of the member, or of the caller at a terminal of the server'),
  kind: z.enum(['person', 'agent', 'service', 'network']),
  person: z.string().describe('behind an agent; empty for others'),
  token: z.string().describe('id of the token; empty for a session or a terminal'),
  repository: z.string(),
  operation: z.string(),
  effect: z.string(),
  outcome: z.enum(auditOutcomes),
  call: z.string().describe('joins the records of one call'),
  input: z.string().describe('without secrets, cut after 2,000 characters'),
  note: z.string().describe('why it failed or was refused'),
  previous: z.string().describe('digest of the record before it'),
  digest: z.string().describe('of this record and the one before it'),
});
export type AuditRecord = z.output<typeof auditSchema>;

/** What stands before the first record. */
export const beginning = '0'.repeat(64);

/** Every field is in it, and the digest of the record before it: a change anywhere shows in everything after it. */
export function digestOfRecord({ digest: _, ...record }: AuditRecord): string {
  const fields = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
