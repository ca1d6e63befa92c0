import { messageOf, SylkError } from '../../base/errors.ts';
import {
  contextTokens,
  costOf,
  countedBy,
  type ModelReply,
  type ModelRequest,
  modelErrorKind,
  retryAtOf,
} from '../../base/model/index.ts';
import { answersOf, instructionsFor } from './brief-text.ts';
import { type PromptData, runHooks } from './hooks.ts';
import type { Loop } from './loop-state.ts';
import { handOver, keepToWindow } from './memory-policy.ts';
import type { WorkResult } from './worker.ts';

/** Asks the model once, and writes down what it said. Answers an ending where it can't be asked. */
export async function askModel(loop: Loop): Promise<WorkResult | undefined> {
  const { context, hooks, model, record } = loop;
  const full = await keepToWindow(loop);
  if (full) return full;
  try {
    const hooking = hookContext(loop);
    const data = await runHooks(hooks, 'pre_prompt', promptOf(loop), hooking);
    const reply = data.skip ?? (await stream(loop, data));
    const price = data.skip ? 0 : costOf(model.price, reply.usage);
    await record({
      kind: 'said',
      text: reply.text,
      calls: reply.toolCalls,
      finish: reply.finish,
      answers: answersOf(loop.conversation.asked, reply.text),
      usage: reply.usage,
      context: contextTokens(reply),
      cost: price,
      native: reply.message.native,
    });
    await runHooks(hooks, 'post_prompt', { brief: loop.brief, reply, cost: price }, hooking);
    return undefined;
  } catch (error) {
    return endingFor(error, loop, context.signal);
  }
}

export const hookContext = ({ context, record }: Loop) => ({
  signal: context.signal,
  report: (line: string) => void record({ kind: 'note', about: 'hook', text: line }).catch(() => undefined),
});

/** Tools are added by the hook skill_loading. */
const promptOf = ({ brief, context, conversation }: Loop): PromptData => ({
  brief,
  instructions: instructionsFor(brief, context.role?.prompt),
  messages: conversation.messages,
  tools: [],
});

async function stream(loop: Loop, { instructions, messages, tools }: PromptData): Promise<ModelReply> {
  const { model, context, record } = loop;
  await record({ kind: 'asking', tools: tools.map(({ name }) => name) });
  const request: ModelRequest = {
    instructions,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    signal: context.signal,
    counted: loop.counted,
    onDelta: context.onDelta,
  };
  const reply = await model.stream(request);
  loop.counted = countedBy(request, reply);
  return reply;
}

/** How a leg ends when a model can't be asked. Limits are states, not failures; what nobody foresaw is thrown on. */
async function endingFor(error: unknown, loop: Loop, signal: AbortSignal): Promise<WorkResult> {
  const { cost } = loop.conversation;
  const kind = modelErrorKind(error);
  if (signal.aborted || kind === 'cancelled') throw error;
  if (error instanceof SylkError && error.code === 'BUDGET_EXCEEDED')
    return { result: 'asks', question: `${error.message} Raise the budget, or say how to go on.`, cost };
  if (kind === 'context_full') return handOver(loop, { isRefused: true });
  if (kind === 'refused') return { result: 'asks', question: `The model refused: ${messageOf(error)}`, cost };
  if (kind === 'rate_limited' || kind === 'overloaded' || kind === 'network' || kind === 'authentication')
    return { result: 'parked', reason: messageOf(error), wake_at: retryAtOf(error), cost };
  if (kind === 'malformed') return { result: 'failed', message: messageOf(error), retryable: true, cost };
  throw error;
}
