import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { type ContainerKind, containerKinds, entityTypeOf, type Priority } from './container.ts';
import {
  type Author,
  all,
  findContainer,
  note,
  nowOf,
  requireContainer,
  type StoredContainer,
  tablesOf,
  type WorkContext,
} from './context.ts';
import {
  contentText,
  descriptionText,
  nameText,
  priorityName,
  priorityRank,
  reasonText,
  summaryText,
  tagList,
} from './fields.ts';
import { nameField, putTags } from './ingest.ts';
import { addBlockers, blockersOf, relatedOf } from './links.ts';
import { recordsOf, type StoredSection, sectionOf } from './rows.ts';
import { rowsOf } from './sections.ts';
import { exitState, type StagedKind } from './workflow-states.ts';
import { activeWorkflows, lockWorkflows } from './workflows.ts';

/** A container with everything that belongs to it, as exported to files. */
export interface WorkDocument {
  kind: ContainerKind;
  id: string;
  name: string;
  projectId: string | null;
  featureId: string | null;
  status: string | null;
  priority: Priority | null;
  complexity: number | null;
  summary: string;
  description: string;
  tags: string[];
  blockedBy: string[];
  blockedReason: string | null;
  relatedTo: string[];
  version: number;
  createdAt: string;
  modifiedAt: string;
  modifiedBy: string;
  sections: DocumentSection[];
}

type DocumentSection = Omit<StoredSection, 'entityType' | 'entityId'>;

/** Projects, then features, then tasks, each by age: the order in which they can be imported. */
export async function workDocuments(context: WorkContext): Promise<WorkDocument[]> {
  const documents: WorkDocument[] = [];
  for (const kind of containerKinds) {
    const rows = sql<StoredContainer>`SELECT * FROM work_containers WHERE kind = ${kind} ORDER BY created_at, seq`;
    for (const row of await all(context, rows)) documents.push(await documentOf(context, row));
  }
  return documents;
}

export async function workDocument(context: WorkContext, id: string): Promise<WorkDocument | undefined> {
  const row = await findContainer(context, id);
  return row && documentOf(context, row);
}

async function documentOf(context: WorkContext, row: StoredContainer): Promise<WorkDocument> {
  const [record] = await recordsOf(context, [row]);
  return {
    kind: row.kind,
    id: row.id,
    name: row.name,
    projectId: row.project_id,
    featureId: row.feature_id,
    status: row.status,
    priority: row.priority === null ? null : priorityName(row.priority),
    complexity: row.complexity,
    summary: row.summary,
    description: row.description,
    tags: record?.tags ?? [],
    blockedBy: await blockersOf(context, row.id),
    blockedReason: row.blocked_reason,
    relatedTo: await relatedOf(context, row.id),
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    modifiedBy: row.modified_by,
    sections: (await rowsOf(context, row.id)).map((section) => {
      const { entityType: _type, entityId: _id, ...rest } = sectionOf(section);
      return rest;
    }),
  };
}

/**
 * Imports a document. A new one keeps its version and times, so that it exports byte for byte; an existing
 * one gets its next version. Links follow in `linkDocument`, when both ends exist.
 */
export async function putDocument(context: WorkContext, by: Author, given: WorkDocument): Promise<void> {
  await context.library.write(async () => {
    const clean = await checkDocument(context, given);
    const before = await findContainer(context, given.id);
    if (before && before.kind !== given.kind)
      throw new SylkError('CONFLICT', `${given.id} is a ${before.kind} here, not a ${given.kind}.`, {
        hint: 'Give the file another id.',
      });
    const values = {
      name: clean.name,
      summary: clean.summary,
      description: clean.description,
      project_id: clean.projectId,
      feature_id: clean.featureId,
      status: clean.status,
      priority: clean.priority === null ? null : priorityRank(clean.priority),
      complexity: clean.complexity,
      version: before ? before.version + 1 : clean.version,
      modified_at: before ? nowOf(context) : clean.modifiedAt,
      modified_by: before ? by.actor : clean.modifiedBy,
    };
    const tables = tablesOf(context);
    if (before) await tables.updateTable('work_containers').set(values).where('id', '=', given.id).execute();
    else
      await tables
        .insertInto('work_containers')
        .values({
          ...values,
          id: given.id,
          kind: given.kind,
          blockers: 0,
          blocked_reason: null,
          claimed_by: null,
          claim_token: null,
          claim_expires_at: null,
          held_by: null,
          created_at: clean.createdAt,
        })
        .execute();
    const row = await requireContainer(context, given.id);
    await putTags(context, row, clean.tags, { replace: true });
    await putSections(context, row, clean.sections);
    await note(context, by, 'import', row, { version: row.version });
  });
}

