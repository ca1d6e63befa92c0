import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { timeScopeOf } from '../../base/text/index.ts';
import { cardSchema } from '../../engines/knowledge/index.ts';
import { parseTime, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { cardLine, looking, relatedAnswer, relatedOutput, shape } from './shared.ts';

const limit = z.coerce.number().int().min(1).max(100);
const subject = z.string().min(1).max(500).describe('words, a path, or a name');

const patterns = operation({
  name: 'get_patterns_for_code',
  summary:
    'Which patterns and practices code implements, with where: "what patterns does our auth code implement?"',
  effect: 'read',
  ...shape,
  input: z.object({
    subject,
    path: z.string().optional().describe('only below this folder'),
    limit: limit.default(10),
    ...sessionInput,
  }),
  output: z.object({
    subject: z.string(),
    patterns: z.array(z.object({ pattern: cardSchema, code: z.array(cardSchema), weight: z.number() })),
  }),
  examples: [{ subject: 'auth' }],
  command: { positionals: ['subject'], rest: true },
  render: ({ patterns: found }) =>
    found.length === 0
      ? 'No pattern is linked to that code. link_refs with implements_pattern says so where you know one.'
      : found
          .map(({ pattern, code }) =>
            [cardLine(pattern), ...code.map((card) => `    in ${cardLine(card)}`)].join('\n'),
          )
          .join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    return { subject: input.subject, patterns: await knowledge.questions.patternsOf(viewer, input) };
  },
});

const decisions = operation({
  name: 'get_decision_sources',
  summary: 'Decisions about a subject and what each was based on: "why did we choose JWT over sessions?"',
  effect: 'read',
  ...shape,
  input: z.object({ subject, limit: limit.default(3), ...sessionInput }),
  output: z.object({
    subject: z.string(),
    decisions: z.array(
      z.object({ decision: cardSchema, sources: z.array(relatedOutput), code: z.array(cardSchema) }),
    ),
  }),
  examples: [{ subject: 'where sessions live' }],
  command: { positionals: ['subject'], rest: true },
  render: ({ decisions: found }) =>
    found.length === 0
      ? 'No decision about that is remembered.'
      : found
          .map(({ decision, sources, code }) =>
            [
              cardLine(decision),
              ...(decision.text ? [`    ${decision.text}`] : []),
              ...sources.map(({ type, card }) => `    ${type.replaceAll('_', ' ')} ${cardLine(card)}`),
              ...code.map((card) => `    about ${cardLine(card)}`),
            ].join('\n'),
          )
          .join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const found = await knowledge.questions.decisionsAbout(viewer, input);
    return {
      subject: input.subject,
      decisions: found.map(({ decision, sources, code }) => ({
        decision,
        sources: sources.map(relatedAnswer),
        code,
      })),
    };
  },
});

const changed = operation({
  name: 'get_changed_code',
  summary:
    'Code about a subject that was changed in a time, by entries and commits: "what changed in auth last week?"',
  effect: 'read',
  ...shape,
  input: z.object({
    subject,
    since: z.string().default('7d').describe('RFC 3339, 7d, 12h, 3w, or words such as last week'),
    limit: limit.default(50),
    ...sessionInput,
  }),
  output: z.object({
    subject: z.string(),
    since: z.string(),
    changes: z.array(
      z.object({
        code: cardSchema,
        change: z.enum(['modified', 'created', 'deleted', 'mentioned']),
        at: z.string(),
        by: z.array(cardSchema),
      }),
    ),
  }),
  examples: [{ subject: 'auth', since: '2025-01-01T00:00:00Z' }],
  command: { positionals: ['subject'], rest: true },
  render: ({ changes, since }) =>
    changes.length === 0
      ? `Nothing about that changed since ${since.slice(0, 10)}.`
      : changes
          .map(({ code, change, by }) =>
            [`${cardLine(code)}  (${change})`, ...by.slice(0, 5).map((card) => `    ${cardLine(card)}`)].join(
              '\n',
            ),
          )
          .join('\n'),
  run: async (input, context) => {
    const now = context.app.clock.now();
    const scope = timeScopeOf(input.since, now);
    const since = parseTime(input.since, now) ?? scope?.from;
    if (since === undefined)
      throw new SylkError('VALIDATION_ERROR', `since is not a time: ${JSON.stringify(input.since)}`, {
        hint: 'Use RFC 3339 (2026-01-31T00:00:00Z), 7d, 12h, 3w, or words such as last week.',
      });
    const { viewer, knowledge } = await looking(context, input);
    const until = parseTime(input.since, now) === undefined ? scope?.to : undefined;
    const changes = await knowledge.questions.changedCode(viewer, {
      subject: input.subject,
      since,
      until,
      limit: input.limit,
    });
    return { subject: input.subject, since: new Date(since).toISOString(), changes };
  },
});

const issues = operation({
  name: 'get_issues_for_code',
  summary:
    'Bugs and failures that touched a function or file before, and whether they were fixed. Look before you change it.',
  effect: 'read',
  ...shape,
  input: z.object({
    symbol: z.string().min(1).max(1000).describe('ref, path or name'),
    limit: limit.default(20),
    ...sessionInput,
  }),
  output: z.object({
    code: cardSchema,
    issues: z.array(z.object({ issue: cardSchema, fixed: z.boolean(), about: z.string() })),
  }),
  examples: [{ symbol: 'src/auth/session.ts' }],
  command: { positionals: ['symbol'] },
  render: ({ code, issues: found }) =>
    [
      cardLine(code),
      ...found.map(
        ({ issue, fixed }) =>
          `  ${issue.at?.slice(0, 10)}: ${issue.title} (${fixed ? 'fixed' : 'open'})  ${issue.ref}`,
      ),
      ...(found.length === 0 ? ['  no issue with it is remembered'] : []),
    ].join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    return knowledge.questions.issuesOf(viewer, input);
  },
});

export const acrossOperations = [patterns, decisions, changed, issues];
