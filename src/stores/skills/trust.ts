import { type Clock, isoTime } from '../../base/clock.ts';
import { type ContentItem, digestOf, type TrustState } from '../../base/content-item.ts';
import type { Library } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import { plainId } from './ids.ts';
import { isForeign, type SkillOrigin } from './skill.ts';
import { type NamedSource, originOf } from './sources/composite.ts';
import { type SkillTables, skillMigrations } from './tables.ts';

/** `local`: needs no decision. `source`: the person's own file trusts everything of its source. */
export type SkillTrustState = TrustState | 'local' | 'source';

export const mayEnter = (state: SkillTrustState): boolean => state !== 'new' && state !== 'changed';

/** What a person decides about: one skill, or the description of a collection, of one source. */
export interface SkillQuestion {
  id: string;
  origin: SkillOrigin;
  source_name: string;
  digest: () => Promise<string>;
}

/** Decisions about the content of this repository, stored with those about its settings. */
export interface RepositoryTrust {
  /** Digests of all items, read synchronously because sources are built without waiting. */
  trusted(): ReadonlyMap<string, string>;
  /** One item as it was trusted. */
  find(item: string): Promise<{ digest: string; text: string } | undefined>;
  trust(items: ContentItem[]): Promise<unknown>;
  forget(items: string[]): Promise<number>;
}

export interface SkillTrust {
  state(question: SkillQuestion): Promise<SkillTrustState>;
  /** As it was trusted. */
  decided(id: string, origin: SkillOrigin): Promise<{ digest: string; text: string } | undefined>;
  trust(decisions: Array<{ id: string; origin: SkillOrigin; content: ContentItem }>): Promise<void>;
  forget(skills: Array<{ id: string; origin: SkillOrigin }>): Promise<number>;
}

/**
 * Text by other authors enters a conversation only as a person saw it, bound to the digest of all its files.
 * Text of the person and of the product needs no decision; once a person made one about it, a changed text waits.
 */
export async function openSkillTrust(
  library: Library,
  {
    clock,
    repository,
    trustedSources = () => new Set<string>(),
  }: { clock: Clock; repository: RepositoryTrust; trustedSources?: () => Set<string> },
): Promise<SkillTrust> {
  library.migrate(skillMigrations);
  const tables = library.tables<SkillTables>();
  const decided: SkillTrust['decided'] = async (id, origin) => {
    const item = repositoryItem(id, origin);
    if (item !== undefined) return repository.find(item);
    return tables
      .selectFrom('skill_trust')
      .select(['digest', 'text'])
      .where('skill_id', '=', plainId(id))
      .where('source', '=', sourceKey(origin))
      .executeTakeFirst();
  };
  return {
    state: async ({ id, origin, source_name, digest }) => {
      const known = await decided(id, origin);
      // An unreadable text is not the trusted one.
      if (known !== undefined)
        return known.digest === (await digest().catch(() => undefined)) ? 'trusted' : 'changed';
      if (!isForeign(origin)) return 'local';
      return trustedSources().has(source_name) ? 'source' : 'new';
    },
    decided,
    trust: async (decisions) => {
      const ofRepository = decisions.filter(({ origin }) => origin.repository !== undefined);
      if (ofRepository.length > 0) await repository.trust(ofRepository.map(({ content }) => content));
      const rows = decisions
        .filter(({ origin }) => origin.repository === undefined)
        .map(({ id, origin, content }) => ({
          skill_id: plainId(id),
          source: sourceKey(origin),
          digest: content.digest,
          text: redact(content.text),
          trusted_at: isoTime(clock.now()),
        }));
      await tables.transaction().execute(async (writing) => {
        for (const row of rows)
          await writing
            .insertInto('skill_trust')
            .values(row)
            .onConflict((conflict) => conflict.columns(['skill_id', 'source']).doUpdateSet(row))
            .execute();
      });
    },
    forget: async (skills) => {
      const items = skills.flatMap(({ id, origin }) => repositoryItem(plainId(id), origin) ?? []);
      let forgotten = items.length > 0 ? await repository.forget(items) : 0;
      for (const { id, origin } of skills) {
        const { numDeletedRows } = await tables
          .deleteFrom('skill_trust')
          .where('skill_id', '=', plainId(id))
          .where('source', '=', sourceKey(origin))
          .executeTakeFirst();
        forgotten += Number(numDeletedRows);
      }
      return forgotten;
    },
  };
}

/** The description of a collection is decided like a skill, under the name of its file. */
export const descriptionQuestion = (
  { name, source }: NamedSource,
  path: string,
  description: string,
): SkillQuestion => ({
  id: `${path}/COLLECTION.md`,
  origin: originOf(source),
  source_name: name,
  digest: async () => digestOf(description),
});

/** The folder of a skill, or the file of a collection, relative to the root of the repository. */
export const repositoryItem = (id: string, { repository }: SkillOrigin): string | undefined =>
  repository === undefined ? undefined : `${repository}/${plainId(id)}`;

/** By location, not by its configured name: anyone can choose a name. */
const sourceKey = (origin: SkillOrigin): string => `${origin.kind}:${origin.location}`;
