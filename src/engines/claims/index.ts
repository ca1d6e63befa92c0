// Owns: claims that a text makes about the code, and whether the code confirms them.
// Knows: stores. Must not know: surfaces, operations, other engines.
export type { Claim } from './claim.ts';
export { createCodeEvidence } from './code-evidence.ts';
export { disagree } from './contradiction.ts';
export type { CodeEvidence, Place } from './evidence.ts';
export { type CheckedClaim, checkText, verifyText } from './firewall.ts';
export { isPath } from './names.ts';
export { createGate, type RememberedText } from './stored-entries.ts';
