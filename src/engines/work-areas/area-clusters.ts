import { byCodePoint } from '../../base/code-point-order.ts';
import { isTestPath, splitWords } from '../../base/text/index.ts';
import type { Commit } from './staleness.ts';

/** Parts of several folders that belong together. */
export interface AreaCluster {
  name: string;
  /** Patterns of its files. */
  paths: string[];
  files: string[];
  commits: Commit[];
}

/** A folder of a few files, or one file of a large folder with its tests. */
interface Unit {
  pattern: string;
  folder: string;
  files: string[];
  words: Set<string>;
  commits: Set<Commit>;
}

const limits = {
  folderFiles: 12,
  commits: 3,
  joint: 3,
  /** Of the commits of the quieter one; the same word in both names needs less. */
  share: 0.6,
  shareOfNamesakes: 0.25,
  units: 6,
  /** A word of more units than this is a word of the project, not of an area. */
  commonWord: 6,
};

/**
 * Finds areas that cross folders: parts that change together, or that share a rare word in their names and change together
 * now and then. The surest pair is joined first; a part joins only if it fits every part that is already there.
 */
export function clustersAcross(files: string[], commits: Commit[]): AreaCluster[] {
  const units = unitsOf(files);
  const unitOf = new Map(units.flatMap((unit) => unit.files.map((file) => [file, unit] as const)));
  for (const commit of commits) for (const path of commit.paths) unitOf.get(path)?.commits.add(commit);
  const spread = new Map<string, number>();
  for (const { words } of units) for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);
  const isRare = (word: string) => (spread.get(word) ?? 0) <= limits.commonWord;
  const active = units.filter((unit) => unit.commits.size >= limits.commits);
  const pairs = pairsOf(active, isRare).sort(
    (a, b) => b.share - a.share || byCodePoint(a.one.pattern, b.one.pattern),
  );
  return groupsOf(pairs)
    .filter((group) => new Set([...group].map(({ folder }) => folder)).size > 1)
    .map((group) =>
      clusterOf(
        [...group].sort((a, b) => byCodePoint(a.pattern, b.pattern)),
        isRare,
      ),
    );
}

/** Joins units pair by pair; a unit joins only if it makes a pair with every unit of the group. */
function groupsOf(pairs: Array<{ one: Unit; other: Unit }>): Array<Set<Unit>> {
  const partners = new Map<Unit, Set<Unit>>();
  const pairUp = (one: Unit, other: Unit) => partners.set(one, (partners.get(one) ?? new Set()).add(other));
  for (const { one, other } of pairs) {
    pairUp(one, other);
    pairUp(other, one);
  }
  const groups = new Map<Unit, Set<Unit>>();
  for (const { one, other } of pairs) {
    const [left, right] = [groups.get(one) ?? new Set([one]), groups.get(other) ?? new Set([other])];
    if (left === right || left.size + right.size > limits.units) continue;
    if (![...left].every((a) => [...right].every((b) => partners.get(a)?.has(b)))) continue;
    for (const unit of right) left.add(unit);
    for (const unit of left) groups.set(unit, left);
  }
  return [...new Set(groups.values())];
}

function unitsOf(files: string[]): Unit[] {
  const folders = Map.groupBy(files, (file) => file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  return [...folders].flatMap(([folder, own]): Unit[] => {
    // Files of the root change with everything.
    if (folder === '') return [];
    const isLeaf = ![...folders.keys()].some((other) => other.startsWith(`${folder}/`));
    if (own.length <= limits.folderFiles) return [unitAt(folder, `${folder}/${isLeaf ? '**' : '*'}`, own)];
    const stems = Map.groupBy(own, (file) => file.slice(folder.length + 1).replace(/\..*$/, ''));
    return [...stems].map(([stem, same]) => unitAt(folder, `${folder}/${stem}.*`, same));
  });
}

const unitAt = (folder: string, pattern: string, files: string[]): Unit => ({
  folder,
  pattern,
  files,
  // The folder's own name and the file's say what it is; the folders above are shared by many.
  words: new Set(splitWords(pattern.split('/').slice(-2).join(' ')).filter((word) => word.length > 2)),
  commits: new Set(),
});

function pairsOf(units: Unit[], isRare: (word: string) => boolean) {
  const pairs: Array<{ one: Unit; other: Unit; share: number }> = [];
  for (const [at, one] of units.entries())
    for (const other of units.slice(at + 1)) {
      const joint = [...one.commits].filter((commit) => other.commits.has(commit)).length;
      if (joint === 0 || one.folder === other.folder) continue;
      const areNamesakes = [...one.words].some((word) => other.words.has(word) && isRare(word));
      const share = joint / Math.min(one.commits.size, other.commits.size);
      const least = areNamesakes ? limits.shareOfNamesakes : limits.share;
      // A test changes with what it tests: that alone is no area.
      const isTestPair = [one, other].some(({ files }) => files.every(isTestPath)) && !areNamesakes;
      if (!isTestPair && share >= least && (areNamesakes || joint >= limits.joint))
        pairs.push({ one, other, share: share + (areNamesakes ? 1 : 0) });
    }
  return pairs;
}

function clusterOf(units: Unit[], isRare: (word: string) => boolean): AreaCluster {
  const counts = new Map<string, number>();
  for (const { words } of units) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [shared, times = 0] = [...counts]
    .filter(([word]) => isRare(word))
    .sort((a, b) => b[1] - a[1] || byCodePoint(a[0], b[0]))[0] ?? [''];
  const folders = [...new Set(units.map(({ folder }) => folder.split('/').at(-1) ?? ''))];
  return {
    name: shared && times > 1 ? shared : folders.slice(0, 2).join(' and '),
    paths: units.map(({ pattern }) => pattern),
    files: units.flatMap(({ files }) => files),
    commits: [...new Set(units.flatMap(({ commits }) => [...commits]))],
  };
}
