import { describe, expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';

interface Shown {
  id: string;
  state: string;
  version: number;
  context: { current_task: string; next_steps: string[] };
}

const states = ['created', 'active', 'suspended', 'completed', 'failed'] as const;
const allowed: Record<string, string[]> = {
  activate: ['created'],
  suspend: ['active'],
  resume: ['suspended'],
  complete: ['active', 'suspended'],
  fail: ['active'],
};
const pathTo: Record<(typeof states)[number], string[]> = {
  created: [],
  active: ['activate'],
  suspended: ['activate', 'suspend'],
  completed: ['activate', 'complete'],
  failed: ['activate', 'fail'],
};

describe('Session Lifecycle', () => {
  for (const state of states) {
    for (const verb of Object.keys(allowed)) {
      const possible = allowed[verb]!.includes(state);
      test(`${state.toUpperCase()} ${possible ? 'can' : 'cannot'} ${verb}`, async () => {
        const person = conversations().person();
        const session = await person.call<Shown>('create_session', { name: 'x', activate: false });
        for (const step of pathTo[state]) await person.call(`${step}_session`, { id: session.id });
        const attempt = person.call(`${verb}_session`, { id: session.id });
        if (possible) await expect(attempt).resolves.toBeTruthy();
        else await expect(attempt).rejects.toMatchObject({ code: 'INVALID_OPERATION', data: { state } });
      });
    }
  }

  test('close archives what has ended and refuses everything else', async () => {
    const person = conversations().person();
    const session = await person.call<Shown>('create_session', { name: 'x' });
    await expect(person.call('close_session', { id: session.id })).rejects.toMatchObject({
      code: 'INVALID_OPERATION',
    });
    await person.call('complete_session', { id: session.id });
    await person.call('close_session', { id: session.id });
    const { sessions } = await person.call<{ sessions: Shown[] }>('list_sessions');
    expect(sessions.map((each) => each.id)).not.toContain(session.id);
  });

  test('every change raises the version and leaves an event', async () => {
    const person = conversations().person();
    const session = await person.call<Shown>('create_session', { name: 'x' });
    const changed = await person.call<Shown>('update_session_context', {
      id: session.id,
      context: { current_task: 'limit' },
    });
    expect(changed.version).toBeGreaterThan(session.version);
    const { events } = await person.call<{ events: Array<{ event: string }> }>('get_session', {
      id: session.id,
    });
    expect(events.map((event) => event.event)).toEqual(['created', 'activate']);
  });
});

describe('Session Manager Interface', () => {
  test('switch suspends the session that is left, unless another caller has it or something runs in it', async () => {
    const { agent } = conversations();
    const one = agent('client');
    const first = await one.call<Shown>('create_session', { name: 'first' });
    const second = await one.call<{ id: string }>('create_session', { name: 'second' });
    const { session } = await one.call<{ session: Shown }>('get_session', { id: first.id });
    expect(session.state).toBe('suspended');
    const back = await one.call<Shown & { left: string }>('switch_session', { id: first.id });
    expect([back.state, back.left]).toEqual(['active', second.id]);
  });

  test('a session without activity is suspended by itself, and comes back with its context at the next write', async () => {
    const { agent, clock, person } = conversations();
    const one = agent('client');
    await one.call('create_session', { name: 'limits' });
    await one.call('update_session_context', {
      context: { current_task: 'limit attempts', next_steps: ['tests'] },
    });
    clock.advance(3 * 3_600_000);
    const { sessions } = await person().call<{ sessions: Shown[] }>('list_sessions');
    expect(sessions.map((session) => session.state)).toEqual(['suspended']);
    await one.call('scratchpad_write', { key: 'a', note: 'b' });
    const { session } = await one.call<{ session: Shown }>('get_session');
    expect([session.state, session.context.current_task]).toEqual(['active', 'limit attempts']);
  });

  test('what the person wants and rejects is given in words; the time is added', async () => {
    const one = conversations().agent('client');
    await one.call('update_session_context', { context: { user_wants: ['small bundles'] } });
    await one.call('update_session_context', { context: { user_rejects: [{ content: 'classes' }] } });
    const { session } = await one.call<{ session: { context: Record<string, unknown> } }>('get_session');
    expect(session.context).toMatchObject({
      user_wants: [{ content: 'small bundles', at: expect.stringMatching(/^\d{4}-/) }],
      user_rejects: [{ content: 'classes', at: expect.stringMatching(/^\d{4}-/) }],
    });
  });

  test('a session without activity is suspended when anybody writes here', async () => {
    const { agent, clock, person } = conversations();
    const { id } = await agent('client').call<Shown>('create_session', { name: 'limits' });
    clock.advance(3 * 3_600_000);
    await agent('other').call('scratchpad_write', { key: 'a', note: 'b' });
    const { session } = await person().call<{ session: Shown }>('get_session', { id });
    expect(session.state).toBe('suspended');
  });

  test('a session that is older than its session_timeout is suspended, and one without a limit is not', async () => {
    const { clock, person } = conversations();
    const somebody = person();
    const limited = { session_timeout: 600, auto_suspend_after: 0 };
    const short = await somebody.call<Shown>('create_session', { name: 'short', config: limited });
    const { session } = await person('bob').call<{ session: Shown }>('get_session', { id: short.id });
    expect(session.state).toBe('active');
    const free = await person('bob').call<Shown>('create_session', { config: { auto_suspend_after: 0 } });
    clock.advance(700_000);
    const { sessions } = await somebody.call<{ sessions: Shown[] }>('list_sessions');
    const states = new Map(sessions.map(({ id, state }) => [id, state]));
    expect([states.get(short.id), states.get(free.id)]).toEqual(['suspended', 'active']);
  });

  test('life-cycle hooks are told every change of state, and one that fails undoes nothing', async () => {
    const somebody = conversations().person();
    const { sessions } = await somebody.app.memory();
    const told: string[] = [];
    sessions.onTransition(() => {
      throw new Error('a bad listener');
    });
    const stop = sessions.onTransition(({ transition, before, session }) => {
      told.push(`${transition}: ${before?.state ?? 'nothing'} → ${session.state}`);
    });
    const { id } = await somebody.call<Shown>('create_session', { name: 'x' });
    await somebody.call('suspend_session', { id });
    await somebody.call('resume_session', { id });
    await somebody.call('complete_session', { id });
    await somebody.call('close_session', { id });
    stop();
    await somebody.call('create_session', { name: 'y' });
    expect(told).toEqual([
      'create: nothing → created',
      'activate: created → active',
      'suspend: active → suspended',
      'resume: suspended → active',
      'complete: active → completed',
      'close: completed → completed',
    ]);
  });

  test('statistics count by state, and close all archives what has ended and nothing else', async () => {
    const { agent, person } = conversations();
    for (const name of ['one', 'two', 'three']) {
      const one = agent(name);
      const { id } = await one.call<Shown>('create_session', { name });
      if (name !== 'three') await one.call('complete_session', { id });
    }
    const somebody = person();
    expect(await somebody.call('session_statistics')).toMatchObject({
      total: 3,
      by_state: { completed: 2, active: 1 },
    });
    await somebody.call('close_all_sessions');
    const { sessions } = await somebody.call<{ sessions: Shown[] }>('list_sessions');
    expect(sessions.map(({ state }) => state)).toEqual(['active']);
  });

  test('a snapshot puts context and notes back as they were', async () => {
    const one = conversations().agent('client');
    await one.call('update_session_context', { context: { current_task: 'before' } });
    await one.call('scratchpad_write', { key: 'note', note: 'before' });
    const { snapshot_id } = await one.call<{ snapshot_id: string }>('snapshot_session');
    await one.call('update_session_context', { context: { current_task: 'after' } });
    await one.call('scratchpad_write', { key: 'note', note: 'after' });
    await one.call('scratchpad_write', { key: 'later', note: 'was not there yet' });
    await one.call('restore_session', { snapshot_id });
    expect(await one.call('scratchpad_read', { key: 'later' })).toMatchObject({ exists: false });
    const { session } = await one.call<{ session: Shown }>('get_session');
    expect(session.context.current_task).toBe('before');
    expect(await one.call('scratchpad_read', { key: 'note' })).toMatchObject({
      exists: true,
      content: 'before',
    });
  });

  test('a lock is of a file of this repository, by whichever path it is named', async () => {
    const { agent } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    await two.call('create_session', { name: 'x' });
    expect(await one.call('lock_files', { paths: ['./src/../a.ts'] })).toMatchObject({ locked: ['a.ts'] });
    await expect(two.call('lock_files', { paths: ['a.ts'] })).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const path of ['../a.ts', '/etc/passwd', '.', 'src/../..'])
      await expect(one.call('lock_files', { paths: [path] })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
  });

  test('file-level locks: many readers or one writer, gone when the session ends or the lock expires', async () => {
    const { agent, clock } = conversations();
    const [one, two] = [agent('one'), agent('two')];
    await two.call('create_session', { name: 'x' });
    await one.call('lock_files', { paths: ['a.ts'], mode: 'read' });
    await two.call('lock_files', { paths: ['a.ts'], mode: 'read' });
    await expect(two.call('lock_files', { paths: ['a.ts'], mode: 'write' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    clock.advance(1_000_000);
    await two.call('lock_files', { paths: ['a.ts'], mode: 'write' });
    await expect(one.call('lock_files', { paths: ['a.ts'], mode: 'read' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const { session } = await two.call<{ session: Shown }>('get_session');
    await two.call('complete_session', { id: session.id });
    await expect(one.call('lock_files', { paths: ['a.ts'] })).resolves.toBeTruthy();
  });
});
