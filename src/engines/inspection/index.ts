// Owns: judging a change by the project's own tools.
// Knows: git, conventions, code, past results, the sandbox, report readers.
// Must not know: who made the change, plans, agents, models.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { findSandbox, type Sandbox } from '../../base/sandbox/index.ts';
import type { Checks } from '../../stores/checks/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import { type Conventions, isLockFile } from '../../stores/conventions/index.ts';
import { type Change, readChange } from './change.ts';
import { chooseGates } from './gates.ts';
import { guardChange } from './guards.ts';
import { inspectFiles } from './inspect-files.ts';
import { inspectTests } from './inspect-tests.ts';
import type { CheckReport } from './record.ts';
import { addFailure, type CheckRequest, conclude, emptyReport, nameUnjudged } from './report.ts';
import type { RunPlace } from './run-gate.ts';
import { copyTree, type Environment, findEnvironment, placesOf, requireWorkTree } from './trees.ts';

export { gateCategories } from './gates.ts';
export { type CheckReport, checkReport } from './record.ts';
export type { CheckRequest } from './report.ts';

export interface InspectionContext {
  git: Git;
  repository: Repository;
  conventions: Conventions;
  code: CodeStore;
  checks: Checks;
  /** Of this machine's other state, which no tool may see. */
  hidden: string[];
}

export function createInspection(context: InspectionContext) {
  const { git, repository, conventions, code, checks } = context;
  const scratch = join(repository.state.directory, 'cache', 'checks');

  const check = async (request: CheckRequest): Promise<CheckReport> => {
    requireWorkTree(repository);
    const started = performance.now();
    const sandbox: Sandbox = request.unconfined ? { kind: 'none' } : await findSandbox();
    const change = await readChange({ git, repository, scratch }, request.base);
    const report = emptyReport(change);
    if (change.files.length === 0) return { ...report, verdict: 'passed', notes: ['Nothing changed.'] };
    report.review = guardChange(change.files);
    const environment = await findEnvironment(git, repository);
    const inspection = {
      change,
      request,
      report,
      place: placeOf(context, { sandbox, environment, scratch, request, change }),
      copyOf: (side: 'before' | 'after' | { tree: string }) => {
        const sides = { before: change.base.tree, after: change.tree };
        const digest = typeof side === 'string' ? sides[side] : side.tree;
        return copyTree({ git, repository, scratch, sandbox }, digest, environment);
      },
    };
    if (request.unconfined) report.notes.push('Tools ran without a sandbox.');
    if (change.files.some(({ path }) => isLockFile(path)))
      report.notes.push('Packages changed: the base was judged with those installed now.');
    const gates = await chooseGates(conventions, change.files);
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
    nameUnjudged(report, gates, request);
    return conclude(report, performance.now() - started);
  };
  return { check };
}

export type InspectionEngine = ReturnType<typeof createInspection>;

/** Checked when something is to be run: what runs nothing needs no sandbox. */
function requireSandbox(sandbox: Sandbox, { unconfined }: CheckRequest): void {
  if (unconfined || sandbox.kind !== 'none') return;
  throw new SylkError(
    'UNAVAILABLE',
    `The tools of a project run its code, and nothing here confines them. ${sandbox.reason}.`,
    { hint: 'In a repository that you trust, a person can run them as they are: sylk check --unconfined.' },
  );
}

function placeOf(
  { repository, checks, hidden }: InspectionContext,
  {
    sandbox,
    environment,
    scratch,
    request,
    change,
  }: { sandbox: Sandbox; environment: Environment; scratch: string; request: CheckRequest; change: Change },
): RunPlace {
  const caches = join(scratch, 'caches');
  state.makeDirectory(caches);
  const locks = change.files.filter(({ path }) => isLockFile(path)).map(({ after = '' }) => after);
  const stamps = environment.bring.map((path) => `${path} ${state.entry(join(repository.root, path))?.mark}`);
  const gitEntry = state.entry(join(repository.root, '.git'));
  return {
    root: repository.root,
    sandbox,
    bring: [
      ...placesOf(repository.root, environment),
      ...(gitEntry ? [{ from: join(repository.root, '.git'), at: '.git' }] : []),
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
