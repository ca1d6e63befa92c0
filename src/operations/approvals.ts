import { z } from 'zod';
import { pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import { approvalEventSchema, approvalSchema, approvalStatuses } from '../stores/approvals/index.ts';
import { operation } from './operation.ts';
import { repositoryTrust } from './repository-trust.ts';

const approvalDetail = approvalSchema.extend({ events: z.array(approvalEventSchema).optional() });
type Detail = z.output<typeof approvalDetail>;

const describeApproval = ({ events = [], ...approval }: Detail): string =>
  [
    `${approval.id}  ${approval.status}  ${approval.prompt}`,
    ...approval.targets.map(({ kind, target, resolved, note }) =>
      ['   ', kind, target, resolved && `at ${resolved}`, note && `(${note})`].filter(Boolean).join(' '),
    ),
    `    requested by ${approval.requested_by} ${approval.requested_at}, expires ${approval.expires_at}`,
    ...(approval.answered_by
      ? [
          `    ${approval.answered_by} answered ${approval.answered_at}${approval.note ? `: ${approval.note}` : ''}`,
        ]
      : []),
    ...events.map(({ at, event, by, note }) => `    ${at}  ${event}  ${by}${note ? `  ${note}` : ''}`),
  ].join('\n');

const listApprovals = operation({
  name: 'list_approvals',
  summary: 'Requests that wait for a person to approve or deny, with their exact targets, size and expiry.',
  effect: 'read',
  input: z.object({
    status: z
      .enum([...approvalStatuses, 'all'])
      .default('pending')
      .describe('which requests to list'),
    id: z.string().optional().describe('show this request with its full history'),
    ...pagingInput,
  }),
  output: z.object({
    approvals: z.array(approvalDetail),
    ...pagingOutput,
    ...approvalDetail.partial().shape,
  }),
  examples: [{}, { status: 'all' }],
  render: ({ approvals }) => approvals.map(describeApproval).join('\n\n') || 'No requests are waiting.',
  run: async (input, { app }) => {
    const { status, id } = input;
    const store = await app.approvals();
    if (id !== undefined) {
      const approval = await store.get(id);
      return { approvals: [approval], total: 1, ...approval };
    }
    const found = await store.list(status === 'all' ? {} : { status });
    const { items, total, next_cursor } = await pageOf(found, input);
    return { approvals: items, total, next_cursor };
  },
});

const approve = operation({
  name: 'approve',
  summary:
    'Approve one waiting request exactly as shown, or deny it. An approval works once; it does not run the request yet. The requester gets the decision and your note.',
  effect: 'decide',
  input: z.object({
    approval_id: z.string().describe('as shown by `sylk approvals`'),
    answer: z.enum(['approved', 'denied']).default('approved'),
    note: z.string().max(500).optional().describe('a note for the requester'),
  }),
  output: approvalSchema,
  examples: [{ approval_id: 'apr_0' }],
  command: { positionals: ['approval_id'] },
  render: describeApproval,
  consent: async ({ approval_id }, app) => {
    const approvals = await app.approvals();
    const { files, bytes, ...approval } = await approvals.get(approval_id);
    const allowed = approvals.allows({ ...approval, files: files ?? undefined, bytes: bytes ?? undefined });
    return { shown: describeApproval({ ...approval, files, bytes }), allowed };
  },
  run: async ({ approval_id, answer, note }, { app, caller }) =>
    (await app.approvals()).answer(approval_id, { decision: answer, by: caller.name, note }),
});

export const operations = [listApprovals, approve, ...repositoryTrust];
