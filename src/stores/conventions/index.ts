// Owns: how a project is written and run: its style, components, dependencies, design tokens, tools, and files read.
// Knows: base only.
// Must not know: symbols, history, sessions, or any other store.
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { once } from '../../base/once.ts';
import type { TextEmbedder } from '../../base/search/index.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import { createDerivedCache } from './cache.ts';
import { createComponentShelf } from './components/query.ts';
import { createDependencyShelf } from './dependencies/query.ts';
import { createFileShelf } from './files/query.ts';
import { createReadLog } from './files/reads.ts';
import { createSnapshotCache } from './files/snapshots.ts';
import type { ProjectFiles } from './project-files.ts';
import { createStyleShelf } from './style/query.ts';
import { conventionsSchema, migrateConventions } from './tables.ts';
import { createTokenShelf } from './tokens/query.ts';
import { createToolShelf } from './tools/query.ts';

export { componentReply, componentTypes } from './components/record.ts';
export { declaredNames, isLockFile } from './dependencies/ingest.ts';
export { dependencyReply } from './dependencies/query.ts';
export { editPreview } from './files/preview.ts';
export { fileReply } from './files/query.ts';
export { belowRoot, type ProjectFiles, treeFiles, worktreeFiles } from './project-files.ts';
export { styleGuide } from './style/record.ts';
export { categoryAliases, designSystem, tokenCategories, tokenLookup } from './tokens/record.ts';
export { packageFolderOf } from './tools/installed.ts';
export { languageOf } from './tools/languages.ts';
export { type DiscoveredTool, type ToolCategory, toolCategories, toolDiscovery } from './tools/record.ts';

export type Conventions = ReturnType<typeof openConventions>;

export interface ConventionsOptions {
  index: () => Sqlite;
  library: () => Promise<Library>;
  files: ProjectFiles;
  /** Of the working tree: reads are cached per tree. */
  root: string;
  clock: Clock;
  /** Where programs are looked up; nothing is started. */
  searchPath: string;
  /** Undefined where search by meaning is off. */
  meaning?: () => Promise<TextEmbedder | undefined>;
}

export function openConventions(options: ConventionsOptions) {
  const { index, library, files, root, clock, searchPath, meaning } = options;
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
  const cache = createDerivedCache(sqlite, clock);
  return {
    /** The files that everything is read from. */
    projectFiles: files,
    tools: createToolShelf({ files, cache, library: authored, clock, searchPath }),
    dependencies: createDependencyShelf(files),
    tokens: createTokenShelf(files, cache),
    style: createStyleShelf(files, cache),
    components: createComponentShelf(files, cache, meaning),
    files: createFileShelf(createSnapshotCache(files, cache, clock), createReadLog(sqlite, root, clock)),
  };
}
