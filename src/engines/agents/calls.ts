import { closest } from '../../base/closest.ts';
import { reportOf } from '../../base/errors.ts';
import { hookContext } from './ask-model.ts';
import type { OpenCall } from './conversation.ts';
import { runHooks } from './hooks.ts';
import type { Loop } from './loop-state.ts';
import { contentOf, digestOf } from './tools/files.ts';
import type { Permission, ToolAnswer, ToolContext, WorkTool } from './worker.ts';

/** Answers one call of the model: every call gets exactly one result, whatever becomes of it. */
export async function answerCall(loop: Loop, call: OpenCall): Promise<void> {
  const { toolbox, context } = loop;
  if (call.malformed !== undefined)
    return refuse(loop, call, `The input of ${call.name} was no JSON object. Call it again.`);
  const tool = toolbox.find(call.name);
  if (!tool) return refuse(loop, call, unknownTool(call.name, toolbox.names()));
  if (call.begun && !canRepeat(loop, call, tool)) return settle(loop, call, tool);
  try {
    const answer = await runTool(loop, call, tool);
    await writeResult(loop, call, { ...answer, repeated: call.begun !== undefined });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { message, hint } = reportOf(error);
    await refuse(loop, call, hint ? `${message} ${hint}` : message);
  }
}

const refuse = (loop: Loop, call: OpenCall, text: string): Promise<void> =>
  writeResult(loop, call, { text, isError: true });

function unknownTool(name: string, names: string[]): string {
  const near = closest(name, names);
  return `There is no tool ${JSON.stringify(name.slice(0, 80))}. ${near ? `Did you mean ${near}? ` : ''}Tools: ${names.join(', ')}.`;
}

async function runTool(loop: Loop, call: OpenCall, tool: WorkTool): Promise<ToolAnswer> {
  const { brief, context, hooks, record } = loop;
  const hooking = hookContext(loop);
  const data = await runHooks(hooks, 'pre_tool', { brief, call, tool }, hooking);
  const { input } = data.call;
  await context.permit({ ...permissionOf(tool, input), ask: data.ask });
  if (data.skip) return data.skip;
  const begin = (change?: { path: string; before: string; after: string }) =>
    record({ kind: 'calling', call: call.id, name: tool.name, input, change });
  if (tool.effect !== 'change') await begin();
  const answer = await tool.run(input, toolContext(loop, begin));
  return (await runHooks(hooks, 'post_tool', { ...data, answer }, hooking)).answer;
}

const toolContext = ({ context, conversation }: Loop, announce: ToolContext['announce']): ToolContext => ({
  place: context.place,
  signal: context.signal,
  announce,
  sentOf: (path) => conversation.sent.get(path) ?? [],
});

/** What a call wants, as rules see it. */
function permissionOf(tool: WorkTool, input: Record<string, unknown>): Permission {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  const path = text('path') ?? text('file_path');
  const url = text('url');
  return {
    tool: tool.name,
    effect: tool.effect,
    input,
    paths: path === undefined || tool.effect === 'library' ? undefined : [path.replace(/^(\.\/)+/, '')],
    command: tool.effect === 'command' ? text('command') : undefined,
    hosts: url === undefined || !URL.canParse(url) ? undefined : [new URL(url).hostname],
  };
}

async function writeResult(
  { record }: Loop,
  { id, name }: OpenCall,
  { text, isError = false, untrusted, read, repeated }: ToolAnswer & { repeated?: boolean },
): Promise<void> {
  await record({
    kind: 'result',
    call: id,
    name,
    text,
    isError,
    untrusted: untrusted || undefined,
    read,
    repeated: repeated || undefined,
  });
}

/** A call that was under way when a process ended is made again where that changes nothing, or was not done yet. */
function canRepeat({ context }: Loop, { begun, input }: OpenCall, { effect }: WorkTool): boolean {
  if (effect === 'read' || effect === 'end') return true;
  if (effect !== 'change' || !begun?.change) return false;
  // What was written down has no secrets in it: a call that had some can't be made again from it.
  const isWhole =
    JSON.stringify(begun.input) === JSON.stringify(input) && !JSON.stringify(input).includes('[redacted:');
  return isWhole && currentDigest(context.place, begun.change.path) === begun.change.before;
}

const currentDigest = (place: Loop['context']['place'], path: string): string => {
  const content = contentOf(place, path);
  return content === undefined ? '' : digestOf(content);
};

/** What became of a call that can't be made again, as far as it can be told. */
async function settle(loop: Loop, call: OpenCall, tool: WorkTool): Promise<void> {
  const change = call.begun?.change;
  const isDone = change !== undefined && currentDigest(loop.context.place, change.path) === change.after;
  if (isDone) return writeResult(loop, call, { text: `Changed ${change.path}.`, repeated: true });
  const about = change
    ? `${change.path} may have been changed by halves: read it again.`
    : `It was interrupted: it may have done a part of its work, or all. Look before you run ${tool.name} again.`;
  await writeResult(loop, call, {
    text: `Sylk was ended while this call was under way. ${about}`,
    isError: true,
    repeated: true,
  });
}
