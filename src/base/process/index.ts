export { childEnvironment } from './environment.ts';
export { leaveBehind } from './leave-behind.ts';
export { watchMemory } from './memory.ts';
export { programOnPath } from './on-path.ts';
export { type ChildGroup, endGroup, type RunResult, runProcess, spawnGroup } from './run.ts';
export { isRunning, startTime } from './start-time.ts';
export { runOnTerminal } from './terminal.ts';
