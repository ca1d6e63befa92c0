import type { z } from 'zod';
import type { pathContextData } from './data.ts';

export type ShownContext = z.output<typeof pathContextData>;
type ShownAtom = ShownContext['orphanAtoms'][number];

/** Area knowledge as a terminal or a model reads it. */
export function contextText(context: ShownContext): string {
  const lines: string[] = [];
  for (const molecule of context.molecules) {
    lines.push(`${molecule.name}`, ...indent(molecule.knowledge));
    for (const atom of molecule.atoms) lines.push(...indent(atomText(atom)));
    lines.push('');
  }
  for (const atom of context.orphanAtoms) lines.push(atomText(atom), '');
  if (context.unmatchedPaths.length > 0)
    lines.push('No area knows these files:', ...context.unmatchedPaths.map((path) => `  ${path}`));
  return lines.join('\n').trimEnd() || 'Nothing is known about these files.';
}

export function atomText(atom: ShownAtom): string {
  const lines = [`${atom.name}  [${atom.matchedPaths.join(', ')}]`, ...indent(atom.knowledge)];
  if (atom.knowledgeTruncated) lines.push(`  … more: query_graph get atom ${atom.id}`);
  for (const related of atom.relatedAtoms)
    lines.push(`  → ${related.name ?? `${related.atomId} (gone)`}: ${related.reason}`);
  for (const entry of atom.changelog ?? []) lines.push(`  ${entry.createdAt.slice(0, 10)}  ${entry.summary}`);
  if (atom.staleness?.state === 'stale')
    lines.push(
      `  ! ${atom.staleness.commits} commit(s) touched its files since ${atom.staleness.since.slice(0, 10)}`,
    );
  return lines.join('\n');
}

const indent = (text: string): string[] => (text === '' ? [] : text.split('\n').map((line) => `  ${line}`));
