import { sql } from 'kysely';
import { texts } from '../../base/library/index.ts';
import type { AtomRecord } from './area.ts';
import { type AreasContext, tablesOf } from './context.ts';

/** Names of related atoms as they are now; null says that the other end is gone. */
export async function withNames(context: AreasContext, atoms: AtomRecord[]): Promise<AtomRecord[]> {
  const wanted = new Set(atoms.flatMap((atom) => atom.relatedAtoms.map((related) => related.atomId)));
  if (wanted.size === 0) return atoms;
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM graph_atoms WHERE id IN ${texts(wanted)}`.execute(tablesOf(context));
  const names = new Map(rows.map((row) => [row.id, row.name]));
  return atoms.map((atom) => ({
    ...atom,
    relatedAtoms: atom.relatedAtoms.map((related) => ({
      ...related,
      name: names.get(related.atomId) ?? null,
    })),
  }));
}
