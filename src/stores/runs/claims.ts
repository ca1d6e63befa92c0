import type { Clock } from '../../base/clock.ts';
import { isGone } from '../../base/durable/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Command } from './command.ts';
import type { RunTables } from './tables.ts';

export interface Claim {
  command: Command;
  session: string;
  /** Grows with every take-over: an answer that carries an older one is late. */
  epoch: number;
}

export interface ClaimRequest {
  owner: string;
  leaseMilliseconds: number;
  /** How many commands of each session are at work in this process: the session with the fewest goes first. */
  busy: ReadonlyMap<string, number>;
  perSession: number;
}

/**
 * The next command that may be executed, leased to the owner. A person answers an `ask`: it is never claimed. A lease is taken over
 * when it has expired, or at once when the process that held it has ended on this machine.
 */
export async function claimCommand(
  library: Library,
  clock: Clock,
  request: ClaimRequest,
): Promise<Claim | undefined> {
  const now = clock.now();
  const db = library.tables<RunTables>();
  const rows = await db
    .selectFrom('run_commands')
    .select(['id', 'session_id', 'status', 'owner', 'expires_at', 'epoch', 'lane', 'created_at', 'body'])
    .where('status', 'in', ['open', 'leased'])
    .where('kind', '!=', 'ask')
    .where('due_at', '<=', now)
    .orderBy('lane')
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .execute();
  const load = (session: string) => request.busy.get(session) ?? 0;
  const candidates = rows
    .filter((row) => row.status === 'open' || row.expires_at < now || isGone(row.owner))
    .filter((row) => load(row.session_id) < request.perSession)
    .toSorted((left, right) => load(left.session_id) - load(right.session_id) || left.lane - right.lane);
  for (const row of candidates) {
    const epoch = await lease(library, row, request, now);
    if (epoch !== undefined) return { command: JSON.parse(row.body), session: row.session_id, epoch };
  }
  return undefined;
}

/** Undefined where another process was faster, or another command of the same key is being executed. */
async function lease(
  library: Library,
  row: { id: string; epoch: number },
  { owner, leaseMilliseconds }: ClaimRequest,
  now: number,
): Promise<number | undefined> {
  const epoch = Number(row.epoch) + 1;
  try {
    const taken = await library.write(() =>
      library
        .tables<RunTables>()
        .updateTable('run_commands')
        .set({ status: 'leased', owner, epoch, expires_at: now + leaseMilliseconds })
        .where('id', '=', row.id)
        .where('epoch', '=', row.epoch)
        .where('status', 'in', ['open', 'leased'])
        .returning('id')
        .executeTakeFirst(),
    );
    return taken && epoch;
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Error &&
  (/UNIQUE constraint/.test(error.message) || ('code' in error && error.code === '23505'));

/** False where the lease was lost: the work has to stop. */
export async function renewClaim(
  library: Library,
  { id, owner, until }: { id: string; owner: string; until: number },
): Promise<boolean> {
  const row = await library.write(() =>
    library
      .tables<RunTables>()
      .updateTable('run_commands')
      .set({ expires_at: until })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('status', '=', 'leased')
      .returning('id')
      .executeTakeFirst(),
  );
  return row !== undefined;
}

/** Gives a command back unanswered, for whoever comes next. */
export async function releaseClaim(
  library: Library,
  { id, owner }: { id: string; owner: string },
): Promise<void> {
  await library.write(() =>
    library
      .tables<RunTables>()
      .updateTable('run_commands')
      .set({ status: 'open', owner: '', expires_at: 0 })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('status', '=', 'leased')
      .execute(),
  );
}
