import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { isObject, parseJson } from '../../src/base/json.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openModel } from '../../src/base/model/index.ts';
import type { WorkTool } from '../../src/engines/agents/index.ts';
import { metered, openLedger } from '../../src/stores/ledger/index.ts';
import type { RecordedStep } from '../../src/stores/transcripts/index.ts';
import { runTestLeg } from './agent-leg.ts';
import { type Dialect, type ScriptedAnswer, startModelServer } from './model-server/index.ts';
import { testRepository } from './repository.ts';

/** One answer of an agent as somebody recorded it, with what its calls brought. */
export interface Turn {
  text: string;
  calls: Array<{ id: string; name: string; input: object | string; result: string }>;
  usage: { input: number; cached: number; output: number };
}

type Loose = Record<string, unknown>;
const object = (value: unknown): Loose => (isObject(value) ? value : {});
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(object) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The answers in a transcript of SWE-agent, mini-SWE-agent, Claude Code, or anything in the words of OpenAI or Anthropic. */
export function readTurns(content: string): Turn[] {
  const turns: Turn[] = [];
  let lastId = '';
  for (const entry of messagesOf(content)) {
    const message = isObject(entry['message']) ? object(entry['message']) : entry;
    const role = text(message['role']);
    if (role === 'assistant') {
      const turn = turnOf(message, turns.length);
      const id = text(message['id']);
      const last = turns.at(-1);
      // One answer may be written in several lines.
      if (last && id !== '' && id === lastId) {
        last.text += turn.text;
        last.calls.push(...turn.calls);
      } else turns.push(turn);
      lastId = id;
    } else if (role === 'tool' || role === 'user') addResults(turns.at(-1), message);
  }
  return turns;
}

function messagesOf(content: string): Loose[] {
  const whole = parseJson(content);
  if (Array.isArray(whole)) return list(whole);
  if (isObject(whole) && !('type' in whole)) return list(whole['messages'] ?? whole['history']);
  return content.split('\n').map((line) => object(parseJson(line)));
}

const contentText = (content: unknown): string =>
  text(content) ||
  list(content)
    .map((part) => text(part['text']) || contentText(part['content']))
    .join('');

function turnOf(message: Loose, at: number): Turn {
  const said = list(message['content'])
    .filter(({ type }) => type === 'text')
    .map((part) => text(part['text']))
    .join('');
  const spoken = said || text(message['content']);
  const calls = [
    ...list(message['tool_calls']).map((call) => ({
      id: text(call['id']),
      name: text(object(call['function'])['name']),
      input: text(object(call['function'])['arguments']),
    })),
    ...list(message['content'])
      .filter(({ type }) => type === 'tool_use')
      .map((part) => ({ id: text(part['id']), name: text(part['name']), input: object(part['input']) })),
  ];
  const action = text(message['action']) || (/```(?:bash|sh)?\n([\s\S]*?)```/.exec(spoken)?.[1] ?? '');
  if (calls.length === 0 && action.trim() !== '')
    calls.push({ id: '', name: 'bash', input: { command: action } });
  const response = object(object(message['extra'])['response']);
  const usage = object(message['usage'] ?? response['usage']);
  return {
    text: spoken,
    calls: calls.map((call, place) => ({ ...call, id: `${call.id || 'call'}_${at}_${place}`, result: '' })),
    usage: {
      input: number(usage['input_tokens']) || number(usage['prompt_tokens']) || 1000,
      cached: 0,
      output: number(usage['output_tokens']) || number(usage['completion_tokens']) || 50,
    },
  };
}

function addResults(turn: Turn | undefined, message: Loose): void {
  if (!turn) return;
  const parts = list(message['content']).filter(({ type }) => type === 'tool_result');
  const given = parts.length > 0 ? parts : [message];
  for (const part of given) {
    const id = text(part['tool_use_id']) || text(part['tool_call_id']);
    const call =
      turn.calls.find((each) => id !== '' && each.id.startsWith(`${id}_`)) ??
      turn.calls.find(({ result }) => result === '');
    if (call) call.result = contentText(part['content']);
  }
}

/** Why a leg asked the person, by the rule that made it ask. */
const endings: Record<string, RegExp> = {
  'same call, same result': /^The same call had the same result/,
  'calls failed in a row': /calls in a row failed/,
  'no progress': /changed nothing and told nothing new/,
  'answers without a call': /answers in a row called no tool/,
  refusal: /^The model refused/,
  'done without a change': /^No file was changed/,
};
const notes: Record<string, (step: RecordedStep) => boolean> = {
  'unknown tool': (step) => step.kind === 'result' && step.text.startsWith('There is no tool'),
  'malformed input': (step) => step.kind === 'result' && step.text.includes('was no JSON object'),
  'empty answer': (step) => step.kind === 'told' && step.text.startsWith('Your answer was empty'),
  'an answer without a call': (step) => step.kind === 'told' && step.text.startsWith('You called no tool'),
  'cut at its length': (step) => step.kind === 'told' && step.text.startsWith('Your answer was cut'),
};

const ids: Record<Dialect, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai: 'openai/gpt-5.2-codex',
  google: 'google/gemini-2.5-pro',
  compatible: 'local/some-model',
};

export interface Replay {
  turns: number;
  calls: number;
  legs: number;
  /** How often each rule was met. */
  rules: Record<string, number>;
  problems: string[];
}

