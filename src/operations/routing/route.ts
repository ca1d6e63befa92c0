import { z } from 'zod';
import { reportOf } from '../../base/errors.ts';
import { routeLine, verbs } from '../../engines/answers/reader/index.ts';
import { patternOf, type Routing } from '../../stores/routings/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { dispatch, sessionFor } from './dispatch.ts';
import {
  dispatchedOutput,
  messageInput,
  phaseInput,
  readFor,
  routeOf,
  routeOutput,
  targetInput,
} from './shared.ts';

const asks = new Set(['recall', 'check']);

export const route = operation({
  name: 'route',
  summary:
    'Say anything: it goes to whoever answers it — code, past, references, sessions — and what comes back says how it got there.',
  effect: 'write',
  input: z.object({
    input: messageInput,
    target: targetInput,
    intent: z.enum(verbs).optional().describe('what the message does, if it is known'),
    phase: phaseInput,
    ...sessionInput,
  }),
  output: dispatchedOutput.extend({ route: routeOutput, session: z.string() }),
  examples: [
    { input: 'where do users log in?' },
    { input: '@archivalist what was decided about sessions' },
    { input: 'add a health check endpoint' },
  ],
  command: { positionals: ['input'], rest: true },
  render: ({ route: taken, answer, notes }) =>
    [routeLine(taken), answer, ...notes.map((note) => `note: ${note}`)].join('\n'),
  run: async ({ input, intent, ...rest }, context) => {
    const { read } = await readFor(context, input, { ...rest, verb: intent });
    const session = await sessionFor(context, read, rest.session);
    const started = performance.now();
    const record = async (outcome: Routing['outcome'], error = '') => {
      const { target, intent: wanted, verb, method, confidence, subject } = read;
      const milliseconds = performance.now() - started;
      const went = { target, intent: wanted, verb, method, confidence, outcome, error, milliseconds };
      await (await (await context.app.guide()).routings()).record({
        ...went,
        // What is told to be kept is kept by the Archivalist alone, so that it can be forgotten.
        pattern: asks.has(verb) ? patternOf(input, subject) : patternOf(input.split(/\s/, 1)[0]!, subject),
        session_id: session?.id ?? '',
      });
    };
    try {
      const answered = await dispatch(context, read, session);
      const { status } = answered;
      await record(status === 'nothing' || status === 'needs_agents' ? status : 'answered');
      return { ...answered, route: routeOf(read), session: session?.id ?? '' };
    } catch (error) {
      await record('failed', reportOf(error).message);
      throw error;
    }
  },
});
