import { messageOf, SylkError } from '../../base/errors.ts';
import type { ModelMessage, ModelReply } from '../../base/model/index.ts';
import type { Role } from '../../stores/roles/index.ts';
import type { StepCall } from '../../stores/transcripts/index.ts';
import type { Brief, ToolAnswer, WorkTool } from './worker.ts';

export const hookPriority = { first: 0, early: 25, normal: 50, late: 75, last: 100 } as const;
export type HookPriority = keyof typeof hookPriority;

/** What a model is about to be asked. */
export interface PromptData {
  brief: Brief;
  instructions: string;
  messages: ModelMessage[];
  tools: WorkTool[];
  /** Set by a hook that knows the answer: the model is not asked. */
  skip?: ModelReply | undefined;
}

export interface AnswerData {
  brief: Brief;
  reply: ModelReply;
  /** US dollars; undefined where the price is unknown. */
  cost: number | undefined;
}

/** A call that is about to be made. */
export interface CallData {
  brief: Brief;
  call: StepCall;
  tool: WorkTool;
  /** Set by a hook that knows the result: the tool is not run. Policy judges the call all the same. */
  skip?: ToolAnswer | undefined;
  /** Set by a hook that wants a person to decide. */
  ask?: string | undefined;
}

export interface ResultData extends CallData {
  answer: ToolAnswer;
}

/** Data in, changed data out; nothing returned leaves it as it was. A thrown error before a call refuses it. */
export interface Hooks {
  pre_prompt: PromptData;
  post_prompt: AnswerData;
  pre_tool: CallData;
  post_tool: ResultData;
}
export type HookKind = keyof Hooks;

export interface Hook<Kind extends HookKind> {
  name: string;
  priority: HookPriority;
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
  run(data: Hooks[Kind], signal: AbortSignal): Promise<Hooks[Kind] | void>;
}

export type HookTable = { [Kind in HookKind]: Array<Hook<Kind>> };

/** All hooks of several tables; those of an earlier table go first among equals. */
export const joinHooks = (...tables: Array<Partial<HookTable>>): HookTable => ({
  pre_prompt: tables.flatMap((table) => table.pre_prompt ?? []),
  post_prompt: tables.flatMap((table) => table.post_prompt ?? []),
  pre_tool: tables.flatMap((table) => table.pre_tool ?? []),
  post_tool: tables.flatMap((table) => table.post_tool ?? []),
});

/** Those that the role names, and every hook that is not one of ours: commands of the person run in any role. */
export const hooksOf = (role: Pick<Role, 'hooks'> | undefined, table: HookTable): HookTable => {
  const isWanted = ({ name }: { name: string }) =>
    !role || !/^[a-z_]+$/.test(name) || role.hooks.includes(name);
  return {
    pre_prompt: table.pre_prompt.filter(isWanted),
    post_prompt: table.post_prompt.filter(isWanted),
    pre_tool: table.pre_tool.filter(isWanted),
    post_tool: table.post_tool.filter(isWanted),
  };
};

/**
 * Runs the hooks of one kind by priority, those of the same priority as they were registered. A failure before a call makes
 * the call fail; one after it is reported, and the result stands. Once a hook has skipped the call, the rest are not run.
 */
export async function runHooks<Kind extends HookKind>(
  table: HookTable,
  kind: Kind,
  data: Hooks[Kind],
  { signal, report }: { signal: AbortSignal; report(line: string): void },
): Promise<Hooks[Kind]> {
  const isBefore = kind === 'pre_prompt' || kind === 'pre_tool';
  const hooks = table[kind].toSorted((a, b) => hookPriority[a.priority] - hookPriority[b.priority]);
  let current = data;
  for (const hook of hooks) {
    try {
      current = (await hook.run(current, signal)) ?? current;
    } catch (error) {
      if (signal.aborted) throw error;
      if (isBefore) throw refusalOf(hook.name, error);
      report(`hook ${hook.name}: ${messageOf(error)}`);
    }
    if (isBefore && 'skip' in current && current.skip !== undefined) break;
  }
  return current;
}

function refusalOf(name: string, error: unknown): SylkError {
  if (error instanceof SylkError) return error;
  return new SylkError('DENIED', `The hook ${name} failed: ${messageOf(error)}`, {
    hint: 'What it stands before is not done while it fails.',
  });
}
