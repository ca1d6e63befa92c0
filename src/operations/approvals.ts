import { z } from 'zod';
import type { App } from '../app.ts';
import { pageOf, pagingInput, pagingOutput } from '../base/paging.ts';
import {
  type Approvals,
  approvalEventSchema,
  approvalSchema,
  approvalStatuses,
  type Standing,
  standingSchema,
} from '../stores/approvals/index.ts';
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

/** In a team, what agents of its runs ask is in its library, and everything else in the person's own. */
const storesOf = async (app: App): Promise<Approvals[]> => [
  ...new Set([(await app.questions()).approvals, await app.approvals()]),
];

async function storeWith(app: App, id: string): Promise<Approvals> {
  const own = await app.approvals();
  for (const store of await storesOf(app)) if (await store.has(id)) return store;
  return own;
}

export const getApproval = async (app: App, id: string) => (await storeWith(app, id)).get(id);

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
    if (id !== undefined) {
      const approval = await getApproval(app, id);
      return { approvals: [approval], total: 1, ...approval };
    }
    const stores = await storesOf(app);
    const found = await Promise.all(stores.map((store) => store.list(status === 'all' ? {} : { status })));
    const { items, total, next_cursor } = await pageOf(found.flat(), input);
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
    always: z
      .boolean()
      .default(false)
      .describe('hold to the answer for exactly this command or path from now on, in this repository'),
    begins: z
      .string()
      .max(1000)
      .optional()
      .describe('with always: for every command that begins with these words'),
  }),
  output: approvalSchema,
  examples: [{ approval_id: 'apr_0' }],
  command: { positionals: ['approval_id'] },
  render: describeApproval,
  consent: async ({ approval_id, always, begins, answer }, app) => {
    const approvals = await storeWith(app, approval_id);
    const { files, bytes, ...approval } = await approvals.get(approval_id);
    const allowed = approvals.allows({ ...approval, files: files ?? undefined, bytes: bytes ?? undefined });
    const what = approval.always.map(({ tool, command, path }) => `${tool} ${begins ?? command ?? path}`);
    const more = always
      ? [`    and from now on, in this repository${answer === 'denied' ? ', never' : ''}: ${what.join('; ')}`]
      : [];
    const shown = [describeApproval({ ...approval, files, bytes }), ...more].join('\n');
    return { shown, allowed: allowed && !always };
  },
  run: async ({ approval_id, answer, note, always, begins }, { app, caller }) =>
    (await storeWith(app, approval_id)).answer(approval_id, {
      decision: answer,
      by: caller.name,
      note,
      always: always ? { begins } : undefined,
    }),
});

const describeStanding = ({ id, tool, command, path, exact, decision, given_by, given_at }: Standing) =>
  `${id}  ${decision === 'denied' ? 'never ' : ''}${tool} ${command ?? path}${exact ? '' : ' …'}  (${given_by}, ${given_at})`;

const listStanding = operation({
  name: 'list_standing_permissions',
  summary: 'What you allowed or refused agents always in this repository, when they asked for it.',
  effect: 'read',
  input: z.object({ all: z.boolean().default(false).describe('of all repositories'), ...pagingInput }),
  output: z.object({ permissions: z.array(standingSchema), ...pagingOutput }),
  examples: [{}],
  render: ({ permissions }) =>
    permissions.map(describeStanding).join('\n') || 'Nothing is allowed or refused always.',
  run: async ({ all, ...paging }, { app }) => {
    const { approvals, repository } = await app.questions();
    const found = await approvals.standing(all ? undefined : repository);
    const { items, total, next_cursor } = await pageOf(found, paging);
    return { permissions: items, total, next_cursor };
  },
});

const endStanding = operation({
  name: 'end_standing_permission',
  summary: 'Takes back what you allowed always: agents ask for it again.',
  effect: 'setup',
  input: z.object({ id: z.string().describe('as shown by `sylk approvals always`') }),
  output: z.object({ ended: z.string() }),
  examples: [{ id: 'perm_0' }],
  command: { positionals: ['id'] },
  render: ({ ended }) => `${ended} has ended.`,
  run: async ({ id }, { app }) => {
    await (await app.questions()).approvals.endStanding(id);
    return { ended: id };
  },
});

export const operations = [listApprovals, approve, listStanding, endStanding, ...repositoryTrust];
