import { z } from 'zod';
import { verbs } from '../../engines/guide/routing/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import {
  classifyFor,
  guide,
  messageInput,
  phaseInput,
  routeOf,
  routeOutput,
  showRoute,
  targetInput,
} from './shared.ts';

export const classify = operation({
  name: 'classify',
  summary:
    'Who a message is for and what it wants — agent, intent, subject, time, confidence, and why — without sending it.',
  effect: 'read',
  ...guide,
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
  render: showRoute,
  run: async ({ input, intent, ...rest }, context) =>
    routeOf((await classifyFor(context, input, { ...rest, verb: intent })).classification),
});
