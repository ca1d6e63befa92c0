import type { Clock } from '../base/clock.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import type { Config } from '../config.ts';
import type { InspectionEngine } from '../engines/inspection/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';

export interface ProjectAccessors {
  /** How the project is written and run: style, components, dependencies, design tokens, tools, files read. */
  conventions(): Promise<Conventions>;
  /** Judges a change by the project's own tools. */
  inspection(): Promise<InspectionEngine>;
}

export function projectAccessors({
  index,
  library,
  repository,
  user,
  git,
  clock,
  code,
  prepareDirectory,
  searchPath,
  config,
}: {
  index: () => Sqlite;
  library: () => Promise<Library>;
  repository: Repository;
  user: UserDirectories;
  git: Git;
  clock: Clock;
  code: () => Promise<CodeStore>;
  prepareDirectory: () => string;
  searchPath: string;
  config: Pick<Config, 'embedding'>;
}): ProjectAccessors {
  const { root, bare } = repository;
  const { enabled, weights } = config.embedding;
  const meaning = once(async () => {
    if (!enabled) return undefined;
    const { createStaticEmbedder } = await import('../base/embedding/index.ts');
    return createStaticEmbedder(weights ? { weights } : {});
  });
  const openAt = async (commit?: string) => {
    const { openConventions, treeFiles, worktreeFiles } = await import('../stores/conventions/index.ts');
    const onDisk = worktreeFiles(git, root);
    const inCommit = () => ({ ...treeFiles(git, commit), exists: onDisk.exists });
    const files = bare || commit !== undefined ? inCommit() : onDisk;
    return openConventions({ index, library, files, root, clock, searchPath, meaning });
  };
  const conventions = once(openAt);
  return {
    conventions,
    inspection: once(async () => {
      const [{ createInspection }, { openChecks }] = await Promise.all([
        import('../engines/inspection/index.ts'),
        import('../stores/checks/index.ts'),
      ]);
      const checks = openChecks({ index, clock });
      const hidden = [prepareDirectory(), user.data, user.config, user.state];
      return createInspection({
        git,
        repository,
        checks,
        hidden,
        conventions: openAt,
        code: await code(),
      });
    }),
  };
}
