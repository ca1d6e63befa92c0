import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the model does, whoever asks: call these tools in turn, then say the last words. */
export interface Script {
  calls: Array<{ tool: string; input: Record<string, unknown> }>;
  words: string;
  /** How the client's tool search names the server's tools. */
  server?: string;
  /** How long each answer takes, in milliseconds. */
  delay?: number;
}

/** What each answer says that it took. */
export const usageOfAnswer = { input: 1000, output: 50 };

export interface ScriptedModel {
  url: string;
  /** Names of the tools that were offered, as the client calls them. */
  offered(): string[];
  /** Answers that tools gave, as the client passed them on. */
  results(): string[];
  /** Everything that the client sent, as JSON, one line for each request. */
  heard(): string;
  /** Answers given so far, and what the client has to count for them; milliseconds spent on answering. */
  spent(): { answers: number; input: number; output: number; milliseconds: number };
  close(): void;
}

type Json = Record<string, unknown>;

/**
 * A model on loopback that plays a script in four dialects: Anthropic messages, OpenAI chat and responses, Gemini. The
 * step is what was answered so far, so that a client's retries are harmless.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const offered = new Set<string>();
  let results: string[] = [];
  const bodies: string[] = [];
  let milliseconds = 0;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? '';
      const dialect = Object.entries(dialects).find(([pattern]) => path.includes(pattern))?.[1];
      if (!dialect || request.method !== 'POST' || path.includes('count_tokens')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ input_tokens: 10, data: [], models: [] }));
      }
      bodies.push(JSON.stringify(body));
      const heard = dialect.hear(body);
      for (const name of heard.tools) offered.add(name);
      if (heard.results.length >= results.length) results = heard.results;
      const next = heard.tools.length > 0 ? nextStep(script, heard) : undefined;
      milliseconds += script.delay ?? 0;
      setTimeout(() => dialect.say(response, next ?? script.words, body), script.delay ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    offered: () => [...offered].sort(),
    results: () => results,
    heard: () => bodies.join('\n'),
    spent: () => ({
      answers: bodies.length,
      input: bodies.length * usageOfAnswer.input,
      output: bodies.length * usageOfAnswer.output,
      milliseconds,
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Heard {
  tools: string[];
  /** Names that the model called before. */
  called: string[];
  results: string[];
}

interface Step {
  name: string;
  input: Json;
}

const mostWaits = 20;

function nextStep(script: Script, heard: Heard): Step | undefined {
  const done = heard.called.filter((name) => script.calls.some((call) => name.endsWith(call.tool))).length;
  const call = script.calls[done];
  const server = script.server ?? 'mcp__sylk';
  if (!call) return undefined;
  const name =
    heard.tools.find((tool) => tool === call.tool) ?? heard.tools.find((tool) => tool.endsWith(call.tool));
  const isWaiting = !name && heard.tools.includes('WaitForMcpServers');
  const waits = heard.called.filter((tool) => tool === 'WaitForMcpServers').length;
  // On a loaded machine a server takes longer than one wait; a model would wait again.
  if (
    isWaiting &&
    (waits === 0 || (waits < mostWaits && /still connecting/.test(heard.results.at(-1) ?? '')))
  )
    return { name: 'WaitForMcpServers', input: {} };
  // Claude Code hides tools of servers behind a search of its own; whether they are found there is part of the test.
  if (
    !name &&
    heard.tools.includes('ToolSearch') &&
    heard.called.filter((tool) => tool === 'ToolSearch').length <= done
  )
    return { name: 'ToolSearch', input: { query: `select:${server}__${call.tool}`, max_results: 3 } };
  return { name: name ?? `${server}__${call.tool}`, input: call.input };
}

interface Dialect {
  hear(body: Json): Heard;
  say(response: ServerResponse, what: Step | string, body: Json): void;
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const sse = (response: ServerResponse, events: Array<[string | undefined, unknown]>, end = '') => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [event, data] of events)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  response.end(end);
};

