import type { Selectable } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { type Session, type SessionState, sessionConfigSchema, sessionContextSchema } from './session.ts';
import type { SessionTables } from './tables.ts';

type SessionRow = Selectable<SessionTables['sessions']>;

export function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    name: row.name,
    state: row.state as SessionState,
    archived: row.archived === 1,
    created_at: isoTime(row.created_at),
    activated_at: timeOf(row.activated_at),
    suspended_at: timeOf(row.suspended_at),
    completed_at: timeOf(row.completed_at),
    last_active_at: isoTime(row.last_active_at),
    context: sessionContextSchema.parse(jsonOf(row.context, {})),
    active_dag_id: row.active_dag_id,
    dag_history: jsonOf(row.dag_history, []) as string[],
    branch_name: row.branch_name,
    base_branch: row.base_branch,
    worktree: row.worktree,
    config: sessionConfigSchema.parse(jsonOf(row.config, {})),
    metadata: jsonOf(row.metadata, {}) as Record<string, unknown>,
    summary: row.summary,
    version: row.version,
  };
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** A torn value costs itself, not the session. */
function jsonOf(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}
