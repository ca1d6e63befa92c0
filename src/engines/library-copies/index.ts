// Owns: copies of the library: online backup, verified restore, memory as JSON and back.
// Knows: the library and the tables of sessions and chronicle by name. Must not know: what their rows mean.

export { type Adoptable, adoptLibrary, findAdoptable } from './adopt.ts';
export { backupsOf, compareBackup, findBackup, restoreLibrary, writeBackup } from './backup.ts';
export { exportMemory, importMemory } from './transfer.ts';
