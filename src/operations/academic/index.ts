import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { operation } from '../operation.ts';
import { createTopic } from '../references/create.ts';
import { getLibraryDocs, listAcademicSources } from './catalogue.ts';
import { compareApproaches, designProposal, synthesizeWithCodebase } from './compare.ts';
import { linkedFirst, linkedHere } from './linked.ts';
import { academic, card, findHere } from './material.ts';
import { findBestPractices, findPapers, research } from './research.ts';

const academicId = z.string().min(1).describe('topic id, ref or title');

const codeFor = operation({
  name: 'get_code_for_academic',
  summary: 'Code of this repository that does what a reference topic is about.',
  effect: 'read',
  ...academic,
  input: z.object({ academic_id: academicId, limit: z.coerce.number().int().min(1).max(50).default(5) }),
  output: z.object({ topic_id: z.string(), code: z.array(card) }),
  examples: [{ academic_id: 'topic-dioxus-rust-ui-framework' }],
  command: { positionals: ['academic_id'] },
  run: async ({ academic_id, limit }, context) => {
    const { id, question } = await subjectOf(context, academic_id);
    const linked = await linkedHere(context, id, 'code');
    const found = await findHere(context, question, ['code'], limit);
    return { topic_id: id, code: linkedFirst(linked, found).slice(0, limit) };
  },
});

const historyFor = operation({
  name: 'get_history_for_academic',
  summary: 'Commits and recorded decisions of this repository about what a reference topic is about.',
  effect: 'read',
  ...academic,
  input: z.object({ academic_id: academicId, limit: z.coerce.number().int().min(1).max(50).default(5) }),
  output: z.object({ topic_id: z.string(), history: z.array(card) }),
  examples: [{ academic_id: 'topic-dioxus-rust-ui-framework' }],
  command: { positionals: ['academic_id'] },
  run: async ({ academic_id, limit }, context) => {
    const { id, question } = await subjectOf(context, academic_id);
    const linked = await linkedHere(context, id, 'history');
    const found = await findHere(context, question, ['commits', 'chronicle'], limit);
    return { topic_id: id, history: linkedFirst(linked, found) };
  },
});

async function subjectOf({ app }: Parameters<typeof createTopic.run>[1], name: string) {
  const { topic } = await (await app.references()).show(name);
  return { id: topic.id, question: `${topic.title} ${topic.tags.join(' ')}` };
}

const kinds = {
  github: 'documentation',
  spec: 'documentation',
  rfc: 'rfc',
  paper: 'paper',
  article: 'blog_post',
} as const;

const ingest = operation({
  name: 'ingest_source',
  summary:
    'Gather one outside source (a repository, paper, article, RFC or specification) as a reference topic. Needs a person’s approval, like reference_topic_create.',
  effect: 'fetch',
  ...academic,
  input: createTopic.input.omit({ sources: true, kind: true, body: true }).extend({
    type: z.enum(['github', 'paper', 'article', 'rfc', 'spec']),
    url: z.string().min(1).max(2000),
    body: z.string().max(50_000).default('').describe('abstract or description'),
  }),
  output: createTopic.output,
  examples: [
    { type: 'rfc', url: 'https://www.rfc-editor.org/rfc/rfc9110', title: 'RFC 9110: HTTP Semantics' },
  ],
  command: { positionals: ['type', 'url'] },
  ...(createTopic.render ? { render: createTopic.render } : {}),
  run: async ({ type, url, ...given }, context) => {
    if (type === 'github' && !/github\.com/.test(url)) {
      throw new SylkError('VALIDATION_ERROR', 'ingest_source: that is not an address of GitHub.', {
        hint: 'Use reference_topic_create with a git source for other forges.',
      });
    }
    const source = type === 'github' ? { type: 'git' as const, url } : { type: 'web' as const, url };
    return createTopic.run({ ...given, kind: kinds[type], sources: [source] }, context);
  },
});

export const operations = [
  research,
  findBestPractices,
  findPapers,
  compareApproaches,
  synthesizeWithCodebase,
  codeFor,
  historyFor,
  ingest,
  designProposal,
  listAcademicSources,
  getLibraryDocs,
];
