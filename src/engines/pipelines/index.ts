// owns: carrying out the commands of a run: legs by workers, judging by the project's tools, merging
// knows: agents, inspection, worktrees, the state of runs
// must not know: what follows from an outcome, surfaces

export { type Architect, type ArchitectRequest, createArchitect } from './architect.ts';
export { checkCommands } from './check-commands.ts';
export { createExecutors } from './executors.ts';
export { hookServices } from './hook-services.ts';
export { wholeRun } from './judging.ts';
export { branchOf, costText, proposeRun, readResult, startRun } from './one-node.ts';
export { needsYou, notUndone, readRun, type TeamResult } from './run-result.ts';
export { tidyEnded, tidyRun } from './tidy.ts';
