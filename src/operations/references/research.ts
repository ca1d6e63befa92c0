import { z } from 'zod';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { limitInput } from '../../base/paging.ts';
import { type OperationContext, operation } from '../operation.ts';
import { cardOutput } from '../recall/shared.ts';
import {
  findHere,
  findPassages,
  type Kind,
  linkedFirst,
  linkedHere,
  materialNote,
  nothing,
  numberer,
  passage,
  showCard,
  showPassage,
} from './material.ts';

const depthWords: Record<string, number> = { quick: 1, standard: 2, moderate: 2, deep: 3, comprehensive: 3 };
const depth = z.preprocess(
  (given) =>
    typeof given === 'string' && given.toLowerCase() in depthWords ? depthWords[given.toLowerCase()] : given,
  z.coerce.number().int().min(1).max(3).default(2),
);

const limit = z.coerce.number().int().min(1).max(50).default(5);

const research = operation({
  name: 'research',
  summary:
    'What the gathered papers, documentation and best practices say about a technical question: ranked passages with citations.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(2000).describe('the question or topic'),
    technology: z.string().max(200).optional().describe('such as Go or React'),
    depth: depth.describe('1 quick, 2 standard, 3 deep; the words are accepted too'),
    focus_areas: looseList(z.string()).default([]),
    practices_only: looseBoolean.default(false).describe('best practices, documentation and RFCs only'),
    include_papers: looseBoolean.default(true),
    include_docs: looseBoolean.default(true),
    limit: limitInput(12, 50),
  }),
  output: z.object({
    question: z.string(),
    note: z.string(),
    findings: z.array(passage),
    by_focus: z.array(z.object({ focus: z.string(), findings: z.array(passage) })),
  }),
  examples: [
    { query: 'retry logic with backoff' },
    { query: 'error handling', technology: 'Go', practices_only: true },
  ],
  command: { positionals: ['query'], rest: true },
  render: ({ note, findings, by_focus }) =>
    findings.length === 0
      ? nothing
      : [
          note,
          ...findings.map(showPassage),
          ...by_focus.map(
            ({ focus, findings: more }) => `— ${focus}: ${more.map(({ n }) => `[${n}]`).join(' ')}`,
          ),
        ].join('\n'),
  run: async (input, context) => {
    const { query, technology } = input;
    const question = technology ? `${technology} ${query} best practices` : query;
    const number = numberer();
    const kinds = kindsOf(input);
    const findings = number(await findPassages(context, question, input.depth * 10, kinds));
    const by_focus: Array<{ focus: string; findings: typeof findings }> = [];
    for (const focus of input.focus_areas.slice(0, 5)) {
      by_focus.push({
        focus,
        findings: number(await findPassages(context, `${question} ${focus}`, 5, kinds)),
      });
    }
    return { question, note: materialNote, findings: findings.slice(0, input.limit), by_focus };
  },
});

function kindsOf({
  practices_only,
  include_papers,
  include_docs,
}: {
  practices_only: boolean;
  include_papers: boolean;
  include_docs: boolean;
}): Kind[] {
  if (practices_only) return ['best_practice', 'documentation', 'rfc'];
  return [
    ...(include_papers ? (['paper'] as const) : []),
    ...(include_docs ? (['documentation', 'rfc', 'tutorial'] as const) : []),
    'best_practice',
    'question_and_answer',
    'blog_post',
  ];
}

const findPapers = operation({
  name: 'find_papers',
  summary: 'Gathered papers about a subject, with authors, year, venue, abstract and the passages that fit.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(1000),
    limit,
    min_year: z.coerce.number().int().min(1900).max(2200).optional(),
    venues: looseList(z.string()).optional().describe('preferred venues; others come after'),
  }),
  output: z.object({
    papers: z.array(
      z.object({
        topic_id: z.string(),
        title: z.string(),
        authors: z.array(z.string()),
        published_at: z.string(),
        venue: z.string(),
        abstract: z.string(),
        passages: z.array(passage),
      }),
    ),
  }),
  examples: [{ query: 'approximate nearest neighbour search' }],
  command: { positionals: ['query'], rest: true },
  run: async ({ query, limit: most, min_year, venues = [] }, context) => {
    const references = await context.app.references();
    const number = numberer();
    const hits = await findPassages(context, query, 50, ['paper']);
    const papers = [];
    for (const id of new Set(hits.map(({ topic_id }) => topic_id))) {
      const { topic } = await references.show(id);
      const published_at = topic.published_at ?? '';
      if (min_year !== undefined && !(Number(published_at.slice(0, 4)) >= min_year)) continue;
      const passages = number(hits.filter((hit) => hit.topic_id === id).slice(0, 3));
      const { title, authors = [], venue = '', body } = topic;
      papers.push({
        topic_id: id,
        title,
        authors,
        published_at,
        venue,
        abstract: body.slice(0, 2000),
        passages,
      });
    }
    const preferred = (venue: string) =>
      venues.some((wanted) => venue.toLowerCase().includes(wanted.toLowerCase()));
    return {
      papers: papers.sort((a, b) => Number(preferred(b.venue)) - Number(preferred(a.venue))).slice(0, most),
    };
  },
});

