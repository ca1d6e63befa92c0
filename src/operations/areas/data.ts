import { z } from 'zod';
import { changelogRecord, relatedAtom } from '../../stores/areas/index.ts';

export const areaType = z.enum(['atom', 'molecule']);

export const stalenessData = z.object({
  state: z.enum(['fresh', 'stale', 'unknown']),
  /** Commits that touched the atom's files since its knowledge was last edited. */
  commits: z.number(),
  since: z.string(),
  latest: z.array(z.object({ sha: z.string(), at: z.string(), subject: z.string() })),
});

const knowledge = {
  id: z.string(),
  name: z.string(),
  knowledge: z.string(),
  knowledgeTruncated: z.boolean().optional(),
  version: z.number(),
  changelog: z.array(changelogRecord).optional(),
};

const matchedAtom = z.object({
  ...knowledge,
  paths: z.array(z.string()),
  matchedPaths: z.array(z.string()),
  relatedAtoms: z.array(relatedAtom),
  staleness: stalenessData.optional(),
});

export const pathContextData = z.object({
  molecules: z.array(z.object({ ...knowledge, atoms: z.array(matchedAtom) })),
  orphanAtoms: z.array(matchedAtom),
  unmatchedPaths: z.array(z.string()),
});
