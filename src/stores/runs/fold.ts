import { hash } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import type { Command, CommandKind, Signal } from './command.ts';
import type { RunEvent } from './event.ts';
import { type FoldedState, runFormat } from './folded-state.ts';
import { headOf, readState, storeParts } from './state-parts.ts';
import type { RunTables } from './tables.ts';

export interface Folded<State extends FoldedState> {
  state: State;
  commands: Command[];
  signals: Signal[];
  withdrawn: string[];
  refused?: {
    code: 'NOT_FOUND' | 'CONFLICT' | 'INVALID_OPERATION' | 'VALIDATION_ERROR' | 'BLOCKED';
    message: string;
  };
}

/** A pure function: the same events give the same states and commands, whoever folds them. */
export type Decide<State extends FoldedState> = (state: State | undefined, event: RunEvent) => Folded<State>;

/** The last states that this process has folded: an event needs no reading where nobody else has gone on with the run. */
export type KnownStates<State extends FoldedState> = Map<string, { state: State; updatedAt: number }>;
const keptStates = 50;

export interface FoldContext<State extends FoldedState> {
  library: Library;
  decide: Decide<State>;
  states: KnownStates<State>;
}

/** Commands of an event that whoever caused it goes on with at once: leased in the same transaction. */
export interface Take {
  owner: string;
  until: number;
  kinds: readonly CommandKind[];
}

export interface Append {
  run: string;
  event: RunEvent;
  /** The same key again changes nothing and answers the state as it is. */
  key: string;
  take?: Take | undefined;
  /** The run as the caller has read it in the same write. */
  stored?: StoredRun | undefined;
}

/** What tells whether a state that is kept in memory is the newest. */
export type StoredRun = Pick<RunTables['runs'], 'number' | 'format' | 'updated_at'>;

/** `before` and `folded` are there where the event is new. */
export type Appended<State extends FoldedState> =
  | { state: State; before: State | undefined; folded: Folded<State>; taken: Command | undefined }
  | { state: State; folded?: never };

/**
 * Folds one event inside a write, which excludes all others of the library: the event is appended, and what has changed of the state
 * is stored with the commands that follow. A crash leaves all of it or nothing.
 */
export async function appendEvent<State extends FoldedState>(
  context: FoldContext<State>,
  { run, event, key, take, stored }: Append,
): Promise<Appended<State>> {
  const { library, decide } = context;
  const before = await stateBefore(context, run, stored);
  if (!before && event.type !== 'created')
    throw new SylkError('NOT_FOUND', `There is no run ${JSON.stringify(run)}.`, {
      hint: '`sylk runs` lists them.',
    });
  // An answer that was recorded has its command marked as answered, which was looked at before.
  if (before && event.type !== 'answered' && (await hasEvent(library, run, key))) return { state: before };
  const folded = decide(before, event);
  if (folded.refused) throw new SylkError(folded.refused.code, folded.refused.message);
  const { state, commands } = folded;
  await storeHead(library, state, event.at, before === undefined);
  // Before this format a state was stored as one: none of its parts is there yet.
  await storeParts(library, before?.format === runFormat ? before : undefined, state);
  await library.post(
    library
      .tables<RunTables>()
      .insertInto('run_events')
      .values({
        run_id: run,
        number: state.number,
        key,
        type: event.type,
        at: event.at,
        body: JSON.stringify(event),
      }),
  );
  await storeProposal(library, before, state, event.at);
  const taken = commands.find(({ kind, at = 0 }) => take?.kinds.includes(kind) && at <= event.at);
  await storeCommands(library, folded, event, taken && take && { id: taken.id, ...take });
  return { state, before, folded, taken };
}

/** Keeps the state of a run once it is committed. */
export function rememberState<State extends FoldedState>(
  { states }: FoldContext<State>,
  state: State,
  updatedAt: number,
): void {
  states.delete(state.run);
  states.set(state.run, { state, updatedAt });
  const [oldest] = states.keys();
  if (states.size > keptStates && oldest !== undefined) states.delete(oldest);
}

async function stateBefore<State extends FoldedState>(
  { library, states }: FoldContext<State>,
  run: string,
  stored: StoredRun | undefined,
): Promise<State | undefined> {
  const row =
    stored ??
    (await library
      .tables<RunTables>()
      .selectFrom('runs')
      .select(['number', 'format', 'updated_at'])
      .where('id', '=', run)
      .executeTakeFirst());
  if (!row) return undefined;
  if (Number(row.format) > runFormat)
    throw new SylkError('CONFLICT', `The run ${run} was continued by a later version of Sylk.`, {
      hint: 'Update Sylk to go on with it.',
    });
  const known = states.get(run);
  if (known?.state.number === Number(row.number) && known.updatedAt === Number(row.updated_at))
    return known.state;
  return readState(library, run);
}

