// owns: one way to a model: provider/model in, one streamed step with its usage and price out
// knows: nothing of ours but errors, clock and files
// must not know: what is asked for, who pays, how many steps an agent takes

export { type ModelErrorKind, modelError, modelErrorKind, retryAtOf, usageIn } from './errors.ts';
export { contextTokens, countedBy, mostInputTokens } from './estimate.ts';
export {
  type AssistantMessage,
  type ModelMessage,
  modelMessageSchema,
  type ToolCall,
  type ToolResult,
} from './message.ts';
export type {
  Model,
  ModelDelta,
  ModelFinish,
  ModelReply,
  ModelRequest,
  ModelTool,
} from './model.ts';
export { createModels, type Models, type RoleTable } from './models.ts';
export { type OpenModelOptions, openModel } from './open.ts';
export { costOf, type ModelUsage, modelUsageSchema, type Price } from './price.ts';
export { traced } from './traced.ts';
