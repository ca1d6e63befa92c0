// Owns: how a project is written and run: its style, components, dependencies, design tokens, tools, and files read.
// Knows: base only.
// Must not know: symbols, history, sessions, or any other store.
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { once } from '../../base/once.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import { createAnswerCache } from './cache.ts';
import type { ProjectFiles } from './project-files.ts';
import { conventionsSchema, migrateConventions } from './tables.ts';
import { createToolShelf, type ToolShelf } from './tools/query.ts';

export { belowRoot, type ProjectFiles, treeFiles, worktreeFiles } from './project-files.ts';
export { languageDefaults, registryDate } from './tools/language-defaults.ts';
export {
  discoveredTool,
  type ToolCategory,
  type ToolDiscovery,
  toolCategories,
  toolDiscovery,
  toolOption,
} from './tools/record.ts';

export interface Conventions {
  tools: ToolShelf;
}

export interface ConventionsOptions {
  index: () => Sqlite;
  library: () => Promise<Library>;
  files: ProjectFiles;
  clock: Clock;
  /** Where programs are looked for; nothing is started. */
  searchPath: string;
}

export function openConventions({
  index,
  library,
  files,
  clock,
  searchPath,
}: ConventionsOptions): Conventions {
  const sqlite = () => {
    const db = index();
    ensureDerived(db, conventionsSchema);
    return db;
  };
  const authored = once(async () => {
    const opened = await library();
    migrateConventions(opened);
    return opened;
  });
  const cache = createAnswerCache(sqlite, clock);
  return {
    tools: createToolShelf({ files, cache, library: authored, clock, searchPath }),
  };
}
