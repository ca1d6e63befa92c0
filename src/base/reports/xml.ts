import { Parser } from 'htmlparser2';
import type { Finding, TestResult } from './record.ts';
import type { ToolRow } from './table.ts';
import { type Fields, findingOf, maxItems, testOf } from './text.ts';

/** An element that ended, with the names above it. Declared entities stay as they are written. */
interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  above?: Element;
}

const maxDepth = 200;
const maxText = 20_000;

/** Reports every element when it ends. False where the text is no XML document with this root, or is not whole. */
function walk(xml: string, roots: string[], visit: (element: Element) => void): boolean {
  let current: Element | undefined;
  let depth = 0;
  let root: string | undefined;
  let whole = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        root ??= name;
        depth += 1;
        if (depth <= maxDepth) current = { name, attributes, text: '', above: current };
      },
      ontext(text) {
        if (current && current.text.length < maxText) current.text += text;
      },
      onclosetag(_name, implied) {
        if (depth <= maxDepth && current) {
          visit(current);
          current = current.above;
        }
        depth -= 1;
        if (depth === 0) whole = !implied;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return whole && root !== undefined && roots.includes(root);
}

const outcomes: Record<string, TestResult['status']> = {
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
};

/** JUnit XML, as most runners write it. */
export function readJunit(xml: string, row: ToolRow, root: string): TestResult[] | undefined {
  const tests: TestResult[] = [];
  let outcome: Fields | undefined;
  let printed: string | undefined;
  const isWhole = walk(xml, ['testsuites', 'testsuite'], (element) => {
    const { name, attributes, text, above } = element;
    const status = outcomes[name];
    // A test that is still to do may fail: its runner does not count it.
    const isSettled = outcome?.status === 'failed' || outcome?.rule === 'todo';
    if (status && above?.name === 'testcase' && !isSettled) {
      const message = attributes.message || text;
      outcome = { status, message, stack: attributes.message ? text : undefined, rule: attributes.type };
    }
    if (name === 'system-out' && above?.name === 'testcase') printed = text;
    if (name !== 'testcase') return;
    const notRun = attributes.status === 'notrun' || attributes.result === 'skipped';
    const fields: Fields = {
      status: notRun ? 'skipped' : 'passed',
      name: attributes.name,
      suites: suitesOf(element),
      file: fileOf(element),
      seconds: attributes.time?.replace(',', ''),
      ...outcome,
      message: outcome?.message || printed,
    };
    outcome = undefined;
    printed = undefined;
    if (tests.length <= maxItems) tests.push(testOf(fields, row, root));
  });
  return isWhole ? tests : undefined;
}

const isPath = (name: string | undefined): boolean => name?.startsWith('./') ?? false;

/** Pest writes the test's name behind the file; Deno has the file in place of a class. */
function fileOf({ attributes, above }: Element): string | undefined {
  const file = attributes.file ?? above?.attributes.file ?? above?.attributes.filepath;
  return file?.split('::')[0] ?? (isPath(attributes.classname) ? attributes.classname : undefined);
}

/** The class, or the names of the suites around a test where a runner gives no class. */
function suitesOf(element: Element): string[] {
  const { classname, file, name } = element.attributes;
  if (classname && (classname === name || isPath(classname))) return [];
  if (classname && classname !== 'test') return [classname];
  const names: string[] = [];
  for (let above = element.above; above; above = above.above) {
    if (above.name === 'testsuite' && above.attributes.name !== file)
      names.unshift(above.attributes.name ?? '');
  }
  return names;
}

/** Checkstyle XML: errors below files. */
export function readCheckstyle(xml: string, row: ToolRow, root: string): Finding[] | undefined {
  const findings: Finding[] = [];
  const isWhole = walk(xml, ['checkstyle'], ({ name, attributes, above }) => {
    if (name !== 'error' || findings.length > maxItems) return;
    const rule = attributes.source?.replace(/^com\.puppycrawl\.tools\.checkstyle\.checks\./, '');
    findings.push(findingOf({ ...attributes, rule, file: above?.attributes.name }, row, root));
  });
  return isWhole ? findings : undefined;
}

/** Visual Studio test results: the class of a test stands in its definition, behind the results. */
export function readTrx(xml: string, row: ToolRow, root: string): TestResult[] | undefined {
  const results: Array<{ fields: Fields; id?: string }> = [];
  const classes = new Map<string, string>();
  let said: Fields = {};
  const isWhole = walk(xml, ['TestRun'], ({ name, attributes, text, above }) => {
    if (name === 'Message') said.message = text;
    if (name === 'StackTrace') said.stack = text;
    if (name === 'TestMethod')
      classes.set(above?.attributes.id ?? '', attributes.className?.split(',')[0] ?? '');
    if (name !== 'UnitTestResult' || results.length > maxItems) return;
    const [hours, minutes, seconds] = (attributes.duration ?? '').split(':').map(Number);
    const duration = (hours ?? Number.NaN) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0);
    const fields = { ...said, name: attributes.testName, status: attributes.outcome, seconds: duration };
    results.push({ fields, id: attributes.testId });
    said = {};
  });
  const suiteOf = (name: unknown, id: string | undefined): string | undefined => {
    const suite = classes.get(id ?? '');
    return suite && !String(name).startsWith(suite) ? suite : undefined;
  };
  return isWhole
    ? results.map(({ fields, id }) => testOf({ ...fields, suites: [suiteOf(fields.name, id)] }, row, root))
    : undefined;
}
