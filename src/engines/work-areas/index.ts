/**
 * Owns: what work and areas do together: context of a task, hints, deletion of a project, files, suggestions.
 * Knows: the stores of work and areas, and recent history as it is given.
 * Must not know: operations, surfaces, other stores.
 */
import { relative } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { Author, TaskRecord, Work } from '../../stores/work/index.ts';
import { staleAtoms, withStaleness } from './area-context.ts';
import { coverageOf } from './coverage.ts';
import { exportFiles, importFiles } from './exchange.ts';
import { findArea } from './find-area.ts';
import type { RecentHistory } from './git-history.ts';
import { importTasks, type TaskImport } from './import-tasks.ts';
import { digestOf, isArea, readDocument, writeDocument } from './knowledge-file.ts';
import { areaTree, board, childrenOf, graph } from './overview.ts';
import { firstProject, projectOrDefault, removeWithAreas } from './projects.ts';
import { type LikeIt, searchKnowledge } from './search.ts';
import { suggestAreas } from './suggest.ts';
import { graphHints, taskContext } from './task-context.ts';

export { taskFormats } from './foreign-tasks.ts';
export { gitHistory } from './git-history.ts';
export type { LikeIt } from './search.ts';
export { storedHistory } from './stored-history.ts';

export interface WorkAreasParts {
  library: Library;
  work: Work;
  areas: Areas;
  history: RecentHistory;
  /** What means something like the question, best first: refs of work and areas. */
  likeIt?: LikeIt;
  defaultProject: string;
  /** The working tree: files are read and written below it only. */
  root: string;
  /** Where files go when nobody says otherwise. */
  knowledgeDirectory: string;
}

export type WorkAreas = ReturnType<typeof createWorkAreas>;

const twoYears = 2 * 365 * 24 * 3600 * 1000;

export function createWorkAreas(parts: WorkAreasParts) {
  const { work, areas, history } = parts;
  const exchange = (dir: string | undefined) => {
    const inside = relative(parts.root, parts.knowledgeDirectory);
    const outside = dir === undefined && (inside.startsWith('..') || inside === '');
    return {
      parts: {
        work,
        areas,
        marks: parts.library.marks('knowledge'),
        root: outside ? parts.knowledgeDirectory : parts.root,
      },
      directory: outside ? '.' : (dir ?? inside),
    };
  };
  return {
    graphHints,
    taskContext: async (task: TaskRecord) => {
      const context = await taskContext({ work, areas }, task);
      return context && withStaleness(context, history.commitsSince);
    },
    context: async (request: { projectId: string; paths: string[]; changelogLimit: number }) =>
      withStaleness(await areas.pathContext(request), history.commitsSince),
    stale: (request: { projectId: string; limit: number }) =>
      staleAtoms(areas, history.commitsSince, request),
    coverage: async ({ projectId, depth }: { projectId: string; depth: number }) => {
      const { items } = await areas.searchAtoms({ projectId, changelogLimit: 0, limit: 10_000, offset: 0 });
      const stale = await staleAtoms(areas, history.commitsSince, { projectId, limit: 10_000 });
      return coverageOf({
        files: await history.files(),
        atoms: items,
        stale: new Set(stale.map((atom) => atom.id)),
        depth,
      });
    },
    suggest: async ({ projectId, limit, now }: { projectId: string; limit: number; now: number }) => {
      const { items } = await areas.searchAtoms({ projectId, changelogLimit: 0, limit: 10_000, offset: 0 });
      const { createPathIndex } = await import('../../stores/areas/index.ts');
      const index = createPathIndex();
      for (const atom of items) index.set(atom.id, atom.paths);
      const names = new Map(items.map((atom) => [atom.id, atom.name]));
      const since = new Date(now - twoYears).toISOString();
      const { commits } = await history.commitsSince(since).catch(() => ({ commits: [] }));
      return suggestAreas({
        files: await history.files(),
        commits,
        ownersOf: index.match,
        nameOf: (id) => names.get(id) ?? id,
        limit,
      });
    },
    projectOrDefault: (given: string | undefined) => projectOrDefault(parts, given),
    firstProject: (by: Author, name: string) => firstProject(work, by, name),
    removeContainer: (by: Author, request: Parameters<typeof removeWithAreas>[2]) =>
      removeWithAreas(parts, by, request),
    areaTree: (projectId: string) => areaTree(areas, projectId),
    graph: (projectId: string) => graph(work, projectId),
    board: (request: Parameters<typeof board>[1]) => board(work, request),
    childrenOf: (kind: 'project' | 'feature', id: string, window: { limit: number; offset: number }) =>
      childrenOf(work, kind, id, window),
    search: (request: Parameters<typeof searchKnowledge>[1]) =>
      searchKnowledge({ work, areas, likeIt: parts.likeIt }, request),
    importTasks: (by: Author, request: TaskImport) => importTasks(work, by, request),
    exportFiles: (dir?: string) => {
      const { parts: given, directory } = exchange(dir);
      return exportFiles(given, directory);
    },
    importFiles: (by: Author, request: { dir?: string | undefined; dryRun: boolean }) => {
      const { parts: given, directory } = exchange(request.dir);
      return importFiles(given, by, { directory, dryRun: request.dryRun });
    },
    findArea: (given: string, kind?: 'atom' | 'molecule') => findArea(areas, given, kind),
    /** A molecule or atom as the text that its file would have, for editing. */
    areaText: async (kind: 'atom' | 'molecule', id: string) => {
      const document = await areas.areaDocument(kind, id);
      if (!document)
        throw new SylkError('NOT_FOUND', `There is no ${kind} ${id}.`, {
          hint: 'list_areas shows what there is.',
        });
      return { text: writeDocument(document), version: document.version };
    },
    /** Takes an edited text back, if nobody changed the area meanwhile. */
    putAreaText: async (by: Author, request: { text: string; version: number }) => {
      const document = readDocument(request.text);
      if (!isArea(document))
        throw new SylkError('VALIDATION_ERROR', `This is a ${document.kind}, not an area.`, {
          hint: 'Give the text of an atom or a molecule.',
        });
      return parts.library.write(async () => {
        const current = await areas.areaDocument(document.kind, document.id);
        if (!current || current.version !== request.version)
          throw new SylkError('CONFLICT', 'It was changed meanwhile; nothing was written.', {
            hint: 'Read it again and merge.',
            data: { currentVersion: current?.version ?? null },
          });
        const changed = digestOf(document) !== digestOf(current);
        if (changed) await areas.putAreaDocument(by, document);
        return {
          kind: document.kind,
          id: document.id,
          changed,
          version: current.version + (changed ? 1 : 0),
        };
      });
    },
  };
}
