import { SylkError } from '../../../base/errors.ts';
import { type FetchedDocument, fetchUrl, sameSite } from '../../../base/fetch/index.ts';
import { urlSlug } from '../names.ts';
import type { Harvest } from './harvest.ts';
import type { Outside } from './outside.ts';

export interface WebPage {
  /** Its final location. */
  url: string;
  markdown: string;
  links: string[];
}

const types = [
  'text/',
  'application/xhtml+xml',
  'application/json',
  'application/xml',
  'application/markdown',
];
const headers = { accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1' };

/** One page as Markdown: the author's own if there is one, otherwise extracted from the HTML. */
export async function readPage(url: string, outside: Outside): Promise<WebPage> {
  const page = await get(url, outside);
  if (!isHtml(page)) return { url: page.url, markdown: page.text(), links: [] };
  const { htmlToMarkdown } = await import('../../../base/html/index.ts');
  const { markdown, links, markdownUrl } = htmlToMarkdown(page.text(), page.url);
  const offered = markdownUrl && sameSite(new URL(page.url), new URL(markdownUrl)) ? markdownUrl : undefined;
  const own = offered ? await get(offered, outside).catch(() => undefined) : undefined;
  const text = own && !isHtml(own) && own.text().trim() !== '' ? own.text() : markdown;
  if (text.trim() === '') {
    throw new SylkError('NOT_FOUND', `${url} contains no text.`, {
      hint: 'The page may be rendered by JavaScript. Look for its source, an llms.txt or a repository.',
      data: { reason: 'empty_page' },
    });
  }
  return { url: page.url, markdown: text, links };
}

const get = (url: string, outside: Outside): Promise<FetchedDocument> =>
  fetchUrl(url, { ...outside, headers, types, mayRedirect: sameSite });

const isHtml = (page: FetchedDocument): boolean =>
  /html/.test(page.type) || (page.type === '' && /^\s*<(?:!doctype|html)/i.test(page.text()));

/** The first line of a page names its origin, so that the file alone can be cited. */
export function storePage(page: WebPage, source: string, harvest: Harvest): void {
  const head = `<!-- source: ${page.url.replaceAll('--', '%2D%2D')} -->`;
  harvest.add(source, `web/${urlSlug(page.url)}.md`, `${head}\n${page.markdown.trimEnd()}\n`);
}

export const pageHead = /^<!-- source: (\S+) -->\n/;
