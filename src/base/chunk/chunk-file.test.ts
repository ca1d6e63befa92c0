import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkFile, embeddingText, isProse } from './index.ts';

describe('chunks of a document', () => {
  const guide = `# Guide

Intro.

## Install

${'Run the installer and wait. '.repeat(10)}

\`\`\`sh
# not a heading
npm install
\`\`\`

## Use

### Daily

${'Ask a question every day. '.repeat(10)}
`;

  it('every chunk keeps its file, its lines and its heading path', () => {
    const chunks = chunkFile({ path: 'docs/guide.md', text: guide });
    expect(chunks.map((chunk) => chunk.heading)).toEqual([
      ['Guide', 'Install'],
      ['Guide', 'Use', 'Daily'],
    ]);
    for (const chunk of chunks) {
      expect(chunk.path).toBe('docs/guide.md');
      expect(chunk.text).toBe(
        guide
          .split('\n')
          .slice(chunk.startLine - 1, chunk.endLine)
          .join('\n'),
      );
    }
  });

  it('a comment inside a fence is no heading', () => {
    const headings = chunkFile({ path: 'a.md', text: guide }).flatMap((chunk) => chunk.heading);
    expect(headings).not.toContain('not a heading');
  });

  it('reStructuredText titles are headings, nested by their underlines', () => {
    const text = `Title\n=====\n\n${'word '.repeat(60)}\n\nPart\n----\n\n${'more '.repeat(60)}\n`;
    const chunks = chunkFile({ path: 'docs/a.rst', text });
    expect(chunks.map((chunk) => chunk.heading)).toEqual([['Title'], ['Title', 'Part']]);
  });
});

describe('chunks of code', () => {
  const body = (name: string) => `function ${name}() {\n${'  work();\n'.repeat(40)}}`;
  const text = `import a from 'a';\n\n// says what one does\n${body('one')}\n\n${body('two')}\n`;
  const spans = [
    { name: 'one', startLine: 4, endLine: 45 },
    { name: 'two', startLine: 47, endLine: 88 },
  ];

  it('a symbol is a chunk of its own, with the comment above it', () => {
    const chunks = chunkFile({ path: 'a.ts', text, spans });
    expect(chunks.map((chunk) => chunk.heading)).toEqual([['one'], ['two']]);
    expect(chunks[0]!.text).toContain('// says what one does');
    expect(chunks[0]!.text).not.toContain('function two');
  });

  it('a method carries the class around it, and small methods of a class share a chunk', () => {
    const method = (name: string, lines: number) =>
      `  ${name}() {\n${'    step(this.value);\n'.repeat(lines)}  }`;
    const source = `class Box {\n${method('open', 60)}\n${method('close', 1)}\n${method('lock', 1)}\n}`;
    const chunks = chunkFile({
      path: 'box.ts',
      text: source,
      spans: [
        { name: 'Box', startLine: 1, endLine: 70 },
        { name: 'open', startLine: 2, endLine: 63 },
        { name: 'close', startLine: 64, endLine: 66 },
        { name: 'lock', startLine: 67, endLine: 69 },
      ],
    });
    expect(chunks.map((chunk) => chunk.heading.join('.'))).toContain('Box.open');
    expect(chunks.some((chunk) => chunk.heading.join('.').includes('close, lock'))).toBe(true);
  });

  it('spans that lie outside the file or cross each other do not lose a line', () => {
    const chunks = chunkFile({
      path: 'a.ts',
      text,
      spans: [
        ...spans,
        { name: 'ghost', startLine: 500, endLine: 900 },
        { name: 'cross', startLine: 40, endLine: 60 },
      ],
    });
    expect(linesIn(chunks)).toEqual(filledLines(text));
  });
});

const filledLines = (text: string): number[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .flatMap((line, at) => (line.trim() ? [at + 1] : []));

function linesIn(chunks: Array<{ startLine: number; endLine: number; text: string }>): number[] {
  return chunks.flatMap((chunk) =>
    chunk.text.split('\n').flatMap((line, at) => (line.trim() ? [chunk.startLine + at] : [])),
  );
}

describe('whatever the file', () => {
  it('every line that is not empty is in exactly one chunk, whatever the spans', () => {
    const line = fc.oneof(
      fc.constantFrom('', '# a', '===', '```', 'x'.repeat(200), '  foo();', '// c'),
      fc.string(),
    );
    const span = fc.record({
      name: fc.string(),
      startLine: fc.integer({ min: -2, max: 60 }),
      endLine: fc.integer({ min: -2, max: 60 }),
    });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.array(span, { maxLength: 8 }),
        fc.boolean(),
        (lines, spans, prose) => {
          const text = lines.join('\n');
          const chunks = chunkFile({ path: prose ? 'a.md' : 'a.ts', text, spans });
          expect(linesIn(chunks)).toEqual(filledLines(text));
          for (const chunk of chunks)
            if (chunk.endLine > chunk.startLine) expect(chunk.text.length).toBeLessThanOrEqual(1200);
        },
      ),
      { seed: 11, numRuns: 400 },
    );
  });

  it('what is embedded names the place before the text', () => {
    expect(embeddingText({ path: 'src/log-in.ts', heading: ['Session', 'start'], text: 'body' })).toBe(
      'src log in ts\nSession › start\nbody',
    );
  });

  it('documents are told from code by their name', () => {
    expect(['README', 'docs/a.rst', 'a.MD', 'src/a.ts', 'LICENSE'].map(isProse)).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});
