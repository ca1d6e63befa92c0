import { SylkError } from '../../../base/errors.ts';
import { collectionsOf } from '../collections.ts';
import type { SkillSource } from '../skill.ts';
import { digestIn } from './memory.ts';

/** A source that delegates to another one, which is looked up on every call. */
export const delegating = (current: () => Promise<SkillSource>) =>
  ({
    list: async (filter) => (await current()).list(filter),
    load: async (id) => (await current()).load(id),
    collections: async () => collectionsOf(await current()),
    problems: async () => (await (await current()).problems?.()) ?? [],
    resources: async (id) => (await (await current()).resources?.(id)) ?? [],
    readResource: async (id, path) => {
      const source = await current();
      if (source.readResource) return source.readResource(id, path);
      throw new SylkError('NOT_FOUND', `Skill '${id}' has no other files.`, {
        hint: 'Skills of http sources are text only.',
      });
    },
    digest: async (id) => digestIn(await current(), id),
  }) satisfies SkillSource;
