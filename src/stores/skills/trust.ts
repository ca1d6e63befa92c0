import { type Clock, isoTime } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { SkillGate } from './engine.ts';
import type { SkillOrigin } from './skill.ts';
import { type SkillTables, skillMigrations } from './tables.ts';

/** `local`: needs no decision. `trusted`: this very text. `changed`: another text was trusted. `new`: never decided. */
export type TrustState = 'local' | 'trusted' | 'changed' | 'new' | 'source';

export interface SkillTrust {
  state(id: string, origin: SkillOrigin, digest: string, sourceName?: string): Promise<TrustState>;
  trust(decisions: Array<{ id: string; origin: SkillOrigin; digest: string }>): Promise<void>;
  forget(ids: string[]): Promise<number>;
  allowVariable(url: string, variable: string): Promise<void>;
  /** Read at once, because sources are built without waiting. */
  variableAllowed(url: string, variable: string): boolean;
  /** How many of them are allowed; it changes when one is added. */
  variables(): number;
  gate: SkillGate;
}

/**
 * Text from a network enters a conversation only as a person saw it. Text of this machine needs no decision; once a
 * person has made one about it, a changed text waits for the next. Decisions are bound to the digest of all files.
 */
export async function openSkillTrust(
  library: Library,
  { clock, trustedSources = () => new Set<string>() }: { clock: Clock; trustedSources?: () => Set<string> },
): Promise<SkillTrust> {
  library.migrate(skillMigrations);
  const tables = library.tables<SkillTables>();
  const variables = new Set(
    (await tables.selectFrom('skill_variable').selectAll().execute()).map(
      ({ url, variable }) => `${url}\0${variable}`,
    ),
  );
  const decided = async (id: string, origin: SkillOrigin) =>
    tables
      .selectFrom('skill_trust')
      .select('digest')
      .where('skill_id', '=', id)
      .where('source', '=', sourceKey(origin))
      .executeTakeFirst();
  const state: SkillTrust['state'] = async (id, origin, digest, sourceName) => {
    const known = await decided(id, origin);
    if (known?.digest === digest) return 'trusted';
    if (known) return 'changed';
    if (!origin.remote) return 'local';
    return sourceName !== undefined && trustedSources().has(sourceName) ? 'source' : 'new';
  };
  return {
    state,
    trust: async (decisions) => {
      if (decisions.length === 0) return;
      const rows = decisions.map(({ id, origin, digest }) => ({
        ...{ skill_id: id, source: sourceKey(origin), digest },
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
    forget: async (ids) => {
      const result = await tables.deleteFrom('skill_trust').where('skill_id', 'in', ids).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
    allowVariable: async (url, variable) => {
      variables.add(`${url}\0${variable}`);
      await tables
        .insertInto('skill_variable')
        .values({ url, variable, allowed_at: isoTime(clock.now()) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    variableAllowed: (url, variable) => variables.has(`${url}\0${variable}`),
    variables: () => variables.size,
    gate: async ({ document, origin, digest }) => {
      const { id, source_name } = document.descriptor;
      if (!origin.remote && !(await decided(id, origin))) return { allowed: true };
      const found = await state(id, origin, await digest(), source_name);
      if (found === 'trusted' || found === 'source' || found === 'local') return { allowed: true };
      return {
        allowed: false,
        reason:
          found === 'changed'
            ? `Skill '${id}' of ${source_name || origin.kind} changed since it was trusted, and is held back.`
            : `Skill '${id}' comes from ${origin.location} and nobody has trusted it yet.`,
        hint: `A person reads it with \`sylk skills show ${id}\` and decides with \`sylk skills trust ${id}\`.`,
      };
    },
  };
}

/** By place, not by the name a configuration gives it: names are free to be taken. */
const sourceKey = (origin: SkillOrigin): string => `${origin.kind}:${origin.location}`;
