import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { reportOf, SylkError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { sourceName, sourceSchema, topicKinds } from '../../stores/references/index.ts';
import { reporting } from '../calls.ts';
import { type CallEvent, operation, type Progress } from '../operation.ts';
import { missingInput } from '../resolve.ts';
import { problems } from './shapes.ts';

/** Sources as objects; a person may also type plain URLs and paths, one or several. */
const looseSources = z.preprocess((given) => {
  const parsed = typeof given === 'string' ? (parseJson(given) ?? given.split(',')) : given;
  return [parsed].flat().map((each) => (typeof each === 'string' ? sourceAt(each.trim()) : each));
}, z.array(sourceSchema).min(1).max(50));

const kinds = {
  github: 'documentation',
  spec: 'documentation',
  rfc: 'rfc',
  paper: 'paper',
  article: 'blog_post',
} as const;

const required = (input: string): never => {
  throw missingInput(input);
};

const forges =
  /^https:\/\/(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\/[^/]+\/[^/]+\/?$/i;

/** A repository, a page, or a path on this machine, by its form. */
function sourceAt(url: string): z.input<typeof sourceSchema> {
  if (/^(?:ssh|file):\/\/|^[\w.-]+@[\w.-]+:|\.git\/?$/i.test(url) || forges.test(url))
    return { type: 'git', url };
  return /^https?:\/\//i.test(url) ? { type: 'web', url } : { type: 'local', path: url };
}

/** A single URL of a known type as a source. */
function sourceOfType(url: string | undefined, type: keyof typeof kinds | undefined) {
  if (!url) return required('sources');
  if (!type) return sourceSchema.parse(sourceAt(url));
  if (type !== 'github') return { type: 'web' as const, url };
  if (/github\.com/.test(url)) return { type: 'git' as const, url };
  throw new SylkError('VALIDATION_ERROR', 'Not a GitHub address.', {
    hint: 'For other hosts, use a git source: --sources \'[{"type": "git", "url": "…"}]\'.',
  });
}

export const createTopic = operation({
  name: 'reference_topic_create',
  summary:
    'Collect a library’s source and documentation into a reference topic for reference_search. Check reference_topic_list first. Needs a person’s approval; call again with approval_id once approved. If denied, retry with `paths`.',
  effect: 'fetch',
  input: z.object({
    title: z.string().trim().min(3).max(200).optional().describe('default: the name of the first source'),
    body: z
      .string()
      .max(50_000)
      .optional()
      .describe('what it is, key concepts and patterns, written after reading the sources'),
    sources: looseSources
      .optional()
      .describe('git (whole repository unless `paths`), web (one page each), crawl, local; or plain URLs'),
    type: z
      .enum(['github', 'paper', 'article', 'rfc', 'spec'])
      .optional()
      .describe('instead of sources, with url: its type'),
    url: z.string().min(1).max(2000).optional().describe('instead of sources: one repository, page or path'),
    tags: looseList(z.string().min(1).max(60)).default([]),
    max_age_days: z.coerce
      .number()
      .int()
      .min(0)
      .max(3650)
      .default(30)
      .describe('30 for active libraries, 90 for stable ones, 0 for content that never changes'),
    trust_score: z.coerce
      .number()
      .int()
      .min(1)
      .max(10)
      .default(8)
      .describe('your own estimate; it can lower the default trust of the kind, never raise it'),
    kind: z.enum(topicKinds).optional().describe('default: documentation, or set by type'),
    library: z.string().max(200).optional().describe('package name, as in a lock file'),
    library_version: z.string().max(60).optional(),
    authors: looseList(z.string()).optional(),
    published_at: z.string().max(40).optional(),
    venue: z.string().max(200).optional(),
    model: z.string().max(100).optional().describe('the model that writes this'),
    approval_id: z.string().optional().describe('from the APPROVAL_REQUIRED answer, once approved'),
    allow_duplicate: looseBoolean.optional(),
    wait: z
      .enum(['search', 'vectors'])
      .default('search')
      .describe('vectors: also wait for the vectors of the model'),
  }),
  output: z.object({
    topic_id: z.string(),
    file_count: z.number(),
    chunk_count: z.number(),
    embedded: z.object({ static: z.number(), model: z.number(), of: z.number() }),
    problems,
  }),
  examples: [
    {
      title: 'Dioxus - Rust UI Framework',
      body: 'Dioxus is a portable framework for cross-platform user interfaces in Rust.',
      sources: [{ type: 'web', url: 'https://dioxuslabs.com/learn/0.6/' }],
      tags: ['rust', 'ui'],
    },
    { type: 'rfc', url: 'https://www.rfc-editor.org/rfc/rfc9110', title: 'RFC 9110: HTTP Semantics' },
    { url: 'https://github.com/DioxusLabs/dioxus' },
  ],
  command: { positionals: ['url'] },
  render: ({ topic_id, file_count, chunk_count, embedded, problems: told }) =>
    [
      `${topic_id}: ${file_count} files, ${chunk_count} chunks, searchable now (model vectors ${embedded.model}/${embedded.of}).`,
      ...told.map(({ source, reason, message }) => `  ${reason}: ${message} (${source})`),
    ].join('\n'),
  run: async function* (
    { approval_id, allow_duplicate, wait, model, type, url, ...given },
    { app, caller, signal },
  ) {
    const sources = given.sources ?? [sourceOfType(url, type)];
    const isUndescribed = given.sources && given.body === undefined && caller.kind !== 'person';
    const body = isUndescribed ? required('body') : (given.body ?? '');
    const kind = given.kind ?? (type ? kinds[type] : 'documentation');
    const [references, approvals] = await Promise.all([app.references(), app.approvals()]);
    const create = (progress: (event: Progress) => void) =>
      references.create({
        draft: {
          ...given,
          title: given.title ?? titleOf(sources[0]),
          body,
          kind,
          sources: sources.map((source) => absolute(source, app.repository.root)),
        },
        author: { agent: caller.name, model: model ?? '' },
        answered: approval_id !== undefined,
        allowDuplicate: allow_duplicate,
        waitForVectors: wait === 'vectors',
        signal,
        progress,
        permit: ({ title, summary, ...asked }) =>
          approvals.permit({
            ...asked,
            reason: { type: 'reference_topic_create', title, summary },
            repository: app.repository.mainRoot,
            requestedBy: caller.name,
            approvalId: approval_id,
          }),
      });
    const report = yield* withApprovalEvent(reporting(create));
    if (given.library) await (await app.knowledge()).libraries.follow();
    return report;
  },
});

/** Yields the required approval before the call fails without it. */
async function* withApprovalEvent<Output>(
  events: AsyncGenerator<CallEvent, Output>,
): AsyncGenerator<CallEvent, Output> {
  try {
    return yield* events;
  } catch (error) {
    const { code, message, data } = reportOf(error);
    if (code === 'APPROVAL_REQUIRED' && typeof data?.['approval_id'] === 'string')
      yield { type: 'approval', approval_id: data['approval_id'], message };
    throw error;
  }
}

/** `DioxusLabs/dioxus`, `example.org/guide`, `notes` of `/home/ada/notes`. */
const titleOf = (source: z.output<typeof sourceSchema> | undefined): string =>
  source
    ? (source.type === 'local' ? basename(resolve(source.path)) : sourceName(source))
        .replace(/^[a-z+]+:\/\/(?:(?:www\.)?(?:github|gitlab)\.com\/)?|^[^@/]+@[^:/]+:/i, '')
        .replace(/(?:\.git)?\/*$/i, '')
        .slice(0, 200)
    : required('title');

/** A local path is relative to the current repository. */
const absolute = <Source extends z.output<typeof sourceSchema>>(source: Source, root: string): Source =>
  source.type === 'local' ? { ...source, path: resolve(root, source.path) } : source;
