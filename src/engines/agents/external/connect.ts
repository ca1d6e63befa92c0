import { Readable, Writable } from 'node:stream';
import { type ReadableStream, TransformStream } from 'node:stream/web';
import * as acp from '@agentclientprotocol/sdk';
import { messageOf, SylkError } from '../../../base/errors.ts';
import { redact } from '../../../base/redact.ts';
import { guardedStream } from './guarded-stream.ts';
import type { KnownAgent } from './known-agents.ts';
import type { StartedAgent } from './start-agent.ts';

export interface Listener {
  onUpdate(update: acp.SessionUpdate): void;
  onPermission(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionOutcome>;
  /** Says what is odd, in words for the person: an answer that does not come, a message that makes no sense. */
  tell(text: string): void;
  /** Resolves when more can be taken in. */
  ready(): Promise<void>;
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

/** How often what is not the protocol is told of. */
const mostOdd = 3;
const { agent: toAgent, client: toClient } = acp.methods;

/** Speaks the protocol with a started agent. No file or terminal service is offered: the agent has its own, in the sandbox. */
export async function connectAgent(
  known: KnownAgent,
  { child, lastWords, ending, ended }: StartedAgent,
  listener: Listener,
  { version, answerSeconds }: { version: string; answerSeconds: number },
): Promise<AgentConnection> {
  const given: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout);
  const input = given.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await listener.ready();
        controller.enqueue(chunk);
      },
    }),
  );
  /** Updates of any other session are nobody's here. */
  let current: string | undefined;
  let odd = 0;
  const onOdd = (what: string) => {
    odd += 1;
    if (odd <= mostOdd)
      listener.tell(
        `${known.title} sent ${what}; it is ignored.${odd === mostOdd ? ' So is what follows of the kind.' : ''}`,
      );
  };
  const onUpdate = ({ sessionId, update }: acp.SessionNotification) => {
    if (current === undefined || sessionId === current) listener.onUpdate(update);
    else onOdd('an update of another session');
  };
  const frames = acp.ndJsonStream(Writable.toWeb(child.stdin), input);
  const connection = acp
    .client({ name: 'sylk' })
    .onRequest(toClient.session.requestPermission, async ({ params }) => ({
      outcome: await listener.onPermission(params),
    }))
    .connect(guardedStream(frames, { onUpdate, onOdd }));
  const { agent } = connection;

  /** A request fails when the agent ends, and when no answer comes for too long; that one is waited for is said long before. */
  const within = async <T>(what: string, answer: Promise<T>, seconds = answerSeconds): Promise<T> => {
    const gone = ended.then(() => {
      throw crashed(known, ending() ?? 'it ended', lastWords());
    });
    gone.catch(() => undefined);
    const timers: NodeJS.Timeout[] = [];
    const late = new Promise<never>((_, reject) => {
      if (!Number.isFinite(seconds)) return;
      const wait = () => listener.tell(waitText(known, what, seconds, lastWords()));
      const fail = () => reject(tooLate(known, what, seconds, lastWords()));
      timers.push(setTimeout(wait, (seconds * 1000) / 20), setTimeout(fail, seconds * 1000));
    });
    try {
      return await Promise.race([answer, gone, late]);
    } catch (error) {
      // The streams end a moment before the process does: its exit says more.
      if (connection.signal.aborted)
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 2000))]);
      throw error;
    } finally {
      timers.forEach(clearTimeout);
    }
  };

  const info = await within(
    'initialize',
    agent.request(toAgent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'sylk', version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    }),
  );
  if (info.protocolVersion !== acp.PROTOCOL_VERSION)
    throw unusable(
      `${known.title} speaks version ${info.protocolVersion} of the Agent Client Protocol, Sylk version ${acp.PROTOCOL_VERSION}.`,
      known.install ? `Another version of it may fit: ${known.install}` : undefined,
    );

  const load = async (sessionId: string, common: Omit<acp.LoadSessionRequest, 'sessionId'>) => {
    const { sessionCapabilities, loadSession } = info.agentCapabilities ?? {};
    const request = { ...common, sessionId };
    // Both go on with a session; `resume` does not tell its story again.
    if (sessionCapabilities?.resume)
      return within('session/resume', agent.request(toAgent.session.resume, request));
    if (loadSession) return within('session/load', agent.request(toAgent.session.load, request));
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
      : await within('session/new', agent.request(toAgent.session.new, common));
    const sessionId = loaded ? previous : created?.sessionId;
    if (typeof sessionId !== 'string' || sessionId === '')
      throw unusable(`${known.title} opened a session and gave it no id.`);
    current = sessionId;
    const modes = (loaded ?? created)?.modes;
    const { mode } = known.session;
    if (mode && modes?.currentModeId !== mode && modes?.availableModes.some(({ id }) => id === mode))
      await within('session/set_mode', agent.request(toAgent.session.setMode, { sessionId, modeId: mode }));
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

/** The agent itself says that something failed, as the protocol has it. */
export const isAnswer = (error: unknown): error is acp.RequestError => error instanceof acp.RequestError;

/** With what agents say beside the usual words: those alone are "Internal error". */
export function errorText({ message, data }: acp.RequestError): string {
  const details = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  return redact(details === '' ? message : `${message} (${details.slice(0, 500)})`);
}

/** What a person types to log in, as far as it is known; else what the agent says that it offers. */
export function loginText({ title, login }: KnownAgent, offered: acp.AuthMethod[] = []): string {
  const ways = offered.map(({ name, description }) => (description ? `${name} (${description})` : name));
  const how = login ? `: run \`${login.command}\`` : ways.length > 0 ? `; it offers: ${ways.join(', ')}` : '';
  return `${title} is not logged in${how}.`;
}

const lastLine = (words: string): string => {
  const line = words.trim().split('\n').at(-1)?.trim().slice(0, 200);
  return line ? ` It last wrote: ${line}` : '';
};

const waitText = ({ title }: KnownAgent, what: string, seconds: number, words: string): string =>
  `Waits for ${title} to answer ${what}, at most ${seconds} s.${lastLine(words)}`;

function tooLate({ id, title, login }: KnownAgent, what: string, seconds: number, words: string): SylkError {
  const logIn = login ? ` One without a login may wait for it: \`${login.command}\`.` : '';
  return unusable(
    `${title} did not answer ${what} within ${seconds} s.${lastLine(words)}`,
    `\`sylk agents test ${id}\` tries it alone.${logIn} agents.answer_seconds gives it more time.`,
  );
}

/** Starting it again would end the same way. */
const unusable = (message: string, hint?: string): SylkError =>
  new SylkError('UNAVAILABLE', message, { hint, data: { unusable: true } });

function crashed({ title }: KnownAgent, ending: string, words: string): SylkError {
  return new SylkError('UNAVAILABLE', `${title} stopped: ${ending}.`, {
    hint: words.slice(-1500) || undefined,
    data: { crashed: true },
  });
}
