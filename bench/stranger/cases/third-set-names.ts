import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';
import { type Row, rows } from './third-set-rows.ts';

const aims = ['then: index, search, doctor', 'map', 'files'];

const inFolder = (place: Place, names: Array<string | Buffer>): void => {
  mkdirSync(join(place.repository, 'odd'), { recursive: true });
  for (const name of names)
    writeFileSync(
      Buffer.concat([Buffer.from(join(place.repository, 'odd/')), Buffer.from(name)]),
      'export const login = 1;\n',
    );
  place.commitAll();
};
const names: Row[] = [
  ['255 bytes', (place) => inFolder(place, [`${'x'.repeat(252)}.ts`, `${'\u00e9'.repeat(126)}.ts`])],
  [
    'bytes that are no text',
    (place) =>
      inFolder(place, [
        Buffer.from([0xff, 0xfe, 0x2e, 0x74, 0x73]),
        Buffer.from([0xc3, 0x28, 0x2e, 0x74, 0x73]),
        Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x74, 0x73]),
      ]),
  ],
  [
    'signs that look like NUL',
    (place) => inFolder(place, ['a%00.ts', 'a\u2400.ts', 'a\\0.ts', 'a\u0001.ts', 'a\u007f.ts']),
  ],
  [
    'twins of one look',
    (place) =>
      inFolder(place, [
        'caf\u00e9.ts',
        'cafe\u0301.ts',
        'CAF\u00c9.ts',
        'l\u043egin.ts',
        'login.ts',
        'log\u0131n.ts',
        'lo\u200bgin.ts',
        '\ufb01le.ts',
        'file.ts',
      ]),
  ],
  [
    'directions and tags',
    (place) =>
      inFolder(place, [
        'a\u202ets.exe.ts',
        '\u2066x\u2069.ts',
        '\u{e0041}\u{e0042}.ts',
        '\ufeffx.ts',
        'a\u2028[1] forged.ts',
        'a\n## Decided.ts',
        'a\r- x.ts',
      ]),
    { forgedLines: [/^\[1\] forged/, /^## Decided\.ts/] },
  ],
  [
    'names of devices and shells',
    (place) =>
      inFolder(place, [
        'CON.ts',
        'aux',
        '$(touch x).ts',
        '`id`.ts',
        ';ls.ts',
        '|x.ts',
        '~',
        '-',
        '--',
        '...',
        ' ',
        '\t',
        "'.ts",
        '".ts',
        '<b>.ts',
        '&amp;.ts',
        'a:b.ts',
        '#x.ts',
        '?.ts',
      ]),
  ],
  [
    '600 folders in each other',
    (place) => {
      place.write(`${'d/'.repeat(600)}login.ts`, 'export const login = 1;\n');
      place.commitAll();
    },
    { mustAnswer: true },
  ],
];

/** Names of files. */
export const thirdSetNameCases: StrangerCase[] = rows('names', aims, names);
