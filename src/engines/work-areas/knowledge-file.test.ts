import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AreaDocument } from '../../stores/areas/index.ts';
import type { WorkDocument } from '../../stores/work/index.ts';
import { digestOf, readDocument, writeDocument } from './knowledge-file.ts';

const id = fc.uuid();
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const nasty = fc.constantFrom(
  '---',
  '<!-- sylk:section x -->',
  '\\<!-- sylk:section 1 -->',
  '## Heading',
  '- a: b',
  '"quoted": \'yes\'',
  '\ttab',
  'ünïcode 😀',
  'null',
  '1e3',
  'a\r\nb',
  '# x',
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 30 })), { maxLength: 5 })
  .map((lines) => lines.join('\n').replaceAll('\0', '').trim());
const line = fc
  .oneof(nasty, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }))
  .map((one) => one.replace(/[\s\0]+/g, ' ').trim() || 'name');
const base = { id, name: line, version: fc.integer({ min: 1, max: 99 }), createdAt: time };

const area: fc.Arbitrary<AreaDocument> = fc.record({
  ...base,
  kind: fc.constant('atom' as const),
  projectId: id,
  moleculeId: fc.option(id),
  paths: fc.array(fc.constantFrom('src/**', '*.{ts,js}', '"odd".ts', '# x', '@scope/**'), {
    minLength: 1,
    maxLength: 3,
  }),
  knowledge: text,
  related: fc.array(fc.record({ id, reason: text }), { maxLength: 2 }),
  createdByTaskId: fc.constantFrom('', '10000000-0000-4000-8000-000000000000'),
  lastTaskId: fc.constant(''),
  updatedAt: time,
  changelog: fc.array(fc.record({ id, taskId: fc.constant(''), summary: text, createdAt: time }), {
    maxLength: 2,
  }),
});

const section = fc.record({
  id,
  title: line,
  usageDescription: text,
  content: text,
  contentFormat: fc.constantFrom('PLAIN_TEXT' as const, 'MARKDOWN' as const),
  ordinal: fc.integer({ min: 0, max: 9 }),
  tags: fc.array(line, { maxLength: 2 }),
  version: fc.constant(1),
  createdAt: time,
  modifiedAt: time,
});

const task: fc.Arbitrary<WorkDocument> = fc.record({
  ...base,
  kind: fc.constant('task' as const),
  projectId: fc.option(id),
  featureId: fc.option(id),
  status: fc.constant('NEW'),
  priority: fc.constant('HIGH' as const),
  complexity: fc.integer({ min: 1, max: 10 }),
  summary: text,
  description: text,
  tags: fc.array(line, { maxLength: 2 }),
  blockedBy: fc.array(fc.oneof(id, fc.constant('NO_OP')), { maxLength: 2 }),
  blockedReason: fc.option(text),
  relatedTo: fc.array(id, { maxLength: 2 }),
  modifiedAt: time,
  modifiedBy: line,
  sections: fc.uniqueArray(section, { maxLength: 3, selector: (one) => one.id }),
});

describe('files', () => {
  test('every document reads back as it was written, whatever its text', () => {
    fc.assert(
      fc.property(fc.oneof(area, task), (document) => {
        const file = writeDocument(document);
        const back = readDocument(file);
        expect(back).toEqual(document);
        expect(writeDocument(back)).toBe(file);
        expect(digestOf(back)).toBe(digestOf(document));
      }),
      { numRuns: 400, seed: 5 },
    );
  });

  test.each([
    ['no front matter', 'hello'],
    ['broken YAML', '---\nkind: [\n---\n'],
    ['an unknown kind', '---\nkind: epic\n---\n'],
    ['a missing field', '---\nkind: atom\nid: 10000000-0000-4000-8000-000000000000\n---\n'],
    ['an empty file', ''],
  ])('a file with %s is refused with a reason', (_name, content) => {
    expect(() => readDocument(content)).toThrow(/cannot be read/);
  });

  test('a file that an editor turned to Windows line ends is read the same', () => {
    const document = fc.sample(task, { numRuns: 1, seed: 3 })[0]!;
    const plain = { ...document, description: 'one\ntwo', sections: [] };
    expect(readDocument(writeDocument(plain).replaceAll('\n', '\r\n'))).toMatchObject({
      description: 'one\r\ntwo',
    });
  });
});
