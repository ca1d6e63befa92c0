type Bound<Context, Verb> = Verb extends (context: Context, ...rest: infer Rest) => infer Reply
  ? (...rest: Rest) => Reply
  : never;

/** Functions of one context, each without that first argument. */
export const bindAll = <
  Context,
  Verbs extends Record<string, (context: Context, ...rest: never[]) => unknown>,
>(
  context: Context,
  verbs: Verbs,
) =>
  Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => [name, (...rest: never[]) => verb(context, ...rest)]),
  ) as { [Name in keyof Verbs]: Bound<Context, Verbs[Name]> };
