import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { redact } from '../src/base/redact.ts';
import { type Clone, consecutive, openClone, type Step } from './gates/clone.ts';
import { type Mutation, mutationsOf } from './gates/mutate.ts';
import { createRaw } from './gates/raw.ts';
import type { BenchOptions } from './run-named.ts';
import { call, playTeam, writeAll } from './team/play.ts';

/**
 * `npm run lab -- replay --from CLONE… [--cases N] [--commands FILE]`: consecutive commits of public repositories become tasks of a team
 * with the clone at the parent commit. The engineer makes the true change; or a blind mutation of it first, answered only by the feedback that
 * arrives; or, as controls for the first few mutants of a repository, one that is deaf to feedback or answers it with another mutation. The project's own tools judge. A mutant that
 * passed is tried with the project's own commands (JSON: repository → command lines). Checkouts of the clones are written. What was done is kept
 * in CLONE.replay.jsonl: a later take goes on after it, and the totals are of all takes.
 */
export default async function run(options: BenchOptions): Promise<void> {
  const { from, minutes, cases = '4', seed = '1', commands } = options;
  const deadline = performance.now() + minutes * 60_000;
  const table: Record<string, string[]> = commands ? JSON.parse(readFileSync(commands, 'utf8')) : {};
  const clones = from.map((path) => {
    const clone = openClone(path);
    const head = existsSync(journalOf(path)) ? '' : clone.git(['rev-parse', 'HEAD']);
    if (head) write(path, { head });
    return { clone, path, steps: stepsOf(clone, path) };
  });
  // One commit of each in turn, so that a take that ends early has some of all.
  for (let isLeft = true; isLeft && performance.now() < deadline; ) {
    isLeft = false;
    for (const { clone, path, steps } of clones) {
      if (performance.now() > deadline) break;
      if (read(path).filter(isPlayed).length >= Number(cases)) continue;
      for (let step = steps.shift(); step; step = steps.shift()) {
        const skip = step.skip ?? reasonToSkip(clone, step);
        const record = skip ? { commit: step.commit, skip } : await replayCommit(clone, step, seed, table);
        write(path, record);
        if (skip) continue;
        isLeft = true;
        break;
      }
    }
  }
  report(from.map((path) => ({ path, records: read(path) })));
}

interface Replayed {
  head?: string;
  commit?: string;
  skip?: string;
  truth?: 'passed' | 'refused' | 'unsure';
  isEqual?: boolean;
  asked?: number;
  mutant?: 'inspector' | 'tester' | 'unseen' | 'seen by the project alone';
  isMended?: boolean;
  controls?: boolean[];
  seconds?: number[];
}

const journalOf = (path: string) => `${path.replace(/\/$/, '')}.replay.jsonl`;
const write = (path: string, record: Replayed) =>
  appendFileSync(journalOf(path), `${JSON.stringify(record)}\n`);
