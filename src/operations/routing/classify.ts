import { z } from 'zod';
import { routeLine, verbs } from '../../engines/answers/reader/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { messageInput, phaseInput, readFor, routeOf, routeOutput, targetInput } from './shared.ts';

export const classify = operation({
  name: 'classify',
  summary:
    'Who a message is for and what it wants — agent, intent, subject, time, confidence, and why — without sending it.',
  effect: 'read',
  input: z.object({
    input: messageInput,
    target: targetInput,
    intent: z.enum(verbs).optional().describe('what the message does, if it is known'),
    phase: phaseInput,
    ...sessionInput,
  }),
  output: routeOutput,
  examples: [
    { input: 'where do users log in?' },
    { input: 'how did we handle the auth migration last month' },
  ],
  command: { positionals: ['input'], rest: true },
  render: routeLine,
  run: async ({ input, intent, ...rest }, context) =>
    routeOf((await readFor(context, input, { ...rest, verb: intent })).read),
});
