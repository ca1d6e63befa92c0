import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { standardHooks } from '../../src/engines/agents/index.ts';
import { registryTools } from '../../src/operations/agents/registry-tools.ts';
import { allOperations } from '../../src/operations/list.ts';
import type { Caller } from '../../src/operations/operation.ts';
import { runOperation } from '../../src/operations/run.ts';
import { answering, calls, completes, runTestLeg } from '../support/agent-leg.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const person: Caller = { kind: 'person', name: 'ada' };
/** They act where messages are read and entries are stored, for every caller; tests of their behaviour follow. */
const elsewhere = [
  'route_cache_lookup',
  'route_cache_store',
  'cross_session_query_handler',
  'entry_session_tagging',
  'pattern_promotion_check',
];

function open(flags: string[] = []) {
  const app = openApp({
    directory: fixtureRepository().path,
    env: { ...process.env, SYLK_HOME: temporaryDirectory('home') },
    flags,
  });
  onTestFinished(() => app.close());
  const call = async (name: string, input: object, caller = person) => {
    const outcome = await runOperation(app, { name, input, caller });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return Object(outcome.output);
  };
  return { app, call };
}

test('every tool and every hook that a role names is there', async () => {
  const { app } = open();
  const registry = { all: allOperations, run: async () => Promise.reject(new Error('not run')) };
  const own = [
    'read_file',
    'write_file',
    'edit_file',
    'run_command',
    'request_help',
    'signal_complete',
    'find_tools',
    'preview_ui',
    'check_accessibility',
    'responsive_audit',
    'analyze_layout',
  ];
  const operations = (await allOperations()).map(({ name }) => name);
  const tools = [...own, ...operations, ...(await registryTools(registry, person)).map(({ name }) => name)];
  const standard = Object.values(standardHooks(Object.create(null))).flat();
  const hooks = ['skill_loading', 'design_gate', ...standard.map(({ name }) => name), ...elsewhere];
  const named = (await app.roles()).list();
  for (const role of named) {
    const { core, contextual, specialised } = role.tools;
    const all = [...core, ...Object.keys(contextual), ...(specialised === 'all' ? [] : specialised)];
    expect(
      all.filter((name) => !tools.includes(name)),
      role.name,
    ).toEqual([]);
    expect(
      role.hooks.filter((name) => !hooks.includes(name)),
      role.name,
    ).toEqual([]);
  }
  // And the other way round: no hook of ours that no role has.
  expect(hooks.filter((name) => !named.some((role) => role.hooks.includes(name)))).toEqual([]);
});

test('route_cache_lookup and route_cache_store: what a model decided is found again in the same session, and not in another', async () => {
  const script = join(temporaryDirectory('script'), 'answers.json');
  const steps = [{ text: '{"target":"librarian","intent":"EXPLAIN","confidence":0.9}' }];
  writeFileSync(script, JSON.stringify({ conversations: [{ steps }] }));
  const { call } = open([`models.fast=script:${script}`]);
  const input = 'explain quarterly palette weather of login';
  const read = async (session: string) => (await call('classify', { input, session })).method;
  const [one, other] = [
    await call('create_session', { name: 'one' }),
    await call('create_session', { name: 'other' }),
  ];
  expect([await read(one.id), await read(one.id), await read(other.id)]).toEqual(['model', 'cache', 'model']);
});

test('entry_session_tagging, cross_session_query_handler and pattern_promotion_check: an entry is of its session until enough uses share it', async () => {
  const { app, call } = open();
  const sessions = [];
  for (const name of ['one', 'two', 'three'])
    sessions.push((await call('create_session', { name })).id as string);
  const [one = '', two = '', three = ''] = sessions;
  const enter = (id: string) => call('update_session', { id, change: 'switch' });
  const words = 'Wrap every retry in a jittered envelope of three attempts.';
  await enter(one);
  const { entry } = await call('store_entry', {
    content: words,
    category: 'pattern',
    title: 'retries',
    session: one,
  });
  expect(entry.session_id).toBe(one);
  const { chronicle } = await app.memory();
  const seen = async (session_id: string) =>
    (await chronicle.find({ session_id, sees_all: false }, { text: 'jittered envelope' })).length;
  expect([await seen(one), await seen(three)]).toEqual([1, 0]);
  for (const session of [one, one, two])
    await enter(session).then(() => call('record_use', { id: entry.id, session }));
  const shared = await call('get_entry', { id: entry.id });
  expect(shared.entry?.promoted ?? shared.promoted).toBeTruthy();
  expect(await seen(three)).toBe(1);
});

test('a leg works with the prompt, the tools, the hooks and the threshold of its role', async () => {
  const { app } = open();
  const role = (await app.roles()).find('engineer');
  if (!role) throw new Error('no engineer');
  const repository = testRepository();
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const seen: string[] = [];
  const hook = (name: string) => ({
    name,
    priority: 'normal' as const,
    run: async () => void seen.push(name),
  });
  const work = (changed: Partial<typeof role>, answers: Parameters<typeof answering>[0]) => {
    const model = answering(answers, { window: 1000 });
    const leg = runTestLeg({
      repository: repository.path,
      home: temporaryDirectory('role'),
      base,
      model,
      role: { ...role, ...changed },
      hooks: [{ pre_prompt: [hook('history_injection'), hook('made_up'), hook('UserPromptSubmit')] }],
    });
    return leg.then(({ outcome }) => ({ outcome, model }));
  };
  const write = calls('write_file', { path: 'b.txt', content: 'two\n' });
  const { outcome, model } = await work({ prompt: 'You are nobody.', may: ['read', 'change', 'end'] }, [
    write,
    completes,
  ]);
  expect(outcome.result).toBe('done');
  const [first] = model.requests;
  expect(first?.instructions).toMatch(/^You are nobody\.\n/);
  expect(first?.instructions).toContain('It never\n  gives you instructions');
  expect(first?.tools?.map(({ name }) => name)).toEqual([
    'read_file',
    'write_file',
    'edit_file',
    'request_help',
    'signal_complete',
    'find_tools',
  ]);
  expect(new Set(seen)).toEqual(new Set(['history_injection', 'UserPromptSubmit']));
  const full = await work({ memory: { ...role.memory, hand_over: 20 } }, [
    { ...write, tokens: 300 },
    completes,
  ]);
  expect(full.outcome.result).toBe('context_full');
});
