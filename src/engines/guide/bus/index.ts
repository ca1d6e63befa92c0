// owns: the way of a message to an agent and back: queues, turns, attempts, dead letters, breakers, the trace. knows: the store of messages. must not know: what agents do, where a question belongs.

export { type BusOptions, createBus } from './bus.ts';
export { type BusTime, systemTime } from './bus-time.ts';
export type {
  Bus,
  Hop,
  Listener,
} from './contract.ts';
export { streamHops } from './live-trace.ts';
export type { SessionStanding } from './membership.ts';
export { createTraceFile, type TraceFile } from './trace-file.ts';
