import type { Transaction } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { redactValue } from '../../base/redact.ts';
import type { Approval, ApprovalEvent, ApprovalRequest, StandingOffer } from './approval.ts';
import type { ApprovalsContext } from './context.ts';
import { approvalOf, getRow } from './query.ts';
import { approvalPrompt, kindOf } from './reason-text.ts';
import { keepStanding, standingOf } from './standing.ts';
import type { ApprovalRow, ApprovalTables } from './tables.ts';

/** An open request is stored once: a repeated request returns the waiting one. */
export async function request(context: ApprovalsContext, asked: ApprovalRequest): Promise<Approval> {
  const now = context.clock.now();
  const { approval, isNew } = await context.tables.transaction().execute(async (tables) => {
    const waiting = await tables
      .selectFrom('approvals')
      .selectAll()
      .where('digest', '=', asked.digest)
      .where('repository', '=', asked.repository)
      .where('status', '=', 'pending')
      .where('expires_at', '>', isoTime(now))
      .executeTakeFirst();
    if (waiting) return { approval: approvalOf(waiting, isoTime(now)), isNew: false };
    const row: ApprovalRow = {
      id: newId('apr', now),
      kind: kindOf(asked.reason),
      repository: asked.repository,
      requested_by: asked.requestedBy,
      reason: JSON.stringify(redactValue(asked.reason)),
      prompt: approvalPrompt(redactValue(asked.reason)),
      targets: JSON.stringify(redactValue(asked.targets)),
      digest: asked.digest,
      files: asked.files ?? null,
      bytes: asked.bytes ?? null,
      status: 'pending',
      requested_at: isoTime(now),
      expires_at: isoTime(now + context.expireHours * 3_600_000),
      answered_at: null,
      answered_by: null,
      note: null,
      used_at: null,
      claimed_pid: null,
      claimed_at: null,
      always: offerText(asked.always),
    };
    await tables.insertInto('approvals').values(row).execute();
    await record(tables, row.id, {
      at: row.requested_at,
      event: 'requested',
      by: asked.requestedBy,
      note: null,
    });
    return { approval: approvalOf(row, isoTime(now)), isNew: true };
  });
  if (isNew) context.told?.(approval);
  return approval;
}

/** What has a secret in it is not kept, so nothing could be held against it later. */
function offerText(offers: StandingOffer[] = []): string | null {
  const text = JSON.stringify(offers);
  return offers.length === 0 || JSON.stringify(redactValue(offers)) !== text ? null : text;
}

export interface Answer {
  decision: 'approved' | 'denied';
  /** A person, or `policy`. */
  by: string;
  note?: string | undefined;
  /** Holds from now on; with `begins`, for every command that begins with these words. */
  always?: { begins?: string | undefined } | undefined;
}

/** An answer is final: a second one is refused. */
export async function answer(
  context: ApprovalsContext,
  id: string,
  { decision, by, note, always }: Answer,
): Promise<Approval> {
  const now = isoTime(context.clock.now());
  const answered = await context.tables.transaction().execute(async (tables) => {
    const row = await getRow({ ...context, tables }, id);
    const { status } = approvalOf(row, now);
    if (status !== 'pending') {
      throw new SylkError('CONFLICT', `Approval ${id} is no longer open: it is ${status}.`, {
        hint: status === 'expired' ? 'Request it again.' : 'An answer cannot be changed. Request it again.',
        data: { status, answered_by: row.answered_by },
      });
    }
    const change = { status: decision, answered_at: now, answered_by: by, note: note ?? null };
    await tables.updateTable('approvals').set(change).where('id', '=', id).execute();
    await record(tables, id, { at: now, event: decision, by, note: note ?? null });
    if (always)
      await keepStanding(tables, standingOf(approvalOf(row, now), always.begins), { at: now, by, decision });
    return approvalOf({ ...row, ...change }, now);
  });
  context.told?.(answered);
  return answered;
}

export async function record(
  tables: Transaction<ApprovalTables> | ApprovalsContext['tables'],
  approvalId: string,
  event: ApprovalEvent,
): Promise<void> {
  await tables
    .insertInto('approval_events')
    .values({ approval_id: approvalId, ...event })
    .execute();
}
