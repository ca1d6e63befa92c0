import { z } from 'zod';
import type { App } from '../app.ts';
import { looseBoolean } from '../base/loose-input.ts';
import { redact } from '../base/redact.ts';
import type { MemoryCaller, StartSources } from '../engines/memory/index.ts';
import type { TaskRecord } from '../stores/work/index.ts';
import { operation } from './operation.ts';

const clientIds = ['claude-code', 'codex', 'gemini', 'opencode'] as const;
const client = z.enum(clientIds).describe('the coding client');
const scope = z
  .enum(['user', 'project'])
  .default('user')
  .describe('your own settings, or a file shared with the team');

const installClientHooks = operation({
  name: 'install_client_hooks',
  summary:
    'Add hooks to a coding client: a briefing when a conversation starts, a record when it ends. The original file is saved. With remove, takes the hooks out again.',
  effect: 'setup',
  idempotent: true,
  destructive: true,
  input: z.object({
    client,
    scope,
    print: looseBoolean.default(false).describe('only show what would be written and where'),
    remove: looseBoolean.default(false),
  }),
  output: z.object({
    client: z.string(),
    path: z.string(),
    changed: z.enum(['added', 'updated', 'unchanged', 'printed', 'removed']),
    result: z.enum(['restored', 'entry removed', 'not installed']).optional().describe('with remove'),
    backup: z.string().optional(),
    text: z.string().optional(),
    notes: z.array(z.string()),
  }),
  examples: [{ client: 'claude-code', print: true }],
  command: { positionals: ['client'] },
  render: ({ client: id, path, changed, backup, text, notes, result }) =>
    text !== undefined
      ? `${path}:\n${text}`
      : [
          result ? `${path}: ${result}` : `${id}: ${changed} in ${path}`,
          ...(backup ? [`original saved as ${backup}`] : []),
          ...notes,
        ].join('\n  '),
  run: async (input, { app }) => {
    const { hooks } = await app.clients();
    if (input.remove)
      return {
        client: input.client,
        changed: 'removed' as const,
        notes: [],
        ...hooks.uninstall(input.client, input.scope),
      };
    if (!input.print) {
      const { scope: _, ...written } = hooks.install(input.client, input.scope);
      return written;
    }
    const { path, after, notes } = hooks.preview(input.client, input.scope);
    return { client: input.client, path, changed: 'printed' as const, text: after, notes };
  },
});

const runClientHook = operation({
  name: 'run_client_hook',
  summary:
    'What a client runs at moments of a conversation: what matters at the start and with the first prompt, a record after a turn and at the end.',
  effect: 'setup',
  idempotent: true,
  input: z.object({
    client,
    event: z.enum(['start', 'prompt', 'turn', 'end']),
    payload: z.record(z.string(), z.unknown()).default({}).describe('what the client says about the moment'),
    tier: z
      .enum(['micro', 'standard', 'full'])
      .default('standard')
      .describe('at the start: 200 tokens at most for micro, 600 for the others'),
  }),
  output: z.object({ reply: z.string(), session_id: z.string().nullable() }),
  examples: [{ client: 'claude-code', event: 'start', payload: { session_id: 'example' } }],
  render: ({ reply }) => reply,
  run: async ({ client: id, event, payload, tier }, { app }) => {
    const { hookClients, hookReply } = await import('../engines/clients/index.ts');
    const known = hookClients.find((each) => each.id === id)!;
    const memory = await app.memory();
    const handle = payload['session_id'];
    const caller: MemoryCaller = {
      kind: 'agent',
      client: known.callers[0]!,
      worktree: app.repository.root,
      conversation: typeof handle === 'string' && handle !== '' ? redact(handle).slice(0, 200) : undefined,
    };
    const session = await memory.conversations.sessionOf(caller, known.callers);
    const answer = { reply: '', session_id: session?.id ?? null };
    if (event === 'start') {
      const own = session ? { ...caller, client: `${session.metadata['client']}` } : caller;
      const sources = startSources(app, known.callers);
      const text = await memory.sessionStart(own, sources, session?.id, tier === 'micro' ? 200 : undefined);
      return { ...answer, reply: hookReply(known, event, text) };
    }
    if (event === 'prompt') {
      const prompt = typeof payload['prompt'] === 'string' ? payload['prompt'] : '';
      const blocks = await skillBlocks(app, prompt);
      const isFirst = await memory.conversations.isFirstPrompt(caller);
      const about = isFirst ? await memory.forPrompt(caller, prompt, session?.id) : '';
      return { ...answer, reply: hookReply(known, event, [...blocks, about].filter(Boolean).join('\n\n')) };
    }
    if (session?.state !== 'active') return answer;
    await memory.conversations.record(session, id);
    if (event === 'end' && session.kind === 'named')
      await memory.suspend(await memory.sessions.get(session.id));
    return answer;
  },
});

const startSources = (app: App, claimants: string[]): StartSources => ({
  git: app.git,
  claimants,
  tasks: async () => {
    const { items } = await (await app.work()).searchContainers({ kind: 'task', limit: 200, offset: 0 });
    return items.filter((item): item is TaskRecord => 'claim' in item);
  },
  topics: async () => (await app.references()).list(),
  skills: async () => (await (await (await app.skills()).engine())?.usableSkills()) ?? [],
});

/** `/skill-ref` in a prompt means that skill, as in a turn of our own. */
async function skillBlocks(app: App, prompt: string): Promise<string[]> {
  if (!prompt.startsWith('/')) return [];
  const { prepareTurn } = await import('../stores/skills/index.ts');
  const { blocks } = await prepareTurn(await (await app.skills()).engine(), { text: prompt });
  return blocks.map(({ content }) => content);
}

export const clientHookOperations = [installClientHooks, runClientHook];
