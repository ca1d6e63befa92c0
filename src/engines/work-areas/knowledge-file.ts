import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { messageOf, SylkError } from '../../base/errors.ts';
import { parseUuid } from '../../base/ids.ts';
import { isNestedTooDeep } from '../../base/text/index.ts';
import type { AreaDocument } from '../../stores/areas/index.ts';
import { noOperation, priorities, sectionFormats, type WorkDocument } from '../../stores/work/index.ts';

export type KnowledgeDocument = WorkDocument | AreaDocument;

export const isArea = (document: KnowledgeDocument): document is AreaDocument =>
  document.kind === 'atom' || document.kind === 'molecule';

export const refOf = (document: KnowledgeDocument): string => `${document.kind}:${document.id}`;

/** Path of a document relative to the export directory. */
export function filePath(document: KnowledgeDocument): string {
  const slug =
    document.name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48)
      .replace(/-+$/, '') || document.kind;
  const mark = createHash('sha256').update(document.id).digest('hex').slice(0, 8);
  return `${document.kind}s/${slug}-${mark}.md`;
}

/** The compared content of a document, without versions and times. */
export function digestOf(document: KnowledgeDocument): string {
  const content = isArea(document)
    ? { ...document, version: 0, updatedAt: '' }
    : {
        ...document,
        version: 0,
        modifiedAt: '',
        modifiedBy: '',
        sections: document.sections.map((section) => ({
          ...section,
          version: 0,
          createdAt: '',
          modifiedAt: '',
        })),
      };
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest('hex');
}

/** The same value with the keys of every object sorted. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}

const marker = (id: string) => `<!-- sylk:section ${id} -->`;
const escapeMarkers = (text: string) => text.replace(/^(\\*<!-- sylk:)/gm, '\\$1');
const unescapeMarkers = (text: string) => text.replace(/^\\(\\*<!-- sylk:)/gm, '$1');

/** A document as a Markdown file: front matter, then the text that people read and edit. */
export function writeDocument(document: KnowledgeDocument): string {
  const [fields, body] = isArea(document) ? areaParts(document) : workParts(document);
  const front = stringify(fields, { lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${front}---\n${body === '' ? '' : `\n${body}\n`}`;
}

function areaParts(document: AreaDocument): [Record<string, unknown>, string] {
  const { knowledge, kind, moleculeId, paths, ...rest } = document;
  const own = kind === 'atom' ? { moleculeId, paths } : {};
  const { id, name, ...more } = rest;
  return [{ kind, id, name, ...own, ...more }, knowledge];
}

function workParts(document: WorkDocument): [Record<string, unknown>, string] {
  const {
    description,
    sections,
    kind,
    id,
    name,
    projectId,
    featureId,
    status,
    priority,
    complexity,
    ...rest
  } = document;
  const { blockedBy, blockedReason, relatedTo, ...common } = rest;
  const staged =
    kind === 'project'
      ? {}
      : {
          projectId,
          featureId: kind === 'task' ? featureId : undefined,
          status,
          priority,
          complexity: kind === 'task' ? complexity : undefined,
          blockedBy,
          blockedReason,
          relatedTo,
        };
  const listed = sections.map(({ title: _title, content: _content, ...section }) => section);
  const parts = [
    ...(description === '' ? [] : [escapeMarkers(description)]),
    ...sections.map((section) =>
      [
        marker(section.id),
        `## ${section.title}`,
        ...(section.content === '' ? [] : ['', escapeMarkers(section.content)]),
      ].join('\n'),
    ),
  ];
  return [{ kind, id, name, ...staged, ...common, sections: listed }, parts.join('\n\n')];
}