/** Sends the answers as a provider would, through loop, guards and ledger; tools bring what they brought when it was recorded. */
export async function replayTurns(directory: string, turns: Turn[], dialect: Dialect): Promise<Replay> {
  mkdirSync(directory, { recursive: true });
  const replay: Replay = { turns: turns.length, calls: 0, legs: 0, rules: {}, problems: [] };
  const meet = (rule: string) => {
    replay.rules[rule] = (replay.rules[rule] ?? 0) + 1;
  };
  const served = { requests: 0, tokens: 0 };
  const last: ScriptedAnswer[] = [
    { calls: [{ id: 'last_1', name: 'write_file', input: { path: 'replayed.txt', content: 'replayed\n' } }] },
    { calls: [{ id: 'last_2', name: 'signal_complete', input: { result: 'replayed' } }] },
  ];
  const answers = [...turns.map(answerOf), ...last];
  const server = await startModelServer(dialect, (_, at) => {
    const answer = answers[at - 1] ?? last[1] ?? {};
    served.requests += 1;
    served.tokens += (answer.usage?.input ?? 120) + (answer.usage?.output ?? 9);
    return answer;
  });
  const library = openLibrary({ url: join(directory, 'ledger.db') });
  const ledger = openLedger({ library, clock: systemClock });
  const id = ids[dialect];
  const model = openModel(id, {
    environment: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' },
    endpoints: { [id.split('/')[0] ?? '']: server.url },
    limits: { [id]: { window: 1_000_000, maxOutput: 8_000 } },
    aroundAttempt: metered(ledger, { run: 'replay' }),
  });
  const repository = testRepository([], join(directory, 'repository'));
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const tools = recordedTools(turns);
  try {
    let steps: RecordedStep[] = [];
    for (let leg = 1, isDone = false; !isDone && leg <= turns.length + 3; leg++) {
      const result = await runTestLeg({
        repository: repository.path,
        home: join(directory, 'home'),
        base,
        model,
        leg,
        message: leg === 1 ? undefined : 'Go on.',
        tools,
        mostCalls: 100_000,
      });
      const { outcome } = result;
      steps = result.steps;
      replay.legs = leg;
      isDone = outcome.result === 'done';
      if (isDone) continue;
      if (outcome.result === 'context_full') meet('context full');
      else if (outcome.result === 'asks') meet(ruleOf(outcome.question) ?? 'no rule');
      else replay.problems.push(`leg ${leg} ended as ${JSON.stringify(outcome).slice(0, 300)}`);
      if (replay.problems.length > 0) break;
    }
    if (replay.rules['no rule']) replay.problems.push('a leg asked for a reason that no rule has');
    for (const [rule, holds] of Object.entries(notes)) for (const step of steps) if (holds(step)) meet(rule);
    replay.calls = steps.filter(({ kind }) => kind === 'result').length;
    replay.problems.push(...checkSteps(steps, served.requests));
    const [line] = await ledger.costs({ by: 'run', since: '' });
    const counted = (line?.input_tokens ?? 0) + (line?.output_tokens ?? 0);
    if (line?.open !== 0 || counted !== served.tokens)
      replay.problems.push(
        `the ledger has ${counted} tokens and ${line?.open} open, the server ${served.tokens}`,
      );
  } catch (error) {
    replay.problems.push(`threw ${error instanceof Error ? error.stack : error}`.slice(0, 600));
  } finally {
    await library.close();
    await server.stop();
  }
  return replay;
}

const ruleOf = (question: string): string | undefined =>
  Object.entries(endings).find(([, pattern]) => pattern.test(question))?.[0];

const answerOf = ({ text: said, calls, usage }: Turn): ScriptedAnswer => ({
  text: said.match(/[\s\S]{1,60}/g) ?? [],
  calls: calls.map(({ id, name, input }) => ({ id, name, input })),
  usage,
});

/** Every call has one result, and every question one answer. */
function checkSteps(steps: RecordedStep[], requests: number): string[] {
  const said = steps.flatMap((step) => (step.kind === 'said' ? [step.calls.length] : []));
  const calls = said.reduce((sum, each) => sum + each, 0);
  const results = steps.filter(({ kind }) => kind === 'result').length;
  return [
    ...(said.length === requests ? [] : [`${said.length} answers were written down of ${requests}`]),
    ...(calls === results ? [] : [`${results} results for ${calls} calls`]),
  ];
}

/** Tools that were called more than once; one that was called once is unknown here, as if the agent had made it up. */
function recordedTools(turns: Turn[]): WorkTool[] {
  const results = new Map<string, string[]>();
  for (const { name, input, result } of turns.flatMap(({ calls }) => calls)) {
    // A call that can't be read is never made.
    if (typeof input === 'string' && !isObject(parseJson(input))) continue;
    results.set(name, [...(results.get(name) ?? []), result]);
  }
  return [...results]
    .filter(([name, all]) => all.length > 1 && /^[\w-]{1,60}$/.test(name))
    .map(([name, all]) => ({
      name,
      description: 'Brings what was recorded.',
      tier: 'core',
      effect: 'read',
      inputSchema: { type: 'object', properties: {} },
      run: async () => ({ text: all.shift() ?? '', untrusted: true }),
    }));
}
