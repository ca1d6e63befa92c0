/** Runs `make` at the first call and answers the same value ever after. A failed first call is tried again. */
export function once<T>(make: () => T): (() => T) & { peek(): T | undefined } {
  let made: { value: T } | undefined;
  const get = () => {
    if (!made) {
      const value = make();
      made = { value };
      if (value instanceof Promise) value.catch(() => (made = undefined));
    }
    return made.value;
  };
  return Object.assign(get, { peek: () => made?.value });
}

/** The same for each key. */
export function onceFor<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, () => T>();
  return (key) => {
    const known = made.get(key) ?? once(() => make(key));
    made.set(key, known);
    return known();
  };
}
