/** First in, first out, without moving what is left at every step. */
export interface Deque<T> {
  push(item: T): void;
  peek(): T | undefined;
  shift(): T | undefined;
  size(): number;
  /** Takes out what `wanted` says, at most `limit`, looking at the first `within` items. */
  extract(wanted: (item: T) => boolean, limit?: number, within?: number): T[];
}

export function createDeque<T>(): Deque<T> {
  let items: Array<T | undefined> = [];
  let head = 0;
  return {
    push: (item) => {
      items.push(item);
    },
    peek: () => items[head],
    shift: () => {
      if (head >= items.length) return undefined;
      const item = items[head];
      items[head++] = undefined;
      if (head === items.length) {
        items.length = 0;
        head = 0;
      } else if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    size: () => items.length - head,
    extract: (wanted, limit = Number.POSITIVE_INFINITY, within = Number.POSITIVE_INFINITY) => {
      const taken: T[] = [];
      const kept: T[] = [];
      for (let at = head; at < items.length; at++) {
        const item = items[at] as T;
        if (taken.length < limit && at - head < within && wanted(item)) taken.push(item);
        else kept.push(item);
      }
      if (taken.length > 0) {
        items = kept;
        head = 0;
      }
      return taken;
    },
  };
}
