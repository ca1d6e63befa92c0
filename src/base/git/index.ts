export { requireRemote, requireRevision } from './arguments.ts';
export { createGit, createOwnGit, type Git, type GitRunOptions, isOverMemory } from './git.ts';
export { graftMark, hasReplacedObjects, isPartialClone, readHead } from './head.ts';
export { readObjects } from './read-objects.ts';
export { findRepository, type Repository } from './repository.ts';
