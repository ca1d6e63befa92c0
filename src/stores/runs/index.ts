// owns: plans and their revisions, the events of runs, their commands and signals
// knows: the library
// must not know: what follows from an event, who executes a command
export * from './command.ts';
export * from './event.ts';
export * from './plan.ts';
