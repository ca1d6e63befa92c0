import { hash } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import type { Command, Signal } from './command.ts';
import type { RunEvent } from './event.ts';
import type { Plan } from './plan.ts';
import type { RunTables } from './tables.ts';

/** The version of the states that this program writes. It leaves runs alone that a later one has gone on with. */
export const runFormat = 1;

/** What the store has to know of a run's state; the rest is its owner's. */
export interface FoldedState {
  format: number;
  run: string;
  session: string;
  prompt: string;
  status: string;
  phase: string;
  number: number;
  revision: number;
  proposal?: { revision: number; purpose: string; plan: Plan } | undefined;
}

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

export interface Append {
  run: string;
  event: RunEvent;
  /** The same key again changes nothing and answers the state as it is. */
  key: string;
}

/**
 * One transaction for one event: the run's row is locked by changing it, the event is appended, the state and the commands that
 * follow are stored. A crash leaves all of it or nothing.
 */
export function appendEvent<State extends FoldedState>(
  library: Library,
  decide: Decide<State>,
  { run, event, key }: Append,
): Promise<{ before: State | undefined; folded: Folded<State> } | { state: State }> {
  return library.write(async () => {
    const db = library.tables<RunTables>();
    const row = await db
      .updateTable('runs')
      .set((row) => ({ number: row('number', '+', 1) }))
      .where('id', '=', run)
      .returning(['state', 'format'])
      .executeTakeFirst();
    if (!row && event.type !== 'created')
      throw new SylkError('NOT_FOUND', `There is no run ${JSON.stringify(run)}.`, {
        hint: '`sylk runs` lists them.',
      });
    if (row && Number(row.format) > runFormat)
      throw new SylkError('CONFLICT', `The run ${run} was continued by a later version of Sylk.`, {
        hint: 'Update Sylk to go on with it.',
      });
    const before: State | undefined = row && JSON.parse(row.state);
    const known = before && (await eventWithKey(library, run, key));
    if (known) {
      await db.updateTable('runs').set({ number: before.number }).where('id', '=', run).execute();
      return { state: before };
    }
    const folded = decide(before, event);
    if (folded.refused) throw new SylkError(folded.refused.code, folded.refused.message);
    const { state } = folded;
    await storeState(library, state, event.at, before === undefined);
    await db
      .insertInto('run_events')
      .values({
        run_id: run,
        number: state.number,
        key,
        type: event.type,
        at: event.at,
        body: JSON.stringify(event),
      })
      .execute();
    await storeProposal(library, before, state, event.at);
    await storeCommands(library, folded, event);
    return { before, folded };
  });
}

async function eventWithKey(library: Library, run: string, key: string): Promise<boolean> {
  const row = await library
    .tables<RunTables>()
    .selectFrom('run_events')
    .select('number')
    .where('run_id', '=', run)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

async function storeState(library: Library, state: FoldedState, at: number, isNew: boolean): Promise<void> {
  const db = library.tables<RunTables>();
  const { run: id, session: session_id, prompt, status, phase, number, format } = state;
  const changing = { status, phase, number, format, state: JSON.stringify(state), updated_at: at };
  if (isNew)
    await db
      .insertInto('runs')
      .values({ id, session_id, prompt, created_at: at, ...changing })
      .execute();
  else await db.updateTable('runs').set(changing).where('id', '=', id).execute();
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
  await library
    .tables<RunTables>()
    .insertInto('run_plans')
    .values({
      run_id: run,
      revision: proposal.revision,
      purpose: proposal.purpose,
      digest: hash('sha256', plan),
      plan,
      created_at: at,
    })
    .execute();
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

async function storeCommands(
  library: Library,
  { state, commands, signals, withdrawn }: Folded<FoldedState>,
  event: RunEvent,
): Promise<void> {
  const db = library.tables<RunTables>();
  if (event.type === 'answered')
    await db
      .updateTable('run_commands')
      .set({ status: 'answered' })
      .where('id', '=', event.command)
      .execute();
  if (commands.length > 0)
    await db
      .insertInto('run_commands')
      .values(
        commands.map((command) => ({
          id: command.id,
          run_id: state.run,
          session_id: state.session,
          kind: command.kind,
          node: command.node ?? '',
          body: JSON.stringify(command),
          status: 'open' as const,
          key: keyOf(command, state.run),
          lane: lanes[command.kind] ?? 3,
          due_at: command.kind === 'wake' ? (command.at ?? event.at) : event.at,
          owner: '',
          expires_at: 0,
          epoch: 0,
          late_answers: 0,
          created_at: event.at,
        })),
      )
      .execute();
  // After the new ones: a question can be asked and withdrawn by the same event.
  if (withdrawn.length > 0)
    await db.updateTable('run_commands').set({ status: 'withdrawn' }).where('id', 'in', withdrawn).execute();
  if (signals.length > 0)
    await db
      .insertInto('run_signals')
      .values(
        signals.map(({ command, kind, message = '' }) => ({
          command_id: command,
          kind,
          message,
          at: event.at,
        })),
      )
      .execute();
}
