import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPresence, type Presence } from '../../base/durable/index.ts';
import { reportOf, SylkError } from '../../base/errors.ts';
import { type Library, systemPlaceOf } from '../../base/library/index.ts';
import type { FoldedState } from '../../stores/runs/index.ts';
import { createCarrier, every } from './carrier.ts';
import type { Pool, PoolOptions } from './pool.ts';

export interface TeamPoolOptions<State extends FoldedState> extends PoolOptions<State> {
  library: Library;
  /** Address of the library. What DBOS keeps is in a schema beside it. */
  database: string;
  /** Commands that the paid kinds of one provider may start in a minute, by provider. */
  rateLimits?: Record<string, number> | undefined;
  /** The provider that a command will call; undefined where it calls none. */
  providerOf?: ((command: { run: string; kind: string }) => Promise<string | undefined>) | undefined;
}

/** A command as the queue knows it. */
interface Waiting {
  id: string;
  kind: string;
  run: string;
  session: string;
  lane: number;
}

/** Of the tables of DBOS: raised with the package. */
const version = '5.3';

const queue = 'commands';
const queueOf = (provider: string) => `${queue} ${provider}`;

/**
 * Executes commands of all runs together with other processes. DBOS decides who runs a command where: a workflow is one command, under
 * its id; queues are divided by session. Whether a command is done is decided by its row alone: a workflow leases it as any executor does.
 */
export async function openTeamPool<State extends FoldedState>(
  options: TeamPoolOptions<State>,
): Promise<Pool> {
  const { runs, library, clock, executors, concurrency = 4, perSession = concurrency } = options;
  const { leaseMilliseconds = 6000, pollMilliseconds = 500, report = () => undefined } = options;
  const { rateLimits = {}, providerOf = async () => undefined } = options;
  const { DBOS } = await load();
  const carrier = createCarrier({
    runs,
    executors,
    leaseMilliseconds,
    pollMilliseconds,
    taking: () => undefined,
  });
  const { owner, kinds, closing } = carrier;
  const presence = createPresence({ library, clock, believedMs: leaseMilliseconds });
  const nobody = new Map<string, number>();
  let active = 0;
  // What is submitted from within a workflow would be a part of it, and end with it.
  const outside = AsyncLocalStorage.snapshot();

  /** Ends once the command has its answer, whoever gave it. While this process ends, it never does: another one takes it up. */
  const carryOut = async (id: string): Promise<void> => {
    active += 1;
    try {
      while (!closing.aborted) {
        const request = { owner, kinds, leaseMilliseconds, busy: nobody, perSession: 1, command: id };
        try {
          const claim = await runs.claim(request);
          if (claim) await carrier.carryOut(claim);
          if (!(await runs.isOpen(id))) return;
        } catch (error) {
          report(`${id}: ${reportOf(error).message}`);
        }
        await sleep(pollMilliseconds, undefined, { signal: closing }).catch(() => undefined);
      }
    } finally {
      active -= 1;
    }
    await new Promise(() => undefined);
  };
  const workflow = DBOS.registerWorkflow(carryOut, { name: 'command' });
  const { address, schema } = systemPlaceOf(options.database);
  DBOS.setConfig({
    name: 'sylk',
    systemDatabaseUrl: address,
    systemDatabaseSchemaName: schema,
    systemDatabasePoolSize: 4,
    executorID: owner,
    // Which commands a version knows is decided by their rows, so that two versions work side by side.
    applicationVersion: 'commands-1',
    logger: loggerOf(report),
  });
  await presence.beat(owner);
  await migrateOnce(library, presence, owner, () => DBOS.migrate(address, { schemaName: schema }));
  await DBOS.launch();
  const limits = {
    workerConcurrency: concurrency,
    partitionConcurrency: perSession,
    minPollingIntervalMs: Math.min(pollMilliseconds, 200),
    onConflict: 'always_update',
  } as const;
  await DBOS.registerQueue(queue, limits);
  for (const [provider, limitPerPeriod] of Object.entries(rateLimits))
    await DBOS.registerQueue(queueOf(provider), { ...limits, rateLimit: { limitPerPeriod, periodSec: 60 } });

  const submitted = new Set<string>();
  /** The id of the command is the id of its workflow, so whoever submits it once more changes nothing. */
  const submit = async ({ id, kind, run, session, lane }: Waiting): Promise<void> => {
    const provider = await providerOf({ run, kind });
    const queueName = provider && rateLimits[provider] !== undefined ? queueOf(provider) : queue;
    const enqueueOptions = { priority: lane + 1, queuePartitionKey: session };
    await DBOS.startWorkflow(workflow, { workflowID: id, queueName, enqueueOptions })(id);
    submitted.add(id);
  };
  const sweep = async (): Promise<void> => {
    const waiting = await runs.unanswered(kinds);
    const open = new Set(waiting.map(({ id }) => id));
    for (const id of submitted) if (!open.has(id)) submitted.delete(id);
    for (const command of waiting) if (!submitted.has(command.id)) await submit(command);
  };
  /** What processes had that have ended or fallen silent goes back to the queue. */
  const recover = async (): Promise<void> => {
    await presence.beat(owner);
    const pending = await DBOS.listWorkflows({ status: 'PENDING', loadInput: false, limit: 1000 });
    if (pending.every(({ executorId }) => executorId === owner)) return;
    const living = new Set(await presence.living());
    const lost = pending.filter(({ executorId = '' }) => !living.has(executorId));
    for (const [name, workflows] of Map.groupBy(lost, ({ queueName = queue }) => queueName))
      await DBOS.resumeWorkflows(
        workflows.map(({ workflowID }) => workflowID),
        { queueName: name },
      );
  };
  const guarded = (act: () => Promise<void>) => () =>
    act().catch((error) => report(`the queue of commands: ${reportOf(error).message}`));
  let isSweeping = false;
  const sweepOnce = guarded(async () => {
    if (isSweeping) return;
    isSweeping = true;
    await sweep().finally(() => {
      isSweeping = false;
    });
  });
  const unsubscribe = runs.onEvent(({ commands, signals }) => {
    if (commands.length > 0) void outside(sweepOnce);
    if (signals.length > 0) void carrier.look().catch(() => undefined);
  });
  const loops = [
    every(pollMilliseconds, closing, sweepOnce),
    every(leaseMilliseconds / 3, closing, guarded(recover)),
  ];
  return {
    active: () => active,
    stop: async () => {
      unsubscribe();
      await carrier.close();
      await Promise.all(loops);
      await DBOS.shutdown({ deregister: true });
      await presence.leave(owner).catch(() => undefined);
    },
  };
}

