import type { Sqlite } from '../../base/sqlite/index.ts';

export interface ViewRow {
  id: number;
  root: string;
  head: string;
  generation: number;
  base_generation: number;
  state: string;
  finished_at: string | null;
  found: number;
  done: number;
  settings: string;
}

/** The view of a working tree; created on first use. The base always has the id 0. */
export function viewOf(sqlite: Sqlite, root: string, id?: number): ViewRow {
  const found = findView(sqlite, root, id);
  if (found && found.root !== root)
    sqlite.write(() => sqlite.run('UPDATE code_views SET root = ? WHERE id = ?', root, found.id));
  if (found) return found;
  sqlite.write(() => {
    const next = id ?? 1 + (sqlite.value<number | null>('SELECT max(id) AS last FROM code_views') ?? 0);
    sqlite.run('INSERT OR IGNORE INTO code_views (id, root) VALUES (?, ?)', next, root);
  });
  return viewOf(sqlite, root, id);
}

export const findView = (sqlite: Sqlite, root: string, id?: number): ViewRow | undefined =>
  id === undefined
    ? sqlite.get<ViewRow>('SELECT * FROM code_views WHERE root = ?', root)
    : sqlite.get<ViewRow>('SELECT * FROM code_views WHERE id = ?', id);

export function beginUpdate(sqlite: Sqlite, view: number, found: number): void {
  sqlite.write(() =>
    sqlite.run(
      `UPDATE code_views SET state = CASE generation WHEN 0 THEN 'building' ELSE 'updating' END, found = ?, done = 0 WHERE id = ?`,
      found,
      view,
    ),
  );
}

export interface Finished {
  head: string;
  at: string;
  changed: boolean;
  baseGeneration: number;
}

export function finishUpdate(sqlite: Sqlite, view: number, finished: Finished): void {
  sqlite.write(() =>
    sqlite.run(
      `UPDATE code_views SET state = 'settled', head = ?, finished_at = ?, base_generation = ?,
       generation = generation + CASE WHEN ? OR generation = 0 THEN 1 ELSE 0 END WHERE id = ?`,
      finished.head,
      finished.at,
      finished.baseGeneration,
      finished.changed ? 1 : 0,
      view,
    ),
  );
}
