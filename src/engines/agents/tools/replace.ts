interface Replaced {
  after?: string;
  /** Where it was, counted from 1. */
  line?: number;
  problem?: string;
}

/** Replaces a text that occurs once. Line ends are the file's own. */
export function replaceOnce(before: string, wanted: string, replacement: string): Replaced {
  const hasWindowsEnds = before.includes('\r\n') && !wanted.includes('\r\n');
  const inFile = (text: string) => (hasWindowsEnds ? text.replaceAll('\n', '\r\n') : text);
  const old = inFile(wanted);
  const lines = placesOf(before, old);
  if (lines.length === 1) {
    const at = before.indexOf(old);
    const after = before.slice(0, at) + inFile(replacement) + before.slice(at + old.length);
    return { after, line: lines[0] };
  }
  if (lines.length > 1)
    return {
      problem: `old_content is in the file ${lines.length} times, at lines ${lines.slice(0, 20).join(', ')}. Add lines around it so that it is there once.`,
    };
  return { problem: `old_content is not in the file. ${nearest(before, wanted)}` };
}

function placesOf(text: string, wanted: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    for (let sign = text.indexOf('\n', from); sign >= 0 && sign < at; sign = text.indexOf('\n', sign + 1))
      line += 1;
    from = at;
    lines.push(line);
  }
  return lines;
}

/** Where the first line of it is, with other space around it. */
function nearest(text: string, wanted: string): string {
  const first =
    wanted
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const lines = text
    .split('\n')
    .flatMap((line, at) => (first !== '' && line.includes(first) ? [at + 1] : []))
    .slice(0, 5);
  return lines.length > 0
    ? `Its first line is at ${lines.join(', ')}; what follows differs, or the space around it. Read the file again.`
    : 'Read the file again.';
}
