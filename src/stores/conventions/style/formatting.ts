import { count, type Tally } from './tally.ts';

const script = new Set(['typescript', 'tsx', 'javascript']);
const quoted = new Set(['typescript', 'tsx', 'javascript', 'python', 'ruby', 'php']);

/** Indentation, quotes, semicolons and trailing commas, read off the lines. */
export function tallyFormatting(text: string, language: string, tally: Tally): void {
  const lines = text.split('\n');
  tallyIndent(lines, tally);
  if (quoted.has(language)) tallyQuotes(lines, language, tally);
  if (script.has(language)) tallySemicolons(lines, tally);
  if (script.has(language) || language === 'python' || language === 'php') tallyCommas(lines, tally);
}

function tallyIndent(lines: string[], tally: Tally): void {
  let before = 0;
  for (const [at, line] of lines.entries()) {
    const lead = /^([\t ]+)\S/.exec(line)?.[1];
    if (lead?.startsWith('\t')) count(tally, 'formatting.indent_style', 'tabs', at + 1);
    else if (lead && lead.length > 1 && !/^\s+\*/.test(line))
      count(tally, 'formatting.indent_style', 'spaces', at + 1);
    const width = lead?.includes('\t') ? before : (lead?.length ?? (line.trim() === '' ? before : 0));
    const step = width - before;
    if (
      (step === 2 || step === 3 || step === 4 || step === 8) &&
      /[{([:]\s*$|=>\s*$|\bdo\b/.test(lines[at - 1] ?? '')
    )
      count(tally, 'formatting.indent_size', String(step), at + 1);
    if (line.trim() !== '') before = width;
  }
}

function tallyQuotes(lines: string[], language: string, tally: Tally): void {
  for (const [at, line] of lines.entries()) {
    if (/^\s*(\/\/|#|\*|\/\*)/.test(line) || line.length > 400) continue;
    const code = line.replace(language === 'python' ? /("""|''')/g : /`[^`]*`/g, '');
    // An attribute of markup (`a="b"`) has quotes of its own.
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
  const open: Array<{ kind: string; line: number; char: string }> = [];
  for (const [at, raw] of lines.entries()) {
    const line = raw.replace(/\/\/.*$/, '').trimEnd();
    const head = /^\s*([)\]}])/.exec(line)?.[1];
    if (head) {
      const opener = open.pop();
      let last = at - 1;
      while (last > 0 && lines[last]!.trim() === '') last--;
      const before = lines[last]?.replace(/\/\/.*$/, '').trimEnd() ?? '';
      if (
        opener &&
        opener.line < last &&
        opener.kind !== 'block' &&
        /[\w'"`)\]},]$/.test(before) &&
        !/^\s*(\.\.\.|\/?\*|[)\]}]+;?$)/.test(before.endsWith(',') ? '' : before)
      )
        count(tally, `comma.${opener.kind}`, before.endsWith(',') ? 'yes' : 'no', at + 1);
    }
    const tail = /([{([])$/.exec(line)?.[1];
    if (!tail) continue;
    const before = line.slice(0, -1).trimEnd();
    const kind =
      tail === '('
        ? /\b(if|for|while|switch|return)$/.test(before)
          ? 'block'
          : 'arguments'
        : tail === '['
          ? 'objects'
          : /([=(:,[?]|\breturn|&&|\|\|)$/.test(before) && !before.endsWith('=>')
            ? 'objects'
            : 'block';
    open.push({ kind, line: at, char: tail });
  }
}
