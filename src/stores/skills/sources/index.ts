// Owns: the sources that reach a network. Knows: files, git, http. Must not know: configuration.
// A separate entry point, so that a process without such a source never loads them.
export { type GitSourceOptions, gitSource } from './git.ts';
export { type HttpSourceOptions, httpSource } from './http.ts';
