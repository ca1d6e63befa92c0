// owns: what follows from an event of a run, which plans may run, the tasks of a plan on the work board
// knows: stores/runs, stores/work
// must not know: clocks, databases, who executes a command
export { type Board, createBoard } from './board.ts';
export { writeBoard } from './board-tasks.ts';
export { completeTouches } from './complete-touches.ts';
export * from './decide/index.ts';
export { estimatePlan, type PlanEstimate } from './estimate.ts';
export { copyEvents } from './messages.ts';
export { checkPlan, type PlanProblem } from './plan-check.ts';
export { parsePlanText, problemText, readPlan } from './plan-text.ts';
export { isPlainWord, phaseOfRun, readSpoken } from './spoken.ts';
export { createStory, tellStory } from './story.ts';
export { findOpenRun, openRuns, taskListener } from './task-listener.ts';
export { waitingShare } from './waiting.ts';
