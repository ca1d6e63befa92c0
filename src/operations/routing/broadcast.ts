import { z } from 'zod';
import { reportOf } from '../../base/errors.ts';
import { looseList } from '../../base/loose-input.ts';
import { targets } from '../../engines/guide/routing/index.ts';
import { memoryCaller, sessionIdOf, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { askKnower, isKnowing } from './dispatch.ts';
import { classifyFor, dispatchedOutput, guide, messageInput, nextStepFor } from './shared.ts';

export const broadcast = operation({
  name: 'broadcast',
  summary: 'Puts one message to several agents at once and answers with what each of them says.',
  effect: 'write',
  ...guide,
  tier: 'contextual',
  priority: 60,
  keywords: ['broadcast', 'notify all', 'announce'],
  loadTrigger: 'broadcast|notify|announce',
  input: z.object({
    input: messageInput,
    targets: looseList(z.enum(targets)).default(['librarian', 'archivalist', 'academic']),
    ...sessionInput,
  }),
  output: z.object({
    session: z.string(),
    answers: z.array(dispatchedOutput.partial().extend({ agent: z.string(), error: z.string().optional() })),
  }),
  examples: [{ input: 'rate limiting of logins' }],
  command: { positionals: ['input'], rest: true },
  render: ({ answers }) =>
    answers.map(({ agent, answer, error }) => `── ${agent}\n${error ?? answer ?? ''}`).join('\n'),
  run: async ({ input, targets: wanted, ...rest }, context) => {
    const { of } = await context.app.memory();
    const session = await of.writing(memoryCaller(context), sessionIdOf(rest));
    const ask = async (agent: (typeof targets)[number]) => {
      if (!isKnowing(agent))
        return {
          agent,
          status: 'needs_agents' as const,
          next_step: nextStepFor(agent),
          answer: nextStepFor(agent),
        };
      try {
        const { classification } = await classifyFor(context, input, {
          ...rest,
          target: agent,
          verb: 'recall',
        });
        return { agent, ...(await askKnower(context, agent, { text: input, classification, session })) };
      } catch (error) {
        return { agent, error: reportOf(error).message };
      }
    };
    return { session: session.id, answers: await Promise.all([...new Set(wanted)].map(ask)) };
  },
});
