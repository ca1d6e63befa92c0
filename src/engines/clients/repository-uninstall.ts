import { basename, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { state as files } from '../../base/files/index.ts';
import type { State } from '../../base/state/index.ts';
import { removeAgentsBlock } from './agents-block.ts';
import type { Install } from './record.ts';
import { isDerived, removeShared, removeState } from './repository-setup.ts';

export interface UninstallRequest {
  root: string;
  sharedDirectory: string;
  state: State;
  clients: { ofRepository(): Install[]; uninstall(install: Install): { result: string } };
  keepLibrary: boolean;
  /** Where the library is backed up first; no backup when omitted. */
  backupDirectory?: string;
  /** Closes what still has the databases open. */
  release(): Promise<void>;
  /** Removes our git hooks and returns their paths. */
  removeHooks(): Promise<string[]>;
}

export interface Uninstalled {
  removed: string[];
  backup?: string;
  problems: string[];
}

/** Removes Sylk from a repository. A part that fails does not stop the others. */
export async function uninstallRepository(request: UninstallRequest): Promise<Uninstalled> {
  const removed: string[] = [];
  const problems: string[] = [];
  const attempt = async (what: string, work: () => string[] | Promise<string[]>) => {
    try {
      removed.push(...(await work()));
    } catch (error) {
      problems.push(`${what}: ${messageOf(error)}`);
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
  await attempt('state', () => removeState(request.state, request.keepLibrary));
  if (!request.keepLibrary) await attempt('.sylk', () => removeShared(request.sharedDirectory));
  return { removed, problems, backup: backup || undefined };
}

/** What people and agents wrote: the library with its backups, and the shared text. */
function keepCopy({ sharedDirectory, state, root, backupDirectory }: UninstallRequest): string | undefined {
  if (!backupDirectory) return undefined;
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const target = join(backupDirectory, `${basename(root)}-${time}`);
  const sources = [
    [state.directory, target],
    [sharedDirectory, join(target, 'shared')],
  ] as const;
  const there = sources.filter(([source]) => files.entry(source)?.kind === 'directory');
  if (there.length === 0) return undefined;
  for (const [source, copy] of there) files.copyDirectory(source, copy, (name) => !isDerived(name));
  return target;
}
