import { count, type Tally } from './tally.ts';

const script = new Set(['typescript', 'tsx', 'javascript']);
const quoted = new Set(['typescript', 'tsx', 'javascript', 'python', 'ruby', 'php']);

/** Indentation, quotes, semicolons and trailing commas, from the lines. */
export function tallyFormatting(text: string, language: string, tally: Tally): void {
  const lines = text.split('\n');
  tallyIndent(lines, tally);
  if (quoted.has(language)) tallyQuotes(lines, language, tally);
  if (script.has(language)) tallySemicolons(lines, tally);
  if (script.has(language) || language === 'python' || language === 'php') tallyCommas(lines, tally);
}

const indentSteps = new Set([2, 3, 4, 8]);

function tallyIndent(lines: string[], tally: Tally): void {
  let before = 0;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const lead = /^[\t ]*/.exec(line)?.[0] ?? '';
    const style = lead.startsWith('\t') ? 'tabs' : 'spaces';
    if (style === 'tabs' || (lead.length > 1 && !/^\s+\*/.test(line)))
      count(tally, 'formatting.indent_style', style, at + 1);
    if (lead.includes('\t')) continue;
    const step = lead.length - before;
    if (indentSteps.has(step) && /[{([:]\s*$|=>\s*$|\bdo\b/.test(lines[at - 1] ?? ''))
      count(tally, 'formatting.indent_size', String(step), at + 1);
    before = lead.length;
  }
}

function tallyQuotes(lines: string[], language: string, tally: Tally): void {
  for (const [at, line] of lines.entries()) {
    if (/^\s*(\/\/|#|\*|\/\*)/.test(line) || line.length > 400) continue;
    const code = line.replace(language === 'python' ? /("""|''')/g : /`[^`]*`/g, '');
    // An attribute of markup (`a="b"`) has its own quotes.
    for (const match of code.matchAll(/(?<![\w=\\])(['"])((?:(?!['"\\\n]).)*)\1/g))
      count(tally, 'formatting.quote_style', match[1] === "'" ? 'single' : 'double', at + 1);
  }
}

const complete =
  /^\s*(import\b.*['"]|export\b.*\bfrom\b.*['"]|(const|let|var)\s+[\w$]+\s*=\s*[^{([]*[\w'"`)\]]|return\s+[\w.]+(\([^()]*\))?|throw new \w+\([^()]*\)|[\w$.]+\([^()]*\))\s*(;?)\s*$/;

function tallySemicolons(lines: string[], tally: Tally): void {
  for (const [at, line] of lines.entries()) {
    const found = line.length < 300 ? complete.exec(line) : null;
    if (!found || /^\s*[.?:+&|*/,)]/.test(lines[at + 1] ?? '')) continue;
    count(tally, 'formatting.semicolons', found[4] === ';' ? 'true' : 'false', at + 1);
  }
}

/** `objects` are literals, `arguments` are calls and parameters: the difference between `es5` and `all`. */
function tallyCommas(lines: string[], tally: Tally): void {
  const open: Array<{ kind: string; line: number }> = [];
  let last = { line: 0, text: '' };
  for (const [at, raw] of lines.entries()) {
    const line = withoutComment(raw);
    if (/^\s*[)\]}]/.test(line)) {
      const opener = open.pop();
      const comma = commaAfter(last.text);
      if (comma && opener && opener.kind !== 'block' && opener.line < last.line)
        count(tally, `comma.${opener.kind}`, comma, at + 1);
    }
    if (/[{([]$/.test(line)) open.push({ kind: openedBy(line), line: at });
    if (raw.trim() !== '') last = { line: at, text: line };
  }
}

const withoutComment = (line: string): string => line.replace(/\/\/.*$/, '').trimEnd();

function commaAfter(line: string): 'yes' | 'no' | undefined {
  if (line.endsWith(',')) return 'yes';
  return /[\w'"`)\]}]$/.test(line) && !/^\s*(\.\.\.|\/?\*|[)\]}]+;?$)/.test(line) ? 'no' : undefined;
}

function openedBy(line: string): 'arguments' | 'objects' | 'block' {
  const before = line.slice(0, -1).trimEnd();
  if (line.endsWith('(')) return /\b(if|for|while|switch|return)$/.test(before) ? 'block' : 'arguments';
  if (line.endsWith('[')) return 'objects';
  return /([=(:,[?]|\breturn|&&|\|\|)$/.test(before) && !before.endsWith('=>') ? 'objects' : 'block';
}
