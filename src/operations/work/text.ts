import type { ContainerRecord, FeatureRecord, SectionRecord, TaskRecord } from '../../stores/work/index.ts';
import { contextText, type ShownContext } from '../areas/text.ts';

/** Terminal output for work. Ids are shortened to the digits that a person types. */
export const shortId = (id: string): string => id.slice(0, 8);

const isTask = (record: ContainerRecord): record is TaskRecord => 'title' in record;
const isStaged = (record: ContainerRecord): record is TaskRecord | FeatureRecord => 'status' in record;
const nameOf = (record: ContainerRecord): string => (isTask(record) ? record.title : record.name);

export function containerLine(record: ContainerRecord): string {
  const parts = [shortId(record.id)];
  if (isStaged(record)) parts.push(record.status.padEnd(6), record.priority.padEnd(6));
  if (isTask(record)) parts.push(String(record.complexity).padStart(2));
  parts.push(nameOf(record));
  if (isStaged(record) && record.blockedBy.length > 0)
    parts.push(`(blocked by ${record.blockedBy.map(shortId).join(', ')})`);
  if (isTask(record) && record.claim?.live) parts.push(`(claimed by ${record.claim.by})`);
  if (record.tags.length > 0) parts.push(record.tags.map((tag) => `#${tag}`).join(' '));
  return parts.join('  ');
}

export const boardText = (records: ContainerRecord[]): string =>
  records.length === 0 ? 'no results' : records.map(containerLine).join('\n');

interface ShownRecord {
  project?: ContainerRecord | undefined;
  feature?: ContainerRecord | undefined;
  task?: ContainerRecord | undefined;
  features?: FeatureRecord[] | undefined;
  tasks?: TaskRecord[] | undefined;
  sections?: SectionRecord[] | undefined;
  graphContext?: ShownContext | undefined;
  dependencies?: ShownLink[] | undefined;
  dependents?: ShownLink[] | undefined;
  state?: { currentStatus: string; pipelinePosition: string | null; isBlocked: boolean } | undefined;
}

interface ShownLink {
  type: 'BLOCKS' | 'RELATES_TO';
  fromId: string;
  toId: string;
  name?: string | undefined;
}

interface ShownGraph {
  project: string;
  nodes: Array<{
    id: string;
    kind: string;
    name: string;
    status: string;
    priority: string;
    featureId: string | null;
  }>;
  edges: Array<{ from: string; to: string; type: 'BLOCKS' | 'RELATES_TO' }>;
}

export function treeText({ project, nodes, edges }: ShownGraph): string {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const line = ({ id, name, status, priority }: ShownGraph['nodes'][number]): string => {
    const blockers = edges
      .filter(({ to, type }) => to === id && type === 'BLOCKS')
      .map(({ from }) => names.get(from));
    const waits = blockers.length > 0 ? `  (waits for ${blockers.join(', ')})` : '';
    return `${shortId(id)}  ${status.padEnd(6)}  ${priority.padEnd(6)}  ${name}${waits}`;
  };
  const tasksOf = (feature: string | null) =>
    nodes.filter(({ kind, featureId }) => kind === 'task' && featureId === feature);
  return [
    project,
    ...nodes
      .filter(({ kind }) => kind === 'feature')
      .flatMap((feature) => [
        `├─ ${line(feature)}`,
        ...tasksOf(feature.id).map((task) => `│  ├─ ${line(task)}`),
      ]),
    ...tasksOf(null).map((task) => `├─ ${line(task)}`),
  ].join('\n');
}

export function recordText(data: ShownRecord): string {
  const record = data.task ?? data.feature ?? data.project;
  const { state, sections = [], features = [], tasks = [], graphContext } = data;
  return [
    ...(record ? headLines(record) : []),
    ...(state
      ? ['', `${state.currentStatus} (${state.pipelinePosition})${state.isBlocked ? ', blocked' : ''}`]
      : []),
    ...linkLines(data),
    ...sections.flatMap((section) => ['', `## ${section.title}`, section.content ?? '']),
    ...[...features, ...tasks].map(containerLine),
    ...(graphContext ? ['', 'Knowledge about its files:', contextText(graphContext)] : []),
  ].join('\n');
}

const headLines = (record: ContainerRecord): string[] => [
  containerLine(record),
  `id ${record.id}, version ${record.version}, changed by ${record.modifiedBy}`,
  '',
  record.summary,
  ...(record.description === '' ? [] : ['', record.description]),
];

const linkLines = ({ dependencies = [], dependents = [] }: ShownRecord): string[] => [
  ...dependencies.map(
    ({ type, name, fromId }) =>
      `${type === 'BLOCKS' ? 'waits for' : 'relates to'}  ${name ?? shortId(fromId)}`,
  ),
  ...dependents.map(
    ({ type, name, toId }) => `${type === 'BLOCKS' ? 'blocks' : 'relates to'}  ${name ?? shortId(toId)}`,
  ),
];
