import { sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { texts } from '../../base/library/index.ts';
import type {
  ContainerRecord,
  FeatureRecord,
  ProjectRecord,
  SectionRecord,
  TaskRecord,
} from './container.ts';
import { all, type StoredContainer, type WorkContext } from './context.ts';
import { priorityName } from './fields.ts';
import type { SectionRow } from './tables.ts';

interface Links {
  tags: Map<string, string[]>;
  blockedBy: Map<string, string[]>;
  relatedTo: Map<string, string[]>;
}

/** Rows as callers see them: with tags, blockers and relations. */
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

/** A new container has tags, and no links yet. */
export const freshRecord = (context: WorkContext, row: StoredContainer, tags: string[]): ContainerRecord =>
  recordOf(
    row,
    { tags: new Map([[row.id, tags]]), blockedBy: new Map(), relatedTo: new Map() },
    context.clock.now(),
  );

/** One query for any number of rows. */
async function linksOf(context: WorkContext, rows: StoredContainer[]): Promise<Links> {
  const ids = texts(rows.map(({ id }) => id));
  const links: Links = { tags: new Map(), blockedBy: new Map(), relatedTo: new Map() };
  const found = await all(
    context,
    sql<{ list: keyof Links; id: string; value: string }>`
      SELECT 'tags' AS list, entity_id AS id, tag AS value FROM work_tags WHERE entity_id IN ${ids}
      UNION ALL SELECT 'blockedBy', blocked_id, blocker_id FROM work_blocks WHERE blocked_id IN ${ids}
      UNION ALL SELECT 'relatedTo', from_id, to_id FROM work_relations WHERE from_id IN ${ids}`,
  );
  for (const { list, id, value } of found) links[list].set(id, [...(links[list].get(id) ?? []), value]);
  for (const list of Object.values(links)) for (const values of list.values()) values.sort();
  return links;
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
    status: row.status ?? '',
    priority: priorityName(row.priority ?? 0),
    blockedBy: links.blockedBy.get(row.id) ?? [],
    blockedReason: row.blocked_reason,
    relatedTo: links.relatedTo.get(row.id) ?? [],
  };
  if (row.kind === 'feature') return { ...staged, name: row.name } satisfies FeatureRecord;
  return {
    ...staged,
    title: row.name,
    featureId: row.feature_id,
    complexity: row.complexity ?? 0,
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

export type StoredSection = SectionRecord & { content: string };

export const sectionOf = (row: SectionRow): StoredSection => ({
  id: row.id,
  entityType: row.entity_type,
  entityId: row.entity_id,
  title: row.title,
  usageDescription: row.usage_description,
  content: row.content,
  contentFormat: row.content_format,
  ordinal: row.ordinal,
  tags: parseJsonTexts(row.tags),
  version: row.version,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
});
