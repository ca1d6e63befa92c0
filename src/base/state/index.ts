// Owns: where the state of a repository is kept, and which state directories this person made.
// Knows: files. Must not know: what the state holds.

export { locateState, type State } from './locate.ts';
export { followWorktree } from './moved-worktree.ts';
export { registeredRepositories } from './register.ts';
