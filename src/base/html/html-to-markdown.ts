import { parseHTML } from 'linkedom';
import { SylkError } from '../errors.ts';
import { type Element, type PageDocument, textOf } from './dom.ts';
import { dropFurniture, findMainContent } from './main-content.ts';
import { createWriter } from './markdown-rules.ts';
import { nestsDeeperThan } from './nesting.ts';
import { markAnchors, normalise } from './normalise.ts';

export interface PageMarkdown {
  title: string;
  /** Headings carry their anchor as `{#id}`, so that a place in the text is a place on the page. */
  markdown: string;
  /** Every page that is linked from anywhere on this one, without fragments. */
  links: string[];
  /** The same page as Markdown, where it says that there is one. */
  markdownUrl?: string;
}

const maxCharacters = 8_000_000;
const maxElements = 100_000;
const maxDepth = 120;
/** Far above the limit, so that a slip of the quick look refuses nothing that could be read. */
const surelyTooDeep = 1000;
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad]/g;

export function htmlToMarkdown(html: string, url: string): PageMarkdown {
  if (html.length > maxCharacters || hasTooManyTags(html) || nestsDeeperThan(html, surelyTooDeep))
    throw tooComplex(url);
  const parse = (text: string) => {
    const page = /<html[\s>]/i.test(text) ? text : `<html><body>${text}</body></html>`;
    return (parseHTML(page) as unknown as { document: PageDocument }).document;
  };
  try {
    const document = parse(html);
    refuseComplex(document, url);
    const base =
      URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url;
    const links = linksOf(document, base, url);
    const markdownUrl = alternateOf(document, base);
    const main = findMainContent(document, parse);
    const title = titleOf(document, main);
    markAnchors(main);
    dropFurniture(main);
    normalise(main, document, base);
    const body = tidy(createWriter().turndown(main as never));
    const markdown = /^#{1,2} /m.test(body) || !title ? body : `# ${title}\n\n${body}`;
    return { title, markdown, links, markdownUrl: markdownUrl || undefined };
  } catch (error) {
    // Nesting without end overflows the stack of any tree walker.
    if (error instanceof RangeError) throw tooComplex(url);
    throw error;
  }
}

/** Asked before parsing: a tree is many times larger than its text. */
function hasTooManyTags(html: string): boolean {
  const tag = /<[a-z]/gi;
  let count = 0;
  while (tag.test(html)) if (++count > maxElements) return true;
  return false;
}

/** Counted by hand: every other way of looking at a tree takes longer the deeper it is. */
function refuseComplex(document: PageDocument, url: string): void {
  let depth = 0;
  let count = 0;
  let at: Element | null = document.documentElement;
  while (at) {
    if (++count > maxElements || depth > maxDepth) throw tooComplex(url);
    let next: Element | null = at.firstElementChild;
    if (next) depth++;
    else {
      next = at.nextElementSibling;
      while (!next && at?.parentElement) {
        at = at.parentElement;
        depth--;
        next = at.nextElementSibling;
      }
    }
    at = next;
  }
}

const tooComplex = (url: string): SylkError =>
  new SylkError('BUDGET_EXCEEDED', `${url} is too large or too deeply nested to read.`, {
    hint: 'Choose a page that contains the text itself.',
    data: { reason: 'too_complex' },
  });

function titleOf(document: PageDocument, main: ReturnType<typeof findMainContent>): string {
  const heading = main.querySelector('h1')?.cloneNode(true);
  if (heading) dropFurniture(heading);
  const said = document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  const title = textOf(heading) || said || textOf(document.querySelector('title'));
  return title
    .replace(invisible, '')
    .replace(/\s*[¶#]$/, '')
    .trim()
    .slice(0, 200);
}

function linksOf(document: PageDocument, base: string, page: string): string[] {
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    const url = URL.parse(anchor.getAttribute('href') ?? '', base);
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) continue;
    url.hash = '';
    links.add(url.href);
  }
  links.delete(page);
  return [...links];
}

function alternateOf(document: PageDocument, base: string): string | undefined {
  const link = document.querySelector('link[rel~="alternate"][type="text/markdown"]');
  return link ? URL.parse(link.getAttribute('href') ?? '', base)?.href : undefined;
}

const tidy = (markdown: string): string =>
  `${markdown
    .replace(invisible, '')
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
