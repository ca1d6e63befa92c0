import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { isRunning } from '../../base/process/index.ts';
import type { ApprovalsContext } from './context.ts';
import { record } from './ingest.ts';
import { approvalOf, getRow } from './query.ts';
import type { ApprovalRow } from './tables.ts';

/** The right to do the approved work now. `done` uses it up; work that fails or is killed returns it. */
export interface Permit {
  approvalId: string;
  done(): Promise<void>;
  release(why: string): Promise<void>;
}

const longestWorkMs = 2 * 3_600_000;

/** One process at a time carries out an approval. The claim of a dead process is void. */
export async function claim(
  context: ApprovalsContext,
  id: string,
  digest: string,
  by: string,
): Promise<Permit> {
  const now = isoTime(context.clock.now());
  const refused = await context.tables.transaction().execute(async (tables) => {
    const row = await getRow({ ...context, tables }, id);
    const why = refusalOf(context, row, digest);
    const event = why
      ? { at: now, event: 'refused' as const, by, note: why.message }
      : { at: now, event: 'started' as const, by, note: null };
    if (!why) {
      const holder = { claimed_pid: process.pid, claimed_at: now };
      await tables.updateTable('approvals').set(holder).where('id', '=', id).execute();
    }
    await record(tables, id, event);
    return why;
  });
  if (refused) throw refused;
  const settle = async (change: Partial<ApprovalRow>, event: 'used' | 'released', note: string | null) => {
    const at = isoTime(context.clock.now());
    await context.tables.transaction().execute(async (tables) => {
      await tables.updateTable('approvals').set(change).where('id', '=', id).execute();
      await record(tables, id, { at, event, by, note });
    });
  };
  const free = { claimed_pid: null, claimed_at: null };
  return {
    approvalId: id,
    done: () => settle({ ...free, status: 'used', used_at: isoTime(context.clock.now()) }, 'used', null),
    release: (why) => settle(free, 'released', why),
  };
}

function refusalOf(context: ApprovalsContext, row: ApprovalRow, digest: string): SylkError | undefined {
  const { status } = approvalOf(row, isoTime(context.clock.now()));
  const data = { approval_id: row.id, status };
  if (status === 'denied') {
    const why = row.note ? `: ${row.note}` : '.';
    return new SylkError('DENIED', `The request was denied${why}`, {
      hint: 'Request less: for a repository, retry with `paths` such as README.md, docs/ and examples/.',
      data,
    });
  }
  if (status === 'pending') {
    return new SylkError('APPROVAL_REQUIRED', `Approval ${row.id} is still waiting for an answer.`, {
      hint: `Ask the person to run \`sylk approve ${row.id}\`.`,
      data,
    });
  }
  if (status !== 'approved') {
    const spent = status === 'used' ? 'has been used; it works once' : 'has expired';
    return new SylkError('CONFLICT', `Approval ${row.id} ${spent}.`, {
      hint: 'Call again without approval_id to request a new one.',
      data,
    });
  }
  if (row.digest !== digest) {
    return new SylkError('CONFLICT', `Approval ${row.id} was given for a different request.`, {
      hint: 'Call again without approval_id to request a new one.',
      data: { ...data, changed: true },
    });
  }
  if (isHeld(context, row)) {
    return new SylkError('CONFLICT', `Approval ${row.id} is in use right now.`, {
      hint: 'Wait until the current work ends.',
      data,
    });
  }
  return undefined;
}

function isHeld(context: ApprovalsContext, row: ApprovalRow): boolean {
  if (row.claimed_pid === null || row.claimed_at === null) return false;
  return context.clock.now() - Date.parse(row.claimed_at) <= longestWorkMs && isRunning(row.claimed_pid);
}
