import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { removeAgentsBlock } from './agents-block.ts';
import type { Install } from './record.ts';
import { isDerived, removeDirectory } from './repository-setup.ts';

export interface UninstallRequest {
  root: string;
  sylkDirectory: string;
  clients: { ofRepository(): Install[]; uninstall(install: Install): { result: string } };
  keepLibrary: boolean;
  /** Where a copy of what people and agents wrote goes first; without it there is none. */
  backupDirectory?: string;
  /** Ends what still has the databases open. */
  release(): Promise<void>;
  /** Takes our git hooks out and answers their paths. */
  removeHooks(): Promise<string[]>;
}

export interface Uninstalled {
  removed: string[];
  backup?: string;
  problems: string[];
}

/** Leaves a repository as it was before Sylk. One part that cannot be undone does not keep the others. */
export async function uninstallRepository(request: UninstallRequest): Promise<Uninstalled> {
  const removed: string[] = [];
  const problems: string[] = [];
  const attempt = async (what: string, work: () => string[] | Promise<string[]>) => {
    try {
      removed.push(...(await work()));
    } catch (error) {
      problems.push(`${what}: ${(error as Error).message}`);
    }
  };
  await attempt('git hooks', request.removeHooks);
  for (const install of request.clients.ofRepository()) {
    await attempt(install.path, () => {
      const { result } = request.clients.uninstall(install);
      return [`${install.path} (${result})`];
    });
  }
  await attempt('agent notes', () => removeAgentsBlock(request.root).map(({ path }) => path));
  await request.release();
  const backup = request.keepLibrary ? undefined : keepCopy(request);
  await attempt(request.sylkDirectory, () => removeDirectory(request.sylkDirectory, request.keepLibrary));
  return { removed, problems, ...(backup ? { backup } : {}) };
}

function keepCopy({ sylkDirectory, root, backupDirectory }: UninstallRequest): string | undefined {
  if (!backupDirectory || !existsSync(sylkDirectory)) return undefined;
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const target = join(backupDirectory, `${basename(root)}-${time}`);
  mkdirSync(backupDirectory, { recursive: true, mode: 0o700 });
  cpSync(sylkDirectory, target, {
    recursive: true,
    filter: (source) => !isDerived(relative(sylkDirectory, source).split(/[\\/]/)[0] ?? ''),
  });
  return target;
}
