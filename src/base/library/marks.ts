import type { Kysely } from 'kysely';

export interface MarkTables {
  _marks: { space: string; name: string; value: string };
}

/** Small facts by name, such as what was last exported. */
export interface Marks {
  get(name: string): Promise<string | undefined>;
  all(): Promise<Map<string, string>>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

export function createMarks(tables: () => Kysely<MarkTables>, space: string): Marks {
  return {
    get: async (name) =>
      (
        await tables()
          .selectFrom('_marks')
          .select('value')
          .where('space', '=', space)
          .where('name', '=', name)
          .executeTakeFirst()
      )?.value,
    all: async () =>
      new Map(
        (
          await tables().selectFrom('_marks').select(['name', 'value']).where('space', '=', space).execute()
        ).map(({ name, value }) => [name, value]),
      ),
    set: async (name, value) => {
      await tables()
        .insertInto('_marks')
        .values({ space, name, value })
        .onConflict((conflict) => conflict.columns(['space', 'name']).doUpdateSet({ value }))
        .execute();
    },
    remove: async (name) => {
      await tables().deleteFrom('_marks').where('space', '=', space).where('name', '=', name).execute();
    },
  };
}
