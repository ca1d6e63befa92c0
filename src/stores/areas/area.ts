import { z } from 'zod';
import type { AtomRow, ChangelogRow, MoleculeRow } from './tables.ts';

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
  /** When its knowledge was last written. */
  knowledgeAt: z.string(),
  moleculeId: z.string().nullable(),
  paths: z.array(z.string()),
  relatedAtoms: z.array(relatedAtom),
});

export type ChangelogRecord = z.infer<typeof changelogRecord>;
export type MoleculeRecord = z.infer<typeof moleculeRecord>;
export type AtomRecord = z.infer<typeof atomRecord>;
export type AreaKind = 'atom' | 'molecule';

const baseOf = (row: AtomRow | MoleculeRow) => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  knowledge: row.knowledge,
  createdByTaskId: row.created_by_task_id,
  lastTaskId: row.last_task_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const moleculeOf = (row: MoleculeRow): MoleculeRecord => ({
  ...baseOf(row),
  relatedMolecules: JSON.parse(row.related_molecules),
});

export const atomOf = (row: AtomRow): AtomRecord => ({
  ...baseOf(row),
  knowledgeAt: row.knowledge_at ?? row.updated_at,
  moleculeId: row.molecule_id,
  paths: JSON.parse(row.paths),
  relatedAtoms: JSON.parse(row.related_atoms),
});

export const changelogOf = (row: Omit<ChangelogRow, 'seq'>): ChangelogRecord => ({
  id: row.id,
  parentType: row.parent_type,
  parentId: row.parent_id,
  taskId: row.task_id,
  summary: row.summary,
  createdAt: row.created_at,
});
