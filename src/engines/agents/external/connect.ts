import { Readable, Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import * as acp from '@agentclientprotocol/sdk';
import { messageOf, SylkError } from '../../../base/errors.ts';
import type { KnownAgent } from './known-agents.ts';
import type { StartedAgent } from './start-agent.ts';

export interface Listener {
  onUpdate(update: acp.SessionUpdate): void;
  onPermission(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionOutcome>;
}

export interface SessionRequest {
  directory: string;
  /** A session to go on with, where the agent still has it. */
  previous: string | undefined;
  /** Command line of Sylk's MCP server. */
  server: string[];
}

export interface AgentSession {
  id: string;
  isLoaded: boolean;
  /** Why the session before could not be taken up. */
  lost: string | undefined;
  modes: string[];
  /** One turn; answers why it stopped and what the agent says that it took. */
  prompt(text: string): Promise<acp.PromptResponse>;
  cancel(): Promise<void>;
  close(): void;
}

export interface AgentConnection {
  info: acp.InitializeResponse;
  open(request: SessionRequest): Promise<AgentSession>;
  close(): void;
}

const answerMs = 120_000;
const { agent: toAgent, client: toClient } = acp.methods;

/** Speaks the protocol with a started agent. No file or terminal service is offered: the agent has its own, in the sandbox. */
export async function connectAgent(
  known: KnownAgent,
  { child, lastWords, ending, ended }: StartedAgent,
  listener: Listener,
  version: string,
): Promise<AgentConnection> {
  const input: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout);
  const connection = acp
    .client({ name: 'sylk' })
    .onNotification(toClient.session.update, ({ params }) => listener.onUpdate(params.update))
    .onRequest(toClient.session.requestPermission, async ({ params }) => ({
      outcome: await listener.onPermission(params),
    }))
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), input));
  const { agent } = connection;

  /** A request fails when the agent ends, and when it says nothing for too long. */
  const within = async <T>(what: string, answer: Promise<T>, milliseconds: number): Promise<T> => {
    const gone = ended.then(() => {
      throw crashed(known, ending() ?? 'it ended', lastWords());
    });
    gone.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      if (!Number.isFinite(milliseconds)) return;
      timer = setTimeout(() => {
        const message = `${known.title} did not answer ${what} within ${milliseconds / 1000} s.`;
        reject(new SylkError('UNAVAILABLE', message, { hint: lastWords().slice(-500) || undefined }));
      }, milliseconds);
    });
    try {
      return await Promise.race([answer, gone, late]);
    } catch (error) {
      // The streams end a moment before the process does: its exit says more.
      if (connection.signal.aborted)
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 2000))]);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const info = await within(
    'the first question',
    agent.request(toAgent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'sylk', version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    }),
    answerMs,
  );

  const load = async (sessionId: string, common: Omit<acp.LoadSessionRequest, 'sessionId'>) => {
    const { sessionCapabilities, loadSession } = info.agentCapabilities ?? {};
    const request = { ...common, sessionId };
    // Both go on with a session; `resume` does not tell its story again.
    if (sessionCapabilities?.resume)
      return within('session/resume', agent.request(toAgent.session.resume, request), answerMs);
    if (loadSession) return within('session/load', agent.request(toAgent.session.load, request), answerMs);
    return undefined;
  };

  const open = async ({ directory, previous, server }: SessionRequest): Promise<AgentSession> => {
    const [command = '', ...args] = server;
    const mcpServers = [{ name: 'sylk', command, args, env: [] }];
    const common: acp.NewSessionRequest = { cwd: directory, mcpServers, _meta: known.session.meta ?? null };
    // A session that the agent has lost is no failure: a new one goes on from the checkpoint.
    let lost: string | undefined;
    const loaded =
      previous === undefined
        ? undefined
        : await load(previous, common).catch((error) => {
            lost = messageOf(error);
            return undefined;
          });
    const created = loaded
      ? undefined
      : await within('session/new', agent.request(toAgent.session.new, common), answerMs);
    const sessionId = created?.sessionId ?? previous ?? '';
    const modes = (loaded ?? created)?.modes;
    const { mode } = known.session;
    if (mode && modes?.currentModeId !== mode && modes?.availableModes.some(({ id }) => id === mode))
      await within(
        'session/set_mode',
        agent.request(toAgent.session.setMode, { sessionId, modeId: mode }),
        answerMs,
      );
    return {
      id: sessionId,
      isLoaded: loaded !== undefined,
      lost,
      modes: modes?.availableModes.map(({ id }) => id) ?? [],
      prompt: (text) =>
        within(
          'a prompt',
          agent.request(toAgent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
          Number.POSITIVE_INFINITY,
        ),
      cancel: () => agent.notify(toAgent.session.cancel, { sessionId }),
      close: () => connection.close(),
    };
  };
  return { info, open, close: () => connection.close() };
}

/** The agent wants a login that it does not have. */
export const needsLogin = (error: unknown): boolean =>
  error instanceof acp.RequestError && error.code === -32000;

function crashed({ title }: KnownAgent, ending: string, words: string): SylkError {
  return new SylkError('UNAVAILABLE', `${title} stopped: ${ending}.`, {
    hint: words.slice(-1500) || undefined,
    data: { crashed: true },
  });
}
