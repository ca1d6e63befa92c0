import { isTestPath, searchWords } from '../../../base/text/index.ts';
import type { HistoryView } from './history-view.ts';
import { isBookkeeping } from './roles.ts';

/** Traits of a file from its name. */
interface FileLook {
  folder: string;
  stem: string;
  ending: string;
  test: boolean;
  bookkeeping: boolean;
  words: string[];
}

/** Copies, builds, and the front page that mentions every feature: no reason to look there after a change. */
const byproduct =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|\.yarn|locale)\/|(?:^|\/)(?:readme[^/]*|go\.mod)$|\.(?:woff2?|ttf|eot|pdf|zip|gz|wasm|min\.js)$/i;

/** A file name without folders, extension and test words: `test_views.py` → `views`. */
function stemOfPath(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const stem = base
    .replace(/(?:\.d)?\.[a-z0-9]+$/, '')
    .replace(/(?:^|[._-])(?:tests?|specs?)(?=[._-]|$)/g, '');
  return stem.replace(/^[._-]+|[._-]+$/g, '');
}

const halfLife = 200;
const kept = new WeakMap<HistoryView, ReturnType<typeof gather>>();

export function fileTraits(view: HistoryView) {
  const found = kept.get(view) ?? gather(view);
  kept.set(view, found);
  return found;
}

/** Facts about all living files, independent of the query; computed once for each state of the index. */
function gather(view: HistoryView) {
  const looks: FileLook[] = [];
  const folders = new Map<string, { words: string[]; paths: number[] }>();
  const folderOf = (name: string) => {
    const folder = folders.get(name) ?? { words: searchWords(name), paths: [] };
    folders.set(name, folder);
    return folder;
  };
  const look = (path: number): FileLook => {
    looks[path] ??= lookAt(view.name(path), (folder) => folderOf(folder).words);
    return looks[path];
  };
  const alive = view.alive();
  const holders = new Map<string, number>();
  for (const path of alive) {
    const { folder, words } = look(path);
    folderOf(folder).paths.push(path);
    for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const [word, count] of holders) weights.set(word, Math.log(1 + alive.length / count));
  const weightOf = (word: string) => weights.get(word) ?? Math.log(1 + alive.length);
  const whole = new Map<FileLook, number>();
  const wholeOf = (file: FileLook) => {
    const sum = whole.get(file) ?? file.words.reduce((all, word) => all + weightOf(word), 0);
    whole.set(file, sum);
    return sum;
  };
  return {
    alive,
    look,
    inFolder: (folder: string) => folders.get(folder)?.paths ?? [],
    /** Words in both paths, weighted by rarity, 0 to 1. */
    likeness: (a: FileLook, b: FileLook) => {
      let shared = 0;
      for (const word of a.words) if (b.words.includes(word)) shared += weightOf(word);
      return shared === 0 ? 0 : shared / (wholeOf(a) + wholeOf(b) - shared);
    },
    /** How much each file changes these days, by path. */
    activity: activityOf(view),
  };
}

function lookAt(path: string, folderWords: (folder: string) => string[]): FileLook {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, slash));
  const base = path.slice(slash + 1);
  return {
    folder,
    stem: stemOfPath(path),
    ending: /\.([A-Za-z0-9]+)$/.exec(base)?.[1] ?? '',
    test: isTestPath(path),
    bookkeeping: isBookkeeping(path) || byproduct.test(path),
    words: [...new Set([...folderWords(folder), ...searchWords(base.replace(/\.[A-Za-z0-9]+$/, ''))])],
  };
}

/**
 * Every commit is shared by the files it touched, and its weight halves every so many commits. In history
 * order, so that sums are the same however the index was built.
 */
function activityOf(view: HistoryView): Float64Array {
  const activity = new Float64Array(view.stored.homes.size);
  const { positions, commits } = view.stored;
  const first = Math.max(0, commits - 12 * halfLife);
  const newest = new Int32Array(commits - first);
  for (const [id, place] of positions.entries()) if (place >= first) newest[place - first] = id;
  for (const [at, id] of newest.entries()) {
    const size = view.facts.size(id);
    if (size === 0 || size > view.settings.bulkCap) continue;
    const weight = 0.5 ** ((newest.length - 1 - at) / halfLife) / Math.sqrt(size);
    view.eachFile(id, (path) => {
      activity[path] = (activity[path] ?? 0) + weight;
    });
  }
  return activity;
}
