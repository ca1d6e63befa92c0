/**
 * Owns: what work and areas do together: context of a task, hints, deletion of a project, files, suggestions.
 * Knows: the stores of work, areas and history; recall.
 * Must not know: operations, surfaces, engines above it.
 */
import { join, relative } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { Author, TaskRecord, Work } from '../../stores/work/index.ts';
import type { OpenedRecall } from '../recall/index.ts';
import { graphHints, taskContext } from './context-files.ts';
import { coverageOf } from './coverage.ts';
import { exportFiles, importFiles } from './exchange.ts';
import { findArea } from './find-area.ts';
import { importTasks, type TaskImport } from './import-tasks.ts';
import { digestOf, isArea, readDocument, writeDocument } from './knowledge-file.ts';
import { areaTree, board, childrenOf, graph } from './overview.ts';
import { firstProject, projectOrDefault, removeWithAreas } from './projects.ts';
import { searchKnowledge } from './search.ts';
import { staleAtoms, withStaleness } from './staleness.ts';
import { gitHistory, storedHistory } from './stored-history.ts';
import { suggestAreas } from './suggest.ts';

export { taskFormats } from './foreign-tasks.ts';

export interface WorkAreasContext {
  library: Library;
  work: Work;
  areas: Areas;
  git: Git;
  repository: Pick<Repository, 'mainRoot' | 'sharedDirectory' | 'gitDirectory'>;
  history: () => Promise<History>;
  recall: () => Promise<OpenedRecall>;
  /** Id or name from the configuration; '' when none is set. */
  defaultProject: string;
}

export type WorkAreas = ReturnType<typeof createWorkAreas>;

const twoYears = 2 * 365 * 24 * 3600 * 1000;

export function createWorkAreas(context: WorkAreasContext) {
  const { work, areas, library, repository } = context;
  const history = storedHistory(context.history, gitHistory(context.git, repository.gitDirectory));
  const root = repository.mainRoot;
  /** Files go into the working tree; the shared directory may be outside of it. */
  const exchange = (dir: string | undefined) => {
    const knowledgeDirectory = join(repository.sharedDirectory, 'knowledge');
    const inside = relative(root, knowledgeDirectory);
    const outside = dir === undefined && (inside.startsWith('..') || inside === '');
    return {
      parts: {
        work,
        areas,
        marks: library.marks('knowledge'),
        root: outside ? knowledgeDirectory : root,
      },
      directory: outside ? '.' : (dir ?? inside),
    };
  };
  return {
    graphHints,
    taskContext: async (task: TaskRecord) => {
      const known = await taskContext({ work, areas }, task);
      return known && withStaleness(known, history.commitsSince);
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
    suggest: async ({
      projectId,
      limit,
      now,
    }: {
      projectId: string | undefined;
      limit: number;
      now: number;
    }) => {
      const all = { changelogLimit: 0, limit: 10_000, offset: 0 };
      const items = projectId ? (await areas.searchAtoms({ projectId, ...all })).items : [];
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
    projectOrDefault: (given: string | undefined) => projectOrDefault(context, given),
    hasProject: async () => (await work.searchContainers({ kind: 'project', limit: 1, offset: 0 })).total > 0,
    firstProject: (by: Author, name: string) => firstProject(work, by, name),
    removeContainer: (by: Author, request: Parameters<typeof removeWithAreas>[2]) =>
      removeWithAreas(context, by, request),
    areaTree: (projectId: string) => areaTree(areas, projectId),
    graph: (projectId: string) => graph(work, projectId),
    board: (request: Parameters<typeof board>[1]) => board(work, request),
    childrenOf: (kind: 'project' | 'feature', id: string, window: { limit: number; offset: number }) =>
      childrenOf(work, kind, id, window),
    search: (request: Parameters<typeof searchKnowledge>[1]) => searchKnowledge(context, request),
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
    /** A molecule or atom as the text of its file, for editing. */
    areaText: async (kind: 'atom' | 'molecule', id: string) => {
      const document = await areas.areaDocument(kind, id);
      if (!document)
        throw new SylkError('NOT_FOUND', `Unknown ${kind} ${id}.`, {
          hint: 'Run `sylk areas list` to see the areas.',
        });
      return { text: writeDocument(document), version: document.version };
    },
    /** Saves an edited text, if nobody changed the area in the meantime. */
    putAreaText: async (by: Author, request: { text: string; version: number }) => {
      const document = readDocument(request.text);
      if (!isArea(document))
        throw new SylkError('VALIDATION_ERROR', `This is a ${document.kind}, not an area.`, {
          hint: 'Give the text of an atom or a molecule.',
        });
      return library.write(async () => {
        const current = await areas.areaDocument(document.kind, document.id);
        if (!current || current.version !== request.version)
          throw new SylkError('CONFLICT', 'It was changed in the meantime; nothing was written.', {
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
