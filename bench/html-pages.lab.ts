import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { htmlToMarkdown } from '../src/base/html/index.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Saved documentation pages, as files or directories by `--from`. For each: what the page holds and what is left of it,
 * counted without our reader: code blocks, table rows and words of the page's navigation.
 */
export default async function htmlPages({ from }: BenchOptions): Promise<void> {
  const pages = from.flatMap(htmlFiles);
  if (pages.length === 0) console.log('Give saved pages with --from PATH.');
  let fine = 0;
  for (const page of pages) {
    const html = readFileSync(page, 'utf8');
    const started = performance.now();
    const { title, markdown } = htmlToMarkdown(html, 'https://docs.example.org/section/page.html');
    const milliseconds = Math.round(performance.now() - started);
    const generator = generatorOf(html);
    const blocks = [...markdown.matchAll(/^\s*(`{3,})\S*$/gm)].length / 2;
    const given = (html.match(/<pre[\s>]/g) ?? []).length;
    const rows = (markdown.match(/^\s*\|.*\|$/gm) ?? []).length;
    const leaked = /<(?:script|nav|style|div|span)[\s>]|function\s*\(\)\s*\{\s*window/.test(
      markdown.replace(/`{3,}[\s\S]*?`{3,}/g, ''),
    );
    const anchors = (markdown.match(/\{#[^}]+\}$/gm) ?? []).length;
    const good = !leaked && markdown.length > 100 && (given === 0 || blocks >= 1);
    if (good) fine++;
    console.log(
      `${good ? 'ok ' : 'BAD'} ${generator.padEnd(22)} ${basename(page).slice(0, 40).padEnd(40)} ${Math.round(html.length / 1000)} → ${Math.round(markdown.length / 1000)} KB, code ${blocks}/${given}, table rows ${rows}, anchors ${anchors}, ${milliseconds} ms  «${title.slice(0, 40)}»`,
    );
  }
  console.log(`${fine} of ${pages.length} pages read without leaks`);
}

function htmlFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => /\.html?$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function generatorOf(html: string): string {
  const named =
    /<meta[^>]+name="generator"[^>]+content="([^"]{1,22})/i.exec(html)?.[1] ??
    /<meta[^>]+content="([^"]{1,22})[^>]+name="generator"/i.exec(html)?.[1];
  const marks: Array<[RegExp, string]> = [
    [/sphinx|documentation_options/i, 'Sphinx'],
    [/mdbook|class="sidebar-scrollbox"/i, 'mdBook'],
    [/doxygen/i, 'Doxygen'],
    [/rustdoc/i, 'rustdoc'],
    [/pkgdown/i, 'pkgdown'],
    [/javadoc/i, 'Javadoc'],
  ];
  return named ?? marks.find(([mark]) => mark.test(html))?.[1] ?? 'unknown';
}
