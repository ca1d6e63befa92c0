import { SylkError } from '../../base/errors.ts';
import { modelError } from '../../base/model/index.ts';
import type { HookTable } from './hooks.ts';
import type { Brief } from './worker.ts';

/** What the hooks of the product do something with. */
export interface HookServices {
  /** How this agent's session stands, in words. */
  sessionContext(brief: Brief): Promise<string>;
  /** What went wrong before with something like this task; '' where nothing did. */
  history(brief: Brief): Promise<string>;
  log(about: string, facts: Record<string, unknown>): void;
  /** Writes an entry of the agent into the memory of its session. */
  remember(brief: Brief, category: string, text: string): Promise<void>;
  trackFile(brief: Brief, path: string, how: 'read' | 'modified'): Promise<void>;
  setStep(brief: Brief, step: string): Promise<void>;
  window: number;
  countTokens(text: string): number;
  session(brief: Brief): string;
}

/** The hooks that every agent of ours has, under the names that the design gives them. */
export const standardHooks = (services: HookServices): HookTable => ({
  pre_prompt: promptHooks(services),
  post_prompt: answerHooks(services),
  pre_tool: callHooks(services),
  post_tool: resultHooks(services),
});

const promptHooks = (services: HookServices): HookTable['pre_prompt'] => [
  {
    name: 'session_context_injection',
    priority: 'first',
    run: async (data) => {
      const context = await services.sessionContext(data.brief);
      return context === '' ? data : { ...data, instructions: `${data.instructions}\n\n${context}` };
    },
  },
  {
    name: 'history_injection',
    priority: 'normal',
    run: async (data) => {
      const history = await services.history(data.brief);
      return history === '' ? data : { ...data, instructions: `${data.instructions}\n\n${history}` };
    },
  },
  {
    name: 'token_budget_check',
    priority: 'last',
    run: async ({ instructions, messages, tools }) => {
      const described = tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      const tokens = services.countTokens(JSON.stringify([instructions, messages, described]));
      if (tokens > services.window)
        throw modelError(
          'context_full',
          `The request has ${tokens} tokens; the model takes ${services.window}.`,
        );
    },
  },
];

const answerHooks = (services: HookServices): HookTable['post_prompt'] => [
  {
    name: 'response_logging',
    priority: 'normal',
    run: async ({ brief, reply }) =>
      services.log('answer', {
        run: brief.run,
        finish: reply.finish,
        calls: reply.toolCalls.map(({ name }) => name),
      }),
  },
  {
    name: 'pattern_extraction',
    priority: 'late',
    run: async ({ brief, reply }) => {
      for (const [, text = ''] of reply.text.matchAll(/^(?:pattern|convention):\s*(.{10,300})$/gim))
        await services.remember(brief, 'pattern', text.trim());
    },
  },
  {
    name: 'token_accounting',
    priority: 'last',
    run: async ({ brief, reply, cost }) =>
      services.log('tokens', { run: brief.run, ...reply.usage, usd: cost }),
  },
];

const callHooks = (services: HookServices): HookTable['pre_tool'] => [
  {
    name: 'permission_check',
    priority: 'first',
    run: async ({ brief, tool }) => {
      const isConsulted = ['librarian', 'archivalist', 'academic'].includes(brief.role);
      if (isConsulted && tool.effect !== 'read' && tool.effect !== 'end')
        throw new SylkError('DENIED', `The ${brief.role} only reads.`);
    },
  },
  {
    name: 'parameter_validation',
    priority: 'early',
    run: async ({ call, tool }) => {
      const { required } = tool.inputSchema;
      const missing = Array.isArray(required)
        ? required.filter((name) => !(String(name) in renamed(call.input)))
        : [];
      if (missing.length > 0)
        throw new SylkError('VALIDATION_ERROR', `${tool.name} needs ${missing.join(', ')}.`);
    },
  },
  {
    name: 'session_scoping',
    priority: 'late',
    run: async (data) => {
      const { properties } = data.tool.inputSchema;
      const takesSession = typeof properties === 'object' && properties !== null && 'session' in properties;
      if (data.tool.effect !== 'library' || !takesSession) return undefined;
      const input = { ...data.call.input, session: services.session(data.brief) };
      return { ...data, call: { ...data.call, input } };
    },
  },
];

/** Inputs under the names that other clients use count too. */
const renamed = (input: Record<string, unknown>): Record<string, unknown> => ({
  ...input,
  ...('old_string' in input ? { old_content: input['old_string'] } : {}),
  ...('new_string' in input ? { new_content: input['new_string'] } : {}),
  ...('file_path' in input ? { path: input['file_path'] } : {}),
});

const resultHooks = (services: HookServices): HookTable['post_tool'] => [
  {
    name: 'result_logging',
    priority: 'first',
    run: async ({ brief, call, answer }) =>
      services.log('result', { run: brief.run, tool: call.name, failed: answer.isError ?? false }),
  },
  {
    name: 'file_operation_tracking',
    priority: 'early',
    run: async ({ brief, call, tool, answer }) => {
      const path = call.input['path'] ?? call.input['file_path'];
      if (answer.isError || typeof path !== 'string') return;
      if (tool.effect === 'change') await services.trackFile(brief, path, 'modified');
    },
  },
  {
    name: 'file_tracking',
    priority: 'early',
    run: async ({ brief, answer }) => {
      if (answer.read) await services.trackFile(brief, answer.read.path, 'read');
    },
  },
  {
    name: 'consultation_logging',
    priority: 'normal',
    run: async ({ brief, call }) => {
      const [, who] = /^consult_(\w+)$/.exec(call.name) ?? [];
      const query = call.input['question'] ?? call.input['query'];
      if (who) await services.remember(brief, 'timeline', `Consulted ${who}: ${String(query ?? '')}`);
    },
  },
  {
    name: 'state_update',
    priority: 'late',
    run: async ({ brief, call }) => services.setStep(brief, call.name),
  },
];
