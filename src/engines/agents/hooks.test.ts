import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  answering,
  calls,
  completes,
  type LegOptions,
  runTestLeg,
} from '../../../tests/support/agent-leg.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { commandHooks } from './command-hooks.ts';
import { commandHooksSchema } from './config/index.ts';
import { type Hook, hookPriority, joinHooks, runHooks } from './hooks.ts';
import { type HookServices, standardHooks } from './standard-hooks.ts';
import type { Brief } from './worker.ts';

const brief: Brief = {
  run: 'run_1',
  session: 'ses_1',
  node: 'work',
  leg: 1,
  role: 'engineer',
  task: 'Do it',
  constraints: [],
  criteria: [],
  upstream: [],
  context: '',
  checks: [],
  feedback: [],
};
const calling = { signal: new AbortController().signal, report: () => {} };
const prompt = { brief, instructions: '', messages: [], tools: [] };
const change = calls('write_file', { path: 'new.txt', content: 'new\n' });

function leg(answers: Parameters<typeof answering>[0], options: Partial<LegOptions> = {}) {
  const repository = testRepository();
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const model = answering(answers);
  return runTestLeg({
    repository: repository.path,
    home: temporaryDirectory('hooks'),
    base,
    model,
    ...options,
  }).then((result) => ({ ...result, model, results: result.steps.filter((step) => step.kind === 'result') }));
}

test('hooks run by priority, and those of the same priority in the order of their registration', async () => {
  const order: string[] = [];
  const hook = (name: string, priority: keyof typeof hookPriority): Hook<'pre_prompt'> => ({
    name,
    priority,
    run: async () => {
      order.push(name);
    },
  });
  const table = joinHooks({
    pre_prompt: [
      hook('e', 'last'),
      hook('b', 'early'),
      hook('c', 'normal'),
      hook('d', 'normal'),
      hook('x', 'late'),
      hook('a', 'first'),
    ],
  });
  await runHooks(table, 'pre_prompt', prompt, calling);
  expect(order).toEqual(['a', 'b', 'c', 'd', 'x', 'e']);
  expect(Object.values(hookPriority)).toEqual([0, 25, 50, 75, 100]);
});

test('a hook that knows the answer ends the call without a model, and later hooks do not run', async () => {
  const reply = await answering([{ text: 'known', ...completes }]).stream({ instructions: '', messages: [] });
  let later = 0;
  const { model, outcome } = await leg([], {
    hooks: [
      {
        pre_prompt: [
          { name: 'cache', priority: 'first', run: async (data) => ({ ...data, skip: reply }) },
          {
            name: 'later',
            priority: 'last',
            run: async () => {
              later += 1;
            },
          },
        ],
      },
    ],
  });
  expect(model.requests).toHaveLength(0);
  expect(later).toBe(0);
  expect(outcome.result).toBe('asks');
});

test('a hook that fails before a call refuses it; one that fails after it is noted, and the result stands', async () => {
  const throws = async () => {
    throw new Error('broken');
  };
  const { results, steps, directory } = await leg(
    [change, calls('read_file', { path: 'a.txt' }), completes, completes],
    {
      hooks: [
        {
          pre_tool: [
            {
              name: 'guard',
              priority: 'normal',
              run: async ({ tool }) => {
                if (tool.effect === 'change') await throws();
              },
            },
          ],
          post_tool: [{ name: 'watch', priority: 'normal', run: throws }],
        },
      ],
    },
  );
  expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('guard failed') });
  expect(results[1]).toMatchObject({ isError: false, text: '1\tone' });
  expect(steps.some((step) => step.kind === 'note' && step.text.includes('watch: broken'))).toBe(true);
  expect(() => readFileSync(join(directory, 'new.txt'))).toThrow();
});

test('policy judges what hooks have made of a call, also where a hook knows its result', async () => {
  const rewrite = (path: string, skip?: { text: string }): Hook<'pre_tool'> => ({
    name: 'rewrite',
    priority: 'last',
    run: async (data) =>
      data.tool.effect === 'change'
        ? { ...data, skip, call: { ...data.call, input: { ...data.call.input, path } } }
        : undefined,
  });
  const denied = { rules: [{ action: 'deny' as const, path: 'secret/**' }] };
  const { results } = await leg([change, completes, completes], {
    ...denied,
    hooks: [{ pre_tool: [rewrite('secret/x')] }],
  });
  expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('refused') });
  const skipped = await leg([change, completes, completes], {
    ...denied,
    hooks: [{ pre_tool: [rewrite('secret/x', { text: 'fine' })] }],
  });
  expect(skipped.results[0]).toMatchObject({ isError: true });
});