async function hasEvent(library: Library, run: string, key: string): Promise<boolean> {
  const row = await library
    .tables<RunTables>()
    .selectFrom('run_events')
    .select('number')
    .where('run_id', '=', run)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

async function storeHead(library: Library, state: FoldedState, at: number, isNew: boolean): Promise<void> {
  const db = library.tables<RunTables>();
  const { run: id, session: session_id, prompt, status, phase, number, format } = state;
  const changing = { status, phase, number, format, state: headOf(state), updated_at: at };
  await library.post(
    isNew
      ? db.insertInto('runs').values({ id, session_id, prompt, created_at: at, ...changing })
      : db.updateTable('runs').set(changing).where('id', '=', id),
  );
}

async function storeProposal(
  library: Library,
  before: FoldedState | undefined,
  state: FoldedState,
  at: number,
): Promise<void> {
  const { proposal, run } = state;
  if (!proposal || before?.proposal?.revision === proposal.revision) return;
  const plan = JSON.stringify(proposal.plan);
  await library.post(
    library
      .tables<RunTables>()
      .insertInto('run_plans')
      .values({
        run_id: run,
        revision: proposal.revision,
        purpose: proposal.purpose,
        digest: hash('sha256', plan),
        plan,
        created_at: at,
      }),
  );
}

/** Legs of one node, and changes of one branch, go one after another. */
const keyOf = ({ kind, node, id }: Command, run: string): string => {
  if (kind === 'merge' || kind === 'revert' || kind === 'land') return `${run}/branch`;
  return node === undefined ? id : `${run}/${node}`;
};

const lanes: Partial<Record<Command['kind'], number>> = {
  wake: 0,
  advise: 0,
  merge: 1,
  revert: 1,
  inspect: 2,
  test: 2,
};

/** New commands, and those that were answered or withdrawn, in one statement. */
async function storeCommands(
  library: Library,
  { state, commands, signals, withdrawn }: Folded<FoldedState>,
  event: RunEvent,
  taken: { id: string; owner: string; until: number } | undefined,
): Promise<void> {
  const { run: run_id, session: session_id } = state;
  const base = { run_id, session_id, late_answers: 0, created_at: event.at };
  const isNew = new Set(commands.map(({ id }) => id));
  const settled = [
    ...(event.type === 'answered' ? [{ id: event.command, status: 'answered' as const }] : []),
    ...withdrawn.filter((id) => !isNew.has(id)).map((id) => ({ id, status: 'withdrawn' as const })),
  ];
  const rows = [
    // First, so that a key is free for what follows. They are there: nothing but the status is written.
    ...settled.map((row) => ({ ...base, ...unread, ...row })),
    ...commands.map((command) => {
      const isTaken = command.id === taken?.id;
      return {
        ...base,
        id: command.id,
        kind: command.kind,
        node: command.node ?? '',
        body: JSON.stringify(command),
        status: withdrawn.includes(command.id) ? ('withdrawn' as const) : statusOf(isTaken),
        key: keyOf(command, run_id),
        lane: lanes[command.kind] ?? 3,
        due_at: command.kind === 'wake' ? (command.at ?? event.at) : event.at,
        owner: isTaken ? taken.owner : '',
        expires_at: isTaken ? taken.until : 0,
        epoch: isTaken ? 1 : 0,
      };
    }),
  ];
  const db = library.tables<RunTables>();
  if (rows.length > 0)
    await library.post(
      db
        .insertInto('run_commands')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(({ ref }) => ({ status: ref('excluded.status') })),
        ),
    );
  if (signals.length > 0)
    await library.post(
      db.insertInto('run_signals').values(
        signals.map(({ command, kind, message = '' }) => ({
          command_id: command,
          kind,
          message,
          at: event.at,
        })),
      ),
    );
}

const statusOf = (isTaken: boolean) => (isTaken ? ('leased' as const) : ('open' as const));
const unread = {
  kind: '',
  node: '',
  body: '',
  key: '',
  lane: 0,
  due_at: 0,
  owner: '',
  expires_at: 0,
  epoch: 0,
};
