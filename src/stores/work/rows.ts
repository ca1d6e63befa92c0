import { sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import type {
  ContainerRecord,
  FeatureRecord,
  ProjectRecord,
  SectionFormat,
  SectionRecord,
  TaskRecord,
} from './container.ts';
import { type StoredContainer, tablesOf, type WorkContext } from './context.ts';
import { priorityName } from './fields.ts';
import type { SectionRow } from './tables.ts';

interface Links {
  tags: Map<string, string[]>;
  blockedBy: Map<string, string[]>;
  relatedTo: Map<string, string[]>;
}

/** Rows as callers see them: with tags, blockers and relations, three queries for any number of rows. */
export async function recordsOf(context: WorkContext, rows: StoredContainer[]): Promise<ContainerRecord[]> {
  if (rows.length === 0) return [];
  const links = await linksOf(context, rows);
  const now = context.clock.now();
  return rows.map((row) => recordOf(row, links, now));
}

export async function oneRecord<T extends ContainerRecord>(
  context: WorkContext,
  row: StoredContainer,
): Promise<T> {
  return (await recordsOf(context, [row]))[0] as T;
}

/** A container that was made just now has tags, and no links yet. */
export const freshRecord = (context: WorkContext, row: StoredContainer, tags: string[]): ContainerRecord =>
  recordOf(
    row,
    { tags: new Map([[row.id, tags]]), blockedBy: new Map(), relatedTo: new Map() },
    context.clock.now(),
  );

/** One question for one row, which is what every write answers with; three for many. */
async function linksOf(context: WorkContext, rows: StoredContainer[]): Promise<Links> {
  const [row, ...more] = rows;
  if (row && more.length === 0) return linksOfOne(context, row.id);
  const ids = rows.map((each) => each.id);
  const tables = tablesOf(context);
  const tags = await tables.selectFrom('work_tags').selectAll().where('entity_id', 'in', ids).execute();
  const staged = rows.some((each) => each.kind !== 'project');
  const blocked = rows.filter((each) => each.blockers > 0).map((each) => each.id);
  const blocks =
    blocked.length > 0
      ? await tables.selectFrom('work_blocks').selectAll().where('blocked_id', 'in', blocked).execute()
      : [];
  const relations = staged
    ? await tables.selectFrom('work_relations').selectAll().where('from_id', 'in', ids).execute()
    : [];
  return {
    tags: gather(tags, 'entity_id', 'tag'),
    blockedBy: gather(blocks, 'blocked_id', 'blocker_id'),
    relatedTo: gather(relations, 'from_id', 'to_id'),
  };
}

async function linksOfOne(context: WorkContext, id: string): Promise<Links> {
  const { rows } = await sql<{ list: keyof Links; id: string; value: string }>`
    SELECT 'tags' AS list, entity_id AS id, tag AS value FROM work_tags WHERE entity_id = ${id}
    UNION ALL SELECT 'blockedBy', blocked_id, blocker_id FROM work_blocks WHERE blocked_id = ${id}
    UNION ALL SELECT 'relatedTo', from_id, to_id FROM work_relations WHERE from_id = ${id}`.execute(
    tablesOf(context),
  );
  const listed = (list: keyof Links) =>
    gather(
      rows.filter((each) => each.list === list),
      'id',
      'value',
    );
  return { tags: listed('tags'), blockedBy: listed('blockedBy'), relatedTo: listed('relatedTo') };
}

function gather<Row, Key extends keyof Row, Value extends keyof Row>(
  rows: Row[],
  key: Key,
  value: Value,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    const group = groups.get(row[key] as string);
    if (group) group.push(row[value] as string);
    else groups.set(row[key] as string, [row[value] as string]);
  }
  for (const group of groups.values()) group.sort();
  return groups;
}

function recordOf(row: StoredContainer, links: Links, now: number): ContainerRecord {
  const base = {
    id: row.id,
    summary: row.summary,
    description: row.description,
    tags: links.tags.get(row.id) ?? [],
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    modifiedBy: row.modified_by,
  };
  if (row.kind === 'project') return { ...base, name: row.name } satisfies ProjectRecord;
  const staged = {
    ...base,
    projectId: row.project_id,
    status: row.status!,
    priority: priorityName(row.priority!),
    blockedBy: links.blockedBy.get(row.id) ?? [],
    blockedReason: row.blocked_reason,
    relatedTo: links.relatedTo.get(row.id) ?? [],
  };
  if (row.kind === 'feature') return { ...staged, name: row.name } satisfies FeatureRecord;
  return {
    ...staged,
    title: row.name,
    featureId: row.feature_id,
    complexity: row.complexity!,
    claim:
      row.claim_expires_at === null
        ? null
        : {
            by: row.claimed_by ?? '',
            expiresAt: isoTime(row.claim_expires_at),
            live: row.claim_expires_at > now,
          },
  } satisfies TaskRecord;
}

export const sectionOf = (row: SectionRow): SectionRecord & { content: string } => ({
  id: row.id,
  entityType: row.entity_type as SectionRecord['entityType'],
  entityId: row.entity_id,
  title: row.title,
  usageDescription: row.usage_description,
  content: row.content,
  contentFormat: row.content_format as SectionFormat,
  ordinal: row.ordinal,
  tags: JSON.parse(row.tags) as string[],
  version: row.version,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
});
