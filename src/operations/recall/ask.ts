import { z } from 'zod';
import type { App } from '../../app.ts';
import { searchAnswerSchema } from '../../engines/answers/index.ts';
import { missingHistory } from '../open-index.ts';
import { operation } from '../operation.ts';
import { showAnswer, showCost } from './answer.ts';
import {
  domainsInput,
  domainsOf,
  freshnessOutput,
  openRecall,
  pathInput,
  queryInput,
  readQuestion,
  showNotes,
  staleSources,
} from './shared.ts';

/** True for a question about history that a shallow or partial clone may lack. */
const aboutThePast =
  /\b(?:why|when|who|since|history|commits?|chang\w+|introduc\w+|added|removed|first|oldest|before)\b/i;

/** `/skill-ref` at the start of a question means that skill; the rest is the question. */
async function withoutSkills(app: App, question: string) {
  if (!question.startsWith('/')) return { text: question, blocks: [], failures: [] };
  const { prepareTurn } = await import('../../stores/skills/index.ts');
  const turn = await prepareTurn(await (await app.skills()).engine(), { text: question });
  return {
    text: turn.text.trim() || question,
    blocks: turn.blocks.map(({ id, content }) => ({ id, content })),
    failures: turn.events.flatMap((event) => (event.type === 'SkillResolutionFailed' ? [event.error] : [])),
  };
}

/** An answer in parts has headings over them, and is shown as it was composed. */
const isComposed = ({ target, answer }: { target: string; answer: string }): boolean =>
  target !== 'librarian' || answer.startsWith('── ');

export const ask = operation({
  name: 'ask',
  summary:
    'Ask anything about this repository: returns numbered sources with the reason, trust and freshness of each, and shows contradictions. Calls a model only if the person configured one.',
  effect: 'read',
  input: z.object({
    question: queryInput,
    in: domainsInput,
    path: pathInput,
    token_budget: z.coerce.number().int().min(100).max(20_000).default(1000),
    thoroughness: z.enum(['quick', 'moderate', 'thorough']).default('moderate'),
  }),
  output: searchAnswerSchema.extend({
    target: z.string().describe('the specialist that answered'),
    route: z.string().describe('how the question was routed'),
    next_step: z
      .string()
      .optional()
      .describe('the next step, when the message is for an agent that gives no answers'),
    searched_for: z.array(z.string()).optional().describe('what was searched for instead of mistyped words'),
    freshness: freshnessOutput,
    linked: z.array(z.string()).optional().describe('what links say'),
    skills: z
      .array(z.object({ id: z.string(), content: z.string() }))
      .optional()
      .describe('skills that the question names as /skill-ref'),
  }),
  examples: [{ question: 'where do users log in?' }, { question: 'how do we limit attempts', in: 'code' }],
  command: { positionals: ['question'], rest: true },
  render: (output, { verbose }) =>
    [
      ...(output.skills ?? []).map(({ content }) => content),
      output.linked ? ['Linked:', ...output.linked].join('\n  ') : '',
      verbose ? output.route : '',
      ...(output.searched_for ?? []),
      isComposed(output) ? output.answer : showAnswer(output, verbose),
      output.next_step,
      verbose ? showCost(output) : '',
      showNotes(output.notes, output.freshness),
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const { text: question, blocks, failures } = await withoutSkills(context.app, input.question);
    const wanted = domainsOf(input.in);
    const started = performance.now();
    const { read, session } = await readQuestion(context, question);
    const answers = await context.app.answers();
    const answer = await answers.ask(
      {
        text: question,
        read,
        domains: wanted,
        path: input.path,
        tokenBudget: input.token_budget,
        thoroughness: input.thoroughness,
        signal: context.signal,
      },
      { session, kind: context.caller.kind, readOnly: context.caller.readOnly },
    );
    const { target, level, cost } = answer;
    (await context.app.guide()).traceAnswer({
      session,
      source: context.caller.kind === 'person' ? 'user' : 'client',
      target,
      milliseconds: performance.now() - started,
      level,
      cost: cost.model_tokens,
    });
    const limits = aboutThePast.test(question) ? missingHistory(await context.app.history()) : [];
    return {
      ...answer,
      notes: [...answer.notes, ...limits, ...failures],
      skills: blocks.length > 0 ? blocks : undefined,
      freshness: await staleSources(context, recall),
    };
  },
});
