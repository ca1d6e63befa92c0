// owns: what can be set about agents; apart from the engine, because every start reads it
// knows: base/config
// must not know: the engine
import { z } from 'zod';
import { configSection, userKey } from '../../../base/config/index.ts';

/** What a call has to match; everything that is given has to. */
export const ruleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  tool: z.string().optional().describe('name of a tool'),
  effect: z.enum(['read', 'change', 'command', 'library', 'fetch', 'end']).optional(),
  command: z.string().optional().describe('the first words of a command'),
  path: z.string().optional().describe('a pattern for files, such as src/**'),
  host: z.string().optional().describe('a host, or *.example.org'),
});
export type Rule = z.output<typeof ruleSchema>;

/** Commands around prompts and tools, in the shape that users of Claude Code have. */
export const commandHooksSchema = z.partialRecord(
  z.enum(['PreToolUse', 'PostToolUse', 'UserPromptSubmit']),
  z.array(
    z.strictObject({
      matcher: z.string().max(500).default('*').describe('names of tools, such as Edit|Write; * for all'),
      hooks: z.array(
        z.strictObject({
          type: z.literal('command'),
          command: z.string().min(1),
          timeout: z.number().positive().max(600).default(60).describe('seconds'),
        }),
      ),
    }),
  ),
);
export type CommandHooks = z.output<typeof commandHooksSchema>;

/** A coding agent that speaks the Agent Client Protocol and is not among the known ones. */
const externalAgentSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).describe('program and arguments'),
  hosts: z.array(z.string()).default([]).describe('hosts that it may reach'),
  environment: z.record(z.string(), z.string()).default({}),
});

/** The person's own file only: a repository decides nothing about what its agents may do. */
export const agentsSection = configSection('agents', {
  rules: userKey(z.array(ruleSchema).default([]), 'what agents may do, have to ask for, or may not do'),
  hooks: userKey(commandHooksSchema.default({}), 'commands to run before and after what agents do'),
  ask_minutes: userKey(
    z.number().positive().max(1440).default(10),
    'how long an agent waits for an answer before it is taken for a no',
  ),
  engineer: userKey(
    z.string().default(''),
    'the coding agent that works where none is named (`sylk agents` lists them); empty for our own loop',
  ),
  external: userKey(
    z.record(z.string(), externalAgentSchema).default({}),
    'other coding agents that speak the Agent Client Protocol, by a name of yours',
  ),
  hosts: userKey(
    z.array(z.string()).default([]),
    'hosts that coding agents may reach beside those of their provider; 127.0.0.1:PORT for a model on this machine',
  ),
  unconfined: userKey(
    z.boolean().default(false),
    'coding agents run without a sandbox, with your home directory and your network',
  ),
  notify: userKey(
    z
      .string()
      .regex(/^(desktop|https?:\/\/.+)?$/, 'desktop, or a URL')
      .default(''),
    'where you are told that a run needs you or has ended: desktop, or a URL that gets it as JSON',
  ),
  leg_minutes: userKey(
    z.number().positive().max(1440).default(60),
    'how long a coding agent may work at once',
  ),
  silent_minutes: userKey(
    z.number().positive().max(1440).default(10),
    'how long a coding agent may say nothing while none of its calls is under way',
  ),
  answer_seconds: userKey(
    z.number().positive().max(3600).default(90),
    'how long a coding agent may take to start and to open a session',
  ),
  include: userKey(
    z.array(z.string().min(1).max(300)).max(100).default([]),
    'ignored files with secrets that agents may see all the same, where .worktreeinclude names them too: .env.test',
  ),
  tree_megabytes: userKey(
    z.number().int().min(10).max(10_000_000).default(4000),
    'what the working copy of one agent may take on the disk before you are asked; installed packages do not count',
  ),
  leg_calls: userKey(
    z.number().int().positive().max(10_000).default(200),
    'calls that a coding agent may make before you are asked',
  ),
});
