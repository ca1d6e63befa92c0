import type { ChangedFile } from './change.ts';
import type { GuardFinding } from './guard-finding.ts';

const testStart =
  /^\s*(?:(?:export\s+)?(?:it|test|specify|scenario|Deno\.test|bench)(?:\.\w+)*\s*(?:\(|`)|(?:async\s+)?def\s+test\w*|func\s+(?:\([^)]*\)\s*)?Test\w+|#\[(?:\w+::)?test\b|@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|(?:public\s+)?function\s+test\w+|(?:it|test|specify|scenario)\s+["'(]|@test\s+["']|TEST(?:_[FP])?\s*\(|test\s+["'].*\bdo\b)/;
/** What a runner would list: the title of a test, or the name of its function or class. */
const testName =
  /^\s*(?:(?:it|test|specify|scenario|describe|context|Deno\.test)(?:\.\w+)*\s*\(?\s*(["'`])(?<title>.*?)\1|(?:async\s+)?def\s+(?<python>test\w*)|class\s+(?<group>Test\w+)|func\s+(?:\([^)]*\)\s*)?(?<go>Test\w+)|(?:public\s+)?function\s+(?<php>test\w+))/;
const assertion =
  /\b(?:expect|assert\w*|should|must|require|EXPECT_\w+|ASSERT_\w+|XCTAssert\w*|refute\w*|verify)\b\s*[.!(]|^\s*assert\s|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/gm;

/** Fewer tests or assertions than there were, or others in their place. */
export function guardTests({ path, before, after }: ChangedFile): GuardFinding[] {
  if (before === undefined || after === undefined) return [];
  const found: GuardFinding[] = [];
  const add = (message: string) => found.push({ guard: 'test', file: path, message });
  const fewer = (what: string, count: (text: string) => number) => {
    const [old, now] = [count(before), count(after)];
    if (now < old) add(`${old - now} fewer ${what} (${old} → ${now})`);
  };
  fewer('tests', (text) => text.split('\n').filter((line) => testStart.test(line)).length);
  fewer('assertions', (text) => text.match(assertion)?.length ?? 0);
  const names = namesIn(after);
  const gone = [...namesIn(before)].filter((name) => !names.has(name));
  if (gone.length > 0) add(`tests that are gone or renamed: ${gone.slice(0, 10).join(', ')}`);
  return found;
}

const namesIn = (text: string): Set<string> =>
  new Set(
    text.split('\n').flatMap((line) => {
      const { title, python, group, go, php } = testName.exec(line)?.groups ?? {};
      return title ?? python ?? group ?? go ?? php ?? [];
    }),
  );
