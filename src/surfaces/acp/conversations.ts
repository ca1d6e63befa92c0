import { isAbsolute } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { reportOf } from '../../base/errors.ts';
import type { CallEvent, Caller } from '../../operations/operation.ts';
import { runOperation } from '../../operations/run.ts';
import { earlierSteps } from '../shared/conversation.ts';
import { outputText } from '../shared/text.ts';
import type { Workspace } from '../shared/workspace.ts';
import { eventUpdates, type PermissionChoice } from './updates.ts';

const modes = [
  { id: 'ask', name: 'Ask', description: 'The Guide answers from the code, its history and the memory.' },
  {
    id: 'work',
    name: 'Work',
    description: 'An engineer does the task in a copy of the repository and ends in a branch.',
  },
];
const session = z.object({ id: z.string(), name: z.string().optional(), updated_at: z.string().optional() });
const offered = z.object({
  always: z.array(z.object({ command: z.string().optional(), path: z.string().optional() })).default([]),
});
const sessionList = z.object({ sessions: z.array(session) });

interface Open {
  /** The repository that the editor opened the conversation in. */
  app: App;
  mode: string;
  running: AbortController | undefined;
}

/** Conversations of one editor. Each is a session of Sylk, so that it is there the next time. */
export function createConversations(workspace: Workspace, work: string[]) {
  const open = new Map<string, Open>();
  const turns = new Set<Promise<unknown>>();
  let editor = 'editor';

  /** What the Guide is asked comes from a client; starting work and answering for it is the person's, who sits at the editor. */
  const client = (conversation?: string): Caller => ({ kind: 'agent', name: `acp:${editor}`, conversation });
  const person = (): Caller => ({ kind: 'person', name: editor, unattended: true });

  const run = async (
    app: App,
    name: string,
    input: unknown,
    caller: Caller,
    more: { signal?: AbortSignal; onEvent?: (event: CallEvent) => void } = {},
  ) => {
    const outcome = await runOperation(app, { name, input, caller, ...more });
    if (outcome.ok) return outcome;
    const { message, hint, code } = outcome.error;
    const kind = code === 'NOT_FOUND' ? -32002 : -32603;
    throw new acp.RequestError(kind, hint ? `${message} ${hint}` : message);
  };
  const appAt = (directory: string): App => {
    if (!isAbsolute(directory))
      throw new acp.RequestError(-32602, `cwd has to be an absolute path: ${JSON.stringify(directory)}`);
    try {
      return workspace.appAt(directory);
    } catch (error) {
      throw new acp.RequestError(-32602, reportOf(error).message);
    }
  };
  const stateOf = (id: string): Open => {
    const found = open.get(id);
    if (!found) throw new acp.RequestError(-32002, `There is no open session ${id}.`);
    return found;
  };
  const modeState = (id: string) => ({ modes: { currentModeId: stateOf(id).mode, availableModes: modes } });
  const adopt = (app: App, id: string) => {
    open.set(id, { app, mode: open.get(id)?.mode ?? 'ask', running: undefined });
    return modeState(id);
  };
  const require = async ({ sessionId: id, cwd }: { sessionId: string; cwd: string }) => {
    const app = appAt(cwd);
    await run(app, 'get_session', { id }, client(id));
    return adopt(app, id);
  };

  const answer = async (
    id: string,
    text: string,
    signal: AbortSignal,
    show: (event: CallEvent) => void,
  ): Promise<string> => {
    const { app, mode } = stateOf(id);
    const { output, operation } =
      mode === 'work'
        ? await run(app, 'run_agent', { task: text, ...flagsOf(work) }, person(), { signal, onEvent: show })
        : await run(app, 'route', { input: text, session: id }, client(id), { signal, onEvent: show });
    return outputText(operation, output);
  };

  return {
    greet: (name: string) => {
      editor = name.slice(0, 60);
    },
    open: async (directory: string) => {
      const app = appAt(directory);
      const created = await run(app, 'create_session', { name: `Conversation in ${editor}` }, client());
      const { id } = session.parse(created.output);
      return { sessionId: id, ...adopt(app, id) };
    },
    list: async (directory: string | undefined) => {
      const app = directory === undefined ? workspace.app() : appAt(directory);
      const { output } = await run(app, 'list_sessions', {}, client());
      const cwd = directory ?? app.repository.root;
      const sessions = sessionList.parse(output).sessions.map(({ id, name, updated_at }) => ({
        sessionId: id,
        cwd,
        title: name ?? null,
        updatedAt: updated_at ?? null,
      }));
      return { sessions };
    },
    /** Tells what was said before, as the protocol wants it. */
    load: async ({ sessionId, cwd }: acp.LoadSessionRequest, to: acp.AgentContext) => {
      const state = await require({ sessionId, cwd });
      const { app } = stateOf(sessionId);
      const read = async (name: string, input: object) =>
        (await run(app, name, input, client(sessionId))).output;
      for await (const { kind, text } of earlierSteps(read, sessionId))
        await to.notify(acp.methods.client.session.update, {
          sessionId,
          update: {
            sessionUpdate: kind === 'told' ? 'user_message_chunk' : 'agent_message_chunk',
            content: { type: 'text', text },
          },
        });
      return state;
    },
    resume: require,
    setMode: (id: string, mode: string) => {
      if (!modes.some((known) => known.id === mode))
        throw new acp.RequestError(-32602, `There is no mode ${JSON.stringify(mode)}: ask, work.`);
      stateOf(id).mode = mode;
      return {};
    },
    cancel: (id: string) => open.get(id)?.running?.abort('stopped'),
    prompt: async (
      { sessionId, prompt }: acp.PromptRequest,
      to: acp.AgentContext,
    ): Promise<acp.PromptResponse> => {
      const state = stateOf(sessionId);
      if (state.running) throw new acp.RequestError(-32600, 'A prompt of this session is being answered.');
      const running = new AbortController();
      state.running = running;
      const text = prompt.map(textOf).join('\n');
      const sender = eventUpdates({
        sessionId,
        to,
        decide: (id, choice) => decide(state.app, id, choice),
        offers: (id) => offersOf(state.app, id),
      });
      const turn = answer(sessionId, text, running.signal, sender.show)
        .then(async (said) => {
          await sender.say(said);
          await run(
            state.app,
            'keep_conversation',
            { session: sessionId, told: text, said },
            client(sessionId),
          );
        })
        .finally(() => {
          state.running = undefined;
        });
      turns.add(turn);
      try {
        await turn;
        return { stopReason: running.signal.aborted ? 'cancelled' : 'end_turn' };
      } catch (error) {
        if (running.signal.aborted) return { stopReason: 'cancelled' };
        throw error;
      } finally {
        turns.delete(turn);
      }
    },
    /** The editor is gone: what runs is stopped and keeps what it did. */
    end: async () => {
      for (const { running } of open.values()) running?.abort('stopped');
      await Promise.allSettled(turns);
    },
  };

  async function offersOf(app: App, id: string): Promise<string[]> {
    const { output } = await run(app, 'list_approvals', { id }, person());
    return offered.parse(output).always.map(({ command, path }) => command ?? path ?? '');
  }

  async function decide(app: App, id: string, choice: PermissionChoice): Promise<void> {
    const answer = choice.startsWith('allow') ? 'approved' : 'denied';
    await run(app, 'approve', { approval_id: id, answer, always: choice.endsWith('_always') }, person());
  }
}

const textOf = (part: acp.ContentBlock): string => {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') return part.uri;
  return part.type === 'resource' && 'text' in part.resource ? part.resource.text : '';
};

/** `--agent NAME` and `--model NAME` of the command: who does the work. */
const flagsOf = (words: string[]): Record<string, string> => {
  const [flag = '', value = ''] = words;
  return flag === '' ? {} : { [flag]: value };
};
