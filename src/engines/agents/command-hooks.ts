import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { runProcess } from '../../base/process/index.ts';
import { redact, redactValue } from '../../base/redact.ts';
import type { CommandHooks } from './config/index.ts';
import type { HookTable } from './hooks.ts';

/** The names that users of Claude Code know our tools by. */
const otherNames: Record<string, string> = {
  read_file: 'Read',
  write_file: 'Write',
  edit_file: 'Edit',
  run_command: 'Bash',
};

const answerSchema = z.object({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .object({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      additionalContext: z.string().optional(),
    })
    .optional(),
});
type HookAnswer = z.output<typeof answerSchema>;

/**
 * The person's own commands as hooks. A command gets JSON on standard input. Exit code 2 refuses the call, with standard error
 * as the reason; 0 lets it pass, and JSON on standard output can deny it, ask for it, or change its input. Any other code is
 * reported and stops nothing. What a command allows is still judged by policy.
 */
export function commandHooks(settings: CommandHooks, cwd: () => string): Partial<HookTable> {
  const run = async (event: keyof CommandHooks, tool: string, given: object, signal: AbortSignal) => {
    const answers: HookAnswer[] = [];
    for (const { matcher, hooks } of settings[event] ?? []) {
      if (tool !== '' && !matchesTool(matcher, tool)) continue;
      for (const { command, timeout } of hooks)
        answers.push(await runOne({ command, timeout, event, given, cwd: cwd(), signal }));
    }
    return answers;
  };
  return {
    pre_prompt: [
      {
        name: 'UserPromptSubmit',
        priority: 'early',
        run: async (data, signal) => {
          // Once for each thing that the agent is told, not for each step.
          const last = data.messages.at(-1);
          if (last?.role !== 'user') return undefined;
          const answers = await run('UserPromptSubmit', '', { prompt: last.text }, signal);
          const context = answers.flatMap(
            ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext ?? [],
          );
          if (context.length === 0) return undefined;
          return { ...data, instructions: [data.instructions, ...context].join('\n\n') };
        },
      },
    ],
    pre_tool: [
      {
        name: 'PreToolUse',
        priority: 'normal',
        run: async (data, signal) => {
          const { name, input } = data.call;
          const given = { tool_name: otherNames[name] ?? name, tool_input: input };
          let current = data;
          for (const { hookSpecificOutput } of await run('PreToolUse', name, given, signal)) {
            const { permissionDecision, permissionDecisionReason, updatedInput } = hookSpecificOutput ?? {};
            if (updatedInput) current = { ...current, call: { ...current.call, input: updatedInput } };
            if (permissionDecision === 'ask')
              current = { ...current, ask: permissionDecisionReason ?? 'a hook asks' };
          }
          return current;
        },
      },
    ],
    post_tool: [
      {
        name: 'PostToolUse',
        priority: 'normal',
        run: async (data, signal) => {
          const { name, input } = data.call;
          const given = {
            tool_name: otherNames[name] ?? name,
            tool_input: input,
            tool_response: data.answer.text,
          };
          const answers = await run('PostToolUse', name, given, signal);
          const context = answers.flatMap(
            ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext ?? [],
          );
          if (context.length === 0) return undefined;
          return { ...data, answer: { ...data.answer, text: [data.answer.text, ...context].join('\n') } };
        },
      },
    ],
  };
}

async function runOne({
  command,
  timeout,
  event,
  given,
  cwd,
  signal,
}: {
  command: string;
  timeout: number;
  event: string;
  given: object;
  cwd: string;
  signal: AbortSignal;
}): Promise<HookAnswer> {
  const { code, stdout, stderr, timedOut } = await runProcess('sh', ['-c', command], {
    cwd,
    env: { CLAUDE_PROJECT_DIR: cwd },
    input: JSON.stringify(redactValue({ hook_event_name: event, cwd, ...given })),
    timeoutMs: timeout * 1000,
    maxOutputBytes: 1_000_000,
    signal,
  });
  if (timedOut) throw new SylkError('DENIED', `The hook ${command} took longer than ${timeout} s.`);
  if (code === 2) throw new SylkError('DENIED', `A hook refused it: ${redact(stderr.trim()) || command}`);
  const answer = code === 0 ? answerSchema.safeParse(parseJson(stdout.toString('utf8')) ?? {}) : undefined;
  if (!answer?.success) return {};
  const { decision, reason, hookSpecificOutput } = answer.data;
  if (decision === 'block' || hookSpecificOutput?.permissionDecision === 'deny')
    throw new SylkError(
      'DENIED',
      `A hook refused it: ${reason ?? hookSpecificOutput?.permissionDecisionReason ?? command}`,
    );
  return answer.data;
}

function matchesTool(matcher: string, tool: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  return matcher.split('|').some((name) => name.trim() === tool || name.trim() === otherNames[tool]);
}