describe('hooks of the design, by name', () => {
  const seen: string[] = [];
  const services = (changed: Partial<HookServices> = {}): HookServices => ({
    sessionContext: async () => 'SESSION CONTEXT',
    history: async () => 'HISTORY',
    log: (about) => {
      seen.push(`log ${about}`);
    },
    remember: async (_, kind, text) => {
      seen.push(`${kind}: ${text}`);
    },
    trackFile: async (_, path, how) => {
      seen.push(`${how} ${path}`);
    },
    setStep: async (_, step) => {
      seen.push(`step ${step}`);
    },
    session: () => 'ses_1',
    window: 100_000,
    countTokens: (text) => text.length,
    ...changed,
  });

  test('prompts: session_context_injection, skill_loading, history_injection, response_logging, pattern_extraction, token_accounting', async () => {
    seen.length = 0;
    const { model } = await leg(
      [{ text: 'Pattern: errors are values here, never thrown', ...change }, completes],
      { hooks: [standardHooks(services())] },
    );
    expect(model.requests[0]?.instructions).toContain('SESSION CONTEXT\n\nHISTORY');
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toContain('edit_file');
    expect(seen).toEqual(
      expect.arrayContaining(['log answer', 'log tokens', 'pattern: errors are values here, never thrown']),
    );
  });

  test('token_budget_check hands over before a request that does not fit is sent', async () => {
    const { model, outcome } = await leg([change], { hooks: [standardHooks(services({ window: 10 }))] });
    expect(model.requests).toHaveLength(0);
    expect(outcome.result).toBe('context_full');
  });

  test('tools: parameter_validation, result_logging, file_tracking, file_operation_tracking, consultation_logging, state_update', async () => {
    seen.length = 0;
    const consult = {
      name: 'consult_librarian',
      description: '',
      inputSchema: {},
      tier: 'contextual' as const,
      effect: 'read' as const,
      run: async () => ({ text: 'here' }),
    };
    const { results } = await leg(
      [
        calls('write_file', { path: 'x' }),
        calls('read_file', { path: 'a.txt' }),
        calls('consult_librarian', { question: 'where?' }),
        change,
        completes,
      ],
      { hooks: [standardHooks(services())], tools: [consult] },
    );
    expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('needs content') });
    expect(seen).toEqual(
      expect.arrayContaining([
        'log result',
        'read a.txt',
        'modified new.txt',
        'timeline: Consulted librarian: where?',
        'step write_file',
      ]),
    );
    expect(seen).not.toContain('modified x');
  });

  test('permission_check keeps those who only answer from changing; session_scoping names the session', async () => {
    const table = standardHooks(services());
    const tool = {
      name: 'store_entry',
      description: '',
      tier: 'core' as const,
      effect: 'library' as const,
      inputSchema: { properties: { session: {} } },
      run: async () => ({ text: '' }),
    };
    const call = { id: '1', name: 'store_entry', input: { session: 'another' } };
    const data = await runHooks(table, 'pre_tool', { brief, call, tool }, calling);
    expect(data.call.input).toEqual({ session: 'ses_1' });
    await expect(
      runHooks(table, 'pre_tool', { brief: { ...brief, role: 'librarian' }, call, tool }, calling),
    ).rejects.toMatchObject({ code: 'DENIED' });
  });
});

describe("the person's own commands", () => {
  const hooks = (event: string, command: string, matcher = '*') => {
    const directory = temporaryDirectory('command-hooks');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'hook.sh'), command);
    const settings = commandHooksSchema.parse({
      [event]: [
        { matcher, hooks: [{ type: 'command', command: `sh ${join(directory, 'hook.sh')} ${directory}` }] },
      ],
    });
    return { directory, table: commandHooks(settings, () => directory) };
  };

  test('exit code 2 refuses the call and tells the model why', async () => {
    const { table } = hooks('PreToolUse', 'echo "not on a Friday" >&2; exit 2', 'Write|Edit');
    const { results } = await leg([change, calls('read_file', { path: 'a.txt' }), completes, completes], {
      hooks: [table],
    });
    expect(results[0]).toMatchObject({ isError: true, text: expect.stringContaining('not on a Friday') });
    expect(results[1]?.isError).toBe(false);
  });

  test('it gets the call as JSON under the names that it knows, and may change the input', async () => {
    const answer = JSON.stringify({
      hookSpecificOutput: {
        permissionDecision: 'allow',
        updatedInput: { path: 'new.txt', content: 'formatted\n' },
      },
    });
    const { table, directory } = hooks(
      'PreToolUse',
      `cat > "$1/input.json"; printf '%s' '${answer}'`,
      'Write',
    );
    const { directory: tree } = await leg([change, completes], { hooks: [table] });
    expect(JSON.parse(readFileSync(join(directory, 'input.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { path: 'new.txt' },
    });
    expect(readFileSync(join(tree, 'new.txt'), 'utf8')).toBe('formatted\n');
  });

  test('what a hook allows is still denied by policy, and what it wants asked is asked', async () => {
    const allow = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'allow' } });
    const { results } = await leg([change, completes, completes], {
      hooks: [hooks('PreToolUse', `echo '${allow}'`).table],
      rules: [{ action: 'deny', tool: 'write_file' }],
    });
    expect(results[0]?.isError).toBe(true);
    const ask = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'ask' } });
    const asked = await leg([change, completes, completes], {
      hooks: [hooks('PreToolUse', `echo '${ask}'`, 'Write').table],
    });
    expect(asked.results[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('nobody answered in time'),
    });
  });

  test('any other exit code stops nothing', async () => {
    const { results } = await leg([change, completes], { hooks: [hooks('PreToolUse', 'exit 1').table] });
    expect(results[0]?.isError).toBe(false);
  });
});
