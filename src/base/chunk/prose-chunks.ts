import type { Chunk, ChunkSizes } from './chunk.ts';
import { splitRange, textOf, trimRange } from './lines.ts';

interface Section {
  startLine: number;
  endLine: number;
  heading: string[];
}

/** One chunk for each section of a document, its parts where it is long. A heading stays with what follows it. */
export function chunkProse(path: string, text: string, sizes: ChunkSizes): Chunk[] {
  const lines = text.split('\n');
  const chunks: Chunk[] = [];
  for (const section of joinSmall(sectionsOf(lines), lines, sizes)) {
    for (const range of splitRange(lines, section, sizes)) {
      chunks.push({
        path,
        startLine: range.startLine,
        endLine: range.endLine,
        heading: section.heading,
        kind: 'prose',
        text: textOf(lines, range),
      });
    }
  }
  return chunks;
}

const fence = /^\s{0,3}(`{3,}|~{3,})/;
const hashHeading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const underline = /^([=\-~^"'*+#`])\1{2,}\s*$/;

/** Headings by `#` (Markdown, AsciiDoc-like) and by underlines (Markdown, reStructuredText), not inside fences. */
function sectionsOf(lines: string[]): Section[] {
  const sections: Section[] = [];
  const path: Array<{ level: number; title: string }> = [];
  const underlineLevels: string[] = [];
  let open: string | undefined;
  let start = 1;
  const close = (endLine: number) => {
    const range = trimRange(lines, { startLine: start, endLine });
    if (range) sections.push({ ...range, heading: path.map((each) => each.title) });
  };
  const enter = (line: number, level: number, title: string) => {
    close(line - 1);
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, title: title.slice(0, 120) });
    start = line;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = fence.exec(line)?.[1];
    if (mark && (!open || (mark[0] === open[0] && mark.length >= open.length))) {
      open = open ? undefined : mark;
      continue;
    }
    if (open) continue;
    const [, hashes, title = ''] = hashHeading.exec(line) ?? [];
    if (hashes) {
      enter(at + 1, hashes.length, title);
      continue;
    }
    const under = underline.exec(lines[at + 1] ?? '')?.[1];
    if (under && isTitle(lines, at)) {
      if (!underlineLevels.includes(under)) underlineLevels.push(under);
      enter(at + 1, underlineLevels.indexOf(under) + 1, line.trim());
      at++;
    }
  }
  close(lines.length);
  return sections;
}

/** A line of text, with nothing of a paragraph above it, as long as its underline at most. */
function isTitle(lines: string[], at: number): boolean {
  const title = lines[at]?.trim() ?? '';
  const above = lines[at - 1]?.trim() ?? '';
  const bar = lines[at + 1]?.trim() ?? '';
  return (
    title !== '' &&
    /[\p{L}\p{N}]/u.test(title) &&
    bar.length + 3 >= title.length &&
    (above === '' || above === bar)
  );
}

/** A section of a line or two goes with the next one inside it, under the inner heading. */
function joinSmall(sections: Section[], lines: string[], sizes: ChunkSizes): Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    const together = last && { startLine: last.startLine, endLine: section.endLine };
    const inside = last?.heading.every((title, at) => section.heading[at] === title);
    if (
      last &&
      together &&
      inside &&
      textOf(lines, last).length < sizes.minCharacters / 2 &&
      textOf(lines, together).length <= sizes.maxCharacters
    ) {
      joined[joined.length - 1] = { ...together, heading: section.heading };
    } else joined.push(section);
  }
  return joined;
}
