import { z } from 'zod';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { type OperationContext, operation } from '../operation.ts';
import { cardOutput } from '../recall/shared.ts';
import { missingInput } from '../resolve.ts';
import {
  findHere,
  findPassages,
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

const input = z.object({
  query: z.string().min(1).max(2000).optional().describe('the question or topic'),
  technology: z.string().max(200).optional().describe('such as Go or React'),
  depth: depth.describe('1 quick, 2 standard, 3 deep; the words also work'),
  focus_areas: looseList(z.string()).default([]),
  practices_only: looseBoolean.default(false).describe('best practices, documentation and RFCs only'),
  include_papers: looseBoolean.default(true),
  include_docs: looseBoolean.default(true),
  papers: looseBoolean.default(false).describe('papers only, with authors, year, venue and abstract'),
  min_year: z.coerce.number().int().min(1900).max(2200).optional().describe('with papers'),
  venues: looseList(z.string()).default([]).describe('with papers: rank these first'),
  approaches: looseList(z.string().min(1))
    .pipe(z.array(z.string()).min(2).max(4))
    .optional()
    .describe('two to four approaches to compare, instead of a query'),
  context: z.string().max(500).optional().describe('with approaches, such as "high-throughput API"'),
  criteria: looseList(z.string()).default([]).describe('with approaches: criteria to compare by'),
  limit: z.coerce.number().int().min(1).max(50).optional().describe('default: 12 passages or 5 papers'),
});
type Input = z.output<typeof input>;

const paper = z.object({
  topic_id: z.string(),
  title: z.string(),
  authors: z.array(z.string()),
  published_at: z.string(),
  venue: z.string(),
  abstract: z.string(),
  passages: z.array(passage),
});

const compared = z.object({
  approach: z.string(),
  findings: z.array(passage),
  criteria: z.array(
    z.object({ criterion: z.string(), findings: z.array(z.number()).describe('citation numbers') }),
  ),
});

const research = operation({
  name: 'research',
  summary:
    'What the collected papers, documentation and best practices say about a technical question: ranked passages with citations. Or compares two to four approaches by criteria.',
  effect: 'read',
  input,
  output: z.object({
    question: z.string(),
    note: z.string(),
    findings: z.array(passage),
    by_focus: z.array(z.object({ focus: z.string(), findings: z.array(passage) })),
    papers: z.array(paper).optional(),
    approaches: z.array(compared).optional(),
  }),
  examples: [
    { query: 'retry logic with backoff' },
    { query: 'error handling', technology: 'Go', practices_only: true },
    { query: 'approximate nearest neighbour search', papers: true },
    { approaches: ['REST', 'gRPC'], context: 'internal services', criteria: ['latency'] },
  ],
  command: { positionals: ['query'], rest: true },
  render: ({ note, findings, by_focus, papers = [], approaches = [] }) => {
    const passages = [...findings, ...[...papers, ...approaches].flatMap(passagesOf)];
    if (passages.length === 0) return nothing;
    return [
      note,
      ...findings.map(showPassage),
      ...by_focus.map(({ focus, findings: more }) => `— ${focus}: ${numbersOf(more)}`),
      ...papers.flatMap(({ title, authors, published_at, venue, passages: fitting }) => [
        `── ${title}  (${[authors.join(', '), published_at.slice(0, 4), venue].filter(Boolean).join(', ')})`,
        ...fitting.map(showPassage),
      ]),
      ...approaches.flatMap(({ approach, findings: about, criteria }) => [
        `── ${approach}`,
        ...about.map(showPassage),
        ...criteria.map(
          ({ criterion, findings: numbers }) =>
            `  ${criterion}: ${numbers.map((n) => `[${n}]`).join(' ') || 'no results'}`,
        ),
      ]),
    ].join('\n');
  },
  run: async (given, context) => {
    const { approaches, query, technology } = given;
    const answer = { question: query ?? '', note: materialNote, findings: [], by_focus: [] };
    if (approaches) return { ...answer, approaches: await compare(given, approaches, context) };
    if (query === undefined) throw missingInput('query');
    if (given.papers) return { ...answer, papers: await findPapers(given, query, context) };
    const question = technology ? `${query} ${technology}` : query;
    const number = numberer();
    const kinds = kindsOf(given);
    const findings = number(await findPassages(context, question, given.depth * 10, kinds));
    const by_focus: Array<{ focus: string; findings: typeof findings }> = [];
    for (const focus of given.focus_areas.slice(0, 5)) {
      const found = await findPassages(context, `${question} ${focus}`, 5, kinds);
      by_focus.push({ focus, findings: number(found) });
    }
    return { ...answer, question, findings: findings.slice(0, given.limit ?? 12), by_focus };
  },
});

const passagesOf = (of: { passages: unknown[] } | { findings: unknown[] }): unknown[] =>
  'passages' in of ? of.passages : of.findings;

const numbersOf = (passages: Array<{ n: number }>): string => passages.map(({ n }) => `[${n}]`).join(' ');

function kindsOf({ practices_only, include_papers, include_docs }: Input) {
  if (practices_only) return ['best_practice', 'documentation', 'rfc'] as const;
  return [
    ...(include_papers ? (['paper'] as const) : []),
    ...(include_docs ? (['documentation', 'rfc', 'tutorial'] as const) : []),
    ...(['best_practice', 'question_and_answer', 'blog_post'] as const),
  ];
}

async function findPapers({ min_year, venues, limit = 5 }: Input, query: string, context: OperationContext) {
  const references = await context.app.references();
  const number = numberer();
  const hits = await findPassages(context, query, 50, ['paper']);
  const papers: Array<z.output<typeof paper>> = [];
  for (const topic_id of new Set(hits.map((hit) => hit.topic_id))) {
    const { topic } = await references.show(topic_id);
    const { title, authors = [], venue = '', body, published_at = '' } = topic;
    if (min_year !== undefined && !(Number(published_at.slice(0, 4)) >= min_year)) continue;
    const passages = number(hits.filter((hit) => hit.topic_id === topic_id).slice(0, 3));
    papers.push({ topic_id, title, authors, published_at, venue, abstract: body.slice(0, 2000), passages });
  }
  const preferred = ({ venue }: { venue: string }) =>
    Number(venues.some((wanted) => venue.toLowerCase().includes(wanted.toLowerCase())));
  return papers.sort((a, b) => preferred(b) - preferred(a)).slice(0, limit);
}

async function compare(
  { criteria, context: setting }: Input,
  approaches: string[],
  context: OperationContext,
) {
  const number = numberer();
  const results: Array<z.output<typeof compared>> = [];
  for (const approach of approaches) {
    const question = setting ? `${approach} for ${setting}` : approach;
    const findings = number(await findPassages(context, question, 5));
    const judged = [];
    for (const criterion of criteria.slice(0, 6)) {
      const found = number(await findPassages(context, `${approach} ${criterion}`, 2));
      for (const hit of found) if (!findings.some(({ n }) => n === hit.n)) findings.push(hit);
      judged.push({ criterion, findings: found.map(({ n }) => n) });
    }
    results.push({ approach, findings, criteria: judged });
  }
  return results;
}

const researchHere = operation({
  name: 'research_here',
  summary:
    'Theory and practice: what the references recommend and how this repository does it. Optionally the gaps between them, and earlier decisions: material for a design proposal. With side: what this repository has about a reference topic.',
  effect: 'read',
  input: z.object({
    topic: z.string().min(1).max(1000).describe('a subject in words; with side: id, ref or title of a topic'),
    show_gaps: looseBoolean.default(false),
    constraints: looseList(z.string()).default([]),
    include_history: looseBoolean.default(false).describe('include commits and remembered decisions'),
    side: z.enum(['code', 'history']).optional().describe('only what this repository has'),
    limit: z.coerce.number().int().min(1).max(50).default(5),
  }),
  output: z.object({
    topic: z.string(),
    note: z.string(),
    constraints: z.array(z.string()),
    theory: z.array(passage),
    practice: z.array(cardOutput),
    gaps: z.array(z.string()).describe('mentioned in the references, but not in the matching code'),
    history: z.array(cardOutput),
    topic_id: z.string().optional().describe('with side'),
    code: z.array(cardOutput).optional().describe('with side'),
  }),
  examples: [
    { topic: 'retry logic' },
    { topic: 'caching layer', include_history: true },
    { topic: 'topic-dioxus-rust-ui-framework', side: 'code' },
  ],
  command: { positionals: ['topic'], rest: true },
  render: ({ note, theory, practice, gaps, history, topic_id, code = practice }) =>
    [
      ...(topic_id
        ? []
        : [note, '── References', ...(theory.length > 0 ? theory.map(showPassage) : [nothing])]),
      '── This repository',
      ...(code.length > 0 ? code.map(showCard) : ['  no matching code']),
      ...(history.length > 0 ? ['── Commits and decisions', ...history.map(showCard)] : []),
      ...(gaps.length > 0 ? [`── Not in this repository: ${gaps.join(', ')}`] : []),
    ].join('\n'),
  run: async ({ topic, show_gaps, constraints, include_history, side, limit }, context) => {
    const answer = {
      topic,
      note: materialNote,
      constraints,
      theory: [],
      practice: [],
      gaps: [],
      history: [],
    };
    if (side) {
      const found = await hereAbout(context, topic, side, limit);
      return { ...answer, topic_id: found.id, [side]: found.cards };
    }
    const passages = await findPassages(context, [topic, ...constraints].join(' '), include_history ? 8 : 5);
    const theory = numberer()(passages);
    const practice = await findHere(context, topic, ['code'], limit);
    const history = include_history ? await findHere(context, topic, ['commits', 'chronicle'], limit) : [];
    return { ...answer, theory, practice, gaps: show_gaps ? gapsBetween(theory, practice) : [], history };
  },
});

/** Items linked to a reference topic, then similar ones. */
async function hereAbout(context: OperationContext, name: string, side: 'code' | 'history', limit: number) {
  const { topic } = await (await context.app.references()).show(name);
  const domains = side === 'code' ? (['code'] as const) : (['commits', 'chronicle'] as const);
  const question = `${topic.title} ${topic.tags.join(' ')}`;
  const linked = await linkedHere(context, topic.id, side);
  const cards = linkedFirst(linked, await findHere(context, question, [...domains], limit));
  return { id: topic.id, cards: cards.slice(0, limit * domains.length) };
}

/** Names in code format in the references that no code result mentions. */
function gapsBetween(
  theory: Array<{ text: string }>,
  here: Array<{ title: string; snippet?: string | undefined }>,
): string[] {
  const named = theory.flatMap(({ text }) =>
    [...text.matchAll(/`([A-Za-z_][\w.:-]{2,40})(?:\(\))?`/g)].map(([, name = '']) => name),
  );
  const practised = here
    .map(({ title, snippet }) => `${title} ${snippet ?? ''}`)
    .join(' ')
    .toLowerCase();
  return [...new Set(named)].filter((name) => !practised.includes(name.toLowerCase())).slice(0, 20);
}

export const operations = [research, researchHere];
