// owns: who executes a command of a run, and that its answer comes back once
// knows: stores/runs
// must not know: what a command means, what follows from its answer

export { openTeamPool } from './dbos.ts';
export { type Execution, type Executors, executorsByRun } from './executors.ts';
export { openPool, type Pool } from './pool.ts';
