import { defaultReplyTokens } from '../../base/paging.ts';
import { fitsTokens } from '../../base/tokens.ts';
import type { ShownContext } from './text.ts';

/** Shortens long knowledge until the reply fits; every matched area stays, and says where the rest is. */
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
    ...(one.knowledge.length > characters
      ? { knowledge: one.knowledge.slice(0, characters), knowledgeTruncated: true }
      : {}),
    ...(one.changelog ? { changelog: one.changelog.slice(0, entries) } : {}),
  });
  return {
    molecules: context.molecules.map((molecule) => ({ ...cut(molecule), atoms: molecule.atoms.map(cut) })),
    orphanAtoms: context.orphanAtoms.map(cut),
    unmatchedPaths: context.unmatchedPaths,
  };
}
