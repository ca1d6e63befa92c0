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

/** Looks where package managers put programs, then on the search path. Nothing is started. */
export function isInstalled(files: ProjectFiles, project: string, searchPath: string, tool: string): boolean {
  const facts = toolFacts(tool);
  const program = facts?.program ?? tool;
  if (!/^[\w.:+-]+$/.test(program)) return false;
  const local = facts?.via ? localDirectories[facts.via] : [];
  return (
    upwards(project).some((directory) =>
      local.some((place) => files.exists(inDirectory(directory, `${place}/${program}`))),
    ) ||
    searchPath
      .split(delimiter)
      .some((directory) => directory !== '' && system.isProgram(join(directory, program)))
  );
}
