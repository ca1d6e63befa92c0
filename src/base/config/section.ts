import type { z } from 'zod';

/**
 * `data` keys describe the repository and hold at once. `acting` keys name addresses, programs or secrets, keep files
 * from being seen, or change what becomes of a person's work: from a repository's own file a value holds only after a
 * person trusted exactly that value. `user` keys are never taken
 * from a repository; every key that names a place on this machine is one.
 */
export type KeyClass = 'data' | 'acting' | 'user';

export interface ConfigKey<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  class: KeyClass;
  /** One line for `config show` and the JSON Schema. */
  about: string;
  /** Every layer adds to the list; none takes away what another said. */
  adds?: boolean;
}

export type SectionKeys = Record<string, ConfigKey>;
export type SectionValue<Keys extends SectionKeys> = { [Key in keyof Keys]: z.output<Keys[Key]['schema']> };

export interface ConfigSection<Keys extends SectionKeys = SectionKeys> {
  name: string;
  keys: Keys;
}

/** A store or an engine declares what can be set about it; every key has a default inside its schema. */
export const configSection = <Keys extends SectionKeys>(name: string, keys: Keys): ConfigSection<Keys> => ({
  name,
  keys,
});

const keyOf =
  (keyClass: KeyClass) =>
  <Schema extends z.ZodType>(schema: Schema, about: string): ConfigKey<Schema> => ({
    schema,
    class: keyClass,
    about,
  });

export const dataKey = keyOf('data');
export const actingKey = keyOf('acting');
export const userKey = keyOf('user');

/** A list that describes the repository and that every layer adds to: for rules which may only get stricter. */
export const addingKey = <Schema extends z.ZodType>(schema: Schema, about: string): ConfigKey<Schema> => ({
  ...dataKey(schema, about),
  adds: true,
});
