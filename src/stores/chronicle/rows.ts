import type { Selectable } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import type { Entry } from './entry.ts';
import type { ChronicleTables } from './tables.ts';

export type EntryRow = Selectable<ChronicleTables['entries']>;

export function entryOf(row: EntryRow): Entry {
  const { seq, digest, subject, promoted_at, use_sessions, archived, expires_at, ...entry } = row;
  return {
    ...entry,
    tags: listOf(row.tags),
    refs: listOf(row.refs),
    derived_from: listOf(row.derived_from),
    metadata: objectOf(row.metadata),
    promoted: row.promoted === 1,
    needs_review: row.needs_review === 1,
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
