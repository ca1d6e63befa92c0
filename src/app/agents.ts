import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { LoadedConfig } from '../base/config/index.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import type { Model } from '../base/model/index.ts';
import { once } from '../base/once.ts';
import { loadTokenCounter } from '../base/tokens.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import { agentSettings, type Config } from '../config.ts';
import type { WorkTool } from '../engines/agents/index.ts';
import type { Pool } from '../engines/execution/index.ts';
import type { InspectionEngine } from '../engines/inspection/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { RunState } from '../engines/orchestrator/index.ts';
import type { Approvals } from '../stores/approvals/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { Runs } from '../stores/runs/index.ts';
import type { RecordedStep, Transcripts } from '../stores/transcripts/index.ts';

export interface AgentAccessors {
  /** What agents were told, said and called. */
  transcripts(): Promise<Transcripts>;
  /** Carries out the runs of this repository in this process, with our own loop over a model, until it is stopped. */
  startAgents(request: AgentsRequest): Promise<Pool>;
}

export interface AgentsRequest {
  model: Model;
  /** Of the operations: what agents can do beside files and commands. */
  tools: WorkTool[];
  /** What the memory has about a task. */
  recall(task: string, files: string[]): Promise<string>;
  onStep(step: RecordedStep, node: string): void;
}

export function agentAccessors(parts: {
  library: () => Promise<Library>;
  runs: () => Promise<Runs<RunState>>;
  inspection: () => Promise<InspectionEngine>;
  conventions: () => Promise<Conventions>;
  approvals: () => Promise<Approvals>;
  memory: () => Promise<Memory>;
  repository: Repository;
  user: UserDirectories;
  git: Git;
  clock: Clock;
  log: Log;
  config: Config;
  loaded: LoadedConfig;
  onClose(work: () => Promise<void>): void;
}): AgentAccessors {
  const { repository, user, git, clock, config } = parts;
  const transcripts = once(async () => {
    const { openTranscripts } = await import('../stores/transcripts/index.ts');
    return openTranscripts({ library: await parts.library(), clock });
  });
  const startAgents = async ({ model, tools, recall, onStep }: AgentsRequest): Promise<Pool> => {
    const [agents, execution, pipelines, { createNodeTrees }, { describeSandbox }, { findEnvironment }] =
      await Promise.all([
        import('../engines/agents/index.ts'),
        import('../engines/execution/index.ts'),
        import('../engines/pipelines/index.ts'),
        import('../engines/worktrees/index.ts'),
        import('../base/sandbox/index.ts'),
        import('../engines/inspection/index.ts'),
      ]);
    const sandbox = await describeSandbox();
    const environment = await findEnvironment(git, repository);
    const checks = once(async () => pipelines.checkCommands(await parts.conventions()));
    const runLine = agents.confineTo({
      commonDirectory: repository.commonDirectory,
      packages: { root: repository.root, folders: environment.bring },
      caches: join(repository.state.prepare(), 'cache', 'agents'),
      hidden: [repository.state.directory, user.data, user.config, user.state],
      unconfined: sandbox.kind === 'none',
    });
    const { rules, hooks: commands } = agentSettings(config, parts.loaded, user);
    const services = pipelines.hookServices({
      memory: parts.memory,
      log: parts.log,
      window: model.window,
      countTokens: await loadTokenCounter(),
    });
    const hooks = agents.joinHooks(
      agents.standardHooks(services),
      agents.commandHooks(commands, () => repository.root),
    );
    const worker = agents.createOwnWorker({
      model,
      hooks,
      runLine,
      sandbox: sandbox.summary,
    });
    const permits = once(async () =>
      agents.createPermits({
        approvals: await parts.approvals(),
        repository: repository.mainRoot,
        rules,
        known: await checks(),
        isConfined: sandbox.kind !== 'none',
        waitMs: config.agents.ask_minutes * 60_000,
      }),
    );
    const pool = execution.openPool({
      runs: await parts.runs(),
      clock,
      executors: pipelines.createExecutors({
        git,
        trees: createNodeTrees({ repository, directory: repository.state.worktrees }),
        transcripts: await transcripts(),
        inspection: parts.inspection,
        worker: async () => worker,
        permits,
        tools,
        recall,
        checks,
        gateMinutes: 10,
        onStep,
      }),
      report: (line) => parts.log.warn(line),
    });
    parts.onClose(() => pool.stop());
    return pool;
  };
  return { transcripts, startAgents };
}
