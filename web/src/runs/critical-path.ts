import type { RunNode } from './stage.ts';

/** The longest chain of nodes that wait for each other: nothing makes a run shorter than it. */
export function criticalPath(nodes: Array<Pick<RunNode, 'id' | 'depends_on'>>): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<string, string[]>();
  const chainTo = (id: string, seen: string[]): string[] => {
    const found = known.get(id);
    if (found) return found;
    const before = (byId.get(id)?.depends_on ?? []).filter(
      (other) => byId.has(other) && !seen.includes(other),
    );
    const chains = before.map((other) => chainTo(other, [...seen, other]));
    const longest = chains.reduce<string[]>((best, chain) => (chain.length > best.length ? chain : best), []);
    const chain = [...longest, id];
    known.set(id, chain);
    return chain;
  };
  return nodes
    .map(({ id }) => chainTo(id, [id]))
    .reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}
