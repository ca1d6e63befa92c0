import type { Facts } from '../facts.ts';
import { createNumbers } from '../packed.ts';

/**
 * The replay order of history: parents before children; ties are broken by the earlier
 * committer date, then the smaller sha. It depends on the commits alone, never on when they were indexed.
 */
export function replayOrder(facts: Facts, commits: Int32Array, shaOf: (id: number) => string): Int32Array {
  // Most updates bring one commit: no need to look at all the others.
  if (commits.length < 2) return commits;
  /** Parents not placed yet; -1 for commits that are not to be placed. */
  const waiting = createNumbers(-1);
  for (const id of commits) waiting.set(id, 0);
  const firstLink = createNumbers(-1);
  const links = { child: createNumbers(), next: createNumbers() };
  for (const id of commits)
    for (const parent of facts.parents(id)) {
      // An unreadable parent cannot be waited for.
      if (waiting.get(parent) < 0) continue;
      waiting.set(id, waiting.get(id) + 1);
      links.next.push(firstLink.get(parent));
      firstLink.set(parent, links.child.length);
      links.child.push(id);
    }
  const ready = createHeap((a, b) => {
    const difference = facts.committed(a) - facts.committed(b);
    return difference !== 0 ? difference < 0 : shaOf(a) < shaOf(b);
  });
  for (const id of commits) if (waiting.get(id) === 0) ready.push(id);
  const order = new Int32Array(commits.length);
  let placed = 0;
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    order[placed++] = id;
    for (let link = firstLink.get(id); link >= 0; link = links.next.get(link)) {
      const child = links.child.get(link);
      waiting.set(child, waiting.get(child) - 1);
      if (waiting.get(child) === 0) ready.push(child);
    }
  }
  return order.subarray(0, placed);
}

/** Every commit that `head` descends from, including itself; stops at commits for which `stop` holds. */
export function ancestors(facts: Facts, head: number, stop: (id: number) => boolean = () => false) {
  const seen = new Uint8Array(facts.count);
  const stack = [head];
  const found: number[] = [];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id < 0 || seen[id] === 1 || !facts.known(id) || stop(id)) continue;
    seen[id] = 1;
    found.push(id);
    for (const parent of facts.parents(id)) if (seen[parent] !== 1) stack.push(parent);
  }
  return Int32Array.from(found);
}

function createHeap(before: (a: number, b: number) => boolean) {
  const items: number[] = [];
  return {
    push: (item: number) => {
      let at = items.length;
      while (at > 0) {
        const above = items[(at - 1) >> 1];
        if (above === undefined || !before(item, above)) break;
        items[at] = above;
        at = (at - 1) >> 1;
      }
      items[at] = item;
    },
    pop: (): number | undefined => {
      const [top] = items;
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      let at = 0;
      for (;;) {
        const [left, right] = [items[at * 2 + 1], items[at * 2 + 2]];
        if (left === undefined) break;
        const goRight = right !== undefined && before(right, left);
        const child = goRight ? right : left;
        if (!before(child, last)) break;
        items[at] = child;
        at = at * 2 + (goRight ? 2 : 1);
      }
      items[at] = last;
      return top;
    },
  };
}
