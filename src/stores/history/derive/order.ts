import type { Facts } from '../facts.ts';

/**
 * The order in which history is replayed: parents before children, and where that leaves a choice, the earlier
 * committer date, then the smaller sha. It depends on the commits alone, never on when they were indexed.
 */
export function replayOrder(facts: Facts, commits: Int32Array, shaOf: (id: number) => string): Int32Array {
  // Most updates bring one commit: no need to look at all the others.
  if (commits.length < 2) return commits;
  const waiting = new Int32Array(facts.count).fill(-1);
  for (const id of commits) waiting[id] = 0;
  const childStart = new Int32Array(facts.count + 1);
  // A parent that could not be read is not there to wait for.
  const eachParent = (visit: (parent: number, child: number) => void) => {
    for (const id of commits)
      for (const parent of facts.parents(id)) if ((waiting[parent] ?? -1) >= 0) visit(parent, id);
  };
  eachParent((parent, child) => {
    waiting[child]!++;
    childStart[parent + 1]!++;
  });
  for (let at = 1; at <= facts.count; at++) childStart[at]! += childStart[at - 1]!;
  const children = new Int32Array(childStart[facts.count]!);
  const next = childStart.slice();
  eachParent((parent, child) => {
    children[next[parent]!++] = child;
  });
  const before = (a: number, b: number) => {
    const difference = facts.committed(a) - facts.committed(b);
    return difference !== 0 ? difference < 0 : shaOf(a) < shaOf(b);
  };
  const ready = createHeap(before);
  for (const id of commits) if (waiting[id] === 0) ready.push(id);
  const order = new Int32Array(commits.length);
  let placed = 0;
  while (ready.size > 0) {
    const id = ready.pop();
    order[placed++] = id;
    for (let at = childStart[id]!; at < childStart[id + 1]!; at++) {
      if (--waiting[children[at]!]! === 0) ready.push(children[at]!);
    }
  }
  return order.subarray(0, placed);
}

/** Every commit that `head` descends from, itself included; stops at commits for which `stop` holds. */
export function ancestors(facts: Facts, head: number, stop: (id: number) => boolean = () => false) {
  const seen = new Uint8Array(facts.count);
  const stack = [head];
  const found: number[] = [];
  while (stack.length > 0) {
    const id = stack.pop()!;
    if (id < 0 || seen[id] === 1 || !facts.known(id) || stop(id)) continue;
    seen[id] = 1;
    found.push(id);
    for (const parent of facts.parents(id)) if (seen[parent] !== 1) stack.push(parent);
  }
  return Int32Array.from(found);
}

function createHeap(before: (a: number, b: number) => boolean) {
  const items: number[] = [];
  const swap = (a: number, b: number) => {
    const held = items[a]!;
    items[a] = items[b]!;
    items[b] = held;
  };
  return {
    get size() {
      return items.length;
    },
    push(item: number) {
      items.push(item);
      let at = items.length - 1;
      while (at > 0) {
        const above = (at - 1) >> 1;
        if (!before(items[at]!, items[above]!)) break;
        swap(at, above);
        at = above;
      }
    },
    pop(): number {
      const top = items[0]!;
      const last = items.pop()!;
      if (items.length === 0) return top;
      items[0] = last;
      let at = 0;
      for (;;) {
        const left = at * 2 + 1;
        if (left >= items.length) break;
        const right = left + 1;
        const child = right < items.length && before(items[right]!, items[left]!) ? right : left;
        if (!before(items[child]!, items[at]!)) break;
        swap(at, child);
        at = child;
      }
      return top;
    },
  };
}
