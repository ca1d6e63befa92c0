import { expect, test } from 'vitest';
import { fixedClock } from '../../src/base/clock.ts';
import { allOperations } from '../../src/operations/list.ts';
import { type AnyOperation, isForPersons } from '../../src/operations/operation.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { type Conversation, conversations } from '../support/memory.ts';

const canary = 'canary-7f3a91';
const say = (place: string) => `${canary} in ${place}`;

/** Session A with the canary in everything that is private to it, and the ids that a stranger might guess. */
async function privateSession(owner: Conversation) {
  const session = await owner.call<{ id: string }>('create_session', {
    name: say('name'),
    metadata: { note: say('metadata') },
  });
  const entries: string[] = [];
  const keep = async (name: string, input: object) => {
    const { node_id } = await owner.call<{ node_id: string }>(name, input);
    entries.push(node_id);
  };
  await keep('store_entry', { content: say('a decision'), category: 'decision', title: say('a title') });
  await keep('store_entry', {
    content: `${say('another decision')}, which is not the same`,
    category: 'decision',
    title: say('a title'),
  });
  await keep('record_pattern', { category: 'errors', name: say('a pattern'), pattern: say('a pattern') });
  await keep('record_failure', { approach: say('an approach'), reason: say('a reason') });
  await owner.call('record_file', {
    path: `src/${canary}.ts`,
    operation: 'modified',
    summary: say('a file'),
  });
  await owner.call('scratchpad_write', { key: 'private', note: say('a note') });
  await owner.call('update_session_context', {
    context: { current_task: say('the task'), blockers: [say('a blocker')] },
  });
  await owner.call('report_mistake', {
    pattern: say('a mistake'),
    error: say('an error'),
    fix: say('a fix'),
  });
  await owner.call('set_preference', {
    category: 'style',
    preference: say('a preference'),
    this_session_only: true,
  });
  await owner.call('lock_files', { paths: [`src/${canary}.ts`] });
  await owner.call('get_file', { path: 'README.md', session: session.id });
  const checkpoint = await owner.call<{ id: string }>('save_checkpoint', {
    summary: say('a checkpoint'),
    completed: [say('a step')],
    next_steps: [say('a next step')],
    context: { found: say('checkpoint context') },
  });
  const snapshot = await owner.call<{ snapshot_id: string }>('snapshot_session', {});
  const { conflicts } = await owner.call<{ conflicts: Array<{ id: string }> }>('list_entry_conflicts');
  return {
    session: session.id,
    entries,
    checkpoint: checkpoint.id,
    snapshot: snapshot.snapshot_id,
    conflicts: conflicts.map(({ id }) => id),
  };
}
type Private = Awaited<ReturnType<typeof privateSession>>;

/** The examples as they are, and with every field that can name something of A naming it. */
function attempts(operation: AnyOperation, theirs: Private): object[] {
  // What belongs to no session has one kind of id for everything; two strange ones tell as much as ten.
  const few = !isOfSessions(operation);
  const ids = [
    theirs.session,
    ...theirs.entries,
    theirs.checkpoint,
    theirs.snapshot,
    ...theirs.conflicts,
    `session:${theirs.session}`,
  ].slice(0, few ? 2 : undefined);
  const fields = Object.keys(operation.input.shape);
  const tries: object[] = [];
  for (const example of operation.examples as object[]) {
    tries.push(example);
    const named = ['session', 'session_id', 'id', 'session_ids', 'task_id', 'snapshot_id', 'supersedes'];
    for (const field of named.filter((name) => fields.includes(name)))
      for (const id of ids) tries.push({ ...example, [field]: field === 'session_ids' ? [id] : id });
    if (fields.includes('cross_session')) {
      tries.push({ ...example, cross_session: true });
      tries.push({ ...example, cross_session: true, session_ids: [theirs.session] });
      tries.push({ cross_session: true, include_superseded: true, limit: 200 });
      tries.push({ ref: `file:src/${canary}.ts`, cross_session: true });
    }
    if (fields.includes('include_closed')) tries.push({ ...example, include_closed: true });
    if (fields.includes('include_resolved')) tries.push({ ...example, include_resolved: true });
    for (const field of ['query', 'approach', 'key'].filter((name) => fields.includes(name)))
      tries.push({ ...example, [field]: field === 'key' ? 'private' : 'a decision title approach mistake' });
  }
  return tries;
}

