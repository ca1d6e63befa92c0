import { z } from 'zod';
import type { openRoutings } from '../../stores/routings/index.ts';
import type { Answers } from '../answers/index.ts';
import { answersNow, targets } from '../answers/reader/index.ts';
import type { Memory, MemoryCaller } from '../memory/index.ts';
import type { Bus } from './bus.ts';

export interface RouteContext {
  memory: () => Promise<Memory>;
  answers: () => Promise<Answers>;
  bus: () => Promise<Bus>;
  routings: () => Promise<ReturnType<typeof openRoutings>>;
}

export const statusSchema = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      state: z.enum(['answers', 'degraded', 'stuck', 'open', 'needs agents']),
    }),
  ),
  sessions: z.record(z.string(), z.number()).describe('by state'),
  route_cache: z.object({ entries: z.number(), hits: z.number() }),
  routings: z.object({
    total: z.number(),
    known: z.record(z.string(), z.string()),
    frequent: z.array(
      z.object({ pattern: z.string(), agent: z.string(), confidence: z.number(), usage_count: z.number() }),
    ),
    failed: z.array(
      z.object({
        pattern: z.string(),
        agent: z.string(),
        outcome: z.string(),
        error: z.string(),
        at: z.string(),
      }),
    ),
    capabilities: z.record(z.string(), z.array(z.string())),
    requests: z.array(z.object({ pattern: z.string(), count: z.number() })),
    by_target: z.record(z.string(), z.number()),
    by_intent: z.record(z.string(), z.number()),
    by_method: z.record(z.string(), z.number()),
    mean_ms: z.number(),
  }),
});
export type Status = z.output<typeof statusSchema>;

/** A person sees everything, a client only where the messages of its own sessions went. */
export async function readStatus(context: RouteContext, caller: MemoryCaller): Promise<Status> {
  const [{ routeCache }, bus, { sessions }] = await Promise.all([
    context.answers(),
    context.bus(),
    context.memory(),
  ]);
  const { entries, hits } = routeCache();
  const health = new Map(bus.health().map((each) => [each.agent, each]));
  const seen = sessions.visibleTo(caller, await sessions.list());
  const states = seen.map(({ state }) => state);
  const own = caller.kind === 'person' ? undefined : seen.map(({ id }) => id);
  return {
    agents: targets.map((agent) => ({ agent, state: stateOf(agent, health.get(agent)?.state) })),
    sessions: Object.fromEntries(
      [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
    ),
    route_cache: { entries, hits },
    routings: await (await context.routings()).summary(own),
  };
}

/** Idle and healthy agents answer; problems are listed. `sylk guide health` has the message counts. */
function stateOf(
  agent: (typeof targets)[number],
  health: string | undefined,
): Status['agents'][number]['state'] {
  if (!answersNow.has(agent)) return 'needs agents';
  return health === 'degraded' || health === 'stuck' || health === 'open' ? health : 'answers';
}

export const statusText = ({ agents: all, sessions, routings }: Status): string =>
  [
    ...all.map(({ agent, state }) => `${agent.padEnd(13)} ${state}`),
    `sessions      ${
      Object.entries(sessions)
        .map(([state, count]) => `${count} ${state}`)
        .join(', ') || 'none'
    }`,
    `routed        ${routings.total}${Object.entries(routings.by_target)
      .map(([target, count]) => `, ${target} ${count}`)
      .join('')}`,
    ...routings.frequent
      .slice(0, 3)
      .map(({ pattern, agent, usage_count }) => `  often       ${pattern} → ${agent} (${usage_count})`),
    ...routings.failed
      .slice(0, 3)
      .map(({ pattern, agent, outcome }) => `  without     ${pattern} → ${agent} (${outcome})`),
  ].join('\n');
