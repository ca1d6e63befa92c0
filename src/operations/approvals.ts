import { z } from 'zod';
import { pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import { type OperationContext, operation } from './operation.ts';
import { repositoryTrust } from './repository-trust.ts';

const approvalOutput = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(['pending', 'approved', 'denied', 'used', 'expired']),
  prompt: z.string(),
  targets: z.array(
    z.object({
      kind: z.string(),
      target: z.string(),
      resolved: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  digest: z.string(),
  files: z.number().nullable(),
  bytes: z.number().nullable(),
  repository: z.string(),
  requested_by: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  answered_at: z.string().nullable(),
  answered_by: z.string().nullable(),
  note: z.string().nullable(),
  used_at: z.string().nullable(),
});
type ApprovalOutput = z.output<typeof approvalOutput>;

const describeApproval = (approval: ApprovalOutput): string =>
  [
    `${approval.id}  ${approval.status}  ${approval.prompt}`,
    ...approval.targets.map(({ kind, target, resolved, note }) =>
      ['   ', kind, target, resolved && `at ${resolved}`, note && `(${note})`].filter(Boolean).join(' '),
    ),
    `    asked by ${approval.requested_by} ${approval.requested_at}, holds until ${approval.expires_at}`,
    ...(approval.answered_by
      ? [
          `    ${approval.answered_by} answered ${approval.answered_at}${approval.note ? `: ${approval.note}` : ''}`,
        ]
      : []),
  ].join('\n');

const listApprovals = operation({
  name: 'list_approvals',
  summary: 'What waits for a person to approve or deny, with its exact targets, size and expiry.',
  effect: 'read',
  input: z.object({
    status: z
      .enum(['pending', 'approved', 'denied', 'used', 'expired', 'all'])
      .default('pending')
      .describe('which ones'),
    ...pagingInput,
  }),
  output: z.object({ approvals: z.array(approvalOutput), ...pagingOutput }),
  examples: [{}, { status: 'all' }],
  render: ({ approvals }) =>
    approvals.length === 0 ? 'Nothing is waiting.' : approvals.map(describeApproval).join('\n\n'),
  run: async (input, { app }) => {
    const { status } = input;
    const found = await (await app.approvals()).list(status === 'all' ? {} : { status });
    const { items, ...rest } = await pageOf(found, input);
    return { approvals: items, total: rest.total, next_cursor: rest.next_cursor };
  },
});

const getApproval = operation({
  name: 'get_approval',
  summary: 'One approval request with everything that happened to it.',
  effect: 'read',
  input: z.object({ approval_id: z.string() }),
  output: approvalOutput.extend({
    events: z.array(
      z.object({ at: z.string(), event: z.string(), by: z.string(), note: z.string().nullable() }),
    ),
  }),
  examples: [{ approval_id: 'apr_0' }],
  command: { positionals: ['approval_id'] },
  render: (approval) =>
    [
      describeApproval(approval),
      ...approval.events.map(
        ({ at, event, by, note }) => `    ${at}  ${event}  ${by}${note ? `  ${note}` : ''}`,
      ),
    ].join('\n'),
  run: async ({ approval_id }, { app }) => (await app.approvals()).get(approval_id),
});

const decision = {
  approval_id: z.string().describe('as shown by `sylk approvals`'),
  note: z.string().max(500).optional().describe('a word to whoever asked'),
};

const decide =
  (answer: 'approved' | 'denied') =>
  async (
    { approval_id, note }: { approval_id: string; note?: string | undefined },
    { app, caller }: OperationContext,
  ) =>
    (await app.approvals()).answer(approval_id, { decision: answer, by: caller.name, note });

const approve = operation({
  name: 'approve',
  summary: 'Approve one waiting request, exactly as it stands. It holds once; nothing is carried out yet.',
  effect: 'decide',
  input: z.object(decision),
  output: approvalOutput,
  examples: [{ approval_id: 'apr_0' }],
  command: { positionals: ['approval_id'] },
  render: describeApproval,
  consent: async ({ approval_id }, app) => {
    const approvals = await app.approvals();
    const { files, bytes, ...approval } = await approvals.get(approval_id);
    const allowed = approvals.allows({ ...approval, files: files ?? undefined, bytes: bytes ?? undefined });
    return { shown: describeApproval({ ...approval, files, bytes }), allowed };
  },
  run: decide('approved'),
});

const deny = operation({
  ...approve,
  name: 'deny',
  summary: 'Deny one waiting request. Whoever asked is told, with your note.',
  run: decide('denied'),
});

export const operations = [listApprovals, getApproval, approve, deny, ...repositoryTrust];
