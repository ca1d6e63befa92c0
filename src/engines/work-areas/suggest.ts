import { byCodePoint } from '../../base/code-point-order.ts';
import { clustersAcross } from './area-clusters.ts';
import type { Commit } from './staleness.ts';

export interface SuggestRequest {
  files: string[];
  commits: Commit[];
  ownersOf(path: string): string[];
  nameOf(atom: string): string;
  limit: number;
}

const limits = { commitPaths: 40, folderFiles: 3, joint: 3, largestShare: 0.5 };

/**
 * Proposes areas where knowledge is missing: parts of several folders that belong together, then folders of the other
 * uncovered files, joined if history shows that they change together. Commits that touch very many files are ignored.
 */
export function suggestAreas(request: SuggestRequest) {
  const uncovered = request.files.filter((path) => request.ownersOf(path).length === 0);
  const telling = request.commits.filter(({ paths }) => paths.length <= limits.commitPaths);
  const clusters = clustersAcross(uncovered, telling);
  const clustered = new Set(clusters.flatMap(({ files }) => files));
  const folders = foldersOf(uncovered.filter((path) => !clustered.has(path)));
  const touched = new Map<string, number>();
  const joint = new Map<string, Map<string, number>>();
  const owners = new Map<string, Map<string, number>>();
  for (const commit of telling) {
    const inFolders = new Set(
      commit.paths
        .filter((path) => !clustered.has(path))
        .map((path) => folderOf(path, folders))
        .filter((folder) => folder !== undefined),
    );
    const atoms = new Set(commit.paths.flatMap(request.ownersOf));
    for (const folder of inFolders) {
      touched.set(folder, (touched.get(folder) ?? 0) + 1);
      for (const other of inFolders) if (other !== folder) count(joint, folder, other);
      for (const atom of atoms) count(owners, folder, atom);
    }
  }
  const suggestions = clusters.map(({ name, paths, files, commits }) => {
    const related = new Map<string, number>();
    for (const atom of commits.flatMap((commit) => [...new Set(commit.paths.flatMap(request.ownersOf))]))
      related.set(atom, (related.get(atom) ?? 0) + 1);
    return {
      name: titleOf(name),
      paths,
      files: files.length,
      commits: commits.length,
      changesWith: [] as Array<{ folder: string; commits: number }>,
      relatedAtoms: relatedOf(related, request),
      reason: reasonOf(files.length, commits.length, paths.length),
      score: scoreOf(files.length, commits.length),
    };
  });
  const used = new Set<string>();
  const ranked = [...folders.keys()].sort(
    (a, b) =>
      (touched.get(b) ?? 0) - (touched.get(a) ?? 0) ||
      (folders.get(b) ?? 0) - (folders.get(a) ?? 0) ||
      byCodePoint(a, b),
  );
  for (const folder of ranked) {
    if (used.has(folder)) continue;
    const mates = strongest(joint.get(folder)).filter(
      ([other, shared]) =>
        !used.has(other) &&
        shared >= limits.joint &&
        shared / Math.max(touched.get(folder) ?? 1, touched.get(other) ?? 1) >= limits.largestShare,
    );
    const members = [folder, ...mates.map(([other]) => other)].slice(0, 10);
    for (const member of members) used.add(member);
    const files = members.reduce((sum, member) => sum + (folders.get(member) ?? 0), 0);
    const commits = touched.get(folder) ?? 0;
    suggestions.push({
      name: titleOf(folder),
      paths: members.map((member) => (member === '' ? '*' : `${member}/**`)),
      files,
      commits,
      changesWith: strongest(joint.get(folder))
        .slice(0, 5)
        .map(([other, shared]) => ({ folder: other, commits: shared })),
      relatedAtoms: relatedOf(owners.get(folder), request),
      reason: reasonOf(files, commits, members.length),
      score: scoreOf(files, commits),
    });
  }
  return suggestions
    .sort((a, b) => b.score - a.score || byCodePoint(a.paths[0] ?? '', b.paths[0] ?? ''))
    .slice(0, request.limit);
}

const scoreOf = (files: number, commits: number): number =>
  Math.round((Math.log1p(commits) * 2 + Math.log1p(files)) * 100) / 100;

const relatedOf = (commits: Map<string, number> | undefined, { nameOf }: SuggestRequest) =>
  strongest(commits)
    .slice(0, 5)
    .map(([atom, shared]) => ({ atomId: atom, name: nameOf(atom), commits: shared }));

/** The deepest folders that still contain a few files; smaller ones count for their parent. */
function foldersOf(files: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = parentOf(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const folder of [...counts.keys()].sort((a, b) => b.split('/').length - a.split('/').length)) {
    const size = counts.get(folder) ?? 0;
    if (size >= limits.folderFiles || folder === '') continue;
    counts.delete(folder);
    const parent = parentOf(folder);
    if (parent !== '') counts.set(parent, (counts.get(parent) ?? 0) + size);
  }
  for (const [folder, size] of counts) if (size < limits.folderFiles) counts.delete(folder);
  return counts;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function folderOf(path: string, folders: Map<string, number>): string | undefined {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder))
    if (folders.has(folder)) return folder;
  return folders.has('') && !path.includes('/') ? '' : undefined;
}

function count(table: Map<string, Map<string, number>>, row: string, column: string): void {
  const cells = table.get(row) ?? new Map<string, number>();
  cells.set(column, (cells.get(column) ?? 0) + 1);
  table.set(row, cells);
}

const strongest = (cells: Map<string, number> | undefined): Array<[string, number]> =>
  [...(cells ?? [])].sort((a, b) => b[1] - a[1] || byCodePoint(a[0], b[0]));

const titleOf = (folder: string): string =>
  folder === ''
    ? 'Root files'
    : folder
        .split('/')
        .slice(-2)
        .map((part) => part.replace(/[-_.]+/g, ' ').trim())
        .filter(Boolean)
        .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
        .join(' / ');

const reasonOf = (files: number, commits: number, folders: number): string =>
  `${files} file(s) that no area covers, touched by ${commits} recent commit(s)${folders > 1 ? `; ${folders} folders that change together` : ''}`;
