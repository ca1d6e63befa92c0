import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk/unstable';

/*
 * A coding agent that speaks the Agent Client Protocol and plays a script instead of asking a model. Started as
 * `scripted-agent.ts SCRIPT`: JSON with the acts of each prompt, in order. What it has been told is kept in HOME, so
 * that a second process can load the session.
 */
export type Act =
  | { say: string; times?: number }
  | { think: string }
  | { plan: string[] }
  /** Writes a file itself, after it has asked. */
  | { write: string; text: string; ask?: boolean; bare?: boolean }
  /** Runs a line itself, after it has asked. */
  | { run: string; ask?: boolean }
  /** Calls a tool of the first MCP server. */
  | { call: string; input: Record<string, unknown> }
  | { fetch: string }
  | { usage: { used: number; cost?: number } }
  | { die: number }
  /** Dies the first time that this act is reached, in any process. */
  | { dieOnce: string }
  | { hang: true }
  /** The same call again and again, whoever wants it to stop. */
  | { repeat: number }
  /** Writes a line as it is. */
  | { raw: string }
  /** Answers the prompt with an error. */
  | { fail: string }
  /** Starts a program that nobody waits for. */
  | { leave: string }
  | { stop: acp.StopReason }
  /** Has to be in what it was told. */
  | { expect: string };

export interface AgentScript {
  prompts: Act[][];
  canLoad?: boolean;
  canResume?: boolean;
  needsLogin?: boolean;
  /** Never answers this method. */
  ignores?: 'initialize' | 'session/new' | undefined;
  protocol?: number;
  refusalEndsTurn?: boolean;
  usage?: { input: number; output: number };
}

const script: AgentScript = JSON.parse(process.argv[2] ?? '');
const home = process.env.HOME ?? '/';
const memory = join(home, '.scripted', 'told.jsonl');
const told = (): string[] => (existsSync(memory) ? readFileSync(memory, 'utf8').trim().split('\n') : []);

interface Session {
  cwd: string;
  server: acp.McpServerStdio | undefined;
  isCancelled: boolean;
  onCancel: () => void;
}
const sessions = new Map<string, Session>();
let calls = 0;

function adopt(id: string, { cwd, mcpServers = [] }: { cwd: string; mcpServers?: acp.McpServer[] }): void {
  const [first] = mcpServers;
  const server = first && 'command' in first ? first : undefined;
  sessions.set(id, { cwd, server, isCancelled: false, onCancel: () => {} });
}

const A = acp.methods.agent;
const C = acp.methods.client;

acp
  .agent({ name: 'scripted' })
  .onRequest(A.initialize, async () => ({
    protocolVersion: await unlessIgnored('initialize', script.protocol ?? acp.PROTOCOL_VERSION),
    agentInfo: { name: 'scripted', version: '1.2.3' },
    agentCapabilities: {
      loadSession: script.canLoad ?? false,
      sessionCapabilities: script.canResume ? { resume: {} } : {},
    },
    authMethods: script.needsLogin ? [{ id: 'login', name: 'Log in with Example' }] : [],
  }))
  .onRequest(A.session.new, async ({ params }) => {
    await unlessIgnored('session/new', undefined);
    if (script.needsLogin) throw new acp.RequestError(-32000, 'Authentication required');
    const id = `session-${process.pid}-${Date.now()}`;
    adopt(id, params);
    return {
      sessionId: id,
      modes: { currentModeId: 'careful', availableModes: [{ id: 'careful', name: 'Careful' }] },
    };
  })
  .onRequest(A.session.load, async ({ params, client }) => {
    adopt(params.sessionId, params);
    for (const text of told())
      await client.notify(C.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } },
      });
    return {};
  })
  .onRequest(A.session.resume, ({ params }) => {
    adopt(params.sessionId, params);
    return {};
  })
  .onNotification(A.session.cancel, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (!session) return;
    session.isCancelled = true;
    session.onCancel();
  })
  .onRequest(A.session.prompt, ({ params, client }) => play(params, client))
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function unlessIgnored<T>(method: AgentScript['ignores'], answer: T): Promise<T> {
  return script.ignores === method ? new Promise<T>(() => {}) : answer;
}

async function play(
  { sessionId, prompt }: acp.PromptRequest,
  client: acp.AgentContext,
): Promise<acp.PromptResponse> {
  const session = sessions.get(sessionId);
  if (!session) throw new acp.RequestError(-32602, 'no such session');
  session.isCancelled = false;
  const text = prompt.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const number = told().length;
  mkdirSync(dirname(memory), { recursive: true });
  appendFileSync(memory, `${JSON.stringify(text)}\n`);
  const update = (body: acp.SessionUpdate) => client.notify(C.session.update, { sessionId, update: body });
  const acts = script.prompts[Math.min(number, script.prompts.length - 1)] ?? [];
  const { input, output } = script.usage ?? { input: 0, output: 0 };
  const usage = script.usage && { inputTokens: input, outputTokens: output, totalTokens: input + output };
  for (const act of acts) {
    if (session.isCancelled) return { stopReason: 'cancelled', usage };
    const stopped = await perform(act, { session, sessionId, text, client, update });
    if (stopped) return { stopReason: stopped, usage };
  }
  return { stopReason: session.isCancelled ? 'cancelled' : 'end_turn', usage };
}

interface Stage {
  session: Session;
  sessionId: string;
  text: string;
  client: acp.AgentContext;
  update(body: acp.SessionUpdate): Promise<void>;
}

