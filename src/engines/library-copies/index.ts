// Owns: copies of the library: online backup, verified restore, memory as JSON and back.
// Knows: the library, the tables of sessions and chronicle by name, and which columns say who wrote a row.
// Must not know: what else their rows mean.

export { type Adoptable, adoptLibrary, findAdoptable } from './adopt.ts';
export { backupsOf, compareBackup, findBackup, restoreLibrary, writeBackup } from './backup.ts';
export { copyLibrary } from './copy.ts';
export { claimedAuthors } from './imported.ts';
export { exportMemory, importMemory, requireExport } from './transfer.ts';
