// owns: the route of a message to the agent that answers it and back: queues, retries, dead letters, the trace, routing statistics
// knows: the stores of messages and routings, answers, memory
// must not know: surfaces, operations, what agents do
export { type Bus, type BusOptions, createBus } from './bus.ts';
export { agentHealthSchema, type BusTime, busStatisticsSchema, type Listener } from './contract.ts';
export { createGuide, type Guide } from './guide.ts';
export { describeAgents, guideCommands, helpText } from './help.ts';
export { isQuestion, routedSchema, type TaskReply, takesBack } from './route.ts';
export type { SessionInfo } from './session-access.ts';
export { statusSchema, statusText } from './status.ts';
