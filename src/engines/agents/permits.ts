import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SylkError } from '../../base/errors.ts';
import type { Approvals, PermitRequest, StandingOffer } from '../../stores/approvals/index.ts';
import type { Step } from '../../stores/transcripts/index.ts';
import type { Rule } from './config/index.ts';
import { judge } from './policy.ts';
import type { Brief, Permission } from './worker.ts';

export interface PermitsContext {
  approvals: Approvals;
  /** Path of the repository, which an approval belongs to. */
  repository: string;
  rules: Rule[];
  /** Commands that the project itself is checked with. */
  known: string[];
  isConfined: boolean;
  /** How long a person has to answer. */
  waitMs: number;
  pollMs?: number | undefined;
}

interface Asking {
  isTainted: boolean;
  signal: AbortSignal;
  by: Brief;
  note(step: Step): Promise<unknown>;
}

/** The fixed stage after all hooks: policy over the final input, then a person where policy says so. */
export function createPermits(context: PermitsContext) {
  /** Asked once: the same call again needs no second answer from the same person. */
  const granted = new Set<string>();
  return {
    async require(permission: Permission, asking: Asking): Promise<void> {
      const { isTainted } = asking;
      const byRules = judge(permission, { ...context, isTainted });
      // Read each time: what a person takes back is asked for again at once.
      const standing = byRules.always ? await context.approvals.standing(context.repository) : [];
      const judged = standing.length > 0 ? judge(permission, { ...context, isTainted, standing }) : byRules;
      if (judged !== byRules && judged.verdict === 'allow')
        await asking.note({ kind: 'note', about: 'policy', text: `${permission.tool}: ${judged.reason}` });
      const isAsked =
        judged.verdict === 'ask' || (judged.verdict === 'allow' && permission.ask !== undefined);
      if (judged.verdict === 'deny') throw refused(permission, judged.reason);
      const digest = digestOf(permission, asking.by);
      if (!isAsked || granted.has(digest)) return;
      const reason = permission.ask ?? judged.reason;
      // What a hook of the person asks for is asked each time.
      const always = permission.ask === undefined ? judged.always : undefined;
      await askPerson(context, permission, { ...asking, digest, reason, always });
      granted.add(digest);
    },
  };
}

export type Permits = ReturnType<typeof createPermits>;

const digestOf = ({ tool, input }: Permission, { run, node }: Brief): string =>
  createHash('sha256')
    .update(JSON.stringify([run, node, tool, input]))
    .digest('hex');

const refused = ({ tool }: Permission, why: string): SylkError =>
  new SylkError('DENIED', `${tool} was refused: ${why}.`, {
    hint: 'Find another way, or ask with request_help.',
  });

const wishes: Record<Permission['effect'], string> = {
  read: 'read something',
  change: 'change a file',
  command: 'run a command',
  library: 'write to the memory',
  fetch: 'reach outside this machine',
  end: 'end its work',
};

/** An ask is a row that every surface shows. It holds for exactly this input, once, and it never waits for ever. */
async function askPerson(
  { approvals, repository, waitMs, pollMs = 500 }: PermitsContext,
  permission: Permission,
  {
    by,
    note,
    signal,
    reason,
    digest,
    always,
  }: Asking & { reason: string; digest: string; always: StandingOffer[] | undefined },
): Promise<void> {
  const target = permission.command ?? permission.paths?.join(', ') ?? JSON.stringify(permission.input);
  const request: PermitRequest = {
    reason: {
      type: 'other',
      kind: 'AGENT_TOOL',
      title: `The ${by.role} wants to ${wishes[permission.effect]}`,
      summary: `${reason} (task: ${by.task.split('\n', 1)[0]})`,
    },
    targets: [{ kind: permission.effect, target, note: permission.tool }],
    digest,
    always,
    repository,
    requestedBy: `${by.role} of ${by.run}`,
  };
  const until = Date.now() + waitMs;
  let isNoted = false;
  for (;;) {
    const outcome = await approvals.permit(request).catch((error) => error);
    if (!(outcome instanceof Error)) return outcome.done();
    if (!(outcome instanceof SylkError)) throw outcome;
    if (outcome.code === 'DENIED' || outcome.code === 'CONFLICT')
      throw refused(permission, 'a person or a rule denied it');
    if (outcome.code !== 'APPROVAL_REQUIRED') throw outcome;
    const id = String(outcome.data?.approval_id ?? '');
    if (!isNoted)
      await note({ kind: 'note', about: `approval ${id}`, text: `Waits for a person: ${target}` });
    isNoted = true;
    const answer = await waitForAnswer(approvals, id, { until, pollMs, signal });
    if (answer !== 'approved')
      throw refused(permission, answer === 'denied' ? 'the person said no' : 'nobody answered in time');
  }
}

async function waitForAnswer(
  approvals: Approvals,
  id: string,
  { until, pollMs, signal }: { until: number; pollMs: number; signal: AbortSignal },
): Promise<string> {
  for (;;) {
    const { status } = await approvals.get(id);
    if (status !== 'pending' || Date.now() >= until) return status;
    await sleep(pollMs, undefined, { signal });
  }
}
