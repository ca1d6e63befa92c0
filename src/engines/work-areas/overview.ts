import { byCodePoint } from '../../base/code-point-order.ts';
import type { FeatureRecord, ProjectRecord, TaskRecord, Work } from '../../stores/work/index.ts';

const most = 500;

/** A project with its features and tasks, in the order of work. */
export async function tree(
  work: Work,
  projectId: string,
): Promise<{ project: ProjectRecord; features: FeatureRecord[]; tasks: TaskRecord[] }> {
  const project = (await work.getContainer('project', projectId)) as ProjectRecord;
  const children = async <T>(kind: 'feature' | 'task') =>
    (await work.searchContainers({ kind, projectId, limit: most, offset: 0 })).items as T[];
  const features = await children<FeatureRecord>('feature');
  const tasks = await children<TaskRecord>('task');
  return {
    project,
    features: features.sort((a, b) => byCodePoint(a.createdAt, b.createdAt)),
    tasks: tasks.sort((a, b) => byCodePoint(a.createdAt, b.createdAt)),
  };
}

export interface BoardColumn {
  status: string;
  total: number;
  tasks: TaskRecord[];
}

const rank = { HIGH: 1, MEDIUM: 2, LOW: 3 };

/** One column a state of the task pipeline, each in the order of work. */
export async function board(
  work: Work,
  { projectId, limit }: { projectId?: string | undefined; limit: number },
): Promise<BoardColumn[]> {
  const { task } = await work.pipelinesInForce();
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
