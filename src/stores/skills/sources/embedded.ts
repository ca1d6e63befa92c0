import { dirname, join } from 'node:path';
import { product } from '../../../base/files/index.ts';
import { collectionOf } from '../ids.ts';
import type { SkillSource } from '../skill.ts';
import { filesystemSource } from './filesystem.ts';
import { memorySource } from './memory.ts';

/** The skills that ship with the product. Their ids are flat, and they come last in every chain. */
export function embeddedSource(directory: string | undefined = shippedSkills()): SkillSource {
  const origin = { kind: 'embedded' as const, location: 'built in', remote: false };
  if (!directory) return { ...memorySource([]), origin: () => origin };
  const files = filesystemSource({ root: directory, scope: 'builtin' });
  return {
    ...files,
    list: async (filter) => (await files.list(filter)).filter((skill) => collectionOf(skill.id) === ''),
    collections: async () => [],
    origin: () => origin,
  };
}

/** `skills/` next to the package's own package.json: the same place in a checkout and in an installation. */
function shippedSkills(): string | undefined {
  for (
    let directory = import.meta.dirname;
    dirname(directory) !== directory;
    directory = dirname(directory)
  ) {
    if (product.exists(join(directory, 'package.json')) && product.exists(join(directory, 'skills')))
      return join(directory, 'skills');
  }
  return undefined;
}