/** Records of these toolsets belong to a session, but for the person's preferences and the counters of the process. */
const isOfSessions = ({ toolset, name }: AnyOperation): boolean =>
  ['memory', 'sessions', 'guide', 'knowledge'].includes(toolset) &&
  !/preference|feedback|^(?:confirm_entry|guide_health|bus_statistics)$/.test(name);

/** All that an agent is offered. */
const operations = (await allOperations()).filter(
  (operation) => !isForPersons(operation) && operation.effect !== 'fetch',
);
const groups = Map.groupBy(operations, (operation) => (isOfSessions(operation) ? 'sessions' : 'repository'));
/** Sessions are read and written by these; the others may meet their entries through recall. */
const ofSessions = operations.filter((operation) => isOfSessions(operation) || operation.name === 'get_file');

async function world() {
  const { agent, person, repository, clock } = conversations(fixedClock(), fixtureRepository());
  await person().call('index_repository', {});
  return { agent, person, repository, clock };
}

test.each([...groups.keys()])(
  'every operation on %s data keeps the canary of session A from agent B, whatever B names',
  async (group) => {
    const { agent, person } = await world();
    const owner = agent('owner');
    const stranger = agent('stranger');
    const theirs = await privateSession(owner);
    await person().call('get_session', { id: theirs.session });
    const leaks: string[] = [];
    let answered = 0;
    for (const operation of groups.get(group)!) {
      for (const input of attempts(operation, theirs)) {
        const said = await stranger.call<unknown>(operation.name, input).then(
          (output) => {
            answered++;
            return JSON.stringify(output);
          },
          (error) => JSON.stringify([error.message, error.hint, error.data]),
        );
        if (said.includes(canary))
          leaks.push(`${operation.name} ${JSON.stringify(input)} → ${said.slice(0, 300)}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(groups.get(group)!.length / 2);
    const { files } = await owner.call<{ files: unknown[] }>('list_read_files', { session: theirs.session });
    expect(files).toHaveLength(1);
  },
);

/** Ids, places, durations and the times of files differ from world to world; nothing else may. */
const steady = (value: unknown, root: string): string =>
  JSON.stringify(value)
    .replaceAll(root, '<root>')
    .replace(/"\w*_ms":[\d.]+/g, '"ms":0')
    .replace(/"mod_time":"[^"]+"/g, '"mod_time":"<time>"')
    .replace(/\b[a-z]{2,12}_0[0-9a-z]{20,}/g, '<id>');

test('B is told the same as in a world without A', async () => {
  const told = async (withA: boolean) => {
    const { agent, repository, clock } = await world();
    if (withA) await privateSession(agent('owner'));
    const stranger = agent('stranger');
    const answers: Array<[string, string]> = [];
    for (const operation of ofSessions)
      for (const input of [...(operation.examples as object[]), ...questionsFor(operation)]) {
        clock.advance(1000);
        answers.push([
          `${operation.name} ${JSON.stringify(input)}`,
          await stranger.call<unknown>(operation.name, input).then(
            (output) => steady(output, repository.path),
            (error) => steady([error.message, error.hint, error.data], repository.path),
          ),
        ]);
      }
    return answers;
  };
  expect(await told(true)).toEqual(await told(false));
});

/** Words of A's, without the canary itself, wherever something is searched. */
const questionsFor = ({ input }: AnyOperation): object[] =>
  Object.keys(input.shape).includes('query') ? [{ query: 'a decision in a title and a pattern' }] : [];

test('what B tried changes nothing of A, and A still reads all of its own', async () => {
  const { agent } = await world();
  const owner = agent('owner');
  const stranger = agent('stranger');
  const theirs = await privateSession(owner);
  const everything = async () => [
    await owner.call('get_session', { id: theirs.session }),
    await owner.call('search_history', { current_only: true, include_superseded: true, limit: 200 }),
    await owner.call('scratchpad_read', { key: 'all' }),
    await owner.call('get_preferences', {}),
    await owner.call('list_entry_conflicts', {}),
    await owner.call('session_summary', {}),
  ];
  const before = await everything();
  for (const part of before) expect(JSON.stringify(part)).toContain(canary);
  for (const operation of ofSessions)
    for (const input of attempts(operation, theirs))
      await stranger.call(operation.name, input).catch(() => undefined);
  expect(await everything()).toEqual(before);
  expect(await owner.call('resume_task', { task_id: theirs.checkpoint })).toMatchObject({ found: true });
  expect(await owner.call('restore_session', { snapshot_id: theirs.snapshot })).toMatchObject({
    session_id: theirs.session,
  });
});
