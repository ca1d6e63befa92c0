// owns: plans and their revisions, the events of runs, their commands and signals
// knows: the library
// must not know: what follows from an event, who executes a command

export type { Claim } from './claims.ts';
export * from './command.ts';
export * from './event.ts';
export type { Take } from './fold.ts';
export { type FoldedState, runFormat } from './folded-state.ts';
export * from './plan.ts';
export { isConsultedAgent, type RecordedNode } from './recorded.ts';
export { openRuns, type Runs } from './store.ts';
