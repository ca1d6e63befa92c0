import type { Clock } from '../../base/clock.ts';
import { isAliveHere, isGone } from '../../base/durable/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Command, CommandKind } from './command.ts';
import { runFormat } from './folded-state.ts';
import type { RunTables } from './tables.ts';

export interface Claim {
  command: Command;
  run: string;
  session: string;
  /** Grows with every take-over: an answer that carries an older one is late. */
  epoch: number;
  /** Whether more commands could have been claimed. */
  othersWait: boolean;
}

export interface ClaimRequest {
  owner: string;
  /** Kinds that the owner executes. What it does not know, a later version asked for, and waits for that version. */
  kinds: CommandKind[];
  leaseMilliseconds: number;
  /** How many commands of each session are at work in this process: the session with the fewest goes first. */
  busy: ReadonlyMap<string, number>;
  /** When each session was last served, as a number that grows: of those with as few, the one that waited longest goes first. */
  lastServed?: ReadonlyMap<string, number>;
  perSession: number;
  /** Commands of this run only. */
  run?: string | undefined;
  /** This command only. */
  command?: string | undefined;
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
  const rows = await claimable(library, now, request);
  const load = (session: string) => request.busy.get(session) ?? 0;
  const last = (session: string) => request.lastServed?.get(session) ?? 0;
  const candidates = rows.toSorted(
    (left, right) =>
      load(left.session_id) - load(right.session_id) ||
      last(left.session_id) - last(right.session_id) ||
      left.lane - right.lane,
  );
  for (const row of candidates) {
    const epoch = await lease(library, row, request, clock);
    if (epoch === undefined) continue;
    const { body, run_id: run, session_id: session } = row;
    return { command: JSON.parse(body), run, session, epoch, othersWait: rows.length > 1 };
  }
  return undefined;
}

/** A process of this machine that runs and does not renew is slow, or the machine slept: it gets this many leases more. */
const patience = 20;

/** The first commands of every session that has room, so that a session with many hides no other. */
async function claimable(
  library: Library,
  now: number,
  { kinds, busy, perSession, leaseMilliseconds, run, command }: ClaimRequest,
) {
  const db = library.tables<RunTables>();
  const owners = await db
    .selectFrom('run_commands')
    .select('owner')
    .distinct()
    .where('status', '=', 'leased')
    .execute();
  const gone = owners.map(({ owner }) => owner).filter(isGone);
  const full = [...busy].filter(([, count]) => count >= perSession).map(([session]) => session);
  const ranked = db
    .selectFrom('run_commands')
    .innerJoin('runs', 'runs.id', 'run_commands.run_id')
    .select(['run_commands.id', 'run_commands.session_id', 'run_commands.status', 'epoch', 'lane', 'body'])
    .select('run_id')
    .select(['owner', 'expires_at'])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy('run_commands.session_id')
            .orderBy('lane')
            .orderBy('run_commands.created_at')
            .orderBy('run_commands.id'),
        )
        .as('place'),
    )
    .where('run_commands.kind', 'in', kinds)
    .where('due_at', '<=', now)
    .where('runs.format', '<=', runFormat)
    .where(({ eb, or, and }) =>
      or([
        eb('run_commands.status', '=', 'open'),
        and([
          eb('run_commands.status', '=', 'leased'),
          or([eb('expires_at', '<', now), eb('owner', 'in', [...gone, ''])]),
        ]),
      ]),
    )
    .$if(full.length > 0, (query) => query.where('run_commands.session_id', 'not in', full))
    .$if(run !== undefined, (query) => query.where('run_id', '=', run ?? ''))
    .$if(command !== undefined, (query) => query.where('run_commands.id', '=', command ?? ''));
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', 20)
    .orderBy('place')
    .orderBy('id')
    .limit(500)
    .execute();
  // Looked at after they were read: a lease may be newer than the list of owners above.
  const hasPatience = (row: { status: string; owner: string; expires_at: number }) =>
    row.status === 'leased' &&
    Number(row.expires_at) >= now - patience * leaseMilliseconds &&
    isAliveHere(row.owner);
  return rows.filter((row) => !hasPatience(row));
}

/** Undefined where another process was faster, or another command of the same key is being executed. */
async function lease(
  library: Library,
  row: { id: string; epoch: number },
  { owner, leaseMilliseconds }: ClaimRequest,
  clock: Clock,
): Promise<number | undefined> {
  const epoch = Number(row.epoch) + 1;
  try {
    const taken = await library.write(() =>
      library
        .tables<RunTables>()
        .updateTable('run_commands')
        .set({ status: 'leased', owner, epoch, expires_at: clock.now() + leaseMilliseconds })
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

/** Renews every lease of an owner. What is not among the ids that come back was lost: work on it has to stop. */
export async function renewClaims(library: Library, owner: string, until: number): Promise<Set<string>> {
  const rows = await library.write(() =>
    library
      .tables<RunTables>()
      .updateTable('run_commands')
      .set({ expires_at: until })
      .where('owner', '=', owner)
      .where('status', '=', 'leased')
      .returning('id')
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
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

/** Whether a process works on a run: one that has ended, or has not renewed its leases from elsewhere, does not. */
export async function isHeld(library: Library, run: string, now: number): Promise<boolean> {
  const rows = await library
    .tables<RunTables>()
    .selectFrom('run_commands')
    .select(['owner', 'expires_at'])
    .where('run_id', '=', run)
    .where('status', '=', 'leased')
    .execute();
  return rows.some(
    ({ owner, expires_at }) => isAliveHere(owner) || (!isGone(owner) && Number(expires_at) >= now),
  );
}
