import type { AtomRecord, ChangelogRecord, MoleculeRecord } from './area.ts';
import type { AtomRow, ChangelogRow, MoleculeRow } from './tables.ts';

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
