import type { FunctionModule } from 'kysely';
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Library } from '../../base/library/index.ts';
import { type ClaimRequest, claimCommand, isHeld, releaseClaim, renewClaims } from './claims.ts';
import { type Command, type CommandKind, type Signal, waitingKinds } from './command.ts';
import {
  type AnyOutcome,
  type Created,
  limitsSchema,
  type Move,
  outcomeSchemas,
  type RunEvent,
} from './event.ts';
import { type Append, appendEvent, type Decide, type FoldContext, rememberState, type Take } from './fold.ts';
import { type FoldedState, runFormat } from './folded-state.ts';
import { type FollowOptions, followEvents, type NumberedEvent } from './follow.ts';
import { recordedNodes } from './recorded.ts';
import { readState } from './state-parts.ts';
import { type RunTables, runMigrations } from './tables.ts';

export interface RunsOptions<State extends FoldedState> {
  library: Library;
  clock: Clock;
  decide: Decide<State>;
  /** Writes what follows from an event outside of this store, in the transaction of the event. Where it throws, neither holds. */
  alongside?: ((happened: Happened<State>) => Promise<void>) | undefined;
}

export type NewRun = Pick<Created, 'session' | 'prompt' | 'plan'> & { limits?: z.input<typeof limitsSchema> };

/** An event of this process, and what it led to. */
export interface Happened<State extends FoldedState> {
  before: State | undefined;
  event: RunEvent;
  state: State;
  commands: Command[];
  signals: Signal[];
  /** The command that whoever caused the event goes on with. */
  taken: Command | undefined;
}

