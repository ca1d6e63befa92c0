// owns: what follows from an event of a run, which plans may run
// knows: the records of stores/runs
// must not know: clocks, databases, who executes a command
export * from './decide/index.ts';
export { copyEvents } from './messages.ts';
export { checkPlan } from './plan-check.ts';
export { parsePlanText, readPlan } from './plan-text.ts';
export { tellStory } from './story.ts';
