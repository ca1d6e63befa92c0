import { SylkError } from '../../base/errors.ts';
import { type ContainerKind, entityTypeOf } from './container.ts';
import type { Author, WorkContext } from './context.ts';
import { createContainer, type NewContainer } from './ingest.ts';
import { manageDependency } from './links.ts';
import { addSections, type NewSection } from './sections.ts';
import { applyTemplate, isSameTitle } from './templates.ts';

export interface TreeNode extends Omit<NewContainer, 'kind' | 'projectId' | 'featureId'> {
  /** The caller's own name for it, used in blockedBy and dependencies of the same call. */
  ref?: string | undefined;
  sections?: NewSection[] | undefined;
  /** Id or name of a template whose sections are added first. */
  template?: string | undefined;
  /** Refs of this call, or ids of existing tasks and features. */
  blockedBy?: string[] | undefined;
}

export interface WorkTree {
  /** An existing project, or a new one. */
  projectId?: string | undefined;
  project?: TreeNode | undefined;
  features?: Array<TreeNode & { tasks?: TreeNode[] | undefined }> | undefined;
  /** Tasks without a feature of this call; `featureId` adds them to an existing one. */
  tasks?: Array<TreeNode & { featureId?: string | undefined }> | undefined;
  dependencies?: Array<{ from: string; to: string; type: 'BLOCKS' | 'RELATES_TO' }> | undefined;
}

export interface PlantedNode {
  ref: string | null;
  id: string;
  kind: ContainerKind;
  name: string;
}

const maxNodes = 500;

/** A whole plan in one transaction: all or nothing. */
export async function plantTree(context: WorkContext, by: Author, tree: WorkTree): Promise<PlantedNode[]> {
  const features = tree.features ?? [];
  const loose = tree.tasks ?? [];
  const size = features.reduce((sum, feature) => sum + 1 + (feature.tasks?.length ?? 0), loose.length);
  if (size === 0 && !tree.project)
    throw new SylkError('VALIDATION_ERROR', 'The plan is empty.', {
      hint: 'Give project, features or tasks.',
    });
  if (size > maxNodes)
    throw new SylkError('VALIDATION_ERROR', `The plan has ${size} nodes; the limit is ${maxNodes}.`, {
      hint: 'Create it in several calls.',
    });
  if (tree.project && tree.projectId)
    throw new SylkError('VALIDATION_ERROR', 'Both project and projectId were given.', {
      hint: 'Give projectId for an existing project, project for a new one.',
    });
  return context.library.write(async () => {
    const planted: PlantedNode[] = [];
    const ids = new Map<string, string>();
    const edges: Array<{ from: string; to: string; type: 'BLOCKS' | 'RELATES_TO' }> = [];
    const plant = async (node: TreeNode, home: Pick<NewContainer, 'kind' | 'projectId' | 'featureId'>) => {
      const record = await createContainer(context, by, { ...node, ...home });
      if (node.ref !== undefined) {
        if (ids.has(node.ref)) throw twice(node.ref);
        ids.set(node.ref, record.id);
      }
      const target = { entityType: entityTypeOf[home.kind], entityId: record.id };
      const own = node.sections ?? [];
      const filled = node.template
        ? await applyTemplate(context, by, { ...target, templateId: node.template, own })
        : [];
      const further = own.filter((section) => !filled.some((each) => isSameTitle(each, section)));
      if (further.length > 0) await addSections(context, by, target, further);
      for (const blocker of node.blockedBy ?? [])
        edges.push({ from: blocker, to: record.id, type: 'BLOCKS' });
      planted.push({ ref: node.ref ?? null, id: record.id, kind: home.kind, name: node.name });
      return record.id;
    };
    const projectId = tree.project ? await plant(tree.project, { kind: 'project' }) : tree.projectId;
    for (const { tasks, ...feature } of features) {
      const featureId = await plant(feature, { kind: 'feature', projectId });
      for (const task of tasks ?? []) await plant(task, { kind: 'task', featureId });
    }
    for (const { featureId, ...task } of loose)
      await plant(task, featureId ? { kind: 'task', featureId } : { kind: 'task', projectId });
    for (const { from, to, type } of [...edges, ...(tree.dependencies ?? [])])
      await manageDependency(context, by, {
        operation: 'create',
        fromId: ids.get(from) ?? from,
        toId: ids.get(to) ?? to,
        type,
      });
    return planted;
  });
}

const twice = (ref: string) =>
  new SylkError('VALIDATION_ERROR', `The ref ${JSON.stringify(ref)} is used twice.`, {
    hint: 'Every ref of one call must be unique.',
  });