/** Plans, events, commands and signals of runs. Every change of a run is one event, folded in one transaction. */
export function openRuns<State extends FoldedState>(options: RunsOptions<State>) {
  const { library, clock, decide, alongside } = options;
  library.migrate(runMigrations);
  const db = () => library.tables<RunTables>();
  const listeners = new Set<(happened: Happened<State>) => void>();
  const context: FoldContext<State> = { library, decide, states: new Map() };

  /** Inside a write. The state is kept and listeners are told once the outermost write is committed. */
  const fold = async (request: Append): Promise<{ state: State; taken: Command | undefined }> => {
    const { event } = request;
    const appended = await appendEvent(context, request);
    const { state, folded } = appended;
    if (!folded) return { state, taken: undefined };
    const { before, taken } = appended;
    const { commands, signals } = folded;
    const happened = { before, event, state, commands, signals, taken };
    await alongside?.(happened);
    library.afterCommit(() => {
      rememberState(context, state, event.at);
      for (const listener of listeners) listener(happened);
    });
    return { state, taken };
  };
  const append = async (request: Append): Promise<State> => (await library.write(() => fold(request))).state;

  const commandRow = async (id: string) => {
    const row = await db()
      .selectFrom('run_commands')
      .innerJoin('runs', 'runs.id', 'run_commands.run_id')
      .select(['run_id', 'kind', 'run_commands.status', 'epoch', 'number', 'format', 'updated_at'])
      .where('run_commands.id', '=', id)
      .executeTakeFirst();
    if (row) return row;
    throw new SylkError('NOT_FOUND', `There is no command ${JSON.stringify(id)}.`, {
      hint: '`sylk runs` lists what is open.',
    });
  };

  const onEvent = (listener: (happened: Happened<State>) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  const events = async (run: string, after = 0): Promise<NumberedEvent[]> => {
    const rows = await db()
      .selectFrom('run_events')
      .select(['number', 'body'])
      .where('run_id', '=', run)
      .where('number', '>', after)
      .orderBy('number')
      .execute();
    return rows.map(({ number, body }) => ({ ...JSON.parse(body), number: Number(number) }));
  };

  return {
    /** Tells of every event that this process has committed. What a listener does with it is no part of the run. */
    onEvent,

    /** Events of a run as they happen, in any process, until the caller leaves the loop or the signal is aborted. */
    follow: (run: string, options: FollowOptions = {}) => {
      const onChange = (wake: () => void) =>
        onEvent(({ state }) => {
          if (state.run === run) wake();
        });
      return followEvents((after) => events(run, after), onChange, options);
    },

    /** Limits that are not named have their defaults. With a plan the run waits for its approval, without one for the Architect. */
    create: ({ limits = {}, ...created }: NewRun, run = newId('run')) =>
      append({
        run,
        key: 'created',
        event: { type: 'created', run, ...created, limits: limitsSchema.parse(limits), at: clock.now() },
      }),

    /** What a person does. The key makes a move that is sent twice one move. */
    move: (run: string, move: Move, key: string) => append({ run, key, event: { ...move, at: clock.now() } }),

    /**
     * The outcome of a command. Only the first counts, and only from the holder of its newest lease; later ones are counted on the
     * command and change nothing. With `take` the caller gets a command that follows from it, leased, if there is one.
     */
    async answer(
      id: string,
      outcome: AnyOutcome,
      { epoch, take }: { epoch?: number | undefined; take?: Take | undefined } = {},
    ): Promise<{ state: State; taken: Command | undefined } | undefined> {
      const at = clock.now();
      return library.write(async () => {
        const row = await commandRow(id);
        const parsed: AnyOutcome = outcomeSchemas[row.kind as keyof typeof outcomeSchemas].parse(outcome);
        const isLate =
          row.status === 'answered' ||
          row.status === 'withdrawn' ||
          (epoch !== undefined && epoch < Number(row.epoch));
        if (isLate) {
          await db()
            .updateTable('run_commands')
            .set((command) => ({ late_answers: command('late_answers', '+', 1) }))
            .where('id', '=', id)
            .execute();
          return undefined;
        }
        const event: RunEvent = { type: 'answered', command: id, outcome: parsed, at };
        return fold({ run: row.run_id, key: `answer ${id}`, event, take, stored: row });
      });
    },

    claim: (request: ClaimRequest) => claimCommand(library, clock, request),
    renew: (owner: string, milliseconds: number) => renewClaims(library, owner, clock.now() + milliseconds),
    release: (id: string, owner: string) => releaseClaim(library, { id, owner }),
    /** Whether a process works on the run. */
    isHeld: (run: string) => isHeld(library, run, clock.now()),

    /** What was said to the commands that an owner executes. */
    async signals(owner: string): Promise<Array<Signal & { id: number }>> {
      const rows = await db()
        .selectFrom('run_signals')
        .innerJoin('run_commands', 'run_commands.id', 'run_signals.command_id')
        .select(['run_signals.id', 'command_id', 'run_signals.kind', 'message'])
        .where('owner', '=', owner)
        .where('status', '=', 'leased')
        .orderBy('run_signals.id')
        .execute();
      return rows.map(({ id, command_id: command, kind, message }) => ({
        id: Number(id),
        command,
        kind: kind as Signal['kind'],
        message,
      }));
    },

    async state(run: string): Promise<State> {
      const state = await readState<State>(library, run);
      if (state) return state;
      throw new SylkError('NOT_FOUND', `There is no run ${JSON.stringify(run)}.`, {
        hint: '`sylk runs` lists them.',
      });
    },

    events,

    async commands(
      run: string,
    ): Promise<Array<{ command: Command; status: string; epoch: number; late: number }>> {
      const rows = await db()
        .selectFrom('run_commands')
        .selectAll()
        .where('run_id', '=', run)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        command: JSON.parse(row.body),
        status: row.status,
        epoch: Number(row.epoch),
        late: Number(row.late_answers),
      }));
    },

    async list(filter: { session?: string | undefined; limit?: number } = {}) {
      let query = db()
        .selectFrom('runs')
        .select(['id', 'session_id', 'prompt', 'status', 'phase', 'number', 'created_at', 'updated_at']);
      if (filter.session !== undefined) query = query.where('session_id', '=', filter.session);
      return query
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(filter.limit ?? 50)
        .execute();
    },

    /** What nodes that were finished have taken, the last ones first. */
    recorded: () => recordedNodes(library),

    /** Commands of these kinds that are due and not answered, oldest first. */
    async unanswered(kinds: CommandKind[], limit = 500) {
      const rows = await db()
        .selectFrom('run_commands')
        .innerJoin('runs', 'runs.id', 'run_commands.run_id')
        .select(['run_commands.id', 'run_commands.session_id', 'kind', 'lane', 'run_id'])
        .where('run_commands.status', 'in', ['open', 'leased'])
        .where('kind', 'in', kinds)
        .where('due_at', '<=', clock.now())
        .where('runs.format', '<=', runFormat)
        .orderBy('run_commands.created_at')
        .limit(limit)
        .execute();
      return rows.map(({ id, session_id, kind, lane, run_id }) => ({
        id,
        kind,
        run: run_id,
        session: session_id,
        lane: Number(lane),
      }));
    },

    /** How many runs and commands there are, by what they are; how long the oldest command has waited, in milliseconds. */
    async counts() {
      const many = ({ fn }: { fn: FunctionModule<RunTables, 'runs' | 'run_commands'> }) =>
        fn.countAll<number>().as('many');
      const ofRuns = await db().selectFrom('runs').select('status').select(many).groupBy('status').execute();
      const ofCommands = await db()
        .selectFrom('run_commands')
        .select(['kind', 'status'])
        .select(many)
        .select(({ fn }) => [
          fn.sum<number>('late_answers').as('late'),
          fn.min<number>('created_at').as('oldest'),
        ])
        .groupBy(['kind', 'status'])
        .execute();
      const waiting = ofCommands.filter(
        ({ kind, status }) => status === 'open' && !waitingKinds.has(kind as CommandKind),
      );
      const holders = await db()
        .selectFrom('run_commands')
        .select('owner')
        .distinct()
        .where('status', '=', 'leased')
        .execute();
      return {
        runs: ofRuns.map(({ status, many }) => ({ status, count: Number(many) })),
        commands: ofCommands.map(({ kind, status, many }) => ({ kind, status, count: Number(many) })),
        late: ofCommands.reduce((sum, { late }) => sum + Number(late), 0),
        oldest: Math.max(0, ...waiting.map(({ oldest }) => clock.now() - Number(oldest))),
        waiting: waiting.reduce((sum, { many }) => sum + Number(many), 0),
        holders: holders.length,
      };
    },

    /** Whether a command waits for an answer still. */
    isOpen: async (id: string): Promise<boolean> => {
      const { status } = await commandRow(id);
      return status === 'open' || status === 'leased';
    },

    /** When the next command falls due that nobody holds; undefined where none waits. */
    async nextDue(): Promise<number | undefined> {
      const row = await db()
        .selectFrom('run_commands')
        .select(({ fn }) => fn.min('due_at').as('due'))
        .where('status', '=', 'open')
        .where('kind', '!=', 'ask')
        .executeTakeFirst();
      return row?.due === null || row === undefined ? undefined : Number(row.due);
    },
  };
}

export type Runs<State extends FoldedState> = ReturnType<typeof openRuns<State>>;