const id = z.string().transform((text) => parseUuid(text));
const time = z.iso.datetime();
const common = { id, name: z.string(), version: z.number().int().min(1), createdAt: time };
const areaFields = {
  ...common,
  projectId: id,
  related: z.array(z.object({ id, reason: z.string() })).default([]),
  createdByTaskId: z.string().default(''),
  lastTaskId: z.string().default(''),
  updatedAt: time,
  changelog: z.array(z.object({ id, taskId: z.string(), summary: z.string(), createdAt: time })).default([]),
};
const workFields = {
  ...common,
  summary: z.string(),
  tags: z.array(z.string()).default([]),
  modifiedAt: time,
  modifiedBy: z.string().default(''),
  sections: z
    .array(
      z.object({
        id,
        usageDescription: z.string(),
        contentFormat: z.enum(sectionFormats),
        ordinal: z.number().int().min(0),
        tags: z.array(z.string()).default([]),
        version: z.number().int().min(1),
        createdAt: time,
        modifiedAt: time,
      }),
    )
    .default([]),
};
const stagedFields = {
  ...workFields,
  projectId: id.nullable().default(null),
  status: z.string(),
  priority: z.enum(priorities),
  blockedBy: z.array(z.union([z.literal(noOperation), id])).default([]),
  blockedReason: z.string().nullable().default(null),
  relatedTo: z.array(id).default([]),
};

const front = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('atom'),
    ...areaFields,
    moleculeId: id.nullable().default(null),
    paths: z.array(z.string()),
  }),
  z.object({ kind: z.literal('molecule'), ...areaFields }),
  z.object({ kind: z.literal('project'), ...workFields }),
  z.object({ kind: z.literal('feature'), ...stagedFields }),
  z.object({
    kind: z.literal('task'),
    ...stagedFields,
    featureId: id.nullable().default(null),
    complexity: z.number().int().min(1).max(10),
  }),
]);

/** Parses a file; an invalid one is refused with the reason. */
export function readDocument(text: string): KnowledgeDocument {
  const [fields, body] = splitFront(text);
  const parsed = front.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(`${issue?.path.join('.') || 'front matter'}: ${issue?.message}`);
  }
  const value = parsed.data;
  if (value.kind === 'atom') return { ...value, knowledge: body.trim() };
  if (value.kind === 'molecule') return { ...value, moleculeId: null, paths: [], knowledge: body.trim() };
  const { description, texts } = splitBody(body);
  const sections = value.sections.map((section) => {
    const found = texts.get(section.id);
    if (!found) throw unreadable(`the text of section ${section.id} is missing (${marker(section.id)})`);
    return { ...section, title: found.title, content: found.content };
  });
  for (const other of texts.keys())
    if (!sections.some((section) => section.id === other))
      throw unreadable(`section ${other} is not in the front matter`);
  const none = { status: null, priority: null, complexity: null, projectId: null, featureId: null };
  const links = { blockedBy: [], blockedReason: null, relatedTo: [] };
  return { ...none, ...links, ...value, description, sections } as WorkDocument;
}

function splitFront(text: string): [unknown, string] {
  const match = /^\uFEFF?---\r?\n([\s\S]*?\r?\n)---(?:\r?\n|$)/.exec(text);
  if (!match) throw unreadable('it has no front matter between --- lines');
  const [whole, fields = ''] = match;
  try {
    if (isNestedTooDeep(fields)) throw new Error('nested deeper than 64 levels');
    return [parse(fields), text.slice(whole.length)];
  } catch (error) {
    throw unreadable(messageOf(error).split('\n', 1).join(''));
  }
}

function splitBody(body: string): {
  description: string;
  texts: Map<string, { title: string; content: string }>;
} {
  const parts = body.split(/^<!-- sylk:section ([0-9a-fA-F-]{32,36}) -->[ \t]*\r?$/m);
  const texts = new Map<string, { title: string; content: string }>();
  for (let at = 1; at < parts.length; at += 2) {
    const [section = '', text = ''] = parts.slice(at, at + 2);
    const match = /^\s*##[ \t]+([^\r\n]*)(?:\r?\n|$)([\s\S]*)$/.exec(text);
    if (!match) throw unreadable(`section ${section} has no ## heading`);
    const [, title = '', content = ''] = match;
    texts.set(parseUuid(section), { title: title.trim(), content: unescapeMarkers(content).trim() });
  }
  return { description: unescapeMarkers(parts[0] ?? '').trim(), texts };
}

const unreadable = (why: string) =>
  new SylkError('VALIDATION_ERROR', `The file cannot be read: ${why}.`, {
    hint: 'Compare it with a newly exported file; the fields of the front matter must stay.',
  });
