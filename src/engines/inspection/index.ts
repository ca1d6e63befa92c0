// Owns: judging a change by the project's own tools.
// Knows: git, conventions, code, past results, the sandbox, report readers.
// Must not know: who made the change, plans, agents, models.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { redactValue } from '../../base/redact.ts';
import { describeSandbox, type Sandbox } from '../../base/sandbox/index.ts';
import type { Checks } from '../../stores/checks/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import { type Conventions, isLockFile } from '../../stores/conventions/index.ts';
import { withJudgesOf } from './base-manifests.ts';
import { type Change, mixTrees, readChange, revertedFiles, withTexts } from './change.ts';
import { chooseGates } from './gates.ts';
import { guardChange, isJudgeFile } from './guards.ts';
import { inspectFiles } from './inspect-files.ts';
import { inspectTests } from './inspect-tests.ts';
import { type CheckReport, checkReport } from './record.ts';
import { addFailure, type CheckRequest, conclude, emptyReport, nameUnjudged } from './report.ts';
import type { RunPlace } from './run-gate.ts';
import { findSetup, runSetup, type SetupCommand } from './setup.ts';
import { openSubject } from './subject.ts';
import { copyTree, type Environment, placesOf } from './trees.ts';

export { toJunit, toSarif } from './formats.ts';
export { gateCategories } from './gates.ts';
export { type CheckReport, checkReport } from './record.ts';
export type { CheckRequest } from './report.ts';
export { findEnvironment } from './trees.ts';

export interface InspectionContext {
  git: Git;
  repository: Repository;
  /** Of the working tree; with a commit, of that commit. */
  conventions(commit?: string): Promise<Conventions>;
  code: CodeStore;
  checks: Checks;
  /** Of this machine's other state, which no tool may see. */
  hidden: string[];
}

export function createInspection(context: InspectionContext) {
  const { code, checks } = context;
  const scratch = join(context.repository.state.directory, 'cache', 'checks');

  /** Judges a working tree or a commit against its base. Never writes to either; ends at the signal. */
  const check = async (request: CheckRequest): Promise<CheckReport> => {
    // Whoever needs it waits for it; a failure is theirs, and the index is not left half made.
    const [judged] = await Promise.allSettled([judge(request), request.indexed]);
    if (judged.status === 'rejected') throw judged.reason;
    return judged.value;
  };

  const judge = async (request: CheckRequest): Promise<CheckReport> => {
    const started = performance.now();
    const [sandbox, { git, repository, commit, environment }] = await Promise.all([
      describeSandbox(),
      openSubject(context, request),
    ]);
    const movesPlaces = sandbox.movesPlaces && !request.unconfined;
    const change = await readChange({ git, repository, scratch }, { ...request, commit });
    const report = emptyReport(change);
    if (change.files.length === 0) return { ...report, verdict: 'passed', notes: ['Nothing changed.'] };
    report.review = [
      ...guardChange(change.files),
      ...(await revertedFiles(change)).map((file) => ({
        guard: 'judge' as const,
        file,
        message: 'set back to what it was before the last commit',
      })),
    ];
    const tree = await judgedTree(change, request, report);
    const inspection = {
      change,
      request,
      report,
      environment,
      tree,
      place: placeOf(context, { movesPlaces, environment, scratch, request, change }),
      copyOf: (side: 'before' | 'after' | { tree: string }) => {
        const sides = { before: change.base.tree, after: tree };
        const digest = typeof side === 'string' ? sides[side] : side.tree;
        return copyTree({ repository, scratch, movesPlaces, checks }, digest, environment);
      },
    };
    if (change.files.some(({ path }) => isLockFile(path)))
      report.notes.push('Packages changed: the base was judged with those installed now.');
    const conventions = await context.conventions((isJudgedByBase(request) && change.base.commit) || commit);
    const { gates, unread } = await chooseGates(conventions, change.files, environment);
    if (unread.size > 0) report.notes.push(unreadNote([...unread]));
    for (const gate of gates.filter(({ category }) => !request.only || request.only.includes(category))) {
      request.signal.throwIfAborted();
      if (gate.missing) {
        addFailure(report, gate, gate.missing, 0);
        continue;
      }
      requireSandbox(sandbox, request);
      if (gate.category === 'test_framework') await inspectTests(inspection, gate, code, checks);
      else await inspectFiles(inspection, gate);
    }
    if (request.unconfined && report.gates.length > 0) report.notes.push('Tools ran without a sandbox.');
    const isRead = change.files.some(({ path }) => !unread.has(path));
    if (isRead) nameUnjudged(report, gates, request);
    const concluded = conclude(report, { isRead, milliseconds: performance.now() - started });
    checks.keepReport(redactValue(concluded));
    return concluded;
  };
  return {
    check,
    /** How a fresh working tree is filled with its packages; a person approves the commands before `prepare` runs them. */
    findSetup,
    prepare: (request: {
      worktree: string;
      commands: SetupCommand[];
      signal: AbortSignal;
      progress(message: string): void;
    }) => runSetup({ ...request, caches: join(scratch, 'caches'), hidden: context.hidden }),
    /** What was found last, newest first, as far as it can still be read. */
    last: (limit: number) =>
      checks.reports(limit).flatMap(({ at, report }) => {
        const read = checkReport.safeParse(report);
        return read.success ? [{ at, report: read.data }] : [];
      }),
  };
}

