export { requireRemote, requireRevision } from './arguments.ts';
export { createGit, type Git, type GitOptions, type GitRunOptions } from './git.ts';
export { findRepository, type Repository } from './repository.ts';
