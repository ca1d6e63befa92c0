// owns: the way of a message to an agent and back: queues, turns, attempts, dead letters, the trace. knows: the store of messages. must not know: what agents do, who answers a question.
export { type BusOptions, createBus } from './bus.ts';
export { type Bus, type BusTime, type Hop, systemTime } from './contract.ts';
export {
  notifyPerson,
  type QuestionPayload,
  requestTypes,
  sessionListener,
  specialistListener,
  storeListener,
} from './listeners.ts';
export type { SessionInfo } from './session-access.ts';
export { createTraceFile, streamHops, type TraceFile } from './trace.ts';
