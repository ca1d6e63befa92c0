import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveCollections, isInCollection, matchesFilter, partition } from './collections.ts';
import { collectionOf, isReferable, lastSegment, parseReference, requireSkillId } from './ids.ts';
import { memorySource } from './sources/memory.ts';

const ids = [
  'extraction/email-extractor',
  'extraction/fiction-extractor',
  'extraction/medical/diagnosis',
  'extraction/medical/imaging/ct-scan',
  'formatting/markdown-output',
  'pdf-processing',
];
const source = memorySource(ids.map((id) => ({ descriptor: { id, description: `About ${id}` }, body: id })));

describe('canonical ids', () => {
  test('the last segment is the name and everything before it is the collection, at any depth', () => {
    expect(ids.map(lastSegment)).toEqual([
      'email-extractor',
      'fiction-extractor',
      'diagnosis',
      'ct-scan',
      'markdown-output',
      'pdf-processing',
    ]);
    expect(ids.map(collectionOf)).toEqual([
      'extraction',
      'extraction',
      'extraction/medical',
      'extraction/medical/imaging',
      'formatting',
      '',
    ]);
  });

  test.each([
    ...['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/./b', 'a\\b', 'a\0b', 'a\nb'],
    ...[
      '$(touch PWNED)',
      '`id`',
      'a;b',
      'a|b',
      'a\u001b[2J',
      'a\u202eb',
      'a\u200bb',
      'a"b',
      '<a>',
      '-rf',
      'repo:a',
    ],
  ])('an id that could leave its source, or say something to a shell or a terminal, is refused: %j', (id) => {
    expect(() => requireSkillId(id)).toThrow(/Invalid skill id/);
  });
});

describe('reference grammar', () => {
  test.each([
    ['/extraction/email-extractor', 'extraction/email-extractor', ''],
    ['/extraction/medical/diagnosis of this', 'extraction/medical/diagnosis', 'of this'],
    ['/pdf-processing\nextract tables', 'pdf-processing', 'extract tables'],
    ['/repo:work-execution go', 'repo:work-execution', 'go'],
  ])('%j names a skill, and the reference leaves the text', (text, id, rest) => {
    expect(parseReference(text)).toEqual({ id, rest });
  });

  test.each([
    'pdf-processing extract',
    'please /pdf-processing',
    ' /pdf-processing',
    '/Pdf-Processing x',
    '/pdf_processing x',
    '/pdf-processing, please',
    '//pdf',
    '/a//b x',
    '/a/ b',
    '/',
    '',
  ])(
    '%j names no skill: the reference is a leading slash and the id, and bare names are not resolved',
    (text) => {
      expect(parseReference(text)).toBeUndefined();
    },
  );

  test('a reference is referable exactly when the grammar takes it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (id) => {
        expect(parseReference(`/${id}`)?.id === id).toBe(isReferable(id));
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('filters', () => {
  test('a collection filter is recursive and compares at a slash', () => {
    expect(isInCollection('extraction/email-extractor', 'extraction')).toBe(true);
    expect(isInCollection('extraction/medical/diagnosis', 'extraction')).toBe(true);
    expect(isInCollection('extract/something', 'extraction')).toBe(false);
    expect(isInCollection('extractions/foo', 'extraction')).toBe(false);
    expect(isInCollection('extraction', 'extraction')).toBe(false);
  });

  test('a query looks into name and description of all collections, in any case', async () => {
    const found = async (query: string) => (await source.list({ query })).map((skill) => skill.id);
    expect(await found('EMAIL')).toEqual(['extraction/email-extractor']);
    expect(await found('about extraction/medical')).toHaveLength(2);
    expect(await found('nothing like it')).toEqual([]);
  });

  test('a filter holds exactly the skills that its words describe, whatever the ids are', () => {
    const segment = fc.stringMatching(/^[ab-]{1,3}$/);
    const id = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const skill = (given: string) => ({ ...base, id: given, name: lastSegment(given) });
    fc.assert(
      fc.property(id, id, (given, collection) => {
        const path = given.split('/').slice(0, -1);
        const wanted = collection.split('/');
        const expected = wanted.length <= path.length && wanted.every((part, at) => part === path[at]);
        expect(matchesFilter(skill(given), { collection })).toBe(expected);
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});

const base = {
  description: '',
  scope: 'project' as const,
  requires_capabilities: [],
  metadata: {},
  source_name: '',
};

describe('collections are derived from the ids', () => {
  test('every level counts all that is below it, and describes itself by the count', async () => {
    expect(deriveCollections(await source.list())).toEqual([
      { path: 'extraction', description: '4 skills', count: 4 },
      { path: 'extraction/medical', description: '2 skills', count: 2 },
      { path: 'extraction/medical/imaging', description: '1 skills', count: 1 },
      { path: 'formatting', description: '1 skills', count: 1 },
    ]);
  });

  test('browsing a level shows its own skills and the collections right below', async () => {
    const all = await source.list();
    const level = (path: string) => {
      const { skills, subcollections } = partition(path, all, deriveCollections(all));
      return [subcollections.map((one) => `${one.path} ${one.count}`), skills.map((skill) => skill.id)];
    };
    expect(level('')).toEqual([['extraction 4', 'formatting 1'], ['pdf-processing']]);
    expect(level('extraction')).toEqual([
      ['extraction/medical 2'],
      ['extraction/email-extractor', 'extraction/fiction-extractor'],
    ]);
    expect(level('extraction/medical')).toEqual([
      ['extraction/medical/imaging 1'],
      ['extraction/medical/diagnosis'],
    ]);
    expect(level('no/such')).toEqual([[], []]);
  });
});
