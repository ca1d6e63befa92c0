// owns: what an agent does in one leg of a node: the loop over a model, its tools, hooks, policy, transcript
// knows: models, worktrees, transcripts, approvals, the sandbox
// must not know: plans, what follows from a leg, surfaces

export { commandHooks } from './command-hooks.ts';
export { confineTo } from './confine.ts';
export { type Consulted, consult, depths, firstTokens, storedAs, wants } from './consult.ts';
export { createExternalAgents, type ExternalAgents } from './external/external-agents.ts';
export { joinHooks } from './hooks.ts';
export { includedForAgents } from './included.ts';
export { type LegRequest, runLeg } from './leg.ts';
export { createOwnWorker } from './own-worker.ts';
export { createPermits, type Permits } from './permits.ts';
export { type HookServices, standardHooks } from './standard-hooks.ts';
export { createRenderer } from './tools/render.ts';
export type { Brief, Worker, WorkTool } from './worker.ts';