async function putSections(
  context: WorkContext,
  row: StoredContainer,
  sections: DocumentSection[],
): Promise<void> {
  const tables = tablesOf(context);
  const before = new Map((await rowsOf(context, row.id)).map((section) => [section.id, section]));
  await tables.deleteFrom('work_sections').where('entity_id', '=', row.id).execute();
  for (const section of sections) {
    const old = before.get(section.id);
    const same =
      old &&
      JSON.stringify(withoutTimes(sectionOf(old))) ===
        JSON.stringify(withoutTimes({ ...sectionOf(old), ...section }));
    const stored = {
      id: section.id,
      entity_type: entityTypeOf[row.kind],
      entity_id: row.id,
      title: section.title,
      usage_description: section.usageDescription,
      content: section.content,
      content_format: section.contentFormat,
      ordinal: section.ordinal,
      tags: JSON.stringify(section.tags),
      version: old ? old.version + (same ? 0 : 1) : section.version,
      created_at: old?.created_at ?? section.createdAt,
      modified_at: old ? (same ? old.modified_at : nowOf(context)) : section.modifiedAt,
    };
    await tables.insertInto('work_sections').values(stored).execute();
  }
}

const withoutTimes = ({
  version: _version,
  createdAt: _created,
  modifiedAt: _modified,
  ...rest
}: DocumentSection) => rest;

/** Blockers and relations of a document, once everything they name exists. */
export async function linkDocument(context: WorkContext, given: WorkDocument): Promise<void> {
  if (given.kind === 'project') return;
  await context.library.write(async () => {
    const row = await requireContainer(context, given.id);
    await all(
      context,
      sql`DELETE FROM work_blocks WHERE blocked_id = ${row.id} AND blocker_id NOT IN ${texts(given.blockedBy)}`,
    );
    await addBlockers(context, row, given.blockedBy);
    const blockers = (await blockersOf(context, row.id)).length;
    const links = { blockers, blocked_reason: given.blockedReason };
    await tablesOf(context).updateTable('work_containers').set(links).where('id', '=', row.id).execute();
    for (const id of given.relatedTo) await requireContainer(context, id);
    await all(context, sql`DELETE FROM work_relations WHERE from_id = ${row.id} OR to_id = ${row.id}`);
    for (const id of given.relatedTo)
      await all(
        context,
        sql`INSERT INTO work_relations (from_id, to_id) VALUES (${row.id}, ${id}), (${id}, ${row.id})
          ON CONFLICT DO NOTHING`,
      );
  });
}

/** Content of a file obeys the same limits as a call. */
async function checkDocument(context: WorkContext, given: WorkDocument): Promise<WorkDocument> {
  if (given.projectId) await requireContainer(context, given.projectId, 'project');
  if (given.featureId) await requireContainer(context, given.featureId, 'feature');
  if (given.kind !== 'project') {
    await lockWorkflows(context);
    const states = [...(await activeWorkflows(context))[given.kind as StagedKind], exitState];
    if (given.status === null || !states.includes(given.status))
      throw new SylkError(
        'VALIDATION_ERROR',
        `${JSON.stringify(given.status)} is not a state of a ${given.kind}.`,
        {
          hint: `Use one of ${states.join(', ')}.`,
        },
      );
  }
  const ordinals = given.sections.map((section) => section.ordinal);
  if (new Set(ordinals).size !== ordinals.length)
    throw new SylkError('CONFLICT', 'Two sections have the same ordinal.', {
      hint: 'Number them differently.',
    });
  return {
    ...given,
    name: nameText(given.name, nameField(given.kind)),
    summary: summaryText(given.summary),
    description: descriptionText(given.description),
    tags: tagList(given.tags),
    sections: given.sections.map((section) => ({
      ...section,
      title: nameText(section.title, 'title'),
      usageDescription: reasonText(section.usageDescription, 'usageDescription'),
      content: contentText(section.content),
      tags: tagList(section.tags),
    })),
  };
}
