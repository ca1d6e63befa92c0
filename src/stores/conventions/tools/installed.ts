import { delimiter, join } from 'node:path';
import { system } from '../../../base/files/index.ts';
import { inDirectory, upwards } from '../dependencies/ingest.ts';
import type { ProjectFiles } from '../project-files.ts';
import { toolFacts } from './tool-facts.ts';

/** Looks where package managers put programs, then on the PATH. Nothing is started. */
export function isInstalled(files: ProjectFiles, project: string, path: string, tool: string): boolean {
  const facts = toolFacts(tool);
  const program = facts?.program ?? programs[tool] ?? tool;
  if (!/^[\w.:+-]+$/.test(program)) return false;
  const local: Record<string, string[]> = {
    npm: [`node_modules/.bin/${program}`],
    pypi: [`.venv/bin/${program}`, `venv/bin/${program}`],
    composer: [`vendor/bin/${program}`],
    gem: [`bin/${program}`],
  };
  const places = facts?.via ? local[facts.via]! : [];
  for (const directory of upwards(project))
    for (const place of places) if (files.exists(inDirectory(directory, place))) return true;
  return path
    .split(delimiter)
    .some((directory) => directory !== '' && system.isProgram(join(directory, program)));
}

const programs: Record<string, string> = {
  'standard-ruby': 'standardrb',
  sorbet: 'srb',
  'svelte-language-server': 'svelteserver',
  junit: 'java',
  testng: 'java',
  kotest: 'java',
  spotless: 'java',
};
