// Owns: how a project is written and run: its style, components, dependencies, design tokens, tools, and files read.
// Knows: base only.
// Must not know: symbols, history, sessions, or any other store.
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { once } from '../../base/once.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import { createAnswerCache } from './cache.ts';
import { type ComponentShelf, createComponentShelf } from './components/query.ts';
import { createDependencyShelf, type DependencyShelf } from './dependencies/query.ts';
import { createFactsCache } from './facts-cache.ts';
import { createFileShelf, type FileShelf } from './files/query.ts';
import { createReadLog } from './files/reads.ts';
import { createSnapshotCache } from './files/snapshots.ts';
import type { ProjectFiles } from './project-files.ts';
import { createStyleShelf, type StyleShelf } from './style/query.ts';
import { conventionsSchema, migrateConventions } from './tables.ts';
import { createTokenShelf, type TokenShelf } from './tokens/query.ts';
import { createToolShelf, type ToolShelf } from './tools/query.ts';

export { componentReply, componentTypes } from './components/record.ts';
export { declaredNames, isLockFile } from './dependencies/ingest.ts';
export { dependencyReply } from './dependencies/query.ts';
export { editPreview } from './files/preview.ts';
export { fileReply } from './files/query.ts';
export { belowRoot, type ProjectFiles, treeFiles, worktreeFiles } from './project-files.ts';
export { styleGuide } from './style/record.ts';
export { categoryAliases, designSystem, tokenCategories, tokenLookup } from './tokens/record.ts';
export { languageOf } from './tools/languages.ts';
export { type DiscoveredTool, type ToolCategory, toolCategories, toolDiscovery } from './tools/record.ts';

export interface Conventions {
  /** The files that all of this is read from. */
  projectFiles: ProjectFiles;
  tools: ToolShelf;
  files: FileShelf;
  dependencies: DependencyShelf;
  tokens: TokenShelf;
  style: StyleShelf;
  components: ComponentShelf;
}

export interface ConventionsOptions {
  index: () => Sqlite;
  library: () => Promise<Library>;
  files: ProjectFiles;
  /** Of the working tree: what was read is remembered for each. */
  root: string;
  clock: Clock;
  /** Where programs are looked for; nothing is started. */
  searchPath: string;
}

export function openConventions({
  index,
  library,
  files,
  root,
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
  const facts = createFactsCache(sqlite, clock);
  return {
    projectFiles: files,
    tools: createToolShelf({ files, cache, library: authored, clock, searchPath }),
    dependencies: createDependencyShelf(files),
    tokens: createTokenShelf(files, cache),
    style: createStyleShelf(files, facts),
    components: createComponentShelf(files, facts),
    files: createFileShelf(createSnapshotCache(files, facts, clock), createReadLog(sqlite, root, clock)),
  };
}
