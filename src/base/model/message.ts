import { z } from 'zod';

/*
 * One conversation with a model, as plain JSON: a transcript stores it as it is, and any provider takes it back, also
 * another one than the one that wrote it.
 */

const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty where `malformed` is set. */
  input: z.record(z.string(), z.unknown()),
  /** What the model wrote as input, where that is no JSON object. Answer it with an error result. */
  malformed: z.string().optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

const toolResultSchema = z.object({
  /** The id of the call that it answers. Every call needs one result, or providers refuse the conversation. */
  id: z.string(),
  name: z.string(),
  text: z.string(),
  isError: z.boolean().default(false),
});
export type ToolResult = z.infer<typeof toolResultSchema>;

const providerOptions = z.record(z.string(), z.record(z.string(), z.json())).optional();
const nativePartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'reasoning']), text: z.string(), providerOptions }),
  z.object({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
    providerOptions,
  }),
]);
export type NativePart = z.infer<typeof nativePartSchema>;

const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  text: z.string(),
  toolCalls: z.array(toolCallSchema),
  /** What only its own provider understands, such as signed reasoning. Other providers get text and calls. */
  native: z.object({ provider: z.string(), content: z.array(nativePartSchema) }).optional(),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

export const modelMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string() }),
  assistantMessageSchema,
  z.object({ role: z.literal('tool'), results: z.array(toolResultSchema) }),
]);
export type ModelMessage = z.infer<typeof modelMessageSchema>;
