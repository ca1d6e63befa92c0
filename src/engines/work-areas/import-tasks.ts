import { createHash } from 'node:crypto';
import { reportOf } from '../../base/errors.ts';
import type { Author, Work } from '../../stores/work/index.ts';
import { type ForeignTask, readForeignTasks, type TaskFormat } from './foreign-tasks.ts';

export interface TaskImport {
  text: string;
  format?: TaskFormat | undefined;
  projectId: string;
  /** Finished tasks are skipped unless requested. */
  done: boolean;
  dryRun: boolean;
}

export interface TaskImportReport {
  format: TaskFormat;
  created: Array<{ key: string; id: string; kind: 'feature' | 'task'; title: string }>;
  /** Imported before. */
  known: number;
  finished: number;
  ignored: number;
  problems: Array<{ item: string; message: string }>;
  dryRun: boolean;
}

/** Tasks of another tool. A repeated import adds only new tasks and changes no existing one. */
export async function importTasks(work: Work, by: Author, request: TaskImport): Promise<TaskImportReport> {
  const { format, tasks, ignored, problems } = readForeignTasks(request.text, request.format);
  const wanted = tasks.filter((task) => request.done || task.state !== 'done');
  const report: TaskImportReport = {
    format,
    created: [],
    known: 0,
    finished: tasks.length - wanted.length,
    ignored,
    problems,
    dryRun: request.dryRun,
  };
  const idOf = (key: string) => idFrom(`${request.projectId} ${format} ${key}`);
  const parents = new Set(wanted.filter(({ isParent }) => isParent).map(({ key }) => key));
  const made: ForeignTask[] = [];
  for (const task of [...wanted].sort((left, right) => Number(right.isParent) - Number(left.isParent))) {
    const id = idOf(task.key);
    if (await work.findContainer(id)) report.known++;
    else
      await noting(report, task, async () => {
        if (!request.dryRun) await create(work, by, request, task, id, parents, idOf);
        const kind = task.isParent ? 'feature' : 'task';
        report.created.push({ key: task.key, id, kind, title: task.title });
        made.push(task);
      });
  }
  if (request.dryRun) return report;
  for (const task of made) await link(work, by, task, idOf, report);
  for (const task of made)
    if (!task.isParent) await noting(report, task, () => move(work, by, task, idOf(task.key)));
  return report;
}

async function create(
  work: Work,
  by: Author,
  { projectId }: TaskImport,
  task: ForeignTask,
  id: string,
  parents: Set<string>,
  idOf: (key: string) => string,
): Promise<void> {
  const { title: name, summary, description, priority, complexity, tags, parent } = task;
  const told = { id, name, summary, description, priority, tags };
  if (task.isParent) await work.createContainer(by, { kind: 'feature', ...told, projectId });
  else if (parent && parents.has(parent))
    await work.createContainer(by, { kind: 'task', ...told, complexity, featureId: idOf(parent) });
  else await work.createContainer(by, { kind: 'task', ...told, complexity, projectId });
}

async function link(
  work: Work,
  by: Author,
  task: ForeignTask,
  idOf: (key: string) => string,
  report: TaskImportReport,
): Promise<void> {
  const links = [
    ...task.blockedBy.map((key) => ({ key, type: 'BLOCKS' as const })),
    ...task.relatedTo.map((key) => ({ key, type: 'RELATES_TO' as const })),
  ];
  for (const { key, type } of links) {
    const fromId = idOf(key);
    // Finished or missing blockers block nothing.
    if (!(await work.findContainer(fromId))) continue;
    await noting(report, task, () =>
      work.manageDependency(by, { operation: 'create', fromId, toId: idOf(task.key), type }),
    );
  }
}

/** Its state in the other tool: started, or done. */
async function move(work: Work, by: Author, task: ForeignTask, id: string): Promise<void> {
  const { task: states } = await work.activeWorkflows();
  const target = { open: 0, started: states.indexOf('ACTIVE'), done: states.length - 1 }[task.state];
  for (;;) {
    const current = await work.findContainer(id, 'task');
    if (!current || states.indexOf(current.status ?? '') >= target) return;
    await work.advance(by, { kind: 'task', id, version: current.version });
  }
}

async function noting(
  report: TaskImportReport,
  task: ForeignTask,
  step: () => Promise<unknown>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    report.problems.push({ item: task.key, message: reportOf(error).message });
  }
}

/** The same words give the same UUID. */
function idFrom(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
