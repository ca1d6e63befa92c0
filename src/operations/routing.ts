import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import {
  type Classification,
  intents,
  isSpecialist,
  methods,
  phases,
  routeLine,
  targets,
  verbs,
} from '../engines/answers/reader/index.ts';
import {
  describeAgents,
  guideCommands,
  helpText,
  isQuestion,
  routedSchema,
  statusSchema,
  statusText,
  takesBack,
} from '../engines/guide/index.ts';
import { isPlainWord, phaseOfRun, type RunState } from '../engines/orchestrator/index.ts';
import { memoryCaller, sessionInput } from './memory/shared.ts';
import { isPersonSpeaking, type OperationContext, operation } from './operation.ts';
import { openRecall, readQuestion } from './recall/shared.ts';
import { isForRun, runsSpokenOf, speakToRun } from './runs/speak.ts';

const input = z.object({
  input: z.string().min(1).max(20_000).describe('the message as it was written'),
  target: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.toLowerCase().replace(/^@/, '') : given),
      z.enum(targets),
    )
    .optional()
    .describe('the target; used as is'),
  intent: z.enum(verbs).optional().describe('what the message does, if known'),
  phase: z.enum(phases).optional().describe('current phase of the work, if known'),
  ...sessionInput,
});

const routeOutput = z.object({
  target: z.enum(targets),
  verb: z.enum(verbs),
  intent: z.enum(intents),
  subject: z.string(),
  time_scope: z.object({ name: z.string(), phrase: z.string(), from: z.string(), to: z.string() }).optional(),
  confidence: z.number(),
  method: z.enum(methods).describe('the level that decided'),
  reason: z.string(),
  unsure: z.boolean().describe('true: no rule matched, so it is searched for'),
  also: z.array(z.enum(targets)).describe('other specialists that are also asked'),
  command: z.object({ name: z.string(), arguments: z.array(z.string()) }).optional(),
});

const routeOf = ({ time_scope, ...read }: Classification): z.output<typeof routeOutput> => ({
  ...read,
  time_scope: time_scope && { ...time_scope, from: isoTime(time_scope.from), to: isoTime(time_scope.to) },
});

const classify = operation({
  name: 'classify',
  summary: 'Classify a message without sending it: agent, intent, subject, time, confidence, and why.',
  effect: 'read',
  input,
  output: routeOutput,
  examples: [
    { input: 'where do users log in?' },
    { input: 'how did we handle the auth migration last month' },
  ],
  command: { positionals: ['input'], rest: true },
  render: routeLine,
  run: async (given, context) => routeOf((await readInPhase(context, given)).read),
});

/** Reads a message in the phase of the run that it can be about. */
async function readInPhase(context: OperationContext, given: z.output<typeof input>) {
  const open = await runsSpokenOf(context, given.session ?? '');
  const meant = open.length === 1 ? open : open.filter((each) => isPlainWord(each, given.input));
  const [run] = meant.length === 1 ? meant : [];
  const phase = given.phase ?? (run && phaseOfRun(run));
  return { run, meant, ...(await readQuestion(context, given.input, { ...given, phase })) };
}

const whichRun = (runs: RunState[]): string =>
  [
    `Which of the ${runs.length}?`,
    ...runs.map(({ run, prompt, proposal, status }) => {
      const verb = proposal ? 'approve' : status === 'running' ? 'stop' : 'resume';
      return `  sylk run ${verb} ${run}   ${prompt.split('\n', 1)[0]?.slice(0, 80)}`;
    }),
  ].join('\n');

const ofRuns: ReadonlySet<string> = new Set(['architect', 'orchestrator', 'inspector', 'tester']);

const route = operation({
  name: 'route',
  summary:
    'Send any message to the agent that answers it — code, history, references, sessions — and return the answer with its route.',
  effect: 'write',
  input,
  output: routedSchema.extend({ route: routeOutput, session: z.string() }),
  examples: [
    { input: 'where do users log in?' },
    { input: '@archivalist what was decided about sessions' },
    { input: 'add a health check endpoint' },
  ],
  command: { positionals: ['input'], rest: true },
  render: ({ route: taken, answer, notes }, { verbose }) =>
    [...(verbose ? [routeLine(taken)] : []), answer, ...notes.map((note) => `note: ${note}`)].join('\n'),
  run: async (given, context) => {
    const { run, meant, ...reading } = await readInPhase(context, given);
    const done = (answer: string, session: string) => {
      const status = 'done' as const;
      return { status, answer, citations: [], notes: [], route: routeOf(reading.read), session };
    };
    if (meant.length > 1) return done(whichRun(meant), given.session ?? '');
    // Without the phase of a run: what the words are for somebody who knows of none.
    const plain = run ? (await readQuestion(context, given.input, given)).read : reading.read;
    const isSaidToRun = ofRuns.has(reading.read.target) || (run && isPlainWord(run, given.input));
    if (
      run &&
      isSaidToRun &&
      !plain.command &&
      !takesBack(given.input) &&
      isForRun(run, given.input, isSpecialist(plain.target))
    )
      return done(await speakToRun(context, run, given.input), run.session);
    const read = plain;
    if (isQuestion(read)) await openRecall(context);
    const guide = await context.app.guide();
    const speaker = { ...memoryCaller(context), isPersonSpeaking: isPersonSpeaking(context.caller) };
    return { ...(await guide.route(read, speaker, given.session)), route: routeOf(read) };
  },
});

const help = operation({
  name: 'help',
  summary: 'The agents, what each answers, with examples, and the commands of the Guide.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    agents: z.array(
      z.object({ agent: z.enum(targets), about: z.string(), say: z.string(), available: z.boolean() }),
    ),
    commands: z.array(z.object({ command: z.string(), about: z.string() })),
  }),
  examples: [{}],
  render: helpText,
  run: async () => ({ agents: describeAgents(), commands: guideCommands }),
});

const status = operation({
  name: 'status',
  summary: 'State of the Guide: agents, sessions, messages, and routing statistics.',
  effect: 'read',
  input: z.object({}),
  output: statusSchema,
  examples: [{}],
  render: statusText,
  run: async (_input, context) => (await context.app.guide()).status(memoryCaller(context)),
});

/** Status comes first: its counters for this process are then the same on every surface. */
export const operations = [status, help, classify, route];