export type InspectionEngine = ReturnType<typeof createInspection>;

const unreadNote = (paths: string[]): string =>
  `No code of this project reads ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}: no tool judges ${paths.length === 1 ? 'it' : 'them'}.`;

const isJudgedByBase = ({ judges, subject }: CheckRequest): boolean =>
  judges === 'base' || (subject !== undefined && 'worktree' in subject);

/** The tree that tools see: the change's own, or the change's with the settings of the base. */
async function judgedTree(change: Change, request: CheckRequest, report: CheckReport): Promise<string> {
  const settings = change.files.flatMap(({ path, from }) =>
    [path, ...(from ? [from] : [])].filter((name) => isJudgeFile(name)),
  );
  if (!isJudgedByBase(request)) return change.tree;
  const manifests = change.files.flatMap((file) => {
    const text = withJudgesOf(file);
    return text === undefined ? [] : [{ path: file.path, text }];
  });
  const names = [...settings, ...manifests.map(({ path }) => `settings in ${path}`)];
  if (names.length === 0) return change.tree;
  report.notes.push(`Judged with these as they are at the base: ${names.slice(0, 20).join(', ')}.`);
  const mixed =
    settings.length === 0 ? change.tree : await mixTrees(change.git, change.tree, change.base.tree, settings);
  return withTexts(change.git, mixed, manifests);
}

/** Checked when something is to be run: what runs nothing needs no sandbox. */
function requireSandbox(sandbox: Sandbox, { unconfined }: CheckRequest): void {
  if (unconfined || sandbox.kind !== 'none') return;
  const hint = 'In a repository that you trust, a person can run them as they are: sylk check --unconfined.';
  throw new SylkError(
    'UNAVAILABLE',
    `The tools of a project run its code, and nothing here confines them: ${sandbox.summary}.`,
    { hint: sandbox.hint ? `${sandbox.hint} ${hint}` : hint },
  );
}

function placeOf(
  { checks, hidden }: InspectionContext,
  {
    movesPlaces,
    environment,
    scratch,
    request,
    change,
  }: {
    movesPlaces: boolean;
    environment: Environment;
    scratch: string;
    request: CheckRequest;
    change: Change;
  },
): RunPlace {
  const { root } = environment;
  const caches = join(scratch, 'caches');
  state.makeDirectory(caches);
  const locks = change.files.filter(({ path }) => isLockFile(path)).map(({ after = '' }) => after);
  const stamps = environment.bring.map((path) => `${path} ${state.entry(join(root, path))?.mark}`);
  const gitEntry = state.entry(join(root, '.git'));
  return {
    root,
    movesPlaces,
    unconfined: request.unconfined ?? false,
    bring: [
      ...placesOf(environment),
      ...(gitEntry ? [{ from: join(root, '.git'), at: join(root, '.git') }] : []),
    ],
    caches,
    hidden,
    checks,
    packages: createHash('sha256')
      .update([...stamps, ...locks].join('\n'))
      .digest('hex'),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
  };
}
