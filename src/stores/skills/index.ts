// Owns: SKILL.md documents of every source as one namespace; a person's trust in them; the lock file.
// Knows: files, git, URLs; nothing of other stores.
// Must not know: who asks, and what a conversation is about.
export { deriveCollections } from './collections.ts';
export {
  loadSkillsConfig,
  repositorySkillFolders,
  type SkillsConfig,
} from './config.ts';
export { reviewRepository, reviewSkills } from './decide.ts';
export { createSkillEngine, type JudgedSkill, labelOf, type Resolution, type SkillEngine } from './engine.ts';
export { lastSegment, plainId } from './ids.ts';
export { compareLock, drift, lockableSkills, readLock, writeLock } from './lock.ts';
export { openSkills, type Skills } from './open.ts';
export { type ResolveWorld, resolveRepositories } from './resolve.ts';
export { respondToSkills } from './respond.ts';
export {
  checkSkills,
  describeSkill,
  describeSources,
  skillDetails,
  sourceState,
} from './review.ts';
export {
  isForeign,
  type SkillDescriptor,
  type SkillDocument,
  type SkillSource,
  skillCollection,
  skillDescriptor,
  skillProblem,
  skillResource,
} from './skill.ts';
export { type CompositeSource, compositeSource } from './sources/composite.ts';
export { embeddedSource } from './sources/embedded.ts';
export { filesystemSource } from './sources/filesystem.ts';
export type { HttpGet } from './sources/guarded-get.ts';
export { memorySource } from './sources/memory.ts';
export { mayEnter } from './trust.ts';
export { type PreparedTurn, prepareTurn, resolvedEvent, skillEvent } from './turn.ts';