const anthropic: Dialect = {
  hear: (body) => {
    const blocks = list(body.messages).flatMap((message) => list(message.content));
    return {
      tools: list(body.tools).map((tool) => text(tool.name)),
      called: blocks.filter((block) => block.type === 'tool_use').map((block) => text(block.name)),
      results: blocks.filter((block) => block.type === 'tool_result').map((block) => text(block.content)),
    };
  },
  say: (response, what, body) => {
    const message = {
      id: `msg_${Date.now()}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_sequence: null,
    };
    const usage = { input_tokens: usageOfAnswer.input, output_tokens: usageOfAnswer.output };
    const block =
      typeof what === 'string'
        ? { type: 'text', text: what }
        : { type: 'tool_use', id: `toolu_${Date.now()}`, name: what.name, input: what.input };
    const stop_reason = typeof what === 'string' ? 'end_turn' : 'tool_use';
    if (!body.stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...message, content: [block], stop_reason, usage }));
      return;
    }
    const start = typeof what === 'string' ? { type: 'text', text: '' } : { ...block, input: {} };
    const delta =
      typeof what === 'string'
        ? { type: 'text_delta', text: what }
        : { type: 'input_json_delta', partial_json: JSON.stringify(what.input) };
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    sse(
      response,
      events.map((event) => [event.type, event]),
    );
  },
};

const chat: Dialect = {
  hear: (body) => {
    const messages = list(body.messages);
    return {
      tools: list(body.tools).map((tool) => text((tool.function as Json)?.name)),
      called: messages
        .flatMap((message) => list(message.tool_calls))
        .map((call) => text((call.function as Json)?.name)),
      results: messages.filter((message) => message.role === 'tool').map((message) => text(message.content)),
    };
  },
  say: (response, what, body) => {
    const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: body.model };
    const call =
      typeof what === 'string'
        ? undefined
        : {
            index: 0,
            id: `call_${Date.now()}`,
            type: 'function',
            function: { name: what.name, arguments: JSON.stringify(what.input) },
          };
    const delta = call ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: what };
    sse(
      response,
      [
        [undefined, { ...head, choices: [{ index: 0, delta, finish_reason: null }] }],
        [
          undefined,
          { ...head, choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] },
        ],
        [
          undefined,
          {
            ...head,
            choices: [],
            usage: {
              prompt_tokens: usageOfAnswer.input,
              completion_tokens: usageOfAnswer.output,
              total_tokens: usageOfAnswer.input + usageOfAnswer.output,
            },
          },
        ],
      ],
      'data: [DONE]\n\n',
    );
  },
};

const responses: Dialect = {
  hear: (body) => {
    const items = list(body.input);
    const named = list(body.tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).map((inner) => `${text(tool.name)}\u0000${text(inner.name)}`)
        : [text(tool.name)],
    );
    return {
      tools: named,
      called: items.filter((item) => item.type === 'function_call').map((item) => text(item.name)),
      results: items.filter((item) => item.type === 'function_call_output').map((item) => text(item.output)),
    };
  },
  say: (response, what) => {
    const id = `resp_${Date.now()}`;
    const [namespace, inner] = typeof what === 'string' ? [] : what.name.split('\u0000');
    const item =
      typeof what === 'string'
        ? { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: what }] }
        : {
            type: 'function_call',
            id: 'f1',
            call_id: `call_${Date.now()}`,
            name: inner ?? namespace,
            ...(inner ? { namespace } : {}),
            arguments: JSON.stringify(what.input),
          };
    const { input, output } = usageOfAnswer;
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    const events = [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id, output: [item], usage } },
    ];
    sse(
      response,
      events.map((event) => [event.type, event]),
    );
  },
};

const gemini: Dialect = {
  hear: (body) => {
    const parts = list(body.contents).flatMap((content) => list(content.parts));
    return {
      tools: list(body.tools).flatMap((tool) =>
        list(tool.functionDeclarations).map((declared) => text(declared.name)),
      ),
      called: parts.filter((part) => part.functionCall).map((part) => text((part.functionCall as Json).name)),
      results: parts
        .filter((part) => part.functionResponse)
        .map((part) => text((part.functionResponse as Json).response)),
    };
  },
  say: (response, what) => {
    const part =
      typeof what === 'string' ? { text: what } : { functionCall: { name: what.name, args: what.input } };
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 };
    const usageMetadata = {
      promptTokenCount: usageOfAnswer.input,
      candidatesTokenCount: usageOfAnswer.output,
      totalTokenCount: usageOfAnswer.input + usageOfAnswer.output,
    };
    sse(response, [[undefined, { candidates: [candidate], usageMetadata }]]);
  },
};

const dialects: Record<string, Dialect> = {
  '/messages': anthropic,
  '/chat/completions': chat,
  '/responses': responses,
  enerateContent: gemini,
};

async function readBody(request: IncomingMessage): Promise<Json> {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return {};
  }
}
