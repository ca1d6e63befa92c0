import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import { authorText } from '../../engines/memory/index.ts';
import { authorSchema, type PreferenceProposal, proposalSchema } from '../../stores/chronicle/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { authorOf, reading, sessionInput, writing } from './shared.ts';

const saidOutput = z.record(z.string(), z.string());
const preferencesOutput = z.object({
  explicit: saidOutput.describe('stated or confirmed by the person'),
  everywhere: z.array(z.string()).describe('preferences for every repository'),
  implicit: z.record(
    z.string(),
    z.object({
      value: z.string(),
      confidence: z.number(),
      evidence: z.array(z.string()),
      author: authorSchema,
      observed_at: z.string(),
    }),
  ),
  session_overrides: saidOutput,
  proposals: z.array(proposalSchema).describe('proposed by agents; only the person can confirm them'),
});

async function knownTo(context: OperationContext, category: string, session?: string) {
  const { memory, viewer } = await reading(context, { session });
  const known = await memory.preferences.known(viewer.session_id, category);
  const values = (said: typeof known.explicit) =>
    Object.fromEntries(Object.entries(said).map(([key, { value }]) => [key, value]));
  return {
    explicit: values(known.explicit),
    everywhere: Object.keys(known.explicit).filter((key) => known.explicit[key]?.everywhere),
    implicit: known.implicit,
    session_overrides: values(known.session_overrides),
    proposals: known.proposals,
  };
}

const describeProposal = ({ id, category, preference, author, proposed_at }: PreferenceProposal): string =>
  sanitizeTerminalText(
    `${id}  ${category}: ${preference}  (${author.kind === 'unknown' ? 'unknown author: confirm or reject' : `proposed by ${authorText(author)}`}, ${proposed_at.slice(0, 10)})`,
  );

function describeAll({
  explicit,
  everywhere,
  implicit,
  session_overrides,
  proposals,
}: z.output<typeof preferencesOutput>): string {
  const waiting = proposals.filter(({ status }) => status === 'waiting');
  const part = (heading: string, lines: string[]) =>
    lines.length > 0
      ? [`${heading}\n${lines.map((line) => `  ${sanitizeTerminalText(line)}`).join('\n')}`]
      : [];
  const parts = [
    ...part(
      'Yours',
      Object.entries(explicit).map(
        ([key, value]) => `${key}: ${value}${everywhere.includes(key) ? '  (everywhere)' : ''}`,
      ),
    ),
    ...part(
      'This session',
      Object.entries(session_overrides).map(([key, value]) => `${key}: ${value}`),
    ),
    ...part(
      'Reported by agents or inferred',
      Object.entries(implicit).map(
        ([key, { value, confidence, author }]) =>
          `${key}: ${value}  (${Math.round(confidence * 100)} %, ${authorText(author)})`,
      ),
    ),
    ...part('Proposed, not confirmed', waiting.map(describeProposal)),
  ];
  if (parts.length === 0) return 'No preferences yet. Add one: sylk preferences set CATEGORY PREFERENCE';
  if (waiting.length > 0)
    parts.push('To answer: sylk preferences confirm ID [--everywhere], or sylk preferences reject ID');
  return parts.join('\n\n');
}

const getPreferences = operation({
  name: 'get_preferences',
  summary:
    "The person's preferences in their own words, and separately what agents proposed or reported, with the author.",
  effect: 'read',
  input: z.object({
    category: z.string().default('all').describe('code_style, ui, workflow, tools, all, or a custom one'),
    ...sessionInput,
  }),
  output: preferencesOutput,
  examples: [{}],
  command: { positionals: ['category'] },
  render: describeAll,
  run: (input, context) => knownTo(context, input.category, input.session),
});

const everywhere = looseBoolean
  .default(false)
  .describe('for every repository of the person, not only this one');

const setPreference = operation({
  name: 'set_preference',
  summary:
    'Propose a preference that the person stated, for this repository; it applies once they confirm it. A preference for this session applies at once.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    category: z.string().min(1).max(100),
    preference: z.string().min(1).max(2000),
    this_session_only: looseBoolean.default(false),
    everywhere,
    ...sessionInput,
  }),
  output: z.object({
    stored: z.boolean().describe('false: proposed, waiting for the person'),
    proposal_id: z.string().optional(),
    hint: z.string().optional(),
  }),
  examples: [{ category: 'code_style.quotes', preference: 'single' }],
  command: { positionals: ['category', 'preference'], rest: true },
  render: ({ stored, hint }) => (stored ? 'Stored.' : `Proposed. ${hint ?? ''}`),
  run: async (input, context) => {
    const { preferences } = await context.app.memory();
    const { category, preference } = input;
    const author = authorOf(context);
    if (input.this_session_only) {
      const { session } = await writing(context, input);
      await preferences.override(session.id, category, preference, author);
      return { stored: true };
    }
    if (author.kind === 'person') {
      await preferences.say({ category, preference, author, everywhere: input.everywhere });
      return { stored: true };
    }
    const id = await preferences.propose({ category, preference, author });
    context.app.events.publish('preference', { id });
    const hint = `It applies once the person confirms it: sylk preferences confirm ${id}`;
    return { stored: false, proposal_id: id, hint };
  },
});

const decidePreference = operation({
  name: 'decide_preference',
  summary: 'Confirm a proposed preference, for this repository or everywhere, or reject it.',
  effect: 'decide',
  input: z.object({
    id: z.string().describe('as shown by `sylk preferences`'),
    answer: z.enum(['confirmed', 'rejected']).describe('rejected: no longer shown to agents'),
    everywhere,
  }),
  output: proposalSchema,
  examples: [{ id: 'prp_0', answer: 'confirmed' }],
  command: { positionals: ['id', 'answer'] },
  consent: async ({ id }, app) => ({
    shown: describeProposal(await (await app.memory()).preferences.proposal(id)),
    allowed: false,
  }),
  render: ({ status, category, preference }) => sanitizeTerminalText(`${status}: ${category}: ${preference}`),
  run: async ({ id, answer, everywhere: all }, { app, caller }) =>
    (await app.memory()).preferences.decide(id, answer, { by: caller.name, everywhere: all }),
});

const removePreference = operation({
  name: 'remove_preference',
  summary: 'Remove a preference that you stated or confirmed.',
  effect: 'setup',
  idempotent: true,
  destructive: true,
  input: z.object({ category: z.string(), everywhere }),
  output: z.object({ removed: z.number() }),
  examples: [{ category: 'code_style.quotes' }],
  command: { positionals: ['category'] },
  render: ({ removed }) =>
    removed > 0 ? 'Removed.' : 'No such preference. Run `sylk preferences` to list them.',
  run: async ({ category, everywhere: all }, { app }) => ({
    removed: await (await app.memory()).preferences.takeBack(category, all),
  }),
});

const reportFeedback = operation({
  name: 'report_feedback',
  summary: 'Record that the person accepted or rejected a suggestion, to learn their preferences.',
  effect: 'write',
  input: z.object({
    category: z.string().min(1).max(100),
    suggestion: z.string().min(1).max(2000),
    response: z.enum(['accepted', 'rejected']),
  }),
  output: preferencesOutput,
  examples: [{ category: 'error_handling', suggestion: 'early return', response: 'accepted' }],
  render: describeAll,
  run: async ({ category, suggestion, response }, context) => {
    const { preferences } = await context.app.memory();
    await preferences.learn(category, suggestion, response, authorOf(context));
    return knownTo(context, category);
  },
});

export const preferenceOperations = [
  getPreferences,
  setPreference,
  decidePreference,
  removePreference,
  reportFeedback,
];
