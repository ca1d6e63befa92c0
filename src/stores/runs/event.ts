import { z } from 'zod';
import { planSchema } from './plan.ts';

const node = z.string().min(1).max(64);
const text = z.string().max(200_000);
const cost = z.number().min(0).default(0).describe('what it cost, in the currency of the budget');

/** A limit of the provider, an expired login, no network: not a failure, and gone at a known or unknown time. */
const parked = z.object({
  result: z.literal('parked'),
  reason: text,
  wake_at: z.number().optional(),
  commit: z.string().optional(),
  cost,
});

const gates = [
  z.object({ result: z.literal('passed') }),
  z.object({ result: z.literal('findings'), text }),
  z.object({ result: z.literal('broken'), message: text }),
  z.object({ result: z.literal('stopped') }),
] as const;

/** How each kind of command can end. */
const outcomes = {
  plan: z.discriminatedUnion('result', [
    z.object({ result: z.literal('planned'), plan: planSchema, cost }),
    z.object({ result: z.literal('failed'), message: text, cost }),
    z.object({ result: z.literal('asks'), question: text, cost }).describe('only the person can know it'),
    parked,
  ]),
  plan_tests: z.discriminatedUnion('result', [
    z.object({ result: z.literal('planned'), plan: planSchema, cost }),
    z.object({ result: z.literal('none'), cost }),
    z.object({ result: z.literal('failed'), message: text, cost }),
    parked,
  ]),
  work: z.discriminatedUnion('result', [
    z.object({ result: z.literal('done'), commit: z.string(), output: text.default(''), cost }),
    z.object({ result: z.literal('asks'), question: text, commit: z.string().optional(), cost }),
    parked,
    z.object({ result: z.literal('context_full'), bundle: text, commit: z.string().optional(), cost }),
    z.object({ result: z.literal('stopped'), commit: z.string().optional(), cost }),
    z.object({ result: z.literal('failed'), message: text, retryable: z.boolean(), cost }),
  ]),
  consult: z.discriminatedUnion('result', [
    z.object({ result: z.literal('done'), output: text, cost }),
    z.object({ result: z.literal('stopped'), cost }),
    z.object({ result: z.literal('failed'), message: text, retryable: z.boolean(), cost }),
    parked,
  ]),
  advise: z.discriminatedUnion('result', [
    z.object({ result: z.literal('advised'), text, cost }),
    z.object({ result: z.literal('unsure'), cost }),
    parked,
  ]),
  gate: z.discriminatedUnion('result', gates),
  inspect: z.discriminatedUnion('result', [
    ...gates,
    z.object({
      result: z.literal('guarded'),
      text: text.describe('how the change touches what judges it, or that nothing does: a person decides'),
    }),
  ]),
  merge: z.discriminatedUnion('result', [
    z.object({ result: z.literal('merged'), commit: z.string() }),
    z.object({ result: z.literal('conflict'), text }),
    z.object({ result: z.literal('red'), text }),
    z.object({ result: z.literal('broken'), message: text }),
    z.object({ result: z.literal('stopped') }),
  ]),
  summarise: z.discriminatedUnion('result', [
    z.object({ result: z.literal('done'), text, cost }),
    z.object({ result: z.literal('failed'), message: text, cost }),
    parked,
  ]),
  ask: z.object({ result: z.literal('answered'), choice: z.string().max(64), text: text.default('') }),
  wake: z.object({ result: z.literal('woke') }),
};

export const outcomeSchemas = {
  ...outcomes,
  test: outcomes.gate,
  inspect_all: outcomes.gate,
  test_all: outcomes.gate,
  revert: outcomes.merge,
  land: outcomes.merge,
};
type Schemas = typeof outcomeSchemas;
export type Outcome<Kind extends keyof Schemas> = z.output<Schemas[Kind]>;
export type AnyOutcome = { [Kind in keyof Schemas]: z.output<Schemas[Kind]> }[keyof Schemas];

export const limitsSchema = z.strictObject({
  concurrency: z.int().min(1).max(64).default(4),
  loops: z.int().min(0).max(20).default(3),
  handovers: z.int().min(0).max(100).default(5),
  fix_rounds: z.int().min(0).max(10).default(2),
  plan_attempts: z.int().min(1).max(10).default(3),
  budget: z.number().min(0).optional(),
});
export type Limits = z.output<typeof limitsSchema>;

const move = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** What a person, or somebody with a person's rights, may do to a run. */
export const moveSchema = z.discriminatedUnion('type', [
  move('plan_edited', { plan: planSchema, revision: z.int().describe('the newest revision that was seen') }),
  move('plan_approved', { revision: z.int(), start: z.boolean().default(true), remarks: text.optional() }),
  move('plan_rejected', { revision: z.int(), message: text.optional() }),
  move('change_requested', { message: text.min(1) }),
  move('started', {}),
  move('stopped', { message: text.optional() }),
  move('suspended', {}),
  move('resumed', {}),
  move('cancelled', {}),
  move('budget_raised', { budget: z.number().min(0) }),
  move('concurrency_set', { concurrency: z.int().min(1).max(64) }),
  move('node_prompted', {
    node,
    message: text.min(1),
    question: z.boolean().optional().describe('it is answered by whoever works there, and changes nothing'),
  }),
  move('node_interrupted', { node }),
  move('node_resumed', { node }),
  move('node_cancelled', { node }),
  move('node_dropped', { node }),
  move('node_retried', { node, message: text.optional() }),
  move('node_handed_over', { node }),
  move('gate_overridden', {
    node,
    gate: z.enum(['inspector', 'tester']),
    taken_back: z.boolean().optional().describe('the judge counts again'),
  }),
  move('node_claimed', {
    node,
    by: z.string().min(1).max(200),
    lease_ms: z.int().min(1000).max(86_400_000).optional().describe('the run takes the node back afterwards'),
  }),
  move('node_completed', { node, by: z.string().min(1).max(200), commit: z.string().min(1) }),
  move('node_released', { node, by: z.string().min(1).max(200) }),
  move('landing_requested', { target: z.string().min(1) }),
]);
export type Move = z.output<typeof moveSchema>;

export interface Created {
  type: 'created';
  run: string;
  session: string;
  prompt: string;
  limits: Limits;
  /** A plan that was written already; without it the Architect is asked for one. */
  plan?: z.output<typeof planSchema>;
}

export interface Answered {
  type: 'answered';
  command: string;
  outcome: AnyOutcome;
}

/** `at` comes in with the event: deciding reads no clock. */
export type RunEvent = (Created | Answered | Move) & { at: number };