const read = (path: string): Replayed[] =>
  readFileSync(journalOf(path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const isPlayed = ({ truth }: Replayed) => truth !== undefined;
const mostControlled = 3;

/** What is left of the history of a clone, from where the first take began. */
function stepsOf(clone: Clone, path: string): Step[] {
  const records = read(path);
  clone.git(['checkout', '-q', '--force', '--detach', records[0]?.head ?? 'HEAD']);
  const known = new Set(records.map(({ commit }) => commit));
  return consecutive(clone, 1000).filter(({ commit }) => !known.has(commit));
}

function reasonToSkip(clone: Clone, { commit, parent, files }: Step): string | undefined {
  const { git } = clone;
  const changes = git(['diff', '--numstat', '--no-renames', '--summary', parent, commit]);
  if (/^ delete mode|^ mode change|^ create mode (?!100644)/m.test(changes))
    return 'deletes or changes modes';
  if (files.some((file) => /(^|\/)\.[^/]+\//.test(file))) return 'changes what a person is asked about';
  if (/^-\t-\t/m.test(changes)) return 'has files that are no text';
  if (files.length > 12) return 'changes more than 12 files';
  // The engineer of this lab writes whole files, and nobody is let write what was cut out of them.
  const hasSecret = files.some((file) => redact(textOf(clone, commit, file)) !== textOf(clone, commit, file));
  return hasSecret ? 'has what looks like a secret' : undefined;
}

async function replayCommit(
  clone: Clone,
  step: Step,
  seed: string,
  table: Record<string, string[]>,
): Promise<Replayed> {
  const { git, name } = clone;
  const { commit, parent, files } = step;
  git(['checkout', '-q', '--force', '--detach', parent]);
  const subject = git(['show', '-s', '--format=%s', commit]);
  const wanted = git(['rev-parse', `${commit}^{tree}`]);
  const contents = new Map(files.map((file) => [file, textOf(clone, commit, file)]));
  const seconds: number[] = [];
  const play = async (legs: Array<Map<string, string>>) => {
    const started = performance.now();
    const view = await playRun(clone, step, { subject, legs, loops: legs.length > 2 ? 1 : 2 });
    seconds.push((performance.now() - started) / 1000);
    return {
      ...view,
      isEqual: view.commit !== undefined && git(['rev-parse', `${view.commit}^{tree}`]) === wanted,
    };
  };
  const { status, isBroken, isEqual, asked, needs_you } = await play([contents]);
  const truth = status === 'completed' ? 'passed' : isBroken ? 'unsure' : 'refused';
  const record: Replayed = { commit, truth, isEqual, asked, seconds };
  console.log(
    `${name} ${commit.slice(0, 10)} ${subject.slice(0, 60)}: true change ${truth}${isEqual ? '' : ', another tree'}${asked ? ', asked about judges' : ''}${truth === 'passed' ? '' : `: ${needs_you[0]?.question.slice(0, 300)}`}`,
  );
  if (truth !== 'passed') return record;
  const [mutation, other] = mutationsOf(clone, step, 2, seed);
  if (!mutation) return record;
  const broken = withMutation(contents, mutation);
  const answer = await play([broken, contents]);
  const { inspector = 0, tester = 0 } = answer.nodes[0]?.loops ?? {};
  const by = inspector > 0 ? 'inspector' : tester > 0 ? 'tester' : undefined;
  record.mutant =
    by ?? (isSeenByProject(clone, step, mutation, table) ? 'seen by the project alone' : 'unseen');
  record.isMended = answer.isEqual;
  console.log(
    `  ${mutation.file}:${mutation.line} ${mutation.before} → ${mutation.after}: ${by ? `caught by the ${by}, ${answer.isEqual ? 'mended to the tree of history' : `ends ${answer.status}`}` : record.mutant}`,
  );
  const controlled = read(clone.path).filter((each) => each.controls !== undefined).length;
  if (!by || controlled >= mostControlled) return record;
  record.controls = [];
  const controls = { deaf: broken, stubborn: other ? withMutation(contents, other) : broken };
  for (const [kind, again] of Object.entries(controls)) {
    const view = await play([broken, again, again, again]);
    const isEnded = view.status !== 'completed' && view.needs_you.length > 0;
    record.controls.push(isEnded);
    console.log(`  ${kind}: ${isEnded ? 'stopped at the limit, a person is asked' : `ends ${view.status}`}`);
  }
  return record;
}

/** Whether a command of the project is green at the true change and red at the mutant. */
function isSeenByProject(
  clone: Clone,
  { commit, parent }: Step,
  { file, text }: Mutation,
  table: Record<string, string[]>,
): boolean {
  const commands = table[clone.name];
  if (!commands) return false;
  const raw = createRaw(clone, commands);
  try {
    return raw.isBroken(commit, clone.commitWith(commit, file, text, parent)).broken;
  } finally {
    raw.close();
  }
}

const textOf = ({ git }: Clone, commit: string, file: string): string =>
  `${git(['show', `${commit}:${file}`])}\n`;

const withMutation = (contents: Map<string, string>, { file, text }: Mutation): Map<string, string> =>
  new Map([...contents, [file, text]]);

function playRun(
  { path, git }: Clone,
  { parent }: Step,
  { subject, legs, loops }: { subject: string; legs: Array<Map<string, string>>; loops: number },
) {
  const known = new Set(git(['ls-tree', '-r', '--name-only', parent]).split('\n'));
  const steps = legs.flatMap((files, leg) => [
    ...writeAll(files, (file) => known.has(file) || leg > 0),
    call('signal_complete', { result: subject }),
  ]);
  return playTeam({
    path,
    start: { task: subject, base: parent, loops },
    conversations: [{ task: subject, steps }],
  });
}

function report(repositories: Array<{ path: string; records: Replayed[] }>): void {
  const all = repositories.flatMap(({ records }) => records);
  for (const { path, records } of [...repositories, { path: 'all', records: all }]) {
    const count = (is: (record: Replayed) => boolean | undefined) => records.filter((one) => is(one)).length;
    const skipped = new Map<string, number>();
    for (const { skip } of records) if (skip) skipped.set(skip, (skipped.get(skip) ?? 0) + 1);
    const seconds = records.flatMap((one) => one.seconds ?? []).sort((left, right) => left - right);
    const controls = records.flatMap((one) => one.controls ?? []);
    console.log(
      [
        `${path}: ${count(isPlayed)} commits; left out: ${[...skipped].map(([why, many]) => `${many} ${why}`).join(', ') || 'none'}`,
        `  true change passed ${count((one) => one.truth === 'passed')}, refused ${count((one) => one.truth === 'refused')}, a tool could not judge ${count((one) => one.truth === 'unsure')}; tree of history ${count((one) => one.truth === 'passed' && one.isEqual)}; with questions about judges ${count((one) => (one.asked ?? 0) > 0)}`,
        `  ${count((one) => one.mutant !== undefined)} mutants: caught by the inspector ${count((one) => one.mutant === 'inspector')}, by the tester ${count((one) => one.mutant === 'tester')}, seen by no tool ${count((one) => one.mutant === 'unseen')}, by the project alone ${count((one) => one.mutant === 'seen by the project alone')}; mended to the tree of history ${count((one) => one.mutant !== 'unseen' && one.isMended && one.mutant !== 'seen by the project alone')}`,
        `  ${controls.length} controls that do not mend: stopped at the limit ${controls.filter(Boolean).length}`,
        `  ${seconds.length} runs, median ${seconds[Math.floor(seconds.length / 2)]?.toFixed(1)} s, slowest ${seconds.at(-1)?.toFixed(1)} s`,
      ].join('\n'),
    );
  }
}
