import type { z } from 'zod';
import { defaultReplyTokens } from '../../base/paging.ts';
import { fitsTokens } from '../../base/tokens.ts';
import type { pathContextData } from './data.ts';

export type ShownContext = z.output<typeof pathContextData>;
type ShownAtom = ShownContext['orphanAtoms'][number];

/** Renders area knowledge for a terminal or a model. */
export function contextText(context: ShownContext): string {
  const lines: string[] = [];
  for (const molecule of context.molecules) {
    lines.push(`${molecule.name}`, ...indent(molecule.knowledge));
    for (const atom of molecule.atoms) lines.push(...indent(atomText(atom)));
    lines.push('');
  }
  for (const atom of context.orphanAtoms) lines.push(atomText(atom), '');
  if (context.unmatchedPaths.length > 0)
    lines.push('These files belong to no area:', ...context.unmatchedPaths.map((path) => `  ${path}`));
  return lines.join('\n').trimEnd() || 'No area covers these files.';
}

export function atomText(atom: ShownAtom): string {
  const lines = [`${atom.name}  [${atom.matchedPaths.join(', ')}]`, ...indent(atom.knowledge)];
  if (atom.knowledgeTruncated) lines.push(`  … more: sylk areas show ${atom.id}`);
  for (const related of atom.relatedAtoms)
    lines.push(`  → ${related.name ?? `${related.atomId} (gone)`}: ${related.reason}`);
  for (const entry of atom.changelog ?? []) lines.push(`  ${entry.createdAt.slice(0, 10)}  ${entry.summary}`);
  if (atom.staleness?.state === 'stale')
    lines.push(
      `  ! stale: ${atom.staleness.commits} commit(s) touched its files since ${atom.staleness.since.slice(0, 10)}`,
    );
  return lines.join('\n');
}

const indent = (text: string): string[] => (text === '' ? [] : text.split('\n').map((line) => `  ${line}`));

/** Shortens long knowledge until the reply fits. Every matched area stays and says how to read the rest. */
export async function fitContext(
  context: ShownContext,
  maxTokens = defaultReplyTokens,
): Promise<ShownContext> {
  for (const [characters, entries] of [
    [Number.POSITIVE_INFINITY, 100],
    [4000, 3],
    [1500, 2],
    [600, 1],
    [240, 0],
    [80, 0],
  ] as const) {
    const shorter = shorten(context, characters, entries);
    if (await fitsTokens(JSON.stringify(shorter), maxTokens)) return shorter;
  }
  return shorten(context, 0, 0);
}

function shorten(context: ShownContext, characters: number, entries: number): ShownContext {
  const cut = <T extends { knowledge: string; changelog?: unknown[] | undefined }>(one: T): T => ({
    ...one,
    knowledge: one.knowledge.slice(0, characters),
    knowledgeTruncated: one.knowledge.length > characters || undefined,
    changelog: one.changelog?.slice(0, entries),
  });
  return {
    molecules: context.molecules.map((molecule) => ({ ...cut(molecule), atoms: molecule.atoms.map(cut) })),
    orphanAtoms: context.orphanAtoms.map(cut),
    unmatchedPaths: context.unmatchedPaths,
  };
}
