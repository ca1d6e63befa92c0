// owns: how Librarian, Archivalist and Academic answer without a model. knows: base. must not know: stores and other engines (what they search comes as arguments), the bus.
export { createAcademic } from './academic.ts';
export { type ArchivalistParts, type CommitRange, createArchivalist } from './archivalist.ts';
export type { Found, Knower, KnowerAnswer, KnowerQuestion } from './knower.ts';
export { type AskRepository, createLibrarian } from './librarian.ts';
export { answerByStructure, type LookedUp, type Structure, type StructureParts } from './structure.ts';
