import { join } from 'node:path';
import type { AuthMethod } from '@agentclientprotocol/sdk';
import { SylkError } from '../../../base/errors.ts';
import type { RecordedStep, Step } from '../../../stores/transcripts/index.ts';
import { foldSteps } from '../conversation.ts';
import type { Brief, WorkContext, Worker, WorkResult } from '../worker.ts';
import { connectAgent, errorText, isAnswer, loginText, needsLogin } from './connect.ts';
import type { FoundAgent } from './find-agents.ts';
import { confinementText, endStale, type Surroundings, startAgent } from './start-agent.ts';
import { serveTools } from './tool-server.ts';
import { createTurns, type TurnLimits } from './turns.ts';

export interface ExternalWorkerOptions {
  found: FoundAgent & { program: string };
  surroundings: Surroundings;
  /** Of this product. */
  version: string;
  limits: TurnLimits;
}

/** How often an agent that crashed is started again within one leg. */
const mostCrashes = 2;

/** A coding agent of the person's own, driven over the Agent Client Protocol. */
export function createExternalWorker(options: ExternalWorkerOptions): Worker {
  const { agent } = options.found;
  return {
    name: agent.id,
    model: undefined,
    isConfined: async () => !options.surroundings.unconfined,
    work: async (brief, context) => {
      for (const step of context.past) if (step.kind === 'connected' && step.process) endStale(step.process);
      const past = [...context.past];
      const recording: WorkContext = {
        ...context,
        past,
        onStep: async (...steps) => {
          const recorded = await context.onStep(...steps);
          past.push(...recorded);
          return recorded;
        },
      };
      await recording.onStep({
        kind: 'begun',
        leg: brief.leg,
        epoch: context.epoch,
        worker: agent.id,
        sandbox: await confinementText(options.surroundings.unconfined),
      });
      for (let crashes = 0; ; crashes++) {
        try {
          return await workOnce(options, brief, recording);
        } catch (error) {
          if (context.signal.aborted || !(error instanceof SylkError) || !isItsFault(error)) throw error;
          await recording.onStep({ kind: 'note', about: 'agent', text: textOf(error) });
          const { cost } = foldSteps(past);
          // One that never came up will not come up the next time.
          if (
            crashes === mostCrashes ||
            error.data?.unusable === true ||
            !past.slice(context.past.length).some(({ kind }) => kind === 'connected')
          )
            // It was started again here: retries of the node would multiply that.
            return { result: 'failed', message: textOf(error), retryable: false, cost };
        }
      }
    },
  };
}

const isItsFault = ({ data }: SylkError): boolean => data?.crashed === true || data?.unusable === true;
const textOf = ({ message, hint }: SylkError): string => (hint ? `${message}\n${hint}` : message);

/** One process of the agent: from its start until the leg ends or it crashes. */
async function workOnce(
  { found, surroundings, version, limits }: ExternalWorkerOptions,
  brief: Brief,
  context: WorkContext,
): Promise<WorkResult> {
  const { agent } = found;
  const started = await startAgent(found, surroundings, {
    directory: context.place.directory,
    own: context.place.environment,
    name: join(brief.run, brief.node),
    onRefused: (host) => void context.onStep(refusedHost(host)).catch(() => undefined),
  });
  let offered: AuthMethod[] = [];
  try {
    const turns = createTurns({ known: agent, brief, context, limits });
    const server = await started.outlet.serve('mcp', (socket) =>
      serveTools(socket, turns.tools, context, version),
    );
    const { answerSeconds } = limits;
    const { open, info } = await connectAgent(agent, started, turns, { version, answerSeconds });
    offered = info.authMethods ?? [];
    const { directory } = context.place;
    const session = await open({ directory, previous: previousSession(agent.id, context.past), server });
    await context.onStep({
      kind: 'connected',
      agent: [agent.id, found.version].filter(Boolean).join(' '),
      session: session.id,
      isLoaded: session.isLoaded,
      process: started.process,
    });
    if (session.lost !== undefined)
      await context.onStep({ kind: 'note', about: 'session', text: `A new one: ${session.lost}` });
    return await turns.run(session);
  } catch (error) {
    if (isAnswer(error) && !needsLogin(error)) {
      const message = `${agent.title} answered with an error: ${errorText(error)}`;
      await context.onStep({ kind: 'note', about: 'agent', text: message });
      return { result: 'failed', message, retryable: true, cost: foldSteps(context.past).cost };
    }
    if (!needsLogin(error)) throw error;
    // No time that passes brings a login: a person does.
    const question = `${loginText(agent, offered)} Log in, then let it go on.`;
    return { result: 'asks', question, cost: foldSteps(context.past).cost };
  } finally {
    await started.end();
  }
}

const refusedHost = (host: string): Step => ({
  kind: 'note',
  about: 'network',
  text: `${host} is not among the hosts that it may reach.`,
});

/** The session that this agent had last, unless its context is full. */
function previousSession(id: string, past: RecordedStep[]): string | undefined {
  if (foldSteps(past).wasFull) return undefined;
  const last = past.findLast((step) => step.kind === 'connected');
  return last?.kind === 'connected' && last.agent.split(' ')[0] === id ? last.session : undefined;
}
