import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';
import {
  academic,
  findPassages,
  type Kind,
  materialNote,
  nothing,
  numberer,
  passage,
  showPassage,
} from './material.ts';

const depthWords: Record<string, number> = { quick: 1, standard: 2, moderate: 2, deep: 3, comprehensive: 3 };
const depth = z.preprocess(
  (given) =>
    typeof given === 'string' && given.toLowerCase() in depthWords ? depthWords[given.toLowerCase()] : given,
  z.coerce.number().int().min(1).max(3).default(2),
);

const limit = z.coerce.number().int().min(1).max(50).default(5);

export const research = operation({
  name: 'research',
  summary:
    'What the gathered papers, documentation and best practices say about a technical question: ranked passages with citations.',
  effect: 'read',
  ...academic,
  input: z.object({
    query: z.string().min(1).max(2000).optional().describe('the question or topic'),
    topic: z.string().min(1).max(2000).optional().describe('same as query'),
    depth: depth.describe('1 quick, 2 standard, 3 deep; the words are accepted too'),
    focus_areas: looseList(z.string()).default([]),
    include_papers: looseBoolean.default(true),
    include_docs: looseBoolean.default(true),
  }),
  output: z.object({
    question: z.string(),
    note: z.string(),
    findings: z.array(passage),
    by_focus: z.array(z.object({ focus: z.string(), findings: z.array(passage) })),
  }),
  examples: [{ query: 'retry logic with backoff' }],
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
    const question = input.query ?? input.topic;
    if (!question)
      throw new SylkError('VALIDATION_ERROR', 'research: query is missing.', {
        hint: 'Give the question as query.',
      });
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
    return { question, note: materialNote, findings: findings.slice(0, 12), by_focus };
  },
});

function kindsOf({
  include_papers,
  include_docs,
}: {
  include_papers: boolean;
  include_docs: boolean;
}): Kind[] {
  return [
    ...(include_papers ? (['paper'] as const) : []),
    ...(include_docs ? (['documentation', 'rfc', 'tutorial'] as const) : []),
    'best_practice',
    'question_and_answer',
    'blog_post',
  ];
}

export const findBestPractices = operation({
  name: 'find_best_practices',
  summary: 'Established practice for a technology, pattern or approach, from gathered references.',
  effect: 'read',
  ...academic,
  input: z.object({
    topic: z.string().min(1).max(1000),
    technology: z.string().max(200).optional().describe('such as Go or React'),
    limit,
  }),
  output: z.object({ question: z.string(), note: z.string(), practices: z.array(passage) }),
  examples: [{ topic: 'error handling', technology: 'Go' }],
  command: { positionals: ['topic'], rest: true },
  render: ({ note, practices }) =>
    practices.length === 0 ? nothing : [note, ...practices.map(showPassage)].join('\n'),
  run: async ({ topic, technology, limit: most }, context) => {
    const question = technology ? `${technology} ${topic} best practices` : topic;
    const found = await findPassages(context, question, most, ['best_practice', 'documentation', 'rfc']);
    return { question, note: materialNote, practices: numberer()(found) };
  },
});

export const findPapers = operation({
  name: 'find_papers',
  summary: 'Gathered papers about a subject, with authors, year, venue, abstract and the passages that fit.',
  effect: 'read',
  ...academic,
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
