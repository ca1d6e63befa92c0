// owns: the way from a question to an answer that can be believed: levels, trust, freshness, conflicts, citations, and the check of what is remembered
// knows: the shapes of stores; recall, the graph and the caches through arguments
// must not know: surfaces, operations, other engines
export type { Answer, FoundCard, SourceFacts } from './answer.ts';
export { conflictLine } from './compose.ts';
export { intentOf } from './intent.ts';
export type { Judged } from './judge.ts';
export { kindOfFile, trustOf } from './mitigations/trust.ts';
export { type AskOptions, createResolver, type ResolverParts } from './resolve.ts';
