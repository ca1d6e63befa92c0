/** One answer of a scripted server, before it is written in the words of a provider. */
export interface ScriptedAnswer {
  /** Sent in as many pieces. */
  text?: string[];
  reasoning?: string;
  calls?: Array<{ id: string; name: string; input: object | string }>;
  finish?: 'stop' | 'length' | 'refusal';
  usage?: { input: number; cached: number; output: number };
}

export interface ServerEvent {
  /** Written where the provider names its events. */
  name?: string;
  data: object | string;
}

const argumentsOf = (input: object | string): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

const usual = { input: 120, cached: 80, output: 9 };

function anthropic({
  text = [],
  reasoning,
  calls = [],
  finish = 'stop',
  usage = usual,
}: ScriptedAnswer): ServerEvent[] {
  const event = (data: { type: string } & Record<string, unknown>): ServerEvent => ({
    name: data.type,
    data,
  });
  const block = (index: number, start: object, deltas: object[]): ServerEvent[] => [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
  const blocks: Array<[object, object[]]> = [];
  if (reasoning)
    blocks.push([
      { type: 'thinking', thinking: '' },
      [
        { type: 'thinking_delta', thinking: reasoning },
        { type: 'signature_delta', signature: 'signed' },
      ],
    ]);
  if (text.length > 0)
    blocks.push([{ type: 'text', text: '' }, text.map((piece) => ({ type: 'text_delta', text: piece }))]);
  for (const { id, name, input } of calls)
    blocks.push([
      { type: 'tool_use', id, name, input: {} },
      [{ type: 'input_json_delta', partial_json: argumentsOf(input) }],
    ]);
  const reasons = {
    stop: calls.length > 0 ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    refusal: 'refusal',
  };
  const input = {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  };
  return [
    event({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-scripted',
        content: [],
        stop_reason: null,
        usage: { ...input, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap(([start, deltas], index) => block(index, start, deltas)),
    event({
      type: 'message_delta',
      delta: { stop_reason: reasons[finish], stop_sequence: null },
      usage: { ...input, output_tokens: usage.output },
    }),
    event({ type: 'message_stop' }),
  ];
}

function openai({ text = [], calls = [], finish = 'stop', usage = usual }: ScriptedAnswer): ServerEvent[] {
  const event = (data: { type: string } & Record<string, unknown>): ServerEvent => ({
    name: data.type,
    data,
  });
  const word = finish === 'refusal' ? 'refusal' : 'output_text';
  const whole = text.join('');
  const content =
    finish === 'refusal' ? { type: word, refusal: whole } : { type: word, text: whole, annotations: [] };
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [content],
  };
  const spoken =
    text.length === 0
      ? []
      : [
          event({ type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } }),
          ...text.map((delta) =>
            event({
              type: `response.${word}.delta`,
              item_id: 'msg_1',
              output_index: 0,
              content_index: 0,
              delta,
            }),
          ),
          event({ type: 'response.output_item.done', output_index: 0, item: message }),
        ];
  const called = calls.flatMap(({ id, name, input }, at) => {
    const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, status: 'completed' };
    const place = { output_index: at + 1, item_id: item.id };
    return [
      event({ type: 'response.output_item.added', ...place, item: { ...item, arguments: '' } }),
      event({ type: 'response.function_call_arguments.delta', ...place, delta: argumentsOf(input) }),
      event({
        type: 'response.output_item.done',
        ...place,
        item: { ...item, arguments: argumentsOf(input) },
      }),
    ];
  });
  const response = { id: 'resp_1', created_at: 1_700_000_000, model: 'gpt-scripted', service_tier: null };
  const isCut = finish === 'length';
  return [
    event({ type: 'response.created', response }),
    ...spoken,
    ...called,
    event({
      type: isCut ? 'response.incomplete' : 'response.completed',
      response: {
        ...response,
        incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
        usage: {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    }),
  ];
}

function google({ text = [], calls = [], finish = 'stop', usage = usual }: ScriptedAnswer): ServerEvent[] {
  const reasons = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' };
  const parts = [
    ...text.map((piece) => ({ text: piece })),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { id, name, args: typeof input === 'string' ? { broken: input } : input },
      thoughtSignature: `signed-${name}`,
    })),
  ];
  const chunk = (content: object[], more: object = {}): ServerEvent => ({
    data: { candidates: [{ content: { role: 'model', parts: content }, ...more }], responseId: 'gen_1' },
  });
  return [
    ...parts.map((part) => chunk([part])),
    {
      data: {
        candidates: [{ content: { role: 'model', parts: [] }, finishReason: reasons[finish] }],
        responseId: 'gen_1',
        usageMetadata: {
          promptTokenCount: usage.input,
          cachedContentTokenCount: usage.cached,
          candidatesTokenCount: usage.output,
          totalTokenCount: usage.input + usage.output,
        },
      },
    },
  ];
}

function compatible({
  text = [],
  calls = [],
  finish = 'stop',
  usage = usual,
}: ScriptedAnswer): ServerEvent[] {
  const reasons = {
    stop: calls.length > 0 ? 'tool_calls' : 'stop',
    length: 'length',
    refusal: 'content_filter',
  };
  const chunk = (delta: object, reason: string | null = null): ServerEvent => ({
    data: {
      id: 'chat_1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'local-scripted',
      choices: [{ index: 0, delta, finish_reason: reason }],
    },
  });
  return [
    ...text.map((content) => chunk({ role: 'assistant', content })),
    ...calls.map(({ id, name, input }, index) =>
      chunk({
        tool_calls: [{ index, id, type: 'function', function: { name, arguments: argumentsOf(input) } }],
      }),
    ),
    chunk({}, reasons[finish]),
    {
      data: {
        id: 'chat_1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'local-scripted',
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          prompt_tokens_details: { cached_tokens: usage.cached },
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
        },
      },
    },
    { data: '[DONE]' },
  ];
}

export const dialects = { anthropic, openai, google, compatible };
export type Dialect = keyof typeof dialects;
