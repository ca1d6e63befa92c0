import { byCodePoint } from '../../base/code-point-order.ts';
import { type AtomRecord, createPathIndex } from '../../stores/areas/index.ts';

export interface CoveredFolder {
  /** '' is the root. */
  path: string;
  files: number;
  covered: number;
  /** Files covered by stale areas only. */
  stale: number;
  /** Ids of the areas that cover some of its files. */
  areas: string[];
}

/** For every folder down to `depth`: how many of its files, at any depth, are covered by an area. */
export function coverageOf(request: {
  files: string[];
  atoms: AtomRecord[];
  stale: ReadonlySet<string>;
  depth: number;
}): CoveredFolder[] {
  const index = createPathIndex();
  for (const atom of request.atoms) index.set(atom.id, atom.paths);
  const folders = new Map<string, CoveredFolder & { known: Set<string> }>();
  for (const file of request.files) {
    const owners = index.match(file);
    const segments = file.split('/').slice(0, -1);
    for (let length = 0; length <= Math.min(segments.length, request.depth); length++) {
      const path = segments.slice(0, length).join('/');
      let folder = folders.get(path);
      if (!folder) {
        folder = { path, files: 0, covered: 0, stale: 0, areas: [], known: new Set() };
        folders.set(path, folder);
      }
      folder.files++;
      if (owners.length > 0) folder.covered++;
      if (owners.length > 0 && owners.every((id) => request.stale.has(id))) folder.stale++;
      for (const id of owners) folder.known.add(id);
    }
  }
  return [...folders.values()]
    .map(({ known, ...folder }) => ({ ...folder, areas: [...known] }))
    .sort((a, b) => byCodePoint(a.path, b.path));
}
