import { type Chunk, chunkFile, isProse, type Span } from '../../base/chunk/index.ts';
import { redact } from '../../base/redact.ts';
import { pageHead } from './sources/web-source.ts';

export interface FileChunk extends Chunk {
  /** Its anchor on a page. */
  anchor?: string;
}

const longestParsed = 400_000;

/** Prose is cut by headings, code by symbols. Credentials are never indexed. */
export async function cutFile(path: string, text: string): Promise<{ url?: string; chunks: FileChunk[] }> {
  const [head, url] = pageHead.exec(text) ?? [];
  const clean = redact(head ? `\n${text.slice(head.length)}` : text);
  const spans = isProse(path) || text.length > longestParsed ? [] : await spansOf(path, clean);
  const chunks = chunkFile({ path, text: clean, spans }).map(withAnchor);
  return { url: url || undefined, chunks };
}

async function spansOf(path: string, text: string): Promise<Span[]> {
  const { isParsed, languageOf, outline } = await import('../../base/syntax/index.ts');
  const language = languageOf(path, text.slice(0, text.indexOf('\n')));
  if (!language || !isParsed(language)) return [];
  try {
    const definitions = await outline(text, language);
    return definitions.map(({ name, line, endLine, parent }) => ({
      name,
      startLine: line,
      endLine,
      parents: definitions[parent] ? [definitions[parent].name] : [],
    }));
  } catch {
    // A file without a grammar is still text.
    return [];
  }
}

const anchored = /\s*\{#([^}\s]+)\}\s*$/;

/** The last heading names the place; `{#id}` is only for links. */
function withAnchor(chunk: Chunk): FileChunk {
  const anchor = anchored.exec(chunk.heading.at(-1) ?? '')?.[1];
  const heading = chunk.heading.map((title) => title.replace(anchored, ''));
  return { ...chunk, heading, anchor };
}