/** Processes that migrate at once block each other for good: one of them does it, the others wait. */
async function migrateOnce(
  library: Library,
  presence: Presence,
  owner: string,
  migrate: () => Promise<void>,
): Promise<void> {
  const marks = library.marks('dbos');
  const isDone = async () => (await marks.get('migrated')) === version;
  while (!(await isDone())) {
    const living = await presence.living();
    const isOurs = await library.write(async () => {
      const holder = await marks.get('migrating');
      if (holder !== undefined && holder !== owner && living.includes(holder)) return false;
      await marks.set('migrating', owner);
      return true;
    });
    if (!isOurs) await sleep(200);
    else if (!(await isDone())) {
      const beating = setInterval(() => void presence.beat(owner).catch(() => undefined), 1000);
      await migrate().finally(() => clearInterval(beating));
      await marks.set('migrated', version);
    }
  }
}

/** An optional package: whoever works alone does without it. */
async function load(): Promise<typeof import('@dbos-inc/dbos-sdk')> {
  try {
    return await import('@dbos-inc/dbos-sdk');
  } catch (error) {
    throw new SylkError('UNAVAILABLE', 'Workers of a team need the package @dbos-inc/dbos-sdk.', {
      hint: 'npm install --global @dbos-inc/dbos-sdk, or start the worker with --executor own.',
      cause: error,
    });
  }
}

function loggerOf(report: (line: string) => void) {
  const tell = (entry: unknown) => report(`DBOS: ${reportOf(entry).message}`);
  const nothing = () => undefined;
  return { info: nothing, debug: nothing, warn: nothing, error: tell };
}
