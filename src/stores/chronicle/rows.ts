import type { Selectable } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import type { Entry } from './entry.ts';
import type { ChronicleTables } from './tables.ts';

export type EntryRow = Selectable<ChronicleTables['entries']>;

export function entryOf(row: EntryRow): Entry {
  return {
    id: row.id,
    session_id: row.session_id,
    category: row.category as Entry['category'],
    summary_type: row.summary_type as Entry['summary_type'],
    title: row.title,
    content: row.content,
    resolution: row.resolution,
    source: row.source,
    source_kind: row.source_kind as Entry['source_kind'],
    tags: listOf(row.tags),
    refs: listOf(row.refs),
    derived_from: listOf(row.derived_from),
    metadata: objectOf(row.metadata),
    confidence: row.confidence,
    promoted: row.promoted === 1,
    promoted_by: row.promoted_by,
    superseded_by: row.superseded_by,
    needs_review: row.needs_review === 1,
    verification: row.verification as Entry['verification'],
    uses: row.uses,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A torn list or object costs itself, not the entry around it. */
export function listOf(text: string): string[] {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
}

export function objectOf(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return value && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
