import { jsonOf } from './json.ts';
import type { TestResult } from './record.ts';
import type { ToolRow } from './table.ts';
import { type Fields, testOf } from './text.ts';

type Event = Record<string, unknown>;

const objectOf = (value: unknown): Event => (typeof value === 'object' && value !== null ? { ...value } : {});
const eventsOf = (text: string): Event[] | undefined => {
  const values = jsonOf(text, true);
  return Array.isArray(values) ? values.map(objectOf) : undefined;
};

/** `go test -json`: output lines come before the result of their test. */
export function readGo(text: string, row: ToolRow, root: string): TestResult[] | undefined {
  const output = new Map<string, string>();
  const results = new Map<string, Event>();
  for (const event of eventsOf(text) ?? []) {
    if (typeof event.Package !== 'string') continue;
    const key = `${event.Package} ${typeof event.Test === 'string' ? event.Test : ''}`;
    if (event.Action === 'output')
      output.set(key, `${output.get(key) ?? ''}${event.Output}`.slice(0, 20_000));
    if (['pass', 'fail', 'skip'].includes(String(event.Action))) results.set(key, event);
  }
  const failed = [...results.values()].filter(
    ({ Action, Test }) => Action === 'fail' && typeof Test === 'string',
  );
  return [...results].flatMap(([key, { Package, Test, Action, Elapsed }]) => {
    const isWhole = typeof Test !== 'string';
    // A package fails with its tests; it counts by itself where none of them did, as after a panic or an exit.
    if (isWhole && (Action !== 'fail' || failed.some((event) => event.Package === Package))) return [];
    if (isWhole && /\[(build|setup) failed\]/.test(output.get(key) ?? '')) return [];
    const message = (output.get(key) ?? '').replace(/^(=== |\s*--- ).*\n?/gm, '');
    const fields: Fields = {
      name: isWhole ? 'the package' : Test,
      suites: [Package],
      status: Action,
      seconds: Elapsed,
    };
    return [testOf({ ...fields, message }, row, root)];
  });
}

/** Events of `dart test --reporter=json`. */
export function readEvents(text: string, row: ToolRow, root: string): TestResult[] | undefined {
  const events = eventsOf(text);
  if (!events?.some(({ type }) => type === 'done')) return undefined;
  const suites = new Map<unknown, Event>();
  const tests = new Map<unknown, Event>();
  const errors = new Map<unknown, Event>();
  const results: TestResult[] = [];
  for (const event of events) {
    const suite = objectOf(event.suite);
    const test = objectOf(event.test);
    if (event.type === 'suite') suites.set(suite.id, suite);
    if (event.type === 'testStart') tests.set(test.id, { ...test, started: event.time });
    if (event.type === 'error' && !errors.has(event.testID)) errors.set(event.testID, event);
    if (event.type !== 'testDone' || event.hidden === true) continue;
    const { name, suiteID, started } = tests.get(event.testID) ?? {};
    const fields: Fields = {
      name,
      file: suites.get(suiteID)?.path,
      status: event.skipped === true ? 'skipped' : event.result,
      durationMs: Number(event.time) - Number(started),
      message: errors.get(event.testID)?.error,
      stack: errors.get(event.testID)?.stackTrace,
    };
    results.push(testOf(fields, row, root));
  }
  return results;
}
