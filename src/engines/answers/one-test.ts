import { fileRef } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

interface TestFound {
  path: string;
  line: number;
  /** What the runner calls it; empty for a whole file. */
  name: string;
  /** Modules and classes around it. */
  around: string[];
  share: number;
}

const most = 4;
const enough = 0.5;
/** `it('…')`, `test "…" do`, `def test_…`, `func Test…`, `TEST(A, b)`, `fn …` behind `#[test]`. */
const testLine =
  '^[[:space:]]*(it|test|describe|context|specify|should|scenario|feature)(\\.[a-z]+)?[ (]+["\'`]|def (self\\.)?test_|func (\\([^)]*\\) )?Test|^[[:space:]]*TEST(_[A-Z])?\\(|(void|fun|function) +(test|should)|@Test|^[[:space:]]*(pub )?(async )?fn [a-z]';

/** How to run the tests of something and no others: the runner of the project, with the file and the name filled in. */
export async function oneTest(
  context: AnswersContext,
  subject: string,
): Promise<{ cited: Cited[]; total: number; notes?: string[] } | undefined> {
  const tests = await testsAbout(context, subject);
  const [best] = tests;
  if (!best) return undefined;
  const { tools } = await (await context.conventions()).tools.discover({
    path: '',
    category: 'test_framework',
  });
  const runners = tools.filter(({ one_test, language }) => one_test && speaks(language, best.path));
  const runner = runners.find(({ source }) => source !== 'registry') ?? runners[0];
  const near = tests.filter(({ share }) => share >= best.share - 0.1).slice(0, most);
  return {
    total: near.length,
    cited: near.map((test) => ({
      ref: fileRef(test.path),
      domain: 'code',
      place: test.line > 0 ? `${test.path}:${test.line}` : test.path,
      reason: [
        runner?.one_test
          ? `\`${filledIn(runner.one_test, test)}\``
          : 'no runner for a single test is known here',
        test.name,
      ]
        .filter(Boolean)
        .join(' — '),
    })),
    notes: runner ? [`All tests: \`${runner.run_command}\` (${runner.name}).`] : [],
  };
}

const endings: Array<[language: RegExp, ending: RegExp]> = [
  [/^(?:javascript|typescript)$/, /\.[cm]?[jt]sx?$/],
  [/^python$/, /\.py$/],
  [/^ruby$/, /\.rb$/],
  [/^go$/, /\.go$/],
  [/^rust$/, /\.rs$/],
  [/^(?:java|kotlin|jvm)$/, /\.(?:java|kts?)$/],
  [/^php$/, /\.php$/],
  [/^c/, /\.(?:c|h|cc|cpp|cxx|hpp|cs)$/],
];
const speaks = (language: string, path: string): boolean =>
  endings.some(([spoken, ending]) => spoken.test(language) && ending.test(path));

/** Tests whose names and paths have the words, those with most first; a file that is called so is all of its tests. */
async function testsAbout(context: AnswersContext, subject: string): Promise<TestFound[]> {
  const wanted = [...new Set(searchWords(subject))];
  if (wanted.length === 0) return [];
  const { git } = context;
  const paths = await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const found = paths
    .filter((path) => isTestPath(path) && endings.some(([, ending]) => ending.test(path)))
    .map((path) => ({ path, line: 0, name: '', around: [], share: shareIn(wanted, lastPart(path)) }));
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-E', '--untracked', '-e', testLine, '--', '.'],
    {
      accept: [1, 128],
      timeoutMs: 5000,
      maxOutputBytes: 8_000_000,
      mayCut: true,
    },
  );
  const titled: TestFound[] = [];
  for (const row of stdout.toString('utf8').split('\n')) {
    const [path = '', line = '0', text = ''] = row.split('\0');
    const isRust = path.endsWith('.rs');
    if (!path || (!isRust && !isTestPath(path))) continue;
    const name = nameOf(text);
    if (!name || (isRust && shareIn(wanted, `${name} ${path}`) < enough)) continue;
    const own = shareIn(wanted, name);
    const share = 0.9 * shareIn(wanted, `${name} ${lastPart(path)}`) + 0.1 * own;
    if (share >= enough && own > 0) titled.push({ path, line: Number(line), name, around: [], share });
  }
  const tests = await withModules(context, titled);
  return [...found.filter(({ share }) => share >= enough), ...tests].sort(
    (a, b) => b.share - a.share || a.line - b.line || a.name.length - b.name.length,
  );
}

/** What stands around tests of Rust; functions there that no test module has are no tests. */
async function withModules({ code }: AnswersContext, tests: TestFound[]): Promise<TestFound[]> {
  if (!tests.some(({ path }) => path.endsWith('.rs'))) return tests;
  const store = await code();
  return tests.flatMap((test) => {
    if (!test.path.endsWith('.rs')) return test;
    const own = store.fileSymbols(test.path).find(({ line }) => line === test.line);
    const around = own?.qualified.split('.').slice(0, -1) ?? [];
    if (!isTestPath(test.path) && !around.some((each) => /^tests?$/.test(each))) return [];
    const inside = /(?:^|\/)src\/(?:main|lib)\.rs$|(?:^|\/)tests\//.test(test.path)
      ? []
      : test.path
          .replace(/^.*?src\//, '')
          .replace(/(?:\/mod)?\.rs$/, '')
          .split('/');
    return { ...test, around: [...inside, ...around] };
  });
}

const nameOf = (line: string): string =>
  (
    /["'`](?<title>[^"'`]{2,120})["'`]/.exec(line) ??
    /(?:def (?:self\.)?|func (?:\([^)]*\) )?|fn |void +|fun +|function +)(?<title>[\w$]+)/.exec(line) ??
    /TEST\w*\((?<title>[\w, ]+)\)/.exec(line)
  )?.groups?.['title']?.replace(/\s*,\s*/, '.') ?? '';

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

/** The share of the words that a text has. */
function shareIn(wanted: string[], text: string): number {
  const there = searchWords(text);
  const isIn = (word: string) =>
    there.some(
      (each) =>
        each === word ||
        (Math.min(each.length, word.length) >= 4 && (each.startsWith(word) || word.startsWith(each))),
    );
  return wanted.filter(isIn).length / wanted.length;
}

/** The command of a runner with the test in it; what a whole file does not need is left out. */
export function filledIn(template: string, { path, line, name, around }: Omit<TestFound, 'share'>): string {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const quoted = /^[\w.:/-]*$/.test(name) ? name : `'${name.replaceAll("'", '.')}'`;
  const whole =
    name === ''
      ? template
          .replace(/ (?:-t|-n|--grep|--match|-g|--filter|-k|--focus|-run|--tests|-R)[ =]'?\^?NAME\$?'?/, '')
          .replace(/ --(?:filter|test-name-pattern)=NAME/, '')
          .replace(/::NAME|:LINE/, '')
          .replace('MODULE.CLASS.NAME', 'MODULE')
          .replace('NAME', lastPart(path))
      : template;
  return whole
    .replace('./FOLDER', folder === '.' ? '.' : `./${folder}`)
    .replace('FOLDER', folder)
    .replace('FILE', path)
    .replace('LINE', `${line}`)
    .replace('MODULE', path.replace(/\.py$/, '').replaceAll('/', '.'))
    .replace('NAME', around.length > 0 ? [...around, name].join('::') : quoted);
}
