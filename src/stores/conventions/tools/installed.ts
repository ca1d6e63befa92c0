import { delimiter, join } from 'node:path';
import { system } from '../../../base/files/index.ts';
import { inDirectory, upwards } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import { toolFacts } from './registry.ts';

const localDirectories = {
  npm: ['node_modules/.bin'],
  pypi: ['.venv/bin', 'venv/bin'],
  composer: ['vendor/bin'],
  gem: ['bin'],
};

/** The package manager that brings a tool into a project, and the folder where it puts it; nothing for tools of the machine. */
export function packageFolderOf(tool: string): { via?: 'npm' | 'pypi' | 'composer'; folder?: string } {
  const via = toolFacts(tool)?.via;
  return via === undefined || via === 'gem' ? {} : { via, folder: localDirectories[via][0]?.split('/')[0] };
}

/** Looks where package managers put programs, then on the search path. Nothing is started. */
export function findProgram(
  files: ProjectFiles,
  project: string,
  searchPath: string,
  tool: string,
): string | undefined {
  if (tool.includes('/')) return files.exists(tool.replace(/^\.\//, '')) ? tool : undefined;
  const facts = toolFacts(tool);
  const program = facts?.program ?? tool;
  if (!/^[\w.:+-]+$/.test(program)) return undefined;
  // A program that no table knows, such as one that only this project's scripts call, may come from any of them.
  const local = facts
    ? facts.via
      ? localDirectories[facts.via]
      : []
    : Object.values(localDirectories).flat();
  const installed = upwards(project)
    .flatMap((directory) => local.map((place) => inDirectory(directory, `${place}/${program}`)))
    .find((path) => files.exists(path));
  const isOnPath = () =>
    searchPath
      .split(delimiter)
      .some((directory) => directory !== '' && system.isProgram(join(directory, program)));
  return installed ?? (isOnPath() ? program : undefined);
}
