import { hostname } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { LoadedConfig } from '../base/config/index.ts';
import { messageOf } from '../base/errors.ts';
import type { Git, Repository } from '../base/git/index.ts';
import { newId } from '../base/ids.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import type { ModelDelta } from '../base/model/index.ts';
import type { Notice } from '../base/notices.ts';
import { once, onceFor } from '../base/once.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import { agentSettings, type Config } from '../config.ts';
import type { ExternalAgents, Worker, WorkTool } from '../engines/agents/index.ts';
import type { Pool } from '../engines/execution/index.ts';
import type { InspectionEngine } from '../engines/inspection/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { RunState } from '../engines/orchestrator/index.ts';
import type { Architect } from '../engines/pipelines/index.ts';
import type { RunRefs } from '../engines/worktrees/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { Roles } from '../stores/roles/index.ts';
import type { CommandKind, Runs } from '../stores/runs/index.ts';
import type { RecordedStep, Transcripts } from '../stores/transcripts/index.ts';
import type { OutsideAccessors } from './outside.ts';
import { findHub, openHub } from './team.ts';
import { openExternalAgents, openWorker, type WorkerRequest } from './workers.ts';

export interface AgentAccessors {
  /** What agents were told, said and called. */
  transcripts(): Promise<Transcripts>;
  /** Coding agents of the person's own that speak the Agent Client Protocol. */
  externalAgents(): Promise<ExternalAgents>;
  /** Who does the work of a node. */
  openWorker(request: WorkerRequest): Promise<Worker>;
  /**
   * Carries out one run, or all of the library, in this process, until it is stopped. What a run needs is asked for with its first
   * command here; the trees of one that has ended are removed.
   */
  startAgents(request: {
    run?: string | undefined;
    /** Kinds to carry out, where others do the rest. */
    kinds?: CommandKind[] | undefined;
    concurrency?: number | undefined;
    leaseMilliseconds?: number | undefined;
    /** With the queues of DBOS, beside other machines; otherwise with our own pool. */
    queues?: { providerOf(command: { run: string; kind: string }): Promise<string | undefined> } | undefined;
    open(run: string): Promise<AgentsRequest>;
  }): Promise<Pool>;
  /** Refs of runs: of this repository, or shared through the hub of the team. */
  runRefs(): Promise<RunRefs>;
  /** Makes the hub of a team in the state directory, and tells everybody where it is. */
  openHub(url: string): Promise<string>;
  /** Removes the trees of a run, where it has ended. */
  tidyRun(run: string): Promise<void>;
  /** Tells the person, where the settings say how. What could not be told is logged. */
  notify(notice: Notice): Promise<void>;
}

/** What carries out the commands of one run. */
export interface AgentsRequest {
  worker: Worker;
  /** Of the operations: what agents can do beside files and commands. */
  tools: WorkTool[];
  /** What the memory has about a task. */
  recall(task: string, files: string[]): Promise<string>;
  /** What the Librarian, the Archivalist or the Academic says to a task. */
  consult(role: string, task: string, signal: AbortSignal): Promise<{ text: string; cost: number }>;
  /** Who plans and advises; without one plans are made by rule. */
  architect?: Architect | undefined;
  onStep(step: RecordedStep, node: string): void;
  onDelta?: ((delta: ModelDelta, node: string) => void) | undefined;
}

