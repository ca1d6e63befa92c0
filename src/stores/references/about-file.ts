import type { FileChunk } from './chunks.ts';

/** A file's own description: searched with its passages, because a passage seldom names its subject. */
export interface FileAbout {
  title: string;
  /** Description and keywords of its front matter. */
  about: string;
  headings: string[];
}

const frontMatter =
  /^\uFEFF?(?:---\r?\n([\s\S]*?)\r?\n---|\+\+\+\r?\n([\s\S]*?)\r?\n\+\+\+)[ \t]*(?:\r?\n|$)/;
const mostHeadings = 60;

export function aboutFile(path: string, text: string, chunks: FileChunk[]): FileAbout {
  const matter = frontMatter.exec(text.slice(0, 20_000));
  const told = fieldsOf(matter?.[1] ?? matter?.[2] ?? '');
  const headings = [...new Set(chunks.flatMap(({ heading }) => heading))];
  const title = told.get('title') || told.get('linktitle') || headings[0] || nameOf(path);
  const about = ['description', 'summary', 'excerpt', 'keywords', 'tags', 'aliases', 'linktitle']
    .map((key) => told.get(key) ?? '')
    .filter(Boolean)
    .join('\n');
  return { title, about, headings: headings.filter((each) => each !== title).slice(0, mostHeadings) };
}

/** Top-level `key: value` and `key = value`, with continuation lines; nothing is interpreted. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let key = '';
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z_-]+)\s*[:=]\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) key = name.toLowerCase();
    else if (!/^\s|^- /.test(line)) key = '';
    if (key === '') continue;
    const more = clean(value ?? line);
    fields.set(key, [fields.get(key) ?? '', more].filter(Boolean).join(' ').slice(0, 1000));
  }
  return fields;
}

const clean = (value: string): string =>
  value
    .replace(/^\s*[>|][+-]?\s*$/, '')
    .replace(/^\s*-\s+/, '')
    .replace(/["'[\]]/g, ' ')
    .trim();

const nameOf = (path: string): string =>
  path
    .replace(/\.[a-z0-9]+$/i, '')
    .split('/')
    .slice(-2)
    .join(' ')
    .replace(/[-_]+/g, ' ');

/** Includes the path: folders add what a short title omits. */
export const aboutText = (path: string, { title, about, headings }: FileAbout): string =>
  [
    `${path.replace(/\.[a-z0-9]+$/i, '').replace(/[-_/]+/g, ' ')}: ${title}`,
    about,
    headings.slice(0, 12).join('. '),
  ]
    .filter(Boolean)
    .join('\n')
    .slice(0, 1200);
