// owns: the terminal that stays open: conversation with the Guide, runs, what waits for the person
// knows: operations, in a thread of their own
// must not know: stores, engines
export { openTerminal } from './open.ts';
