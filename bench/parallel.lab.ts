import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { openApp } from '../src/app.ts';
import { runOperation } from '../src/operations/run.ts';
import { type Clone, consecutive, openClone, type Step } from './gates/clone.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * `npm run lab -- parallel --from CLONE… [--cases PAIRS]`: pairs of neighbouring commits as two nodes of one plan, with the clone at the parent
 * of the earlier one. Truth: whether `git merge-tree` joins both changes without a conflict. Predictions: that a plan keeps the two apart, from the words
 * alone and where the plan names one true file of each; beside them, that both texts name the same file, and that files which change together meet.
 * Checkouts of the clones are written; CLONE.pairs.jsonl keeps what was done.
 */
export default async function run({ from, minutes, cases = '200' }: BenchOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const each = Math.ceil(Number(cases) / from.length);
  for (const path of from) {
    const clone = openClone(path);
    const journal = journalOf(path);
    const head = read(journal)[0]?.head ?? clone.git(['rev-parse', 'HEAD']);
    if (!existsSync(journal)) appendFileSync(journal, `${JSON.stringify({ head })}\n`);
    clone.git(['checkout', '-q', '--force', '--detach', head]);
    const steps = consecutive(clone, 1000).filter(({ skip }) => skip === undefined);
    const known = new Set(read(journal).map(({ base }) => base));
    // Newest first in the list: the later ones of a pair stand before the earlier one.
    for (let at = furthest; at < steps.length; at++) {
      const earlier = steps[at];
      if (!earlier || known.has(earlier.parent)) continue;
      if (performance.now() > deadline || read(journal).filter(isPair).length >= each) break;
      const pairs = await pairsOf(clone, earlier, steps.slice(at - furthest, at).toReversed());
      appendFileSync(journal, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
    }
    clone.git(['checkout', '-q', '--force', '--detach', head]);
  }
  report(from.flatMap((path) => read(journalOf(path))));
}

const furthest = 8;

interface Pair {
  head?: string;
  base?: string;
  skip?: string;
  isConflict?: boolean;
  isSameFile?: boolean;
  /** The greatest probability that a plan has for one file of both, by what it was made from. */
  words?: number;
  oneFile?: number;
  named?: boolean;
  cochange?: boolean;
}

const journalOf = (path: string) => `${path.replace(/\/$/, '')}.pairs.jsonl`;
const read = (journal: string): Pair[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
const isPair = ({ isConflict }: Pair) => isConflict !== undefined;

async function pairsOf(clone: Clone, earlier: Step, others: Step[]): Promise<Pair[]> {
  const base = earlier.parent;
  clone.git(['checkout', '-q', '--force', '--detach', base]);
  const app = openApp({ directory: clone.path });
  try {
    const pairs: Pair[] = [];
    for (const later of others) {
      const isConflict = conflictOf(clone, earlier, later);
      if (isConflict === undefined) {
        pairs.push({ base, skip: 'the earlier one can not be taken out' });
        continue;
      }
      const texts = [earlier, later].map((step) => clone.git(['show', '-s', '--format=%B', step.commit]));
      const plan = (touches: string[][]) => touchesOf(app, texts, touches);
      const [words, oneFile] = [
        await plan([[], []]),
        await plan([[mainFile(clone, earlier)], [mainFile(clone, later)]]),
      ];
      pairs.push({
        base,
        isConflict,
        isSameFile: earlier.files.some((file) => later.files.includes(file)),
        words: words.meet,
        oneFile: oneFile.meet,
        named: meets(...(texts.map((text) => namedIn(clone, base, text)) as [string[], string[]])),
        cochange: oneFile.byCochange,
      });
    }
    return pairs.length > 0 ? pairs : [{ base, skip: 'no later one' }];
  } finally {
    await app.close();
  }
}

const meets = (left: string[], right: string[]) => left.some((path) => right.includes(path));

/**
 * Whether both changes, made at one base, can be joined: at what the later one was made from, without the earlier one. Undefined where the
 * earlier one can't be taken out of it.
 */
function conflictOf({ git }: Clone, earlier: Step, later: Step): boolean | undefined {
  const commitOf = (name: string, ...parents: string[]) =>
    git(['commit-tree', `${name}^{tree}`, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'pair']);
  const join = (base: string, left: string, right: string): string | undefined => {
    const root = commitOf(base);
    try {
      const sides = [commitOf(left, root), commitOf(right, root)];
      return git(['merge-tree', '--write-tree', ...sides]).split('\n')[0];
    } catch {
      return undefined; // A conflict: git says so by its exit code.
    }
  };
  const without = join(earlier.commit, earlier.parent, later.parent);
  return without === undefined ? undefined : join(later.parent, without, later.commit) === undefined;
}

/** The file of a commit with the most changed lines that was there before. */
function mainFile({ git }: Clone, { parent, commit, files }: Step): string {
  const rows = git(['diff', '--numstat', '--no-renames', parent, commit])
    .split('\n')
    .map((line) => line.split('\t'))
    .sort((left, right) => Number(right[0]) + Number(right[1]) - Number(left[0]) - Number(left[1]));
  return rows[0]?.[2] ?? files[0] ?? '';
}

/** Files of the base whose path or whole name stands in a text. */
function namedIn({ git }: Clone, base: string, text: string): string[] {
  const words = new Set(text.split(/[\s`'"(),:;]+/));
  return git(['ls-tree', '-r', '--name-only', base])
    .split('\n')
    .filter((path) => words.has(path) || words.has(path.split('/').at(-1) ?? path));
}

async function touchesOf(app: ReturnType<typeof openApp>, texts: string[], named: string[][]) {
  const nodes = texts.map((prompt, at) => ({
    id: `node${at}`,
    agent: 'engineer',
    prompt,
    touches: named[at],
  }));
  const outcome = await runOperation(app, {
    name: 'check_plan',
    input: { text: JSON.stringify({ prompt: 'Both', nodes }) },
    caller: { kind: 'person', name: 'lab' },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { touches } = outcome.output as {
    touches: Array<{ node: string; path: string; probability: number; why: string }>;
  };
  const of = (node: string, at: number, isWanted: (why: string) => boolean) =>
    new Map([
      ...touches
        .filter((touch) => touch.node === node && isWanted(touch.why))
        .map(({ path, probability }) => [path, probability] as const),
      ...(named[at] ?? []).map((path) => [path, 1] as const),
    ]);
  const meet = (isWanted: (why: string) => boolean) => {
    const [left, right] = [of('node0', 0, isWanted), of('node1', 1, isWanted)];
    return Math.max(0, ...[...left].map(([path, probability]) => probability * (right.get(path) ?? 0)));
  };
  return { meet: meet(() => true), byCochange: meet((why) => why.startsWith('changed in ')) >= 0.5 };
}

function report(all: Pair[]): void {
  const pairs = all.filter(isPair);
  const conflicts = pairs.filter(({ isConflict }) => isConflict).length;
  const skipped = all.filter(({ skip }) => skip?.startsWith('the earlier')).length;
  console.log(
    `${pairs.length} pairs of ${new Set(pairs.map(({ base }) => base)).size} bases: ${conflicts} conflicts, ${pairs.filter(({ isSameFile }) => isSameFile).length} change one file; left out ${skipped} whose earlier commit can not be taken out alone`,
  );
  const predictions: Array<[string, (pair: Pair) => boolean]> = [
    ['kept apart, from the words alone (0.5)', ({ words = 0 }) => words >= 0.5],
    ['likely at 0.1, from the words alone', ({ words = 0 }) => words >= 0.1],
    ['kept apart, one true file of each named (0.5)', ({ oneFile = 0 }) => oneFile >= 0.5],
    ['likely at 0.2, one true file of each named', ({ oneFile = 0 }) => oneFile >= 0.2],
    ['both texts name one file', ({ named = false }) => named],
    ['co-change alone, one true file of each named', ({ cochange = false }) => cochange],
  ];
  for (const [name, isPredicted] of predictions) {
    const predicted = pairs.filter(isPredicted);
    const right = predicted.filter(({ isConflict }) => isConflict).length;
    console.log(
      `  ${name}: ${predicted.length}, of them conflicts ${right} (precision ${(right / Math.max(1, predicted.length)).toFixed(2)}, recall ${(right / Math.max(1, conflicts)).toFixed(2)})`,
    );
  }
}
