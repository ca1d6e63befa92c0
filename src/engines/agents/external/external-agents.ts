import { join } from 'node:path';
import { state } from '../../../base/files/index.ts';
import type { Worker } from '../worker.ts';
import { connectAgent, loginText, needsLogin } from './connect.ts';
import { createExternalWorker } from './external-worker.ts';
import { type FindOptions, findAgents, requireAgent } from './find-agents.ts';
import { confinementText, type Surroundings, startAgent } from './start-agent.ts';
import type { TurnLimits } from './turns.ts';

export interface ExternalAgentsOptions extends FindOptions {
  /** Of this product. */
  version: string;
  limits: TurnLimits;
  surroundings(): Promise<Omit<Surroundings, 'env'>>;
}

export interface AgentTest {
  title: string;
  version: string | undefined;
  protocol: number;
  /** Whether it can open a session: false where it wants a login first. */
  isReady: boolean;
  /** Whether a session can be taken up again after its process has ended. */
  canResume: boolean;
  modes: string[];
  confinement: string;
  refusedHosts: string[];
  next: string | undefined;
}

/** How long a home of an agent is kept for a run that may go on. */
const keptMs = 14 * 24 * 3_600_000;

/** Coding agents of the person's own: which there are, whether they work, and one as a worker. */
export function createExternalAgents(options: ExternalAgentsOptions) {
  const { env, version, limits } = options;
  const surroundings = async (): Promise<Surroundings> => ({ ...(await options.surroundings()), env });
  return {
    list: () => findAgents(options),

    async worker(name: string): Promise<Worker> {
      const found = requireAgent(name, options);
      const around = await surroundings();
      removeOldHomes(around.homes);
      return createExternalWorker({ found, surroundings: around, version, limits });
    },

    /** Starts an agent as a run would, in an empty directory, and opens a session. No model is asked. */
    async test(name: string, tell: (text: string) => void = () => {}): Promise<AgentTest> {
      const found = requireAgent(name, options);
      const { agent } = found;
      const around = await surroundings();
      const directory = state.temporaryDirectory('sylk-agent-test-');
      const refusedHosts = new Set<string>();
      const started = await startAgent(
        found,
        { ...around, packages: { root: directory, folders: [] } },
        { directory, name: join('test', agent.id), onRefused: (host) => refusedHosts.add(host) },
      );
      try {
        const silent = {
          onUpdate: () => undefined,
          onPermission: async () => ({ outcome: 'cancelled' as const }),
          tell,
          ready: async () => undefined,
        };
        const { answerSeconds } = limits;
        const { info, open } = await connectAgent(agent, started, silent, { version, answerSeconds });
        const server = await started.outlet.serve('mcp', (socket) => socket.destroy());
        const session = await open({ directory, previous: undefined, server }).catch((error) => {
          if (needsLogin(error)) return undefined;
          throw error;
        });
        const { loadSession, sessionCapabilities } = info.agentCapabilities ?? {};
        return {
          title: agent.title,
          version: info.agentInfo?.version ?? found.version,
          protocol: info.protocolVersion,
          isReady: session !== undefined,
          canResume: loadSession === true || Boolean(sessionCapabilities?.resume),
          modes: session?.modes ?? [],
          confinement: await confinementText(around.unconfined),
          refusedHosts: [...refusedHosts],
          next: session ? undefined : loginText(agent, info.authMethods),
        };
      } finally {
        await started.end();
        state.remove(directory);
        state.remove(join(around.homes, 'test', agent.id));
      }
    },
  };
}

export type ExternalAgents = ReturnType<typeof createExternalAgents>;

function removeOldHomes(homes: string): void {
  for (const { name } of state.list(homes)) {
    const { modified = 0 } = state.entry(join(homes, name)) ?? {};
    if (Date.now() - modified > keptMs) state.remove(join(homes, name));
  }
}
