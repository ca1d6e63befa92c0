import { parse, stringify } from 'smol-toml';
import { z } from 'zod';
import { messageOf, SylkError } from '../../base/errors.ts';
import { sourceSchema, type Topic, topicKinds } from './topic.ts';

const author = z
  .object({ agent: z.string().optional(), ghost: z.string().optional(), model: z.string().default('') })
  .transform(({ agent, ghost, model }) => ({ agent: agent ?? ghost ?? '', model }));

const time = z.union([z.string(), z.date()]).transform((given) => {
  const parsed = new Date(given);
  return Number.isNaN(parsed.getTime()) ? '1970-01-01T00:00:00.000Z' : parsed.toISOString();
});

const frontMatter = z.object({
  id: z.string().regex(/^topic-[a-z0-9-]{1,80}$/),
  title: z.string(),
  type: z.literal('ReferenceTopic'),
  created_at: time,
  trust_score: z.number().min(1).max(10).default(8),
  tags: z.array(z.string()).default([]),
  status: z.enum(['active', 'stale', 'obsolete']).default('active'),
  fetched_at: time,
  max_age_days: z.number().int().min(0).default(0),
  kind: z.enum(topicKinds).default('documentation'),
  library: z.string().optional(),
  library_version: z.string().optional(),
  authors: z.array(z.string()).optional(),
  published_at: z.string().optional(),
  venue: z.string().optional(),
  files: z.array(z.string()).default([]),
  created_by: author.default({ agent: '', model: '' }),
  sources: z.array(sourceSchema).default([]),
});

const order = [
  'created_at',
  'trust_score',
  'tags',
  'status',
  'fetched_at',
  'max_age_days',
  'kind',
  'library',
  'library_version',
  'authors',
  'published_at',
  'venue',
] as const;

/** TOML between `+++` lines, then the description. Every file has its own line, so that versions can be compared. */
export function writeTopicFile(topic: Topic): string {
  const plain = order.flatMap((key) => (topic[key] === undefined ? [] : [[key, topic[key]]]));
  const head = stringify({
    id: topic.id,
    title: topic.title,
    type: 'ReferenceTopic',
    ...Object.fromEntries(plain),
  });
  const files = topic.files.map((file) => `  ${JSON.stringify(file)},\n`).join('');
  const tables = stringify({ created_by: topic.created_by, sources: topic.sources });
  return `+++\n${head.trim()}\nfiles = [\n${files}]\n\n${tables.trim()}\n+++\n\n${topic.body.trim()}\n`;
}

export function readTopicFile(text: string, path: string): Topic {
  const [, head, body] =
    /^\ufeff?\+\+\+\r?\n([\s\S]*?)\r?\n\+\+\+[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  const refuse = (why: string): never => {
    throw new SylkError('VALIDATION_ERROR', `${path}: ${why}`, {
      hint: 'A topic starts with TOML between two lines of +++, with id, title, type, created_at and fetched_at.',
    });
  };
  if (head === undefined) return refuse('no front matter');
  let fields: unknown;
  try {
    fields = parse(head);
  } catch (error) {
    return refuse(messageOf(error).replace(/\n[\s\S]*/, ''));
  }
  const parsed = frontMatter.safeParse(fields);
  if (!parsed.success) return refuse(z.prettifyError(parsed.error).replace(/\s+/g, ' '));
  const { type: _type, status, ...topic } = parsed.data;
  // Older files may contain `stale`; it is computed here.
  return { ...topic, status: status === 'obsolete' ? 'obsolete' : 'active', body: (body ?? '').trim() };
}
