import type { Sqlite } from '../../../base/sqlite/index.ts';
import { mergeCompiled } from '../compiler/merge.ts';
import { createEvaluator } from './evaluate.ts';
import { openLinkContext } from './link-context.ts';
import { type LinkedFile, linkFile } from './link-file.ts';
import { createModules } from './modules.ts';
import type { ModuleSettings } from './script-modules.ts';
import { readModuleSettings } from './settings.ts';

export interface LinkPlace {
  sqlite: Sqlite;
  mainRoot: string;
}

export interface LinkProgress {
  signal?: AbortSignal;
  progress?: (event: { done: number; total: number; message: string }) => void;
}

const chunk = 200;

/** Links every unlinked file of the base, in transactions of some hundred files. */
export async function linkBase({ sqlite, mainRoot }: LinkPlace, options: LinkProgress = {}): Promise<number> {
  const settings = moduleSettings(sqlite, mainRoot, 0);
  const ids = sqlite.column<number>("SELECT id FROM code_files WHERE view = 0 AND linked = 0 AND hash <> ''");
  if (ids.length === 0) return 0;
  const linkContext = openLinkContext(sqlite, 0);
  const modules = createModules(linkContext, settings);
  const evaluator = createEvaluator(linkContext, modules);
  for (let at = 0; at < ids.length; at += chunk) {
    options.signal?.throwIfAborted();
    sqlite.write(() => {
      for (const id of ids.slice(at, at + chunk)) {
        const file = linkContext.byId(id);
        if (file) storeLinks(sqlite, id, linkFile(linkContext, modules, evaluator, file));
        sqlite.run('UPDATE code_files SET linked = 1 WHERE id = ?', id);
      }
    });
    const done = Math.min(ids.length, at + chunk);
    options.progress?.({ done, total: ids.length, message: `code: ${done} of ${ids.length} files linked` });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ids.length;
}

function storeLinks(sqlite: Sqlite, file: number, own: LinkedFile): void {
  const linked = mergeCompiled(sqlite, file, own);
  sqlite.run(
    'INSERT OR REPLACE INTO code_links (view, file, edges, unresolved) VALUES (0, ?, ?, ?)',
    file,
    linked.edges,
    linked.unresolved,
  );
  sqlite.run('DELETE FROM code_consulted WHERE source = ?', file);
  for (const target of linked.consulted)
    sqlite.run('INSERT OR IGNORE INTO code_consulted (target, source) VALUES (?, ?)', target, file);
  sqlite.run('DELETE FROM code_lookups WHERE rowid = ?', file);
  sqlite.run('INSERT INTO code_lookups (rowid, names) VALUES (?, ?)', file, linked.lookups);
}

/** Manifests define how imports are written; when one changes, everything of that view is relinked. */
export function moduleSettings(sqlite: Sqlite, root: string, view: number): ModuleSettings {
  const manifests = sqlite.column<string>(
    `SELECT DISTINCT f.path FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE s.kind = 'file' AND f.view IN (0, ?)
       AND f.hash <> '' AND (s.name IN ('package.json', 'go.mod', 'Cargo.toml', 'jsconfig.json', 'tsconfig.json')
       OR s.name IN ('tsconfig.base.json', 'tsconfig.app.json')) ORDER BY f.path`,
    view,
  );
  const settings = readModuleSettings(root, manifests);
  const written = JSON.stringify([settings.aliases, [...settings.packages], [...settings.goModules]]);
  const before = sqlite.value<string>('SELECT settings FROM code_views WHERE id = ?', view);
  if (before !== written)
    sqlite.write(() => {
      sqlite.run('UPDATE code_views SET settings = ? WHERE id = ?', written, view);
      if (view === 0) sqlite.run('UPDATE code_files SET linked = 0 WHERE view = 0');
    });
  return settings;
}
