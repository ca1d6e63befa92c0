import TurndownService from 'turndown';
import { strikethrough, taskListItems } from 'turndown-plugin-gfm';
import { type Element, textOf } from './dom.ts';

/** Markdown for reading and searching: identifiers stay as they are, nothing is escaped into noise. */
export function createWriter(): TurndownService {
  const writer = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
  });
  writer.escape = (text) => text;
  writer.use([strikethrough, taskListItems]);
  const rule = (
    name: string,
    filter: TurndownService.Filter,
    write: (content: string, node: Element) => string,
  ) => writer.addRule(name, { filter, replacement: (content, node) => write(content, node as never) });

  rule('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, node) => {
    const title = content.replace(/\s+/g, ' ').trim();
    if (!title) return '';
    const anchor = node.getAttribute('data-anchor');
    return `\n\n${'#'.repeat(Number(node.nodeName[1]))} ${title}${anchor ? ` {#${anchor}}` : ''}\n\n`;
  });
  rule('code block', 'pre', (_content, node) => {
    const code = (node.getAttribute('data-code') ?? node.textContent ?? '').replace(/^\n+|\s+$/g, '');
    if (!code) return '';
    const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
    return `\n\n${fence}${node.getAttribute('data-code-language') ?? ''}\n${code}\n${fence}\n\n`;
  });
  rule('link', 'a', (content, node) => {
    const target = node.getAttribute('href') ?? '';
    const text = content.trim();
    return text && target
      ? `[${text.replace(/\s+/g, ' ')}](${target.replace(/[()\s]/g, encodeURIComponent)})`
      : content;
  });
  rule('table', 'table', (content, node) =>
    // A table around tables is layout: what it holds is written, not its grid.
    node.querySelector('table')
      ? `\n\n${content}\n\n`
      : writeTable(node, (cell) => writer.turndown(cell as never)),
  );
  // A list whose items hold headings is layout: what it holds must not be indented away.
  const holdsHeading: TurndownService.Filter = (node) =>
    /^(?:UL|OL|LI)$/.test(node.nodeName) &&
    (node as unknown as Element).querySelector('h1, h2, h3, h4, h5, h6, pre + pre') !== null;
  rule('layout list', holdsHeading, (content) => `\n\n${content}\n\n`);
  rule('term', 'dt', (content) => `\n\n**${content.trim().replace(/\s+/g, ' ')}**\n\n`);
  rule('definition', 'dd', (content) => `\n\n${content.trim()}\n\n`);
  rule('summary', 'summary', (content) => `\n\n**${content.trim()}**\n\n`);
  return writer;
}

function writeTable(table: Element, write: (cell: Element) => string): string {
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
  const cells = rows.map((row) => [...row.children].filter((cell) => /^T[DH]$/.test(cell.nodeName)));
  const width = Math.max(0, ...cells.map((row) => row.reduce((sum, cell) => sum + spanOf(cell), 0)));
  if (width === 0) return '';
  const written = cells.map((row) => {
    const texts = row.flatMap((cell) => [cellText(cell, write), ...Array<string>(spanOf(cell) - 1).fill('')]);
    return `| ${[...texts, ...Array<string>(width - texts.length).fill('')].join(' | ')} |`;
  });
  const [top = []] = cells;
  const isHead = top.length > 0 && top.every((cell) => cell.nodeName === 'TH' || cell.closest('thead'));
  const head = (isHead && written.shift()) || `| ${Array<string>(width).fill('').join(' | ')} |`;
  const caption = textOf(table.querySelector('caption'));
  const rule = `| ${Array<string>(width).fill('---').join(' | ')} |`;
  return `\n\n${caption ? `${caption}\n\n` : ''}${[head, rule, ...written].join('\n')}\n\n`;
}

const spanOf = (cell: Element): number =>
  Math.min(20, Math.max(1, Number(cell.getAttribute('colspan') ?? 1) || 1));

/** A cell is one line: blocks in it are joined, code in it stays code. */
function cellText(cell: Element, write: (cell: Element) => string): string {
  for (const block of [...cell.querySelectorAll('pre')]) {
    const code = (block.getAttribute('data-code') ?? block.textContent ?? '').trim();
    block.replaceWith(
      code.includes('\n')
        ? code
            .split('\n')
            .map((line) => `\`${line.trim()}\``)
            .join(' ')
        : `\`${code}\``,
    );
  }
  return write(cell)
    .replace(/\|/g, '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
