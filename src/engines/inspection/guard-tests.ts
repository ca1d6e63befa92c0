import type { ChangedFile } from './change.ts';
import type { GuardFinding } from './guard-finding.ts';

const testStart =
  /^\s*(?:(?:export\s+)?(?:it|test|specify|scenario|Deno\.test|bench)(?:\.\w+)*\s*(?:\(|`)|(?:async\s+)?def\s+test\w*|func\s+(?:\([^)]*\)\s*)?Test\w+|#\[(?:\w+::)?test\b|@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|(?:public\s+)?function\s+test\w+|(?:it|test|specify|scenario)\s+["'(]|@test\s+["']|TEST(?:_[FP])?\s*\(|test\s+["'].*\bdo\b)/;
/** What a runner would list: the title of a test, or the name of its function or class. */
const testName =
  /^\s*(?:(?:it|test|specify|scenario|describe|context|Deno\.test)(?:\.\w+)*\s*\(?\s*(["'`])(?<title>.*?)\1|(?:async\s+)?def\s+(?<python>test\w*)|class\s+(?<group>Test\w+)|func\s+(?:\([^)]*\)\s*)?(?<go>Test\w+)|(?:public\s+)?function\s+(?<php>test\w+))/;
const assertion =
  /\b(?:expect|assert\w*|should|must|require|EXPECT_\w+|ASSERT_\w+|XCTAssert\w*|refute\w*|verify)\b\s*[.!(]|^[ \t]*assert\s|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/gm;

/** Such an assertion knows the answer, and does not only ask whether there is one. */
const comparison =
  /\bassert(?:\.\w+)*\.(?:deep|strict|deepStrict)?[eE]qual\b|\bassert(?:List|Dict|Set|Tuple|Sequence|Almost|ArrayE)?Equals?\b|\bassert_(?:eq|equal)\w*|\b(?:toBe|toEqual|toStrictEqual|toMatchObject)\(|\b(?:EXPECT|ASSERT)_EQ\b|\bXCTAssertEqual\b|^[ \t]*assert\b.*[=!]=/gm;
/** Who caught an error and looks at it, or hands it on, hides nothing. */
const isHandedOn = /\b(?:throw|raise|reject|fail|assert|expect)\b|\.(?:fail|assert\w*)\(/;

/** Assertions that may fail and let the test pass. Looks only at what is near: the text may be long and hostile. */
const caught = (text: string): number =>
  [...caughtInBraces(text), ...caughtByIndent(text)].filter(
    ([tried, done]) => tried.match(assertion) && !isHandedOn.test(done),
  ).length;

const nearBy = 2000;

function caughtInBraces(text: string): Array<[tried: string, done: string]> {
  return [...text.matchAll(/\}\s{0,20}catch\b/g)].map(({ index, 0: { length } }) => {
    const before = text.slice(Math.max(0, index - nearBy), index);
    const after = text.slice(index + length, index + length + nearBy);
    return [before.slice(before.lastIndexOf('try')), after.slice(after.indexOf('{'), after.indexOf('}'))];
  });
}

function caughtByIndent(text: string): Array<[tried: string, done: string]> {
  const lines = text.split('\n').map((line) => line.slice(0, nearBy));
  const indentOf = (line = '') => line.length - line.trimStart().length;
  return lines.flatMap((line, at): Array<[string, string]> => {
    if (!/^\s*except\b/.test(line)) return [];
    const isBeside = (other: string) => indentOf(other) <= indentOf(line) && other.trim() !== '';
    const above = lines.slice(Math.max(0, at - 50), at);
    const below = lines.slice(at + 1, at + 20);
    const end = below.findIndex(isBeside);
    const tried = above.slice(above.findLastIndex(isBeside) + 1);
    return [[tried.join('\n'), [line.split(':').slice(1), ...below.slice(0, end < 0 ? 20 : end)].join('\n')]];
  });
}

function withoutComments(text: string): string {
  let isInside = false;
  return text
    .split('\n')
    .filter((line) => {
      const start = line.trimStart();
      const wasInside = isInside;
      if (wasInside || start.startsWith('/*')) isInside = !line.includes('*/');
      return !wasInside && !/^(?:\/[/*]|#(?!!?\[)|--)/.test(start);
    })
    .join('\n');
}

/** Fewer tests or assertions than there were, or others in their place. */
export function guardTests({ path, before: old, after: now }: ChangedFile): GuardFinding[] {
  if (old === undefined || now === undefined) return [];
  const [before, after] = [withoutComments(old), withoutComments(now)];
  const found: GuardFinding[] = [];
  const add = (message: string) => found.push({ guard: 'test', file: path, message });
  const fewer = (what: string, count: (text: string) => number): boolean => {
    const [old, now] = [count(before), count(after)];
    if (now < old) add(`${old - now} fewer ${what} (${old} → ${now})`);
    return now < old;
  };
  fewer('tests', (text) => text.split('\n').filter((line) => testStart.test(line)).length);
  if (!fewer('assertions', (text) => text.match(assertion)?.length ?? 0))
    fewer('assertions that compare with a value', (text) => text.match(comparison)?.length ?? 0);
  if (caught(after) > caught(before)) add('assertions whose failure is caught, and fails nothing');
  const names = namesIn(after);
  const gone = [...namesIn(before)].filter((name) => !names.has(name));
  if (gone.length > 0) add(`tests that are gone or renamed: ${gone.slice(0, 10).join(', ')}`);
  const doubled = twiceIn(after).filter((name) => !twiceIn(before).includes(name));
  if (doubled.length > 0)
    add(`a second test of the same name takes the place of the first: ${doubled.slice(0, 10).join(', ')}`);
  return found;
}

/** Functions of Python that are defined twice in one place: only the last one is there. */
function twiceIn(text: string): string[] {
  const defined = new Set<string>();
  let group = '';
  return text.split('\n').flatMap((line) => {
    group = /^class\s+(\w+)/.exec(line)?.[1] ?? (/^(?:async\s+)?def\s/.test(line) ? '' : group);
    const name = /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/.exec(line)?.[1];
    if (name === undefined) return [];
    const key = `${group} ${name}`;
    const isTwice = defined.has(key);
    defined.add(key);
    return isTwice ? [name] : [];
  });
}

const namesIn = (text: string): Set<string> =>
  new Set(
    text.split('\n').flatMap((line) => {
      const { title, python, group, go, php } = testName.exec(line)?.groups ?? {};
      return title ?? python ?? group ?? go ?? php ?? [];
    }),
  );
