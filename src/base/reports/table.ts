import { parse } from 'smol-toml';
import { product } from '../files/index.ts';
import { once } from '../once.ts';
import type { Finding, GateCategory, TestResult } from './record.ts';

/** Where items are in a JSON report and what their fields are called. Paths: see json.ts. */
export interface JsonMap {
  items: string;
  /** Only items whose field has one of these values. */
  when?: Record<string, string[]>;
  whenNot?: Record<string, string[]>;
  /** Not items that have this field. */
  unless?: string;
  file?: string;
  line?: string;
  column?: string;
  endLine?: string;
  rule?: string;
  severity?: string;
  message?: string;
  suggestion?: string;
  /** Set for tests. */
  name?: string;
  suites?: string;
  status?: string;
  stack?: string;
  expected?: string;
  actual?: string;
  duration?: string;
  /** Values where the report has none. */
  fixed?: { severity?: Finding['severity']; status?: TestResult['status']; message?: string; name?: string };
  /** Added to line and column, for tools that count from zero. */
  lineOffset?: number;
  /** Not items with such a message. */
  ignore?: string;
}

/** A line of text, or a line and one that follows it; groups are named after the fields. */
export interface TextPattern {
  line: string;
  next?: string;
  severity?: Finding['severity'];
  rule?: string;
  message?: string;
}

/** How a test runner prints its results as text. */
export interface TestPattern {
  /** One test: groups name, status, and perhaps suite, file, message, seconds. */
  result: string[];
  /** The status of a test that is named without one and of which no section speaks. */
  unsaid?: TestResult['status'];
  /** A line above the tests of one suite: groups suites, file. */
  heading?: string;
  /** The first line of what is said about one failed test: group name, and perhaps suites. */
  section?: string;
  /** The first line after it that belongs to it no more. */
  end?: string;
}

export interface ToolRow {
  tool: string;
  also?: string[];
  category: GateCategory;
  /** Names of the program in a command line. */
  program: string[];
  /** A word without which this is a call of something else. */
  requires?: string;
  /** Accepted subcommands; the first one is used. */
  sub?: string[];
  /** Options to remove; with a trailing "=" also their value. */
  drop?: string[];
  /** Options whose value is the next word: not a path. */
  values?: string[];
  add?: string[];
  /** Added before files, where they are given. */
  whenFiles?: string[];
  /** Added at the end. */
  after?: string[];
  env?: Record<string, string>;
  /**
   * 'words': in place of the paths of the call; 'besides': added to them; 'packages': as their folders; absent: the tool
   * looks at the whole project.
   */
  files?: 'words' | 'besides' | 'packages';
  /** The option that keeps a file out of a run, besides those that the project keeps out: {file} is its path. */
  without?: string;
  /** What follows "--" stays when files are given. */
  tail?: boolean;
  source: 'stdout' | 'stderr' | 'output' | 'file';
  reports?: string[];
  clean?: string;
  findings?: string;
  /** Findings of any severity are normal with a clean exit code. */
  lenient?: boolean;
  reader: 'json' | 'text' | 'tests' | 'junit' | 'checkstyle' | 'trx' | 'tap' | 'go' | 'events' | 'exit';
  /** Names of rows in maps, patterns or tests. */
  maps?: string[];
  patterns?: string[];
  tests?: string;
  /** Comments of a TAP report are headings of the tests below them. */
  headings?: boolean;
  /** Each line of the report is JSON. */
  lines?: boolean;
  severities?: Record<string, Finding['severity']>;
  statuses?: Record<string, TestResult['status']>;
  /** One finding with this message where the exit code says findings and the tool prints nothing at all. */
  silent?: string;
  /** What a tool prints in place of a report when it has found nothing. */
  cleanText?: string;
  broken?: string;
  nothing?: string;
  unconfigured?: string;
  /** How the row was checked: see the table. read.test.ts holds it against the fixtures. */
  evidence: 'run' | 'quoted' | 'format' | 'none';
}

interface Table {
  severities: Record<string, Finding['severity']>;
  statuses: Record<string, TestResult['status']>;
  expectations: string[];
  causes: { missing: string; out_of_memory: string; not_configured: string };
  maps: Record<string, JsonMap>;
  patterns: Record<string, TextPattern>;
  tests: Record<string, TestPattern>;
  tool: ToolRow[];
}

const path = String.raw`(?<file>(?:[A-Za-z]:)?[^:\s][^:\n]*?)`;

export const table = once(() => {
  const text = product.read(new URL('./data/reports.toml', import.meta.url)).toString('utf8');
  return parse(text.replaceAll("'^~", () => `'^${path}`)) as unknown as Table;
});

/** A tool has several rows of one category where projects start it in several ways. */
export const rowsOf = (tool: string, category: GateCategory): ToolRow[] =>
  table().tool.filter((row) => row.category === category && (row.tool === tool || row.also?.includes(tool)));

/** Every tool and category whose report can be read, other names included. */
export function readableTools(): Array<{ tool: string; category: GateCategory }> {
  const names = table().tool.flatMap((row) =>
    [row.tool, ...(row.also ?? [])].map((tool) => ({ tool, category: row.category })),
  );
  return [...new Map(names.map((name) => [`${name.category} ${name.tool}`, name])).values()];
}
