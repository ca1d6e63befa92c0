export type GateCategory = 'linter' | 'formatter' | 'type_checker' | 'test_framework';

export interface Finding {
  /** Relative to the root, with forward slashes; absent where the tool names no file inside the root. */
  file?: string;
  line?: number;
  column?: number;
  endLine?: number;
  rule?: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  suggestion?: string;
}

export interface TestResult {
  /** Stable between runs: file, suites and name, joined by ' > '. */
  id: string;
  name: string;
  file?: string;
  status: 'passed' | 'failed' | 'skipped';
  message?: string;
  expected?: string;
  actual?: string;
  stack?: string;
  durationMs?: number;
}

/** What a run of a tool left behind. */
export interface ToolOutput {
  code: number;
  signal?: string | null;
  timedOut?: boolean;
  overMemory?: boolean;
  /** stdout or stderr was cut at a limit. */
  truncated?: boolean;
  stdout: string;
  stderr: string;
  /** Texts of the report files that the tool wrote. */
  reports: string[];
}

export type FailureCause =
  | 'crashed'
  | 'nothing_run'
  | 'timed_out'
  | 'out_of_memory'
  | 'missing'
  | 'unreadable'
  | 'not_configured';

/** What a tool found, or why its run says nothing. A failure is neither a pass nor a finding. */
export type Reading =
  | { kind: 'report'; findings: Finding[]; tests: TestResult[] }
  | { kind: 'failure'; cause: FailureCause; message: string };

export interface ShapedCommand {
  words: string[];
  env?: Record<string, string>;
  /** Files or globs, relative to the tree, where the tool writes its report. Remove them before the run. */
  reports?: string[];
  /** False: the tool always looks at the whole project. */
  takesFiles: boolean;
  /** What the project's own call names besides options: paths and patterns, as a rule. */
  paths: string[];
}