export function agentAccessors(parts: {
  transcripts: () => Promise<Transcripts>;
  library: () => Promise<Library>;
  runs: () => Promise<Runs<RunState>>;
  inspection: () => Promise<InspectionEngine>;
  conventions: () => Promise<Conventions>;
  questions: OutsideAccessors['questions'];
  memory: () => Promise<Memory>;
  roles: () => Promise<Roles>;
  repository: Repository;
  user: UserDirectories;
  git: Git;
  clock: Clock;
  log: Log;
  env: NodeJS.ProcessEnv;
  config: Config;
  loaded: LoadedConfig;
  onClose(work: () => Promise<void>): void;
}): AgentAccessors {
  const { repository, user, git, clock, config, transcripts } = parts;
  const openTrees = once(async () => {
    const { createNodeTrees } = await import('../engines/worktrees/index.ts');
    return createNodeTrees({
      repository,
      directory: repository.state.worktrees,
      mostMegabytes: config.agents.tree_megabytes,
      included: async () => {
        const [{ findEnvironment }, { includedForAgents }] = await Promise.all([
          import('../engines/inspection/index.ts'),
          import('../engines/agents/index.ts'),
        ]);
        const { root, include } = await findEnvironment(git, repository);
        return { root, files: includedForAgents(root, include, config.agents.include) };
      },
    });
  });
  const tidyRun = async (run: string) => {
    const pipelines = await import('../engines/pipelines/index.ts');
    await pipelines.tidyRun({ git, trees: await openTrees() }, await (await parts.runs()).state(run));
  };
  const runRefs = once(async () => {
    const { hubRefs, localRefs } = await import('../engines/worktrees/index.ts');
    const { database, hub: given, token } = config.team;
    if (database === '') return localRefs(git);
    const address = given || (await findHub(await parts.library()));
    const hub = { address, token, sshSocket: parts.env.SSH_AUTH_SOCK };
    return hubRefs({ git, hub, place: `${hostname()} ${repository.state.worktrees}` });
  });
  /** What is the same for all runs of this process. */
  const openShared = once(async () => {
    const [agents, pipelines, { describeSandbox }] = await Promise.all([
      import('../engines/agents/index.ts'),
      import('../engines/pipelines/index.ts'),
      import('../base/sandbox/index.ts'),
    ]);
    const sandbox = await describeSandbox();
    const checks = once(async () => pipelines.checkCommands(await parts.conventions()));
    const { rules } = agentSettings(config, parts.loaded, user);
    const permits = once(async () =>
      agents.createPermits({
        ...(await parts.questions()),
        rules,
        known: await checks(),
        isConfined: sandbox.kind !== 'none',
        waitMs: config.agents.ask_minutes * 60_000,
      }),
    );
    const runs = await parts.runs();
    return {
      git,
      trees: await openTrees(),
      refs: await runRefs(),
      isShared: config.team.database !== '',
      transcripts: await transcripts(),
      inspection: parts.inspection,
      permits,
      roleOf: async (name: string) => (await parts.roles()).find(name),
      checks,
      stop: async (id: string, message: string) => {
        // A run that is ending anyway stops without being told.
        await runs.move(id, { type: 'stopped', message }, newId('move')).catch(() => undefined);
      },
      gateMinutes: 10,
    };
  });
  const startAgents: AgentAccessors['startAgents'] = async ({ run, kinds, queues, open, ...limits }) => {
    const [execution, pipelines] = await Promise.all([
      import('../engines/execution/index.ts'),
      import('../engines/pipelines/index.ts'),
    ]);
    const runs = await parts.runs();
    const shared = await openShared();
    const { trees } = shared;
    await pipelines
      .tidyEnded({ git, trees, runs, clock })
      .catch((error) => parts.log.warn(`trees of earlier runs: ${messageOf(error)}`));
    const executorsOf = onceFor(async (id: string) => {
      const { worker, architect, ...request } = await open(id);
      return pipelines.createExecutors({ ...shared, ...request, architect, worker: async () => worker });
    });
    const options = {
      runs,
      run,
      clock,
      executors: execution.executorsByRun(executorsOf, kinds),
      ...limits,
      report: (line: string) => parts.log.warn(line),
    };
    const { database, rate_limits: rateLimits } = config.team;
    const pool = queues
      ? await execution.openTeamPool({
          ...options,
          ...queues,
          library: await parts.library(),
          database,
          rateLimits,
        })
      : execution.openPool(options);
    parts.onClose(() => pool.stop());
    return {
      ...pool,
      stop: async () => {
        await pool.stop();
        if (run === undefined) await pipelines.tidyEnded({ git, trees, runs, clock });
        else await tidyRun(run);
      },
    };
  };
  return {
    transcripts,
    externalAgents: () => openExternalAgents(parts),
    openWorker: (request) => openWorker(parts, request),
    startAgents,
    runRefs,
    openHub: async (url) => openHub(await parts.library(), repository.state.prepare(), url),
    tidyRun,
    notify: async (notice) => {
      const { notify } = agentSettings(config, parts.loaded, user);
      if (notify === '') return;
      const { sendNotice } = await import('../base/notices.ts');
      await sendNotice(notify, notice).catch((error) => parts.log.warn(`notice: ${messageOf(error)}`));
    },
  };
}
