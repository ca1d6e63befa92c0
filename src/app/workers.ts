import { join } from 'node:path';
import type { LoadedConfig } from '../base/config/index.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Log } from '../base/log.ts';
import type { Model } from '../base/model/index.ts';
import { loadTokenCounter } from '../base/tokens.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import { agentSettings, type Config } from '../config.ts';
import type { ExternalAgents, Worker } from '../engines/agents/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import { version } from '../version.ts';

/** Our own loop over a model, or a coding agent of the person's own by its name. */
export type WorkerRequest = { model: Model } | { agent: string };

export interface WorkerParts {
  repository: Repository;
  user: UserDirectories;
  git: Git;
  log: Log;
  env: NodeJS.ProcessEnv;
  config: Config;
  loaded: LoadedConfig;
  memory: () => Promise<Memory>;
  conventions: () => Promise<Conventions>;
}

/** Opens what does the work of a node. One worker serves any number of nodes at once. */
export async function openWorker(parts: WorkerParts, request: WorkerRequest): Promise<Worker> {
  if ('agent' in request) return (await openExternalAgents(parts)).worker(request.agent);
  const { repository, user, config } = parts;
  const { model } = request;
  const [agents, { hookServices }, { describeSandbox }] = await Promise.all([
    import('../engines/agents/index.ts'),
    import('../engines/pipelines/index.ts'),
    import('../base/sandbox/index.ts'),
  ]);
  const sandbox = await describeSandbox();
  const services = hookServices({
    memory: parts.memory,
    log: parts.log,
    window: model.window,
    countTokens: await loadTokenCounter(),
  });
  const { hooks } = agentSettings(config, parts.loaded, user);
  const isConfined = sandbox.kind !== 'none';
  const caches = join(repository.state.prepare(), 'cache', 'agents');
  const runLine = agents.confineTo({ ...(await placesOf(parts)), caches, unconfined: !isConfined });
  return agents.createOwnWorker({
    model,
    hooks: agents.joinHooks(
      agents.standardHooks(services),
      agents.commandHooks(hooks, () => repository.root),
    ),
    store: services.remember,
    runLine,
    sandbox: sandbox.summary,
    isConfined,
    design: {
      renderer: agents.createRenderer({ runLine, isConfined, directory: join(caches, 'previews') }),
      tokenOf: async (value) => {
        const { found, matches } = await (await parts.conventions()).tokens.byValue(value);
        return found ? matches[0]?.reference : undefined;
      },
    },
  });
}

/** Coding agents of the person's own, as they are on this machine. */
export async function openExternalAgents(parts: WorkerParts): Promise<ExternalAgents> {
  const { repository, user, env, config, loaded } = parts;
  const { createExternalAgents } = await import('../engines/agents/index.ts');
  const { external, hosts, unconfined } = agentSettings(config, loaded, user);
  return createExternalAgents({
    configured: external,
    version,
    limits: {
      minutes: config.agents.leg_minutes,
      calls: config.agents.leg_calls,
      silentMinutes: config.agents.silent_minutes,
      answerSeconds: config.agents.answer_seconds,
      checkpointEvery: 5,
    },
    surroundings: async () => ({
      ...(await placesOf(parts)),
      homes: `${repository.state.worktrees}-homes`,
      hosts,
      unconfined,
    }),
    env,
  });
}

/** What programs of an agent see of this machine, beside their work place. */
async function placesOf({ repository, user, git }: WorkerParts) {
  const { findEnvironment } = await import('../engines/inspection/index.ts');
  const { bring } = await findEnvironment(git, repository);
  return {
    commonDirectory: repository.commonDirectory,
    packages: { root: repository.root, folders: bring },
    hidden: [repository.state.directory, user.data, user.config, user.state],
  };
}