async function perform(act: Act, stage: Stage): Promise<acp.StopReason | undefined> {
  const { session, update } = stage;
  for (let time = 1; 'say' in act && time <= (act.times ?? 1); time++)
    await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: act.say } });
  if ('think' in act)
    await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: act.think } });
  if ('plan' in act)
    await update({
      sessionUpdate: 'plan',
      entries: act.plan.map((content) => ({ content, priority: 'medium', status: 'pending' })),
    });
  if ('usage' in act)
    await update({
      sessionUpdate: 'usage_update',
      used: act.usage.used,
      size: 200_000,
      cost: act.usage.cost === undefined ? null : { amount: act.usage.cost, currency: 'USD' },
    });
  if ('expect' in act && !stage.text.includes(act.expect))
    throw new acp.RequestError(-32603, `not told: ${act.expect}`, { told: stage.text });
  for (let time = 1; 'repeat' in act && time <= act.repeat; time++) {
    const toolCallId = `again-${time}`;
    await update({ sessionUpdate: 'tool_call', toolCallId, title: 'ls', kind: 'read', status: 'completed' });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  if ('raw' in act) process.stdout.write(`${act.raw}\n`);
  if ('fail' in act) throw new acp.RequestError(-32603, 'Internal error', { details: act.fail });
  if ('die' in act) process.exit(act.die);
  if ('dieOnce' in act && !existsSync(join(home, '.scripted', act.dieOnce))) {
    writeFileSync(join(home, '.scripted', act.dieOnce), '');
    process.kill(process.pid, 'SIGKILL');
  }
  if ('hang' in act) await new Promise<void>((resolve) => Object.assign(session, { onCancel: resolve }));
  if ('leave' in act) spawn('sh', ['-c', act.leave], { detached: true, stdio: 'ignore' }).unref();
  if ('stop' in act) return act.stop;
  if ('write' in act)
    return tool(stage, act.ask ?? false, { ...edit(session.cwd, act), isBare: act.bare ?? false }, () => {
      writeFileSync(join(session.cwd, act.write), act.text);
      return `wrote ${act.write}`;
    });
  if ('run' in act)
    return tool(
      stage,
      act.ask ?? false,
      { title: act.run, kind: 'execute', rawInput: { command: act.run } },
      () => shell(act.run, session.cwd),
    );
  if ('fetch' in act)
    return tool(stage, false, { title: act.fetch, kind: 'fetch', rawInput: { url: act.fetch } }, () =>
      shell(`curl -s -m 10 -o /dev/null -w '%{http_code}' ${act.fetch}`, session.cwd),
    );
  if ('call' in act)
    return tool(stage, false, { title: `sylk ${act.call}`, kind: 'other', rawInput: act.input }, () =>
      callServer(session, act.call, act.input),
    );
  return undefined;
}

const edit = (cwd: string, { write: path, text }: { write: string; text: string }) => ({
  title: `Write ${path}`,
  kind: 'edit' as const,
  rawInput: { file_path: join(cwd, path), content: text },
  locations: [{ path: join(cwd, path) }],
});

/** A call as agents make them: announced, asked for, done, told. */
async function tool(
  { client, sessionId, update }: Stage,
  ask: boolean,
  { isBare = false, ...about }: Omit<acp.ToolCall, 'toolCallId'> & { isBare?: boolean },
  run: () => string | Promise<string>,
): Promise<acp.StopReason | undefined> {
  calls += 1;
  const toolCallId = `call-${process.pid}-${calls}`;
  // Some agents never open a call.
  if (!isBare) await update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...about });
  if (ask) {
    const { outcome } = await client.request(C.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId, ...about },
      options: [
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
    if (outcome.outcome !== 'selected' || outcome.optionId !== 'yes') {
      const text = `refused: ${JSON.stringify(outcome)}`;
      await update(ended(toolCallId, 'failed', text, about));
      return script.refusalEndsTurn ? 'end_turn' : undefined;
    }
  }
  try {
    await update(ended(toolCallId, 'completed', await run(), about));
  } catch (error) {
    await update(ended(toolCallId, 'failed', String(error), about));
  }
  return undefined;
}

const ended = (
  toolCallId: string,
  status: 'completed' | 'failed',
  text: string,
  { title, kind = 'other' }: { title: string; kind?: acp.ToolKind },
): acp.SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  title,
  kind,
  status,
  content: [{ type: 'content', content: { type: 'text', text } }],
});

function shell(line: string, cwd: string): Promise<string> {
  const child = spawn('sh', ['-c', line], { cwd });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(`${out}exit ${code}`)));
}

/** The handshake and one call, as a client of the Model Context Protocol. */
async function callServer({ server }: Session, name: string, input: object): Promise<string> {
  if (!server) throw new Error('no server was handed over');
  const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let rest = '';
  const answers = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>();
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((text) => JSON.parse(text))) answers.get(line.id)?.(line);
  });
  const ask = (id: number, method: string, params: object) =>
    new Promise<{ result?: unknown; error?: unknown }>((resolve) => {
      answers.set(id, resolve);
      send({ id, method, params });
    });
  await ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'scripted', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const { result, error } =
    name === 'tools/list' ? await ask(2, name, {}) : await ask(2, 'tools/call', { name, arguments: input });
  child.stdin.end();
  return JSON.stringify(result ?? error);
}
