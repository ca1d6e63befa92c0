// A process that works in a session, suspends it and is killed at once. Argument: directory of a repository. It prints
// the id of the session and, as JSON, everything that its sessions hold.
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { memoryDump } from './memory-dump.ts';

const app = openApp({ directory: process.argv[2]! });
const call = async (name: string, input: object): Promise<Record<string, unknown>> => {
  const outcome = await runOperation(app, { name, input, caller: { kind: 'agent', name: 'worker' } });
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
  return outcome.output as Record<string, unknown>;
};

const session = (await call('create_session', { name: 'limits', metadata: { wave: 2 } })) as { id: string };
await call('update_session_context', {
  context: {
    current_task: 'limit attempts',
    current_step: 'tests',
    next_steps: ['docs'],
    blockers: ['a name'],
  },
});
for (const [category, content] of [
  ['decision', 'Attempts are counted for each user.'],
  ['decision', 'Attempts are counted for each address.'],
  ['open_thread', 'Who resets the counter?'],
])
  await call('store_entry', { category, content, title: 'counting attempts', tags: ['auth'] });
await call('record_failure', { approach: 'a global counter', reason: 'it locked everybody out' });
await call('record_pattern', { category: 'errors', name: 'early return', pattern: 'return before nesting' });
await call('record_file', { path: 'src/limit.ts', operation: 'modified', summary: 'limit' });
await call('scratchpad_write', { key: 'tried', note: 'a global counter' });
await call('report_mistake', { pattern: 'global counter', error: 'locks all', fix: 'one for each user' });
await call('set_preference', { category: 'tests', preference: 'short titles', this_session_only: true });
await call('lock_files', { paths: ['src/limit.ts'], mode: 'write' });
await call('save_checkpoint', { summary: 'limit done', completed: ['limit'], next_steps: ['docs'] });
await call('suspend_session', { id: session.id });
process.stdout.write(`${JSON.stringify({ id: session.id, dump: await memoryDump(app) })}\n`, () =>
  process.kill(process.pid, 'SIGKILL'),
);