const compareApproaches = operation({
  name: 'compare_approaches',
  summary: 'What the references say about two to four approaches, side by side and criterion by criterion.',
  effect: 'read',
  input: z.object({
    approaches: looseList(z.string().min(1)).pipe(z.array(z.string()).min(2).max(4)),
    context: z.string().max(500).optional().describe('such as "high-throughput API"'),
    criteria: looseList(z.string()).default([]),
  }),
  output: z.object({
    note: z.string(),
    approaches: z.array(
      z.object({
        approach: z.string(),
        findings: z.array(passage),
        criteria: z.array(
          z.object({ criterion: z.string(), findings: z.array(z.number()).describe('numbers of passages') }),
        ),
      }),
    ),
  }),
  examples: [{ approaches: ['REST', 'gRPC'], context: 'internal services', criteria: ['latency'] }],
  command: { positionals: ['approaches'], rest: true },
  render: ({ note, approaches }) =>
    approaches.every(({ findings }) => findings.length === 0)
      ? nothing
      : [
          note,
          ...approaches.flatMap(({ approach, findings, criteria }) => [
            `── ${approach}`,
            ...findings.map(showPassage),
            ...criteria.map(
              ({ criterion, findings: numbers }) =>
                `  ${criterion}: ${numbers.map((n) => `[${n}]`).join(' ') || 'nothing found'}`,
            ),
          ]),
        ].join('\n'),
  run: async ({ approaches, context: around, criteria }, context) => {
    const number = numberer();
    const compared = [];
    for (const approach of approaches) {
      const question = around ? `${approach} for ${around}` : approach;
      const findings = number(await findPassages(context, question, 5));
      const judged = [];
      for (const criterion of criteria.slice(0, 6)) {
        const found = number(await findPassages(context, `${approach} ${criterion}`, 2));
        for (const hit of found) if (!findings.some(({ n }) => n === hit.n)) findings.push(hit);
        judged.push({ criterion, findings: found.map(({ n }) => n) });
      }
      compared.push({ approach, findings, criteria: judged });
    }
    return { note: materialNote, approaches: compared };
  },
});

const researchHere = operation({
  name: 'research_here',
  summary:
    'Theory beside practice: what the references recommend and how this repository does it. On request the gaps between them, and what was decided before: the material of a design proposal.',
  effect: 'read',
  input: z.object({
    topic: z.string().min(1).max(1000),
    show_gaps: looseBoolean.default(false),
    constraints: looseList(z.string()).default([]),
    include_history: looseBoolean.default(false).describe('commits and recorded decisions too'),
  }),
  output: z.object({
    topic: z.string(),
    note: z.string(),
    constraints: z.array(z.string()),
    theory: z.array(passage),
    practice: z.array(cardOutput),
    gaps: z.array(z.string()).describe('named in the references, not found in the code that answers'),
    history: z.array(cardOutput),
  }),
  examples: [{ topic: 'retry logic' }, { topic: 'caching layer', include_history: true }],
  command: { positionals: ['topic'], rest: true },
  render: ({ note, theory, practice, gaps, history }) =>
    [
      note,
      '── what the references say',
      ...(theory.length > 0 ? theory.map(showPassage) : [nothing]),
      '── how it is done here',
      ...(practice.length > 0 ? practice.map(showCard) : ['  nothing found in the code']),
      ...(history.length > 0 ? ['── what was done and decided', ...history.map(showCard)] : []),
      ...(gaps.length > 0 ? [`── not found here: ${gaps.join(', ')}`] : []),
    ].join('\n'),
  run: async ({ topic, show_gaps, constraints, include_history }, context) => {
    const passages = await findPassages(context, [topic, ...constraints].join(' '), include_history ? 8 : 5);
    const theory = numberer()(passages);
    const practice = await findHere(context, topic, ['code'], 5);
    const history = include_history ? await findHere(context, topic, ['commits', 'chronicle'], 5) : [];
    const gaps = show_gaps ? gapsBetween(theory, practice) : [];
    return { topic, note: materialNote, constraints, theory, practice, gaps, history };
  },
});

const getTopicInRepository = operation({
  name: 'get_topic_in_repository',
  summary:
    'What this repository has about the subject of a reference topic: code that does it, commits and recorded decisions about it.',
  effect: 'read',
  input: z.object({
    topic: z.string().min(1).describe('topic id, ref or title'),
    side: z.enum(['code', 'history']).default('code'),
    limit: limitInput(5, 50),
  }),
  output: z.object({
    topic_id: z.string(),
    code: z.array(cardOutput).optional(),
    history: z.array(cardOutput).optional(),
  }),
  examples: [{ topic: 'topic-dioxus-rust-ui-framework' }],
  command: { positionals: ['topic', 'side'] },
  run: async ({ topic, side, limit }, context) => {
    const { id, question } = await subjectOf(context, topic);
    const linked = await linkedHere(context, id, side);
    const domains: Array<'code' | 'commits' | 'chronicle'> =
      side === 'code' ? ['code'] : ['commits', 'chronicle'];
    const cards = linkedFirst(linked, await findHere(context, question, domains, limit));
    return { topic_id: id, [side]: cards.slice(0, limit * domains.length) };
  },
});

/** Names that the references set in code and that no answer from the code mentions. */
function gapsBetween(
  theory: Array<{ text: string }>,
  here: Array<{ title: string; snippet?: string | undefined }>,
): string[] {
  const named = theory.flatMap(({ text }) =>
    [...text.matchAll(/`([A-Za-z_][\w.:-]{2,40})(?:\(\))?`/g)].map(([, name]) => name!),
  );
  const practised = here
    .map(({ title, snippet }) => `${title} ${snippet ?? ''}`)
    .join(' ')
    .toLowerCase();
  return [...new Set(named)].filter((name) => !practised.includes(name.toLowerCase())).slice(0, 20);
}

async function subjectOf({ app }: OperationContext, name: string) {
  const { topic } = await (await app.references()).show(name);
  return { id: topic.id, question: `${topic.title} ${topic.tags.join(' ')}` };
}

export const operations = [research, findPapers, compareApproaches, researchHere, getTopicInRepository];
