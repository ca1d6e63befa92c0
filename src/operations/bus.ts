import { z } from 'zod';
import { looseBoolean, looseList } from '../base/loose-input.ts';
import { limitInput, pageFrom, pagingInput, pagingOutput } from '../base/paging.ts';
import { agentHealthSchema, busStatisticsSchema } from '../engines/guide/index.ts';
import { messageSchema, messageTypeAliases, messageTypes, priorities } from '../stores/messages/index.ts';
import { memoryCaller, sessionInput } from './memory/shared.ts';
import { isPersonSpeaking, type OperationContext, operation } from './operation.ts';

const typeInput = z
  .enum([...messageTypes, ...Object.keys(messageTypeAliases)])
  .describe('message type, such as STORE_REQUEST or CONTEXT_REQUEST');
/** The command line passes strings only: parse a string that reads as a JSON object. */
function looseJson(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[{[]/.test(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
const receipt = z.object({
  id: z.string(),
  status: z.string(),
  target: z.string(),
  durable: z.boolean(),
  expires_at: z.string().optional().describe('no agent listens here: it waits for one until then'),
});
const said = {
  type: typeInput,
  payload: z.preprocess(looseJson, z.unknown()).describe('the content: text or an object'),
  priority: z.enum(priorities).default('normal'),
  ttl: z.coerce.number().int().min(1).optional().describe('milliseconds until the message expires'),
  id: z.string().optional().describe('your own message id; a repeated id is accepted once'),
  correlation_id: z.string().optional(),
  ...sessionInput,
};
const hopOutput = z.object({
  at: z.string(),
  message_id: z.string().optional(),
  correlation_id: z.string().optional(),
  session_id: z.string(),
  type: z.string(),
  source: z.string(),
  target: z.string(),
  priority: z.string().optional(),
  status: z.string(),
  attempt: z.number().optional(),
  waited_ms: z.number().optional(),
  ran_ms: z.number(),
  tier: z.string().optional(),
  cost: z.number().optional(),
  error: z.string().optional(),
});
type ShownHop = z.output<typeof hopOutput>;

/** A person sends as "user", everyone else under its own name, each in its own session. */
const sourceOf = ({ caller }: OperationContext): string =>
  isPersonSpeaking(caller)
    ? 'user'
    : `client:${caller.name.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 60) || 'agent'}`;

async function sessionOf(context: OperationContext, given: string | undefined): Promise<string> {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  // The bus checks a named session by message type: a suspended session accepts the message that resumes it.
  if (given !== undefined) return (await memory.sessions.forCaller(caller, given)).id;
  return (await memory.sessions.forWriting(caller)).id;
}

const line = (hop: ShownHop): string =>
  `${hop.at.slice(11, 23)}  ${hop.status.padEnd(7)} ${hop.type.padEnd(20)} ${hop.source} → ${hop.target}  ${hop.waited_ms === undefined ? '' : `waited ${hop.waited_ms} ms, `}ran ${hop.ran_ms} ms${(hop.attempt ?? 1) > 1 ? `, attempt ${hop.attempt}` : ''}${hop.tier ? `, ${hop.tier}` : ''}${hop.error ? `  ${hop.error}` : ''}`;

const replyText = (reply: unknown): string =>
  typeof reply === 'string' ? reply : JSON.stringify(reply, null, 2);

const sendMessage = operation({
  name: 'send_message',
  summary:
    'Send a message through the Guide to one agent, to several, or with broadcast to every listening agent of your session. Messages that store, decide, change a session or carry a task are saved before they are acknowledged.',
  effect: 'write',
  input: z.object({
    ...said,
    target: z.string().optional().describe('receiving agent; chosen by message type when omitted'),
    targets: looseList(z.string()).optional().describe('several receiving agents'),
    broadcast: looseBoolean.default(false).describe('send to targets, or to all agents'),
  }),
  output: receipt.partial().extend({
    session_id: z.string(),
    reply: z.unknown().optional().describe('of one receiver that answered; for a later one see guide_trace'),
    error: z.string().optional(),
    items: z.array(receipt).optional().describe('one per agent of a broadcast'),
    problems: z.array(z.object({ target: z.string(), message: z.string() })).optional(),
  }),
  examples: [
    { type: 'TASK_DISPATCH', target: 'engineer', payload: { task: 'limit attempts' } },
    { type: 'DAG_STATUS', payload: 'The build is green again.', targets: ['architect'] },
  ],
  command: { positionals: ['type', 'payload'], rest: true },
  render: ({ items = [], problems = [], ...one }) =>
    [
      ...[...(one.id ? [one] : []), ...items].map(
        ({ id, target, durable, expires_at }) =>
          `${id} accepted for ${target}${durable ? ', saved' : ''}${expires_at ? `. No agent listens as ${target}: it expires ${expires_at.slice(0, 16)}` : ''}`,
      ),
      ...(one.error ? [`failed: ${one.error}`] : []),
      ...(one.reply === undefined ? [] : [replyText(one.reply)]),
      ...problems.map(({ target, message }) => `${target}: ${message}`),
    ].join('\n'),
  run: async ({ session, type, payload, targets, broadcast, ...rest }, context) => {
    const session_id = await sessionOf(context, session);
    const bus = await (await context.app.guide()).bus();
    const message = { ...rest, type: type as never, payload, session_id, source: sourceOf(context) };
    const isToSeveral = broadcast || targets !== undefined;
    if (!isToSeveral) return { ...(await bus.exchange(message)), session_id };
    const taken = await bus.broadcast(message, targets);
    await bus.idle();
    return { ...taken, session_id };
  },
});

/** Agents don't see other sessions. */
async function visibleSession(
  context: OperationContext,
  given: string | undefined,
): Promise<string | undefined> {
  const memory = await context.app.memory();
  if (given !== undefined) return (await memory.sessions.forCaller(memoryCaller(context), given)).id;
  if (context.caller.kind === 'person') return undefined;
  return (await memory.sessions.forReading(memoryCaller(context)))?.id ?? '';
}

const guideTrace = operation({
  name: 'guide_trace',
  summary:
    'Message log of the Guide: every delivery with its status, wait, duration, level and cost. With a message id also what became of that message: its reply for the sender.',
  effect: 'read',
  input: z.object({
    agent: z.string().optional(),
    message: z.string().optional().describe('a message id; shows the message and its replies'),
    limit: limitInput(50, 500),
    watch: z.coerce.number().int().min(0).max(3600).default(0).describe('seconds to keep watching'),
    ...sessionInput,
  }),
  output: z.object({
    hops: z.array(hopOutput),
    status: z.string().optional().describe('of the saved message'),
    reply: z.unknown().optional(),
    error: z.string().optional(),
  }),
  examples: [{ message: 'msg_0' }],
  render: ({ hops, status, reply, error }) =>
    [
      ...hops.map(line),
      ...(status ? [`${status}${error ? `: ${error}` : ''}`] : []),
      ...(reply === undefined ? [] : [replyText(reply)]),
    ].join('\n') || 'No messages yet.',
  run: async function* ({ agent, message, limit, watch, ...input }, context) {
    const session = await visibleSession(context, input.session);
    const file = (await context.app.guide()).trace();
    const filter = { session, agent, message, limit };
    const hops: ShownHop[] = file.read(filter);
    const end = Date.now() + watch * 1000;
    for (let since = hops.at(-1)?.at; Date.now() < end && !context.signal.aborted; ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const fresh = file.read({ ...filter, since });
      for (const hop of fresh) {
        hops.push(hop);
        yield { type: 'text', text: line(hop) };
      }
      since = fresh.at(-1)?.at ?? since;
    }
    return { hops, ...(message === undefined ? {} : await outcomeOf(context, message)) };
  },
});

/** What became of a saved message, for its sender and the person. */
async function outcomeOf(context: OperationContext, id: string) {
  const bus = await (await context.app.guide()).bus();
  const found = await bus.find(id);
  const isVisible = context.caller.kind === 'person' || found?.message.source === sourceOf(context);
  if (!found || !isVisible) return {};
  const { status, error } = found.message;
  return { status, error, reply: found.reply };
}

const guideHealth = operation({
  name: 'guide_health',
  summary:
    'Health of the agents on the bus: queues, failures, breakers, counts, and messages waiting in the library.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    agents: z.array(agentHealthSchema),
    library: z.array(
      z.object({ target: z.string(), status: z.string(), count: z.number(), oldest_at: z.string() }),
    ),
    statistics: busStatisticsSchema.describe('bus counters of this process'),
  }),
  examples: [{}],
  render: ({ agents, library }) =>
    [
      ...agents.map(
        (one) =>
          `${one.agent.padEnd(14)} ${one.state.padEnd(9)} queued ${one.queued}, running ${one.in_flight}, done ${one.done}, failed ${one.failed}${one.last_error ? `  ${one.last_error}` : ''}`,
      ),
      ...library
        .filter((row) => row.status !== 'done')
        .map(
          (row) => `${row.count} ${row.status} for ${row.target}, oldest from ${row.oldest_at.slice(0, 16)}`,
        ),
    ].join('\n'),
  run: async (_input, { app, caller }) => {
    const bus = await (await app.guide()).bus();
    return {
      // An error text may quote a message of another session.
      agents: bus
        .health()
        .map(({ last_error, ...one }) =>
          caller.kind === 'person' && last_error ? { ...one, last_error } : one,
        ),
      library: await bus.stored(),
      statistics: bus.statistics(),
    };
  },
});

const deadLetters = operation({
  name: 'list_dead_letters',
  summary:
    'Messages that could not be delivered to any agent, newest first, with the reason. Resend one with replay_dead_letter.',
  effect: 'read',
  input: z.object({ agent: z.string().optional(), ...sessionInput, ...pagingInput }),
  output: z.object({ messages: z.array(messageSchema), ...pagingOutput }),
  examples: [{}],
  render: ({ messages, total }) =>
    messages.length === 0
      ? 'No dead letters.'
      : `${messages.map((one) => `${one.id}  ${one.type} → ${one.target}  ${one.attempt} attempts  ${one.error ?? ''}`).join('\n')}${total > messages.length ? `\n${total} in total` : ''}`,
  run: async (input, context) => {
    const session = await visibleSession(context, input.session);
    const bus = await (await context.app.guide()).bus();
    const { items, ...paging } = await pageFrom(input, (offset) =>
      bus.deadLetters({ agent: input.agent, session, offset, limit: 200 }),
    );
    return { messages: items, ...paging };
  },
});

const replayDeadLetter = operation({
  name: 'replay_dead_letter',
  summary: 'Send a dead letter again under its own id, with its attempt counter reset.',
  effect: 'write',
  input: z.object({ id: z.string() }),
  output: receipt,
  examples: [{ id: 'msg_0' }],
  command: { positionals: ['id'] },
  render: ({ id, target }) => `${id} sent again to ${target}`,
  run: async ({ id }, context) => {
    const bus = await (await context.app.guide()).bus();
    await bus.requireVisible(id, await visibleSession(context, undefined));
    const taken = await bus.replay(id);
    await bus.idle();
    return taken;
  },
});

export const operations = [guideTrace, guideHealth, deadLetters, sendMessage, replayDeadLetter];
