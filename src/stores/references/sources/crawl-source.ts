import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, SylkError } from '../../../base/errors.ts';
import { fetchUrl, sameSite } from '../../../base/fetch/index.ts';
import { pauseBetween } from '../catalogue.ts';
import type { CrawlSource } from '../topic.ts';
import type { Outside } from './outside.ts';
import { readPage, type WebPage } from './web-source.ts';

export interface CrawlReport {
  pages: WebPage[];
  problems: Array<{ url: string; reason: string; message: string }>;
}

const atOnce = 4;
const notPages = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|pdf|mp4|woff2?|ttf|map|wasm)$/i;

/** Breadth first on one host, within depth and page count, respecting robots.txt. */
export async function crawl(
  source: CrawlSource,
  outside: Outside,
  seen: (done: number) => void,
): Promise<CrawlReport> {
  const start = new URL(source.url);
  const pause = pauseBetween(source.url);
  const together = pause > 0 ? 1 : atOnce;
  const report: CrawlReport = { pages: [], problems: [] };
  const allowed = await robotRules(start, outside);
  const offered = await offeredPages(start, outside);
  let wave = offered.length > 0 ? offered : [start.href];
  const met = new Set(wave);
  for (let depth = 0; wave.length > 0 && report.pages.length < source.max_pages; depth++) {
    const next: string[] = [];
    for (let from = 0; from < wave.length && report.pages.length < source.max_pages; from += together) {
      const room = Math.min(together, source.max_pages - report.pages.length);
      if (pause > 0 && met.size > 1) await delay(pause);
      const batch = wave.slice(from, from + room);
      if (room < together) from += room - together;
      for (const page of await Promise.all(batch.map((url) => visit(url, allowed, outside, report)))) {
        if (!page) continue;
        report.pages.push(page);
        seen(report.pages.length);
        if (offered.length === 0 && depth < source.depth) next.push(...page.links);
      }
      outside.signal?.throwIfAborted();
    }
    wave = next.filter(
      (url) =>
        new URL(url).origin === start.origin &&
        !notPages.test(new URL(url).pathname) &&
        !met.has(url) &&
        met.add(url),
    );
  }
  return report;
}

async function visit(
  url: string,
  allowed: (url: string) => boolean,
  outside: Outside,
  report: CrawlReport,
): Promise<WebPage | undefined> {
  try {
    if (!allowed(url))
      throw new SylkError('DENIED', `robots.txt disallows ${url}.`, { data: { reason: 'robots' } });
    return await readPage(url, outside);
  } catch (error) {
    if (outside.signal?.aborted) throw error;
    const reason = error instanceof SylkError ? String(error.data?.['reason'] ?? error.code) : 'unreadable';
    report.problems.push({ url, reason, message: messageOf(error) });
    return undefined;
  }
}

/** `llms.txt` is a site's own list of pages; its links replace link discovery. */
async function offeredPages(start: URL, outside: Outside): Promise<string[]> {
  const list = await fetchUrl(new URL('/llms.txt', start).href, {
    ...outside,
    types: ['text/'],
    mayRedirect: sameSite,
  }).catch(() => undefined);
  if (!list || /html/.test(list.type)) return [];
  const below = start.pathname.replace(/[^/]*$/, '');
  const links = [...list.text().matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const url = URL.parse(link, start);
    return url?.origin === start.origin && url.pathname.startsWith(below) ? url.href : [];
  });
  return [...new Set(links)];
}

/** The rules for everyone, by prefix; without the file, no rules. */
async function robotRules(start: URL, outside: Outside): Promise<(url: string) => boolean> {
  const file = await fetchUrl(new URL('/robots.txt', start).href, {
    ...outside,
    types: ['text/plain'],
  }).catch(() => undefined);
  const closed: string[] = [];
  let forAll = false;
  for (const line of (file?.text() ?? '').split(/\r?\n/)) {
    const [, key, value] = /^\s*(user-agent|disallow)\s*:\s*([^#\s]*)/i.exec(line) ?? [];
    if (key?.toLowerCase() === 'user-agent') forAll = value === '*' || value?.toLowerCase() === 'sylk';
    else if (key && forAll && value) closed.push(value.replace(/\*.*$/, ''));
  }
  return (url) => !closed.some((prefix) => prefix !== '' && new URL(url).pathname.startsWith(prefix));
}
