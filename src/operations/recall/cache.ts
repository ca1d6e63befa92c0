import { z } from 'zod';
import { specialists } from '../../engines/answers/reader/index.ts';
import { memoryCaller, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';

export const cacheStats = operation({
  name: 'cache_stats',
  summary: 'Cache statistics: hits and misses by agent and intent, invalidations with reasons, tokens saved.',
  effect: 'read',
  input: z.object({ ...sessionInput }),
  output: z.object({
    hits: z.number(),
    misses: z.number(),
    hit_rate: z.number(),
    tokens_saved: z.number(),
    bytes: z.number(),
    intents: z.array(
      z.object({
        agent: z.enum(specialists),
        intent: z.string(),
        entries: z.number(),
        limit: z.number(),
        ttl_minutes: z.number().nullable().describe('null: until a source changes'),
        found_by: z.string(),
        hits: z.number(),
        misses: z.number(),
        hit_rate: z.number(),
        invalidations: z.number(),
        expired: z.number(),
        evicted: z.number(),
        tokens_saved: z.number(),
      }),
    ),
    top: z
      .array(
        z.object({
          agent: z.enum(specialists),
          intent: z.string(),
          subject: z.string(),
          asked: z.string(),
          hits: z.number(),
        }),
      )
      .describe('the most used answers that you may see'),
  }),
  examples: [{}],
  render: ({ intents, top, hits, misses, hit_rate, tokens_saved }) => {
    const cells = [
      ['agent', 'intent', 'kept', 'TTL', 'hits', 'misses', 'rate', 'fallen', 'expired', 'tokens saved'],
      ...intents.map((each) => [
        each.agent,
        each.intent,
        `${each.entries}/${each.limit}`,
        each.ttl_minutes === null ? '–' : `${each.ttl_minutes} min`,
        `${each.hits}`,
        `${each.misses}`,
        each.hits + each.misses === 0 ? '–' : percent(each.hit_rate),
        `${each.invalidations}`,
        `${each.expired}`,
        `${each.tokens_saved}`,
      ]),
    ];
    const widths = cells[0]!.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
    const line = (row: string[]) =>
      row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ');
    return [
      ...cells.map(line),
      '',
      hits + misses === 0
        ? 'No questions yet.'
        : `${hits} of ${hits + misses} questions answered from the cache (${percent(hit_rate)}), ${tokens_saved} tokens saved`,
      ...top.map((each) => `${`${each.hits}×`.padStart(5)}  ${each.asked}`),
    ].join('\n');
  },
  run: async (input, { app, caller }) => {
    const { sessions } = await app.memory();
    const who = memoryCaller({ app, caller });
    const viewer = sessions.viewerOf(who, await sessions.forReading(who, input.session));
    const cache = await (await app.answers()).cache();
    const found = cache.statistics({ session: viewer.session_id, seesAll: viewer.sees_all });
    const sum = (field: 'hits' | 'misses' | 'tokens_saved') =>
      found.intents.reduce((total, each) => total + each[field], 0);
    const [hits, misses] = [sum('hits'), sum('misses')];
    const hit_rate = hits + misses === 0 ? 0 : hits / (hits + misses);
    return { ...found, hits, misses, hit_rate, tokens_saved: sum('tokens_saved') };
  },
});

export const clearCache = operation({
  name: 'clear_cache',
  summary: 'Clear cached answers, all or those of one agent.',
  effect: 'derive',
  idempotent: true,
  input: z.object({ agent: z.enum(specialists).optional().describe('only this agent') }),
  output: z.object({ cleared: z.number() }),
  examples: [{}, { agent: 'librarian' }],
  command: { positionals: ['agent'] },
  render: ({ cleared }) => `${cleared} cached answers cleared.`,
  run: async ({ agent }, { app }) => ({ cleared: (await (await app.answers()).cache()).clear(agent) }),
});

const percent = (share: number): string => `${Math.round(share * 100)} %`;
