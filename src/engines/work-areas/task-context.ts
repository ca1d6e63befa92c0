import type { Areas, PathContext } from '../../stores/areas/index.ts';
import type { TaskRecord, Work } from '../../stores/work/index.ts';
import { contextFilesTitle, extractPaths } from './context-files.ts';

/** What is known about the files that a task names in its Context Files section. */
export async function taskContext(
  stores: { work: Work; areas: Areas },
  task: TaskRecord,
): Promise<PathContext | undefined> {
  if (!task.projectId) return undefined;
  const sections = await stores.work.querySections({
    entityType: 'TASK',
    entityId: task.id,
    includeContent: true,
  });
  const files = sections.filter((section) => section.title.toLowerCase().includes(contextFilesTitle));
  if (files.length === 0) return undefined;
  const paths = extractPaths(files.map((section) => section.content ?? '').join('\n'));
  return stores.areas.pathContext({ projectId: task.projectId, paths, changelogLimit: 5 });
}

/** Said when a task is finished. A reminder; nothing enforces it. */
export const graphHints = {
  message: 'Task completed. Consider updating the knowledge graph.',
  suggestedActions: [
    'Update atom knowledge for areas affected by this task',
    'Update atom paths if files were moved or new directories created',
    'Append changelog entries for significant changes',
  ],
};
