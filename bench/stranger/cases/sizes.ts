import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

const aims = ['then: index, search, doctor', 'search', 'files', 'map', 'status'];
const code = (at: number) => `export function step${at}(x: number) {\n  return x + ${at};\n}\n`;

/** Fast-import is the quickest way to thousands of files and commits. */
function fastImport(place: Place, stream: string): void {
  place.gitInput(stream, 'fast-import', '--quiet', '--force');
  place.git('reset', '-q', '--hard', 'main');
}

const file = (path: string, text: string) =>
  `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
const commit = (message: string, files: string, from = 'refs/heads/main^0') =>
  `commit refs/heads/main\ncommitter Ada <ada@example.org> 1735900000 +0000\ndata ${Buffer.byteLength(message)}\n${message}\n${from ? `from ${from}\n` : ''}${files}\n`;

const flat = (count: number, path: (at: number) => string) => (place: Place) =>
  fastImport(
    place,
    commit('feat: many', Array.from({ length: count }, (_, at) => file(path(at), code(at))).join('')),
  );

const one = (path: string, text: () => string | Buffer) => (place: Place) => {
  place.write(path, text());
  place.commitAll();
};

/** Name, hostile, harmless of the same bytes or number. */
type Pair = [name: string, make: (place: Place) => void, twin: (place: Place) => void];

const megabyte = 1_000_000;
const lines = (bytes: number) => 'export const value = 1;\n'.repeat(Math.ceil(bytes / 24));

const pairs: Pair[] = [
  [
    'one line of 200 MB',
    one('src/line.ts', () => `export const a = "${'a'.repeat(200 * megabyte)}";\n`),
    one('data/line.bin', () => Buffer.alloc(200 * megabyte, 1)),
  ],
  [
    'one line of 900 kB',
    one('src/line.ts', () => `export const a = [${'[1],'.repeat(225_000)}];\n`),
    one('src/line.ts', () => lines(0.9 * megabyte)),
  ],
  [
    '50,000 files in a folder',
    flat(50_000, (at) => `src/flat/f${at}.ts`),
    flat(50_000, (at) => `src/d${at % 500}/f${at}.ts`),
  ],
  [
    'a depth of 500 folders',
    (place) => {
      const path = `${'d/'.repeat(500)}a.ts`;
      fastImportBare(place, path);
    },
    flat(500, (at) => `src/f${at}.ts`),
  ],
  [
    'JSON 50,000 levels deep',
    one('data.json', () => `${'{"a":\n'.repeat(50_000)}1${'}\n'.repeat(50_000)}`),
    one('data.json', () =>
      JSON.stringify(
        Array.from({ length: 25_000 }, (_, at) => ({ at })),
        null,
        1,
      ),
    ),
  ],
  [
    'TypeScript nested 20,000 deep',
    one('src/deep.ts', () => `export const x = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`),
    one('src/deep.ts', () => lines(40_000)),
  ],
  [
    'HTML nested 50,000 deep',
    one('docs/deep.html', () => '<div>'.repeat(50_000)),
    one('docs/deep.html', () => '<div>x</div>\n'.repeat(20_000)),
  ],
  [
    'Markdown with 50,000 open brackets',
    one('docs/open.md', () => `${'['.repeat(50_000)}${'*a_'.repeat(30_000)}\n`),
    one('docs/open.md', () => 'A line of text.\n'.repeat(9_000)),
  ],
  [
    'Markdown quotes and lists in each other',
    one('docs/quotes.md', () => `${'> - '.repeat(20_000)}x\n`.repeat(3)),
    one('docs/quotes.md', () => 'A line of text.\n'.repeat(15_000)),
  ],
  [
    '20,000 branches',
    (place) => refs(place, 20_000, (at) => `refs/heads/b${at}`),
    (place) => refs(place, 100, (at) => `refs/heads/b${at}`),
  ],
  [
    '100,000 packed tags',
    (place) => refs(place, 100_000, (at) => `refs/tags/t${at}`),
    (place) => refs(place, 100, (at) => `refs/tags/t${at}`),
  ],
  [
    'a commit message of 30 MB',
    (place) => fastImport(place, commit('word '.repeat(6_000_000), file('src/m.ts', code(1)))),
    (place) => fastImport(place, commit('word', file('src/m.ts', code(1)))),
  ],
  [
    'a commit of 20,000 files in history only',
    (place) => {
      flat(20_000, (at) => `src/flat/f${at}.ts`)(place);
      place.git('rm', '-q', '-r', 'src/flat');
      place.git('commit', '-q', '-m', 'chore: remove');
    },
    (place) => {
      flat(20_000, (at) => `src/d${at % 500}/f${at}.ts`)(place);
      place.git('rm', '-q', '-r', ...Array.from({ length: 500 }, (_, at) => `src/d${at}`));
      place.git('commit', '-q', '-m', 'chore: remove');
    },
  ],
  [
    'a merge with 60 parents',
    (place) => {
      const tree = place.git('rev-parse', 'HEAD^{tree}');
      const parents = Array.from({ length: 60 }, (_, at) =>
        place.git('commit-tree', '-m', `side ${at}`, '-p', 'HEAD', tree),
      );
      const merge = place.git(
        'commit-tree',
        '-m',
        'merge',
        ...parents.flatMap((parent) => ['-p', parent]),
        tree,
      );
      place.git('update-ref', 'refs/heads/main', merge);
    },
    (place) => {
      for (let at = 0; at < 60; at++) place.git('commit', '-q', '--allow-empty', '-m', `side ${at}`);
    },
  ],
  [
    'identifiers of 1 MB',
    one('src/long.ts', () => `export function ${'a'.repeat(megabyte)}() {}\n`),
    one('src/long.ts', () => lines(megabyte)),
  ],
  [
    '40,000 symbols of one name that call each other',
    one('src/same.ts', () => 'export function login() { login(); login(); }\n'.repeat(20_000)),
    one('src/same.ts', () => lines(900_000)),
  ],
  [
    'text that every secret pattern nearly matches',
    one(
      'src/near.ts',
      () => `${'AKIA'.repeat(60_000)}\n${'-----BEGIN '.repeat(40_000)}\n${'a://b:'.repeat(40_000)}\n`,
    ),
    one('src/near.ts', () => lines(900_000)),
  ],
  [
    'blanks that a pattern may retry',
    one(
      'src/blank.ts',
      () => `const a =${' '.repeat(400_000)}x;\n${'\t'.repeat(200_000)}y\n${'"\\'.repeat(100_000)}\n`,
    ),
    one('src/blank.ts', () => lines(800_000)),
  ],
  [
    'a packed file that unpacks to 1 GB',
    (place) => {
      place.write('src/bomb.ts', Buffer.alloc(1_000 * megabyte, 32));
      place.commitAll();
    },
    one('data/bomb.bin', () => Buffer.alloc(200 * megabyte, 1)),
  ],
  [
    'trees that share one subtree 10 levels of 10 times',
    (place) => {
      let tree = place.git('rev-parse', 'HEAD^{tree}');
      for (let level = 0; level < 10; level++) {
        const rows = Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\td${at}\n`).join('');
        tree = place.gitInput(rows, 'mktree');
      }
      place.git('update-ref', 'refs/heads/main', place.git('commit-tree', '-m', 'bomb', '-p', 'HEAD', tree));
    },
    flat(500, (at) => `src/f${at}.ts`),
  ],
];

function fastImportBare(place: Place, path: string): void {
  place.gitInput(commit('feat: deep', file(path, code(1))), 'fast-import', '--quiet', '--force');
}

function refs(place: Place, count: number, name: (at: number) => string): void {
  const head = place.git('rev-parse', 'HEAD');
  const rows = Array.from({ length: count }, (_, at) => `${head} ${name(at)}`).sort((a, b) =>
    a < b ? -1 : 1,
  );
  place.write('.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted\n${rows.join('\n')}\n`);
  place.write('.git/refs/heads/main', `${head}\n`);
}

export const sizeCases: StrangerCase[] = pairs.map(([name, make, twin]) => ({
  name: `size: ${name}`,
  make,
  twin,
  mustAnswer: true,
  big: true,
  aims,
}));
