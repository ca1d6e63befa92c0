import { Markdown, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { markdownTheme, type Theme } from './theme.ts';
import type { Item } from './view.ts';

/** The lines of one thing in a conversation, none wider than the screen. */
export function itemLines(item: Item, width: number, theme: Theme): string[] {
  switch (item.kind) {
    case 'told':
      return ['', ...under('› ', item.text, width).map((line) => theme.strong(theme.accent(line)))];
    case 'said':
      return item.markdown
        ? new Markdown(item.text, 0, 0, markdownTheme(theme)).render(width)
        : answerLines(item.text.split('\n'), width, theme);
    case 'event':
      return item.text.split('\n').flatMap((line) => wrap(theme.quiet(line), width));
    case 'note':
      return item.text.split('\n').flatMap((line) => wrap(line, width));
    case 'failed':
      return [
        ...under('✗ ', item.text, width).map(theme.bad),
        ...(item.hint ? under('  ', item.hint, width) : []),
      ];
  }
}

/** What follows `diff --git` to the end of an answer is changed lines. */
function answerLines(lines: string[], width: number, theme: Theme): string[] {
  const diff = lines.findIndex((line) => line.startsWith('diff --git '));
  const said = diff < 0 ? lines : lines.slice(0, diff);
  const changed = diff < 0 ? [] : lines.slice(diff);
  return [
    ...said.flatMap((line) => answerLine(line, width, theme)),
    ...changed.map((line) => diffLine(line, width, theme)),
  ];
}

/** Sources, excerpts and headings of our own answers. Their text is not Markdown: `__init__` stays as it is. */
function answerLine(line: string, width: number, theme: Theme): string[] {
  const source = /^(\s*)(\[\d+\]) (.*)$/.exec(line);
  if (source) {
    const [, indent = '', number = '', rest = ''] = source;
    const [place = '', ...about] = rest.split(' — ');
    const tail = about.length > 0 ? ` — ${about.join(' — ')}` : '';
    return hanging(
      `${indent}${theme.strong(number)} ${theme.accent(place)}${tail}`,
      width,
      indent.length + 4,
    );
  }
  const excerpt = /^\s{2,}> ?(.*)$/.exec(line);
  if (excerpt)
    return [
      truncateToWidth(`    ${theme.quiet('│')} ${theme.code(expandTabs(excerpt[1] ?? ''))}`, width, '…'),
    ];
  if (/^(?:── |# )/.test(line)) return wrap(theme.strong(line), width);
  if (line.startsWith('note: ')) return wrap(theme.quiet(line), width);
  return hanging(expandTabs(line), width, /^\s*/.exec(line)?.[0].length ?? 0);
}

export function diffLine(line: string, width: number, theme: Theme): string {
  const text = truncateToWidth(expandTabs(line), width, '…');
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return theme.strong(text);
  if (line.startsWith('@@')) return theme.accent(text);
  return line.startsWith('+') ? theme.good(text) : line.startsWith('-') ? theme.bad(text) : text;
}

/** A terminal jumps over the cells of a tab and leaves there what stood there before. */
const expandTabs = (text: string): string => text.replaceAll('\t', '  ');

export const wrap = (text: string, width: number): string[] =>
  text === '' ? [''] : wrapTextWithAnsi(expandTabs(text), Math.max(1, width));

/** Further lines stand under the text of the first. */
function hanging(text: string, width: number, indent: number): string[] {
  const [first = '', ...rest] = wrap(text, width);
  if (rest.length === 0 || width < indent + 20) return [first, ...rest];
  return [first, ...wrap(rest.join(' '), width - indent).map((line) => `${' '.repeat(indent)}${line}`)];
}

const under = (mark: string, text: string, width: number): string[] =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(1, width - mark.length)))
    .map((line, at) => `${at === 0 ? mark : ' '.repeat(mark.length)}${line}`);
