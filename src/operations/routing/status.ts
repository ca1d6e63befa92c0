import { z } from 'zod';
import { answersNow, targets } from '../../engines/guide/routing/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import { type OperationContext, operation } from '../operation.ts';
import { guide } from './shared.ts';

const statusOutput = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      state: z.string().describe('healthy, idle, degraded, stuck, open, or needs agents'),
      queued: z.number(),
      done: z.number(),
      failed: z.number(),
    }),
  ),
  sessions: z.record(z.string(), z.number()).describe('by state'),
  messages: z.object({ accepted: z.number(), done: z.number(), dead: z.number(), waiting: z.number() }),
  route_cache: z.object({ entries: z.number(), hits: z.number(), misses: z.number() }),
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
    milliseconds_mean: z.number(),
  }),
});
type Status = z.output<typeof statusOutput>;

/** A person sees everything, a client only where its own session's messages went. */
export async function readStatus(context: OperationContext): Promise<Status> {
  const { app, caller } = context;
  const [{ cache, routings }, bus, { sessions, of }] = await Promise.all([
    app.guide(),
    app.guideBus(),
    app.memory(),
  ]);
  const health = new Map(bus.health().map((each) => [each.agent, each]));
  const { accepted, done, dead, waiting } = bus.statistics();
  const own = await of.reading(memoryCaller(context));
  const seen = caller.kind === 'person' ? await sessions.list() : own ? [own] : [];
  const states = seen.map(({ state }) => state);
  return {
    agents: targets.map((agent) => {
      const known = health.get(agent);
      const state = answersNow.has(agent) ? (known?.state ?? 'idle') : 'needs agents';
      return { agent, state, queued: known?.queued ?? 0, done: known?.done ?? 0, failed: known?.failed ?? 0 };
    }),
    sessions: Object.fromEntries(
      [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
    ),
    messages: { accepted, done, dead, waiting },
    route_cache: cache(),
    routings: await (await routings()).summary(caller.kind === 'person' ? undefined : (own?.id ?? 'none')),
  };
}

export const showStatus = ({ agents: all, sessions, messages, routings }: Status): string =>
  [
    ...all.map(
      ({ agent, state, failed }) => `${agent.padEnd(13)} ${state}${failed > 0 ? `, ${failed} failed` : ''}`,
    ),
    `sessions      ${
      Object.entries(sessions)
        .map(([state, count]) => `${count} ${state}`)
        .join(', ') || 'none'
    }`,
    `messages      ${messages.waiting} waiting, ${messages.dead} dead`,
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

export const status = operation({
  name: 'status',
  aliases: ['guide_get_status'],
  summary: 'How the Guide is: agents, sessions, messages, and where messages went — often, known, in vain.',
  effect: 'read',
  ...guide,
  tier: 'core',
  domain: 'system',
  priority: 80,
  keywords: ['status', 'health', 'agents', 'routing'],
  input: z.object({}),
  output: statusOutput,
  examples: [{}],
  render: showStatus,
  run: async (_input, context) => readStatus(context),
});
