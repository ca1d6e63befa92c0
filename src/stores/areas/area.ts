import { z } from 'zod';

const related = { reason: z.string(), name: z.string().nullable().optional() };
export const relatedAtom = z.object({ atomId: z.string(), ...related });
export const relatedMolecule = z.object({ moleculeId: z.string(), ...related });

export const changelogRecord = z.object({
  id: z.string(),
  parentType: z.enum(['atom', 'molecule']),
  parentId: z.string(),
  taskId: z.string(),
  summary: z.string(),
  createdAt: z.string(),
});

const base = {
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  knowledge: z.string(),
  createdByTaskId: z.string(),
  lastTaskId: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  changelog: z.array(changelogRecord).optional(),
};

export const moleculeRecord = z.object({ ...base, relatedMolecules: z.array(relatedMolecule) });
export const atomRecord = z.object({
  ...base,
  moleculeId: z.string().nullable(),
  paths: z.array(z.string()),
  relatedAtoms: z.array(relatedAtom),
});

export type ChangelogRecord = z.infer<typeof changelogRecord>;
export type MoleculeRecord = z.infer<typeof moleculeRecord>;
export type AtomRecord = z.infer<typeof atomRecord>;
export type AreaKind = 'atom' | 'molecule';
