import type { Kysely } from 'kysely';

export interface MarkTables {
  _marks: { space: string; name: string; value: string };
}

export type Marks = ReturnType<typeof createMarks>;

/** Small facts by name, such as what was last exported. */
export function createMarks(tables: () => Kysely<MarkTables>, space: string) {
  const read = () => tables().selectFrom('_marks').select(['name', 'value']).where('space', '=', space);
  return {
    get: async (name: string): Promise<string | undefined> =>
      (await read().where('name', '=', name).executeTakeFirst())?.value,
    all: async () => new Map((await read().execute()).map(({ name, value }) => [name, value])),
    set: async (name: string, value: string): Promise<void> => {
      await tables()
        .insertInto('_marks')
        .values({ space, name, value })
        .onConflict((conflict) => conflict.columns(['space', 'name']).doUpdateSet({ value }))
        .execute();
    },
    remove: async (name: string): Promise<void> => {
      await tables().deleteFrom('_marks').where('space', '=', space).where('name', '=', name).execute();
    },
  };
}
