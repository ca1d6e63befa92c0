import { byCodePoint } from '../../base/code-point-order.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { FeatureRecord, ProjectRecord, TaskRecord, Work } from '../../stores/work/index.ts';

const most = 500;

/** A project's features and tasks with what links them, in the order of creation. */
export async function graph(work: Work, projectId: string) {
  const project = (await work.getContainer('project', projectId)) as ProjectRecord;
  const children = async <T extends FeatureRecord | TaskRecord>(kind: 'feature' | 'task') =>
    ((await work.searchContainers({ kind, projectId, limit: most, offset: 0 })).items as T[]).sort((a, b) =>
      byCodePoint(a.createdAt, b.createdAt),
    );
  const features = await children<FeatureRecord>('feature');
  const tasks = await children<TaskRecord>('task');
  const records = [...features, ...tasks];
  const ids = new Set(records.map(({ id }) => id));
  const nodes = records.map((record) => ({
    id: record.id,
    kind: 'title' in record ? ('task' as const) : ('feature' as const),
    name: 'title' in record ? record.title : record.name,
    status: record.status,
    priority: record.priority,
    featureId: 'title' in record ? record.featureId : null,
    blocked: record.blockedBy.length > 0,
    claimedBy: 'title' in record && record.claim?.live ? record.claim.by : null,
  }));
  const edges = records.flatMap(({ id, blockedBy, relatedTo }) => [
    ...blockedBy.filter((from) => ids.has(from)).map((from) => ({ from, to: id, type: 'BLOCKS' as const })),
    ...relatedTo
      .filter((to) => ids.has(to) && id < to)
      .map((to) => ({ from: id, to, type: 'RELATES_TO' as const })),
  ]);
  return { project: project.name, nodes, edges };
}

export interface BoardColumn {
  status: string;
  total: number;
  tasks: TaskRecord[];
}

const rank = { HIGH: 1, MEDIUM: 2, LOW: 3 };

/** One column per state of the task workflow, each in work order. */
export async function board(
  work: Work,
  { projectId, limit }: { projectId?: string | undefined; limit: number },
): Promise<BoardColumn[]> {
  const { task } = await work.activeWorkflows();
  const columns: BoardColumn[] = [];
  for (const status of task) {
    const found = await work.searchContainers({
      kind: 'task',
      status: [status],
      projectId,
      limit: most,
      offset: 0,
    });
    const tasks = (found.items as TaskRecord[]).sort(
      (a, b) =>
        rank[a.priority] - rank[b.priority] ||
        a.complexity - b.complexity ||
        byCodePoint(a.createdAt, b.createdAt),
    );
    columns.push({ status, total: found.total, tasks: tasks.slice(0, limit) });
  }
  return columns;
}

export async function childrenOf(
  work: Work,
  kind: 'project' | 'feature',
  id: string,
  window: { limit: number; offset: number },
): Promise<{ features?: FeatureRecord[]; tasks?: TaskRecord[] }> {
  if (kind === 'feature')
    return {
      tasks: (await work.searchContainers({ kind: 'task', featureId: id, ...window })).items as TaskRecord[],
    };
  return {
    features: (await work.searchContainers({ kind: 'feature', projectId: id, ...window }))
      .items as FeatureRecord[],
  };
}

/** Molecules by name, each followed by its atoms; then the atoms without a molecule. */
export async function areaTree(areas: Areas, projectId: string) {
  const all = { projectId, changelogLimit: 0, limit: 10_000, offset: 0 };
  const atoms = (await areas.searchAtoms(all)).items.map(({ id, name, moleculeId, paths, version }) => ({
    kind: 'atom' as const,
    id,
    name,
    moleculeId,
    paths,
    version,
  }));
  const molecules = (await areas.searchMolecules(all)).items.map(({ id, name, version }) => ({
    kind: 'molecule' as const,
    id,
    name,
    moleculeId: null,
    paths: [] as string[],
    version,
  }));
  return [
    ...molecules.flatMap((one) => [one, ...atoms.filter(({ moleculeId }) => moleculeId === one.id)]),
    ...atoms.filter(({ moleculeId }) => moleculeId === null),
  ];
}
